"""Run an algorithm's generator of steps within a deadline and budgets of steps and bytes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, is_dataclass
from inspect import isgenerator
from time import perf_counter, thread_time
from typing import Any, Generic, TypeVar

import numpy as np

from dmlib.durations import in_seconds
from dmlib.estimator import HasPauses, ModelT, ModelT_co

MB = 1_000_000
IN_A_STEP = 1.25  # times a deadline, in the middle of a step
RARER = 4.0  # times the seconds between two calls of what is told of progress, there
COARSE = 0.02  # seconds between two looks at a clock that takes up to 2 ms to read
Clock = Callable[[], float]
Result = TypeVar("Result")


class OutOfTime(Exception):  # noqa: N818 -- it ends a run, and is no error of its own
    """The time of a computation is spent. No ``ValueError``: what catches those must not go on."""


@dataclass(frozen=True)
class Trace(Generic[ModelT_co]):
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
    rest : Running or None
        What goes on with the run; None where there is nothing left, or it cannot be continued.
    """

    model: ModelT_co
    steps: tuple[Any, ...]
    complete: bool
    reason: str
    seconds: float
    rest: Running[ModelT_co] | None = field(default=None, repr=False, compare=False)


_LOOKS: ContextVar[tuple[Callable[[], None], ...]] = ContextVar("looks", default=())
_CHARGED: ContextVar[float] = ContextVar("charged", default=0.0)


def look() -> None:
    """Let whoever drives this computation look at the clock; costs less than a microsecond.

    An algorithm calls it in every loop whose length its parameters decide. So a deadline holds
    inside a step as well, and in an estimator that another one fits.

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
    """Let ``each`` alone be called at every :func:`look` of this thread from now on."""
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
    """Return a clock of the CPU time of the calling thread.

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
        # Reading it asks the operating system, which may take as long as a step; no thread works
        # longer than time goes.
        if (moment := perf_counter()) - read >= COARSE:
            read, work = moment, thread_time() + _CHARGED.get()
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


class Running(Generic[ModelT_co]):
    """A run that can be stopped between two steps and continued.

    Parameters
    ----------
    algorithm : object with ``steps(X, y)``
        The estimator; it is not changed. One with ``PAUSES = False`` is not continued: its steps
        hold what others wait for.
    X, y : array-like
        What its ``steps`` takes.
    max_steps, max_bytes : int, optional
        As those of :func:`run`.

    Examples
    --------
    >>> class Countdown:
    ...     def steps(self, X, y=None):
    ...         yield from range(X, 0, -1)
    >>> ticks = iter(range(100))
    >>> first = Running(Countdown(), 5).go(2.0, clock=lambda: next(ticks))
    >>> first.steps, first.reason
    ((5, 4, 3), 'The run was stopped after its budget of 2 seconds, at step 3.')
    >>> first.rest.go().steps
    (5, 4, 3, 2, 1)
    """

    def __init__(
        self,
        algorithm: ModelT_co,
        X: Any,
        y: Any = None,
        *,
        max_steps: int | None = None,
        max_bytes: int | None = None,
    ) -> None:
        self.algorithm, self.max_steps, self.max_bytes = algorithm, max_steps, max_bytes
        self.steps: list[Any] = []
        self.seconds = 0.0
        self._rest = algorithm.steps(X, y)
        self._n_bytes, self._counted = 0, set[int]()

    def go(
        self,
        deadline: float | None = None,
        *,
        progress: Callable[[Sequence[Any]], None] | None = None,
        interval: float = 0.05,
        clock: Clock = perf_counter,
    ) -> Trace[ModelT_co]:
        """Make steps until the run has taken ``deadline`` seconds, those of earlier calls included.

        In the middle of a step it has a quarter more, and progress is told more rarely: what is
        stopped there cannot be continued.
        """
        reported = start = clock()
        before, reason = self.seconds, ""

        def end(sentence: str) -> None:
            nonlocal reason
            reason = sentence
            raise OutOfTime(sentence)

        def look_in(longer: float = IN_A_STEP, rarer: float = RARER) -> None:
            nonlocal reported
            moment = clock()
            self.seconds = before + moment - start
            if deadline is not None and self.seconds > longer * deadline:
                end(
                    f"The run was stopped after its budget of {in_seconds(deadline)}, at step"
                    f" {len(self.steps)}."
                )
            if progress is not None and moment - reported > rarer * interval:
                reported = moment
                progress(self.steps)

        try:
            with watched(look_in):
                for step in self._rest:
                    if full := self._full(step):
                        self._leave()
                        end(full)
                    self.steps.append(step)
                    look_in(longer=1.0, rarer=1.0)
        except OutOfTime:
            if not reason:  # not this run's budget, but that of whoever asked for it
                raise
        finally:
            if isinstance(self.algorithm, HasPauses) and not self.algorithm.PAUSES:
                self._leave()
        return self.trace(reason)

    def reach(self, enough: Callable[[Sequence[Any]], Result | None]) -> Result | None:
        """Make steps until ``enough`` returns a result; None if there are no more, or no room.

        Examples
        --------
        >>> class Countdown:
        ...     def steps(self, X, y=None):
        ...         yield from range(X, 0, -1)
        >>> running = Running(Countdown(), 5)
        >>> running.reach(lambda steps: sum(steps) if len(steps) > 1 else None), running.steps
        (9, [5, 4])
        """
        while (result := enough(self.steps)) is None:
            step = next(self._rest, None)
            if step is None or self._full(step):
                return None
            self.steps.append(step)
        return result

    def trace(self, reason: str) -> Trace[ModelT_co]:
        """Return the trace so far; ``reason`` says why it ended early, empty when complete."""
        can_go_on = isgenerator(self._rest) and self._rest.gi_frame is not None
        rest = self if reason and can_go_on else None
        return Trace(self.algorithm, tuple(self.steps), not reason, reason, self.seconds, rest)

    def _full(self, step: Any) -> str:
        """Return why there is no room for one more step."""
        if self.max_steps is not None and len(self.steps) >= self.max_steps:
            return f"The run was stopped after its budget of {self.max_steps} steps."
        self._n_bytes += _new_bytes(step, self._counted)
        if self.max_bytes is not None and self._n_bytes > self.max_bytes:
            size = f"{self.max_bytes / MB:.3g} MB"
            return (
                f"The run was stopped after its budget of {size} of memory, at step"
                f" {len(self.steps)}."
            )
        return ""

    def _leave(self) -> None:
        """Let the algorithm put down what it holds."""
        if isinstance(self._rest, Generator):
            self._rest.close()


def run(
    algorithm: ModelT,
    X: Any,
    y: Any = None,
    *,
    deadline: float | None = None,
    max_steps: int | None = None,
    max_bytes: int | None = None,
    progress: Callable[[Sequence[Any]], None] | None = None,
    interval: float = 0.05,
    clock: Clock = perf_counter,
) -> Trace[ModelT]:
    """Run an algorithm and keep its steps.

    The clock is looked at between steps and, within a step, wherever the algorithm says
    :func:`look`.

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
        Called with the steps so far, about once in ``interval`` seconds. An exception that it
        raises ends the run.
    interval : float
        Seconds between two calls of ``progress``.
    clock : callable
        Returns seconds; that of :func:`thread_clock` leaves out those in which other threads were
        at work.

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
    running = Running(algorithm, X, y, max_steps=max_steps, max_bytes=max_bytes)
    return running.go(deadline, progress=progress, interval=interval, clock=clock)


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
        elif is_dataclass(value):
            waiting += [getattr(value, each.name) for each in fields(value)]
    return total
