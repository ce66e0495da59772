"""A curve over one column as a picture: the curve in the data, the errors of all levels, and what the step adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.pictures.data.heights import heights_scene
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import Line, Mark, PerFrame, Points, Rects, Segments
from dmlib.pictures.motion import with_before
from dmlib.pictures.plane import data_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene, bounds
from dmlib.problem import Problem
from dmlib.regression.polynomial_regression.algorithm import PolynomialRegression, orthogonal
from dmlib.regression.polynomial_regression.curve import Curve, unit_scale
from dmlib.regression.polynomial_regression.ledger import Teller
from dmlib.regression.polynomial_regression.local_regression import MOST_LEFT_OUT, LocalRegression, tricube
from dmlib.regression.polynomial_regression.natural_spline import NaturalSpline

GRID = 181  # places of a curve
WILD = 3.0  # heights of the panel beyond which nothing is drawn
BEYOND = 0.07  # of the range of the places: how far the curve goes beyond the data
CUT = 2.2  # errors are shown up to so many times the least
LEFT_OUT, TEST = 0, 1  # colours
LABELS = {"degree": "degree", "n_knots": "knots", "span": "span"}
SMALL, LARGE = 2.5, 6.0  # radius of a row without weight, and with all


def polynomial_regression_scene(run: Run) -> Scene:
    """Draw the steps of a curve.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "y": [0.0, 1.0, 4.0, 10.0]})
    >>> problem = prepare(frame, ["x"], target="y", numeric_target=True)
    >>> [frame.phase for frame in polynomial_regression_scene(Run.of(problem, PolynomialRegression(2))).frames]
    ['constant', 'degree', 'degree', 'done']
    """
    problem, trace = run.problem, run.trace
    if not trace.steps:
        return heights_scene(problem)
    learned = problem.training
    model = clone(run.model).fit_from(trace.steps, learned.X, learned.y)
    picture = _Picture(problem, model, trace.steps)
    pairs = with_before(trace.steps)
    teller = Teller(problem, model, picture.errors, trace.steps, run.selected)
    large, marks = picture.rows()
    errors, error_marks = picture.levels()
    part, part_marks = picture.part()
    level = float(getattr(run.model, model.LEVEL))
    handle = Handle(model.LEVEL, "errors", f"{LABELS[model.LEVEL]} {level:g}", "x", level)
    legend = [Key("leave-one-out error", LEFT_OUT), Key("training rows")]
    if len(picture.errors.test):
        legend += [Key("error of test rows", TEST), Key("test rows", hollow=True)]
    return Scene(
        (large, errors, part), (*marks, *error_marks, *part_marks), Deferred(teller.frame, pairs),
        (*problem.notes, *_notes(model)), [handle], legend,
    )  # fmt: skip


def _notes(model: Curve) -> tuple[str, ...]:
    notes = []
    if isinstance(model, PolynomialRegression) and model.degree_ < model.degree:
        notes.append(
            f"The rows stand at {model.degree_ + 1} places that differ enough: degree {model.degree_} is the last."
        )
    if isinstance(model, PolynomialRegression) and model.alpha:
        notes.append("The dashed curve is least squares, without the penalty.")
    if isinstance(model, LocalRegression):
        notes.append("The larger a row, the more it weighs in the shaded neighbourhood, where the line is fitted.")
    if isinstance(model, NaturalSpline) and len(model.knots_) < model.n_knots:
        notes.append(f"There are only {len(model.knots_)} places for knots.")
    if isinstance(model, LocalRegression) and len(model.places_) > MOST_LEFT_OUT:
        notes.append(f"The errors by span are those of {MOST_LEFT_OUT} rows.")
    return tuple(notes)


class _Picture:
    """The panels and marks of a run.

    Parameters
    ----------
    problem : Problem
        The table.
    model : Curve
        Fitted.
    steps : sequence
        Those of the run.
    """

    def __init__(self, problem: Problem, model: Curve, steps: Sequence[Any]) -> None:
        self.problem, self.model, self.steps = problem, model, steps
        self.x, self.y = model.x_of(problem.X), np.asarray(problem.y, float)
        self.axis = Axis(problem.features[model.column - 1], *bounds(self.x, BEYOND))
        self.grid = np.linspace(self.axis.low, self.axis.high, GRID)
        self.local = isinstance(model, LocalRegression)
        held = problem.test if problem.test is not None else np.zeros(len(self.x), bool)
        self.errors = model.errors(model.places_, model.heights_, self.x[held], self.y[held])
        up = Axis(problem.target, *bounds(self.y, 0.12))
        self.panel = Panel("data", self.axis, up)

    def _near(self, values: Floats, axis: Axis | None = None) -> Floats:
        """Return heights that can be drawn: what runs away leaves the panel, by at most some of its heights."""
        up = axis or self.panel.y
        far = WILD * (up.high - up.low)
        return np.clip(values, up.low - far, up.high + far)

    def rows(self) -> tuple[Panel, list[Mark]]:
        """Return the rows with the curve of each step, and the one before it."""
        marks: list[Mark] = []
        if self.local:
            marks += self._window()
            size: Any = PerFrame(Deferred(self._sizes, self.steps))
        else:
            size = [4.0]
        points = replace(data_points(self.problem, size=size), x=self._places(), y=self.y)
        lines = Deferred(self._curve, range(len(self.steps)))
        marks.append(points)
        if not self.local:
            before = Deferred(lambda i: self._curve(max(i - 1, 0)), range(len(self.steps)))
            marks.append(Line(x=self.grid, y=PerFrame(before), color="muted", width=1.2, dash=True, of=""))
        if isinstance(self.model, NaturalSpline):
            marks.append(self._knots())
        if isinstance(self.model, PolynomialRegression) and self.model.alpha:
            free = [step for step in self.steps if step.phase in ("constant", "degree")][-1]
            there = self._near(self.model.curve(free, self.grid))
            shown = [there if step.phase in ("shrink", "done") else np.full(GRID, np.nan) for step in self.steps]
            marks.append(Line(x=self.grid, y=PerFrame(shown), color="muted", width=1.5, dash=True, of=""))
        marks.append(Line(x=self.grid, y=PerFrame(lines), color="accent", width=3.0, tween=not self.local, of=""))
        return self.panel, marks

    def _places(self) -> Floats:
        """Return the places of the rows; those of one category are spread around it."""
        return self.problem.points[:, 0] if self.problem.upright else self.x

    def _curve(self, i: int) -> Floats:
        step = self.steps[i]
        if not self.local or step.phase == "done":
            return self._near(self.model.curve(step, self.grid))
        if step.phase == "robust":
            return np.full(GRID, np.nan)
        return np.where(self.grid <= step.place, self._last, np.nan)

    @property
    def _last(self) -> Floats:
        return self._near(self.model.curve(self.steps[-1], self.grid))

    def _sizes(self, step: Any) -> Floats:
        """Return the radii of the rows by their weight in the neighbourhood of a step."""
        weights = np.zeros(len(self.x))
        learned = self.problem.trained
        if step.phase == "place":
            weights[learned] = tricube(self.x[learned], step.place, step.radius) * step.trust
        else:
            weights[learned] = 0.4 * step.trust
        return SMALL + (LARGE - SMALL) * weights

    def _window(self) -> list[Mark]:
        """Return the neighbourhood of a place, and the line that is fitted in it."""
        low, high = self.panel.y.low, self.panel.y.high
        nothing = np.empty(0)
        now = [step if step.phase == "place" else None for step in self.steps]
        left = [nothing if s is None else np.array([max(s.place - s.radius, self.axis.low)]) for s in now]
        right = [nothing if s is None else np.array([min(s.place + s.radius, self.axis.high)]) for s in now]
        shade = Rects(
            x0=PerFrame(left), x1=PerFrame(right), y0=PerFrame([np.full(len(x), low) for x in left]),
            y1=PerFrame([np.full(len(x), high) for x in left]), opacity=[0.12], of="",
        )  # fmt: skip
        across, up = [], []
        for step, x0, x1 in zip(now, left, right, strict=True):
            if step is None or not step.radius:
                across.append(nothing)
                up.append(nothing)
                continue
            across.append(np.linspace(x0[0], x1[0], 21))
            u = (across[-1] - step.place) / step.radius
            up.append(self._near(np.polynomial.polynomial.polyval(u, step.coef)))
        line = Line(x=PerFrame(across), y=PerFrame(up), color=TEST, width=2.5, of="")
        at = [nothing if s is None else np.array([s.place]) for s in now]
        height = [nothing if s is None else self._near(np.array([s.coef[0]])) for s in now]
        dot = Points(x=PerFrame(at), y=PerFrame(height), color=[TEST], size=[6.0], emphasis=True, leads="x", of="")
        return [shade, line, dot]

    def _knots(self) -> Segments:
        knots = [step.knots for step in self.steps]
        feet = [np.full(len(each), self.panel.y.low) for each in knots]
        heads = [self._near(self.model.curve(step, step.knots)) for step in self.steps]
        return Segments(
            x0=PerFrame(knots), y0=PerFrame(feet), x1=PerFrame(knots), y1=PerFrame(heads), width=1.0, **self._numbers
        )

    @property
    def _numbers(self) -> dict[str, Any]:
        """The numbers of the knots in each frame, for their marks."""
        return {"numbers": PerFrame([np.arange(len(step.knots)) + 1 for step in self.steps]), "of": "knot"}

    def levels(self) -> tuple[Panel, list[Mark]]:
        """Return the errors of all levels."""
        errors = self.errors
        x = errors.levels
        known = np.concatenate([errors.left_out[np.isfinite(errors.left_out)], errors.test])
        least = float(known.min()) if len(known) else float(errors.train.max())
        top = min(CUT * least, 1.1 * float(np.nanmax(np.append(known, errors.train)))) or 1.0
        up = Axis("RMSE", 0.0, max(top, 1.1 * float(errors.train.max()) if not len(known) else top) or 1.0)
        pad = 0.6 * float(x[1] - x[0]) if len(x) > 1 else 0.6
        level = float(getattr(self.model, self.model.LEVEL))
        whole = self.model.LEVEL != "span"
        across = Axis(LABELS[self.model.LEVEL], min(x[0], level) - pad, max(x[-1], level) + pad, integer=whole)
        panel = Panel("errors", across, up, "The error by " + LABELS[self.model.LEVEL], side=True)
        marks: list[Mark] = [
            Line(panel="errors", x=x, y=np.clip(errors.train, 0, 2 * top), dash=True, width=1.5, of=""),
            Line(panel="errors", x=x, y=np.clip(errors.left_out, 0, 2 * top), color=LEFT_OUT, width=2.5, of=""),
        ]
        if len(errors.test):
            marks.append(Line(panel="errors", x=x, y=np.clip(errors.test, 0, 2 * top), color=TEST, width=2.0, of=""))
        return panel, marks

    def part(self) -> tuple[Panel, list[Mark]]:
        """Return what the step adds: an orthogonal polynomial, the curvature of a spline, the residuals."""
        if isinstance(self.model, PolynomialRegression):
            return self._added(self.model)
        if isinstance(self.model, NaturalSpline):
            return self._curvature(self.model)
        return self._residuals()

    def _added(self, model: PolynomialRegression) -> tuple[Panel, list[Mark]]:
        middle, half = unit_scale(model.places_)
        z = (model.places_ - middle) / half
        inside = np.linspace(-1, 1, GRID)
        _, R = orthogonal(z, max(step.degree for step in self.steps))
        basis = np.linalg.solve(R.T, np.polynomial.legendre.legvander(inside, len(R) - 1).T)
        parts = [basis[step.degree] * step.added for step in self.steps]
        reach = np.quantile(np.abs(np.concatenate([part for step, part in zip(self.steps, parts, strict=True)
                                                   if step.degree] or [np.ones(1)])), 0.97)  # fmt: skip
        up = Axis("c q(x)", *bounds([-1.2 * reach, 1.2 * reach]))
        panel = Panel("part", self.axis, up, "Contribution of the last degree", side=True)
        drawn = [
            self._near(part if step.degree else 0 * part, up) for step, part in zip(self.steps, parts, strict=True)
        ]
        ends = [self.axis.low, self.axis.high]
        marks: list[Mark] = [
            Line(panel="part", x=ends, y=[0.0, 0.0], color="muted", width=1.0, of=""),
            Line(panel="part", x=middle + half * inside, y=PerFrame(drawn), width=2.5, tween=True, of=""),
        ]
        return panel, marks

    def _curvature(self, model: NaturalSpline) -> tuple[Panel, list[Mark]]:
        drawn = [_second_derivative(model, step) for step in self.steps]
        up = Axis("y″", *bounds(np.append(drawn[-1], 0.0), 0.15))
        panel = Panel("part", self.axis, up, "Second derivative: 0 at both ends", side=True)
        knots = PerFrame([step.knots for step in self.steps])
        heights = PerFrame([self._near(each, up) for each in drawn])
        marks: list[Mark] = [
            Line(panel="part", x=[self.axis.low, self.axis.high], y=[0.0, 0.0], color="muted", width=1.0, of=""),
            Line(panel="part", x=knots, y=heights, width=2.0, of=""),
            Points(panel="part", x=knots, y=heights, color=[LEFT_OUT], size=[3.5], **self._numbers),
        ]
        return panel, marks

    def _residuals(self) -> tuple[Panel, list[Mark]]:
        rest = self.y - self.model.curve(self.steps[-1], self.x)
        panel = Panel("part", self.axis, Axis("y − ŷ", *bounds(np.append(rest, 0.0))), "Residuals", side=True)
        there = [rest if step.phase != "robust" else rest[:0] for step in self.steps]
        x = [self.x if len(each) else self.x[:0] for each in there]
        marks: list[Mark] = [
            Line(panel="part", x=[self.axis.low, self.axis.high], y=[0.0, 0.0], color="muted", width=1.0, of=""),
            Points(panel="part", x=PerFrame(x), y=PerFrame(there), size=[2.5], numbers=self.problem.rows + 1),
        ]
        return panel, marks


def _second_derivative(model: NaturalSpline, step: Any) -> Floats:
    """Return the second derivative at the knots; between them it is a straight line."""
    t = step.knots
    if len(t) < 3:
        return np.zeros(len(t))
    middle, half = unit_scale(t)
    cubes = np.maximum((t[:, None] - t) / half, 0.0) * 6
    z = (t - middle) / half
    d = (cubes[:, :-1] - cubes[:, -1:]) / (z[-1] - z[:-1])
    return np.asarray((d[:, :-1] - d[:, -1:]) @ step.coef[2:] / half**2)
