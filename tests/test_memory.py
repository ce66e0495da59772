"""A session alone holds its runs."""

import gc
import weakref

import pytest

from tests.visit import session_of, sound, visit


@pytest.mark.parametrize("slug", ["kmeans", "decision_tree", "apriori"])
def test_nothing_else_holds_a_run(slug):
    """Callbacks live as long as the session: a run in one of them would never be freed."""
    page = sound(visit(slug, seed="3"))  # what a page opens with is not its session's own
    trace = weakref.ref(next(iter(session_of(page).memory.traces.values())))
    session_of(page).forget_runs()
    gc.collect()
    assert trace() is None
