"""Location and spread of a column, statistic by statistic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, get_args

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns
from dmlib.params import Choice, Integer, Param, check_params
from dmlib.preprocessing.data_overview.statistics import (
    FENCE,
    PERCENTILES,
    covariance,
    most_frequent,
    relations,
    squares_around_mean,
    summarise,
)

Scale = Literal["nominal", "ordinal", "interval", "ratio"]
SCALES: tuple[Scale, ...] = get_args(Scale)
"""Measurement scales, each allowing more than the one before."""

Phase = Literal[
    "look",
    "count",
    "sort",
    "median",
    "quartiles",
    "percentiles",
    "outliers",
    "mean",
    "variance",
    "coefficient",
    "covariance",
    "done",
]


@dataclass(frozen=True, eq=False)
class ColumnSummaryStep:
    """One statistic of a column is found.

    Attributes
    ----------
    phase : str
        The statistic, one of ``Phase``.
    column : int
        The index of the column.
    scale : {"nominal", "ordinal", "interval", "ratio"}
        Its measurement scale.
    values : ndarray of shape (n_samples,)
        Its numbers, or the codes of its categories; NaN where missing.
    categories : tuple of str
        The names of the codes; empty for numbers.
    statistics : dict of str to float
        All numbers so far.
    covariances, correlations : ndarray of shape (n_features,)
        With each column; NaN with nominal ones; empty until they are computed.
    """

    phase: Phase
    column: int
    scale: Scale
    values: Floats
    categories: tuple[str, ...]
    statistics: dict[str, float]
    covariances: Floats
    correlations: Floats

    @property
    def median(self) -> float:
        """The median, as far as it is a known number; else NaN."""
        return self._number("median")

    @property
    def variance(self) -> float:
        """The variance, as far as it is known; else NaN."""
        return self._number("variance")

    @property
    def range(self) -> float:
        """The range, as far as it is known; else NaN."""
        return self._number("range")

    def _number(self, name: str) -> float:
        return float("nan") if self.categories else float(self.statistics.get(name, float("nan")))


class ColumnSummary(BaseEstimator):
    r"""Find the location and the spread of a column.

    Which statistics there are depends on the scale of the column: names have a mode; an order adds
    the median and other quantiles; a unit adds mean :math:`\bar x = \sum x_i / n`, variance
    :math:`\sum (x_i - \bar x)^2 / (n - 1)` and covariance; a zero adds the ratio of standard
    deviation and mean.

    Parameters
    ----------
    column : int, default=1
        The number of the column that the steps are about, from 1; ``fit`` describes all columns.
    scale : {"auto", "nominal", "ordinal", "interval", "ratio"}, default="auto"
        The measurement scale of the column. Auto: names are nominal, numbers with a value below
        zero interval, all other numbers ratio. Only you can know better.

    Attributes
    ----------
    counts_ : ndarray of shape (n_features,)
        How many values of each column are known.
    mean_, median_, variance_, range_ : ndarray of shape (n_features,)
        Of each column; NaN for nominal columns. The variance divides by n - 1.
    percentiles_ : ndarray of shape (5, n_features)
        The 10th, 25th, 50th, 75th and 90th, interpolated linearly.
    n_outliers_ : ndarray of shape (n_features,)
        How many values lie more than 1.5 interquartile ranges beyond the quartiles.
    covariance_ : ndarray of shape (n_features, n_features)
        Of the rows in which both values are known.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there is no such column, it holds no value, or a scale is chosen that names cannot have.

    Notes
    -----
    O(n log n) a column for sorting, O(n d^2) for the covariances. Quantiles of an ordinal column
    are values of the column: the smallest one that at least this share of the rows does not exceed.

    References
    ----------
    S. S. Stevens (1946), On the theory of scales of measurement. Science 103, 677-680.
    J. W. Tukey (1977), Exploratory data analysis, chapter 2.

    Examples
    --------
    >>> model = ColumnSummary().fit([[2.0], [4.0], [4.0], [5.0], [15.0]])
    >>> model.mean_.tolist(), model.median_.tolist(), model.variance_.tolist()
    ([6.0], [4.0], [26.5])
    >>> [step.phase for step in ColumnSummary(scale="ordinal").steps([[1.0], [2.0], [2.0]])]
    ['look', 'count', 'sort', 'median', 'quartiles', 'done']
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "column": Integer(1, 100_000, shown=(1, 20)),
        "scale": Choice(("auto", *SCALES)),
    }

    def __init__(self, column: int = 1, *, scale: str = "auto") -> None:
        self.column = column
        self.scale = scale

    def fit(self, X: Any, y: Any = None) -> Self:
        """Describe all columns of a table; NaN where a value is missing, and ``y`` is ignored."""
        columns, matrix = self._read(X)
        validate_data(self, X, skip_check_array=True)
        numbers = np.where(columns.nominal, np.nan, matrix)
        summaries = [summarise(x) for x in numbers.T]
        self.counts_ = np.isfinite(matrix).sum(axis=0)
        self.mean_ = np.array([summary.mean for summary in summaries])
        self.median_ = np.array([summary.median for summary in summaries])
        self.variance_ = np.array([summary.variance for summary in summaries])
        self.range_ = np.array([summary.range for summary in summaries])
        self.percentiles_ = np.array([summary.percentiles for summary in summaries]).T
        self.n_outliers_ = np.array([summary.n_outliers for summary in summaries])
        self.covariance_ = covariance(numbers)
        return self

    def steps(self, X: Any, y: Any = None) -> Iterator[ColumnSummaryStep]:
        """Yield the statistics that the scale of the column allows, one after another."""
        columns, matrix = self._read(X)
        j = self.column - 1
        values, names = matrix[:, j].copy(), columns.categories[j]
        x = np.sort(values[np.isfinite(values)])
        if not x.size:
            raise ValueError(
                f"The column {columns.names[j]!r} holds no value. Choose another column."
            )
        scale = self._scale(columns, j, x)
        level = SCALES.index(scale)
        categories = () if names is None else tuple(map(str, names))
        statistics: dict[str, float] = {}
        empty = np.empty(0)

        def step(
            phase: Phase, cov: Floats = empty, r: Floats = empty, **numbers: float
        ) -> ColumnSummaryStep:
            statistics.update(numbers)
            return ColumnSummaryStep(phase, j, scale, values, categories, {**statistics}, cov, r)

        yield step("look", n=x.size, missing=len(values) - x.size)
        modes, mode_count, n_distinct = most_frequent(x)
        first = {"mode": modes[0]} if modes else {}
        yield step("count", distinct=n_distinct, modes=len(modes), mode_count=mode_count, **first)
        if level >= SCALES.index("ordinal"):
            yield step("sort", minimum=x[0], maximum=x[-1])
            method: Any = "inverted_cdf" if scale == "ordinal" else "linear"
            tenth, low, median, high, ninth = np.percentile(x, PERCENTILES, method=method)
            yield step("median", median=median)
            yield step("quartiles", low=low, high=high)
        if level >= SCALES.index("interval"):
            yield step("percentiles", tenth=tenth, ninth=ninth)
            low_fence, high_fence = low - FENCE * (high - low), high + FENCE * (high - low)
            yield step(
                "outliers",
                low_fence=low_fence,
                high_fence=high_fence,
                n_outliers=((x < low_fence) | (x > high_fence)).sum(),
                range=x[-1] - x[0],
            )
            yield step("mean", sum=x.sum(), mean=x.mean())
            if x.size > 1:
                squares = squares_around_mean(x)
                variance = squares / (x.size - 1)
                deviation = np.sqrt(variance)
                yield step("variance", squares=squares, variance=variance, deviation=deviation)
                if scale == "ratio" and x.mean() > 0:
                    yield step("coefficient", coefficient=deviation / x.mean())
            if matrix.shape[1] > 1 and x.size > 1:
                cov, r = relations(np.where(columns.nominal, np.nan, matrix), j)
                yield step("covariance", cov, r)
                yield step("done", cov, r)
                return
        yield step("done")

    def _read(self, X: Any) -> tuple[Columns, Floats]:
        check_params(self.PARAMS, self.get_params(deep=False))
        columns, matrix = Columns.read(X)
        if self.column > matrix.shape[1]:
            raise ValueError(f"There is no column {self.column}: the table has {matrix.shape[1]}.")
        return columns, matrix

    def _scale(self, columns: Columns, j: int, x: Floats) -> Any:
        """Return the scale of a column with these sorted values."""
        if self.scale == "auto":
            numeric = "ratio" if x[0] >= 0 else "interval"
            return "nominal" if columns.nominal[j] else numeric
        if columns.nominal[j] and self.scale in ("interval", "ratio"):
            raise ValueError(
                f"The column {columns.names[j]!r} holds names: they have no differences and no"
                " ratios. Choose nominal or ordinal, or a column of numbers."
            )
        return self.scale

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = tags.input_tags.categorical = True
        return tags
