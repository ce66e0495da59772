"""The rows that are nearest to a place: metrics as coordinates, and the search in them."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappush, heappushpop
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist
from sklearn.neighbors import NearestNeighbors

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.squares import check_squares, deviations, finite_values
from dmlib.trace import look

Indices = NDArray[np.intp]

EQUAL = 1e-12
"""Distances that differ by a smaller share than this differ by rounding only."""

MAX_DIMENSIONS = 15
"""With more coordinates a k-d tree visits nearly all rows, and matrix products are faster."""

MIN_EIGENVALUE = 1e-10
"""A correlation matrix with a smaller eigenvalue has no inverse that could be trusted."""

BRUTE_FORCE_ROWS = 256
"""Up to so many rows all distances are computed: that is faster than walks through a tree."""

BLOCK = 2048  # queries answered at once
MAX_DISTANCES = 2**22  # in memory at once


class Metric:
    """A distance between rows, written as a Minkowski distance of order ``p`` between coordinates.

    Parameters
    ----------
    name : {"minkowski", "euclidean", "manhattan", "chebyshev", "mahalanobis", "cosine"}
        The metric.
    p : float
        The order of "minkowski".
    matrix : ndarray of shape (n_samples, n_features)
        The stored rows; codes in nominal columns.
    nominal : ndarray of bool of shape (n_features,)
        Which columns are nominal: they count 0 for equal values and 1 for different ones.
    params : mapping
        For "mahalanobis" the covariance matrix ``V`` or its inverse ``VI``; by default the
        covariance of the rows.

    Attributes
    ----------
    p : float
        The order between the coordinates.

    Raises
    ------
    ValueError
        If the metric cannot be used with these rows.

    Examples
    --------
    >>> rows, nominal = np.array([[0.0, 0.0], [3.0, 1.0]]), np.array([False, True])
    >>> metric = Metric("euclidean", 2, rows, nominal, {})
    >>> float(metric.between(metric.coordinates(np.array([[0.0, 1.0]])), metric.stored)[0, 1])
    3.0
    """

    def __init__(
        self,
        name: str,
        p: float,
        matrix: Floats,
        nominal: NDArray[np.bool_],
        params: Mapping[str, Any],
    ) -> None:
        self.name = name
        self.nominal = nominal
        self.p = {"minkowski": float(p), "manhattan": 1.0, "chebyshev": np.inf}.get(name, 2.0)
        if nominal.any() and name in ("mahalanobis", "cosine"):
            raise ValueError(
                f"The {name} distance needs numbers: leave the nominal columns out, "
                "or choose the euclidean, manhattan or chebyshev distance."
            )
        # Two values differ in two of these coordinates, which then add up to 1.
        self._unit = 1.0 if np.isinf(self.p) else 0.5 ** (1 / self.p)
        self._n_values = [int(matrix[:, j].max()) + 1 for j in np.flatnonzero(nominal)]
        self._whiten = _whitening(matrix, params) if name == "mahalanobis" else None
        self.stored = self.coordinates(matrix)

    def coordinates(self, matrix: Floats) -> Floats:
        """Return the coordinates of rows, shape (m, n_coordinates)."""
        if self.name == "cosine":
            largest = np.abs(matrix).max(axis=1, keepdims=True, initial=0.0)
            if not largest.all():
                raise ValueError(
                    "A row of zeros has no direction: choose "
                    "another metric than cosine, or leave it out."
                )
            scaled = matrix / largest  # so that squares neither overflow nor vanish
            directions: Floats = scaled / np.sqrt(np.einsum("ij,ij->i", scaled, scaled))[:, None]
            return directions
        if self._whiten is not None:
            return matrix @ self._whiten
        if not self.nominal.any():
            return matrix
        columns = [matrix[:, ~self.nominal]]
        for n_values, codes in zip(self._n_values, matrix[:, self.nominal].T, strict=True):
            # The last coordinate is for values that no stored row has.
            values = np.where((codes < 0) | (codes >= n_values), n_values, codes)
            columns.append(self._unit * (values[:, None] == np.arange(n_values + 1)))
        return np.hstack(columns)

    def between(self, Z: Floats, W: Floats) -> Floats:
        """Return the distances between two sets of coordinates, shape (m, n)."""
        return self.values(_minkowski(Z, W, self.p))

    def values(self, distances: Floats) -> Floats:
        """Return the metric's values of distances between coordinates: 1 - cos for "cosine"."""
        return distances**2 / 2 if self.name == "cosine" else distances


class Search:
    """Search for the stored rows nearest to query rows; of equidistant ones the first in order.

    A k-d tree or, in many dimensions, matrix products find one candidate more than requested. Where
    the last two are equidistant, all rows within this distance are looked up and the first ones
    taken, so that the answer does not depend on how the search goes.

    Parameters
    ----------
    metric : Metric
        The distance, and the stored rows.
    algorithm : {"auto", "kd_tree", "ball_tree", "brute"}
        How to find candidates. There is one kind of tree; "auto" takes it up to 15 coordinates.
    leaf_size : int
        The number of rows in a leaf of the tree.
    n_jobs : int or None
        Threads of a tree's search; None is 1.

    Examples
    --------
    >>> rows = np.array([[0.0], [2.0], [-2.0], [5.0]])
    >>> search = Search(Metric("euclidean", 2, rows, np.array([False]), {}))
    >>> distances, indices = search.nearest(rows[:1], 2)
    >>> indices.tolist(), distances.tolist()
    ([[0, 1]], [[0.0, 2.0]])
    """

    def __init__(
        self,
        metric: Metric,
        algorithm: str = "auto",
        leaf_size: int = 30,
        n_jobs: int | None = None,
    ) -> None:
        if 1 < metric.p < np.inf:
            check_squares(metric.stored, power=metric.p)
        self.metric = metric
        self.n_jobs = n_jobs or 1
        self.n_rows, n_dimensions = metric.stored.shape
        self._leaf_size = leaf_size
        self._brute = None
        if algorithm == "brute" or (algorithm == "auto" and n_dimensions > MAX_DIMENSIONS):
            # Distances from matrix products keep more digits around zero.
            self._center = metric.stored.mean(axis=0)
            centered = metric.stored - self._center
            self._largest = float(np.einsum("ij,ij->i", centered, centered).max())
            self._brute = NearestNeighbors(algorithm="brute", p=metric.p).fit(centered)
        else:
            _ = self._tree

    @cached_property
    def _tree(self) -> Any:
        return KDTree(self.metric.stored, self._leaf_size, balanced_tree=False)

    def nearest(self, matrix: Floats, k: int, in_order: bool = True) -> tuple[Floats, Indices]:
        """Return distances and indices of the k nearest rows of each row, both of shape (m, k).

        Where they are only counted, ``in_order`` may be false.
        """
        Z = self.metric.coordinates(matrix)
        power = self.metric.p if np.isfinite(self.metric.p) else 1.0
        finite_values(lambda: np.array([np.abs(Z).max(initial=0.0) ** power * Z.shape[1]]))
        parts = [self._block(Z[start : start + BLOCK], k) for start in range(0, len(Z), BLOCK)]
        if in_order:
            parts = [_in_order(*part) for part in parts]
        distances, indices = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        return self.metric.values(distances), indices

    @cached_property
    def _pivot(self) -> tuple[int, Floats]:
        """The stored row farthest from the mean, and its distances to all stored rows."""
        stored = self.metric.stored
        row = int(_minkowski(stored.mean(axis=0, keepdims=True), stored, self.metric.p)[0].argmax())
        return row, _minkowski(stored[[row]], stored, self.metric.p)[0]

    def bounds(self, row: Floats) -> tuple[int, float, Floats]:
        """Return a pivot, its distance to a row, and lower bounds of all distances to the row.

        By the triangle inequality, d(x, i) is at least the difference of d(x, pivot) and d(pivot,
        i). The row has the shape (1, n_features).
        """
        pivot, from_pivot = self._pivot
        place = self.metric.coordinates(row)
        distance = _minkowski(place, self.metric.stored[[pivot]], self.metric.p)[0]
        bounds = self.metric.values(np.abs(distance - from_pivot))
        return pivot, float(self.metric.values(distance)[0]), bounds

    def measured(self, row: Floats, bounds: Floats, k: int) -> Floats:
        """Return the distances that must be computed to find the k nearest of a row; NaN elsewhere.

        Rows are measured in the order of their bounds, until a bound exceeds the distance of the
        k-th nearest so far.
        """
        distances = self.metric.between(self.metric.coordinates(row), self.metric.stored)[0]
        nearest: list[float] = []  # a heap of the negative distances of the k nearest so far
        measured = np.full(self.n_rows, np.nan)
        for i in bounds.argsort(kind="stable").tolist():
            if len(nearest) == k and bounds[i] > -nearest[0] * (1 + EQUAL):
                break
            measured[i] = distances[i]
            if len(nearest) < k:
                heappush(nearest, -measured[i])
            else:
                heappushpop(nearest, -measured[i])
        return measured

    def _block(self, Z: Floats, k: int) -> tuple[Floats, Indices]:
        look()
        if self._brute is None and self.n_rows <= BRUTE_FORCE_ROWS:
            return _of_all(_minkowski(Z, self.metric.stored, self.metric.p), k)
        distances, indices, slack = self._candidates(Z, min(k + 1, self.n_rows))
        if k == self.n_rows:
            return distances, indices
        tied = np.flatnonzero(distances[:, k] <= distances[:, k - 1] + slack)
        distances = distances[:, :k]
        indices = indices[:, :k]
        if tied.size:
            radius = distances[tied, -1] + slack[tied]
            distances[tied], indices[tied] = self._resolve(Z[tied], radius, k)
        return distances, indices

    def _candidates(self, Z: Floats, k: int) -> tuple[Floats, Indices, Floats]:
        """Return distances and indices of k near rows, nearest first, and the distances' error."""
        if self._brute is None:
            ranks = [1] if k == 1 else k  # a list keeps the result two-dimensional
            distances, indices = self._tree.query(Z, ranks, p=self.metric.p, workers=self.n_jobs)
            return distances, indices.astype(np.intp), EQUAL * distances[:, -1]
        centered = Z - self._center
        indices = self._brute.kneighbors(centered, k, return_distance=False).astype(np.intp)
        distances = _paired(Z, self.metric.stored[indices], self.metric.p)
        order = distances.argsort(axis=1, kind="stable")
        distances = np.take_along_axis(distances, order, axis=1)
        last = distances[:, -1]
        error = np.zeros(len(Z))  # of squared distances
        if self.metric.p == 2:
            error = 1e-14 * (np.square(centered).sum(axis=1) + self._largest)
        slack = np.sqrt(last**2 + error) - last + EQUAL * last
        return distances, np.take_along_axis(indices, order, axis=1), slack

    def _resolve(self, Z: Floats, radius: Floats, k: int) -> tuple[Floats, Indices]:
        """Return the k nearest of all rows within a radius that contains at least k of them."""
        # Where so many rows are equidistant, many queries are equal too.
        Z, first, back = np.unique(Z, axis=0, return_index=True, return_inverse=True)
        radius = radius[first]
        row, index = self._within(Z, radius * (1 + 2 * EQUAL))
        sizes = np.bincount(row, minlength=len(Z))
        distance = _paired(Z[row], self.metric.stored[index][:, None], self.metric.p)[:, 0]
        order = np.lexsort((distance, row))
        starts = np.cumsum(sizes) - sizes
        last = distance[order][starts + k - 1]  # how far the k-th is
        nearer = distance < (last * (1 - EQUAL))[row]
        order = np.lexsort((index, ~nearer, row))
        chosen = order[(starts[:, None] + np.arange(k)).ravel()].reshape(-1, k)
        return distance[chosen][back], index[chosen][back]

    def _within(self, Z: Floats, radius: Floats) -> tuple[Indices, Indices]:
        """Return all pairs of a row of ``Z`` and a stored row within its radius, row by row."""
        if self._brute is None:
            balls = self._tree.query_ball_point(Z, radius, p=self.metric.p, workers=self.n_jobs)
            sizes = np.fromiter(map(len, balls), np.intp, len(balls))
            index = np.fromiter(chain.from_iterable(balls), np.intp, sizes.sum())
            return np.repeat(np.arange(len(Z)), sizes), index
        # A tree would visit nearly all rows in so many dimensions, one by one.
        n_rows = max(1, MAX_DISTANCES // self.n_rows)
        parts = []
        for start in range(0, len(Z), n_rows):
            part = slice(start, start + n_rows)
            row, index = np.nonzero(
                _minkowski(Z[part], self.metric.stored, self.metric.p) <= radius[part, None]
            )
            parts.append((row + start, index))
        row, index = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        return row, index


def _of_all(distances: Floats, k: int) -> tuple[Floats, Indices]:
    """Return the k smallest of all distances (m, n) of each row, in the order of the columns."""
    if k == distances.shape[1]:
        return distances, np.broadcast_to(np.arange(k), distances.shape)
    last = np.partition(distances, k - 1, axis=1)[:, [k - 1]]  # how far the k-th is
    chosen = distances <= last * (1 + EQUAL)
    crowded = np.flatnonzero(np.count_nonzero(chosen, axis=1) > k)
    if crowded.size:
        nearer = distances[crowded] < last[crowded] * (1 - EQUAL)
        equal = chosen[crowded] & ~nearer
        places = k - np.count_nonzero(nearer, axis=1)[:, None]
        chosen[crowded] = nearer | (equal & (equal.cumsum(axis=1) <= places))
    indices = np.nonzero(chosen)[1].reshape(-1, k)
    return np.take_along_axis(distances, indices, axis=1), indices


def _in_order(distances: Floats, indices: Indices) -> tuple[Floats, Indices]:
    """Return neighbours sorted by distance; where that is equal, by index."""
    order = distances.argsort(axis=1)
    distances = np.take_along_axis(distances, order, axis=1)
    indices = np.take_along_axis(indices, order, axis=1)
    differ = np.diff(distances, axis=1) > EQUAL * distances[:, 1:]
    if differ.all():
        return distances, indices
    group = np.hstack([np.zeros((len(distances), 1), np.intp), differ.cumsum(axis=1)])
    order = np.lexsort((indices, group), axis=1)
    return np.take_along_axis(distances, order, axis=1), np.take_along_axis(indices, order, axis=1)


def _paired(Z: Floats, neighbors: Floats, p: float) -> Floats:
    """Return the distances of each row to its own neighbours, shape (m, k, n_coordinates)."""
    differences = Z[:, None] - neighbors
    if p in (1, 2, np.inf):
        norms: Floats = np.linalg.norm(differences, p, axis=2)
        return norms
    largest = np.abs(differences).max(axis=-1, keepdims=True)
    scaled = np.abs(differences) / np.where(largest > 0, largest, 1)
    sums: Floats = largest[..., 0] * (scaled**p).sum(axis=-1) ** (1 / p)
    return sums


def _minkowski(Z: Floats, W: Floats, p: float) -> Floats:
    """Return all distances between two sets of coordinates."""
    distances: Floats
    if np.isinf(p):
        distances = cdist(Z, W, "chebyshev")
    elif p == 2:
        distances = cdist(Z, W)
    else:
        distances = cdist(Z, W, "minkowski", p=p)
    return distances


def _whitening(matrix: Floats, params: Mapping[str, Any]) -> Floats:
    """Return W with W W' the inverse covariance matrix.

    The Euclidean distance of x W is the Mahalanobis distance of x.
    """
    if "VI" not in params and "V" not in params and len(matrix) < 2:
        raise ValueError(
            "The mahalanobis distance needs at least 2 rows: add rows, or choose another metric."
        )
    try:
        if "VI" in params:
            return _factor(np.asarray(params["VI"], float))
        away = deviations(matrix)
        covariance = (
            np.asarray(params["V"], float) if "V" in params else away.T @ away / (len(away) - 1)
        )
        sd = np.sqrt(np.diagonal(covariance))
        correlation = covariance / np.outer(sd, sd) if sd.all() else np.zeros_like(covariance)
        if np.linalg.eigvalsh(correlation)[0] > MIN_EIGENVALUE:
            return _factor(np.linalg.inv(correlation)) / sd[:, None]
    except np.linalg.LinAlgError:
        pass
    raise ValueError(
        "The covariance matrix has no inverse, because a column is constant or follows from the "
        "others: leave such a column out, add rows, or choose another metric than mahalanobis."
    )


def _factor(inverse: Floats) -> Floats:
    return np.linalg.cholesky(inverse).astype(np.float64)


def without_self(distances: Floats, indices: Indices) -> tuple[Floats, Indices]:
    """Drop each row from its own neighbours; the last one if it is not among them."""
    # A row with many duplicates may not be among its own neighbours.
    own = indices == np.arange(len(indices))[:, None]
    own[:, -1] |= ~own.any(axis=1)
    shape = (len(indices), indices.shape[1] - 1)
    return distances[~own].reshape(shape), indices[~own].reshape(shape)
