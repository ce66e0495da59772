"""The distance of two rows, term by term, their nearest rows, and the axioms of a metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, validate_data

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.params import Choice, Conditions, Integer, Number, Param, Spoken, check_params
from dmlib.similarity.measures import measures
from dmlib.similarity.measures.registry import METRICS
from dmlib.squares import check_squares, deviations
from dmlib.trace import look

Rows = NDArray[np.intp]

Phase = Literal["start", "column", "total", "nearest", "triples", "done"]
NORMS = ("euclidean", "manhattan", "chebyshev", "minkowski", "mahalanobis", "gower")
ROUNDING = 1e-15  # of a cosine: rows of one direction have the distance 0
BITS = ("smc", "jaccard", "dice", "overlap")
TRIPLES = 400
SLACK = 1e-9  # of rounding, by which a distance may exceed that of its detour


@dataclass(frozen=True)
class MeasureStep:
    """The term of a column, or the distance.

    Attributes
    ----------
    phase : Phase
        The beginning; the term of a column; the distance; the nearest rows; the triangle
        inequality on triples; the end.
    column : int
        The column; -1 for none.
    terms : ndarray
        The terms of the columns up to here.
    distance : float
        The distance of both points; 0 before "total".
    nearest : ndarray of int
        The rows nearest to the first point; empty before "nearest".
    violations : float
        The share of the triples in which a detour is shorter; 0 before "triples".
    """

    phase: Phase
    column: int
    terms: Floats
    distance: float
    nearest: Rows
    violations: float


class Space:
    """Rows and a distance between them.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The rows; their ranges, means and covariance are used.
    metric : str
        One of :data:`METRICS`.
    p : float
        The power of Minkowski.
    """

    def __init__(self, X: Floats, metric: str, p: float) -> None:
        self.X, self.metric, self.p = X, metric, p
        spread = X.max(axis=0) - X.min(axis=0)
        self.ranges = np.where(spread > 0, spread, 1.0)
        self.middle = X.mean(axis=0)

    @cached_property
    def white(self) -> Floats:
        """The whitening matrix of the rows."""
        if len(self.X) < 2:
            return measures.whitening(np.eye(self.X.shape[1]))
        away = deviations(self.X)
        return measures.whitening(away.T @ away / (len(away) - 1))

    def transformed(self, row: Floats) -> Floats:
        """Return a row whitened, centred, or as bits above the columns' means, by the metric."""
        if self.metric == "mahalanobis":
            return np.asarray(row @ self.white.T)
        if self.metric == "pearson":
            return measures.around_mean(row)
        return (row > self.middle).astype(float) if self.metric in BITS else row

    def terms(self, a: Floats, b: Floats) -> Floats:
        """Return the term of each column."""
        first, second = self.transformed(a), self.transformed(b)
        gaps = np.abs(first - second)
        if self.metric in ("euclidean", "mahalanobis", "minkowski"):
            return np.asarray(gaps ** (self.p if self.metric == "minkowski" else 2))
        if self.metric == "canberra":
            size = np.abs(first) + np.abs(second)
            return np.asarray(gaps / np.where(size > 0, size, 1.0))
        if self.metric == "gower":
            return np.asarray(gaps / self.ranges)
        if self.metric in ("manhattan", "chebyshev"):
            return gaps
        if self.metric == "smc":
            return np.asarray(first == second, float)
        return np.asarray(first * second)

    def between(self, a: Floats, b: Floats) -> Any:
        """Return the distance of two rows, or of each pair of rows."""
        first, second = self.transformed(a), self.transformed(b)
        if self.metric == "gower":
            return (np.abs(first - second) / self.ranges).mean(axis=-1)
        if self.metric == "minkowski":
            return measures.minkowski(first, second, self.p)
        if self.metric in ("cosine", "squared_cosine", "pearson"):
            power = 2 if self.metric == "squared_cosine" else 1
            distance = 1 - measures.cosine(first, second) ** power
            return np.where(np.abs(distance) < ROUNDING, 0.0, distance)[()]
        name = "euclidean" if self.metric == "mahalanobis" else self.metric
        value = getattr(measures, name)(first, second)
        return 1 - value if self.metric in BITS else value

    def pairs(self, first: Rows, second: Rows) -> Floats:
        """Return the distances of pairs of rows, given by their places."""
        return np.asarray(self.between(self.X[first], self.X[second]))

    def cross(self, first: Rows, second: Rows) -> Floats:
        """Return the distances of all first rows to all second ones, given by their places."""
        return np.asarray(self.between(self.X[first][:, None], self.X[second]))

    def distances(self, rows: Rows) -> Floats:
        """Return the distances between rows, given by their places."""
        return self.cross(rows, rows)

    @cached_property
    def triples(self) -> tuple[Rows, NDArray[np.bool_], Floats]:
        """Triples of rows, whether the detour over the second is shorter, and both lengths.

        The shapes are (m, 3), (m,) and (m, 2).
        """
        n = len(self.X)
        rng = np.random.default_rng(0)
        n_triples = TRIPLES if n > 2 else 0
        triples = [rng.permutation(n)[:3] for _ in range(n_triples)]
        rows = np.array(triples, np.intp).reshape(-1, 3)
        x, z, y = rows.T
        lengths = np.column_stack([self.pairs(x, y), self.pairs(x, z) + self.pairs(z, y)])
        return rows, lengths[:, 0] > lengths[:, 1] * (1 + SLACK) + 1e-12, lengths


class PairMeasure(BaseEstimator):
    """Base class: the distance of two rows, and the rows nearest to the first."""

    PARAMS: ClassVar[dict[str, Param]]
    n_neighbors: int

    def fit(self, X: Any, y: Any = None) -> Self:
        """Compute the distances of the points and the rows of ``X``; ``y`` is ignored."""
        return self.fit_from(list(self.steps(X)), X)

    def fit_from(self, steps: Sequence[MeasureStep], X: Any, y: Any = None) -> Self:
        """Set the fitted attributes from the last step."""
        validate_data(self, X, skip_check_array=True)
        last = steps[-1]
        self.distance_, self.violations_ = last.distance, last.violations
        self.terms_, self.nearest_ = last.terms.copy(), last.nearest.copy()
        space = self.space(X)
        self.to_rows_ = np.asarray(space.between(self.points(space.X)[0], space.X))
        rows, broken, _ = space.triples
        self.counterexample_ = rows[broken][0] if broken.any() else np.empty(0, np.intp)
        return self

    def space(self, X: Any) -> Space:
        """Return the rows of ``X`` with the distance between them."""
        raise NotImplementedError

    def points(self, X: Floats) -> tuple[Floats, Floats]:
        """Return both points among rows."""
        raise NotImplementedError

    def steps(self, X: Any, y: Any = None) -> Iterator[MeasureStep]:
        """Yield the term of each column, the distance, the nearest rows and the axioms."""
        check_params(self.PARAMS, self.get_params(deep=False))
        space = self.space(X)
        a, b = self.points(space.X)
        check_squares(np.nan_to_num(np.vstack([space.X, a, b])))
        terms, no_rows = space.terms(a, b), np.empty(0, np.intp)
        step = MeasureStep("start", -1, terms[:0], 0.0, no_rows, 0.0)
        yield step
        for j in range(len(terms)):
            look()
            step = replace(step, phase="column", column=j, terms=terms[: j + 1])
            yield step
        step = replace(step, phase="total", column=-1, distance=float(space.between(a, b)))
        yield step
        order = np.argsort(space.between(a, space.X), kind="stable")[: self.n_neighbors]
        step = replace(step, phase="nearest", nearest=order)
        yield step
        broken = space.triples[1]
        violations = float(broken.mean()) if len(broken) else 0.0
        step = replace(step, phase="triples", violations=violations)
        yield step
        yield replace(step, phase="done")


class Distances(PairMeasure):
    r"""Compute the distance of two points, column by column.

    Parameters
    ----------
    metric : str, default="euclidean"
        "euclidean", "manhattan", "chebyshev", "minkowski", "mahalanobis", "canberra", "gower":
        distances. "cosine", "squared_cosine", "pearson", "smc", "jaccard", "dice", "overlap": 1
        minus a similarity; the last four of bits: which values are above the mean of their column.
    p : float, default=3
        The power of Minkowski; below 1 it is no metric.
    n_neighbors : int, default=5
        Number of rows nearest to the first point.
    a, b : "auto" or array of shape (n_features,), default="auto"
        The points; by default the first row, and the one in the middle of the table.

    Attributes
    ----------
    distance_ : float
        The distance of both points.
    terms_ : ndarray of shape (n_features,)
        The terms of the columns.
    nearest_ : ndarray of shape (n_neighbors,)
        The rows nearest to the first point.
    to_rows_ : ndarray of shape (n_samples,)
        The distances of the first point to all rows.
    violations_ : float
        The share of triples of rows that violate the triangle inequality.
    counterexample_ : ndarray of int
        Such a triple, the third row in the middle; empty if there is none.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing or too large to be squared, or a point has another number of columns.

    Notes
    -----
    O(p) for two points, O(n p) for the nearest rows; of Mahalanobis O(p³) once.

    References
    ----------
    P. C. Mahalanobis (1936), On the generalised distance in statistics. Proc. National Institute of
    Sciences of India. P.-N. Tan, M. Steinbach and V. Kumar (2005), Introduction to Data Mining,
    section 2.4.

    Examples
    --------
    >>> X = [[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]]
    >>> metrics = ("euclidean", "manhattan", "chebyshev")
    >>> [Distances(metric, a=[0, 0], b=[3, 4]).fit(X).distance_ for metric in metrics]
    [5.0, 7.0, 4.0]
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "metric": Choice(tuple(METRICS)),
        "p": Number(0.1, 50.0, shown=(0.25, 10.0), step=0.25),
        "n_neighbors": Integer(1, 50, shown=(1, 15)),
        "a": Choice(("auto",), arrays=True),
        "b": Choice(("auto",), arrays=True),
    }
    APPLIES: ClassVar[Conditions] = {"p": ("metric", ("minkowski",))}
    SPOKEN: ClassVar[Spoken] = {"metric": METRICS}

    def __init__(
        self,
        metric: str = "euclidean",
        *,
        p: float = 3.0,
        n_neighbors: int = 5,
        a: Any = "auto",
        b: Any = "auto",
    ) -> None:
        self.metric = metric
        self.p = p
        self.n_neighbors = n_neighbors
        self.a = a
        self.b = b

    def space(self, X: ArrayLike) -> Space:
        """Return the rows of ``X`` with the distance between them."""
        rows = np.asarray(check_array(X, dtype=np.float64, estimator=self))
        return Space(rows, self.metric, self.p)

    def points(self, X: Floats) -> tuple[Floats, Floats]:
        """Return both points.

        Raises
        ------
        ValueError
            If one of them has another number of columns than the rows.
        """
        return self._point("a", X, X[0]), self._point("b", X, X[len(X) // 2])

    def _point(self, name: str, X: Floats, default: Floats) -> Floats:
        value = getattr(self, name)
        point = default if isinstance(value, str) else np.asarray(value, float)
        if point.shape != X.shape[1:] or not np.isfinite(point).all():
            raise ValueError(
                f"{name} must be a point with a finite number for each of the {X.shape[1]} columns."
            )
        return point
