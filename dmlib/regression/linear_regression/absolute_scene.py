"""Least absolute deviations as a picture: the line, the rows on it, and the sum as it turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Line, Mark
from dmlib.pictures.places import points_at, visible_if
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, Plot, story
from dmlib.problem import Problem
from dmlib.regression.linear_regression.absolute_deviations import (
    AbsoluteStep,
    LeastAbsoluteDeviations,
    Turn,
)
from dmlib.regression.linear_regression.absolute_ledger import caption_and_ledger
from dmlib.regression.linear_regression.fit_ledger import Fit
from dmlib.regression.linear_regression.views_scene import (
    least_squares_line,
    query_handles,
    residual_marks,
    residual_plot,
    view_of,
    visible_query,
    weighted_points,
)

MAX_KINKS = 150  # of the curve of sums
RING = 9.0  # radius in pixels round a row on the line


def absolute_scene(
    run: Run[Problem, LeastAbsoluteDeviations], residuals: str, column: int
) -> Scene:
    """Draw the moves of least absolute deviations, with the line of least squares beside it.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.regression.LeastAbsoluteDeviations`.
    residuals : {"segments", "squares", "none"}
        How residuals are drawn.
    column : int
        Over several columns, that whose partial residuals are drawn, from 1; 0 for fitted against
        observed.
    """
    problem, steps = run.problem, run.trace.steps
    fit = Fit.of(run, 1 if problem.upright else column)
    view = view_of(fit, steps[-1], bands=False)
    is_line = fit.is_line
    side = _sum_curve(fit, steps) if is_line else residual_plot(fit, steps[-1])
    squares = least_squares_line(fit, view.panel) if is_line else ()
    dots, query = weighted_points(fit), visible_query(run)
    trained = problem.trained

    def draw(moment: Moment) -> Drawing:
        step: AbsoluteStep = moment.step
        places = view.places(step)
        on_line = trained[list(step.rows)]
        rings = points_at(
            np.column_stack([places.x, places.y])[on_line],
            color=[NO_CLASS],
            size=[RING],
            hollow=[1],
            numbers=problem.rows[on_line] + 1,
            tween=False,
        )
        marks = (
            *residual_marks(view.panel, places, trained, residuals),
            *squares,
            *view.lines(step),
            rings,
            replace(dots, x=places.x, y=places.y),
            *side.marks(moment),
        )
        return Drawing(marks, *caption_and_ledger(fit, moment, query), step.phase)

    rings_note = "Rings: rows that the line goes through." if is_line else "Rings: residual 0."
    dashed = ("Grey dashes: least squares.",) if is_line else ()
    weighted = ("The area of a row is its weight.",) if fit.data.weights is not None else ()
    return story(
        run,
        draw,
        panels=(view.panel, side.panel),
        notes=(*view.notes, *weighted, rings_note, *dashed),
        handles=query_handles(fit, view, steps[-1], query),
    )


def _sum_curve(fit: Fit, steps: Sequence[AbsoluteStep]) -> Plot:
    """Return Σ|e| over the slope, while the line turns around a row."""
    slopes = np.array([step.coef[0] for step in steps])
    sums = np.array([step.sae for step in steps])
    x = Axis(f"slope of {fit.terms[0]}", *bounds(slopes, pad=0.5))
    y = Axis("Σ|e|", *bounds([0.9 * sums.min(), sums.max()]))

    def marks(moment: Moment) -> list[Mark]:
        step: AbsoluteStep = moment.step
        turn = step.turn or moment.before.turn
        heights = curve = np.empty(0)
        if turn is not None and len(step.rows) > 1:
            origin = float(step.coef[0]) - turn.length
            curve = _kinks(turn, origin, x)
            heights = step.sae + turn.sums(curve - origin) - turn.sums(turn.length)
        here = points_at(
            [step.coef[0], step.sae], panel="beside", color=[NO_CLASS], emphasis=True, size=[5.0]
        )
        line = Line(panel="beside", x=curve, y=heights, color="accent", tween=False)
        return [visible_if(len(curve) > 0, line), here]

    return Plot(Panel("beside", x, y, "Sum of absolute residuals", side=True), marks)


def _kinks(turn: Turn, origin: float, axis: Axis) -> Floats:
    """Return the slopes at which a residual is 0, where the curve of sums bends."""
    slopes = origin + turn.steps[turn.weights > 0]
    inside = np.unique(slopes[(slopes > axis.low) & (slopes < axis.high)])
    if len(inside) > MAX_KINKS:
        inside = np.linspace(axis.low, axis.high, MAX_KINKS)
    return np.concatenate([[axis.low], inside, [axis.high]])
