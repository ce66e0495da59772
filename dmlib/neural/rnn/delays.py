"""The cell of NARX: a hidden layer of a line of delayed inputs, without feedback."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.rnn.cells import Cell, Draw, Signals, State, Weights, over_steps


class DelayCell(Cell):
    """A hidden layer of the last p inputs: h_t = tanh((x_t, x_{t-1}, ..., x_{t-p+1}) W + b).

    While a series is learned, its true values go into the line; in a forecast, the network's own.

    References
    ----------
    T. Lin, B. G. Horne, P. Tino and C. L. Giles (1996), Learning long-term dependencies in NARX
    recurrent neural networks.
    """

    def __init__(self, n_hidden: int, delays: int) -> None:
        super().__init__(n_hidden)
        self.delays = delays

    def initial_weights(
        self, rng: np.random.RandomState, n_inputs: int, draw: Draw
    ) -> dict[str, Floats]:
        """Draw initial weights."""
        return {"W": draw(rng, self.delays * n_inputs, self.n_hidden), "b": np.zeros(self.n_hidden)}

    def initial_state(self, n_sequences: int, n_inputs: int) -> State:
        """Return an empty line."""
        return (np.zeros((n_sequences, self.delays - 1, n_inputs)),)

    def forwards(self, weights: Weights, X: Floats, state: State) -> tuple[Signals, State]:
        """Walk through sequences, all steps at once, since none depends on another."""
        line = np.concatenate([state[0], X], axis=1)
        windows = np.lib.stride_tricks.sliding_window_view(line, self.delays, axis=1)[..., ::-1]
        delayed = np.moveaxis(windows, -1, 2).reshape(*X.shape[:2], -1)
        h = np.tanh(delayed @ weights["W"] + weights["b"])
        return {"h": h, "delayed": delayed}, (line[:, line.shape[1] - self.delays + 1 :],)

    def backwards(
        self, weights: Weights, X: Floats, signals: Signals, dh: Floats
    ) -> tuple[dict[str, Floats], Floats]:
        """Go back to the weights, and along the line to the inputs."""
        dz = dh * (1 - signals["h"] ** 2)
        gradients = {"W": over_steps(signals["delayed"], dz), "b": dz.sum(axis=(0, 1))}
        by_window = (dz @ weights["W"].T).reshape(*X.shape[:2], self.delays, -1)
        dX = np.zeros_like(X)
        for k in range(min(self.delays, X.shape[1])):
            dX[:, : X.shape[1] - k] += by_window[:, k:, k]
        return gradients, dX
