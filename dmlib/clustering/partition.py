"""The rows of a table divided among centres, kept up to date while the centres move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.squares import check_squares

Indices = NDArray[np.intp]
Labels = NDArray[np.integer[Any]]


class Partition:
    """Rows, centres, and which row belongs to which centre.

    ``start``, then ``assign`` and ``update`` in turn, is Lloyd's algorithm. The attributes are
    replaced when they change, never overwritten, so that a step may keep them.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The rows; a shifted copy is kept.
    n_clusters : int
        The number of centres.

    Attributes
    ----------
    centers : ndarray of shape (n_clusters, n_features)
        The centres.
    labels : ndarray of shape (n_samples,)
        The centre of each row; -1 before the first assignment.
    counts : ndarray of shape (n_clusters,)
        The number of rows of each centre.

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
        check_squares(X)
        self._offset = _central_row(X)
        # |x - c|^2 = x . (-2 c) + 1 |c|^2 + |x|^2 1: all squared distances of a block are one
        # matrix product.
        self._terms = np.ones((len(X), X.shape[1] + 2))
        self._X, self._square = self._terms[:, :-2], self._terms[:, -1]
        np.subtract(X, self._offset, out=self._X)
        np.einsum("ij,ij->i", self._X, self._X, out=self._square)
        total = float(self._square.sum())
        if not np.isfinite(total):
            raise ValueError(
                "The squares of the values are too large for a computer number. "
                "Standardise the columns."
            )
        self._block = max(512, 2**17 // n_clusters)  # rows whose distances fit into the cache
        # Above 2^18 multiplications in a product OpenBLAS starts threads, which brings little here,
        # and takes a hundred times as long when the other cores are busy.
        self._piece = max(16, 2**18 // (n_clusters * self._terms.shape[1]))

    @property
    def mean_variance(self) -> float:
        """The mean over the columns of their variances (divisor n)."""
        n_features = self._X.shape[1]
        mean = self._X.mean(axis=0)
        return max(0.0, float(self._square.mean()) - float(mean @ mean)) / float(n_features)

    @property
    def inertia(self) -> float:
        """The SSE, from the sums of the clusters alone: O(k d)."""
        return max(0.0, float(np.vdot(self._weights, self._sums)))

    def distances(self) -> Floats:
        """Return the squared distance of each row to its centre, from the differences."""
        blocks = _blocks(len(self._X), self._block)
        return np.concatenate(
            [
                squared_distances(self._X[b], self._centers.take(self.labels[b], axis=0))
                for b in blocks
            ]
        )

    def start(self, centers: Floats) -> None:
        """Begin anew from these centres."""
        self._place(centers - self._offset)
        self.labels = np.full(len(self._X), -1, np.int32)
        self.counts = np.zeros(self.n_clusters, np.intp)
        self._sums = np.zeros((self.n_clusters, self._terms.shape[1]))
        # What the row's own centre and the fastest other one may still move together before the
        # label can change.
        self._slack = np.full(len(self._X), -np.inf)
        # Larger than the rounding of any distance, so that skipped rows keep exactly the label that
        # they would get.
        self._margin = 1e-6 * np.sqrt(self._square.max() + self._weights[:, -2].max())

    def assign(self) -> int:
        """Give each row to its nearest centre; return the number of changed rows.

        O(k d) for each row that may change.
        """
        rows = np.flatnonzero(self._slack <= self._margin)
        before = self.labels.take(rows)
        after = np.empty_like(before)
        for block in _blocks(len(rows), self._block):
            block_rows = rows[block]
            squares = self._squared_distances(block_rows)
            guess = before[block] if before[0] >= 0 else squares.argmin(axis=0)
            after[block], own, second = _two_nearest(squares, guess)
            self._slack[block_rows] = _root(second) - _root(own)
        changed = np.flatnonzero(after != before)
        self._move(rows[changed], after[changed])
        return len(changed)

    def fill_empty(self) -> tuple[tuple[int, int], ...]:
        """Give each empty cluster the row farthest from its centre; return (cluster, row) pairs.

        Raises
        ------
        ValueError
            If every row lies on its centre already, so that there are fewer distinct rows than
            clusters.
        """
        empty = np.flatnonzero(self.counts == 0)
        distances = self.distances()
        if distances.max() <= 1e-24 * self._square.max():
            raise too_few_distinct(self._X, self.n_clusters)
        far = np.argpartition(distances, -empty.size)[: -empty.size - 1 : -1]
        self._move(far, empty)
        self._slack[far] = -np.inf
        return tuple(zip(empty.tolist(), far.tolist(), strict=True))

    def update(self) -> Floats:
        """Move each centre to the mean of its rows; return how far each moves. O(k d) and O(n)."""
        means = self._sums[:, :-2] / np.maximum(self.counts, 1)[:, None]
        if not self.counts.all():
            # As scikit-learn does: a cluster that lost its only row waits at the largest cluster's
            # centre.
            means[self.counts == 0] = means[self.counts.argmax()]
        shift: Floats = np.sqrt(squared_distances(means, self._centers))
        self._place(means)
        second, first = sorted([0.0, *shift.tolist()])[-2:]
        fastest_other = np.where(shift < first, first, second)
        self._slack -= (shift + fastest_other).take(self.labels)
        return shift

    def _move(self, rows: Indices, labels: Labels) -> None:
        """Change the labels of some rows, and the sums and sizes by what that changes."""
        before, self.labels = self.labels, self.labels.copy()
        self.labels[rows] = labels
        clusters = np.arange(self.n_clusters)[:, None]
        for block in _blocks(len(rows), self._piece):
            block_rows = rows[block]
            joins = (labels[block] == clusters).astype(float)
            joins -= before.take(block_rows) == clusters
            self._sums += joins @ self._terms.take(block_rows, axis=0)
        self.counts = self._sums[:, -2].astype(np.intp)

    def _place(self, centers: Floats) -> None:
        """Set the centres, and their side of the product that gives the squared distances."""
        self._centers, self.centers = centers, centers + self._offset
        self._weights = np.ones((self.n_clusters, self._terms.shape[1]))
        self._weights[:, :-2] = -2 * centers
        self._weights[:, -2] = squared_distances(centers, 0.0)

    def _squared_distances(self, rows: Indices) -> Floats:
        """Return the squared distances of some rows to all centres, shape (n_clusters, n_rows)."""
        squares = np.empty((self.n_clusters, len(rows)))
        for piece in _blocks(len(rows), self._piece):
            np.matmul(self._weights, self._terms.take(rows[piece], axis=0).T, out=squares[:, piece])
        return squares


def _blocks(n: int, size: int) -> Iterator[slice]:
    """Cut ``n`` rows into slices."""
    return (slice(i, i + size) for i in range(0, n, size))


def squared_distances(X: Floats, points: Floats | float) -> Floats:
    """Return the squared distance of each row to a point, or to its own point."""
    difference = X - points
    distances: Floats = np.einsum("ij,ij->i", difference, difference)
    return distances


def too_few_rows(n_samples: int, n_clusters: int) -> ValueError:
    """Return the error for data with fewer rows than clusters."""
    return ValueError(
        f"n_clusters={n_clusters} needs at least as many rows, "
        f"but n_samples={n_samples}. Choose fewer clusters."
    )


def too_few_distinct(X: Floats, n_clusters: int) -> ValueError:
    """Return the error for data with fewer distinct rows than clusters."""
    distinct = len(np.unique(X, axis=0))
    return ValueError(
        f"n_clusters={n_clusters} needs at least as many distinct rows, "
        f"but only {distinct} of {len(X)} are distinct. "
        f"Choose at most {distinct} {'cluster' if distinct == 1 else 'clusters'}."
    )


def _two_nearest(distances: Floats, guess: Labels) -> tuple[Labels, Floats, Floats]:
    """Return the place of the smallest number of each column, that number and the second smallest.

    ``distances`` is overwritten.

    The smallest is looked for only where the guess is wrong or tied; ties go to the first.
    """
    own, second = _set_apart(distances, guess)
    wrong = np.flatnonzero(second <= own)
    if wrong.size:
        remaining = distances[:, wrong]
        remaining[guess[wrong], np.arange(wrong.size)] = own[wrong]
        nearest = remaining.argmin(axis=0)
        guess = guess.copy()
        guess[wrong] = nearest
        own[wrong], second[wrong] = _set_apart(remaining, nearest)
    return guess, own, second


def _set_apart(distances: Floats, labels: Labels) -> tuple[Floats, Floats]:
    """Return the labelled number of each column, and the smallest of the others."""
    width = distances.shape[1]
    flat = labels.astype(np.intp)
    flat *= width
    flat += np.arange(width)
    own = distances.take(flat)
    distances.reshape(-1)[flat] = np.inf
    return own, distances.min(axis=0)


def _root(squares: Floats) -> Floats:
    roots: Floats = np.sqrt(np.maximum(squares, 0.0))
    return roots


def _central_row(X: Floats) -> Floats:
    """Return the row nearest the mean, among a thousand.

    As the origin it avoids the cancellation of large numbers as the mean does, and keeps whole
    numbers whole, so that ties stay ties.
    """
    sample = X[:: len(X) // 1000 + 1]
    row: Floats = sample[squared_distances(sample, sample.mean(axis=0)).argmin()]
    return row
