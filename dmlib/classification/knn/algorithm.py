"""k nearest neighbours: the class of a row is the majority vote of the k nearest training rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.neighbors._base import KNeighborsMixin
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns, check_columns, new_rows, read_classes
from dmlib.classification.knn.ranges import knn_ranges
from dmlib.classification.nearest import Metric, Search, without_self
from dmlib.params import Choice, Conditions, Integer, Number, Param, Ranges, check_params
from dmlib.trace import look

Indices = NDArray[np.intp]
Phase = Literal["store", "bound", "measure", "join", "vote"]

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
        All rows were stored; the triangle inequality gave a lower bound of each distance; the rows
        that may be near were measured; the next nearest row joined the neighbours; the votes were
        counted.
    pivot : int
        The stored row whose distances to all others are computed beforehand.
    pivot_distance : float
        The distance of the query from the pivot; NaN in "store".
    bounds : ndarray of shape (n_samples,)
        The lower bound of each stored row's distance: the difference of the two distances to the
        pivot.
    distances : ndarray of shape (n_samples,)
        The distances that were measured; NaN for pruned rows.
    neighbors : ndarray of shape (n_joined,)
        The stored rows that have joined so far, nearest first.
    weights : ndarray of shape (n_joined,)
        Their votes.
    votes : ndarray of shape (n_classes,)
        The sums of the votes of each class.
    winner : int or None
        The class with the most votes so far; None before the first neighbour.
    """

    phase: Phase
    pivot: int
    pivot_distance: float
    bounds: Floats
    distances: Floats
    neighbors: Indices
    weights: Floats
    votes: Floats
    winner: int | None


class KNeighborsClassifier(KNeighborsMixin, ClassifierMixin, BaseEstimator):
    """Predict the class of a row by the majority vote of its k nearest neighbours.

    Fitting only stores the rows.

    Parameters
    ----------
    n_neighbors : int, default=5
        The number of neighbours, k.
    weights : {"uniform", "distance", "squared_distance"} or callable, default="uniform"
        A neighbour's vote: 1, 1 / distance, or 1 / distance squared; neighbours at distance 0 then
        outvote all others. A callable turns an array of distances into votes.
    algorithm : {"auto", "kd_tree", "ball_tree", "brute"}, default="auto"
        How neighbours are found; it does not change which. "auto": a k-d tree up to 15 coordinates,
        else products of matrices. "ball_tree" is the same tree as "kd_tree".
    leaf_size : int, default=30
        The number of rows in a leaf of the tree; it changes the speed only.
    p : float, default=2.0
        The order of the Minkowski distance: 1 is manhattan, 2 euclidean, the larger the nearer to
        chebyshev.
    metric : str, default="minkowski"
        The distance: "minkowski", "euclidean", "manhattan", "chebyshev", "mahalanobis" (with the
        covariance of the stored rows) or "cosine" (1 - cos of the angle).
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
        Its common name.

    Raises
    ------
    ValueError
        If a value is missing, a metric cannot be used with the columns, or there are fewer rows
        than neighbours.

    Notes
    -----
    A query costs O(n d) by brute force; in few dimensions a k-d tree visits O(log n) rows.

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
        "weights": Choice(("uniform", "distance", "squared_distance")),
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
        params = self.get_params() | {"metric": SYNONYMS.get(self.metric, self.metric)}
        if callable(self.weights):
            params["weights"] = "uniform"
        check_params({**self.PARAMS, **SEARCH_PARAMS}, params)
        check_columns(self, X, y)
        self._columns, matrix = Columns.read(X)
        self.classes_, self._codes = read_classes(y, matrix)
        self.typical_ = self._columns.typical(matrix)
        self.stored_ = self._filled(matrix)
        metric = Metric(
            params["metric"], self.p, self.stored_, self._columns.nominal, self.metric_params or {}
        )
        self._search = Search(metric, self.algorithm, self.leaf_size, self.n_jobs)
        self.n_samples_fit_ = len(self.stored_)
        self.effective_metric_ = metric.name
        if metric.name == "minkowski":
            names = {1.0: "manhattan", 2.0: "euclidean", np.inf: "chebyshev"}
            self.effective_metric_ = names.get(metric.p, "minkowski")
        return self

    @property
    def metric_(self) -> Metric:
        """The distance, of a fitted estimator."""
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
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        if X is None:
            self._check_k(k, self.n_samples_fit_ - 1)
            distances, indices = without_self(*self._search.nearest(self.stored_, k + 1))
        else:
            self._check_k(k, self.n_samples_fit_)
            rows = self._filled(new_rows(self, self._columns, X))
            distances, indices = self._search.nearest(rows, k)
        return (distances, indices) if return_distance else indices

    def predict_proba(self, X: Any) -> Floats:
        """Return each class's share of the votes, shape (n_queries, n_classes).

        ``X`` may be None as in :meth:`predict`.
        """
        distances, indices = self.kneighbors(X) if X is None else self._voters(X)
        votes = self._count(indices, self.vote_weights(distances))
        shares: Floats = votes / votes.sum(axis=1, keepdims=True)
        return shares

    def _voters(self, X: Any) -> tuple[Floats, Indices]:
        """Return distances and indices of the neighbours, sorted only where their order matters."""
        check_is_fitted(self)
        self._check_k(self.n_neighbors, self.n_samples_fit_)
        rows = self._filled(new_rows(self, self._columns, X))
        return self._search.nearest(rows, self.n_neighbors, in_order=callable(self.weights))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the predicted class of each row; with None the leave-one-out predictions."""
        codes = self.predict_proba(X).argmax(axis=1)
        predicted: NDArray[Any] = self.classes_[codes]
        return predicted

    def cumulative_votes(self, X: Any, n_neighbors: int) -> Iterator[Floats]:
        """Yield the votes of the nearest neighbour, of the two nearest, and so on.

        Their shape is (n_queries, n_classes); it is one array that changes.
        """
        distances, indices = self.kneighbors(X, n_neighbors)
        weights = self.vote_weights(distances)
        codes = self._codes[indices]
        votes = np.zeros((len(indices), len(self.classes_)))
        rows = np.arange(len(indices))
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
                    "All neighbors of some sample is getting zero weights. Please modify "
                    "'weights' to avoid this case if you are using a user-defined function."
                )
            return weights
        if self.weights == "uniform":
            return np.ones(distances.shape)
        same, power = distances == 0, 2 if self.weights == "squared_distance" else 1
        votes = 1 / np.where(same, 1, distances) ** power
        return np.where(same.any(axis=-1, keepdims=True), same, votes)

    def steps(self, X: Any, y: Any = None) -> Iterator[NeighborStep]:
        """Yield that the rows are stored, then how the typical row is classified.

        Its numeric columns have the mean, its nominal ones the most frequent value. For any other
        row, fit and call :meth:`explain_steps`.
        """
        model = clone(self).fit(X, y)
        explanation = model._explain(model.typical_)
        bound = next(explanation)
        yield replace(bound, phase="store", pivot_distance=np.nan, bounds=bound.distances)
        yield bound
        yield from explanation

    def explain_steps(self, x: Any) -> Iterator[NeighborStep]:
        """Yield how one row is classified: bounds, measured distances, neighbours and the vote.

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
        self._check_k(self.n_neighbors, self.n_samples_fit_)
        row = self._filled(row[None])
        distances, neighbors = self._search.nearest(row, self.n_neighbors)
        weights = self.vote_weights(distances)
        pivot, pivot_distance, bounds = self._search.bounds(row)
        unmeasured = np.full(self.n_samples_fit_, np.nan)
        no_votes = neighbors[0, :0], weights[0, :0], np.zeros(len(self.classes_))
        step = NeighborStep("bound", pivot, pivot_distance, bounds, unmeasured, *no_votes, None)
        yield step
        measured = self._search.measured(row, bounds, self.n_neighbors)
        step = replace(step, phase="measure", distances=measured)
        yield step
        for n in range(1, self.n_neighbors + 1):
            votes = self._count(neighbors[:, :n], weights[:, :n])[0]
            step = replace(
                step,
                phase="join",
                neighbors=neighbors[0, :n],
                weights=weights[0, :n],
                votes=votes,
                winner=int(votes.argmax()),
            )
            yield step
        yield replace(step, phase="vote")

    def _check_k(self, k: int, maximum: int) -> None:
        """Refuse a number of neighbours that the stored rows do not have."""
        check_params({"n_neighbors": self.PARAMS["n_neighbors"]}, {"n_neighbors": k})
        if k > maximum:
            reason = ", as no row is its own neighbour" if maximum < self.n_samples_fit_ else ""
            raise ValueError(
                f"Expected n_neighbors <= n_samples_fit, but n_neighbors = {k}, "
                f"n_samples_fit = {self.n_samples_fit_}: choose at most {maximum}{reason}."
            )

    def _filled(self, matrix: Floats) -> Floats:
        """Return rows whose missing values are replaced, or refuse them."""
        holes = np.isnan(matrix)
        if not holes.any():
            return matrix
        if self.missing == "error":
            row, column = np.argwhere(holes)[0]
            raise ValueError(
                f"Input X contains NaN: row {row + 1} has no value in "
                f"{self._columns.names[column]!r}, and a distance needs all values. "
                "Leave such rows or columns out, or choose missing='typical'."
            )
        return np.where(holes, self.typical_, matrix)

    def _count(self, indices: Indices, weights: Floats) -> Floats:
        """Return the votes of each class, shape (n_queries, n_classes)."""
        shape = len(indices), len(self.classes_)
        cells = self._codes[indices] + shape[1] * np.arange(shape[0])[:, None]
        votes = np.bincount(cells.ravel(), weights.ravel(), shape[0] * shape[1])
        return votes.reshape(shape).astype(np.float64)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "typical"
        tags.input_tags.string = True
        return tags
