"""Rows divided among centres by a distance that is not Euclidean, and the best centre of each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import pairwise_distances

from dmlib.arrays import Floats
from dmlib.clustering.partition import too_few_distinct

Labels = NDArray[np.int32]


class MetricPartition:
    """Rows, centres, and which row belongs to which centre, as ``Partition`` has them.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The rows; by "cosine" of length 1, by "correlation" of mean 0 too.
    n_clusters : int
        The number of centres.
    metric : {"manhattan", "cosine", "correlation"}
        The distance. The centre that makes its sum small is the median of each column
        ("manhattan"), or the mean at length 1.

    Attributes
    ----------
    centers, labels, counts : ndarray
        As in ``Partition``.

    Examples
    --------
    >>> partition = MetricPartition(np.array([[0.0], [1.0], [8.0]]), 1, "manhattan")
    >>> partition.start(np.array([[2.0]]))
    >>> partition.assign(), partition.inertia, partition.update().tolist(), partition.inertia
    (3, 9.0, [1.0], 8.0)
    """

    def __init__(self, X: Floats, n_clusters: int, metric: str) -> None:
        self.n_clusters, self.metric, self._X = n_clusters, metric, X
        self.mean_variance = float(X.var(axis=0).mean())

    @property
    def inertia(self) -> float:
        """The sum of the distances of the rows to their centres."""
        return float(self.distances().sum())

    def distances(self) -> Floats:
        """Return the distance of each row to its centre."""
        distances: Floats = self._to_centers()[np.arange(len(self._X)), self.labels]
        return distances

    def start(self, centers: Floats) -> None:
        """Begin anew from these centres."""
        self.centers = centers
        self.labels: Labels = np.full(len(self._X), -1, np.int32)
        self.counts = np.zeros(self.n_clusters, np.intp)

    def assign(self) -> int:
        """Give each row to its nearest centre; return the number of changed rows."""
        before = self.labels
        self._take(self._to_centers().argmin(axis=1).astype(np.int32))
        return int((self.labels != before).sum())

    def fill_empty(self) -> tuple[tuple[int, int], ...]:
        """Give each empty cluster the row farthest from its centre; return (cluster, row) pairs.

        Raises
        ------
        ValueError
            If every row lies on its centre already.
        """
        empty = np.flatnonzero(self.counts == 0)
        distances = self.distances()
        if distances.max() <= 1e-12:
            raise too_few_distinct(self._X, self.n_clusters)
        far = np.argsort(-distances, kind="stable")[: len(empty)]
        labels = self.labels.copy()
        labels[far] = empty
        self._take(labels)
        return tuple(zip(empty.tolist(), far.tolist(), strict=True))

    def update(self) -> Floats:
        """Move each centre to the best place for its rows; return how far each moves."""
        before = self.centers
        self.centers = np.array([self._center(j) for j in range(self.n_clusters)])
        shift: Floats = np.linalg.norm(self.centers - before, axis=1)
        return shift

    def _center(self, cluster: int) -> Floats:
        """Return the best centre of a cluster; an empty one, or a mean of 0, stays where it is."""
        rows, center = self._X[self.labels == cluster], self.centers[cluster]
        if len(rows) and self.metric == "manhattan":
            center = np.median(rows, axis=0)
        elif len(rows) and (length := np.linalg.norm(rows.mean(axis=0))) > 1e-12:
            center = rows.mean(axis=0) / length
        return np.asarray(center)

    def _take(self, labels: Labels) -> None:
        self.labels = labels
        self.counts = np.bincount(labels, minlength=self.n_clusters)

    def _to_centers(self) -> Floats:
        return distances_between(self._X, self.centers, self.metric)


def distances_between(X: Floats, centers: Floats, metric: str) -> Floats:
    """Return the distance of each row to each centre, shape (n_samples, n_clusters).

    Examples
    --------
    >>> distances_between(np.array([[1.0, 1.0]]), np.array([[0.0, 3.0]]), "manhattan").tolist()
    [[3.0]]
    """
    distances: Floats = pairwise_distances(X, centers, metric=metric)
    return distances
