"""Distances between rows as columns are added: those of a table first, then noise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import pdist
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, validate_data

from dmlib.arrays import Floats, Ints
from dmlib.draft import shortened
from dmlib.params import Choice, Integer, Param, check_params
from dmlib.trace import look

MAX_ROWS = 3000  # of which all pairs are stored
Phase = Literal["scale", "column", "noise", "done"]
MEASURES = ("nearest", "farthest", "contrast", "gamma", "hubness", "error")
NOISE = 1  # beside the seed, so that noise is not the table that was drawn with the same seed
BINS = 40  # of the distances of all pairs, as shares of the diagonal of the unit cube


@dataclass(frozen=True)
class DimensionStep:
    """The distances between all rows after another column.

    Attributes
    ----------
    phase : Phase
        The columns are scaled; a column of the table; one of noise; the end.
    dimensions : int
        The number of columns up to here.
    values : ndarray of shape (n_samples,)
        The column, scaled to [0, 1] if it is one of the table.
    neighbors : ndarray of shape (n_samples, n_neighbors)
        The nearest other rows of each row, nearest first.
    counts : ndarray of shape (n_samples,)
        The number of rows of which each is a neighbour: large for a hub.
    pairs : ndarray of shape (40,)
        The histogram of the distances of all pairs, by fortieths of the unit cube's diagonal;
        longer ones are in the last bin.
    nearest, farthest : float
        Means over the rows of the distance to the nearest and to the farthest other row.
    contrast : float
        Mean over the rows of (farthest - nearest) / nearest; infinite where two rows are equal.
    gamma : float
        Logarithm of (largest - smallest) / smallest of all distances; infinite where two rows are
        equal.
    hubness : float
        Skewness of ``counts``; 0 where all are equal.
    error : float
        Fraction of the rows that the vote of their neighbours misclassifies; NaN without classes.
    """

    phase: Phase
    dimensions: int
    values: Floats
    neighbors: Ints
    counts: Ints
    pairs: Ints
    nearest: float = np.nan
    farthest: float = np.nan
    contrast: float = np.nan
    gamma: float = np.nan
    hubness: float = np.nan
    error: float = np.nan


class DistanceConcentration(BaseEstimator):
    """The distances between rows as columns are added.

    The columns of a table come first, each scaled to [0, 1], then columns of independent noise.

    Parameters
    ----------
    n_dimensions : int, default=30
        The number of columns at the end; further columns of the table are ignored.
    n_neighbors : int, default=5
        The number of neighbours of each row, which also vote on its class.
    noise : {"uniform", "normal"}, default="uniform"
        The distribution of the added columns: uniform on [0, 1], or normal with the same mean and
        variance.
    random_state : int, default=0
        Seed of the noise.

    Attributes
    ----------
    nearest_, farthest_ : float
        Means over the rows of the Euclidean distance to the nearest and to the farthest other row,
        in all columns.
    contrast_ : float
        Mean over the rows of (farthest - nearest) / nearest; infinite where two rows are equal.
    gamma_ : float
        Logarithm of (largest - smallest) / smallest of all distances; infinite where two rows are
        equal.
    hubness_ : float
        Skewness of the numbers of rows of which each row is a neighbour.
    error_ : float
        Leave-one-out error of the vote of the neighbours; NaN without classes.
    path_ : ndarray of shape (n_dimensions, 6)
        These six by the number of columns.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there are fewer than two rows, or more than 3000.

    Notes
    -----
    O(n^2 log n) time for each of the columns, O(n^2) memory. Of rows at the same distance that with
    the smaller number is nearer, and of equal votes the first class wins.

    References
    ----------
    K. Beyer, J. Goldstein, R. Ramakrishnan and U. Shaft (1999), When is "nearest neighbor"
    meaningful? ICDT. M. Radovanovic, A. Nanopoulos and M. Ivanovic (2010), Hubs in space. Journal
    of Machine Learning Research 11.

    Examples
    --------
    >>> rows = np.random.default_rng(0).random((100, 2))
    >>> model = DistanceConcentration(50).fit(rows)
    >>> model.path_[[1, 9, 49], 2].round(2).tolist()
    [30.16, 1.6, 0.51]
    """

    LENGTH: ClassVar[str] = "n_dimensions"
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_dimensions": Integer(1, 200, shown=(1, 100)),
        "n_neighbors": Integer(1, 50, shown=(1, 20)),
        "noise": Choice(("uniform", "normal")),
    }

    def __init__(
        self,
        n_dimensions: int = 30,
        *,
        n_neighbors: int = 5,
        noise: str = "uniform",
        random_state: int = 0,
    ) -> None:
        self.n_dimensions = n_dimensions
        self.n_neighbors = n_neighbors
        self.noise = noise
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Compute the distances of the rows of ``X`` and, with ``y``, the error of the vote."""
        return self.fit_from(list(self.steps(X, y)), X, y)

    def fit_from(
        self, steps: list[DimensionStep], X: ArrayLike, y: ArrayLike | None = None
    ) -> Self:
        """Set the fitted attributes from the steps."""
        validate_data(self, X, dtype=np.float64)
        columns = [step for step in steps if step.phase in ("column", "noise")]
        self.path_ = np.array([[getattr(step, name) for name in MEASURES] for step in columns])
        for name, value in zip(MEASURES, self.path_[-1], strict=True):
            setattr(self, f"{name}_", float(value))
        return self

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[DimensionStep]:
        """Yield the distances after each column."""
        check_params(self.PARAMS, self.get_params(deep=False))
        rows = check_array(X, dtype=np.float64, ensure_min_samples=2)
        n = len(rows)
        if n > MAX_ROWS:
            raise ValueError(f"All pairs of {n} rows are too many; choose at most {MAX_ROWS}.")
        classes = None if y is None else np.unique(np.asarray(y), return_inverse=True)[1]
        squared = np.zeros((n, n))
        upper = np.triu(np.ones((n, n), bool), 1)
        no_rows = np.empty(0, np.intp)
        step = DimensionStep("scale", 0, np.empty(0), no_rows.reshape(0, 0), no_rows, no_rows)
        yield step
        k = min(self.n_neighbors, n - 1)
        for d, (phase, values) in enumerate(self._columns(rows), start=1):
            look()
            squared += np.subtract.outer(values, values) ** 2
            step = _step(phase, d, values, squared, k, classes, upper)
            yield step
        yield replace(step, phase="done")

    def shortened(
        self, steps: Sequence[DimensionStep], X: ArrayLike, y: ArrayLike | None = None
    ) -> tuple[DimensionStep, ...] | None:
        """Return the own steps among those of a longer run; None if there are too few."""
        return shortened(steps, 1 + self.n_dimensions, lambda last: replace(last, phase="done"))

    def _columns(self, rows: Floats) -> Iterator[tuple[Phase, Floats]]:
        """Yield the columns of the table, scaled, and then those of noise."""
        low, high = rows.min(axis=0), rows.max(axis=0)
        scaled = (rows - low) / np.where(high > low, high - low, 1.0)
        for values in scaled.T[: self.n_dimensions]:
            yield "column", values
        draw = np.random.default_rng((self.random_state, NOISE))
        for _ in range(self.n_dimensions - rows.shape[1]):
            if self.noise == "uniform":
                yield "noise", draw.random(len(rows))
            else:
                yield "noise", draw.normal(0.5, 12**-0.5, len(rows))


def distance_contrast(n: int, d: int, *, random_state: int = 0) -> float:
    """Return the logarithm of (largest - smallest) / smallest of the distances of random rows.

    Parameters
    ----------
    n, d : int
        Rows, at least 2, and columns, at least 1, of uniform values.
    random_state : int
        Seed.

    Raises
    ------
    ValueError
        If there are too few rows or columns.

    Examples
    --------
    >>> [round(distance_contrast(100, d), 1) for d in (2, 10, 100)]
    [4.8, 1.4, -0.7]
    """
    if n < 2 or d < 1:
        raise ValueError("This needs at least 2 rows and 1 column.")
    return gamma_of(pdist(np.random.default_rng(random_state).random((n, d))))


def gamma_of(distances: Floats) -> float:
    """Return the logarithm of (largest - smallest) / smallest; NaN where all are 0."""
    low, high = distances.min(), distances.max()
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.log((high - low) / low)) if high > 0 else float("nan")


def nearest_first(distances: Floats, k: int) -> Ints:
    """Return the k nearest of each row in stable order: of equal distances the first.

    Examples
    --------
    >>> nearest_first(np.array([[3.0, 1.0, 2.0, 1.0]]), 2).tolist()
    [[1, 3]]
    """
    if 4 * k >= distances.shape[1]:
        return np.argsort(distances, axis=1, kind="stable")[:, :k]
    candidates = np.sort(np.argpartition(distances, k - 1, axis=1)[:, :k], axis=1)
    lengths = np.take_along_axis(distances, candidates, axis=1)
    order = np.argsort(lengths, axis=1, kind="stable")
    nearest: Ints = np.take_along_axis(candidates, order, axis=1)
    tied = np.flatnonzero((distances <= lengths.max(axis=1, keepdims=True)).sum(axis=1) > k)
    if len(tied):
        nearest[tied] = np.argsort(distances[tied], axis=1, kind="stable")[:, :k]
    return nearest


def _step(
    phase: Phase,
    d: int,
    values: Floats,
    squared: Floats,
    k: int,
    y: Ints | None,
    upper: NDArray[np.bool_],
) -> DimensionStep:
    n = len(values)
    to_others = squared.copy()
    np.fill_diagonal(to_others, np.inf)
    neighbors = nearest_first(to_others, k)
    pairs = np.sqrt(squared[upper])
    counts = np.bincount(neighbors.ravel(), minlength=n)
    nearest, farthest = np.sqrt(to_others.min(axis=1)), np.sqrt(squared.max(axis=1))
    bins = np.minimum(pairs / np.sqrt(d) * BINS, BINS - 1).astype(np.intp)
    with np.errstate(divide="ignore", invalid="ignore"):
        contrast = float(np.mean((farthest - nearest) / nearest))
    return DimensionStep(
        phase=phase,
        dimensions=d,
        values=values,
        neighbors=neighbors,
        counts=counts,
        pairs=np.bincount(bins, minlength=BINS),
        nearest=float(nearest.mean()),
        farthest=float(farthest.mean()),
        contrast=contrast,
        gamma=gamma_of(pairs),
        hubness=_skewness(counts),
        error=np.nan if y is None else float((vote(neighbors, y) != y).mean()),
    )


def _skewness(counts: Ints) -> float:
    centred = counts - counts.mean()
    variance = float((centred**2).mean())
    return float((centred**3).mean()) / variance**1.5 if variance > 0 else 0.0


def vote(neighbors: Ints, y: Ints) -> Ints:
    """Return the most frequent class among the neighbours of each row."""
    votes = (y[neighbors][:, :, None] == np.arange(y.max() + 1)).sum(axis=1)
    winner: Ints = votes.argmax(axis=1)
    return winner
