"""The LSTM cell: a memory with gates."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

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

GATES = ("i", "f", "o", "g")  # in the order of their weights: input, forget, output, candidate
FORGET_INTERCEPT = 1.0  # of the forget gate at the start


class LSTMCell(Cell):
    """A memory c_t = f c_{t-1} + i g, read as h_t = o tanh(c_t).

    The gates i, f, o are between 0 and 1, g is the candidate. Where f is near 1, so is the
    derivative of c_t by c_{t-1}: that is why the error does not vanish on its way back.

    References
    ----------
    S. Hochreiter and J. Schmidhuber (1997), Long short-term memory.
    F. A. Gers, J. Schmidhuber and F. Cummins (2000), Learning to forget: continual prediction with
    LSTM.
    """

    shows = ("h", "c", "f", "i", "o", "g")

    def initial_weights(
        self, rng: np.random.RandomState, n_inputs: int, draw: Draw
    ) -> dict[str, Floats]:
        """Draw initial weights; the forget gates are open at first."""
        weights = gate_weights(rng, draw, n_inputs, self.n_hidden, len(GATES))
        weights["b"][self.n_hidden : 2 * self.n_hidden] = FORGET_INTERCEPT
        return weights

    def initial_state(self, n_sequences: int, n_inputs: int) -> State:
        """Return an empty output and an empty memory."""
        return np.zeros((n_sequences, self.n_hidden)), np.zeros((n_sequences, self.n_hidden))

    def forwards(self, weights: Weights, X: Floats, state: State) -> tuple[Signals, State]:
        """Walk through sequences from a state."""
        h, c = first_h, first_c = state
        n, U = self.n_hidden, weights["U"]
        gates = by_step(X @ weights["W"] + weights["b"])  # sums at first
        outputs, memory = (np.empty((*gates.shape[:2], n)) for _ in range(2))
        for t, z in enumerate(gates):
            np.add(z, h @ U, out=z)
            ifo, g = z[:, : 3 * n], z[:, 3 * n :]
            expit(ifo, out=ifo)
            np.tanh(g, out=g)
            c = np.multiply(ifo[:, n : 2 * n], c, out=memory[t])
            c += ifo[:, :n] * g
            h = np.multiply(ifo[:, 2 * n :], np.tanh(c), out=outputs[t])
        all_gates = by_step(gates)
        signals = {gate: all_gates[..., j * n : (j + 1) * n] for j, gate in enumerate(GATES)}
        signals |= {"h": by_step(outputs), "c": by_step(memory)}
        return signals | {"first": first_h, "first c": first_c}, (h, c)

    def backwards(
        self, weights: Weights, X: Floats, signals: Signals, dh: Floats
    ) -> tuple[dict[str, Floats], Floats]:
        """Walk back: through the gates by U, and along the memory by the forget gate."""
        i, f, o, g = (signals[gate] for gate in GATES)
        memory, UT = np.tanh(signals["c"]), weights["U"].T
        before_c = np.concatenate([signals["first c"][:, None], signals["c"][:, :-1]], axis=1)
        to_c = o * (1 - memory**2)
        slopes = np.concatenate(
            [g * i * (1 - i), before_c * f * (1 - f), memory * o * (1 - o), i * (1 - g**2)], axis=2
        )
        dz, by_h, h_by_c, forget = map(by_step, (slopes, dh, to_c, f))
        by_later = np.zeros_like(dh[:, 0])  # the derivative by h through the next step
        by_c = np.zeros_like(dh[:, 0])
        for t in reversed(range(len(dz))):
            by_output = np.add(by_h[t], by_later, out=by_h[t])
            by_c = by_c + by_output * h_by_c[t]
            by_gates = np.concatenate([by_c, by_c, by_output, by_c], axis=1)
            by_later = np.multiply(dz[t], by_gates, out=dz[t]) @ UT
            by_c *= forget[t]
        before = np.concatenate([signals["first"][:, None], signals["h"][:, :-1]], axis=1)
        return weight_gradients(weights, X, before, by_step(dz))
