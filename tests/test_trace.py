"""A run ends at its budgets of seconds, steps and bytes, within nested estimators too."""

import ast
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlib
from dmlib.clustering import BisectingKMeans, GaussianMixture, KMeans, SpectralClustering, XMeans
from dmlib.decomposition import PCA
from dmlib.trace import OutOfTime, Running, limited, look, run


@dataclass(frozen=True)
class Step:
    array: np.ndarray
    parts: tuple = ()


class Inner:
    """One step, in which it lets others look a number of times."""

    def __init__(self, n_looks):
        self.n_looks, self.looked = n_looks, 0

    def steps(self, X, y=None):
        for i in range(self.n_looks):
            self.looked = i + 1
            look()
        yield self.looked


def ticking():
    """Return a clock that is one second later at each look."""
    return map(float, count()).__next__


def test_a_deadline_holds_inside_a_step():
    inner = Inner(1000)
    trace = run(inner, None, deadline=10.0, clock=ticking())
    assert inner.looked == 13  # a quarter more than between steps
    assert (trace.steps, trace.complete, trace.rest) == ((), False, None)
    assert trace.reason == "The run was stopped after its budget of 10 seconds, at step 0."


def test_progress_is_told_inside_a_step():
    counts = []
    run(
        Inner(40),
        None,
        progress=lambda steps: counts.append(len(steps)),
        interval=2.5,
        clock=ticking(),
    )
    assert counts == [0, 0, 0, 1]  # four times as rarely as between steps


def test_the_budget_of_another_is_not_the_runs_own():
    with (
        pytest.raises(OutOfTime, match="of all"),
        limited(5.0, "The time of all is spent.", ticking()),
    ):
        run(Inner(1000), None, deadline=1e9, clock=ticking())
    look()  # nobody is looking any more


def test_bytes_are_counted_once_and_in_what_a_step_holds():
    shared = np.zeros(1000)

    class Growing:
        def steps(self, X, y=None):
            for _ in range(100):
                yield Step(shared, (Step(np.zeros(100)),))

    trace = run(Growing(), None, max_bytes=10_000)
    assert len(trace.steps) == 2  # 8,000 bytes that all share, and 800 in each
    assert trace.reason == "The run was stopped after its budget of 0.01 MB of memory, at step 2."
    assert run(Growing(), None, max_bytes=100_000).complete


@pytest.mark.parametrize(
    "estimator",
    [
        SpectralClustering(20, n_init=100, random_state=0),
        BisectingKMeans(100, n_init=100, random_state=0),
        XMeans(20, 100, n_init=100, random_state=0),
        GaussianMixture(20, n_init=100, random_state=0),
        PCA(svd_solver="power", tol=0.0, max_iter=100_000, random_state=0),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_long_fits_let_look_in_between(estimator):
    """The clock is read after each half-step of each restart or turn of a fit."""
    X = np.random.default_rng(0).normal(size=(200, 4))
    looks = ticking()
    with pytest.raises(OutOfTime), limited(500.0, "Spent.", looks):
        estimator.fit(X)
    assert run(estimator, X, deadline=500.0, clock=ticking()).reason.startswith(
        "The run was stopped after its budget"
    )


def test_only_the_kept_restart_of_an_inner_kmeans_is_kept():
    """The bytes of a run do not grow with silent restarts, and the result is that of ``fit``."""
    X = np.random.default_rng(1).normal(size=(60, 2))
    sizes = []
    for n_init in (5, 40):
        estimator = SpectralClustering(6, n_init=n_init, random_state=0)
        trace = run(estimator, X)
        assert np.array_equal(trace.steps[-1].labels, estimator.fit(X).labels_)
        sizes.append(len(trace.steps))
    assert max(sizes) < 60


class Countdown:
    def steps(self, X, y=None):
        yield from range(X, 0, -1)


def moving(step):
    """Return a clock that moves at each look."""
    times = iter(range(10_000))
    return lambda: next(times) * step


def test_a_run_ends_by_itself_while_the_clock_stands():
    trace = run(Countdown(), 500, deadline=0.0, clock=lambda: 7.0)
    assert trace.steps == tuple(range(500, 0, -1))
    assert (trace.complete, trace.reason, trace.seconds) == (True, "", 0.0)


def test_a_run_stops_after_its_deadline():
    trace = run(Countdown(), 500, deadline=3.0, clock=moving(1.0))
    assert trace.steps == (500, 499, 498, 497)
    assert not trace.complete
    assert trace.reason == "The run was stopped after its budget of 3 seconds, at step 4."


def paused(estimator, X, n_steps):
    """Return the trace of a run that pauses after a number of steps, and the pauses."""
    running, pauses = Running(estimator, X), 0
    while not (
        trace := running.go(n_steps * pauses, clock=lambda: float(len(running.steps)))
    ).complete:
        pauses += 1
        assert len(trace.steps) == n_steps * (pauses - 1) + 1
        assert trace.rest is running
    return trace, pauses


@given(st.integers(0, 60), st.integers(1, 20))
def test_a_run_that_is_continued_is_the_run_that_was_never_stopped(n, n_steps):
    trace, pauses = paused(Countdown(), n, n_steps)
    assert (trace.steps, trace.reason, trace.rest) == (tuple(range(n, 0, -1)), "", None)
    assert pauses == -(-n // n_steps)


@pytest.mark.parametrize(
    "estimator",
    [
        KMeans(3, n_init=4, random_state=0),
        XMeans(2, 5, random_state=0),
        SpectralClustering(3, random_state=0),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_an_algorithm_does_not_notice_that_it_paused(estimator):
    X = np.random.default_rng(2).normal(size=(60, 2))
    uninterrupted = run(estimator, X).steps
    trace, pauses = paused(estimator, X, 3)
    assert pauses >= 2
    assert len(trace.steps) == len(uninterrupted)
    np.testing.assert_array_equal(trace.steps[-1].labels, uninterrupted[-1].labels)


def test_a_run_that_was_stopped_by_hand_goes_on():
    class StopError(Exception):
        pass

    def stop(steps):
        if len(steps) == 4:
            raise StopError

    running = Running(Countdown(), 10)
    with pytest.raises(StopError):
        running.go(progress=stop, interval=0.0, clock=moving(1.0))
    trace = running.trace("You stopped the run at step 4.")
    assert trace.steps == (10, 9, 8, 7)
    assert trace.rest.go().steps == tuple(range(10, 0, -1))


def test_what_holds_something_others_wait_for_is_not_paused():
    class Holding(Countdown):
        PAUSES = False
        free = True

        def steps(self, X, y=None):
            try:
                self.free = False
                yield from range(X)
            finally:
                self.free = True

    holding = Holding()
    trace = run(holding, 100, deadline=3.0, clock=moving(1.0))
    assert (len(trace.steps), trace.rest, holding.free) == (4, None, True)


def test_no_steps_are_made_within_settings_of_numpy():
    """A run may be continued by another thread, where such settings could not be taken back."""
    for path in Path(dmlib.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.With) and "errstate" in ast.unparse(node.items[0]):
                yields = [
                    each for each in ast.walk(node) if isinstance(each, ast.Yield | ast.YieldFrom)
                ]
                assert not yields, (path.name, node.lineno)


def test_progress_is_told_now_and_then():
    counts = []
    run(
        Countdown(),
        10,
        progress=lambda steps: counts.append(len(steps)),
        interval=0.5,
        clock=moving(0.2),
    )
    assert counts == [3, 6, 9]


@pytest.mark.parametrize("max_steps", [1, 4])
def test_a_run_stops_after_its_steps_whatever_the_clock_says(max_steps):
    trace = run(Countdown(), 10, max_steps=max_steps, clock=moving(1e6))
    assert (len(trace.steps), trace.complete) == (max_steps, False)
