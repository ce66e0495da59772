"""The regression of one column on the others, for numbers and for names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns


@dataclass(frozen=True, eq=False)
class Equation:
    """A linear regression of a column; of a nominal one, a regression of each of its names.

    Attributes
    ----------
    column : int
        The column that is predicted.
    terms : tuple of str
        The terms of the coefficients; the first is the constant.
    coefficients : ndarray of shape (n_terms, n_outputs)
        One column for a number, one for each name.
    deviation : float
        The standard deviation of the residuals.
    n_rows : int
        The number of rows that it is fitted to.
    columns : Columns
        The kinds and names of the columns.
    typical : ndarray of shape (n_features,)
        The values of missing predictors.
    """

    column: int
    terms: tuple[str, ...]
    coefficients: Floats
    deviation: float
    n_rows: int
    columns: Columns
    typical: Floats

    def predict(self, rows: Floats, rng: Any = None) -> Floats:
        """Return the values of rows; with a generator, with noise or drawn from the names."""
        scores = design(rows, self.columns, self.column, self.typical)[0] @ self.coefficients
        if self.columns.categories[self.column] is None:
            values: Floats = scores[:, 0]
            return values if rng is None else values + rng.normal(0, self.deviation, len(rows))
        return chosen_name(scores, rng)


def chosen_name(scores: Floats, rng: Any) -> Floats:
    """Return the code with the largest score; with a generator, one drawn by the scores."""
    if rng is None:
        return np.asarray(scores.argmax(axis=1), float)
    weights = np.clip(scores, 1e-6, None).cumsum(axis=1)
    draws = rng.random_sample(len(scores)) * weights[:, -1]
    return np.asarray((weights < draws[:, None]).sum(axis=1), float)


def design(
    rows: Floats, columns: Columns, column: int, typical: Floats
) -> tuple[Floats, tuple[str, ...]]:
    """Return the predictors of a column, and their names.

    They are a constant, numbers, and indicators of all names but the first.
    """
    parts, terms = [np.ones(len(rows))], ["1"]
    for j, (name, names) in enumerate(zip(columns.names, columns.categories, strict=True)):
        if j == column:
            continue
        x = np.where(np.isnan(rows[:, j]), typical[j], rows[:, j])
        if names is None:
            parts.append(x)
            terms.append(name)
        else:
            parts += [(x == code).astype(float) for code in range(1, len(names))]
            terms += [f"{name}={value}" for value in names[1:]]
    return np.column_stack(parts), tuple(terms)


def outputs(values: Floats, names: Any) -> Floats:
    """Return the targets of a regression: the numbers, or an indicator of each name."""
    column = values[:, None]
    return np.asarray(column if names is None else column == np.arange(len(names)), float)


def equation(matrix: Floats, columns: Columns, column: int, typical: Floats) -> Equation:
    """Return the least-squares regression over complete rows.

    Where these are too few, it is fitted to all rows that have the column.
    """
    has_column = ~np.isnan(matrix[:, column])
    X, terms = design(matrix, columns, column, typical)
    complete = ~np.isnan(matrix).any(axis=1)
    rows = complete if complete.sum() > X.shape[1] else has_column
    Y = outputs(matrix[rows, column], columns.categories[column])
    size = np.maximum(np.abs(X[rows]).max(axis=0), 1e-300)
    coefficients = np.linalg.lstsq(X[rows] / size, Y, rcond=None)[0] / size[:, None]
    residuals = Y - X[rows] @ coefficients
    spread = float(np.sqrt((residuals**2).sum() / max(int(rows.sum()) - X.shape[1], 1)))
    return Equation(column, terms, coefficients, spread, int(rows.sum()), columns, typical)
