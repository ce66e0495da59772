"""The part of a table that a figure shows: rows, columns, and values on a scale from 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from dmlib.arrays import Floats
from dmlib.pictures.figures.style import plain
from dmlib.pictures.words import count
from dmlib.problem import Problem

MAX_CLASSES = 8


@dataclass(frozen=True)
class TableView:
    """Rows and columns of a problem."""

    names: tuple[str, ...]  # the columns
    # (n_rows, n_columns): numbers and codes of categories; NaN where missing
    values: NDArray[np.float64]
    # (n_rows, n_columns): the same, each column from 0 (its smallest value in the whole table) to 1
    # (its largest); 0.5 if it is constant
    unit: NDArray[np.float64]
    # (n_columns,): the values at 0 and 1
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    categories: Mapping[int, tuple[str, ...]]  # for each nominal column the names of its codes
    # (n_rows,): the class of each row; all 0 without classes, or with more than eight
    codes: NDArray[np.intp]
    classes: tuple[str, ...]  # their names; empty without classes
    rows: NDArray[np.intp]  # (n_rows,): row numbers in the table, from 1
    selected: int | None  # which of these rows the reader selected
    note: str  # what is left out, in a sentence; empty if nothing is

    def groups(self) -> list[tuple[int, str, NDArray[np.bool_]]]:
        """Return code, label and members of each class that occurs; one group without classes."""
        names = [plain(name) for name in self.classes] or ["rows"]
        return [(int(code), names[code], self.codes == code) for code in np.unique(self.codes)]

    def by_class(self) -> NDArray[np.intp]:
        """Return the order of the rows in which those of a class stand together."""
        return np.argsort(self.codes, kind="stable")


def table_view(
    problem: Problem,
    *,
    max_rows: int,
    max_columns: int,
    numeric: bool = False,
    min_columns: int = 1,
    selected: int | None = None,
) -> TableView:
    """Choose what a figure shows of a problem.

    Of more than ``max_rows``, so many are drawn at random, always the same ones, and the selected
    one; of more columns the first. ``numeric`` leaves nominal columns out; the figure needs
    ``min_columns`` columns.

    Raises
    ------
    ValueError
        If there are too few columns for the figure.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [1.0, 2.0, 5.0], "b": ["x", "y", "x"], "c": [3.0, 3.0, 3.0]})
    >>> view = table_view(prepare(frame, ["a", "b", "c"]), max_rows=9, max_columns=2)
    >>> view.names, view.unit.tolist(), view.note
    (('a', 'b'), [[0.0, 0.0], [0.25, 1.0], [1.0, 0.0]], 'The first 2 of 3 columns.')
    """
    kind = "numeric column" if numeric else "column"
    fitting = [j for j in range(len(problem.features)) if not (numeric and j in problem.categories)]
    if len(fitting) < min_columns:
        raise ValueError(
            f"This figure needs at least {count(min_columns, kind, f'{kind}s')}, and the number"
            f" here is {len(fitting)}. Choose more columns, or another data set."
        )
    columns = fitting[:max_columns]
    sample = _sample(len(problem.X), max_rows, selected)
    values = np.where(np.isfinite(problem.X), problem.X, np.nan)[:, columns]
    unit, low, high = _unit(values)
    codes = np.zeros(len(sample), np.intp)
    classes: tuple[str, ...] = ()
    if problem.y is not None and len(problem.classes) <= MAX_CLASSES:
        codes, classes = problem.y[sample], problem.classes
    notes = []
    if len(sample) < len(problem.X):
        notes.append(f"A random sample of {len(sample)} of the {len(problem.X)} rows.")
    if len(columns) < len(fitting):
        notes.append(f"The first {len(columns)} of {len(fitting)} {kind}s.")
    return TableView(
        names=tuple(problem.features[j] for j in columns),
        values=values[sample],
        unit=unit[sample],
        low=low,
        high=high,
        categories={
            i: problem.categories[j] for i, j in enumerate(columns) if j in problem.categories
        },
        codes=codes,
        classes=classes,
        rows=problem.rows[sample] + 1,
        selected=None if selected is None else int(np.searchsorted(sample, selected)),
        note=" ".join(notes),
    )


def _sample(n_rows: int, max_rows: int, selected: int | None) -> NDArray[np.intp]:
    """Return the rows that are shown: all, or a random sample with the selected one."""
    rows = np.arange(n_rows)
    if n_rows <= max_rows:
        return rows
    sample = np.sort(check_random_state(0).choice(rows, max_rows, replace=False))
    if selected is not None and selected not in sample:
        sample = np.sort(np.append(sample[1:], selected))
    return sample


def _unit(values: Floats) -> tuple[Floats, Floats, Floats]:
    """Return columns on a scale from 0 to 1, and their smallest and largest values."""
    is_known = np.isfinite(values)
    low = np.min(values, axis=0, where=is_known, initial=np.inf)
    high = np.max(values, axis=0, where=is_known, initial=-np.inf)
    low, high = np.where(np.isfinite(low), low, 0.0), np.where(np.isfinite(high), high, 0.0)
    width = np.where(high > low, high - low, 1.0)
    middle = np.where(is_known, 0.5, np.nan)
    return np.where(high > low, (values - low) / width, middle), low, high
