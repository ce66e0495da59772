"""The rows beside a picture of columns: by their predictions, or by one or two columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.evenly import jitter
from dmlib.feature_selection.scores import Subset
from dmlib.feature_selection.selector import standardised
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, short_table
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.pictures.words import num
from dmlib.problem import Problem

MAX_PLACES = 12_000  # rows times frames; of more, the rows stand where the last step has them
MAX_FRAMES = 200
MAX_TERMS = 5  # of a prediction that is written out
LIMIT = 3.5  # standard deviations that are drawn; what is farther out stands at the edge
MAX_LARGE_MARKS = 200  # rows up to which they are drawn large
SPREAD = 0.56  # how far rows of one column are spread across


class Fit:
    """Least squares on columns, trained on the training rows.

    Parameters
    ----------
    problem : Problem
        The data.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.mean = problem.training.X.mean(axis=0)
        self.X, self.y = problem.X - self.mean, np.asarray(problem.y, float)
        self._solutions: dict[Subset, tuple[Floats, float]] = {}

    def coefficients(self, subset: Subset) -> tuple[Floats, float]:
        """Return the coefficients of columns around their means, and the mean of the target."""
        if subset not in self._solutions:
            rows = self.problem.trained
            level = float(self.y[rows].mean())
            A = self.X[rows][:, list(subset)]
            size = np.where(A.any(axis=0), np.abs(A).max(axis=0, initial=0.0), 1.0)
            solution = np.empty(0)
            if subset:
                solution = np.linalg.lstsq(A / size, self.y[rows] - level, rcond=1e-10)[0]
            self._solutions[subset] = solution / size, level
        return self._solutions[subset]

    def predicted(self, subset: Subset) -> Floats:
        """Return the prediction for every row."""
        coef, level = self.coefficients(subset)
        predicted: Floats = self.X[:, list(subset)] @ coef + level
        return predicted

    def row(self, subset: Subset, i: int) -> Blocks:
        """Return the prediction for a row, written out."""
        coef, level = self.coefficients(subset)
        names, y = self.problem.features, float(self.y[i])
        pairs = zip(coef, subset, strict=True)
        terms = [f" + ({num(b)}) · ({num(self.X[i, j])})" for b, j in pairs]
        total = "".join(terms[:MAX_TERMS])
        if len(terms) > MAX_TERMS:
            total += " + …"
        predicted = num(float(self.predicted(subset)[i]))
        residual = num(y - float(self.predicted(subset)[i]))
        columns = ", ".join(names[j] for j in subset[:MAX_TERMS]) or "no column"
        title = f"row {self.problem.rows[i] + 1}, by {columns} around their means"
        return [
            Formula(f"{title}: {num(level)}{total} = {predicted}"),
            Formula(f"residual = {num(y)} − ({predicted}) = {residual}"),
        ]


class FittedRows:
    """The rows at their predictions and targets.

    Parameters
    ----------
    fit : Fit
        Makes the predictions.
    """

    def __init__(self, fit: Fit) -> None:
        self.fit, problem = fit, fit.problem
        self.axis = Axis(f"predicted {problem.target}", *bounds(fit.y))
        ends = [self.axis.low, self.axis.high]
        y = Axis(problem.target, self.axis.low, self.axis.high)
        self.panel = Panel("rows", self.axis, y, "Rows: observed, predicted", side=True)
        self.line = Line(panel="rows", x=ends, y=ends, color="muted", width=1.0)

    def marks(self, subset: Subset) -> tuple[Mark, ...]:
        """Return the rows by their predictions from columns."""
        predicted = np.clip(self.fit.predicted(subset), self.axis.low, self.axis.high)
        return self.line, _points(self.fit.problem, predicted, self.fit.y)


class TargetRows:
    """The rows by one column and by the target.

    Parameters
    ----------
    problem : Problem
        The data.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem, self.y = problem, np.asarray(problem.y, float)
        self.Z = np.clip(standardised(problem.X), -LIMIT, LIMIT)
        x, y = Axis("column, standardised", -LIMIT, LIMIT), Axis(problem.target, *bounds(self.y))
        self.panel = Panel("rows", x, y, "Rows: column, target", side=True)

    def marks(self, column: int) -> tuple[Mark, ...]:
        """Return the rows by a column."""
        return (_points(self.problem, self.Z[:, column], self.y),)


class PairRows:
    """The rows by two standardised columns; without a second one they are spread.

    Parameters
    ----------
    problem : Problem
        The data.
    title : str
        The title of the panel.
    """

    def __init__(self, problem: Problem, title: str) -> None:
        self.problem, self.Z = problem, np.clip(standardised(problem.X), -LIMIT, LIMIT)
        self.spread: Floats = jitter(len(self.Z), SPREAD)
        x, y = (Axis(name, -LIMIT, LIMIT) for name in ("first column", "second column"))
        self.panel = Panel("rows", x, y, title, side=True)

    def marks(self, pair: tuple[int, int | None]) -> tuple[Mark, ...]:
        """Return the rows by two columns."""
        first, second = pair
        y: Floats = self.spread if second is None else self.Z[:, second]
        return (_points(self.problem, self.Z[:, first], y),)


def shown_step(problem: Problem, steps: Sequence[Any], step: Any) -> Any:
    """Return the step by which rows stand: of too many rows and frames always the last."""
    n_places = len(problem.X) * min(len(steps), MAX_FRAMES)
    return step if n_places <= MAX_PLACES else steps[-1]


def row_values(problem: Problem, i: int, columns: Sequence[int], by: str = "column") -> LedgerTable:
    """Return the values of a row in columns, ``by`` which they answer to marks."""
    rows = [(problem.features[j], float(problem.X[i, j])) for j in columns]
    title, numbers = f"Row {problem.rows[i] + 1}", [j + 1 for j in columns]
    return short_table(("column", "value"), rows, title, max_rows=12, by=by, numbers=numbers)


def _points(problem: Problem, x: Floats, y: Floats) -> Points:
    color = np.array([NO_CLASS], np.uint8)
    if problem.y is not None and not problem.numeric_target:
        color = np.asarray(problem.y, np.uint8)
    return Points(
        panel="rows",
        x=x,
        y=y,
        color=color,
        size=[3.0 if len(problem.X) <= MAX_LARGE_MARKS else 2.0],
        hollow=None if problem.test is None else problem.test.astype(np.uint8),
        labels=problem.labels,
        classes=problem.classes,
        numbers=problem.rows + 1,
        data=True,
    )
