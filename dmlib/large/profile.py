"""Summary of a large table in one pass: values, quantiles, spread, most frequent values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.large.blocks import comparable, numbers, summarised
from dmlib.large.moments import Moments
from dmlib.large.sketches import Distinct, Frequent, Quantiles
from dmlib.large.source import open_table

SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
TOP = 5


@dataclass(frozen=True)
class LargeColumn:
    """Summary of a column of a large table.

    Attributes
    ----------
    name, kind : str
        Its name, and the type that it is stored as.
    n, n_missing : int
        How many values are known and how many are missing; infinite numbers are missing.
    n_distinct : int
        How many different values there are.
    distinct_error : float
        The relative standard error of that number; 0 if it is exact.
    top : tuple of (value, int)
        The most frequent values, at most five, and how often they occur.
    top_error : int
        By how much such a count can be too low.
    mean, variance : float
        Of numbers: the mean, and the squared deviations divided by n - 1; else, and where squares
        overflow, NaN.
    minimum, maximum : object
        Of numbers and dates; else None.
    percentiles : tuple of float
        Of numbers: the 10th, 25th, 50th, 75th and 90th; else empty.
    rank_error : float
        By which share of the values the rank of a percentile can be off at most; 0 if all values
        were kept.
    """

    name: str
    kind: str
    n: int
    n_missing: int
    n_distinct: int
    distinct_error: float
    top: tuple[tuple[Any, int], ...]
    top_error: int
    mean: float = np.nan
    variance: float = np.nan
    minimum: Any = None
    maximum: Any = None
    percentiles: tuple[float, ...] = ()
    rank_error: float = 0.0


@dataclass(frozen=True)
class LargeProfile:
    """Summary of a large table.

    Attributes
    ----------
    n_rows : int
        The number of rows.
    columns : tuple of LargeColumn
        The columns in order.
    """

    n_rows: int
    columns: tuple[LargeColumn, ...]

    def __getitem__(self, name: str) -> LargeColumn:
        """Return the profile of a column by its name."""
        return next(column for column in self.columns if column.name == name)

    def frame(self) -> pd.DataFrame:
        """Return one row for each column of the table."""
        return pd.DataFrame([_row(column) for column in self.columns])

    @property
    def rank_error(self) -> float:
        """The largest error of a percentile's rank, as a share of the values."""
        return max((column.rank_error for column in self.columns), default=0.0)

    @property
    def distinct_error(self) -> float:
        """The largest relative standard error of a number of different values."""
        return max((column.distinct_error for column in self.columns), default=0.0)


def profile(
    table: Any, *, columns: Any = None, progress: engine.Progress | None = None
) -> LargeProfile:
    """Describe a large table in one pass.

    Parameters
    ----------
    table : str, Path, Dask data frame, DataFrame or Source
        What :func:`open_table` takes.
    columns : sequence of str, optional
        The columns that are described; by default all.
    progress : callable, optional
        Called with the :class:`~dmlib.engine.Task` of each piece of the table that was read.

    Returns
    -------
    LargeProfile
        Counts, means, variances, extremes and missing values are exact. Percentiles, numbers of
        different values and counts of the most frequent ones are exact for small tables, and else
        come with their errors.

    Raises
    ------
    ValueError
        If there is no row, or a file cannot be read.

    Notes
    -----
    O(n d log b) with blocks of b rows, in memory of one block for each thread and 1 MB for each
    column.

    Examples
    --------
    >>> frame = pd.DataFrame({"size": [1.5, 2.0, 2.5, None]})
    >>> frame["colour"] = ["red", "blue", "red", "red"]
    >>> summary = profile(frame)
    >>> size = summary["size"]
    >>> size.mean, size.percentiles[2], size.n_missing
    (2.0, 2.0, 1)
    >>> summary["colour"].top
    (('red', 3), ('blue', 1))
    """
    source = open_table(table)
    names = source.select(columns)
    kinds = {name: str(source.types[name]) for name in names}
    numeric = frozenset(names) & frozenset(source.numeric)
    summary = summarised(source, names, partial(_summary, numeric=numeric), progress=progress)
    return LargeProfile(
        summary.n_rows,
        tuple(part.column(name, kinds[name]) for name, part in summary.columns.items()),
    )


@dataclass(frozen=True)
class _Column:
    """A mergeable summary of a column."""

    n: int
    n_missing: int
    distinct: Distinct
    frequent: Frequent
    extremes: tuple[Any, ...]  # the smallest and the largest value, or nothing
    moments: Moments | None = None
    quantiles: Quantiles | None = None

    def merge(self, following: _Column) -> _Column:
        extremes = (*self.extremes, *following.extremes)
        return _Column(
            self.n + following.n,
            self.n_missing + following.n_missing,
            self.distinct.merge(following.distinct),
            self.frequent.merge(following.frequent),
            (min(extremes), max(extremes)) if extremes else (),
            self.moments.merge(following.moments) if self.moments and following.moments else None,
            self.quantiles.merge(following.quantiles)
            if self.quantiles and following.quantiles
            else None,
        )

    def column(self, name: str, kind: str) -> LargeColumn:
        """Return what is told of it."""
        shared = (
            name,
            kind,
            self.n,
            self.n_missing,
            min(self.distinct.n, self.n),
            self.distinct.error,
        )
        summary = LargeColumn(*shared, self.frequent.top(TOP), self.frequent.error)
        further: dict[str, Any] = dict(zip(("minimum", "maximum"), self.extremes, strict=False))
        if self.moments is not None and self.n:
            further["mean"], further["variance"] = (
                float(self.moments.mean[0]),
                float(self.moments.variance(1)[0]),
            )
        if self.quantiles is not None and self.n:
            further["percentiles"] = tuple(self.quantiles.quantile(SHARES).tolist())
            further["rank_error"] = self.quantiles.error / self.n
        return LargeColumn(**vars(summary) | further)


@dataclass(frozen=True)
class _Summary:
    n_rows: int
    columns: dict[str, _Column]

    def merge(self, following: _Summary) -> _Summary:
        return _Summary(
            self.n_rows + following.n_rows,
            {name: part.merge(following.columns[name]) for name, part in self.columns.items()},
        )


def _summary(block: pd.DataFrame, _start: int, *, numeric: frozenset[str]) -> _Summary:
    columns = {
        name: _of_numbers(block[[name]]) if name in numeric else _of_names(block[name])
        for name in block.columns
    }
    return _Summary(len(block), columns)


def _of_numbers(column: pd.DataFrame) -> _Column:
    matrix = numbers(column)
    present = np.sort(matrix[~np.isnan(matrix)])
    first = np.flatnonzero(np.diff(present, prepend=np.nan) != 0)
    values, counts = present[first], np.diff(np.append(first, len(present)))
    return _Column(
        len(present),
        len(matrix) - len(present),
        Distinct.of(values),
        Frequent.of(values, counts),
        (float(present[0]), float(present[-1])) if len(present) else (),
        _moments(matrix),
        Quantiles.of(present),
    )


def _moments(matrix: Floats) -> Moments | None:
    """Return the moments of a column; None if its squares are no numbers any more."""
    try:
        return Moments.of(matrix)
    except ValueError:
        return None


def _of_names(column: pd.Series[Any]) -> _Column:
    n = int(column.notna().sum())
    counts = comparable(column).value_counts()
    dates = pd.api.types.is_datetime64_any_dtype(column.dtype) and n
    texts = np.array([str(value) for value in counts.index], dtype=object)
    extremes = (str(column.min()), str(column.max())) if dates else ()
    return _Column(
        n,
        len(column) - n,
        Distinct.of(texts),
        Frequent.of(texts, counts.to_numpy(np.int64)),
        extremes,
    )


def _row(column: LargeColumn) -> dict[str, Any]:
    """Return what a table of all columns says of one."""
    often = ", ".join(
        f"{value:g}" if isinstance(value, float) else str(value) for value, _ in column.top
    )
    row = {
        "column": column.name,
        "type": column.kind,
        "known": column.n,
        "missing": column.n_missing,
        "different": column.n_distinct,
        "± %": 100 * column.distinct_error or None,
        "most frequent": often or None,
        "occurs at least": column.top[0][1] if column.top else None,
        "minimum": column.minimum,
    }
    names = [f"{100 * share:.0f} %" if share != 0.5 else "median" for share in SHARES]
    row |= dict(zip(names, column.percentiles or [None] * len(SHARES), strict=True))
    row |= {"maximum": column.maximum, "mean": column.mean, "deviation": column.variance**0.5}
    return row
