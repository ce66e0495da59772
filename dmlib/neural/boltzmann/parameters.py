"""The weights and intercepts of a restricted Boltzmann machine, with its distribution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logsumexp

from dmlib.arrays import Floats
from dmlib.neural.boltzmann.states import MAX_UNITS, all_states
from dmlib.trace import look


@dataclass(frozen=True, eq=False)
class Parameters:
    """The weights and intercepts of a machine, with its distribution.

    Attributes
    ----------
    components : ndarray of shape (n_components, n_features)
        The weights between each hidden and each visible unit.
    hidden, visible : ndarray of shape (n_components,), (n_features,)
        The intercepts of the hidden and of the visible units.
    """

    components: Floats
    hidden: Floats
    visible: Floats

    def means_hidden(self, v: Floats) -> Floats:
        """Return the probability that each hidden unit is on, given visible ones."""
        means: Floats = expit(v @ self.components.T + self.hidden)
        return means

    def means_visible(self, h: Floats) -> Floats:
        """Return the probability that each visible unit is on, given hidden ones."""
        means: Floats = expit(h @ self.components + self.visible)
        return means

    def reconstruct(self, v: Floats) -> Floats:
        """Return the means of visible units, given the means of hidden ones."""
        return self.means_visible(self.means_hidden(v))

    def free_energy(self, v: Floats) -> Floats:
        """Return F(v), -log of the sum of exp(-E(v, h)) over all h."""
        sums = v @ self.components.T + self.hidden
        energies: Floats = -v @ self.visible - np.logaddexp(0.0, sums).sum(axis=-1)
        return energies

    def log_likelihood(self, X: Floats) -> float:
        """Return the mean of log p(v) over rows; NaN where both layers are too large."""
        n_hidden, n_visible = self.components.shape
        if min(n_hidden, n_visible) > MAX_UNITS:
            return float("nan")
        if n_visible <= n_hidden:
            log_z = logsumexp(-self.free_energy(all_states(n_visible)))
        else:
            h = all_states(n_hidden)
            sums = h @ self.components + self.visible
            log_z = logsumexp(h @ self.hidden + np.logaddexp(0.0, sums).sum(axis=1))
        return float(-self.free_energy(X).mean() - log_z)

    def dream(self, v: Floats, n_steps: int, rng: np.random.RandomState) -> Floats:
        """Return visible units after so many steps of Gibbs sampling, shape of ``v``."""
        for _ in range(n_steps):
            look()
            h = bernoulli(self.means_hidden(v), rng)
            v = bernoulli(self.means_visible(h), rng)
        return v


def bernoulli(means: Floats, rng: np.random.RandomState) -> Floats:
    """Draw 1 with the probability of each mean, and 0 otherwise.

    Examples
    --------
    >>> bernoulli(np.array([0.0, 1.0]), np.random.RandomState(0)).tolist()
    [0.0, 1.0]
    """
    return (rng.uniform(size=means.shape) < means).astype(float)
