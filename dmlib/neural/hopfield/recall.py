"""Recall: units take the sign of their sum less its threshold until none changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dmlib.arrays import Floats
from dmlib.trace import look

TIE = 1e-9
"""A weighted sum this close to 0 is 0, as far as rounding goes: the unit stays as it is."""


@dataclass(frozen=True)
class Change:
    """A change of the state in a recall."""

    phase: Literal["flip", "update", "sweep"]  # of one unit; of all at once; the end of a sweep
    sweep: int
    state: Floats
    unit: int | None = None  # of "flip"
    net: float = 0.0  # its weighted sum less its threshold
    n_passed: int = 0  # units before it that stayed as they were
    n_changed: int = 0  # units that changed in this sweep so far
    converged: bool = False  # no unit would change
    cycle: bool = False  # the state is that of two updates before


def signs(net: Floats, state: Floats) -> Floats:
    """Return the sign of each weighted sum; where it is 0, the state as it was."""
    return np.where(np.abs(net) > TIE, np.sign(net), state)


def energy(W: Floats, state: Floats, threshold: float | Floats = 0.0) -> float:
    """Return the energy of a state, -1/2 s'Ws + Σ θ s, of one threshold or one for each unit.

    Examples
    --------
    >>> W, state = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([1.0, 1.0])
    >>> energy(W, state), energy(W, state, threshold=0.25)
    (-1.0, -0.5)
    """
    return float(-state @ W @ state / 2 + (threshold * state).sum())


def recall(
    W: Floats,
    start: Floats,
    update: str,
    max_iter: int,
    rng: np.random.RandomState,
    thresholds: Floats,
) -> Iterator[Change]:
    """Yield the changes from a start until there are none, or for so many sweeps."""
    if update == "synchronous":
        yield from _synchronous(W, start, max_iter, thresholds)
    else:
        yield from _asynchronous(W, start, update, max_iter, rng, thresholds)


def _synchronous(W: Floats, start: Floats, max_iter: int, thresholds: Floats) -> Iterator[Change]:
    before, state = None, start
    for sweep in range(1, max_iter + 1):
        look()
        new = signs(W @ state - thresholds, state)
        n = int((new != state).sum())
        cycle = n > 0 and before is not None and np.array_equal(new, before)
        before, state = state, new
        yield Change("update", sweep, state, n_changed=n, converged=n == 0, cycle=cycle)
        if n == 0 or cycle:
            return


def _asynchronous(
    W: Floats,
    start: Floats,
    update: str,
    max_iter: int,
    rng: np.random.RandomState,
    thresholds: Floats,
) -> Iterator[Change]:
    state = start
    for sweep in range(1, max_iter + 1):
        n_changed = n_passed = 0
        order = rng.permutation(len(W)) if update == "random" else range(len(W))
        for turn in order:
            look()
            unit = int(turn)
            if update == "steepest":
                unit = int((state * (W @ state - thresholds)).argmin())
            net = float(W[unit] @ state - thresholds[unit])
            if state[unit] * net >= -TIE:
                if update == "steepest":  # no other unit would flip either
                    break
                n_passed += 1
                continue
            state = state.copy()
            state[unit] *= -1
            n_changed += 1
            yield Change("flip", sweep, state, unit, net, n_passed, n_changed)
            n_passed = 0
        converged = n_changed == 0
        yield Change(
            "sweep", sweep, state, n_passed=n_passed, n_changed=n_changed, converged=converged
        )
        if converged:
            return


def fixed_points(
    W: Floats,
    starts: Floats,
    max_iter: int,
    rng: np.random.RandomState,
    threshold: float | Floats = 0.0,
) -> Floats:
    """Return the states in which recalls from many starts end, shape (n_states, n_units).

    All states have the same random order of units.

    Examples
    --------
    >>> W = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> fixed_points(W, np.array([[1.0, 1.0], [-1.0, -1.0]]), 9, np.random.RandomState(0)).tolist()
    [[1.0, 1.0], [-1.0, -1.0]]
    """
    states, thresholds = starts.copy(), np.broadcast_to(threshold, len(W))
    for _ in range(max_iter):
        before = states.copy()
        for unit in rng.permutation(len(W)):
            look()
            states[:, unit] = signs(states @ W[unit] - thresholds[unit], states[:, unit])
        if np.array_equal(states, before):
            break
    return states
