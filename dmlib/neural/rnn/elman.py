"""Elman's cell: a hidden layer that also sees what it said one step earlier."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.rnn.cells import Cell, Draw, Signals, State, Weights, by_step, drawn, gathered


class ElmanCell(Cell):
    """h_t = tanh(x_t W + h_{t-1} U + b).

    References
    ----------
    J. L. Elman (1990), Finding structure in time.
    """

    def start(self, rng: np.random.RandomState, n_inputs: int, draw: Draw) -> dict[str, Floats]:
        """Draw initial weights."""
        return drawn(rng, draw, n_inputs, self.n_hidden)

    def forwards(self, weights: Weights, X: Floats, state: State) -> tuple[Signals, State]:
        """Walk through sequences from a state."""
        (h,), U = state, weights["U"]
        first, sums = h, by_step(X @ weights["W"] + weights["b"])
        for z in sums:  # each becomes what is said
            h = np.tanh(np.add(z, h @ U, out=z), out=z)
        return {"h": by_step(sums), "first": first}, (h,)

    def backwards(
        self, weights: Weights, X: Floats, signals: Signals, dh: Floats
    ) -> tuple[dict[str, Floats], Floats]:
        """Walk back: the derivative by a sum goes to the step before through U."""
        h, UT = signals["h"], weights["U"].T
        slopes, dz, later = by_step(1 - h**2), by_step(dh), np.zeros_like(h[:, 0])
        for slope, d in zip(slopes[::-1], dz[::-1], strict=True):
            later = np.multiply(np.add(d, later, out=d), slope, out=d) @ UT
        before = np.concatenate([signals["first"][:, None], h[:, :-1]], axis=1)
        return gathered(weights, X, before, by_step(dz))
