"""The schedule: one task a worker, no task before its input, no data lost for good."""

from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.mapreduce import KMeansJob, WordCountJob
from dmlib.mapreduce.simulation import STARTUP

TEXTS = [f"{'a ' * n}b c{n % 5} d{n % 7} e{n}" for n in range(1, 15)]
SETTINGS = st.fixed_dictionaries(
    {
        "n_splits": st.integers(1, 8),
        "n_reducers": st.integers(1, 4),
        "combiner": st.booleans(),
        "n_workers": st.integers(2, 5),
        "speed": st.sampled_from([10.0, 100.0]),
        "bandwidth": st.sampled_from([5.0, 50.0, 5000.0]),
        "slowdown": st.sampled_from([1.0, 4.0]),
        "speculation": st.booleans(),
        "failure": st.none() | st.integers(1, 99),
    }
)


def are_disjoint(attempts):
    """Whether no two overlap."""
    order = sorted(attempts, key=lambda a: (a.start, a.end))
    return all(before.end <= after.start + 1e-9 for before, after in pairwise(order))


@given(SETTINGS)
def test_a_schedule_is_possible(how):
    model = WordCountJob(**how).fit(TEXTS)
    tasks, links = defaultdict(list), defaultdict(list)
    for attempt in model.attempts_:
        if attempt.kind == "shuffle" and attempt.n_bytes:
            links[attempt.worker].append(attempt)
        elif attempt.kind != "shuffle":
            tasks[attempt.worker].append(attempt)
    assert all(map(are_disjoint, (*tasks.values(), *links.values())))
    done = [a for a in model.attempts_ if a.outcome == "done"]
    transfers = [a for a in done if a.kind == "shuffle"]
    for transfer in transfers:
        before = [a for a in done if a.end <= transfer.start + 1e-9]
        mapped = [(a.task, a.worker) for a in before if a.kind == "map"]
        assert (transfer.task, transfer.source) in mapped
    maps = model.history_[0].maps
    for reducer in (a for a in done if a.kind == "reduce" and not a.backup):
        needed = {m for m, task in enumerate(maps) if task.sent_bytes[reducer.task]}
        before = [a for a in transfers if a.end <= reducer.start + 1e-9]
        assert needed <= {a.task for a in before if a.reducer == reducer.task}
    assert sorted(a.task for a in done if a.kind == "reduce") == list(range(model.n_reducers))
    dead = [a for a in model.attempts_ if a.kind == "fail"]
    for attempt in model.attempts_ if dead else ():
        assert attempt.worker != dead[0].worker or attempt.end <= dead[0].end


@given(SETTINGS)
def test_the_schedule_changes_no_result(how):
    assert WordCountJob(**how).fit(TEXTS).result_ == WordCountJob().fit(TEXTS).result_


@given(SETTINGS)
def test_the_same_settings_give_the_same_schedule(how):
    lines = ["1 2", "2 1", "8 9", "9 8", "1 1"]
    first, second = (KMeansJob(2, 3, **how).fit(lines) for _ in range(2))
    assert first.attempts_ == second.attempts_


def test_one_worker_by_hand():
    """A map takes 0.1 s + (lines + pairs) / speed, a reduce 0.1 s + (pairs + keys) / speed."""
    model = WordCountJob(n_splits=2, n_reducers=1, n_workers=1, combiner=False, speed=10.0)
    model.fit(["a b", "a"])
    spans = [(a.kind, a.start, a.end) for a in model.attempts_ if a.kind != "shuffle"]
    maps = [STARTUP + (1 + 2) / 10, STARTUP + (1 + 1) / 10]
    assert [kind for kind, *_ in spans] == ["map", "map", "reduce"]
    seconds = [end - start for _, start, end in spans]
    np.testing.assert_allclose(seconds, [*maps, STARTUP + (3 + 2) / 10])
    assert model.makespan_ == pytest.approx(sum(maps) + 0.6)
    assert sum(a.n_bytes for a in model.attempts_) == 0  # nothing leaves the worker


def test_a_transfer_takes_its_bytes_over_the_bandwidth():
    model = WordCountJob(n_splits=2, n_reducers=2, n_workers=2, bandwidth=8.0).fit(["a b", "a b"])
    moved = [a for a in model.attempts_ if a.n_bytes]
    assert {(a.end - a.start) for a in moved} == {a.n_bytes / 8.0 for a in moved}


def test_second_attempts_save_time_with_a_slow_worker():
    slow, speculating = (
        WordCountJob(n_splits=4, slowdown=20.0, speed=50.0, speculation=on).fit(TEXTS)
        for on in (False, True)
    )
    assert speculating.makespan_ < slow.makespan_
    assert [a.outcome for a in slow.attempts_ if a.outcome != "done"] == []
    assert {a.worker for a in speculating.attempts_ if a.outcome == "stopped"} == {0}


def test_finished_map_tasks_of_a_dead_worker_are_repeated():
    model = WordCountJob(n_splits=6, n_reducers=3, speed=50.0, bandwidth=20.0, failure=60)
    attempts = model.set_params(n_workers=3).fit(TEXTS).attempts_
    (failure,) = [a for a in attempts if a.kind == "fail"]
    maps = [a for a in attempts if a.kind == "map"]
    finished = {a.task for a in maps if a.worker == 2 and a.outcome == "done"}
    assert finished & {a.task for a in maps if a.start >= failure.end}
