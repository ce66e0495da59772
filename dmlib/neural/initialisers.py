"""Initial weights of layers, with which signals through many layers neither vanish nor explode."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from dmlib.arrays import Floats

SMALL = 0.01  # standard deviation of weights that break the symmetry and hardly more
PLAIN = 1.0  # standard deviation of weights that nobody adapted to the layer


def glorot(rng: np.random.RandomState, fan_in: int, fan_out: int, factor: float = 6.0) -> Floats:
    """Draw uniform weights of shape (fan_in, fan_out) (Glorot and Bengio 2010, equation 16).

    Their bound is the square root of factor / (fan_in + fan_out); with the factor 6 their variance
    is 2 / (fan_in + fan_out).

    Examples
    --------
    >>> bool(np.abs(glorot(np.random.RandomState(0), 5, 1)).max() <= 1)
    True
    """
    bound = np.sqrt(factor / (fan_in + fan_out))
    return rng.uniform(-bound, bound, (fan_in, fan_out))


def he(rng: np.random.RandomState, fan_in: int, fan_out: int) -> Floats:
    """Draw normal weights of variance 2 / fan_in (He et al. 2015, equation 10).

    It is twice that of LeCun, since half of the ReLUs are zero.
    """
    return rng.normal(0.0, np.sqrt(2.0 / fan_in), (fan_in, fan_out))


def lecun(rng: np.random.RandomState, fan_in: int, fan_out: int) -> Floats:
    """Draw normal weights of variance 1 / fan_in (LeCun et al. 1998)."""
    return rng.normal(0.0, np.sqrt(1.0 / fan_in), (fan_in, fan_out))


def small(rng: np.random.RandomState, fan_in: int, fan_out: int) -> Floats:
    """Draw normal weights with the standard deviation 0.01, however large the layer is."""
    return rng.normal(0.0, SMALL, (fan_in, fan_out))


def plain(rng: np.random.RandomState, fan_in: int, fan_out: int) -> Floats:
    """Draw normal weights with the standard deviation 1, however large the layer is."""
    return rng.normal(0.0, PLAIN, (fan_in, fan_out))


def zeros(rng: np.random.RandomState, fan_in: int, fan_out: int) -> Floats:
    """Return zeros: all units of a layer stay alike for ever."""
    return np.zeros((fan_in, fan_out))


INITIALISERS: Mapping[str, Callable[[np.random.RandomState, int, int], Floats]] = {
    "glorot": glorot,
    "he": he,
    "lecun": lecun,
    "normal": plain,
    "small": small,
    "zero": zeros,
}
"""All initialisers by name: random state, fan_in, fan_out -> weights of shape (fan_in, fan_out)."""


def initial_layers(
    name: str, sizes: Sequence[int], activation: str, rng: np.random.RandomState
) -> tuple[list[Floats], list[Floats]]:
    """Draw the weights and intercepts of the layers between so many units each.

    Those of "glorot" are scikit-learn's for the same random state.

    Examples
    --------
    >>> coefs, intercepts = initial_layers("he", (2, 3, 1), "relu", np.random.RandomState(0))
    >>> [W.shape for W in coefs], [b.tolist() for b in intercepts]
    ([(2, 3), (3, 1)], [[0.0, 0.0, 0.0], [0.0]])
    """
    coefs, intercepts = [], []
    for n, m in pairwise(sizes):
        if name == "glorot":
            factor = 2.0 if activation == "sigmoid" else 6.0
            bound = np.sqrt(factor / (n + m))
            coefs.append(glorot(rng, n, m, factor))
            intercepts.append(rng.uniform(-bound, bound, m))
        else:
            coefs.append(INITIALISERS[name](rng, n, m))
            intercepts.append(np.zeros(m))
    return coefs, intercepts
