"""A cached value of one object never waits for that of another."""

from __future__ import annotations

from threading import Barrier, Thread
from types import SimpleNamespace
from typing import Any

from dmlib.cached import cached_property
from dmlib.pictures.run import Run


class Simultaneous:
    """An estimator whose value, and whose fit, end only while those of another one are at work."""

    def __init__(self, barrier: Barrier) -> None:
        self.barrier = barrier

    def __sklearn_clone__(self) -> Simultaneous:
        return self

    def fit(self) -> Simultaneous:
        self.barrier.wait(60)
        return self

    @cached_property
    def value(self) -> int:
        return self.barrier.wait(60)


def at_once(objects: list[Any], name: str) -> list[Any]:
    """Ask each object for a value in a thread of its own."""
    values: list[Any] = []
    threads = [
        Thread(target=lambda each=each: values.append(getattr(each, name))) for each in objects
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return values


def test_two_objects_are_computed_at_once_and_only_once() -> None:
    barrier = Barrier(2)
    objects = [Simultaneous(barrier), Simultaneous(barrier)]
    assert sorted(at_once(objects, "value")) == [0, 1]
    assert sorted(each.value for each in objects) == [0, 1]  # kept: nobody else is at the barrier


def test_a_slow_fit_of_one_visitor_keeps_nobody_waiting() -> None:
    barrier, problem = Barrier(2), SimpleNamespace(training=SimpleNamespace(arguments=()))
    traces = [SimpleNamespace(model=Simultaneous(barrier), complete=False) for _ in range(2)]
    fitted = at_once([Run(problem, trace) for trace in traces], "fitted")  # type: ignore[arg-type]
    assert {id(model) for model in fitted} == {id(trace.model) for trace in traces}
