"""The rows of a table divided among centres, kept up to date while the centres move."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


class Partition:
    """Rows, centres, and which row belongs to which centre.

    ``start``, then ``assign`` and ``update`` in turn, is Lloyd's algorithm. Every array that a property returns is new.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The rows; a shifted copy is kept.
    n_clusters : int
        The number of centres.

    Raises
    ------
    ValueError
        If the squares of the values overflow.

    Examples
    --------
    >>> partition = Partition(np.array([[0.0], [1.0], [9.0], [10.0]]), 2)
    >>> partition.start(np.array([[0.0], [1.0]]))
    >>> partition.assign(), partition.labels.tolist(), partition.inertia
    (4, [0, 1, 1, 1], 145.0)
    >>> partition.update().round(3).tolist(), partition.centers.ravel().round(3).tolist()
    ([0.0, 5.667], [0.0, 6.667])
    """

    def __init__(self, X: Floats, n_clusters: int) -> None:
        self.n_clusters = n_clusters
        self._offset = _rounded_mean(X)
        self._X = X - self._offset
        self._square = np.einsum("ij,ij->i", self._X, self._X)
        self._total = float(self._square.sum())
        if not np.isfinite(self._total):
            raise ValueError("The squares of the values are too large for a computer number. Standardise the columns.")
        self._block = max(256, 2**18 // (n_clusters * X.shape[1]))

    @property
    def mean_variance(self) -> float:
        """The mean over the columns of their variances (divisor n)."""
        n_samples, n_features = self._X.shape
        mean = self._X.mean(axis=0)
        return max(0.0, self._total / n_samples - float(mean @ mean)) / n_features

    @property
    def labels(self) -> NDArray[np.int32]:
        """The centre of each row."""
        return self._labels.astype(np.int32)

    @property
    def counts(self) -> Indices:
        """The number of rows of each centre."""
        return self._counts.copy()

    @property
    def centers(self) -> Floats:
        """The centres."""
        return self._centers + self._offset

    @property
    def inertia(self) -> float:
        """The sum of squared distances to the centres, from the cluster sums alone: O(k d).

        From sum |x - c|^2 = sum |x|^2 - 2 c . sum x + n |c|^2 over the rows of each centre.
        """
        c = self._centers
        return max(0.0, self._total + float((c * (self._counts[:, None] * c - 2 * self._sums)).sum()))

    def distances(self) -> Floats:
        """Return the squared distance of each row to its centre, from the differences."""
        return np.concatenate(
            [squared_distances(self._X[b], self._centers[self._labels[b]]) for b in self._blocks(len(self._X))]
        )

    def start(self, centers: Floats) -> None:
        """Begin anew from these centres."""
        self._centers = centers - self._offset
        self._labels = np.full(len(self._X), -1)
        self._counts = np.zeros(self.n_clusters, np.intp)
        self._sums = np.zeros_like(self._centers)
        # What the row's own centre and the fastest other one may still move together before the label can change.
        self._slack = np.full(len(self._X), -np.inf)
        # Larger than the rounding of any distance, so that skipped rows keep exactly the label that they would get.
        self._margin = 1e-6 * np.sqrt(self._square.max() + (self._centers**2).sum(axis=1).max())

    def assign(self) -> int:
        """Give each row to its nearest centre; return how many rows change. O(k d) for each row that may change."""
        rows = np.flatnonzero(self._slack <= self._margin)
        before = self._labels.take(rows)
        after = np.empty_like(before)
        double, norms = -2 * self._centers, (self._centers**2).sum(axis=1)[:, None]
        for block in self._blocks(len(rows)):
            some = rows[block]
            # Without the term |x|^2, which is the same for every centre of a row.
            partial = double @ self._X.take(some, axis=0).T
            partial += norms
            guess = before[block] if before[block][0] >= 0 else partial.argmin(axis=0)
            after[block], own, other = _two_nearest(partial, guess)
            square = self._square.take(some)
            reach = np.sqrt(np.maximum(own + square, 0)) + np.sqrt(np.maximum(other + square, 0))
            self._slack[some] = (other - own) / np.maximum(reach, self._margin)
        changed = np.flatnonzero(after != before)
        self._move(rows[changed], after[changed])
        return len(changed)

    def fill_empty(self) -> tuple[tuple[int, int], ...]:
        """Give each empty cluster the row that is farthest from its centre; return the clusters and rows.

        Raises
        ------
        ValueError
            If every row lies on its centre already, so that there are fewer distinct rows than clusters.
        """
        empty = np.flatnonzero(self._counts == 0)
        distances = self.distances()
        if distances.max() <= 1e-24 * self._square.max():
            raise too_few_distinct(self._X, self.n_clusters)
        far = np.argpartition(distances, -empty.size)[: -empty.size - 1 : -1]
        self._move(far, empty)
        self._slack[far] = -np.inf
        return tuple(zip(empty.tolist(), far.tolist(), strict=True))

    def update(self) -> Floats:
        """Move each centre to the mean of its rows; return how far each moves. O(k d) and O(n)."""
        counts = self._counts[:, None]
        means = self._sums / np.maximum(counts, 1)
        # As scikit-learn does: a cluster that lost its only row waits at the largest cluster's centre.
        means = np.where(counts > 0, means, means[self._counts.argmax()])
        shift: Floats = np.sqrt(((means - self._centers) ** 2).sum(axis=1))
        self._centers = means
        fastest = shift.argmax()
        other = np.full_like(shift, shift[fastest])
        other[fastest] = np.delete(shift, fastest).max(initial=0.0)
        self._slack -= (shift + other).take(self._labels)
        return shift

    def _move(self, rows: Indices, labels: Indices) -> None:
        """Change the labels of some rows, and the sums and sizes by what that changes."""
        X, before = self._X.take(rows, axis=0), self._labels.take(rows)
        self._sums += self._sum(X, labels) - self._sum(X, before)
        self._counts += np.bincount(labels, minlength=self.n_clusters)
        self._counts -= np.bincount(before[before >= 0], minlength=self.n_clusters)
        self._labels[rows] = labels

    def _sum(self, X: Floats, labels: Indices) -> Floats:
        """Sum the rows of each label, as products with one-hot blocks; label -1 counts nowhere."""
        total = np.zeros((self.n_clusters, X.shape[1]))
        clusters = np.arange(self.n_clusters)[:, None]
        for block in self._blocks(len(X)):
            total += (labels[block] == clusters).astype(float) @ X[block]
        return total

    def _blocks(self, n: int) -> Iterator[slice]:
        """Cut ``n`` rows into blocks that stay in the cache, and below the size at which BLAS starts threads."""
        return (slice(i, i + self._block) for i in range(0, n, self._block))


def squared_distances(X: Floats, points: Floats) -> Floats:
    """Return the squared distance of each row to a point, or to its own point, shape (n_samples,)."""
    difference = X - points
    distances: Floats = np.einsum("ij,ij->i", difference, difference)
    return distances


def too_few_distinct(X: Floats, n_clusters: int) -> ValueError:
    """Return the error for data with fewer distinct rows than clusters."""
    distinct = len(np.unique(X, axis=0))
    return ValueError(
        f"n_clusters={n_clusters} needs at least as many distinct rows, but only {distinct} of {len(X)} are distinct. "
        f"Choose at most {distinct} clusters."
    )


def _two_nearest(distances: Floats, guess: Indices) -> tuple[Indices, Floats, Floats]:
    """Find the smallest and the second smallest number of each column of ``distances``, which is overwritten.

    The smallest is looked for only where the guess is wrong or tied; ties go to the first.
    """
    own, other = _set_apart(distances, guess)
    wrong = np.flatnonzero(other <= own)
    if wrong.size:
        rest = distances[:, wrong]
        rest[guess[wrong], np.arange(wrong.size)] = own[wrong]
        nearest = rest.argmin(axis=0)
        guess = guess.copy()
        guess[wrong] = nearest
        own[wrong], other[wrong] = _set_apart(rest, nearest)
    return guess, own, other


def _set_apart(distances: Floats, labels: Indices) -> tuple[Floats, Floats]:
    """Return the labelled number of each column, and the smallest of the others."""
    flat = labels * distances.shape[1] + np.arange(distances.shape[1])
    own = distances.take(flat)
    distances.put(flat, np.inf)
    return own, distances.min(axis=0)


def _rounded_mean(X: Floats) -> Floats:
    """Return the column means, rounded so that whole numbers stay whole, and ties stay ties, when it is subtracted."""
    spread = np.ptp(X, axis=0)
    unit = np.exp2(np.floor(np.log2(spread, out=np.zeros_like(spread), where=spread > 0)))
    rounded: Floats = np.where(spread > 0, np.rint(X.mean(axis=0) / unit) * unit, X[0])
    return rounded
