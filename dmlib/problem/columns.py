"""Columns as numbers: codes of categories, what is missing, scaling."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.squares import centred

Scaling = Literal["none", "z-score", "min-max"]

Holes = Literal["drop", "fill", "keep"]

SENTENCES: Mapping[Scaling, str] = {
    "none": "The columns are used as they are, without scaling.",
    "z-score": "Each column is standardised: (x - mean) / standard deviation (n - 1).",
    "min-max": "Each column is scaled to [0, 1]: (x - min) / (max - min).",
}
"""What a scaling does."""

LARGEST = 1e30
"""The largest size of a number in a table, so that sums of squares stay finite and pictures can be
packed."""


def codes_of(column: pd.Series[Any]) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Return codes and names of values, in declared or sorted order; -1 where missing.

    Examples
    --------
    >>> codes, names = codes_of(pd.Series(["b", None, "a"]))
    >>> codes.tolist(), names
    ([1, -1, 0], ('a', 'b'))
    """
    if isinstance(column.dtype, pd.CategoricalDtype):
        used = column.cat.remove_unused_categories().cat
        return np.asarray(used.codes, np.intp), tuple(map(str, used.categories))
    categorical = pd.Categorical(column.astype(object).where(column.isna(), column.astype(str)))
    return np.asarray(categorical.codes, np.intp), tuple(map(str, categorical.categories))


def numbers(
    frame: pd.DataFrame, features: Sequence[str]
) -> tuple[NDArray[np.float64], dict[int, tuple[str, ...]]]:
    """Return the columns as numbers, and the categories of those that hold none."""
    X, categories = np.empty((len(frame), len(features))), {}
    for j, name in enumerate(features):
        column = frame[name]
        if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
            X[:, j] = column.to_numpy(float, na_value=np.nan)
        else:
            codes, categories[j] = codes_of(column)
            X[:, j] = np.where(codes < 0, np.nan, codes)
    return (
        np.where(np.isfinite(X), X, np.nan),
        categories,
    )  # an infinite number is none that can be computed with


def constant_notes(features: Sequence[str], X: NDArray[np.float64]) -> list[str]:
    """Return the sentence on columns that have the same value everywhere."""
    constant = [
        name for name, x in zip(features, X.T, strict=True) if len(np.unique(x[np.isfinite(x)])) < 2
    ]
    return [f"Constant, so without any influence: {', '.join(constant)}."] if constant else []


def missing_notes(n_rows: int, X: NDArray[np.float64]) -> list[str]:
    """Return the sentence on rows with missing values, which are left out or skipped."""
    if n_rows > len(X):
        missing = n_rows - len(X)
        verb = (
            "has a missing value in the chosen columns and is"
            if missing == 1
            else "have missing values and are"
        )
        return [f"{missing} of {n_rows} rows {verb} left out."]
    holes = int(np.isnan(X).any(axis=1).sum())
    if not holes:
        return []
    have = "has" if holes == 1 else "have"
    return [f"{holes} of {n_rows} rows {have} missing values; only those values are skipped."]


def check_size(features: Sequence[str], X: NDArray[np.float64]) -> None:
    """Refuse columns with numbers that are too large to compute with."""
    large = [
        name
        for name, x in zip(features, X.T, strict=True)
        if np.abs(x[np.isfinite(x)]).max(initial=0) > LARGEST
    ]
    if large:
        raise ValueError(
            f"Numbers beyond {LARGEST:g} are too large to be squared and summed:"
            f" {', '.join(large)}. Choose other columns, or divide them by a power of ten in the"
            " file."
        )


def filled_note(X: NDArray[np.float64]) -> str:
    """Return the sentence on missing values that are filled."""
    n_missing, n_rows = int(np.isnan(X).sum()), int(np.isnan(X).any(axis=1).sum())
    values = (
        "1 missing value is"
        if n_missing == 1
        else f"{n_missing} missing values in {n_rows} rows are"
    )
    return (
        f"{values} replaced by the mean of the column, in nominal columns by the most frequent"
        " category."
    )


def scale(
    learned: NDArray[np.float64], scaling: Scaling, numeric: Sequence[int]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return shift and unit of each column, computed from the training rows."""
    shift, unit = np.zeros(learned.shape[1]), np.ones(learned.shape[1])
    for j in numeric:
        known_values = learned[:, j][np.isfinite(learned[:, j])]
        if known_values.size:
            low, spread = _shift(known_values, scaling)
            shift[j], unit[j] = low, spread if spread > 0 else 1.0
    return shift, unit


def _shift(x: NDArray[np.float64], scaling: Scaling) -> tuple[float, float]:
    """Return shift and unit of a column."""
    if scaling == "min-max":
        return float(x.min()), float(np.ptp(x))
    mean, away = centred(x)
    return float(mean), float(np.sqrt(away @ away / (x.size - 1))) if x.size > 1 else 1.0


def typical(X: NDArray[np.float64], categories: Mapping[int, Sequence[str]]) -> NDArray[np.float64]:
    """Return the mean of each column, of a nominal column its most frequent code."""
    values = np.zeros(X.shape[1])
    for j, column in enumerate(X.T):
        present = column[np.isfinite(column)]
        if present.size:
            values[j] = (
                np.bincount(present.astype(int)).argmax() if j in categories else present.mean()
            )
    return values


def by_name(text: str, features: Sequence[str], classes: Sequence[str] = ()) -> str:
    """Return a message with the names of columns (from 1) and classes (from 0) for their numbers.

    An algorithm does not know the names.

    Examples
    --------
    >>> by_name("Row 3 of column 2 holds -1.", ["size", "change"])
    "Row 3 of column 'change' holds -1."
    >>> by_name("Column 7 is constant.", ["size", "change"])
    'Column 7 is constant.'
    >>> by_name("y has only 1 sample in class 1.", [], ["yes", "no"])
    "y has only 1 sample in class 'no'."
    """

    def named(match: re.Match[str]) -> str:
        names, j = (
            (classes, int(match[2])) if match[1] == "class" else (features, int(match[2]) - 1)
        )
        return f"{match[1]} {names[j]!r}" if 0 <= j < len(names) else match[0]

    return re.sub(r"\b([Cc]olumn|class) (\d{1,6})\b", named, text)
