"""As much of a table as a figure can show: some of the rows, some of the columns, all on a scale from 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from dmlib.pictures.figures.style import plain
from dmlib.problem import Problem

MOST_CLASSES = 8


@dataclass(frozen=True)
class TableView:
    """Rows and columns of a problem."""

    names: tuple[str, ...]  # the columns
    values: NDArray[
        np.float64
    ]  # (n_rows, n_columns): numbers and codes of categories; NaN where missing
    # (n_rows, n_columns): the same, each column from 0 (its smallest value in the whole table) to 1
    # (its largest); 0.5 if it is constant
    unit: NDArray[np.float64]
    # (n_columns,): the values at 0 and 1
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    categories: Mapping[int, tuple[str, ...]]  # for each nominal column the names of its codes
    codes: NDArray[
        np.intp
    ]  # (n_rows,): the class of each row; all 0 without classes, or with more than eight
    classes: tuple[str, ...]  # their names; empty without classes
    rows: NDArray[np.intp]  # (n_rows,): row numbers in the table, from 1
    selected: int | None  # which of these rows the reader selected
    note: str  # what is left out, in a sentence; empty if nothing is

    def groups(self) -> list[tuple[int, str, NDArray[np.bool_]]]:
        """Return code, name as a label and members of each class that occurs; one group if there are no classes."""
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
    least: int = 1,
    selected: int | None = None,
) -> TableView:
    """Choose what a figure shows of a problem.

    Of more than ``max_rows``, so many are drawn at random, always the same ones, and the selected
    one; of more columns the first. ``numeric`` leaves nominal columns out; the figure needs
    ``least`` columns.

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
    fitting = [j for j in range(len(problem.features)) if not (numeric and j in problem.categories)]
    if len(fitting) < least:
        what = "numeric column" if numeric else "column"
        raise ValueError(
            f"This figure needs at least {least} {what}{'s' * (least > 1)}, and the number here is"
            f" {len(fitting)}. Choose more columns, or another data set."
        )
    columns, sample = fitting[:max_columns], np.arange(len(problem.X))
    if len(sample) > max_rows:
        sample = np.sort(check_random_state(0).choice(sample, max_rows, replace=False))
        if selected is not None and selected not in sample:
            sample = np.sort(np.append(sample[1:], selected))
    values = np.where(np.isfinite(problem.X), problem.X, np.nan)[:, columns]
    known = np.isfinite(values)
    low = np.min(values, axis=0, where=known, initial=np.inf)
    high = np.max(values, axis=0, where=known, initial=-np.inf)
    low, high = np.where(np.isfinite(low), low, 0.0), np.where(np.isfinite(high), high, 0.0)
    width = np.where(high > low, high - low, 1.0)
    unit = np.where(high > low, (values - low) / width, np.where(known, 0.5, np.nan))
    told = problem.y is not None and len(problem.classes) <= MOST_CLASSES
    codes = problem.y[sample] if told and problem.y is not None else np.zeros(len(sample), np.intp)
    return TableView(
        tuple(problem.features[j] for j in columns),
        values[sample],
        unit[sample],
        low,
        high,
        {i: problem.categories[j] for i, j in enumerate(columns) if j in problem.categories},
        codes,
        problem.classes if told else (),
        problem.rows[sample] + 1,
        None if selected is None else int(np.searchsorted(sample, selected)),
        _note(
            len(sample),
            len(problem.X),
            len(columns),
            len(fitting),
            "numeric columns" if numeric else "columns",
        ),
    )


def _note(n: int, n_rows: int, d: int, n_columns: int, what: str) -> str:
    parts = [f"A random sample of {n} of the {n_rows} rows."] if n < n_rows else []
    return " ".join([*parts, *([f"The first {d} of {n_columns} {what}."] if d < n_columns else [])])
