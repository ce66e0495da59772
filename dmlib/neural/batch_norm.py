"""Batch normalisation of the sums of a layer, forwards and backwards: pure functions on arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dmlib.arrays import Floats

EPSILON = 1e-5  # added to variances, so that a constant unit is not divided by 0


class Normalised(NamedTuple):
    """What a forward pass leaves behind.

    Attributes
    ----------
    output : ndarray of shape (n_rows, n_units)
        gamma (z - mean) / sqrt(variance + epsilon) + beta.
    standard : ndarray of shape (n_rows, n_units)
        The sums with mean 0 and variance 1.
    mean, variance : ndarray of shape (n_units,)
        Those of the rows of the batch.
    """

    output: Floats
    standard: Floats
    mean: Floats
    variance: Floats


def normalise(Z: Floats, gamma: Floats, beta: Floats) -> Normalised:
    """Standardise each unit's sums over a batch, then scale them by gamma and shift them by beta.

    Examples
    --------
    >>> normalise(np.array([[1.0], [3.0]]), np.ones(1), np.zeros(1)).output.round(4).tolist()
    [[-1.0], [1.0]]
    """
    mean, variance = Z.mean(axis=0), Z.var(axis=0)
    standard = (Z - mean) / np.sqrt(variance + EPSILON)
    return Normalised(gamma * standard + beta, standard, mean, variance)


def normalise_backward(
    delta: Floats, seen: Normalised, gamma: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return the derivatives by the sums, by gamma and by beta, from those by the output (Ioffe and Szegedy 2015).

    Each sum moves the mean and the variance of its batch, so the rows of a batch hang together.
    """
    by_gamma, by_beta = (delta * seen.standard).sum(axis=0), delta.sum(axis=0)
    centred = delta - by_beta / len(delta) - seen.standard * (by_gamma / len(delta))
    return gamma / np.sqrt(seen.variance + EPSILON) * centred, by_gamma, by_beta


def normalise_as(Z: Floats, gamma: Floats, beta: Floats, mean: Floats, variance: Floats) -> Floats:
    """Standardise sums by a mean and a variance that are known, as for predictions."""
    output: Floats = gamma * (Z - mean) / np.sqrt(variance + EPSILON) + beta
    return output
