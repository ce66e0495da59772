"""The kernel of mean shift: weights of rows, weighted means, and the nearest of some places."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from dmlib.arrays import Floats
from dmlib.trace import look

BLOCK = 2**18  # distances that are computed at once

Indices = NDArray[np.intp]


def kernel_weights(squared_distances: Floats, bandwidth: float, kernel: str) -> Floats:
    """Return the weights of rows at squared distances from a seed.

    Examples
    --------
    >>> kernel_weights(np.array([0.0, 4.0, 9.0]), 2.0, "flat").tolist()
    [1.0, 1.0, 0.0]
    >>> kernel_weights(np.array([0.0, 4.0, 9.0]), 2.0, "gaussian").round(3).tolist()
    [1.0, 0.607, 0.325]
    """
    if kernel == "flat" or bandwidth == 0:
        return (squared_distances <= bandwidth**2).astype(float)
    return np.asarray(np.exp(-squared_distances / (2 * bandwidth**2)))


def means_around(X: Floats, places: Floats, bandwidth: float, kernel: str) -> tuple[Floats, Floats]:
    """Return the weighted mean of the rows around each place, and the sum of the weights.

    A place that no row is near to is its own mean.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [9.0]])
    >>> means, sums = means_around(X, np.array([[0.0], [5.0]]), 2.0, "flat")
    >>> means.ravel().tolist(), sums.tolist()
    ([0.5, 5.0], [2.0, 0.0])
    """
    origin = X[0]  # the digits of rows far from zero are in what is left
    moved = X - origin
    means, sums = places.copy(), np.zeros(len(places))
    size = max(1, BLOCK // len(X))
    for start in range(0, len(places), size):
        look()
        block = slice(start, start + size)
        weights = kernel_weights(cdist(places[block], X, "sqeuclidean"), bandwidth, kernel)
        sums[block] = weights.sum(axis=1)
        reached = sums[block] > 0
        total = sums[block][reached, None]
        means[block][reached] = weights[reached] @ moved / total + origin
    return means, sums


def nearest(X: Floats, centers: Floats) -> tuple[Indices, Floats]:
    """Return the nearest centre of each row, and its squared distance; ties go to the first.

    Examples
    --------
    >>> labels, squares = nearest(np.array([[0.0], [3.0]]), np.array([[1.0], [5.0]]))
    >>> labels.tolist(), squares.tolist()
    ([0, 0], [1.0, 4.0])
    """
    labels, squares = np.empty(len(X), np.intp), np.empty(len(X))
    size = max(1, BLOCK // len(centers))
    for start in range(0, len(X), size):
        look()
        block = slice(start, start + size)
        distances = cdist(X[block], centers, "sqeuclidean")
        labels[block] = distances.argmin(axis=1)
        squares[block] = distances.min(axis=1)
    return labels, squares
