"""Neighbours and distances of rows, for density-based clustering."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import PAIRWISE_BOOLEAN_FUNCTIONS
from sklearn.neighbors import VALID_METRICS, NearestNeighbors, sort_graph_by_row_values
from sklearn.utils import check_array

from dmlib.arrays import Floats
from dmlib.classification.kernels import Kernel
from dmlib.clustering.kernel_distance import kernel_distances
from dmlib.squares import check_squares

Indices = NDArray[np.intp]

MINKOWSKI = {
    "euclidean": 2.0,
    "l2": 2.0,
    "manhattan": 1.0,
    "cityblock": 1.0,
    "l1": 1.0,
    "chebyshev": np.inf,
    "infinity": np.inf,
}
"""The exponents of Minkowski's metrics that have names."""

NAMES = {1.0: "cityblock", 2.0: "euclidean", np.inf: "chebyshev"}
"""What SciPy calls them."""

METRICS = frozenset(
    name for names in VALID_METRICS.values() for name in names if isinstance(name, str)
)
"""All metrics that have a name, as in scikit-learn; "precomputed" for a matrix of distances."""

MAX_DIMENSIONS = 15
"""From more columns on a k-d tree looks at almost every row, and products of matrices are
faster."""

MAX_PAIRS = 300_000_000
"""Pairs of rows that are kept at once, 16 bytes each."""


class Neighbors:
    """The rows of a table, indexed for queries of neighbours.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        The rows; with ``metric="precomputed"`` their distances, of shape (n_samples, n_samples) and
        symmetric. In a sparse matrix of distances a missing entry is an infinite distance.
    metric : str, callable or Kernel
        One of ``METRICS``, a function of two rows, or a kernel, whose feature space has the
        distances.
    p : float, optional
        The exponent of the metric "minkowski"; by default 2.
    metric_params : mapping, optional
        Further arguments of the metric.
    algorithm : {"auto", "kd_tree", "ball_tree", "brute"}
        "auto" is a k-d tree of SciPy where one serves; the others are scikit-learn's.
    leaf_size : int
        The number of rows from which a tree no longer divides them.
    n_jobs : int, optional
        How many processors scikit-learn's search uses.

    Raises
    ------
    ValueError
        If the metric has no such name, or the squares of the values overflow.

    Notes
    -----
    The tree compares differences of coordinates, so that ties stay ties. A query costs about O(log
    n) in a few dimensions, and tends to O(n) in many.

    References
    ----------
    J. L. Bentley (1975), Multidimensional binary search trees used for associative searching.

    Examples
    --------
    >>> near = Neighbors(np.array([[0.0], [1.0], [3.0]]))
    >>> near.pairs(1.0).tolist(), near.kth(2).tolist(), near.distances(2).tolist()
    ([[0, 1]], [1.0, 1.0, 2.0], [3.0, 2.0, 0.0])
    """

    def __init__(
        self,
        X: Any,
        *,
        metric: Any = "euclidean",
        p: float | None = None,
        metric_params: Mapping[str, Any] | None = None,
        algorithm: str = "auto",
        leaf_size: int = 30,
        n_jobs: int | None = None,
    ) -> None:
        if isinstance(metric, Kernel):
            X = kernel_distances(metric, X)
            metric, metric_params, algorithm = "precomputed", None, "auto"
        _check_metric(metric)
        if metric in PAIRWISE_BOOLEAN_FUNCTIONS:
            X = X.astype(bool)
        self._X, self._metric = X, metric
        self._tree: Any = None
        self._params = dict(metric_params or {})
        self._p = (p or 2.0) if metric == "minkowski" else MINKOWSKI.get(metric, 0.0)
        self._plain = not (sparse.issparse(X) or self._params) and self._p in NAMES
        if self._plain:
            check_squares(X)
            if algorithm == "auto" and X.shape[1] <= MAX_DIMENSIONS:
                self._tree = cKDTree(X, leafsize=leaf_size)
                return
        if metric == "precomputed" and sparse.issparse(X):
            self._X = _with_diagonal(X)
        search = NearestNeighbors(
            algorithm=algorithm,
            leaf_size=leaf_size,
            metric=metric,
            p=p or (None if "p" in self._params else 2.0),
            metric_params=metric_params,
            n_jobs=n_jobs,
        )
        self._search = search.fit(self._X)

    def pairs(self, radius: float) -> Indices:
        """Return the pairs of rows at most ``radius`` apart, shape (n_pairs, 2).

        The lower row comes first.

        Raises
        ------
        ValueError
            If there are too many to be kept.
        """
        if self._tree is not None:
            self._check_number(radius)
            pairs: Indices = self._tree.query_pairs(radius, p=self._p, output_type="ndarray")
            return pairs
        graph = self._search.radius_neighbors_graph(self._X, radius)
        return np.column_stack(sparse.triu(graph.maximum(graph.T), 1).nonzero()).astype(np.intp)

    def kth(self, k: int) -> Floats:
        """Return the distance of each row to its k-th nearest row, itself being the first."""
        if self._tree is None:
            kth: Floats = self._search.kneighbors(self._X, k)[0][:, -1]
            return kth
        rows = self._X
        distances, nearest = self._tree.query(rows, [k], p=self._p)
        if self._p != 2:
            return np.asarray(distances[:, 0])
        # The tree adds the squares of many columns in an order of its own; added one after the
        # other, distances that are equal stay equal, here and in scikit-learn.
        differences = np.ascontiguousarray((rows - rows[nearest[:, 0]]).T)
        return np.asarray(np.sqrt((differences**2).sum(axis=0)))

    def distances(self, row: int) -> Floats:
        """Return the distances of one row to all rows, shape (n_samples,)."""
        if self._plain:
            return _minkowski(self._X[row], self._X, self._p)
        point = self._X[[row]]
        if self._metric == "precomputed":
            return (
                _listed_distances(point) if sparse.issparse(point) else np.asarray(point[0], float)
            )
        power = {"p": self._p} if self._metric == "minkowski" else {}
        distances: Floats = pairwise_distances(
            point, self._X, self._metric, **power | self._params
        )[0]
        return distances

    def within(self, row: int, radius: float) -> tuple[Indices, Floats]:
        """Return the rows at most ``radius`` from a row, ascending, and their distances."""
        if self._tree is None or not np.isfinite(radius):
            distances = self.distances(row)
            rows = np.flatnonzero(distances <= radius)
            return rows, distances[rows]
        point = self._X[row]
        rows = np.array(
            self._tree.query_ball_point(point, radius, p=self._p, return_sorted=True), np.intp
        )
        return rows, _minkowski(point, self._X[rows], self._p)

    def _check_number(self, radius: float) -> None:
        """Estimate the number of pairs from a sample of the rows, before memory is allocated."""
        n_samples = len(self._X)
        sample = self._X[:: n_samples // 500 + 1]
        mean = self._tree.query_ball_point(sample, radius, p=self._p, return_length=True).mean()
        if mean * n_samples / 2 > MAX_PAIRS:
            raise ValueError(
                f"A row has about {mean:.0f} rows within a distance of {radius:g}, "
                f"which makes too many pairs among {n_samples} rows. "
                "Choose a smaller distance or take a sample of the rows."
            )


def k_distances(X: ArrayLike, k: int, *, metric: Any = "euclidean") -> Floats:
    """Return the distance of each row to its k-th nearest other row.

    Sorted and drawn, these distances show which ``eps`` separates dense rows from the rest (Ester
    et al., 1996, section 4.2): where the curve bends. A row is a core point of ``DBSCAN(eps,
    min_samples=k + 1)`` exactly if its k-distance is at most ``eps``, because DBSCAN counts the row
    itself.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The rows; with ``metric="precomputed"`` their distances.
    k : int
        Which neighbour, from 1 to n_samples - 1; the row itself is not counted.
    metric : str or callable, default="euclidean"
        The distance, as for ``DBSCAN``.

    Returns
    -------
    ndarray of shape (n_samples,)
        The distances, in the order of the rows.

    Raises
    ------
    ValueError
        If there is no k-th neighbour.

    Examples
    --------
    >>> k_distances([[0.0], [1.0], [3.0]], 1).tolist()
    [1.0, 1.0, 2.0]
    """
    rows = check_array(X, accept_sparse="csr", dtype=np.float64)
    n_samples = rows.shape[0]
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 1 <= k < n_samples:
        raise ValueError(
            f"k must be a whole number from 1 to {n_samples - 1}, "
            f"the number of other rows; it was {k!r}."
        )
    return Neighbors(rows, metric=metric).kth(int(k) + 1)


def _check_metric(metric: Any) -> None:
    is_named = isinstance(metric, str) and metric in METRICS
    if not (is_named or callable(metric)):
        names = ", ".join(sorted(METRICS))
        raise ValueError(f"metric must be a function or one of {names}; it was {metric!r}.")


def _minkowski(point: Floats, points: Floats, p: float) -> Floats:
    """Return the distances of a point to points from the differences of their coordinates."""
    distances: Floats = cdist(point[None], points, NAMES[p])[0]
    return distances


def _listed_distances(row: Any) -> Floats:
    """Return the distances of a row of a sparse matrix; those that are missing are infinite."""
    distances = np.full(row.shape[1], np.inf)
    distances[row.indices] = row.data
    return distances


def _with_diagonal(distances: Any) -> Any:
    """Return a sparse matrix of distances in which each row is explicitly its own neighbour."""
    copy = distances.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sparse.SparseEfficiencyWarning)
        copy.setdiag(copy.diagonal())
    return sort_graph_by_row_values(copy, warn_when_not_sorted=False)


def refuse_constant_rows(X: Floats) -> None:
    """Refuse rows that have no correlation with others.

    Raises
    ------
    ValueError
        If all numbers of a row are equal.

    Examples
    --------
    >>> refuse_constant_rows(np.array([[1.0, 2.0], [3.0, 3.0]]))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: Some rows have the same number in all columns, ...
    """
    if (X[:, :1] == X).all(axis=1).any():
        raise ValueError(
            "Some rows have the same number in all columns, so that they correlate with none. "
            "Choose another metric, or leave such rows out."
        )
