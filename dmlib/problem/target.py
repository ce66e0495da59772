"""The target, classes or numbers, and which rows are test rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.problem.columns import check_size, codes_of

MAX_CLASSES = 30
"""A column with more values than this is no class to learn."""


def known_target(
    frame: pd.DataFrame, target: str | None, numeric_target: bool
) -> tuple[NDArray[np.bool_], list[str]]:
    """Return which rows have a value to learn, and the sentence on those that have none.

    Raises
    ------
    ValueError
        If numbers are learned and the column holds none.
    """
    if target is None:
        return np.ones(len(frame), bool), []
    column = frame[target]
    has_value, noun = column.notna().to_numpy(), "class"
    if numeric_target:
        if not pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
            raise ValueError(
                f"The column {target!r} holds no numbers. Choose a numeric column as the target."
            )
        has_value = np.isfinite(column.to_numpy(float, na_value=np.nan))
        noun = f"value of {target!r}"
    n_without = int((~has_value).sum())
    if not n_without:
        return has_value, []
    have = "has" if n_without == 1 else "have"
    return has_value, [f"{n_without} of {len(frame)} rows {have} no {noun} and cannot be used."]


def number_target(column: pd.Series[Any], rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the numbers of the rows.

    Raises
    ------
    ValueError
        If one is too large to compute with.
    """
    y: NDArray[np.float64] = column.iloc[rows].to_numpy(float)
    check_size([str(column.name)], y[:, None])
    return y


def class_target(
    column: pd.Series[Any], labelled: bool, positive: str | None
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Return the class codes of a column and their names.

    Raises
    ------
    ValueError
        If the classes are learned and there are too many, only one, or not the positive one.
    """
    codes, names = codes_of(column)
    if (codes < 0).any():
        codes, names = np.where(codes < 0, len(names), codes), (*names, "(missing)")
    if not labelled:
        return codes, names
    target = column.name
    if len(names) > MAX_CLASSES:
        raise ValueError(
            f"The column {target!r} has {len(names)} different values; a class to learn may have at"
            f" most {MAX_CLASSES}. Choose another column as the class."
        )
    if len(names) < 2:
        raise ValueError(
            f"All rows are of the class {names[0]!r}, so there is nothing to classify. "
            "Choose another column as the class, or add rows of a second class."
        )
    if positive is None:
        return codes, names
    if positive not in names:
        raise ValueError(
            f"There is no class {positive!r} in the column {target!r}; it has {', '.join(names)}."
        )
    code = names.index(positive)
    negative = names[1 - code] if len(names) == 2 else f"not {positive}"
    return (codes == code).astype(np.intp), (negative, positive)


def learned_target(
    frame: pd.DataFrame,
    target: str | None,
    rows: NDArray[np.intp],
    *,
    labelled: bool,
    numeric_target: bool,
    positive: str | None,
) -> tuple[NDArray[Any] | None, tuple[str, ...]]:
    """Return the codes or numbers of the target in the rows, and the names of the classes."""
    if target is None:
        return None, ()
    if numeric_target:
        return number_target(frame[target], rows), ()
    return class_target(frame[target].iloc[rows], labelled, positive)


def held_out(y: NDArray[Any], test_size: float, random_state: int) -> NDArray[np.bool_] | None:
    """Return a random mask of the test samples, stratified by class.

    One sample of each class is left to learn from, and two of numbers.
    """
    order = np.random.default_rng(random_state).permutation(len(y))
    test = np.zeros(len(y), bool)
    if y.dtype.kind == "f":
        test[order[: min(round(test_size * len(y)), len(y) - 2)]] = True
        return test if test.any() else None
    for code in np.unique(y):
        members = order[y[order] == code]
        test[members[: min(round(test_size * len(members)), len(members) - 1)]] = True
    return test if test.any() else None
