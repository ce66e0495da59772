"""All states of a few units, and how probable each is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, softmax

from dmlib.arrays import Floats
from dmlib.cached import cached_property

MAX_UNITS = 12  # whose 4,096 states are listed


def all_states(n: int) -> Floats:
    """Return all states of n units, 0 and 1, shape (2^n, n): the binary numbers in their order.

    Examples
    --------
    >>> all_states(2).tolist()
    [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    """
    return (np.arange(2**n)[:, None] >> np.arange(n - 1, -1, -1) & 1).astype(float)


def number_of(state: Floats) -> int:
    """Return the number of a state, whose units are on where positive.

    Examples
    --------
    >>> number_of(np.array([1.0, -1.0]))
    2
    """
    return int((state > 0) @ (1 << np.arange(len(state) - 1, -1, -1)))


def energies(states: Floats, W: Floats, b: Floats) -> Floats:
    """Return -1/2 s'Ws - b's for each state, -1 and 1, one a row."""
    values: Floats = -((states @ W) * states).sum(axis=1) / 2 - states @ b
    return values


def probabilities(energy: Floats, temperature: float) -> Floats:
    """Return the Boltzmann distribution over states of these energies.

    Examples
    --------
    >>> probabilities(np.array([0.0, 0.0]), 1.0).tolist()
    [0.5, 0.5]
    """
    shares: Floats = softmax(-energy / temperature)
    return shares


@dataclass(frozen=True)
class StateList:
    """All states of the visible units by their numbers, and those at the ends of sweeps.

    Attributes
    ----------
    energy : ndarray of shape (n_states, n_hidden_states)
        The energy of each state, with each state of the hidden units; one column without any.
    temperature : float
        The last temperature, by which they are ordered.
    patterns : dict
        The names of the patterns by the numbers of their states.
    visited : ndarray of int, shape (n_sweeps,)
        The state at the end of each sweep.
    """

    energy: Floats
    temperature: float
    patterns: dict[int, str]
    visited: NDArray[np.intp]

    @classmethod
    def of(
        cls,
        W: Floats,
        b: Floats,
        n_visible: int,
        temperature: float,
        patterns: dict[int, str],
        ends: Sequence[Floats],
    ) -> StateList:
        """Return the states of a machine with weights W and biases b, and those after sweeps."""
        energy = energies(2 * all_states(len(b)) - 1, W, b).reshape(2**n_visible, -1)
        visited = np.array([number_of(state[:n_visible]) for state in ends], np.intp)
        return cls(energy, temperature, patterns, visited)

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """The states by their free energies at the last temperature, the lowest first."""
        return np.argsort(self.free_energy(self.temperature), kind="stable")

    @property
    def has_hidden(self) -> bool:
        """Whether there are hidden units."""
        return bool(self.energy.shape[1] > 1)

    @property
    def n_visible(self) -> int:
        """The number of visible units."""
        return len(self.energy).bit_length() - 1

    def free_energy(self, temperature: float) -> Floats:
        """Return -T log of the sum of exp(-E / T) over hidden states; the energy without any."""
        if not self.has_hidden:
            return self.energy[:, 0]
        values: Floats = -temperature * logsumexp(-self.energy / temperature, axis=1)
        return values

    def probabilities(self, temperature: float) -> Floats:
        """Return the Boltzmann distribution over states, those of hidden units summed out."""
        shares: Floats = probabilities(self.energy, temperature).sum(axis=1)
        return shares

    def visits(self, n_sweeps: int) -> Floats:
        """Return the number of the first sweeps that ended in each state."""
        visits = np.bincount(self.visited[:n_sweeps], minlength=len(self.energy))
        return visits.astype(float)

    def visit_shares(self, n_sweeps: int) -> Floats:
        """Return the fraction of the first sweeps that ended in each state."""
        visits = self.visits(n_sweeps)
        return visits / max(float(visits.sum()), 1.0)
