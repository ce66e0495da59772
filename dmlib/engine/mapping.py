"""A function over many items: bounded, stoppable, and with the same numbers wherever it runs."""

from __future__ import annotations

import math
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter
from typing import Any

import numpy as np
from joblib.externals.loky.process_executor import ShutdownExecutorError

from dmlib.engine.places import Kind, Place, place
from dmlib.engine.task import MAX_SECONDS, Batch, Stopped, Task, inside, never
from dmlib.trace import charge, look

LOOK = 0.02  # seconds between two looks while nothing comes
MIN_SECONDS = 0.05  # seconds of work that are worth a journey: shorter tasks travel together
LIVES = 3  # so often workers may die under the same tasks
Progress = Callable[[Task], None]

_OWNER: ContextVar[str] = ContextVar("owner", default="")
_BRIEF: ContextVar[bool] = ContextVar("brief", default=False)


@contextmanager
def on_behalf_of(owner: str) -> Iterator[None]:
    """Run tasks inside for an owner; a later claim of the owner cancels those still running.

    Parameters
    ----------
    owner : str
        A session of the app.

    Examples
    --------
    >>> with on_behalf_of("a session"):
    ...     list(engine_map(abs, [-1]))
    [1]
    """
    token = _OWNER.set(owner)
    try:
        yield
    finally:
        _OWNER.reset(token)


@contextmanager
def brief() -> Iterator[None]:
    """Say that the work inside ends in seconds: no processes are used, which take as long to start.

    A cluster has its workers already, and threads start at once.

    Examples
    --------
    >>> with brief():
    ...     list(engine_map(abs, [-1]))
    [1]
    """
    token = _BRIEF.set(True)
    try:
        yield
    finally:
        _BRIEF.reset(token)


def engine_map(
    function: Callable[..., Any],
    items: Iterable[Any],
    *,
    seed: Any = None,
    progress: Progress | None = None,
    prefer: Kind = "processes",
    workers: int | None = None,
    long: bool = False,
) -> Generator[Any, None, None]:
    """Call a function with each item, wherever that is fastest, and yield the results in order.

    The caller begins with the first tasks. What is left goes to others as soon as it is long enough
    to be worth it.

    Parameters
    ----------
    function : callable
        Of a module, or a ``functools.partial`` of one, since it may have to travel. It should call
        :func:`dmlib.trace.look` in its loops.
    items : iterable
        Its arguments, one task each.
    seed : int, sequence of int or None
        With a seed, the function is also given a ``numpy.random.Generator`` of the task's own:
        children of one ``SeedSequence``, so that the numbers hang on the task and never on the
        worker.
    progress : callable, optional
        Called with each :class:`Task` that has ended, in any order. An exception that it raises
        ends everything.
    prefer : {"processes", "threads"}
        What is faster for the work; see :func:`place`.
    workers : int, optional
        How many tasks run at a time at most; with 1 the caller does them all.
    long : bool, default=False
        Whether each task is known to be long: then the caller does not begin, and a task may take
        as long as it needs.

    Yields
    ------
    object
        The function's results, in the order of the items.

    Raises
    ------
    OutOfTime
        If whoever looks at this computation ends it, or its owner has asked for something else
        meanwhile.

    Notes
    -----
    An exception of the function is raised here. A worker that dies loses nothing: others do its
    tasks. Who takes no more results (after an error, or because a visitor has left) frees the work:
    what waits is withdrawn, what runs ends at its next ``look``. Work that is done elsewhere counts
    for the caller's clock (:func:`dmlib.trace.charge`). A task that asks for tasks does them
    itself.

    Examples
    --------
    >>> list(engine_map(abs, [-3, 4, -5]))
    [3, 4, 5]
    >>> list(engine_map(max, [[1, 5], [7, 2]], workers=1))
    [5, 7]
    """
    todo = list(items)
    seeds = tuple(np.random.SeedSequence(seed).spawn(len(todo))) if seed is not None else ()
    report = progress or _ignore

    def batch(first: int, size: int, stopped: Callable[[], bool] = never) -> Batch:
        max_seconds = math.inf if long else MAX_SECONDS
        return Batch(
            function,
            first,
            tuple(todo[first : first + size]),
            seeds[first : first + size],
            stopped,
            max_seconds,
        )

    def stays() -> bool:
        if inside() or len(todo) == 1 or (_BRIEF.get() and where.name == "processes"):
            return True
        return not long and (not n or not where.pays_for(each * (len(todo) - n)))

    with _SEATS.seat(_OWNER.get()) as seat, place(prefer, 1 if inside() else workers) as where:
        start, n, each = perf_counter(), 0, 0.0
        while n < len(todo) and stays():
            seat.check()
            yield _reported(batch(n, 1)(), report)[0]
            n += 1
            each = (perf_counter() - start) / n
        if n == len(todo):
            return
        n_together = 1 if long else int(MIN_SECONDS / max(each, 1e-9))
        size = max(1, min(n_together, -(-(len(todo) - n) // (2 * where.workers))))
        with where.stoppable() as stopped:
            batches = [batch(i, size, stopped) for i in range(n, len(todo), size)]
            yield from _submitted(where, batches, report, seat)


def _submitted(
    place: Place, batches: Sequence[Batch], report: Progress, seat: Seat
) -> Iterator[Any]:
    """Let others do some batches; yield the results in order."""
    waiting, running = deque(batches), dict[Future[Any], Batch]()
    ready: dict[int, list[Any]] = {}
    deaths: Counter[int] = Counter()
    n_yielded = 0
    try:
        while n_yielded < len(batches):
            while waiting and len(running) < place.workers:
                batch = waiting.popleft()
                running[place.submit(batch)] = batch
            finished, _ = wait(running, timeout=LOOK, return_when=FIRST_COMPLETED)
            look()
            seat.check()
            for future in finished:
                batch = running.pop(future)
                try:
                    ready[batch.first] = _reported(future.result(), report, place)
                except ShutdownExecutorError:
                    raise Stopped("The server ends.") from None
                except BrokenExecutor:
                    deaths[batch.first] += 1
                    if deaths[batch.first] > LIVES:
                        raise
                    waiting.appendleft(batch)
            while n_yielded < len(batches) and batches[n_yielded].first in ready:
                yield from ready.pop(batches[n_yielded].first)
                n_yielded += 1
    finally:
        for future in running:
            future.cancel()


def _reported(
    done: Sequence[tuple[Any, Task]], report: Progress, place: Place | None = None
) -> list[Any]:
    """Return the results of a batch; charge and report its tasks."""
    for _, task in done:
        if place is not None:
            charge(task.seconds * place.share)
        report(task)
    return [value for value, _ in done]


def _ignore(task: Task) -> None:
    """Report nothing."""


class Seat:
    """The right of an owner to have tasks done, until he asks for others in another thread."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.is_cancelled = False

    def check(self) -> None:
        """End the work of an owner who has asked for something else meanwhile."""
        if self.is_cancelled:
            raise Stopped("You asked for something else meanwhile.")


class Seats:
    """The seats of all owners: each has one, and nobody in particular as many as he asks for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seats: dict[str, Seat] = {}

    @contextmanager
    def seat(self, owner: str) -> Iterator[Seat]:
        """Give an owner a seat and end the one in another thread; within a thread seats nest."""
        seat = Seat()
        with self._lock:
            previous = self._seats.get(owner)
            if previous is not None and previous.thread != seat.thread:
                previous.is_cancelled = True
            if owner:
                self._seats[owner] = seat
        try:
            yield seat
        finally:
            with self._lock:
                if self._seats.get(owner) is seat:
                    del self._seats[owner]
                    if previous is not None and previous.thread == seat.thread:
                        self._seats[owner] = previous


_SEATS = Seats()
