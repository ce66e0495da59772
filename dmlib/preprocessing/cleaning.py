"""Clean a table, with Python code that does the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from dmlib.preprocessing.data_overview.statistics import FENCE

Outliers = Literal["keep", "clip", "missing", "drop"]
Holes = Literal["keep", "drop", "median", "mean"]

_INFINITE = [float("inf"), float("-inf")]

OUTLIERS: tuple[Outliers, ...] = ("keep", "clip", "missing", "drop")
HOLES: tuple[Holes, ...] = ("keep", "drop", "median", "mean")


@dataclass(frozen=True)
class Cleaning:
    """The steps of cleaning a table, in this order.

    Parameters
    ----------
    columns : tuple of str
        The columns that are left out.
    duplicates : bool
        Whether rows that are equal to an earlier one are left out.
    outliers : {"keep", "clip", "missing", "drop"}
        What becomes of values more than 1.5 interquartile ranges beyond the quartiles: moved to
        that fence, taken for missing, or left out with their rows.
    numeric : tuple of str
        The columns in which there are outliers; an infinite number in them counts as missing.
    holes : {"keep", "drop", "median", "mean"}
        What becomes of missing values: left out with their rows, or replaced by median or mean of
        the column, where it holds names by the most frequent one.

    Examples
    --------
    >>> frame = pd.DataFrame({"a": [1.0, 1.0, 2.0, None], "b": ["x", "x", "y", None]})
    >>> Cleaning(duplicates=True, holes="median").clean(frame).to_dict("list")
    {'a': [1.0, 2.0, 1.5], 'b': ['x', 'y', 'x']}
    """

    columns: tuple[str, ...] = ()
    duplicates: bool = False
    outliers: Outliers = "keep"
    numeric: tuple[str, ...] = ()
    holes: Holes = "keep"

    def clean(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the cleaned table; the original stays as it is."""
        frame = frame.drop(columns=list(self.columns))
        if self.duplicates:
            frame = frame.drop_duplicates()
        numeric = [name for name in self.numeric if name in frame]
        if numeric and (self.outliers != "keep" or self.holes != "keep"):
            frame = frame.assign(**_columns(frame[numeric].replace(_INFINITE, float("nan"))))
        if self.outliers != "keep" and numeric:
            frame = _without_outliers(frame, numeric, self.outliers)
        if self.holes == "drop":
            return frame.dropna()
        return frame if self.holes == "keep" else _filled(frame, self.holes)

    def code(self) -> str:
        """Return Python that makes ``frame``, a table, into the cleaned one."""
        lines = []
        if self.columns:
            lines.append(f"frame = frame.drop(columns={list(self.columns)!r})")
        if self.duplicates:
            lines.append("frame = frame.drop_duplicates()")
        numeric = [name for name in self.numeric if name not in self.columns]
        if numeric and (self.outliers != "keep" or self.holes != "keep"):
            infinite = "[float('inf'), float('-inf')]"
            lines += [
                f"numeric = {numeric!r}",
                f"frame = frame.assign(**frame[numeric].replace({infinite}, float('nan')))",
            ]
        if self.outliers != "keep" and numeric:
            lines += [
                "low, high = frame[numeric].quantile(0.25), frame[numeric].quantile(0.75)",
                f"low, high = low - {FENCE} * (high - low), high + {FENCE} * (high - low)",
                *_OUTLIER_CODE[self.outliers],
            ]
        if self.holes == "drop":
            lines.append("frame = frame.dropna()")
        elif self.holes != "keep":
            lines += [
                'numbers = frame.select_dtypes("number")',
                f"values = numbers.{self.holes}().to_dict()",
                "names = frame[frame.columns.difference(numbers.columns)].mode().head(1)",
                (
                    "frame = frame.fillna(values | {name: column[0] for name, column in"
                    " names.items() if len(column)})"
                ),
            ]
        return "\n".join(["import pandas as pd", "", *lines]) + "\n"


_OUTLIER_CODE = {
    "clip": ["frame = frame.assign(**frame[numeric].clip(low, high, axis=1))"],
    "missing": [
        "beyond = frame[numeric].lt(low) | frame[numeric].gt(high)",
        "frame = frame.assign(**frame[numeric].mask(beyond))",
    ],
    "drop": [
        "beyond = frame[numeric].lt(low) | frame[numeric].gt(high)",
        "frame = frame[~beyond.any(axis=1)]",
    ],
}


def _without_outliers(frame: pd.DataFrame, numeric: Sequence[str], how: Outliers) -> pd.DataFrame:
    values = frame[list(numeric)]
    low, high = values.quantile(0.25), values.quantile(0.75)
    low, high = low - FENCE * (high - low), high + FENCE * (high - low)
    if how == "clip":
        return frame.assign(**_columns(values.clip(low, high, axis=1)))
    beyond = values.lt(low) | values.gt(high)
    if how == "missing":
        return frame.assign(**_columns(values.mask(beyond)))
    return frame[~beyond.any(axis=1)]


def _columns(frame: pd.DataFrame) -> dict[str, Any]:
    return {str(name): column for name, column in frame.items()}


def _filled(frame: pd.DataFrame, how: Holes) -> pd.DataFrame:
    numbers = frame.select_dtypes("number")
    values = (numbers.median() if how == "median" else numbers.mean()).to_dict()
    names = frame[frame.columns.difference(numbers.columns)].mode().head(1)
    return frame.fillna(values | {name: column[0] for name, column in names.items() if len(column)})
