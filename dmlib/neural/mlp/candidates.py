"""Candidate units of cascade correlation: how their outputs vary with errors, and its gradient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats
from dmlib.neural.activations import Activation
from dmlib.neural.layers import dense


@dataclass(frozen=True)
class Candidates:
    """A pool of candidate units.

    Examples
    --------
    >>> from dmlib.neural.activations import ACTIVATIONS
    >>> pool = Candidates(np.array([[1.0, -2.0]]), np.zeros(2))
    >>> inputs, errors = np.array([[0.0], [3.0]]), np.array([[-0.5], [0.5]])
    >>> pool.correlations(inputs, errors, ACTIVATIONS["identity"]).tolist()
    [1.5, 3.0]
    """

    coefs: Floats  # (n_inputs, n_candidates)
    intercepts: Floats  # (n_candidates,)

    def correlations(self, inputs: Floats, errors: Floats, hidden: Activation) -> Floats:
        """Return S of each candidate, for errors whose mean is 0."""
        V = hidden.function(dense(inputs, self.coefs, self.intercepts))
        S: Floats = np.abs(V.T @ errors).sum(axis=1)
        return S

    def gradient(self, inputs: Floats, errors: Floats, hidden: Activation) -> Floats:
        """Return the derivatives of each S by the weights and, in the last row, the intercept."""
        Z = dense(inputs, self.coefs, self.intercepts)
        V = hidden.function(Z)
        delta = hidden.derivative(Z, V) * (errors @ np.sign(V.T @ errors).T)
        gradient: Floats = np.vstack([inputs.T @ delta, delta.sum(axis=0)])
        return gradient
