"""Drive an algorithm's generator of steps, with a deadline, a budget of steps and a way to look in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol


class Steps(Protocol):
    """Anything with a ``steps(X, y)`` generator."""

    def steps(self, X: Any, y: Any = None) -> Iterator[Any]:
        """Yield one frozen record per step."""


@dataclass(frozen=True)
class Trace:
    """The steps of one run.

    Attributes
    ----------
    steps : tuple
        The frozen records that the algorithm yielded, in order.
    complete : bool
        Whether the algorithm ended by itself.
    reason : str
        One sentence on why it ended early; empty when it is complete.
    seconds : float
        The time that the run took.
    """

    steps: tuple[Any, ...]
    complete: bool
    reason: str
    seconds: float


def run(
    algorithm: Steps,
    X: Any,
    y: Any = None,
    *,
    deadline: float | None = None,
    max_steps: int | None = None,
    progress: Callable[[Sequence[Any]], None] | None = None,
    every: float = 0.05,
) -> Trace:
    """Run an algorithm and keep its steps.

    The clock is looked at between steps, so the run overshoots its deadline by one step at most.

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
    progress : callable, optional
        Called with the steps so far, about once in ``every`` seconds. An exception that it raises ends the run.
    every : float
        Seconds between two calls of ``progress``.

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
    start = reported = perf_counter()
    steps: list[Any] = []
    reason = ""
    for step in algorithm.steps(X, y):
        if max_steps is not None and len(steps) >= max_steps:
            reason = f"The run was stopped after its budget of {max_steps} steps."
            break
        now = perf_counter()
        if deadline is not None and now - start > deadline:
            reason = f"The run was stopped after its budget of {deadline:g} seconds, at step {len(steps)}."
            break
        steps.append(step)
        if progress is not None and now - reported > every:
            reported = now
            progress(steps)
    return Trace(tuple(steps), not reason, reason, perf_counter() - start)
