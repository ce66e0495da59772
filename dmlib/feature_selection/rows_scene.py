"""The rows beside a picture of columns: what the chosen columns make of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.feature_selection.scores import Subset
from dmlib.feature_selection.selector import standardised
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, short_table
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points
from dmlib.pictures.scene import Axis, Panel, bounds
from dmlib.pictures.words import num
from dmlib.problem import Problem

MOST_PLACES = 12_000  # rows times frames; of more, the rows stand where the last frame has them
WIDEST = 3.5  # standard deviations that are drawn; what is farther out stands at the edge
MANY = 200  # rows from which they are drawn smaller
SPREAD = 0.56  # how far rows of one column are spread across


@dataclass(frozen=True)
class Rows:
    """Where the rows stand in each frame."""

    panel: Panel
    marks: tuple[Mark, ...]


class Fit:
    """Least squares on some columns, trained on the training rows."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        training = problem.training
        self.mean = training.X.mean(axis=0)
        self.X, self.y = problem.X - self.mean, np.asarray(problem.y, float)
        self._known: dict[Subset, tuple[Floats, float]] = {}

    def coefficients(self, subset: Subset) -> tuple[Floats, float]:
        """Return the coefficients of some columns around their means, and the mean of the target."""
        if subset not in self._known:
            rows = self.problem.trained
            level = float(self.y[rows].mean())
            A = self.X[rows][:, list(subset)]
            size = np.where(A.any(axis=0), np.abs(A).max(axis=0, initial=0.0), 1.0)
            solution = np.linalg.lstsq(A / size, self.y[rows] - level, rcond=1e-10)[0] if subset else np.empty(0)
            self._known[subset] = solution / size, level
        return self._known[subset]

    def predicted(self, subset: Subset) -> Floats:
        """Return the prediction for every row."""
        coef, level = self.coefficients(subset)
        predicted: Floats = self.X[:, list(subset)] @ coef + level
        return predicted

    def row(self, subset: Subset, i: int) -> Blocks:
        """Write out the prediction for a row."""
        coef, level = self.coefficients(subset)
        names, y = self.problem.features, float(self.y[i])
        terms = [f" + ({num(b)}) · ({num(self.X[i, j])})" for b, j in zip(coef, subset, strict=True)]
        shown = "".join(terms[:5]) + (" + …" if len(terms) > 5 else "")
        predicted = float(self.predicted(subset)[i])
        of = ", ".join(names[j] for j in subset[:5]) or "no column"
        title = f"row {self.problem.rows[i] + 1}, by {of} around their means"
        return [
            Formula(f"{title}: {num(level)}{shown} = {num(predicted)}"),
            Formula(f"residual = {num(y)} − ({num(predicted)}) = {num(y - predicted)}"),
        ]


def fitted_rows(fit: Fit, subsets: Sequence[Subset]) -> Rows:
    """Return the rows at their predictions and targets, frame by frame."""
    problem, y = fit.problem, fit.y
    axis = Axis(f"predicted {problem.target}", *bounds(y))

    def places(subset: Subset) -> Floats:
        return np.clip(fit.predicted(subset), axis.low, axis.high)

    panel = Panel("rows", axis, Axis(problem.target, axis.low, axis.high), "Rows: observed, predicted", side=True)
    ends = [axis.low, axis.high]
    line = Line(panel="rows", x=ends, y=ends, color="muted", width=1.0)
    return Rows(panel, (line, _points(problem, _each(subsets, len(y), places), y)))


def columns_against_target(problem: Problem, columns: Sequence[int]) -> Rows:
    """Return the rows by one column, another in each frame, and by the target."""
    Z, y = np.clip(standardised(problem.X), -WIDEST, WIDEST), np.asarray(problem.y, float)
    x = Axis("column, standardised", -WIDEST, WIDEST)
    panel = Panel("rows", x, Axis(problem.target, *bounds(y)), "Rows: column, target", side=True)
    return Rows(panel, (_points(problem, _each(columns, len(y), lambda j: Z[:, j]), y),))


def pairs_of_columns(problem: Problem, pairs: Sequence[tuple[int, int | None]], title: str) -> Rows:
    """Return the rows by two standardised columns, others in each frame; without a second one they are spread."""
    Z = np.clip(standardised(problem.X), -WIDEST, WIDEST)
    spread: Any = SPREAD * (np.arange(1, len(Z) + 1) * 0.61803398875 % 1 - 0.5)
    x = _each(pairs, len(Z), lambda pair: Z[:, pair[0]])
    y = _each(pairs, len(Z), lambda pair: spread if pair[1] is None else Z[:, pair[1]])
    first, second = (Axis(name, -WIDEST, WIDEST) for name in ("first column", "second column"))
    return Rows(Panel("rows", first, second, title, side=True), (_points(problem, x, y),))


def row_values(problem: Problem, i: int, columns: Sequence[int], by: str = "column") -> LedgerTable:
    """Return the values of a row in some columns, ``by`` which they answer to marks."""
    rows = [(problem.features[j], float(problem.X[i, j])) for j in columns]
    numbers = [j + 1 for j in columns]
    return short_table(("column", "value"), rows, f"Row {problem.rows[i] + 1}", most=12, by=by, numbers=numbers)


def _each(items: Sequence[Any], n_rows: int, make: Callable[[Any], Any]) -> Any:
    """Return what is made for each frame; of too many rows and frames only the last."""
    if n_rows * len(items) > MOST_PLACES:
        return make(items[-1])
    made: dict[Any, Floats] = {}

    def once(item: Any) -> Floats:
        if item not in made:
            made[item] = make(item)
        return made[item]

    return PerFrame(Deferred(once, items))


def _points(problem: Problem, x: Any, y: Any) -> Points:
    color = np.array([NO_CLASS], np.uint8) if problem.numeric_target else np.asarray(problem.y, np.uint8)
    more: dict[str, Any] = {} if problem.test is None else {"hollow": problem.test.astype(np.uint8)}
    size = 3.0 if len(problem.X) <= MANY else 2.0
    return Points(
        panel="rows", x=x, y=y, color=color, size=[size], labels=problem.labels, classes=problem.classes,
        numbers=problem.rows + 1, data=True, tween=True, **more,
    )  # fmt: skip
