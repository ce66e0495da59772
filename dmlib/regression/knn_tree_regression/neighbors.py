"""k-NN regression: the mean of the nearest rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, check_X_y, validate_data

from dmlib.arrays import Floats
from dmlib.classification.nearest import Metric, Search
from dmlib.params import Choice, Integer, Param, Ranges, check_params
from dmlib.regression.knn_tree_regression.ranges import neighbor_range
from dmlib.regression.targets import numeric_target
from dmlib.squares import check_largest, r_squared
from dmlib.trace import look

Indices = NDArray[np.intp]

MAX_PLACES = 40  # that the steps go through
TINY = 1e-300  # distances whose inverse would be infinite

Phase = Literal["store", "measure", "done"]


@dataclass(frozen=True)
class NeighborhoodStep:
    """The neighbourhood of a place.

    Attributes
    ----------
    phase : {"store", "measure", "done"}
        All rows were stored; a place got the weighted mean of its neighbours; all places have one.
    place : ndarray of shape (n_features,)
        The place.
    neighbors : ndarray of shape (n_neighbors,)
        The nearest rows, nearest first.
    distances, weights : ndarray of shape (n_neighbors,)
        The distances and weights of the neighbours.
    prediction : float
        The sum of weight times target, divided by the sum of the weights; in "store" the mean of
        all rows.
    sse : float
        The sum of squared residuals of all stored rows.
    number, n_places : int
        The number of the place, from 1, and the number of places.
    """

    phase: Phase
    place: Floats
    neighbors: Indices
    distances: Floats
    weights: Floats
    prediction: float
    sse: float
    number: int
    n_places: int


class KNeighborsRegressor(RegressorMixin, BaseEstimator):
    r"""Predict the mean target of the k nearest rows.

    Training only stores the rows. The prediction at a place is
    :math:`\hat y = \sum w_i y_i / \sum w_i` over its k nearest rows.

    Parameters
    ----------
    n_neighbors : int, default=5
        The number of neighbours, k.
    weights : {"uniform", "distance"}, default="uniform"
        The weight of a neighbour: 1, or 1 / distance, where only rows at distance 0 count if there
        are any.

    Attributes
    ----------
    stored_ : ndarray of shape (n_samples, n_features)
        The rows.
    targets_ : ndarray of shape (n_samples,)
        Their targets.
    fitted_ : ndarray of shape (n_samples,)
        The predictions for the stored rows, each its own neighbour.
    sse_, r2_ : float
        Sum of squared residuals of the stored rows; 1 - SSE / SST, NaN if all targets are equal.
    n_samples_fit_ : int
        The number of stored rows.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing or too large, or there are fewer rows than neighbours.

    Notes
    -----
    A k-d tree finds the neighbours of a place in O(log n) in few columns. Of equally near rows the
    first stored one is taken; scikit-learn takes any. Distances are Euclidean: columns with large
    numbers weigh more unless scaled.

    References
    ----------
    T. M. Cover (1968), Estimation by the nearest neighbor rule. IEEE Transactions on Information
    Theory 14, 50-55.

    Examples
    --------
    >>> model = KNeighborsRegressor(2, weights="distance")
    >>> _ = model.fit([[0.0], [1.0], [3.0]], [0.0, 2.0, 8.0])
    >>> model.predict([[0.25], [1.0]]).tolist()
    [0.5, 2.0]
    """

    RANGES: ClassVar[Ranges] = staticmethod(neighbor_range)
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_neighbors": Integer(1, 1_000_000, shown=(1, 50)),
        "weights": Choice(("uniform", "distance")),
    }

    def __init__(self, n_neighbors: int = 5, *, weights: str = "uniform") -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Store the rows of ``X`` and their numbers ``y``."""
        rows, target = validate_data(self, X, numeric_target(y), dtype=np.float64, y_numeric=True)
        self._search = self._stored(rows, target)
        self.stored_ = rows
        self.targets_ = target
        self.n_samples_fit_ = len(rows)
        self.fitted_ = self.predict(rows)
        self.sse_ = float(((target - self.fitted_) ** 2).sum())
        self.r2_ = r_squared(target, self.sse_)
        return self

    def _stored(self, rows: Floats, target: Floats) -> Search:
        check_params(self.PARAMS, self.get_params(deep=False))
        check_largest(rows, target)
        if self.n_neighbors > len(rows):
            raise ValueError(
                f"Expected n_neighbors <= n_samples, but n_neighbors = {self.n_neighbors},"
                f" n_samples = {len(rows)}: choose a smaller k."
            )
        return Search(Metric("euclidean", 2, rows, np.zeros(rows.shape[1], bool), {}))

    def kneighbors(self, X: ArrayLike, n_neighbors: int | None = None) -> tuple[Floats, Indices]:
        """Return distances and numbers of the nearest rows, each of shape (n_queries, k)."""
        check_is_fitted(self)
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        if k > self.n_samples_fit_:
            raise ValueError(
                f"Expected n_neighbors <= n_samples_fit; {k} is more than {self.n_samples_fit_}."
            )
        queries = validate_data(self, X, dtype=np.float64, reset=False)
        nearest: tuple[Floats, Indices] = self._search.nearest(queries, k)
        return nearest

    def predict(self, X: ArrayLike) -> Floats:
        """Return the weighted means of the neighbours of rows, shape (n_samples,)."""
        distances, neighbors = self.kneighbors(X)
        return self.means(distances, self.targets_[neighbors])

    def means(self, distances: Floats, targets: Floats) -> Floats:
        """Return the weighted means of targets, shape (n_queries, n_neighbors), at distances."""
        weights = self.neighbor_weights(distances)
        means: Floats = (weights * targets).sum(axis=-1) / weights.sum(axis=-1)
        return means

    def neighbor_weights(self, distances: Floats) -> Floats:
        """Return the weights of neighbours at these distances."""
        if self.weights == "uniform":
            return np.ones(distances.shape)
        same = distances < TINY
        return np.where(same.any(axis=-1, keepdims=True), same, 1 / np.where(same, 1.0, distances))

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[NeighborhoodStep]:
        """Yield the neighbourhoods of at most 40 rows, in the order of the first column."""
        if y is None:
            raise ValueError(
                "KNeighborsRegressor requires y to be passed, but the target y is None."
            )
        rows, target = check_X_y(X, numeric_target(y), dtype=np.float64, y_numeric=True)
        search = self._stored(rows, target)
        order = np.argsort(rows[:, 0], kind="stable")
        numbers = np.unique(np.linspace(0, len(order) - 1, MAX_PLACES).round().astype(int))
        places = rows[order[numbers]]
        distances, neighbors = search.nearest(rows, self.n_neighbors)
        sse = float(((target - self.means(distances, target[neighbors])) ** 2).sum())
        step = NeighborhoodStep(
            phase="store",
            place=places[0],
            neighbors=np.empty(0, np.intp),
            distances=np.empty(0),
            weights=np.empty(0),
            prediction=float(target.mean()),
            sse=sse,
            number=0,
            n_places=len(places),
        )
        yield step
        for number, place in enumerate(places, start=1):
            look()
            (distances,), (neighbors,) = search.nearest(place[None], self.n_neighbors)
            step = replace(
                step,
                phase="measure",
                place=place,
                neighbors=neighbors,
                distances=distances,
                weights=self.neighbor_weights(distances),
                prediction=float(self.means(distances, target[neighbors])),
                number=number,
            )
            yield step
        yield replace(step, phase="done")
