"""Elman's cell: a hidden layer whose output is fed back to it in the next step."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.rnn.cells import (
    Cell,
    Draw,
    Signals,
    State,
    Weights,
    by_step,
    gate_weights,
    weight_gradients,
)


class ElmanCell(Cell):
    """h_t = tanh(x_t W + h_{t-1} U + b).

    References
    ----------
    J. L. Elman (1990), Finding structure in time.
    """

    def initial_weights(
        self, rng: np.random.RandomState, n_inputs: int, draw: Draw
    ) -> dict[str, Floats]:
        """Draw initial weights."""
        return gate_weights(rng, draw, n_inputs, self.n_hidden)

    def forwards(self, weights: Weights, X: Floats, state: State) -> tuple[Signals, State]:
        """Walk through sequences from a state."""
        (first,) = state
        h, U = first, weights["U"]
        outputs = by_step(X @ weights["W"] + weights["b"])  # sums at first
        for z in outputs:
            h = np.tanh(np.add(z, h @ U, out=z), out=z)
        return {"h": by_step(outputs), "first": first}, (h,)

    def backwards(
        self, weights: Weights, X: Floats, signals: Signals, dh: Floats
    ) -> tuple[dict[str, Floats], Floats]:
        """Walk back: the derivative by a sum goes to the step before through U."""
        h, UT = signals["h"], weights["U"].T
        slopes, dz = by_step(1 - h**2), by_step(dh)
        by_later = np.zeros_like(h[:, 0])  # the derivative through the next step
        for slope, d in zip(slopes[::-1], dz[::-1], strict=True):
            by_later = np.multiply(np.add(d, by_later, out=d), slope, out=d) @ UT
        before = np.concatenate([signals["first"][:, None], h[:, :-1]], axis=1)
        return weight_gradients(weights, X, before, by_step(dz))
