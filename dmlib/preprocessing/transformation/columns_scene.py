"""Columns as strips of points, before and after they are scaled, and the effect of an outlier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.evenly import evenly, jitter
from dmlib.params import Number
from dmlib.pictures.marks import Mark, Points
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.places import NOWHERE, line_through, points_at, visible_if
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, Plot, story
from dmlib.preprocessing.transformation.algorithm import POWERS, Rescaler, RescalerStep
from dmlib.preprocessing.transformation.ledger import scale_blocks, scale_caption
from dmlib.preprocessing.transformation.outlier_scene import FAR, outlier_plot
from dmlib.preprocessing.transformation.rows_scene import class_colors
from dmlib.problem import Problem

MAX_COLUMNS, MAX_ROWS = 13, 200  # of the picture
OPTIONS = {"outlier": Option(Number(-5.0, 20.0, shown=(1.0, FAR), step=0.1), 3.0)}
"""The place of the outlier: 0 is the smallest value of the column, 1 the largest."""


def columns_scene(run: Run[Problem, Any]) -> Scene:
    """Draw the steps of a scaler."""
    problem, steps, model = run.problem, run.trace.steps, run.fitted
    strips = _Strips(problem)
    place = float(chosen(run, OPTIONS)["outlier"])
    scaler = clone(run.model).set_params(scale=model.methods_[0], scales=None)
    outlier, remark = outlier_plot(problem, scaler, place)
    plots = [_before_plot(strips), _after_plot(strips, model), outlier]
    if any(len(step.likelihoods) for step in steps):
        plots.append(_likelihood_plot(steps))

    def draw(moment: Moment) -> Drawing:
        step: RescalerStep = moment.step
        marks = [mark for plot in plots for mark in plot.marks(moment)]
        blocks = scale_blocks(problem, model, step, run.selected)
        return Drawing(marks, scale_caption(problem, model, step), blocks, step.phase)

    return story(
        run,
        draw,
        panels=[plot.panel for plot in plots],
        legend=[Key(name, code, 0) for code, name in enumerate(problem.classes)],
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
        self.codes = class_colors(problem)
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
        """Return the heights of ``n`` points of a column, with jitter."""
        return np.asarray(self.d - 1 - j + jitter(n, 0.5))

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
    """Return the columns in their own units on one axis; of the first all rows are drawn."""
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
    return Plot(Panel("data", across, up, "Before, on one axis"), lambda moment: marks)


def _after_plot(strips: _Strips, model: Rescaler) -> Plot:
    """Return the columns on their new scales, as far as they are scaled."""
    Z = model.prepared_[strips.rows][:, : strips.d]
    up = Axis("", -0.6, strips.d - 0.4)
    panel = Panel("after", Axis("scaled value", *bounds(Z)), up, "After")
    columns = [strips.points("after", Z[:, j], j) for j in range(strips.d)]

    def marks(moment: Moment) -> list[Mark]:
        return [visible_if(_is_scaled(moment.step, j), column) for j, column in enumerate(columns)]

    return Plot(panel, marks)


def _is_scaled(step: RescalerStep, j: int) -> bool:
    if step.phase == "done" or step.column > j:
        return True
    return step.column == j and step.phase == "scale"


def _likelihood_plot(steps: Sequence[RescalerStep]) -> Plot:
    """Return the log-likelihood of each power of the column of the step."""
    depths = [_depth(curve) for curve in map(_likelihoods, steps) if len(curve)]
    low = min(depths, default=-1.0) or -1.0
    up = Axis("", low, -0.08 * low)
    panel = Panel("likelihood", Axis("λ", -3.0, 3.0), up, "Log-likelihood by power", side=True)

    def marks(moment: Moment) -> list[Mark]:
        curve, lam = _likelihoods(moment.step), moment.step.lam
        places = np.column_stack([POWERS[: len(curve)], np.maximum(curve, 2 * low)])
        # A power beyond the axis has no dot: the caption names it.
        is_on_axis = len(curve) > 0 and abs(lam) <= POWERS[-1]
        best = np.array([[lam, 0.0]]) if is_on_axis else NOWHERE
        return [
            line_through(places, panel="likelihood", of=""),
            points_at(best, panel="likelihood", color=[1], size=[5.0], emphasis=True, of=""),
        ]

    return Plot(panel, marks)


def _likelihoods(step: RescalerStep) -> Floats:
    """Return the log-likelihoods less the largest; none of a constant column."""
    curve = step.likelihoods
    if not np.isfinite(curve).any():
        return np.empty(0)
    return np.asarray(curve - curve.max())


def _depth(curve: ArrayLike) -> float:
    """Return the lowest value of a curve, its steepest tenth left out."""
    values = np.asarray(curve)
    return float(np.quantile(values[np.isfinite(values)], 0.1))
