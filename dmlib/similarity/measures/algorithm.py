"""The distance of two rows, term by term, the rows nearest to one of them, and the axioms of a metric on triples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, validate_data

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.params import Choice, Conditions, Integer, Number, Param, Spoken, check_params
from dmlib.similarity.measures import measures
from dmlib.squares import check_squares, deviations
from dmlib.trace import look

Rows = NDArray[np.intp]

METRICS: Mapping[str, str] = {
    "euclidean": "Euclidean",
    "manhattan": "Manhattan",
    "chebyshev": "Chebyshev",
    "minkowski": "Minkowski",
    "mahalanobis": "Mahalanobis",
    "canberra": "Canberra",
    "gower": "Gower",
    "cosine": "1 − cosine",
    "pearson": "1 − correlation",
    "smc": "1 − simple matching",
    "jaccard": "1 − Jaccard",
    "dice": "1 − Dice",
    "overlap": "1 − overlap",
}
NORMS = ("euclidean", "manhattan", "chebyshev", "minkowski", "mahalanobis", "gower")
ROUNDING = 1e-15  # of a cosine: rows of one direction are not apart
BITS = ("smc", "jaccard", "dice", "overlap")
TRIPLES = 400
SLACK = 1e-9  # of rounding, by which a way may seem longer than its detour


@dataclass(frozen=True)
class MeasureStep:
    """A column was counted, or all were put together.

    Attributes
    ----------
    phase : {"start", "column", "total", "nearest", "triples", "done"}
        What happened.
    column : int
        Which; -1 for none.
    terms : ndarray
        What the columns so far add.
    distance : float
        Of both points; 0 before "total".
    nearest : ndarray of int
        The rows nearest to the first point; empty before "nearest".
    violations : float
        The share of the triples in which a detour is shorter; 0 before "triples".
    """

    phase: str
    column: int
    terms: Floats
    distance: float
    nearest: Rows
    violations: float


class Space:
    """Rows and a way to measure between them.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        The rows: their ranges, means and covariance count.
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
        """The matrix that makes the cloud of the rows round."""
        if len(self.X) < 2:
            return measures.whitening(np.eye(self.X.shape[1]))
        away = deviations(self.X)
        return measures.whitening(away.T @ away / (len(away) - 1))

    def seen(self, row: Floats) -> Floats:
        """Return a row as the measure sees it: whitened, its mean taken away, or as bits above the columns' means."""
        if self.metric == "mahalanobis":
            return np.asarray(row @ self.white.T)
        if self.metric == "pearson":
            return measures.around_mean(row)
        return (row > self.middle).astype(float) if self.metric in BITS else row

    def terms(self, a: Floats, b: Floats) -> Floats:
        """Return what each column adds, before the terms are put together."""
        one, other = self.seen(a), self.seen(b)
        away = np.abs(one - other)
        if self.metric in ("euclidean", "mahalanobis"):
            return np.asarray(away**2)
        if self.metric == "minkowski":
            return np.asarray(away**self.p)
        if self.metric == "canberra":
            size = np.abs(one) + np.abs(other)
            return np.asarray(away / np.where(size > 0, size, 1.0))
        if self.metric == "gower":
            return np.asarray(away / self.ranges)
        if self.metric in ("manhattan", "chebyshev"):
            return away
        return np.asarray((one == other).astype(float) if self.metric == "smc" else one * other)

    def between(self, a: Floats, b: Floats) -> Any:
        """Return the distance of two rows, or of each pair of rows."""
        one, other = self.seen(a), self.seen(b)
        if self.metric == "gower":
            return (np.abs(one - other) / self.ranges).mean(axis=-1)
        if self.metric in ("chebyshev", "canberra"):
            return getattr(measures, self.metric)(one, other)
        if self.metric in ("cosine", "pearson"):
            away = 1 - measures.cosine(one, other)
            return np.where(np.abs(away) < ROUNDING, 0.0, away)[()]
        if self.metric in BITS:
            return 1 - getattr(measures, self.metric)(one, other)
        return measures.minkowski(
            one, other, {"manhattan": 1.0, "minkowski": self.p}.get(self.metric, 2.0)
        )

    def pairs(self, rows: Rows, others: Rows) -> Floats:
        """Return the distance of each of some rows, by their places, from another one."""
        return np.asarray(self.between(self.X[rows], self.X[others]))

    def cross(self, rows: Rows, others: Rows) -> Floats:
        """Return the distance of each of some rows, by their places, from each of others."""
        return np.asarray(self.between(self.X[rows][:, None], self.X[others]))

    def distances(self, rows: Rows) -> Floats:
        """Return the distances of some rows, by their places, from each other."""
        return self.cross(rows, rows)

    @cached_property
    def triples(self) -> tuple[Rows, NDArray[np.bool_], Floats]:
        """Triples of rows, in which of them the way over the second is shorter, and both lengths, shape (m, 2)."""
        n = len(self.X)
        rng = np.random.default_rng(0)
        rows = np.array(
            [rng.permutation(n)[:3] for _ in range(TRIPLES if n > 2 else 0)], np.intp
        ).reshape(-1, 3)
        x, z, y = rows.T
        lengths = np.column_stack([self.pairs(x, y), self.pairs(x, z) + self.pairs(z, y)])
        return rows, lengths[:, 0] > lengths[:, 1] * (1 + SLACK) + 1e-12, lengths


class PairMeasure(BaseEstimator):
    """Two rows, how far apart they are, and what else lies near: what all ways to measure share."""

    PARAMS: ClassVar[dict[str, Param]]
    n_neighbors: int

    def fit(self, X: Any, y: Any = None) -> Self:
        """Measure between the points and the rows of ``X``; ``y`` is not used."""
        return self.fit_from(list(self.steps(X)), X)

    def fit_from(self, steps: Sequence[MeasureStep], X: Any, y: Any = None) -> Self:
        """Become what the steps say."""
        validate_data(self, X, skip_check_array=True)
        last = steps[-1]
        self.distance_, self.terms_, self.nearest_ = (
            last.distance,
            last.terms.copy(),
            last.nearest.copy(),
        )
        self.violations_ = last.violations
        space = self.space(X)
        self.to_rows_ = np.asarray(space.between(self.points(space.X)[0], space.X))
        rows, broken, _ = space.triples
        self.counterexample_ = rows[broken][0] if broken.any() else np.empty(0, np.intp)
        return self

    def space(self, X: Any) -> Space:
        """Return the rows of ``X`` and the way to measure between them."""
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
        terms, none = space.terms(a, b), np.empty(0, np.intp)
        step = MeasureStep("start", -1, terms[:0], 0.0, none, 0.0)
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
        step = replace(
            step, phase="triples", violations=float(broken.mean()) if len(broken) else 0.0
        )
        yield step
        yield replace(step, phase="done")


class Distances(PairMeasure):
    r"""Measure how far two points are apart, column by column.

    Parameters
    ----------
    metric : str, default="euclidean"
        "euclidean", "manhattan", "chebyshev", "minkowski", "mahalanobis", "canberra", "gower":
        distances. "cosine", "pearson", "smc", "jaccard", "dice", "overlap": 1 less a similarity;
        the last four of the bits that say which values are above the mean of their column.
    p : float, default=3
        The power of Minkowski; below 1 it is no metric.
    n_neighbors : int, default=5
        How many of the rows nearest to the first point are looked for.
    a, b : "auto" or array of shape (n_features,), default="auto"
        The points; by default the first row, and the one in the middle of the table.

    Attributes
    ----------
    distance_ : float
        Of both points.
    terms_ : ndarray of shape (n_features,)
        What the columns add.
    nearest_ : ndarray of shape (n_neighbors,)
        The rows nearest to the first point.
    to_rows_ : ndarray of shape (n_samples,)
        The distances of the first point to all rows.
    violations_ : float
        The share of triples of rows in which the way over the third is shorter than the direct one.
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
    >>> [Distances(metric, a=[0, 0], b=[3, 4]).fit(X).distance_ for metric in ("euclidean", "manhattan", "chebyshev")]
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
        """Return the rows of ``X`` and the way to measure between them."""
        return Space(
            np.asarray(check_array(X, dtype=np.float64, estimator=self)), self.metric, self.p
        )

    def points(self, X: Floats) -> tuple[Floats, Floats]:
        """Return both points.

        Raises
        ------
        ValueError
            If one of them has another number of columns than the rows.
        """
        told = []
        for name, value, usual in (("a", self.a, 0), ("b", self.b, len(X) // 2)):
            point = X[usual] if isinstance(value, str) else np.asarray(value, float)
            if point.shape != X.shape[1:] or not np.isfinite(point).all():
                raise ValueError(
                    f"{name} must be a point with a finite number for each of the {X.shape[1]}"
                    " columns."
                )
            told.append(point)
        return told[0], told[1]
