"""Columns as strips of points, before and after they are scaled, and what one outlier does to the scale."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.arrays import Floats
from dmlib.evenly import evenly
from dmlib.params import Number
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Channel, Line, Mark, PerFrame, Points, Segments, Texts
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Frame, Handle, Panel, Scene, bounds
from dmlib.preprocessing.transformation.algorithm import POWERS, Rescaler, RescalerStep
from dmlib.preprocessing.transformation.ledger import scale_blocks, scale_caption
from dmlib.problem import Problem

MOST_COLUMNS, MOST_ROWS = 13, 200  # that are drawn
BULK = 40  # rows of the picture of the outlier
FAR = 6.0  # ranges of the column up to which an outlier is in view
OPTIONS = {"outlier": Option(Number(-5.0, 20.0, shown=(1.0, FAR), step=0.1), 3.0)}
"""Where the outlier stands: 0 is the least value of the column, 1 the largest."""


def columns_scene(run: Run) -> Scene:
    """Draw the steps of a scaler."""
    problem, steps, model = run.problem, run.trace.steps, run.fitted
    outlier = float(chosen(run, OPTIONS)["outlier"])
    picture = _Columns(problem, model, steps)
    before, before_marks = picture.before()
    after, after_marks = picture.after()
    squeezed, squeezed_marks, share = picture.squeezed(outlier)
    handle = Handle("outlier", "outlier", "outlier", "x", float(np.clip(outlier, 0.0, FAR)))
    panels, marks = [before, after, squeezed], [*before_marks, *after_marks, *squeezed_marks]
    if any(len(step.likelihoods) for step in steps):
        likelihood, lines = picture.likelihood()
        panels.append(likelihood)
        marks += lines
    frames = Deferred(
        lambda step: Frame(
            scale_caption(problem, model, step), scale_blocks(problem, model, step, run.selected), step.phase
        ),
        steps,
    )
    return Scene(panels, marks, frames, (*problem.notes, share, *picture.notes()), [handle])


class _Columns:
    """The panels and marks of a scaler.

    Parameters
    ----------
    problem : Problem
        The table.
    model : Rescaler
        Fitted.
    steps : sequence of RescalerStep
        Those of the run.
    """

    def __init__(self, problem: Problem, model: Rescaler, steps: Sequence[RescalerStep]) -> None:
        self.problem, self.model, self.steps = problem, model, steps
        n, d = problem.X.shape
        self.d = min(d, MOST_COLUMNS)
        self.rows = evenly(n, MOST_ROWS)
        self.wobble = 0.5 * (np.arange(1, len(self.rows) + 1) * 0.61803398875 % 1 - 0.5)
        named = problem.classes and problem.y is not None
        self.codes = np.asarray(problem.y, np.uint8) if named else np.full(n, NO_CLASS, np.uint8)
        self.names = tuple(problem.features[: self.d][::-1])

    def notes(self) -> tuple[str, ...]:
        """Return what is not drawn."""
        n, d = self.problem.X.shape
        notes = []
        if d > self.d:
            notes.append(f"The first {self.d} of {d} columns are drawn.")
        if n > MOST_ROWS:
            notes.append(f"{MOST_ROWS} of {n} rows are drawn; the scale is that of all.")
        return tuple(notes)

    def _strip(self, j: int) -> Floats:
        return np.asarray(self.d - 1 - j + self.wobble)

    def _points(self, panel: str, x: Channel, j: int) -> Points:
        problem, rows = self.problem, self.rows
        return Points(
            panel=panel, x=x, y=self._strip(j), color=self.codes[rows], symbol=[0], size=[2.5],
            numbers=problem.rows[rows] + 1,
        )  # fmt: skip

    def before(self) -> tuple[Panel, list[Mark]]:
        """Return the columns in their own units, on one axis."""
        X = self.problem.X[self.rows][:, : self.d]
        up = Axis("column", -0.6, self.d - 0.4, ticks=self.names)
        panel = Panel("data", Axis("value", *bounds(np.append(X, self.problem.X[:, 0]))), up, "Before, on one axis")
        wobble = 0.5 * (np.arange(1, len(self.codes) + 1) * 0.61803398875 % 1 - 0.5)
        first = Points(
            x=self.problem.X[:, 0], y=self.d - 1 + wobble, color=self.codes, symbol=[0], size=[2.5],
            numbers=self.problem.rows + 1, labels=self.problem.labels, data=True,
        )  # fmt: skip
        return panel, [first, *(self._points("data", X[:, j], j) for j in range(1, self.d))]

    def after(self) -> tuple[Panel, list[Mark]]:
        """Return the columns on their new scales, as far as they have come."""
        Z = self.model.prepared_[self.rows][:, : self.d]
        up = Axis("", -0.6, self.d - 0.4)
        panel = Panel("after", Axis("scaled value", *bounds(Z)), up, "After")
        marks: list[Mark] = []
        for j in range(self.d):
            z, nothing = Z[:, j], np.full(len(Z), np.nan)
            reached = [step.phase == "done" or step.column > j or (step.column == j and step.phase == "scale")
                       for step in self.steps]  # fmt: skip
            marks.append(self._points("after", PerFrame([z if there else nothing for there in reached]), j))
        return panel, marks

    def squeezed(self, outlier: float) -> tuple[Panel, list[Mark], str]:
        """Return the first column with an outlier, as it is and scaled; without the outlier both go from 0 to 1."""
        x = self.problem.X[:, 0]
        some = x[evenly(len(x), BULK)]
        low, high = float(some.min()), float(some.max())
        panel = Panel(
            "outlier", Axis(f"{self.problem.features[0]}: minimum 0, maximum 1", -0.3, FAR + 0.3),
            Axis("", -0.5, 1.7), "One outlier", side=True,
        )  # fmt: skip
        name = self.problem.features[0]
        if high <= low:
            return panel, [], f"{name} is constant."
        far = low + outlier * (high - low)
        try:
            alone = Rescaler(self.model.methods_[0]).fit(some[:, None])
            together = Rescaler(self.model.methods_[0]).fit(np.append(some, far)[:, None])
            start, end = alone.transform([[low], [high]]).ravel()
            scaled = (together.transform(np.append(some, far)[:, None]).ravel() - start) / (end - start or 1.0)
        except ValueError as refused:
            return panel, [], str(refused)
        # z-scores and powers also move: only how far apart rows are says what is left of them
        bulk = scaled[:-1] - scaled[:-1].min()
        at = np.clip(np.append(bulk, scaled[-1] - scaled[:-1].min()), -0.3, FAR + 0.3)
        raw = np.clip(np.append((some - low) / (high - low), outlier), -0.3, FAR + 0.3)
        color = np.append(np.full(len(some), NO_CLASS), 1).astype(np.uint8)
        share = 100 * float(np.ptp(bulk))
        marks: list[Mark] = [
            Segments(panel="outlier", x0=raw, y0=np.ones(len(raw)), x1=at, y1=np.zeros(len(at)), color=color,
                     width=0.6, of=""),
            Points(panel="outlier", x=raw, y=np.ones(len(raw)), color=color, size=[2.5], of=""),
            Points(panel="outlier", x=at, y=np.zeros(len(at)), color=color, size=[2.5], of=""),
            Texts(panel="outlier", x=[-0.2, -0.2], y=[1.3, -0.3], text=("as it is", "scaled"), anchor="start"),
        ]  # fmt: skip
        told = f"Because of the outlier the other values of {name} keep {share:.0f} % of the width that they had."
        return panel, marks, told

    def likelihood(self) -> tuple[Panel, list[Mark]]:
        """Return how likely each power makes the column of the step."""
        steps = self.steps
        known = [np.isfinite(step.likelihoods).any() for step in steps]  # of a constant column no power is likely
        curves = [step.likelihoods - step.likelihoods.max() if there else np.zeros(0)
                  for step, there in zip(steps, known, strict=True)]  # fmt: skip
        deepest = [float(np.quantile(curve[np.isfinite(curve)], 0.1)) for curve in curves if len(curve)]
        low = min(deepest, default=-1.0) or -1.0
        panel = Panel(
            "likelihood", Axis("λ", -3.0, 3.0), Axis("", low, -0.08 * low), "Log-likelihood by power", side=True
        )
        x = PerFrame([POWERS if len(curve) else curve for curve in curves])
        y = PerFrame([np.maximum(curve, 2 * low) for curve in curves])
        # a power beyond the axis has no dot: the caption names it
        on_axis = [likely and abs(step.lam) <= POWERS[-1] for step, likely in zip(steps, known, strict=True)]
        best = [[step.lam] if visible else [] for step, visible in zip(steps, on_axis, strict=True)]
        tops = [[0.0] if visible else [] for visible in on_axis]
        dot = Points(
            panel="likelihood", x=PerFrame(best), y=PerFrame(tops), color=[1], size=[5.0], emphasis=True, of=""
        )
        return panel, [Line(panel="likelihood", x=x, y=y, of=""), dot]
