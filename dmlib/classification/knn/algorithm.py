"""k nearest neighbours: the rows that are most alike vote."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.neighbors._base import KNeighborsMixin
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns, check_columns, new_rows, read_classes
from dmlib.classification.knn.ranges import knn_ranges
from dmlib.classification.nearest import Metric, Search
from dmlib.params import Choice, Conditions, Integer, Number, Param, Ranges, check_params
from dmlib.trace import look

Indices = NDArray[np.intp]

# They change the speed only, so they have no control.
SEARCH_PARAMS: Mapping[str, Param] = {
    "algorithm": Choice(("auto", "kd_tree", "ball_tree", "brute")),
    "leaf_size": Integer(1, 1_000_000),
}
SYNONYMS = {"l1": "manhattan", "cityblock": "manhattan", "l2": "euclidean"}


@dataclass(frozen=True)
class NeighborStep:
    """One step of classifying one row.

    Attributes
    ----------
    phase : {"store", "bound", "measure", "join", "vote"}
        All rows were stored; the triangle inequality gave each row a distance that it has at least;
        the rows that may be near were measured; the next nearest row joined the neighbours; the
        votes were counted.
    pivot : int
        The stored row whose distances to all others are known beforehand.
    pivot_distance : float
        How far the row in question is from the pivot; NaN in "store".
    bounds : ndarray of shape (n_samples,)
        What the distance of each stored row is at least: the difference of the two distances to the
        pivot.
    distances : ndarray of shape (n_samples,)
        The distances that were measured; NaN for the rest, which was pruned.
    neighbors : ndarray of shape (n_joined,)
        The stored rows that have joined so far, nearest first.
    weights : ndarray of shape (n_joined,)
        Their votes.
    votes : ndarray of shape (n_classes,)
        The sums of the votes of each class.
    winner : int or None
        The class with the most votes so far; None before the first neighbour.
    """

    phase: str
    pivot: int
    pivot_distance: float
    bounds: Floats
    distances: Floats
    neighbors: Indices
    weights: Floats
    votes: Floats
    winner: int | None


class KNeighborsClassifier(KNeighborsMixin, ClassifierMixin, BaseEstimator):
    """Give a row the class that most of its k nearest neighbours have.

    Nothing is computed in learning: the rows are stored. A new row is compared with them, and the k
    nearest vote.

    Parameters
    ----------
    n_neighbors : int, default=5
        The number of neighbours, k.
    weights : {"uniform", "distance"} or callable, default="uniform"
        A neighbour's vote: 1, or 1 / distance; neighbours at distance 0 then outvote all others. A
        callable turns an array of distances into votes.
    algorithm : {"auto", "kd_tree", "ball_tree", "brute"}, default="auto"
        How neighbours are found; it does not change which. "auto": a k-d tree up to 15 coordinates,
        else products of matrices. "ball_tree" is the same tree as "kd_tree".
    leaf_size : int, default=30
        The number of rows in a leaf of the tree; it changes the speed only.
    p : float, default=2.0
        The order of the Minkowski distance: 1 is manhattan, 2 euclidean, the larger the nearer to
        chebyshev.
    metric : {"minkowski", "euclidean", "manhattan", "chebyshev", "mahalanobis", "cosine"}, default="minkowski"
        The distance. "mahalanobis" divides by the covariance of the stored rows; "cosine" is 1 -
        cos of the angle.
    missing : {"error", "typical"}, default="error"
        What to do with missing values: refuse them, or take the mean (of a nominal column the most
        frequent value) of the stored rows instead.
    metric_params : dict, default=None
        For "mahalanobis" another covariance matrix ``V``, or its inverse ``VI``.
    n_jobs : int, default=None
        Threads that search the tree; None is 1, -1 all.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    n_samples_fit_ : int
        The number of stored rows.
    n_features_in_ : int
        The number of columns.
    stored_ : ndarray of shape (n_samples, n_features)
        The rows, in nominal columns the places of the values among the column's values.
    typical_ : ndarray of shape (n_features,)
        Their means, in nominal columns the most frequent value.
    metric_ : Metric
        The distance.
    effective_metric_ : str
        Its name; "minkowski" by its common name where it has one.

    Raises
    ------
    ValueError
        If a value is missing, a metric cannot be used with the columns, or there are fewer rows
        than neighbours.

    Notes
    -----
    Comparing with all n rows costs O(n d) for a query; a k-d tree needs O(log n) of them in few
    dimensions.

    Equally near rows (up to rounding) join in the order in which they are stored; a tie of the
    votes goes to the class that sorts first. scikit-learn resolves both alike, but near ties as its
    search happens to meet them.

    A nominal column (text, categories, true and false in a data frame) counts 0 for equal values
    and 1 for different ones, among numeric columns that are used as they are: scale these.

    References
    ----------
    T. M. Cover and P. E. Hart (1967), Nearest neighbor pattern classification.
    S. A. Dudani (1976), The distance-weighted k-nearest-neighbor rule.
    J. L. Bentley (1975), Multidimensional binary search trees used for associative searching.
    E. Vidal (1986), An algorithm for finding nearest neighbours in (approximately) constant average
    time (pruning).

    Examples
    --------
    >>> model = KNeighborsClassifier(3).fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    >>> model.predict([[1.1]]).tolist(), model.predict_proba([[0.9]]).round(3).tolist()
    (['a'], [[0.667, 0.333]])
    >>> [step.votes.tolist() for step in model.explain_steps([1.1]) if step.phase == "join"]
    [[1.0, 0.0], [1.0, 1.0], [2.0, 1.0]]
    """

    APPLIES: ClassVar[Conditions] = {"p": ("metric", ("minkowski",))}
    RANGES: ClassVar[Ranges] = staticmethod(knn_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_neighbors": Integer(1, 1_000_000, shown=(1, 50)),
        "weights": Choice(("uniform", "distance")),
        "metric": Choice(
            ("minkowski", "euclidean", "manhattan", "chebyshev", "mahalanobis", "cosine")
        ),
        "p": Number(1.0, float("inf"), shown=(1.0, 10.0), log=True),
        "missing": Choice(("error", "typical")),
    }

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: str | Callable[[Floats], Floats] = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2.0,
        metric: str = "minkowski",
        missing: str = "error",
        metric_params: Mapping[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.missing = missing
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Store the rows of ``X`` and their classes ``y``."""
        given = self.get_params() | {"metric": SYNONYMS.get(self.metric, self.metric)}
        if callable(self.weights):
            given["weights"] = "uniform"
        check_params({**self.PARAMS, **SEARCH_PARAMS}, given)
        check_columns(self, X, y)
        self._columns, matrix = Columns.read(X)
        self.classes_, self._codes = read_classes(y, matrix)
        self.typical_ = self._columns.typical(matrix)
        self.stored_ = self._filled(matrix)
        metric = Metric(
            given["metric"], self.p, self.stored_, self._columns.nominal, self.metric_params or {}
        )
        self._search = Search(metric, self.algorithm, self.leaf_size, self.n_jobs)
        self.n_samples_fit_ = len(self.stored_)
        names = {1.0: "manhattan", 2.0: "euclidean", np.inf: "chebyshev"}
        self.effective_metric_ = (
            names.get(metric.p, "minkowski") if metric.name == "minkowski" else metric.name
        )
        return self

    @property
    def metric_(self) -> Metric:
        """The distance, once rows are stored."""
        metric: Metric = self._search.metric
        return metric

    def kneighbors(
        self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> Any:
        """Return the nearest stored rows of each row.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), optional
            The rows; by default the stored ones, of which none is then its own neighbour.
        n_neighbors : int, optional
            How many; by default ``n_neighbors``.
        return_distance : bool
            Whether to return the distances too.

        Returns
        -------
        distances : ndarray of shape (n_queries, n_neighbors)
            Only with ``return_distance``; sorted.
        indices : ndarray of shape (n_queries, n_neighbors)
            Their places among the stored rows.

        Raises
        ------
        ValueError
            If there are fewer stored rows.
        """
        check_is_fitted(self)
        k = self._checked(
            self.n_neighbors if n_neighbors is None else n_neighbors,
            self.n_samples_fit_ - 1 if X is None else None,
        )
        if X is None:
            distances, indices = _without_self(*self._search.nearest(self.stored_, k + 1))
        else:
            distances, indices = self._search.nearest(
                self._filled(new_rows(self, self._columns, X)), k
            )
        return (distances, indices) if return_distance else indices

    def predict_proba(self, X: Any) -> Floats:
        """Return each class's share of the votes (columns, as in ``classes_``); ``X`` may be None as in ``predict``."""
        distances, indices = self.kneighbors(X) if X is None else self._voters(X)
        votes = self._count(indices, self.vote_weights(distances))
        shares: Floats = votes / votes.sum(axis=1, keepdims=True)
        return shares

    def _voters(self, X: Any) -> tuple[Floats, Indices]:
        """Return what ``kneighbors`` does, in any order: to be counted they need not stand in line."""
        check_is_fitted(self)
        k, matrix = self._checked(self.n_neighbors), self._filled(new_rows(self, self._columns, X))
        return self._search.nearest(matrix, k, in_order=callable(self.weights))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row; with None the class that each stored row would get from the others."""
        winners = self.predict_proba(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[winners]
        return labels

    def cumulative_votes(self, X: Any, n_neighbors: int) -> Iterator[Floats]:
        """Yield the votes, shape (n_queries, n_classes), of the nearest neighbour, of the two nearest, and so on.

        The array that is yielded changes from one to the next.
        """
        distances, indices = self.kneighbors(X, n_neighbors)
        weights, codes = self.vote_weights(distances), self._codes[indices]
        votes, rows = np.zeros((len(indices), len(self.classes_))), np.arange(len(indices))
        for k in range(n_neighbors):
            look()
            votes[rows, codes[:, k]] += weights[:, k]
            yield votes

    def vote_weights(self, distances: Floats) -> Floats:
        """Return the votes of neighbours at these distances, nearest first in each row."""
        if callable(self.weights):
            weights: Floats = np.asarray(self.weights(distances), float)
            if not weights.any(axis=-1).all():
                raise ValueError(
                    "All neighbors of some sample is getting zero weights. Please modify 'weights'"
                    " to avoid this case if you are using a user-defined function."
                )
            return weights
        if self.weights == "uniform":
            return np.ones(distances.shape)
        same = distances == 0
        return np.where(same.any(axis=-1, keepdims=True), same, 1 / np.where(same, 1, distances))

    def steps(self, X: Any, y: Any = None) -> Iterator[NeighborStep]:
        """Yield that the rows are stored, then how the row in their middle is classified.

        Its numeric columns have the mean, its nominal ones the most frequent value. For any other
        row, fit and call
        :meth:`explain_steps`.
        """
        model = clone(self).fit(X, y)
        pivot, _, _ = model._search.bounds(model.typical_[None])
        unknown = np.full(model.n_samples_fit_, np.nan)
        nobody, votes = np.empty(0, np.intp), np.zeros(len(model.classes_))
        yield NeighborStep(
            "store", pivot, np.nan, unknown, unknown, nobody, np.empty(0), votes, None
        )
        yield from model._explain(model.typical_)

    def explain_steps(self, x: Any) -> Iterator[NeighborStep]:
        """Yield how one row is classified: what need not be measured, what is, and the neighbours as they join.

        Parameters
        ----------
        x : sequence of n_features values, array of shape (1, n_features), or DataFrame of one row
            The row.

        Raises
        ------
        ValueError
            If ``x`` has another number of values, a missing one, or there are fewer stored rows
            than neighbours.
        """
        check_is_fitted(self)
        yield from self._explain(self._columns.encode(self._columns.frame(x))[0])

    def _explain(self, row: Floats) -> Iterator[NeighborStep]:
        row = self._filled(row[None])
        neighbor_distances, neighbors = (
            a[0] for a in self._search.nearest(row, self._checked(self.n_neighbors))
        )
        weights = self.vote_weights(neighbor_distances[None])[0]
        pivot, pivot_distance, bounds = self._search.bounds(row)
        distances = np.full(self.n_samples_fit_, np.nan)

        def step(phase: str, n: int) -> NeighborStep:
            votes = self._count(neighbors[None, :n], weights[None, :n])[0]
            winner = int(votes.argmax()) if n else None
            return NeighborStep(
                phase,
                pivot,
                pivot_distance,
                bounds,
                distances,
                neighbors[:n],
                weights[:n],
                votes,
                winner,
            )

        yield step("bound", 0)
        distances = self._search.measured(row, bounds, self.n_neighbors)
        yield step("measure", 0)
        for n in range(1, self.n_neighbors + 1):
            yield step("join", n)
        yield step("vote", self.n_neighbors)

    def _checked(self, k: int, n_others: int | None = None) -> int:
        """Return a number of neighbours that the stored rows can give."""
        check_params({"n_neighbors": self.PARAMS["n_neighbors"]}, {"n_neighbors": k})
        most = self.n_samples_fit_ if n_others is None else n_others
        if k > most:
            raise ValueError(
                f"Expected n_neighbors <= n_samples_fit, but n_neighbors = {k}, n_samples_fit ="
                f" {self.n_samples_fit_}: choose at most"
                f" {most}{', as no row is its own neighbour' if n_others is not None else ''}."
            )
        return k

    def _filled(self, matrix: Floats) -> Floats:
        """Return rows without missing values."""
        holes = np.isnan(matrix)
        if not holes.any():
            return matrix
        if self.missing == "error":
            row, column = np.argwhere(holes)[0]
            raise ValueError(
                f"Input X contains NaN: row {row + 1} has no value in"
                f" {self._columns.names[column]!r}, and a distance needs all values. Leave such"
                " rows or columns out, or choose missing='typical'."
            )
        return np.where(holes, self.typical_, matrix)

    def _count(self, indices: Indices, weights: Floats) -> Floats:
        n_queries, n_classes = len(indices), len(self.classes_)
        cells = self._codes[indices] + n_classes * np.arange(n_queries)[:, None]
        votes = np.bincount(cells.ravel(), weights.ravel(), n_queries * n_classes)
        return votes.reshape(n_queries, n_classes).astype(np.float64)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "typical"
        tags.input_tags.string = True
        return tags


def _without_self(distances: Floats, indices: Indices) -> tuple[Floats, Indices]:
    """Drop each row from its own neighbours; if it is not among them, because it has many duplicates, the last one."""
    own = indices == np.arange(len(indices))[:, None]
    own[:, -1] |= ~own.any(axis=1)
    shape = (len(indices), indices.shape[1] - 1)
    return distances[~own].reshape(shape), indices[~own].reshape(shape)
