"""Tasks and their results, as they travel to a worker and back."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.trace import OutOfTime, limited, thread_clock, watched

MAX_SECONDS = 30.0
"""Seconds of work after which a task ends, unless its caller knows that it is long."""

TOO_LONG = (
    f"A part of this takes more than {MAX_SECONDS:g} seconds. Choose fewer rows, or smaller"
    " numbers."
)


_INSIDE: ContextVar[bool] = ContextVar("inside", default=False)


class Stopped(OutOfTime):
    """Nobody waits for a task any more."""


@dataclass(frozen=True)
class Task:
    """The result of a task that has ended.

    Attributes
    ----------
    index : int
        The number of its item.
    worker : str
        Who did it: a thread, a process, or the address of a worker of a cluster.
    start, end : float
        When, in seconds of that machine's clock.
    seconds : float
        The time that its thread was at work.
    """

    index: int
    worker: str
    start: float
    end: float
    seconds: float


@dataclass(frozen=True)
class Batch:
    """A function with some items, as it travels to a worker.

    Attributes
    ----------
    function : callable
        What is called with each item and, where there are seeds, a generator of random numbers.
    first : int
        The number of the first item.
    items : tuple
        The items.
    seeds : tuple of SeedSequence
        One for each item; empty without.
    stopped : callable
        Whether nobody waits for it any more; asked wherever the function lets somebody look.
    most_seconds : float
        Of work, for each task.
    """

    function: Callable[..., Any]
    first: int
    items: tuple[Any, ...]
    seeds: tuple[np.random.SeedSequence, ...]
    stopped: Callable[[], bool]
    most_seconds: float

    def __call__(self) -> list[tuple[Any, Task]]:
        """Do its tasks."""
        token = _INSIDE.set(True)
        try:
            return [self._do(i) for i in range(len(self.items))]
        finally:
            _INSIDE.reset(token)

    def _do(self, i: int) -> tuple[Any, Task]:
        start, clock = time.time(), thread_clock()
        began = clock()
        rng = [np.random.default_rng(self.seeds[i])] if self.seeds else []
        with limited(self.most_seconds, TOO_LONG, clock), watched(self._check):
            self._check()
            value = self.function(self.items[i], *rng)
        return value, Task(self.first + i, worker_name(), start, time.time(), clock() - began)

    def _check(self) -> None:
        if self.stopped():
            raise Stopped("Nobody waits for this any more.")


def inside() -> bool:
    """Return whether this is done within a task."""
    return _INSIDE.get()


def never() -> bool:
    """Return that a task is still waited for: that of a caller who does it himself."""
    return False


@dataclass(frozen=True)
class FileFlag:
    """A flag that is set when its file is gone, so that processes of one machine see it.

    Attributes
    ----------
    path : str
        The file.
    """

    path: str

    def __call__(self) -> bool:
        """Look for the file."""
        return not os.path.exists(self.path)


def worker_name() -> str:
    """Return who does the present task."""
    if address := _dask_address():
        return address
    return f"process {os.getpid()}, {threading.current_thread().name}"


def _dask_address() -> str:
    if "distributed.worker" not in sys.modules:
        return ""
    from distributed import get_worker

    try:
        return str(get_worker().address)
    except ValueError:  # a process that only asks a cluster
        return ""


def cancelled_on_cluster() -> bool:
    """Return whether the cluster has given up the task of this thread."""
    from distributed import get_worker

    worker = get_worker()
    task = worker.state.tasks.get(worker.get_current_task())
    return task is None or task.state == "cancelled"
