"""A curve over one column as a picture: the data, the errors of all levels, the last part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Line, Points
from dmlib.pictures.plane import data_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, Plot, needs_steps, story
from dmlib.problem import Problem
from dmlib.regression.polynomial_regression.algorithm import PolynomialRegression
from dmlib.regression.polynomial_regression.canvas_scene import Canvas
from dmlib.regression.polynomial_regression.curve import Curve, CurveErrors
from dmlib.regression.polynomial_regression.ledger import Narrator
from dmlib.regression.polynomial_regression.local_regression import MAX_LEFT_OUT, LocalRegression
from dmlib.regression.polynomial_regression.local_scene import local_plots
from dmlib.regression.polynomial_regression.natural_spline import NaturalSpline
from dmlib.regression.polynomial_regression.polynomial_scene import polynomial_plots
from dmlib.regression.polynomial_regression.spline_scene import spline_plots

MAX_RATIO = 2.2  # of the errors in view
LEFT_OUT, TEST = 0, 1  # colours
LABELS = {"degree": "degree", "n_knots": "knots", "span": "span"}


@needs_steps
def polynomial_regression_scene(run: Run[Problem, Curve]) -> Scene:
    """Draw the steps of a curve.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "y": [0.0, 1.0, 4.0, 10.0]})
    >>> problem = prepare(frame, ["x"], target="y", numeric_target=True)
    >>> scene = polynomial_regression_scene(Run.of(problem, PolynomialRegression(2)))
    >>> [frame.phase for frame in scene.frames]
    ['constant', 'degree', 'degree', 'done']
    """
    problem, steps = run.problem, run.trace.steps
    model = clone(run.model).fit_from(steps, *problem.training.arguments)
    canvas = Canvas.of(problem, model)
    errors = _errors_of(canvas)
    rows, part = _plots(canvas, steps)
    levels = _levels(model, errors)
    narrator = Narrator(problem, model, errors, steps, run.selected)

    def draw(moment: Moment) -> Drawing:
        marks = (*rows.marks(moment), *levels.marks(moment), *part.marks(moment))
        return Drawing(marks, *narrator.caption_and_ledger(moment), moment.step.phase)

    return story(
        run,
        draw,
        panels=(rows.panel, levels.panel, part.panel),
        notes=_notes(model),
        handles=levels.handles,
        legend=_legend(errors),
        max_frames=len(steps),
    )


def _errors_of(canvas: Canvas) -> CurveErrors:
    """Return the errors of the curve at all levels, of the training rows and of the test set."""
    model, test = canvas.model, canvas.problem.test
    is_test = np.zeros(len(canvas.x), bool) if test is None else test
    errors: CurveErrors = model.errors(
        model.places_, model.heights_, canvas.x[is_test], canvas.y[is_test]
    )
    return errors


def _plots(canvas: Canvas, steps: Sequence[Any]) -> tuple[Plot, Plot]:
    """Return the rows with the curve, and the part that a step adds."""
    problem = canvas.problem
    # Rows of one category are spread around it.
    x = problem.points[:, 0] if problem.upright else canvas.x
    rows = replace(data_points(problem, size=[4.0]), x=x, y=canvas.y)
    if isinstance(canvas.model, PolynomialRegression):
        return polynomial_plots(canvas, rows, steps)
    plots = spline_plots if isinstance(canvas.model, NaturalSpline) else local_plots
    return plots(canvas, rows, steps[-1])


def _legend(errors: CurveErrors) -> list[Key]:
    legend = [Key("training rows")]
    if len(errors.test):
        legend.append(Key("test rows", hollow=True))
    return legend


def _notes(model: Curve) -> tuple[str, ...]:
    notes = []
    if isinstance(model, PolynomialRegression) and model.degree_ < model.degree:
        notes.append(
            f"The rows stand at {model.degree_ + 1} places that differ enough: degree"
            f" {model.degree_} is the last."
        )
    if isinstance(model, PolynomialRegression) and model.alpha:
        notes.append("The dashed curve is least squares, without the penalty.")
    if isinstance(model, LocalRegression):
        notes.append(
            "The larger a row, the more it weighs in the shaded neighbourhood, where the line is"
            " fitted."
        )
    if isinstance(model, NaturalSpline) and len(model.knots_) < model.n_knots:
        notes.append(f"There are only {len(model.knots_)} places for knots.")
    if isinstance(model, LocalRegression) and len(model.places_) > MAX_LEFT_OUT:
        notes.append(f"The errors by span are those of {MAX_LEFT_OUT} rows.")
    return tuple(notes)


# --- errors ---------------------------------------------------------------------------------------


def _levels(model: Curve, errors: CurveErrors) -> Plot:
    """Return the errors of all levels, with the handle of the level."""
    top = _highest(errors)
    level = float(getattr(model, model.LEVEL))
    label = LABELS[model.LEVEL]
    axes = _level_axis(model, errors, level), Axis("RMSE", 0.0, top)
    panel = Panel("errors", *axes, f"Error by {label}")
    curves = [("training", errors.train, NO_CLASS), ("leave one out", errors.left_out, LEFT_OUT)]
    if len(errors.test):
        curves.append(("test", errors.test, TEST))
    marks = [mark for curve in curves for mark in _error_curve(errors.levels, level, top, *curve)]
    handle = Handle(model.LEVEL, "errors", f"{label} {level:g}", "x", level)
    return Plot(panel, lambda moment: marks, [handle])


def _error_curve(
    levels: Floats, level: float, top: float, name: str, values: Floats, color: int
) -> tuple[Line, Points]:
    """Return a curve and its place at a level."""
    heights = np.clip(values, 0, 2 * top)
    (here,) = np.nonzero(np.isclose(levels, level))
    return (
        Line(
            panel="errors",
            x=levels,
            y=heights,
            color="ink" if color == NO_CLASS else color,
            dash=color == NO_CLASS,
            label=name,
            of="",
        ),
        Points(panel="errors", x=levels[here], y=heights[here], color=[color], size=[5.0], of=""),
    )


def _highest(errors: CurveErrors) -> float:
    """Return the upper end of the axis of errors; those of wild curves are not in view."""
    predicted = np.concatenate([errors.left_out[np.isfinite(errors.left_out)], errors.test])
    largest = float(np.append(predicted, errors.train).max())
    smallest = float(predicted.min()) if len(predicted) else largest
    return min(MAX_RATIO * smallest, 1.1 * largest) or 1.0


def _level_axis(model: Curve, errors: CurveErrors, level: float) -> Axis:
    levels = errors.levels
    pad = 0.6 * float(levels[1] - levels[0]) if len(levels) > 1 else 0.6
    low, high = min(levels[0], level) - pad, max(levels[-1], level) + pad
    return Axis(LABELS[model.LEVEL], low, high, integer=model.LEVEL != "span")
