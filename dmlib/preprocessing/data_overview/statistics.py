"""Location and spread of columns: mean, quantiles, modes, variance, outliers, covariance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats
from dmlib.squares import deviations

PERCENTILES = (10, 25, 50, 75, 90)
"""The five numbers of a percentile box plot."""

FENCE = 1.5
"""How many interquartile ranges beyond the quartiles a value counts as an outlier."""

CANCELLED = 1e-6
"""A sum of squares around another mean is computed anew if less than this share remains."""

_CHUNK = 100_000  # rows whose products are summed at a time


@dataclass(frozen=True)
class Summary:
    """Location and spread of numbers.

    Attributes
    ----------
    n : int
        How many values are known.
    mean, variance : float
        Their mean, and the sum of squared deviations from it divided by n - 1; NaN where they are
        undefined.
    minimum, maximum : float
        The smallest and the largest.
    percentiles : tuple of float
        The 10th, 25th, 50th, 75th and 90th.
    modes : tuple of float
        The most frequent values, ascending; none if several values are all equally frequent.
    mode_count : int
        How often each of them occurs; 0 where there is none.
    n_distinct : int
        How many different values there are.
    n_outliers : int
        How many values lie beyond the fences.
    """

    n: int
    mean: float
    variance: float
    minimum: float
    maximum: float
    percentiles: tuple[float, ...]
    modes: tuple[float, ...]
    mode_count: int
    n_distinct: int
    n_outliers: int

    @property
    def median(self) -> float:
        """The 50th percentile."""
        return self.percentiles[2]

    @property
    def range(self) -> float:
        """The largest value minus the smallest."""
        return self.maximum - self.minimum

    @property
    def deviation(self) -> float:
        """The standard deviation, the root of the variance."""
        return float(np.sqrt(self.variance))

    @property
    def fences(self) -> tuple[float, float]:
        """Tukey's fences, 1.5 interquartile ranges outside the quartiles."""
        low, high = self.percentiles[1], self.percentiles[3]
        return low - FENCE * (high - low), high + FENCE * (high - low)


def summarise(values: ArrayLike) -> Summary:
    """Return the summary of a column of numbers; what is not finite counts as missing.

    Parameters
    ----------
    values : array-like of shape (n_rows,)
        The numbers.

    Notes
    -----
    Quantiles are interpolated linearly between the sorted values (type 7 of Hyndman and Fan, the
    default of NumPy, pandas and R). Sorting makes it O(n log n).

    References
    ----------
    R. J. Hyndman and Y. Fan (1996), Sample quantiles in statistical packages. The American
    Statistician 50, 361-365. J. W. Tukey (1977), Exploratory data analysis, chapter 2.

    Examples
    --------
    >>> summary = summarise([2, 4, 4, 5, 15, None])
    >>> summary.n, summary.mean, summary.median
    (5, 6.0, 4.0)
    >>> summary.modes, summary.variance, summary.n_outliers
    ((4.0,), 26.5, 2)
    """
    x = np.asarray(values, float)
    x = np.sort(x[np.isfinite(x)])
    if not x.size:
        nan = float("nan")
        return Summary(0, nan, nan, nan, nan, (nan,) * len(PERCENTILES), (), 0, 0, 0)
    modes, mode_count, n_distinct = most_frequent(x)
    with np.errstate(over="ignore", invalid="ignore"):  # of numbers near 1e308, sums are infinite
        percentiles = tuple(map(float, np.percentile(x, PERCENTILES)))
        mean = float(x.mean())
        variance = squares_around_mean(x) / (x.size - 1) if x.size > 1 else float("nan")
        low, high = percentiles[1], percentiles[3]
        beyond = (x < low - FENCE * (high - low)) | (x > high + FENCE * (high - low))
    return Summary(
        n=x.size,
        mean=mean,
        variance=variance,
        minimum=float(x[0]),
        maximum=float(x[-1]),
        percentiles=percentiles,
        modes=modes,
        mode_count=mode_count,
        n_distinct=n_distinct,
        n_outliers=int(beyond.sum()),
    )


def squares_around_mean(x: Floats) -> float:
    """Return the sum of squared deviations of numbers from their mean; exactly 0 if all are equal.

    Examples
    --------
    >>> squares_around_mean(np.array([1e16, 1e16 + 2, 1e16 + 4]))
    8.0
    >>> squares_around_mean(np.full(10, 0.1))
    0.0
    """
    low, high = float(x.min()), float(x.max())
    moved = deviations(x) if high / 2 - low / 2 < np.finfo(float).max / 2 else x - x.mean()
    return float((moved**2).sum())


def most_frequent(values: Any) -> tuple[tuple[Any, ...], int, int]:
    """Return the modes of values without holes, their frequency, and the number of distinct values.

    Examples
    --------
    >>> most_frequent([1.0, 2.0, 2.0, 3.0, 3.0])
    ((2.0, 3.0), 2, 3)
    >>> most_frequent([1.0, 2.0])
    ((), 0, 2)
    """
    x = np.sort(np.asarray(values))
    first = np.flatnonzero(np.r_[True, x[1:] != x[:-1]])[: x.size]
    counts = np.diff(np.r_[first, x.size])
    if not counts.size or (len(counts) > 1 and counts.min() == counts.max()):
        return (), 0, len(counts)
    return tuple(x[first[counts == counts.max()]].tolist()), int(counts.max()), len(counts)


def covariance(X: ArrayLike) -> Floats:
    """Return the covariances of columns, each of the rows in which both values are known.

    Parameters
    ----------
    X : array-like of shape (n_rows, n_columns)
        Numbers; NaN where a value is missing.

    Returns
    -------
    ndarray of shape (n_columns, n_columns)
        Sums of products of deviations divided by n - 1; NaN where fewer than two rows have both
        values.

    Notes
    -----
    O(n d^2), in blocks of rows. The values are centred first, each column around one of its own:
    sums of squares of numbers far from zero cancel.

    Examples
    --------
    >>> covariance([[1, 2], [2, 4], [3, 9], [4, float("nan")]]).round(3).tolist()
    [[1.667, 3.5], [3.5, 13.0]]
    """
    return covariance_and_correlation(X)[0]


def correlation(X: ArrayLike) -> Floats:
    """Return Pearson's correlations of columns, each of the rows in which both values are known.

    The columns are those of :func:`covariance`. Where one does not vary, its correlations are NaN.

    Examples
    --------
    >>> correlation([[1, 2, 5], [2, 4, 5], [3, 6, 5]]).round(3).tolist()
    [[1.0, 1.0, nan], [1.0, 1.0, nan], [nan, nan, nan]]
    """
    return covariance_and_correlation(X)[1]


def covariance_and_correlation(X: ArrayLike) -> tuple[Floats, Floats]:
    """Return the results of :func:`covariance` and :func:`correlation`, in the time of one."""
    scaled, variances, unit = _moments(np.asarray(X, float))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        r = scaled / np.sqrt(variances) / np.sqrt(variances.T)
        return scaled * unit * unit[:, None], np.clip(r, -1, 1)


def relations(X: ArrayLike, column: int) -> tuple[Floats, Floats]:
    """Return the covariances and correlations of one column with each.

    They are a row of :func:`covariance` and :func:`correlation`, in O(n d).

    Examples
    --------
    >>> [numbers.round(9).tolist() for numbers in relations([[1, 2], [2, 4], [3, 6]], 0)]
    [[1.0, 2.0], [1.0, 1.0]]
    """
    values, unit = _scaled(np.asarray(X, float))
    n, sums, x_squares, y_squares = _sums(values, column)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        cov = np.where(n > 1, sums / np.maximum(n - 1, 1) * unit[column] * unit, np.nan)
        r = np.clip(sums / (np.sqrt(x_squares) * np.sqrt(y_squares)), -1, 1)
    return cov, r


def _scaled(X: Floats) -> tuple[Floats, Floats]:
    """Return columns divided by units, powers of 2: no digit is lost, and no square overflows."""
    largest = np.max(np.abs(X), axis=0, where=np.isfinite(X), initial=0.0)
    unit = np.ldexp(1.0, np.frexp(largest)[1] - 1)
    return X / unit, unit


def _around_means(X: Floats, mask: NDArray[np.bool_]) -> Floats:
    """Return columns less the means of values in a mask, 0 elsewhere and in constant columns."""
    first = np.nan_to_num(X[mask.argmax(axis=0), np.arange(X.shape[1])])
    moved = np.where(mask, X - first, 0.0)  # the differences have digits to spare for the mean
    return np.where(mask, moved - moved.sum(axis=0) / np.maximum(mask.sum(axis=0), 1), 0.0)


def _sums(X: Floats, column: int) -> tuple[NDArray[np.intp], Floats, Floats, Floats]:
    """Return the sums of one column with each, in the rows that have both values.

    They are the number of rows, and the sums of products, of squares of the column, and of squares
    of each.
    """
    mask = np.isfinite(X) & np.isfinite(X[:, [column]])
    x = _around_means(np.broadcast_to(X[:, [column]], X.shape), mask)
    y = _around_means(X, mask)
    return mask.sum(axis=0), (x * y).sum(axis=0), (x**2).sum(axis=0), (y**2).sum(axis=0)


def _moments(X: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the covariances and variances of each pair of columns, and the units.

    The variance at (i, j) is that of column i in the rows that have both values. All are those of
    the columns divided by their units.
    """
    scaled, unit = _scaled(X)
    mask = np.isfinite(scaled)
    around = _around_means(scaled, mask)
    d = X.shape[1]
    n, first, second, product = (np.zeros((d, d)) for _ in range(4))
    for start in range(0, len(X), _CHUNK):
        rows = slice(start, start + _CHUNK)
        x, has_value = around[rows], mask[rows].astype(float)
        n += has_value.T @ has_value
        first += x.T @ has_value
        second += (x**2).T @ has_value
        product += x.T @ x
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = np.maximum(second - first**2 / n, 0.0)
        sums = product - first * first.T / n
    # In the rows that two columns share, one may lie far from its mean of all rows: the difference
    # has no digits then.
    for j in np.flatnonzero((squares < CANCELLED * second).any(axis=1)).tolist():
        _, products, squares[j], squares[:, j] = _sums(scaled, j)
        sums[j] = sums[:, j] = products
    degrees = np.where(n > 1, n - 1, np.nan)
    return sums / degrees, squares / degrees, unit
