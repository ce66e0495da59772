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
        What is predicted.
    terms : tuple of str
        What the coefficients belong to; the first is the constant.
    coefficients : ndarray of shape (n_terms, n_outputs)
        One column for a number, one for each name.
    deviation : float
        The standard deviation of the residuals.
    n_rows : int
        From how many rows it was learned.
    columns : Columns
        What the columns hold.
    typical : ndarray of shape (n_features,)
        What stands for a missing predictor.
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
            found: Floats = scores[:, 0]
            return found if rng is None else found + rng.normal(0, self.deviation, len(rows))
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
    """Return the predictors of a column: a constant, numbers, and for names but the first one column each."""
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
    """Return what a regression predicts: the numbers, or a column of zeros and ones for each name."""
    return np.asarray(
        values[:, None] if names is None else values[:, None] == np.arange(len(names)), float
    )


def equation(matrix: Floats, columns: Columns, column: int, typical: Floats) -> Equation:
    """Return the least-squares regression over complete rows; where these are too few, over those with the column."""
    known = ~np.isnan(matrix[:, column])
    X, terms = design(matrix, columns, column, typical)
    complete = ~np.isnan(matrix).any(axis=1)
    rows = complete if complete.sum() > X.shape[1] else known
    Y = outputs(matrix[rows, column], columns.categories[column])
    size = np.maximum(np.abs(X[rows]).max(axis=0), 1e-300)
    coefficients = np.linalg.lstsq(X[rows] / size, Y, rcond=None)[0] / size[:, None]
    residuals = Y - X[rows] @ coefficients
    spread = float(np.sqrt((residuals**2).sum() / max(int(rows.sum()) - X.shape[1], 1)))
    return Equation(column, terms, coefficients, spread, int(rows.sum()), columns, typical)
