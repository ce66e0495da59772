"""The LSTM cell: a memory that gates open and close."""

from __future__ import annotations

import numpy as np

from dmlib.neural.activations import sigmoid
from dmlib.neural.rnn.cells import Cell, Draw, Floats, Signals, State, Weights, drawn, gathered

GATES = ("i", "f", "o", "g")  # in the order of their weights: input, forget, output, candidate
REMEMBER = 1.0  # start intercept of the forget gate


class LSTMCell(Cell):
    """c_t = f c_{t-1} + i g and h_t = o tanh(c_t), with gates i, f, o between 0 and 1 and a candidate g.

    Where f is near 1, the derivative of c_t by c_{t-1} is too: that is why the error does not vanish on its way back.

    References
    ----------
    S. Hochreiter and J. Schmidhuber (1997), Long short-term memory.
    F. A. Gers, J. Schmidhuber and F. Cummins (2000), Learning to forget: continual prediction with LSTM.
    """

    shows = ("h", "c", "f", "i", "o", "g")

    def start(self, rng: np.random.RandomState, n_inputs: int, draw: Draw) -> dict[str, Floats]:
        """Draw start weights; the forget gates begin open."""
        weights = drawn(rng, draw, n_inputs, self.n_hidden, len(GATES))
        weights["b"][self.n_hidden : 2 * self.n_hidden] = REMEMBER
        return weights

    def rest(self, n_sequences: int, n_inputs: int) -> State:
        """Return an empty output and an empty memory."""
        return np.zeros((n_sequences, self.n_hidden)), np.zeros((n_sequences, self.n_hidden))

    def forwards(self, weights: Weights, X: Floats, state: State) -> tuple[Signals, State]:
        """Walk through sequences from a state."""
        h, c = state
        n, U, sums = self.n_hidden, weights["U"], X @ weights["W"] + weights["b"]
        gates, said, kept, start = np.empty_like(sums), *(np.empty((*X.shape[:2], n)) for _ in range(2)), (h, c)
        for t in range(X.shape[1]):
            z = sums[:, t] + h @ U
            z[:, : 3 * n] = sigmoid(z[:, : 3 * n])
            z[:, 3 * n :] = np.tanh(z[:, 3 * n :])
            c = z[:, n : 2 * n] * c + z[:, :n] * z[:, 3 * n :]
            h = z[:, 2 * n : 3 * n] * np.tanh(c)
            gates[:, t], kept[:, t], said[:, t] = z, c, h
        parts = {gate: gates[..., j * n : (j + 1) * n] for j, gate in enumerate(GATES)}
        return {"h": said, "c": kept, "first": start[0], "first c": start[1], **parts}, (h, c)

    def backwards(self, weights: Weights, X: Floats, signals: Signals, dh: Floats) -> tuple[dict[str, Floats], Floats]:
        """Walk back: through the gates by U, and along the memory by the forget gate."""
        i, f, o, g = (signals[gate] for gate in GATES)
        memory, UT = np.tanh(signals["c"]), weights["U"].T
        before_c = np.concatenate([signals["first c"][:, None], signals["c"][:, :-1]], axis=1)
        to_c = o * (1 - memory**2)
        slopes = np.concatenate([g * i * (1 - i), before_c * f * (1 - f), memory * o * (1 - o), i * (1 - g**2)], axis=2)
        dz, later, dc = np.empty_like(slopes), np.zeros_like(dh[:, 0]), np.zeros_like(dh[:, 0])
        for t in range(X.shape[1] - 1, -1, -1):
            now = dh[:, t] + later
            dc = dc + now * to_c[:, t]
            dz[:, t] = np.concatenate([dc, dc, now, dc], axis=1) * slopes[:, t]
            dc = dc * f[:, t]
            later = dz[:, t] @ UT
        before = np.concatenate([signals["first"][:, None], signals["h"][:, :-1]], axis=1)
        return gathered(weights, X, before, dz)
