"""Columns as strips of points, before and after they are scaled, and what one outlier does to the scale."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.evenly import evenly
from dmlib.params import Number
from dmlib.pictures.marks import NO_CLASS, Mark, Points
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.places import NOWHERE, line_through, points_at, visible_if
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, Plot, story
from dmlib.preprocessing.transformation.algorithm import POWERS, Rescaler, RescalerStep
from dmlib.preprocessing.transformation.ledger import scale_blocks, scale_caption
from dmlib.preprocessing.transformation.outlier_scene import FAR, outlier_plot
from dmlib.problem import Problem

MAX_COLUMNS, MAX_ROWS = 13, 200  # that are drawn
OPTIONS = {"outlier": Option(Number(-5.0, 20.0, shown=(1.0, FAR), step=0.1), 3.0)}
"""Where the outlier stands: 0 is the least value of the column, 1 the largest."""


def columns_scene(run: Run) -> Scene:
    """Draw the steps of a scaler."""
    problem, steps, model = run.problem, run.trace.steps, run.fitted
    strips = _Strips(problem)
    outlier, remark = outlier_plot(
        problem, model.methods_[0], float(chosen(run, OPTIONS)["outlier"])
    )
    plots = [_before_plot(strips), _after_plot(strips, model), outlier]
    if any(len(step.likelihoods) for step in steps):
        plots.append(_likelihood_plot(steps))

    def draw(now: Moment) -> Drawing:
        marks = [mark for plot in plots for mark in plot.marks(now)]
        blocks = scale_blocks(problem, model, now.step, run.selected)
        return Drawing(marks, scale_caption(problem, model, now.step), blocks, now.step.phase)

    return story(
        run,
        draw,
        panels=[plot.panel for plot in plots],
        handles=outlier.handles,
        notes=(remark, *strips.notes),
        max_frames=len(steps),
    )


class _Strips:
    """The rows as a strip of points for each column.

    Parameters
    ----------
    problem : Problem
        The table.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        n, d = problem.X.shape
        self.d = min(d, MAX_COLUMNS)
        self.rows = evenly(n, MAX_ROWS)
        has_classes = problem.classes and problem.y is not None
        self.codes = (
            np.asarray(problem.y, np.uint8) if has_classes else np.full(n, NO_CLASS, np.uint8)
        )
        self.names = tuple(problem.features[: self.d][::-1])

    @property
    def notes(self) -> list[str]:
        """The columns and rows that are not drawn."""
        n, d = self.problem.X.shape
        notes = []
        if d > self.d:
            notes.append(f"The first {self.d} of {d} columns are drawn.")
        if n > MAX_ROWS:
            notes.append(f"{MAX_ROWS} of {n} rows are drawn; the scale is that of all.")
        return notes

    def up(self, j: int, n: int) -> Floats:
        """Return the heights of ``n`` points of a column, beside each other so that equal values are seen."""
        wobble = 0.5 * (np.arange(1, n + 1) * 0.61803398875 % 1 - 0.5)
        return np.asarray(self.d - 1 - j + wobble)

    def points(self, panel: str, x: Floats, j: int) -> Points:
        """Return the rows that are drawn, in the strip of a column."""
        return Points(
            panel=panel,
            x=x,
            y=self.up(j, len(self.rows)),
            color=self.codes[self.rows],
            symbol=[0],
            size=[2.5],
            numbers=self.problem.rows[self.rows] + 1,
        )


def _before_plot(strips: _Strips) -> Plot:
    """Return the columns in their own units, on one axis; of the first all rows, which can be selected."""
    problem = strips.problem
    X = problem.X[strips.rows][:, : strips.d]
    up = Axis("column", -0.6, strips.d - 0.4, ticks=strips.names)
    across = Axis("value", *bounds(np.append(X, problem.X[:, 0])))
    first = Points(
        x=problem.X[:, 0],
        y=strips.up(0, len(problem.X)),
        color=strips.codes,
        symbol=[0],
        size=[2.5],
        numbers=problem.rows + 1,
        labels=problem.labels,
        data=True,
    )
    marks = [first, *(strips.points("data", X[:, j], j) for j in range(1, strips.d))]
    return Plot(Panel("data", across, up, "Before, on one axis"), lambda now: marks)


def _after_plot(strips: _Strips, model: Rescaler) -> Plot:
    """Return the columns on their new scales, as far as they are scaled."""
    Z = model.prepared_[strips.rows][:, : strips.d]
    panel = Panel(
        "after", Axis("scaled value", *bounds(Z)), Axis("", -0.6, strips.d - 0.4), "After"
    )
    columns = [strips.points("after", Z[:, j], j) for j in range(strips.d)]

    def marks(now: Moment) -> list[Mark]:
        return [visible_if(_is_scaled(now.step, j), column) for j, column in enumerate(columns)]

    return Plot(panel, marks)


def _is_scaled(step: RescalerStep, j: int) -> bool:
    if step.phase == "done" or step.column > j:
        return True
    return step.column == j and step.phase == "scale"


def _likelihood_plot(steps: Sequence[RescalerStep]) -> Plot:
    """Return how likely each power makes the column of the step."""
    depths = [_depth(curve) for curve in map(_likelihoods, steps) if len(curve)]
    low = min(depths, default=-1.0) or -1.0
    up = Axis("", low, -0.08 * low)
    panel = Panel("likelihood", Axis("λ", -3.0, 3.0), up, "Log-likelihood by power", side=True)

    def marks(now: Moment) -> list[Mark]:
        curve = _likelihoods(now.step)
        places = np.column_stack([POWERS[: len(curve)], np.maximum(curve, 2 * low)])
        # a power beyond the axis has no dot: the caption names it
        is_on_axis = len(curve) > 0 and abs(now.step.lam) <= POWERS[-1]
        best = np.array([[now.step.lam, 0.0]]) if is_on_axis else NOWHERE
        return [
            line_through(places, panel="likelihood", of=""),
            points_at(best, panel="likelihood", color=[1], size=[5.0], emphasis=True, of=""),
        ]

    return Plot(panel, marks)


def _likelihoods(step: RescalerStep) -> Floats:
    """Return the log-likelihood of each power below that of the best; of a constant column no power is likely."""
    curve = step.likelihoods
    if not np.isfinite(curve).any():
        return np.empty(0)
    return np.asarray(curve - curve.max())


def _depth(curve: ArrayLike) -> float:
    """Return how deep a curve is, but for its steepest tenth."""
    values = np.asarray(curve)
    return float(np.quantile(values[np.isfinite(values)], 0.1))
