"""Recurrent cells: weights, a walk forwards through a sequence, and one backwards through time.

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
"""The memory of a cell between two steps, each part of shape (n_sequences, size)."""
Draw = Callable[[np.random.RandomState, int, int], Floats]
"""Random state, number of inputs, number of units -> initial weights of shape (inputs, units)."""
Signals = Mapping[str, Floats]
"""The values of each step, by name; ``h`` is the output of the cell."""


class Cell:
    """A layer with feedback.

    Parameters
    ----------
    n_hidden : int
        The number of its units.
    """

    shows: ClassVar[tuple[str, ...]] = ("h",)
    """The signals that can be drawn."""

    def __init__(self, n_hidden: int) -> None:
        self.n_hidden = n_hidden

    def initial_weights(
        self, rng: np.random.RandomState, n_inputs: int, draw: Draw
    ) -> dict[str, Floats]:
        """Draw initial weights."""
        raise NotImplementedError

    def initial_state(self, n_sequences: int, n_inputs: int) -> State:
        """Return the state before the first step: zeros."""
        return (np.zeros((n_sequences, self.n_hidden)),)

    def forwards(self, weights: Weights, X: Floats, state: State) -> tuple[Signals, State]:
        """Walk through sequences from a state; return all signals and the last state."""
        raise NotImplementedError

    def backwards(
        self, weights: Weights, X: Floats, signals: Signals, dh: Floats
    ) -> tuple[dict[str, Floats], Floats]:
        """Walk back through time.

        ``dh`` is the direct derivative of the error by the output of each step. Returned are the
        derivatives by the weights and by the inputs, through all later steps.
        """
        raise NotImplementedError


def gate_weights(
    rng: np.random.RandomState, draw: Draw, n_inputs: int, n_hidden: int, n_gates: int = 1
) -> dict[str, Floats]:
    """Draw the weights of inputs and feedback of each gate, side by side, with intercepts of 0."""
    return {
        "W": np.hstack([draw(rng, n_inputs, n_hidden) for _ in range(n_gates)]),
        "U": np.hstack([draw(rng, n_hidden, n_hidden) for _ in range(n_gates)]),
        "b": np.zeros(n_gates * n_hidden),
    }


def by_step(signals: Floats) -> Floats:
    """Return a copy with the first two axes exchanged.

    The numbers of a step are then contiguous, and a loop over steps is faster.

    Examples
    --------
    >>> by_step(np.array([[[1], [2], [3]]])).tolist()
    [[[1]], [[2]], [[3]]]
    """
    return np.array(signals.swapaxes(0, 1), order="C")


def over_steps(signals: Floats, slopes: Floats) -> Floats:
    """Return the products of signals and slopes, summed over all sequences and steps.

    Examples
    --------
    >>> over_steps(np.ones((2, 3, 1)), np.ones((2, 3, 2))).tolist()
    [[6.0, 6.0]]
    """
    sums: Floats = signals.reshape(-1, signals.shape[2]).T @ slopes.reshape(-1, slopes.shape[2])
    return sums


def weight_gradients(
    weights: Weights, X: Floats, before: Floats, dz: Floats
) -> tuple[dict[str, Floats], Floats]:
    """Return the derivatives by weights and inputs, from those by the sums ``dz`` of all steps.

    ``before`` is the output of the cell one step earlier.
    """
    gradients = {"W": over_steps(X, dz), "U": over_steps(before, dz), "b": dz.sum(axis=(0, 1))}
    return gradients, dz @ weights["W"].T
