"""Clean a table, with Python code that does the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from dmlib.preprocessing.consistency import MARK, Rule, broken_rows, with_one_spelling
from dmlib.preprocessing.data_overview.statistics import FENCE

Inconsistent = Literal["keep", "mark", "drop"]
Outliers = Literal["keep", "clip", "missing", "drop"]
Holes = Literal["keep", "drop", "median", "mean"]

_INFINITE = [float("inf"), float("-inf")]

INCONSISTENT: tuple[Inconsistent, ...] = ("keep", "mark", "drop")
OUTLIERS: tuple[Outliers, ...] = ("keep", "clip", "missing", "drop")
HOLES: tuple[Holes, ...] = ("keep", "drop", "median", "mean")


@dataclass(frozen=True)
class Cleaning:
    """The steps of cleaning a table.

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
    spellings : tuple of str
        The columns of texts in which each name gets its most frequent spelling.
    rules : tuple of Comparison or Domain
        Rules that rows have to keep, from :func:`dmlib.preprocessing.consistency.read_rules`.
    inconsistent : {"keep", "mark", "drop"}
        What becomes of rows that break a rule: marked in a column ``breaks_a_rule``, or left out.

    Notes
    -----
    Spellings and rules come first, then columns, duplicates, outliers and missing values.

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
    spellings: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    inconsistent: Inconsistent = "keep"

    def with_spellings(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the table with one spelling of each name: that of which the rules are asked."""
        return frame.assign(**{name: with_one_spelling(frame[name]) for name in self.spellings})

    def clean(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the cleaned table; the original stays as it is."""
        frame = self.with_spellings(frame)
        if self.rules and self.inconsistent != "keep":
            is_broken = broken_rows(self.rules, frame)
            is_marked = self.inconsistent == "mark"
            frame = frame.assign(**{MARK: is_broken}) if is_marked else frame[~is_broken]
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

    def code(self, table: pd.DataFrame | None = None) -> str:
        """Return Python that makes ``frame``, a table, into the cleaned one.

        With rules it is asked for the ``table``, whose columns may hold dates or numbers.
        """
        lines = self._consistency_code(table)
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
        imports = ["import numpy as np"] if any("np." in line for line in lines) else []
        return "\n".join([*imports, "import pandas as pd", "", *lines]) + "\n"

    def _consistency_code(self, table: pd.DataFrame | None) -> list[str]:
        lines = []
        if self.spellings:
            lines += [
                f"for name in {list(self.spellings)!r}:",
                '    names = frame[name].astype(object).str.split().str.join(" ")',
                "    same = names.groupby(names.str.casefold())",
                "    frame = frame.assign(**{name: same.transform(lambda each: each.mode()[0])})",
            ]
        if table is not None and self.rules and self.inconsistent != "keep":
            lines.append("broken = pd.Series(False, index=frame.index)")
            lines += [f"broken |= {rule.code(table)}" for rule in self.rules]
            is_marked = self.inconsistent == "mark"
            mark = f"frame = frame.assign({MARK}=broken)"
            lines.append(mark if is_marked else "frame = frame[~broken]")
        return lines


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
