"""Rows in the feature space of a kernel: distances to means of clusters, by the kernel alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.classification.kernels import Kernel

Labels = NDArray[np.int32]

MAX_ROWS = 5_000
"""The kernel of so many rows with each other takes 200 MB."""


class Distances(NamedTuple):
    """Squared distances of rows to centres in feature space, and the three terms that they are."""

    own: Floats  # (n_rows,): k(x, x)
    cross: Floats  # (n_rows, n_clusters): the mean of k(x, y) over the points y of a cluster
    within: Floats  # (n_clusters,): the mean of k(y, z) over all pairs of its points

    @property
    def squared(self) -> Floats:
        """k(x, x) - 2 cross + within, shape (n_rows, n_clusters), at least 0."""
        squares: Floats = np.maximum(self.own[:, None] - 2 * self.cross + self.within, 0.0)
        return squares

    def to(self, labels: Labels) -> Floats:
        """Return the squared distance of each row to the centre of its own cluster."""
        cross = self.cross[np.arange(len(labels)), labels]
        squares: Floats = np.maximum(self.own - 2 * cross + self.within.take(labels), 0.0)
        return squares


@dataclass(frozen=True)
class FeatureSpace:
    """The rows of a kernel matrix as points of its feature space.

    Attributes
    ----------
    K : ndarray of shape (n_samples, n_samples)
        The kernel of the rows with each other; with degree weights divided by both degrees.
    weights : ndarray of shape (n_samples,)
        How much each row counts: 1, or its degree.

    Examples
    --------
    >>> K = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 3.0], [0.0, 3.0, 9.0]])
    >>> space = FeatureSpace(K, np.ones(3))
    >>> centers = space.means(np.array([0, 0, 1]), 2)
    >>> space.distances(centers).squared.tolist()
    [[0.25, 9.0], [0.25, 4.0], [6.25, 0.0]]
    """

    K: Floats
    weights: Floats

    @classmethod
    def weighted_by_degree(cls, K: Floats) -> FeatureSpace:
        """Return the space in which k-means minimises the normalised cut of the graph ``K``.

        Raises
        ------
        ValueError
            If a row has no positive sum of similarities.
        """
        degrees = K.sum(axis=1)
        if not (degrees > 0).all():
            raise ValueError(
                "With degree weights the similarities of each row must have a positive sum. "
                "Take the kernel rbf, or no weights."
            )
        return cls(K / degrees[:, None] / degrees, degrees)

    def means(self, labels: NDArray[np.integer], n_clusters: int) -> Floats:
        """Return the coefficients of the means, shape (n_samples, n_clusters): each sums to 1."""
        totals = np.bincount(labels, self.weights, n_clusters)
        means: Floats = np.zeros((len(labels), n_clusters))
        means[np.arange(len(labels)), labels] = self.weights / totals.take(labels)
        return means

    def distances(self, centers: Floats) -> Distances:
        """Return the terms of all rows' squared distances to centres, given as coefficients."""
        cross = self.K @ centers
        return Distances(self.K.diagonal(), cross, (centers * cross).sum(axis=0))

    def to_row(self, row: int) -> Floats:
        """Return the squared distance of each row to one of them."""
        squares: Floats = np.maximum(self.K.diagonal() - 2 * self.K[row] + self.K[row, row], 0.0)
        return squares

    @cached_property
    def total(self) -> float:
        """The weighted sum of k(x, x): the upper bound of the relaxation's sum of eigenvalues."""
        return float(self.weights @ self.K.diagonal())

    def relaxation(self, n: int) -> tuple[Floats, Floats]:
        """Return the largest eigenvalues of the weighted kernel matrix, and their eigenvectors."""
        root = np.sqrt(self.weights)
        return _largest(root[:, None] * self.K * root, n)

    def plane(self) -> tuple[Floats, Floats]:
        """Return the rows in the first two kernel principal components, and their variances.

        Returns
        -------
        places : ndarray of shape (n_samples, 2)
            Their weighted principal components; the mean of points lies at the mean of their
            places.
        shares : ndarray of shape (2,)
            Of the weighted sum of squared distances to the mean of all rows.
        """
        share = self.weights / self.weights.sum()
        mean = self.K @ share
        centered = self.K - mean[:, None] - mean + share @ mean
        root = np.sqrt(self.weights)
        spread = float(self.weights @ centered.diagonal())
        values, vectors = _largest(root[:, None] * centered * root, 2)
        places = np.zeros((len(self.K), 2))
        places[:, : len(values)] = vectors * np.sqrt(np.maximum(values, 0.0)) / root[:, None]
        shares = np.zeros(2)
        if spread > 0:
            shares[: len(values)] = np.clip(values / spread, 0.0, 1.0)
        return places, shares


def _largest(matrix: Floats, n: int) -> tuple[Floats, Floats]:
    """Return the largest eigenvalues of a matrix, and eigenvectors with a positive main entry."""
    size = len(matrix)
    values, vectors = eigh(matrix, subset_by_index=[max(size - n, 0), size - 1], check_finite=False)
    values, vectors = values[::-1], vectors[:, ::-1]
    farthest = vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]
    return values, vectors * np.where(farthest < 0, -1, 1)


def to_centers(
    values: Floats, own: Floats, centers: Floats, degrees: Floats | None = None
) -> tuple[Floats, Floats]:
    """Return k(x, x) of new rows, and the means of k(x, y) over the points y of clusters.

    Parameters
    ----------
    values : ndarray of shape (m, n_samples)
        The kernel of the new rows with those that were clustered.
    own : ndarray of shape (m,)
        Their kernel with themselves.
    centers : ndarray of shape (n_samples, n_clusters)
        The coefficients of the centres.
    degrees : ndarray of shape (n_samples,), optional
        The degrees of the rows that were clustered, where these are the weights.

    Returns
    -------
    own : ndarray of shape (m,)
    cross : ndarray of shape (m, n_clusters)
        The first two terms of the squared distances.
    """
    if degrees is None:
        return own, values @ centers
    totals = values.sum(axis=1)
    # Far from all points they are so small that their square is 0.
    totals = np.where((totals > 0) & (totals**2 > 0), totals, 1.0)
    return own / totals**2, values @ (centers / degrees[:, None]) / totals[:, None]


def kernel_of(name: str, X: Floats, gamma: float | str, degree: int, coef0: float) -> Kernel:
    """Return a kernel with gamma as a number; "scale" divides by the columns' total variance."""
    if gamma == "auto":
        return Kernel(name, 1.0 / X.shape[1], degree, coef0)
    if gamma != "scale":
        return Kernel(name, float(gamma), degree, coef0)
    with np.errstate(over="ignore"):
        spread = float(X.var(axis=0).sum())
    return Kernel(
        name, 1.0 / spread if np.finfo(float).tiny < spread < np.inf else 1.0, degree, coef0
    )
