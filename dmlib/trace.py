"""Drive an algorithm's generator of steps, with a deadline, budgets of steps and bytes, and a way to look in."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import perf_counter, thread_time
from typing import Any, Protocol, TypeVar

import numpy as np

MB = 1_000_000
COARSE = 0.02  # seconds between two looks at a clock that takes up to 2 ms to read, as in a container
Clock = Callable[[], float]
Result = TypeVar("Result")


class Steps(Protocol):
    """Anything with a ``steps(X, y)`` generator."""

    def steps(self, X: Any, y: Any = None) -> Iterator[Any]:
        """Yield one frozen record per step."""


class OutOfTime(Exception):  # noqa: N818 -- it ends a run, and is no error of its own
    """The time of a computation is spent. No ``ValueError``: what catches those must not go on."""


@dataclass(frozen=True)
class Trace:
    """The steps of one run.

    Attributes
    ----------
    model : object
        The estimator that made them, not fitted.
    steps : tuple
        The frozen records that the algorithm yielded, in order.
    complete : bool
        Whether the algorithm ended by itself.
    reason : str
        One sentence on why it ended early; empty when it is complete.
    seconds : float
        The time that the run took.
    """

    model: Any
    steps: tuple[Any, ...]
    complete: bool
    reason: str
    seconds: float


_LOOKS: ContextVar[tuple[Callable[[], None], ...]] = ContextVar("looks", default=())


_CHARGED: ContextVar[float] = ContextVar("charged", default=0.0)


def look() -> None:
    """Let whoever drives this computation look at the clock; costs less than a microsecond.

    An algorithm calls it in every loop whose length its parameters decide. So a deadline holds inside a step as well,
    and in an estimator that another one fits.

    Raises
    ------
    OutOfTime
        If the time is spent.

    Examples
    --------
    >>> look()  # nobody is looking
    """
    for each in _LOOKS.get():
        each()


def watch(each: Callable[[], None]) -> None:
    """Call ``each``, and nothing else, whenever a computation of this thread lets somebody look from now on."""
    _LOOKS.set((each,))


@contextmanager
def watched(each: Callable[[], None]) -> Iterator[None]:
    """Call ``each`` whenever a computation lets somebody look."""
    token = _LOOKS.set((*_LOOKS.get(), each))
    try:
        yield
    finally:
        _LOOKS.reset(token)


def result_of(steps: Generator[Any, None, Result]) -> Result:
    """Return what a generator returns, without its steps.

    Examples
    --------
    >>> def steps():
    ...     yield "a step"
    ...     return "the result"
    >>> result_of(steps())
    'the result'
    """
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result


def charge(seconds: float) -> None:
    """Let the clocks of this thread count work that others have done for it.

    Examples
    --------
    >>> clock = thread_clock()
    >>> before = clock()
    >>> charge(100.0)
    >>> while clock() < before + 99.0:  # it is read once in two milliseconds
    ...     look()
    """
    _CHARGED.set(_CHARGED.get() + seconds)


def thread_clock() -> Clock:
    """Return a clock of the seconds in which the calling thread is at work: it stands still while others are.

    What others do for it counts too (:func:`charge`).

    Examples
    --------
    >>> clock = thread_clock()
    >>> clock() <= clock()
    True
    """
    read, work = -COARSE, 0.0

    def clock() -> float:
        nonlocal read, work
        # Reading it asks the operating system, which may take as long as a step; no thread works longer than time goes.
        if (now := perf_counter()) - read >= COARSE:
            read, work = now, thread_time() + _CHARGED.get()
        return work

    return clock


@contextmanager
def limited(seconds: float, message: str, clock: Clock = perf_counter) -> Iterator[None]:
    """Bound the time of whatever is computed inside.

    Parameters
    ----------
    seconds : float
        What may be spent.
    message : str
        What the exception says.
    clock : callable
        Returns seconds.

    Raises
    ------
    OutOfTime
        At the first :func:`look` after that.

    Examples
    --------
    >>> ticks = iter(range(10))
    >>> with limited(1.0, "Too long.", clock=lambda: next(ticks)):
    ...     look()
    ...     look()
    Traceback (most recent call last):
    dmlib.trace.OutOfTime: Too long.
    """
    end = clock() + seconds

    def check() -> None:
        if clock() > end:
            raise OutOfTime(message)

    with watched(check):
        yield


def run(
    algorithm: Steps,
    X: Any,
    y: Any = None,
    *,
    deadline: float | None = None,
    max_steps: int | None = None,
    max_bytes: int | None = None,
    progress: Callable[[Sequence[Any]], None] | None = None,
    every: float = 0.05,
    clock: Clock = perf_counter,
) -> Trace:
    """Run an algorithm and keep its steps.

    The clock is looked at between steps and, within a step, wherever the algorithm says :func:`look`.

    Parameters
    ----------
    algorithm : object with ``steps(X, y)``
        The estimator; it is not changed.
    X, y : array-like
        What its ``steps`` takes.
    deadline : float, optional
        Seconds after which the run stops.
    max_steps : int, optional
        Number of steps after which the run stops.
    max_bytes : int, optional
        Bytes of arrays in the steps, each array counted once, after which the run stops.
    progress : callable, optional
        Called with the steps so far, about once in ``every`` seconds. An exception that it raises ends the run.
    every : float
        Seconds between two calls of ``progress``.
    clock : callable
        Returns seconds; that of :func:`thread_clock` leaves out those in which other threads were at work.

    Returns
    -------
    Trace
        The steps, and whether and why the run stopped early.

    Raises
    ------
    ValueError
        Whatever the algorithm raises on bad parameters or data.

    Examples
    --------
    >>> class Countdown:
    ...     def steps(self, X, y=None):
    ...         yield from range(X, 0, -1)
    >>> run(Countdown(), 3).steps
    (3, 2, 1)
    >>> run(Countdown(), 3, max_steps=2).reason
    'The run was stopped after its budget of 2 steps.'
    """
    start = reported = clock()
    steps: list[Any] = []
    counted: set[int] = set()
    n_bytes, reason = 0, ""

    def end(sentence: str) -> None:
        nonlocal reason
        reason = sentence
        raise OutOfTime(sentence)

    def look_in() -> None:
        nonlocal reported
        now = clock()
        if deadline is not None and now - start > deadline:
            end(f"The run was stopped after its budget of {deadline:g} seconds, at step {len(steps)}.")
        if progress is not None and now - reported > every:
            reported = now
            progress(steps)

    try:
        with watched(look_in):
            for step in algorithm.steps(X, y):
                look_in()
                if max_steps is not None and len(steps) >= max_steps:
                    end(f"The run was stopped after its budget of {max_steps} steps.")
                n_bytes += _new_bytes(step, counted)
                if max_bytes is not None and n_bytes > max_bytes:
                    size = f"{max_bytes / MB:.3g} MB"
                    end(f"The run was stopped after its budget of {size} of memory, at step {len(steps)}.")
                steps.append(step)
    except OutOfTime:
        if not reason:  # not this run's budget, but that of whoever asked for it
            raise
    return Trace(algorithm, tuple(steps), not reason, reason, clock() - start)


def _new_bytes(value: Any, counted: set[int]) -> int:
    """Return the bytes of the arrays in a step, without those that an earlier step has too."""
    total, waiting = 0, [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, np.ndarray):
            if id(value) not in counted:
                counted.add(id(value))
                total += value.nbytes
        elif isinstance(value, tuple | list):
            waiting += value
        elif hasattr(value, "__dataclass_fields__"):
            waiting += [getattr(value, name) for name in value.__dataclass_fields__]
    return total
