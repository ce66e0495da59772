"""A second target beside the first: its coefficients, and what the residuals have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.pictures.story import Moment, Plot
from dmlib.pictures.words import count, num, signed
from dmlib.problem import Problem
from dmlib.regression.design import LeastSquares
from dmlib.regression.linear_regression.fit_ledger import MAX_TERMS, Fit, cell
from dmlib.regression.linear_regression.solvers import LinearRegressionStep
from dmlib.trace import Trace
from dmlib.trace import run as trace_of

DOT = 3.0  # radius in the small panel
SECONDS = 2.0  # that the second target may take
BEFORE = ("sums", "matrix", "decompose")  # phases before the first coefficients


def second_column(problem: Problem, number: int) -> tuple[str, Floats] | None:
    """Return the name and the training rows of an unused column of numbers, by its number from 1.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [1.0, 2.0], "y": [1.0, 3.0], "z": [5.0, 6.0]})
    >>> problem = prepare(frame, ["x"], target="y", numeric_target=True)
    >>> name, rows = second_column(problem, 3)
    >>> name, rows.tolist(), second_column(problem, 1)
    ('z', [5.0, 6.0], None)
    """
    if problem.source is None or not 1 <= number <= problem.source.shape[1]:
        return None
    name = str(problem.source.columns[number - 1])
    values = problem.unused_column(name)
    if values is None or name == problem.target:
        return None
    return name, np.asarray(values[problem.trained])


def missing_notes(problem: Problem, number: int) -> list[str]:
    """Return why the column of this number is no second target, if values of it are missing."""
    column = second_column(problem, number)
    n_missing = 0 if column is None else int((~np.isfinite(column[1])).sum())
    if column is None or not n_missing:
        return []
    rows = count(n_missing, "training row", "training rows")
    return [
        f"{column[0]} is no second target: it is missing in {rows}, and both targets need the same."
    ]


@dataclass(frozen=True)
class SecondTarget:
    """Least squares of a second target on the rows of the first, step by step.

    Attributes
    ----------
    fit : Fit
        That of the first target.
    names : tuple of str
        The names of the targets.
    data : LeastSquares
        The problem of the second target.
    steps : sequence of LinearRegressionStep
        Its steps.
    """

    fit: Fit
    names: tuple[str, str]
    data: LeastSquares
    steps: Sequence[LinearRegressionStep]

    @classmethod
    def of(cls, run: Run[Problem, Any], fit: Fit, number: int) -> SecondTarget | None:
        """Return the regression with the column of this number as second target, if it is one.

        A column with missing values is none, since both targets have the same rows.
        """
        column = second_column(run.problem, number)
        if column is None or not np.isfinite(column[1]).all():
            return None
        name, second = column
        rows = run.problem.training.data
        trace: Trace[Any] = run.once(
            f"second target {number}", lambda: trace_of(run.model, rows, second, deadline=SECONDS)
        )
        if not trace.steps:
            return None
        names = (run.problem.target, name)
        return cls(fit, names, fit.model.least_squares(rows, second), trace.steps)

    def pair(self, moment: Moment) -> tuple[LinearRegressionStep, LinearRegressionStep]:
        """Return the steps of both targets; one that has ended stays as it is."""
        last = len(self.steps) - 1
        number = last if moment.step.phase == "done" else min(moment.index, last)
        return moment.step, self.steps[number]

    @property
    def problems(self) -> tuple[LeastSquares, LeastSquares]:
        """The problems of both targets."""
        return self.fit.data, self.data

    @property
    def targets(self) -> Floats:
        """The targets of the training rows, shape (n_samples, 2)."""
        return np.column_stack([data.y for data in self.problems])

    @property
    def deviations(self) -> Floats:
        """The targets less their means: the residuals before anything is fitted."""
        return self.targets - [data.y_mean for data in self.problems]

    def residuals(self, moment: Moment) -> Floats:
        """Return the residuals of both after a step, shape (n_samples, 2)."""
        if moment.step.phase in BEFORE:
            return self.deviations
        parts = zip(self.pair(moment), self.problems, strict=True)
        return np.column_stack([d.y - (s.intercept + d.Z @ s.coef) for s, d in parts])

    def blocks(self, moment: Moment) -> Blocks:
        """Write out both columns of the normal equations, of B, and the residual covariance."""
        if moment.step.phase == "matrix":
            T = self.deviations * self.data.roots[:, None]
            return [self._table(self.fit.terms, self.data.C.T @ T, "X'Y: a column for each target")]
        if moment.step.phase in BEFORE:
            return []
        steps = self.pair(moment)
        constant = self.data.fit_intercept
        names = ["intercept"] * constant + list(self.fit.terms)
        rows = np.array([[step.intercept] * constant + [*step.coef] for step in steps]).T
        table = self._table(names, rows, "B: a column for each target")
        return [table, *self._covariance(*steps)]

    def _table(self, names: Any, values: Floats, title: str) -> LedgerTable:
        rows = [
            (name, *map(cell, row))
            for name, row in zip(names[:MAX_TERMS], values[:MAX_TERMS], strict=True)
        ]
        return LedgerTable(("", *self.names), rows, title)

    def _covariance(self, *steps: LinearRegressionStep) -> Blocks:
        """Return what the residuals of least squares have in common, once both are known."""
        inferences = [step.inference for step in steps if step.inference is not None]
        if len(inferences) < len(steps):
            return []
        parts = zip(steps, self.problems, strict=True)
        E = np.column_stack([data.residuals(step.coef, step.intercept) for step, data in parts])
        covariance = E.T @ E / inferences[0].df_resid
        table = self._table(self.names, covariance, "Residual covariance E'E / df")
        (a, b), (_, c) = covariance.tolist()
        if not a * c > 0:
            return [table]
        first, second = (self.deviations * self.data.roots[:, None]).T
        sizes = float(np.linalg.norm(first) * np.linalg.norm(second))
        before = float(first @ second) / sizes if sizes else np.nan
        product = f"{num(b)} / √({num(a)} · {signed(c)})"
        return [
            table,
            Formula(f"correlation of the residuals: {product} = {num(b / (a * c) ** 0.5)}"),
            Formula(f"correlation of the targets: {num(before)}"),
        ]

    def plot(self) -> Plot:
        """Return the residuals of one target over those of the other."""
        is_descent = self.steps[0].phase == "start"  # which predicts 0 at first, not the means
        places = np.vstack([self.deviations, *[self.targets] * is_descent])
        x, y = (
            Axis(f"residual {name}", *bounds(column))
            for name, column in zip(self.names, places.T, strict=True)
        )
        panel = Panel("beside", x, y, "Residuals of both targets", side=True)
        numbers = self.fit.problem.rows[self.fit.problem.trained] + 1
        across = Line(
            panel="beside", x=[x.low, x.high], y=[0.0, 0.0], color="muted", width=1.0, dash=True
        )
        up = Line(
            panel="beside", x=[0.0, 0.0], y=[y.low, y.high], color="muted", width=1.0, dash=True
        )

        def marks(moment: Moment) -> list[Mark]:
            places = self.residuals(moment)
            dots = Points(
                panel="beside",
                x=places[:, 0],
                y=places[:, 1],
                color=[NO_CLASS],
                symbol=[0],
                size=[DOT],
                numbers=numbers,
            )
            return [across, up, dots]

        return Plot(panel, marks)
