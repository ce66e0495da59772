"""What a recurrent cell is: weights, a walk forwards through a sequence, and one backwards through time.

All arrays have the shape (n_sequences, n_steps, size); a walk takes all sequences together, step by
step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

import numpy as np

from dmlib.arrays import Floats

Weights = Mapping[str, Floats]
State = tuple[Floats, ...]
"""What a cell hands on from one step to the next, each of shape (n_sequences, size)."""
Draw = Callable[[np.random.RandomState, int, int], Floats]
"""Random state, number of inputs, number of units -> initial weights of shape (inputs, units)."""
Signals = Mapping[str, Floats]
"""What was computed in each step, by name; ``h`` is what the cell says."""


class Cell:
    """A layer with feedback.

    Parameters
    ----------
    n_hidden : int
        The number of its units.
    """

    shows: ClassVar[tuple[str, ...]] = ("h",)
    """The signals that a reader can look at."""

    def __init__(self, n_hidden: int) -> None:
        self.n_hidden = n_hidden

    def start(self, rng: np.random.RandomState, n_inputs: int, draw: Draw) -> dict[str, Floats]:
        """Draw initial weights."""
        raise NotImplementedError

    def rest(self, n_sequences: int, n_inputs: int) -> State:
        """Return the state before the first step: zeros."""
        return (np.zeros((n_sequences, self.n_hidden)),)

    def forwards(self, weights: Weights, X: Floats, state: State) -> tuple[Signals, State]:
        """Walk through sequences from a state; return the signals of all steps and the last state."""
        raise NotImplementedError

    def backwards(
        self, weights: Weights, X: Floats, signals: Signals, dh: Floats
    ) -> tuple[dict[str, Floats], Floats]:
        """Walk back through time.

        ``dh`` is the derivative of the error by what the cell said in each step, as far as it is
        direct. Returned are the derivatives by the weights and by the inputs, which count what
        later steps make of them.
        """
        raise NotImplementedError


def drawn(
    rng: np.random.RandomState, draw: Draw, n_inputs: int, n_hidden: int, n_gates: int = 1
) -> dict[str, Floats]:
    """Draw the weights of the inputs and of the feedback of each gate, side by side, with intercepts of 0."""
    return {
        "W": np.hstack([draw(rng, n_inputs, n_hidden) for _ in range(n_gates)]),
        "U": np.hstack([draw(rng, n_hidden, n_hidden) for _ in range(n_gates)]),
        "b": np.zeros(n_gates * n_hidden),
    }


def by_step(signals: Floats) -> Floats:
    """Return a copy with the first two axes exchanged: numbers of one step lie side by side, and a loop is faster.

    Examples
    --------
    >>> by_step(np.array([[[1], [2], [3]]])).tolist()
    [[[1]], [[2]], [[3]]]
    """
    return np.array(signals.swapaxes(0, 1), order="C")


def over_steps(signals: Floats, slopes: Floats) -> Floats:
    """Return the sum over all sequences and steps of each signal times each slope, shape (n_signals, n_slopes).

    Examples
    --------
    >>> over_steps(np.ones((2, 3, 1)), np.ones((2, 3, 2))).tolist()
    [[6.0, 6.0]]
    """
    found: Floats = signals.reshape(-1, signals.shape[2]).T @ slopes.reshape(-1, slopes.shape[2])
    return found


def gathered(
    weights: Weights, X: Floats, before: Floats, dz: Floats
) -> tuple[dict[str, Floats], Floats]:
    """Return the derivatives by weights and inputs, from those by the sums ``dz``; each weight is used in every step.

    ``before`` is what the cell said one step earlier.
    """
    return {
        "W": over_steps(X, dz),
        "U": over_steps(before, dz),
        "b": dz.sum(axis=(0, 1)),
    }, dz @ weights["W"].T
