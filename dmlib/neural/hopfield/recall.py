"""Recall: units look at the others and take the sign of their weighted sum, until none changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats
from dmlib.trace import look

TIE = 1e-9
"""A weighted sum this close to 0 is 0, as far as rounding goes: the unit stays as it is."""


@dataclass(frozen=True)
class Change:
    """What one moment of a recall has changed."""

    phase: str  # "flip" of one unit, "update" of all at once, "sweep" when all have had their turn
    sweep: int
    state: Floats
    unit: int | None = None  # that flipped
    net: float = 0.0  # its weighted sum
    n_passed: int = 0  # units before it whose turn changed nothing
    n_changed: int = 0  # units that changed in this sweep so far
    converged: bool = False  # no unit would change
    cycle: bool = False  # the state is that of two updates before


def signs(net: Floats, state: Floats) -> Floats:
    """Return the sign of each weighted sum; where it is 0, the state as it was."""
    return np.where(np.abs(net) > TIE, np.sign(net), state)


def energy(W: Floats, state: Floats) -> float:
    """Return the energy of a state, -1/2 s'Ws.

    Examples
    --------
    >>> energy(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([1.0, 1.0]))
    -1.0
    """
    return float(-state @ W @ state / 2)


def recall(
    W: Floats, start: Floats, update: str, max_iter: int, rng: np.random.RandomState
) -> Iterator[Change]:
    """Yield what changes from a start until nothing does, or for so many sweeps."""
    sweeps = _together if update == "synchronous" else _one_by_one
    yield from sweeps(W, start, update, max_iter, rng)


def _together(
    W: Floats, start: Floats, update: str, max_iter: int, rng: object
) -> Iterator[Change]:
    before, state = None, start
    for sweep in range(1, max_iter + 1):
        look()
        new = signs(W @ state, state)
        changed = int((new != state).sum())
        cycle = changed > 0 and before is not None and np.array_equal(new, before)
        before, state = state, new
        yield Change("update", sweep, state, n_changed=changed, converged=not changed, cycle=cycle)
        if not changed or cycle:
            return


def _one_by_one(
    W: Floats, start: Floats, update: str, max_iter: int, rng: np.random.RandomState
) -> Iterator[Change]:
    state = start
    for sweep in range(1, max_iter + 1):
        changed = passed = 0
        for unit in _turns(W, lambda: state, update, rng):  # noqa: B023 -- it is to be the state of that moment
            look()
            net = float(W[unit] @ state)
            if state[unit] * net >= -TIE:
                passed += 1
                continue
            state = state.copy()
            state[unit] *= -1
            changed += 1
            yield Change("flip", sweep, state, unit, net, passed, changed)
            passed = 0
        yield Change(
            "sweep", sweep, state, n_passed=passed, n_changed=changed, converged=not changed
        )
        if not changed:
            return


def _turns(
    W: Floats, now: Callable[[], Floats], update: str, rng: np.random.RandomState
) -> Iterator[int]:
    """Yield the units in the order of their turns; "steepest" looks at the state before each."""
    n = len(W)
    if update != "steepest":
        yield from rng.permutation(n) if update == "random" else range(n)
        return
    for _ in range(n):
        state = now()
        agreement = state * (W @ state)
        unit = int(agreement.argmin())
        if agreement[unit] >= -TIE:
            return
        yield unit


def settled(W: Floats, starts: Floats, max_iter: int, rng: np.random.RandomState) -> Floats:
    """Return where many states end, shape (n_states, n_units): one unit of all of them at a time, in random order.

    Examples
    --------
    >>> W = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> settled(W, np.array([[1.0, 1.0], [-1.0, -1.0]]), 9, np.random.RandomState(0)).tolist()
    [[1.0, 1.0], [-1.0, -1.0]]
    """
    states = starts.copy()
    for _ in range(max_iter):
        before = states.copy()
        for unit in rng.permutation(len(W)):
            look()
            states[:, unit] = signs(states @ W[unit], states[:, unit])
        if np.array_equal(states, before):
            break
    return states
