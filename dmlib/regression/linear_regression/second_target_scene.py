"""A second target beside the first: its coefficients, and what the residuals have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.pictures.story import Moment, Plot
from dmlib.pictures.words import num, signed
from dmlib.problem import Problem
from dmlib.regression.linear_regression.algorithm import LinearRegression
from dmlib.regression.linear_regression.fit_ledger import MAX_TERMS, Fit, cell
from dmlib.regression.linear_regression.solvers import LinearRegressionStep

DOT = 3.0  # radius in the small panel
SOLVED = ("solve", "done")  # phases from which the coefficients are those of least squares


@dataclass(frozen=True)
class SecondTarget:
    """Least squares of two targets on the same rows.

    Attributes
    ----------
    fit : Fit
        That of the first target alone.
    names : tuple of str
        The names of the targets.
    Y : ndarray of shape (n_samples, 2)
        The targets of the training rows.
    model : LinearRegression
        Fitted to both.
    """

    fit: Fit
    names: tuple[str, str]
    Y: Floats
    model: LinearRegression

    @classmethod
    def of(cls, run: Run[Problem, Any], fit: Fit, number: int) -> SecondTarget | None:
        """Return the regression with the column of this number as second target, if it is one.

        A column with missing values is none, since both targets have the same rows.
        """
        problem = run.problem
        if problem.source is None or not 1 <= number <= problem.source.shape[1]:
            return None
        name = str(problem.source.columns[number - 1])
        values = problem.unused_column(name)
        if values is None or name == problem.target:
            return None
        second = values[problem.trained]
        if not np.isfinite(second).all():
            return None
        Y = np.column_stack([fit.data.y, second])
        same = {name: getattr(run.model, name) for name in ("weight_column", "fit_intercept")}
        model = LinearRegression(**same).fit(problem.training.data, Y)
        return cls(fit, (problem.target, name), Y, model)

    @property
    def deviations(self) -> Floats:
        """The targets less their means: the residuals before anything is fitted."""
        data = self.fit.data
        if not data.fit_intercept:
            return self.Y
        shares = data.roots**2 / data.total_weight
        return np.asarray(self.Y - shares @ self.Y)

    @property
    def residuals(self) -> Floats:
        """The residuals of both, shape (n_samples, 2)."""
        return np.asarray(self.Y - self.model.predict(self.fit.problem.training.data))

    def blocks(self, step: LinearRegressionStep) -> Blocks:
        """Write out both columns of the normal equations, of B, and the residual covariance."""
        if step.phase == "matrix":
            C, T = self.fit.data.C, self.deviations * self.fit.data.roots[:, None]
            title = "X'Y: a column for each target"
            return [self._table(self.fit.terms, C.T @ T, title)]
        if step.phase not in SOLVED:
            return []
        constant = [self.model.intercept_] * self.fit.data.fit_intercept
        names = ["intercept"] * self.fit.data.fit_intercept + list(self.fit.terms)
        rows = np.vstack([*constant, self.model.coef_.T])
        blocks: Blocks = [self._table(names, rows, "B: a column for each target")]
        return blocks + self._covariance() if step.phase == "done" else blocks

    def _table(self, names: Any, values: Floats, title: str) -> LedgerTable:
        rows = [
            (name, *map(cell, row))
            for name, row in zip(names[:MAX_TERMS], values[:MAX_TERMS], strict=True)
        ]
        return LedgerTable(("", *self.names), rows, title)

    def _covariance(self) -> Blocks:
        covariance = self.model.residual_covariance_
        if np.isnan(covariance).any():
            return []
        table = self._table(self.names, covariance, "Residual covariance E'E / df")
        (a, b), (_, c) = covariance.tolist()
        if not a * c > 0:
            return [table]
        first, second = (self.deviations * self.fit.data.roots[:, None]).T
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
        before, after = self.deviations, self.residuals
        x, y = (
            Axis(f"residual {name}", *bounds(np.concatenate([before[:, k], after[:, k]])))
            for k, name in enumerate(self.names)
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
            places = after if moment.step.phase in SOLVED else before
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
