"""Batch normalisation of the sums of a layer, forwards and backwards: pure functions on arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dmlib.arrays import Floats

EPSILON = 1e-5  # added to variances, so that a constant unit is not divided by 0


class Normalised(NamedTuple):
    """A batch normalised, as the backward pass needs it.

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
    delta: Floats, normalised: Normalised, gamma: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return the derivatives by the sums, by gamma and by beta, from those by the output.

    Each sum moves the mean and the variance of its batch, so that the derivatives of a row depend
    on all rows of the batch.

    References
    ----------
    S. Ioffe and C. Szegedy (2015), Batch normalization: accelerating deep network training by
    reducing internal covariate shift.
    """
    n, standard = len(delta), normalised.standard
    by_gamma = (delta * standard).sum(axis=0)
    by_beta = delta.sum(axis=0)
    centred = delta - by_beta / n - standard * (by_gamma / n)
    return gamma / np.sqrt(normalised.variance + EPSILON) * centred, by_gamma, by_beta


def normalise_as(Z: Floats, gamma: Floats, beta: Floats, mean: Floats, variance: Floats) -> Floats:
    """Standardise sums by the mean and the variance of earlier batches, as for predictions."""
    output: Floats = gamma * (Z - mean) / np.sqrt(variance + EPSILON) + beta
    return output
