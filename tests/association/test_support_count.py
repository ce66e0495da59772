"""The minimum support as a number of baskets."""

import pytest

from tests.gestures import move
from tests.visit import open_preset, open_settings, panel, sound, technique, visit, watched_runs

FIVE = {"source": "library", "data": "five_baskets"}


@pytest.mark.parametrize("slug", ["apriori", "fp_growth"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_count_is_a_share_of_the_baskets(slug, count):
    with watched_runs() as runs:
        page = sound(visit(slug, **FIVE, **{f"{slug}.min_count": str(count)}))
    run = runs[-1]
    assert run.model.min_support == count / 5
    least = run.problem.matrix[:, run.fitted.membership_[-1]].all(axis=1).sum()
    assert least >= count
    assert f"{slug}.min_support" not in panel(page)


def test_the_share_counts_while_no_count_is_set():
    with watched_runs() as runs:
        page = sound(visit("apriori", **FIVE, **{"apriori.min_support": "0.6"}))
    assert runs[-1].model.min_support == 0.6
    assert "apriori.min_support" in panel(page)


@pytest.mark.parametrize(("share", "count"), [(0.57, "3"), (7.0, "5"), (0.01, "1")])
def test_the_line_that_is_dragged_sets_the_count(share, count):
    problem = open_settings("apriori", **FIVE)[0].problem
    message = {"name": "min_support", "x": None, "y": share}
    settings = move(message, technique("apriori"), problem, **{"apriori.min_count": "2"})
    assert settings["apriori.min_count"] == [count]
    assert "apriori.min_support" not in settings


def test_a_count_that_is_no_count_of_these_baskets_is_ignored():
    with watched_runs() as runs:
        sound(visit("apriori", **FIVE, **{"apriori.min_count": "6"}))
    assert runs[-1].model.min_support != 6 / 5


@pytest.mark.parametrize(("count", "n_itemsets"), [(2, 10), (3, 4)])
def test_the_preset_says_how_many_are_frequent(count, n_itemsets):
    opened = open_preset("apriori", "At least two baskets", **{"apriori.min_count": count})
    assert opened.run.fitted.n_itemsets_ == n_itemsets
