"""All states of a few units, and how probable each is."""

from __future__ import annotations

import numpy as np
from scipy.special import softmax

from dmlib.arrays import Floats

MOST_UNITS = 12
"""Up to so many units, all of their states are listed: 4,096."""


def all_states(n: int) -> Floats:
    """Return all states of n units, 0 and 1, shape (2^n, n); state i is i in binary, the first unit highest.

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
    found: Floats = -((states @ W) * states).sum(axis=1) / 2 - states @ b
    return found


def probabilities(energy: Floats, temperature: float) -> Floats:
    """Return the Boltzmann distribution over states of these energies.

    Examples
    --------
    >>> probabilities(np.array([0.0, 0.0]), 1.0).tolist()
    [0.5, 0.5]
    """
    found: Floats = softmax(-energy / temperature)
    return found
