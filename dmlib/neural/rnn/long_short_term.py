"""The LSTM cell: a memory that gates open and close."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from dmlib.arrays import Floats
from dmlib.neural.rnn.cells import Cell, Draw, Signals, State, Weights, by_step, drawn, gathered

GATES = ("i", "f", "o", "g")  # in the order of their weights: input, forget, output, candidate
REMEMBER = 1.0  # start intercept of the forget gate


class LSTMCell(Cell):
    """c_t = f c_{t-1} + i g and h_t = o tanh(c_t), with gates i, f, o between 0 and 1 and a candidate g.

    Where f is near 1, the derivative of c_t by c_{t-1} is too: that is why the error does not
    vanish on its way back.

    References
    ----------
    S. Hochreiter and J. Schmidhuber (1997), Long short-term memory.
    F. A. Gers, J. Schmidhuber and F. Cummins (2000), Learning to forget: continual prediction with
    LSTM.
    """

    shows = ("h", "c", "f", "i", "o", "g")

    def start(self, rng: np.random.RandomState, n_inputs: int, draw: Draw) -> dict[str, Floats]:
        """Draw initial weights; the forget gates begin open."""
        weights = drawn(rng, draw, n_inputs, self.n_hidden, len(GATES))
        weights["b"][self.n_hidden : 2 * self.n_hidden] = REMEMBER
        return weights

    def rest(self, n_sequences: int, n_inputs: int) -> State:
        """Return an empty output and an empty memory."""
        return np.zeros((n_sequences, self.n_hidden)), np.zeros((n_sequences, self.n_hidden))

    def forwards(self, weights: Weights, X: Floats, state: State) -> tuple[Signals, State]:
        """Walk through sequences from a state."""
        h, c = state
        n, U, start = self.n_hidden, weights["U"], (h, c)
        gates = by_step(X @ weights["W"] + weights["b"])  # sums, which become gates step by step
        said, kept = (np.empty((*gates.shape[:2], n)) for _ in range(2))
        for t, z in enumerate(gates):
            np.add(z, h @ U, out=z)
            opened, candidate = z[:, : 3 * n], z[:, 3 * n :]
            expit(opened, out=opened)
            np.tanh(candidate, out=candidate)
            c = np.multiply(opened[:, n : 2 * n], c, out=kept[t])
            c += opened[:, :n] * candidate
            h = np.multiply(opened[:, 2 * n :], np.tanh(c), out=said[t])
        back = by_step(gates)
        parts = {gate: back[..., j * n : (j + 1) * n] for j, gate in enumerate(GATES)}
        return {
            "h": by_step(said),
            "c": by_step(kept),
            "first": start[0],
            "first c": start[1],
            **parts,
        }, (h, c)

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
        dz, later, dc = by_step(slopes), np.zeros_like(dh[:, 0]), np.zeros_like(dh[:, 0])
        steps = zip(dz[::-1], by_step(dh)[::-1], by_step(to_c)[::-1], by_step(f)[::-1], strict=True)
        for d, now, to_memory, forget in steps:
            np.add(now, later, out=now)
            dc = dc + now * to_memory
            later = np.multiply(d, np.concatenate([dc, dc, now, dc], axis=1), out=d) @ UT
            dc *= forget
        before = np.concatenate([signals["first"][:, None], signals["h"][:, :-1]], axis=1)
        return gathered(weights, X, before, by_step(dz))
