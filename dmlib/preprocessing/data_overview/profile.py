"""The profile of a table: types, location and spread of its columns, and issues of quality."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.preprocessing.attributes import TYPES, Attribute, AttributeType, guess_attribute
from dmlib.preprocessing.consistency import spelling_variants
from dmlib.preprocessing.data_overview.statistics import (
    Summary,
    covariance_and_correlation,
    most_frequent,
    summarise,
)

MAX_COVARIANCES = 50
"""The number of columns, from the left, between which covariances are computed."""

IMBALANCED = 9.0
"""From this ratio of the most to the least frequent category on, a column is called unbalanced."""

COLLINEAR = 0.95
"""From this size of a correlation on, two columns say nearly the same."""

_MAX_CATEGORIES = 30  # a column with more is not a class that could be unbalanced
_MAX_MODES = 5
MAX_VARIANTS = 3
"""The spellings of one name that an issue lists."""

STATISTICS = (
    "minimum",
    "10 %",
    "25 %",
    "median",
    "75 %",
    "90 %",
    "maximum",
    "range",
    "mean",
    "variance",
    "deviation",
    "deviation / mean",
    "outliers",
)
"""The columns of statistics in a table of all columns."""


@dataclass(frozen=True)
class Issue:
    """One thing to look at before a table is used.

    Attributes
    ----------
    kind : {"duplicates", "missing", "empty", "constant", "identifier", "outliers", "imbalance", \
"spelling", "correlation"}
        Its kind.
    column : str
        The column; empty where it concerns rows or several columns.
    text : str
        One sentence with counts.
    """

    kind: str
    column: str
    text: str


@dataclass(frozen=True, eq=False)
class ColumnProfile:
    """The profile of one column.

    Attributes
    ----------
    name : str
        Its name.
    attribute : Attribute
        Its type.
    numeric : bool
        Whether the table holds it as numbers.
    n, n_missing : int
        How many values are known, and how many are missing.
    n_distinct : int
        How many different values there are.
    modes : tuple
        The most frequent values, at most five; none if all are equally frequent.
    mode_count : int
        How often each of them occurs.
    summary : Summary or None
        The middle and spread of numbers; of the places in their order for ordered categories; None
        for names.
    imbalance : float
        How many times more often the most frequent category occurs than the least; NaN for numbers
        and many categories.
    """

    name: str
    attribute: Attribute
    numeric: bool
    n: int
    n_missing: int
    n_distinct: int
    modes: tuple[Any, ...]
    mode_count: int
    summary: Summary | None
    imbalance: float

    @property
    def constant(self) -> bool:
        """Whether all known values are the same."""
        return self.n_distinct == 1


@dataclass(frozen=True, eq=False)
class Profile:
    """The profile of a table.

    Attributes
    ----------
    n_rows : int
        The number of rows.
    columns : tuple of ColumnProfile
        The columns in order.
    n_duplicates : int
        How many rows are equal to an earlier one.
    numeric : tuple of str
        The columns, at most 50, whose covariances are known: interval and ratio.
    covariance, correlation : ndarray of shape (n_numeric, n_numeric)
        Of the rows that have both values.
    issues : tuple of Issue
        Issues of its quality.
    """

    n_rows: int
    columns: tuple[ColumnProfile, ...]
    n_duplicates: int
    numeric: tuple[str, ...]
    covariance: NDArray[np.float64]
    correlation: NDArray[np.float64]
    issues: tuple[Issue, ...]

    def __getitem__(self, name: str) -> ColumnProfile:
        """Return the profile of a column by its name."""
        return next(column for column in self.columns if column.name == name)

    def frame(self) -> pd.DataFrame:
        """Return a row for each column: type, counts, and the statistics that its type allows."""
        return pd.DataFrame([_row(column) for column in self.columns])


def profile(
    frame: pd.DataFrame,
    types: Mapping[str, AttributeType] | None = None,
    continuous: Mapping[str, bool] | None = None,
) -> Profile:
    """Describe a table.

    Parameters
    ----------
    frame : DataFrame of shape (n_rows, n_columns)
        The table. Infinite numbers count as missing.
    types : mapping of str to str, optional
        The types of columns that are known, one of ``TYPES`` each; all others are guessed.
    continuous : mapping of str to bool, optional
        Whether columns are continuous, where that is known.

    Returns
    -------
    Profile
        The columns, their covariances and what to look at.

    Raises
    ------
    ValueError
        If a column or a type does not exist.

    Notes
    -----
    O(n d log n) for the statistics, and O(n d^2) for the covariances of at most 50 columns.

    Examples
    --------
    >>> colours = ["red", "blue", "red", "red"]
    >>> report = profile(pd.DataFrame({"size": [1.5, 2.0, 2.5, None], "colour": colours}))
    >>> [(column.name, column.attribute.type) for column in report.columns]
    [('size', 'ratio'), ('colour', 'symmetric binary')]
    >>> report["size"].summary.mean, report["colour"].modes
    (2.0, ('red',))
    >>> [issue.text for issue in report.issues]
    ["1 of 4 values of 'size' is missing (25 %)."]
    """
    types, continuous = types or {}, continuous or {}
    unknown = [name for name in (*types, *continuous) if name not in frame.columns]
    if unknown:
        raise ValueError(f"There is no column {unknown[0]!r}.")
    for name, type_ in types.items():
        if type_ not in TYPES:
            raise ValueError(
                f"The type of {name!r} must be one of {', '.join(TYPES)}; it was {type_!r}."
            )
    columns = tuple(
        _column(frame.iloc[:, j], str(name), types.get(name), continuous.get(name))
        for j, name in enumerate(frame.columns)
    )
    places = [
        j
        for j, column in enumerate(columns)
        if column.attribute.arithmetic and column.summary is not None
    ]
    places = places[:MAX_COVARIANCES]
    numeric = tuple(columns[j].name for j in places)
    numbers = np.empty((len(frame), len(places)))
    for k, j in enumerate(places):
        numbers[:, k] = _numbers(frame.iloc[:, j])
    covariances, correlations = covariance_and_correlation(numbers)
    n_duplicates = int(frame.duplicated().sum())
    issues = (
        *_of_rows(n_duplicates, len(frame)),
        *_of_columns(columns),
        *_of_spellings(frame),
        *_of_pairs(numeric, correlations),
    )
    return Profile(len(frame), columns, n_duplicates, numeric, covariances, correlations, issues)


def _column(
    column: pd.Series[Any], name: str, type_: AttributeType | None, continuous: bool | None
) -> ColumnProfile:
    attribute = guess_attribute(column)
    if type_ is not None and type_ != attribute.type:
        attribute = replace(attribute, type=type_, identifier=False, why="you say so")
    if continuous is not None:
        attribute = replace(attribute, continuous=continuous)
    values = _numbers(column)
    present = column.dropna() if values is None else column[np.isfinite(values)]
    summary = None if values is None else summarise(values)
    has_names = attribute.type == "nominal" or isinstance(column.dtype, pd.CategoricalDtype)
    if summary is None or has_names:
        modes, mode_count, n_distinct = _modes(present)
    else:
        modes, mode_count, n_distinct = summary.modes, summary.mode_count, summary.n_distinct
    has_summary = len(present) and attribute.type in ("ordinal", "interval", "ratio")
    return ColumnProfile(
        name=name,
        attribute=attribute,
        numeric=_is_number(column),
        n=len(present),
        n_missing=len(column) - len(present),
        n_distinct=n_distinct,
        modes=modes[:_MAX_MODES],
        mode_count=mode_count,
        summary=summary if has_summary else None,
        imbalance=_imbalance(present, attribute, n_distinct),
    )


def _is_number(column: pd.Series[Any]) -> bool:
    dtype = column.dtype
    return pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype)


def _numbers(column: pd.Series[Any]) -> NDArray[np.float64] | None:
    """Return a column as numbers, ordered categories as their places; None if it holds names."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        if not column.dtype.ordered:
            return None
        codes = column.cat.codes.to_numpy(float)
        return np.where(codes < 0, np.nan, codes).astype(float)
    if pd.api.types.is_datetime64_any_dtype(column):
        naive = column.dt.tz_localize(None) if column.dt.tz is not None else column
        days = (naive - pd.Timestamp(0)) / pd.Timedelta(days=1)
        return np.asarray(days, float)
    if _is_number(column):
        values = column.to_numpy(float, na_value=np.nan)
        return np.where(np.isfinite(values), values, np.nan).astype(float)
    return None


def _modes(values: pd.Series[Any]) -> tuple[tuple[Any, ...], int, int]:
    if _is_number(values):
        return most_frequent(values.to_numpy(float))
    counts = values.astype(str).value_counts()
    if not len(counts) or (len(counts) > 1 and counts.min() == counts.max()):
        return (), 0, len(counts)
    return tuple(sorted(counts.index[counts == counts.max()])), int(counts.max()), len(counts)


def _imbalance(values: pd.Series[Any], attribute: Attribute, n_distinct: int) -> float:
    if attribute.arithmetic or attribute.identifier or not 1 < n_distinct <= _MAX_CATEGORIES:
        return float("nan")
    counts = values.astype(str).value_counts()
    return float(counts.max() / counts.min())


def _of_rows(n_duplicates: int, n_rows: int) -> list[Issue]:
    if not n_duplicates:
        return []
    rows = f"{n_duplicates} of {n_rows} rows {'is' if n_duplicates == 1 else 'are'}"
    return [Issue("duplicates", "", f"{rows} equal to an earlier row.")]


def _of_columns(columns: tuple[ColumnProfile, ...]) -> list[Issue]:
    issues = []
    for column in columns:
        name, total = repr(column.name), column.n + column.n_missing
        if not column.n:
            issues.append(Issue("empty", column.name, f"The column {name} holds no value."))
            continue
        if column.n_missing:
            verb = "is" if column.n_missing == 1 else "are"
            share = f"{100 * column.n_missing / total:.3g} %"
            text = f"{column.n_missing} of {total} values of {name} {verb} missing ({share})."
            issues.append(Issue("missing", column.name, text))
        if column.constant and column.n > 1:
            issues.append(Issue("constant", column.name, f"The column {name} has a single value."))
        if column.attribute.identifier:
            text = f"The column {name} only names or counts the rows: {column.attribute.why}."
            issues.append(Issue("identifier", column.name, text))
        if column.imbalance >= IMBALANCED:
            times = f"{column.imbalance:.3g} times as often as the rarest"
            text = f"The most frequent value of {name} occurs {times}."
            issues.append(Issue("imbalance", column.name, text))
        if column.attribute.arithmetic and column.summary is not None and column.summary.n_outliers:
            n, (low, high) = column.summary.n_outliers, column.summary.fences
            verb = "lies" if n == 1 else "lie"
            fences = f"the fences {low:.6g} and {high:.6g}"
            text = f"{n} of {column.n} values of {name} {verb} beyond {fences}."
            issues.append(Issue("outliers", column.name, text))
    return issues


def _of_spellings(frame: pd.DataFrame) -> list[Issue]:
    issues = []
    for name, column in frame.items():
        for variants in spelling_variants(column)[:1]:
            listed = " and ".join(map(repr, variants[:MAX_VARIANTS]))
            text = f"Values of {str(name)!r} differ in case or spaces only, as {listed}."
            issues.append(Issue("spelling", str(name), text))
    return issues


def _of_pairs(names: tuple[str, ...], correlations: NDArray[np.float64]) -> list[Issue]:
    pairs = np.argwhere(np.triu(np.abs(np.nan_to_num(correlations)), 1) >= COLLINEAR)
    return [
        Issue(
            "correlation",
            "",
            f"{names[i]!r} and {names[j]!r} are nearly collinear: r = {correlations[i, j]:.3f}.",
        )
        for i, j in pairs[:10]
    ]


def _row(column: ColumnProfile) -> dict[str, Any]:
    """Return the row of a column in a table of all: means only where they mean something."""
    attribute = column.attribute
    modes = [f"{mode:g}" if isinstance(mode, float) else str(mode) for mode in column.modes]
    row = {
        "column": column.name,
        "type": attribute.type,
        "values": "continuous" if attribute.continuous else "discrete",
        "may be compared by": attribute.operations,
        "why": attribute.why,
        "known": column.n,
        "missing": column.n_missing,
        "different": column.n_distinct,
        "mode": ", ".join(modes),
        "mode occurs": column.mode_count or None,
        "imbalance": None if np.isnan(column.imbalance) else column.imbalance,
    }
    return row | dict.fromkeys(STATISTICS) | _statistics(column)


def _statistics(column: ColumnProfile) -> dict[str, float]:
    """Return the statistics of a column that its type allows."""
    summary, attribute = column.summary, column.attribute
    if summary is None:
        return {}
    names = ("10 %", "25 %", "median", "75 %", "90 %")
    statistics = {"minimum": summary.minimum, "maximum": summary.maximum}
    statistics |= dict(zip(names, summary.percentiles, strict=True))
    if attribute.arithmetic:
        statistics |= {
            "range": summary.range,
            "mean": summary.mean,
            "variance": summary.variance,
            "deviation": summary.deviation,
            "outliers": summary.n_outliers,
        }
    if attribute.type == "ratio" and summary.mean > 0:
        statistics["deviation / mean"] = summary.deviation / summary.mean
    return statistics
