"""Distances between rows as columns are added, one at a time: those of a table first, then columns of noise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import pdist
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, validate_data

from dmlib.arrays import Floats, Ints
from dmlib.draft import shortened
from dmlib.params import Choice, Integer, Param, check_params
from dmlib.trace import look

LARGEST = 3000  # rows: all pairs of more are too many to keep


MEASURES = ("nearest", "farthest", "contrast", "gamma", "hubness", "error")
NOISE = 1  # beside the seed: a table that was drawn with the same seed must not come again as noise
BINS = 40  # of the distances of all pairs, over what the diagonal of the unit cube is


@dataclass(frozen=True)
class DimensionStep:
    """The distances between all rows after a column more.

    Attributes
    ----------
    phase : {"scale", "column", "noise", "done"}
        Whether the column is one of the table or noise; before the first one there are no
        distances.
    dimensions : int
        How many columns there are now.
    values : ndarray of shape (n_samples,)
        The column, scaled to [0, 1] if it is one of the table.
    neighbors : ndarray of shape (n_samples, n_neighbors)
        The nearest other rows of each row, nearest first.
    counts : ndarray of shape (n_samples,)
        Of how many rows each is one of the nearest: a hub has many.
    pairs : ndarray of shape (40,)
        How many pairs of rows have a distance in each fortieth of the unit cube's diagonal, longer
        ones in the last.
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
        Share of the rows that the vote of their nearest ones puts into another class; NaN without
        classes.
    """

    phase: str
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
    """What becomes of the distances between rows as columns are added.

    The columns of a table come first, each scaled to [0, 1], then columns of independent noise; two
    columns of uniform noise and more of them are the unit cube.

    Parameters
    ----------
    n_dimensions : int, default=30
        How many columns there are in the end. A table that has more is used up to there.
    n_neighbors : int, default=5
        The number of nearest rows that count as neighbours, and that vote on the class.
    noise : {"uniform", "normal"}, default="uniform"
        How the added columns are distributed: over [0, 1], or normal with the same mean and
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
        Skewness of the numbers of rows of which each row is one of the nearest.
    error_ : float
        Leave-one-out error of the vote of the nearest rows; NaN without classes.
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
    O(n^2 log n) time for each of the columns, O(n^2) memory. Of equally near rows that with the
    smaller number is nearer, and of equal votes the class that comes first wins.

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
        """Measure the distances of the rows of ``X``; with the classes ``y``, the error of their neighbours too."""
        return self.fit_from(list(self.steps(X, y)), X, y)

    def fit_from(
        self, steps: list[DimensionStep], X: ArrayLike, y: ArrayLike | None = None
    ) -> Self:
        """Become what the steps say."""
        validate_data(self, X, dtype=np.float64)
        columns = [step for step in steps if step.phase in ("column", "noise")]
        self.path_ = np.array([[getattr(step, name) for name in MEASURES] for step in columns])
        for name, value in zip(MEASURES, self.path_[-1], strict=True):
            setattr(self, f"{name}_", float(value))
        return self

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[DimensionStep]:
        """Yield what the distances are after each column."""
        check_params(self.PARAMS, self.get_params(deep=False))
        rows = check_array(X, dtype=np.float64, ensure_min_samples=2)
        n = len(rows)
        if n > LARGEST:
            raise ValueError(f"All pairs of {n} rows are too many; choose at most {LARGEST}.")
        classes = None if y is None else np.unique(np.asarray(y), return_inverse=True)[1]
        squared = np.zeros((n, n))
        upper = np.triu(np.ones((n, n), bool), 1)
        none = np.empty(0, np.intp)
        step = DimensionStep("scale", 0, np.empty(0), none.reshape(0, 0), none, none)
        yield step
        for d, (phase, values) in enumerate(self._columns(rows), start=1):
            look()
            squared += np.subtract.outer(values, values) ** 2
            step = _measured(
                phase, d, values, squared, min(self.n_neighbors, n - 1), classes, upper
            )
            yield step
        yield replace(step, phase="done")

    def shortened(
        self, steps: Sequence[DimensionStep], X: ArrayLike, y: ArrayLike | None = None
    ) -> tuple[DimensionStep, ...] | None:
        """Return the own steps among those of a run with more columns; None if it has not come so far."""
        return shortened(steps, 1 + self.n_dimensions, lambda last: replace(last, phase="done"))

    def _columns(self, rows: Floats) -> Iterator[tuple[str, Floats]]:
        """Yield the columns of the table, scaled, and then those of noise."""
        low, high = rows.min(axis=0), rows.max(axis=0)
        scaled = (rows - low) / np.where(high > low, high - low, 1.0)
        for values in scaled.T[: self.n_dimensions]:
            yield "column", values
        draw = np.random.default_rng((self.random_state, NOISE))
        for _ in range(self.n_dimensions - rows.shape[1]):
            yield (
                "noise",
                draw.random(len(rows))
                if self.noise == "uniform"
                else draw.normal(0.5, 12**-0.5, len(rows)),
            )


def distance_contrast(n: int, d: int, *, random_state: int = 0) -> float:
    """Return the logarithm of (largest - smallest) / smallest of the distances of random rows.

    Parameters
    ----------
    n, d : int
        Rows, at least 2, and columns, at least 1, each uniform: their range is of no matter.
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
    """Return the logarithm of (largest - smallest) / smallest; infinite where one is 0, or all are equal."""
    low, high = distances.min(), distances.max()
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.log((high - low) / low)) if high > 0 else float("nan")


def nearest_first(distances: Floats, k: int) -> Ints:
    """Return the k nearest of each row, as a stable sort has them: of equally near ones the first.

    Examples
    --------
    >>> nearest_first(np.array([[3.0, 1.0, 2.0, 1.0]]), 2).tolist()
    [[1, 3]]
    """
    if 4 * k >= distances.shape[1]:
        return np.argsort(distances, axis=1, kind="stable")[:, :k]
    some = np.sort(np.argpartition(distances, k - 1, axis=1)[:, :k], axis=1)
    lengths = np.take_along_axis(distances, some, axis=1)
    found: Ints = np.take_along_axis(some, np.argsort(lengths, axis=1, kind="stable"), axis=1)
    tied = np.flatnonzero((distances <= lengths.max(axis=1, keepdims=True)).sum(axis=1) > k)
    if len(tied):
        found[tied] = np.argsort(distances[tied], axis=1, kind="stable")[:, :k]
    return found


def _measured(
    phase: str,
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
    with np.errstate(divide="ignore", invalid="ignore"):
        contrast = float(np.mean((farthest - nearest) / nearest))
    return DimensionStep(
        phase,
        d,
        values,
        neighbors,
        counts,
        np.bincount(
            np.minimum(pairs / np.sqrt(d) * BINS, BINS - 1).astype(np.intp), minlength=BINS
        ),
        float(nearest.mean()),
        float(farthest.mean()),
        contrast,
        gamma_of(pairs),
        _skewness(counts),
        np.nan if y is None else float((vote(neighbors, y) != y).mean()),
    )


def _skewness(counts: Ints) -> float:
    rest = counts - counts.mean()
    variance = float((rest**2).mean())
    return float((rest**3).mean()) / variance**1.5 if variance > 0 else 0.0


def vote(neighbors: Ints, y: Ints) -> Ints:
    """Return the most frequent class among the neighbours of each row."""
    votes = (y[neighbors][:, :, None] == np.arange(y.max() + 1)).sum(axis=1)
    winner: Ints = votes.argmax(axis=1)
    return winner
