"""A fitted linear regression with its terms, and tables with a row for each term."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import LedgerTable
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.regression.design import LeastSquares
from dmlib.regression.linear_regression.algorithm import LinearRegression
from dmlib.regression.linear_regression.solvers import LinearRegressionStep

MAX_TERMS = 12  # lines of a table of terms


@dataclass(frozen=True)
class Fit:
    """A fitted regression with its terms: from which picture and ledger are made.

    Attributes
    ----------
    problem : Problem
        The data.
    model : LinearRegression
        Fitted.
    data : LeastSquares
        The problem that is solved.
    terms : tuple of str
        The names of the terms.
    Z : ndarray of shape (n_samples, n_terms)
        The terms of all samples, those of the test set included.
    line : int
        The number of the column whose line is drawn, from 1; 0 for none.
    """

    problem: Problem
    model: LinearRegression
    data: LeastSquares
    terms: tuple[str, ...]
    Z: Floats
    line: int

    @classmethod
    def of(cls, run: Run[Problem, Any], column: int) -> Fit:
        """Return the fit of a run, whose line is that of a column, by its number from 1.

        That of a descent that was stopped, or of absolute deviations, is least squares.
        """
        problem, training = run.problem, run.problem.training
        if run.trace.complete and isinstance(run.model, LinearRegression):
            model = run.fitted
        else:
            same = {name: getattr(run.model, name) for name in ("weight_column", "fit_intercept")}
            model = LinearRegression(**same).fit(*training.arguments)
        data = model.least_squares(training.data, np.asarray(training.y))
        line = column if column <= len(problem.features) else 0
        return cls(
            problem,
            model,
            data,
            model.term_names(problem.features),
            model.design(problem.data),
            line,
        )

    @property
    def numbers(self) -> list[int | None]:
        """The number of the line that each term makes; None where it makes none."""
        return [self.line if owner + 1 == self.line else None for owner in self.model.owners_]

    @property
    def is_line(self) -> bool:
        """Whether a line with an intercept is fitted over one numeric column."""
        is_numeric = self.problem.upright and not self.problem.categories
        return is_numeric and len(self.terms) == 1 and self.data.fit_intercept

    def fitted(self, step: LinearRegressionStep) -> Floats:
        """Return the predictions of a step for all samples."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(self.Z @ step.coef + step.intercept)


def cell(value: float) -> float | None:
    """Return a number for a narrow table; nothing where it is not determined."""
    return None if np.isnan(value) else float(f"{value:.5g}")


def term_table(fit: Fit, title: str, **columns: Floats) -> LedgerTable:
    """Return a table with a row for each term, and values of the terms as columns."""
    cut = f" (first {MAX_TERMS} of {len(fit.terms)})" if len(fit.terms) > MAX_TERMS else ""
    heads = [name.replace("_", " ") for name in columns]
    rows = [
        [name, *(cell(values[j]) for values in columns.values())]
        for j, name in enumerate(fit.terms[:MAX_TERMS])
    ]
    return LedgerTable(
        ("", *heads), rows, title + cut, by="column", numbers=fit.numbers[:MAX_TERMS]
    )
