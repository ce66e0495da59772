"""The rows of a regression: at their heights over one column, or against their predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.data.heights import heights_panel
from dmlib.pictures.marks import Line, Points
from dmlib.pictures.plane import data_points
from dmlib.pictures.regions import query_handle
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, bounds
from dmlib.problem import Problem

Predict = Callable[[Floats], Floats]
LINES = (Key("prediction", 0, kind="line"), Key("least squares", kind="dash"))


@dataclass(frozen=True)
class RowsPlot:
    """The large panel with the rows.

    Attributes
    ----------
    problem : Problem
        The table.
    panel : Panel
        The panel.
    line : Line
        Least squares in the data, or the line on which predicted and observed numbers are equal.
    note : str
        What that line is.
    dots : Points
        The rows; over several columns, without their predictions.
    """

    problem: Problem
    panel: Panel
    line: Line
    note: str
    dots: Points

    @classmethod
    def of(cls, problem: Problem) -> RowsPlot:
        """Return the panel of a table."""
        if problem.upright:
            panel = heights_panel(problem)
            note = "Dashed: the line of least squares through the same rows."
            if problem.categories:
                note = "Each category has a place; there is no line through them."
            return cls(problem, panel, _straight_line(problem, panel), note, data_points(problem))
        y = np.asarray(problem.y, float)
        ends = bounds(y)
        across = Axis(f"predicted {problem.target}", *ends)
        panel = Panel("data", across, Axis(f"observed {problem.target}", *ends), equal=True)
        line = Line(x=ends, y=ends, color="accent", width=2.0)
        note = "On the line, observed and predicted numbers are equal."
        return cls(problem, panel, line, note, replace(data_points(problem), y=y))

    @property
    def legend(self) -> tuple[Key, ...]:
        """The keys of the lines over a single column."""
        n_lines = 1 if self.problem.categories else 2
        return LINES[:n_lines] if self.problem.upright else ()

    def rows(self, predict: Predict) -> Points:
        """Return the rows, over their predictions if not over a column."""
        if self.problem.upright:
            return self.dots
        return replace(self.dots, x=self._clipped(predict(self.problem.X)))

    def rings(self, rows: NDArray[np.intp], color: NDArray[np.uint8], predict: Predict) -> Points:
        """Return rings around training rows."""
        training = self.problem.training
        y = np.asarray(training.y, float)
        if self.problem.upright:
            x = self.problem.points[self.problem.trained, 0]
        else:
            x = self._clipped(predict(training.X))
        return Points(x=x[rows], y=y[rows], color=color, symbol=[0], size=[6.5], of="")

    def _clipped(self, predicted: Floats) -> Floats:
        return np.clip(predicted, self.panel.x.low, self.panel.x.high)

    def handles(self, run: Run[Problem, Any], height: float) -> Sequence[Handle]:
        """Return the handle of the query, at the height of its prediction."""
        if not self.problem.upright:
            return []
        y = float(np.clip(height, self.panel.y.low, self.panel.y.high))
        return [replace(query_handle(run.current_query), y=y)]


def also_shown(steps: Sequence[Any]) -> list[int]:
    """Return the number of the step before the end, which may be the smoothing."""
    return [len(steps) - 2] if steps[-1].phase == "done" else []


def least_squares(problem: Problem) -> Floats:
    """Return the coefficients of the line through the training rows, the constant term first.

    Rows with a missing value do not count; through categories there is no line, but NaN.
    """
    X, y = np.asarray(problem.training.X, float), np.asarray(problem.training.y, float)
    complete = ~np.isnan(X).any(axis=1)
    if problem.categories or not complete.any():
        return np.full(X.shape[1] + 1, np.nan)
    X, y = X[complete], y[complete]
    slopes = np.linalg.lstsq(X - X.mean(axis=0), y - y.mean(), rcond=1e-10)[0]
    return np.array([y.mean() - X.mean(axis=0) @ slopes, *slopes])


def _straight_line(problem: Problem, panel: Panel) -> Line:
    """Return the line of least squares, inside the panel."""
    constant, slope = least_squares(problem)
    x = np.array([panel.x.low, panel.x.high])
    y = np.clip(constant + slope * x, panel.y.low, panel.y.high)
    if slope and np.isfinite(slope):
        x = np.clip((y - constant) / slope, *x)
    return Line(x=x, y=y, color="muted", width=1.8, dash=True)
