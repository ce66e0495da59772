"""Least mean squares as a picture: the line, the row that corrects it, and its errors in time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.curves import Curve
from dmlib.pictures.marks import NO_CLASS, Line, Mark
from dmlib.pictures.motion import MAX_FRAMES
from dmlib.pictures.places import NOWHERE, line_through, points_at
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, Plot, story
from dmlib.problem import Problem
from dmlib.regression.linear_regression.fit_ledger import Fit
from dmlib.regression.linear_regression.least_mean_squares import (
    RECENT,
    LeastMeanSquares,
    LeastMeanSquaresStep,
    n_row_steps,
)
from dmlib.regression.linear_regression.mean_squares_ledger import Narrator
from dmlib.regression.linear_regression.views_scene import (
    Places,
    clipped,
    least_squares_line,
    query_handles,
    residual_marks,
    view_of,
    visible_query,
    weighted_points,
)

RING = 9.0  # radius in pixels round the row of a step
RING_OF_LATEST = 6.5  # and round each of the rows that came last
FEW = 6  # times as many rows as those that came last, for which it matters
MAX_PLACES = 6000  # rows times frames, where the rows move
MIN_FRAMES = 6
TRUE_SLOPE = "slope"  # the column that the generator drift has beside what is used


def mean_squares_scene(run: Run[Problem, LeastMeanSquares], residuals: str, column: int) -> Scene:
    """Draw how row after row corrects a linear neuron, with the line of least squares beside it.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.regression.LeastMeanSquares`.
    residuals : {"segments", "squares", "none"}
        How the error of the row is drawn.
    column : int
        Over several columns, that whose partial residuals are drawn, from 1; 0 for fitted against
        observed.
    """
    problem, steps = run.problem, run.trace.steps
    fit = Fit.of(run, 1 if problem.upright else column)
    view = view_of(fit, steps[-1], bands=False)
    sides = [_error_curve(fit, steps)]
    if fit.is_line:
        sides.append(_slope_curve(run, fit, steps))
    squares = least_squares_line(fit, view.panel) if fit.is_line else ()
    query = visible_query(run)
    narrator = Narrator(fit, run.model, query)
    dots, trained = weighted_points(fit), problem.trained
    n_latest = min(RECENT, len(trained) // FEW) if problem.upright else 0

    def draw(moment: Moment) -> Drawing:
        step: LeastMeanSquaresStep = moment.step
        passed = [each.row for each in steps[: moment.index + 1] if each.row is not None]
        latest = trained[passed[-n_latest:] if n_latest and step.row is not None else []]
        places, before = view.places(step), view.places(moment.before)
        rows = trained[[] if step.row is None else [step.row]]
        ring = points_at(
            np.column_stack([places.x, places.y])[rows],
            color=[NO_CLASS],
            size=[RING],
            hollow=[1],
            numbers=problem.rows[rows] + 1,
            tween=False,
        )
        marks = (
            *residual_marks(view.panel, _of_row(places, before, rows), rows, residuals),
            *squares,
            *view.lines(step),
            ring,
            points_at(
                problem.points[latest], color=[0], size=[RING_OF_LATEST], hollow=[1], tween=False
            ),
            replace(dots, x=places.x, y=places.y),
            *(mark for side in sides for mark in side.marks(moment)),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    n_frames = MAX_FRAMES
    if not problem.upright:
        n_frames = int(np.clip(MAX_PLACES // len(problem.X), MIN_FRAMES, MAX_FRAMES))
    return story(
        run,
        draw,
        panels=(view.panel, *(side.panel for side in sides)),
        notes=(*view.notes, *_notes(fit, steps, n_latest)),
        handles=query_handles(fit, view, steps[-1], query),
        max_frames=n_frames,
    )


def _of_row(places: Places, before: Places, rows: NDArray[np.intp]) -> Places:
    """Return the places, at which the error of a row is the one before its correction."""
    return replace(places, base=before.base) if len(rows) else places


def _notes(fit: Fit, steps: Sequence[LeastMeanSquaresStep], n_latest: int) -> list[str]:
    notes = ["The error is the distance to the line before the row corrected it."]
    if n_latest:
        notes.append(f"Small rings: the last {n_latest} rows.")
    if fit.is_line:
        notes.append("Grey dashes: least squares of all rows.")
    if fit.data.weights is not None:
        notes.append("The area of a row is its weight.")
    n_alone = n_row_steps(len(fit.data.y))
    if steps[-1].n_seen > n_alone:
        notes.append(f"The first {n_alone} rows are a step each, later each pass is one.")
    return notes


def _error_curve(fit: Fit, steps: Sequence[LeastMeanSquaresStep]) -> Plot:
    """Return the mean of the last squared errors, with that of least squares on all rows."""
    recent = np.array([step.recent for step in steps[1:]])
    least = fit.model.sse_ / fit.data.total_weight
    top = 1.08 * max(float(np.quantile(recent, 0.75)), 2 * least)
    if not steps[-1].converged:
        top = 4 * float(np.mean(fit.data.y**2))
    title = f"Squared error, last {RECENT} rows"
    panel = Panel("errors", _time(steps), Axis("mean e²", 0.0, top or 1.0), title, side=True)
    return Plot(panel, _in_time(panel, steps, [recent[0], *recent], least))


def _slope_curve(
    run: Run[Problem, LeastMeanSquares], fit: Fit, steps: Sequence[LeastMeanSquaresStep]
) -> Plot:
    """Return the slope after each row, that of least squares, and the true one if it is known."""
    slopes = [float(step.coef[0]) for step in steps]
    least = float(fit.model.coef_[0])
    truth = _true_slopes(run.problem, run.model, steps)
    usual = slopes if steps[-1].converged else [-least, 2 * least]
    y = Axis(f"slope of {fit.terms[0]}", *bounds([*usual, *truth[:, 1], least]))
    panel = Panel("slopes", _time(steps), y, "Slope after each row", side=True)
    line = line_through(truth, panel="slopes", color="ink", width=1.5, label="true", of="")
    marks = _in_time(panel, steps, slopes, least)
    return Plot(panel, lambda moment: [line, *marks(moment)])


def _in_time(
    panel: Panel, steps: Sequence[LeastMeanSquaresStep], heights: Sequence[float], level: float
) -> Callable[[Moment], list[Mark]]:
    """Return what draws a number after each step, up to where it diverges, over a level."""
    seen = np.array([step.n_seen for step in steps], float)
    values = clipped(np.array(heights), panel.y)
    is_far = (values != np.array(heights)) & (not steps[-1].converged)
    end = int(is_far.argmax()) + 1 if is_far.any() else len(values)
    curve = Curve(panel, np.column_stack([seen, values]))
    line = line_through(curve.places[:end], panel=panel.name, color="accent", width=1.5, of="")
    flat = Line(
        panel=panel.name, x=seen[[0, -1]], y=[level] * 2, color="muted", width=1.2, dash=True
    )
    return lambda moment: [flat, line, curve.marks(moment.index)[1]]


def _time(steps: Sequence[LeastMeanSquaresStep]) -> Axis:
    end = steps[-1].n_seen
    return Axis("rows seen", -0.02 * end, 1.02 * end, integer=True)


def _true_slopes(
    problem: Problem, model: LeastMeanSquares, steps: Sequence[LeastMeanSquaresStep]
) -> Floats:
    """Return the true slope at each row in the units of the picture, where the data have it."""
    true = problem.unused_column(TRUE_SLOPE)
    if true is None or model.order != "index":
        return NOWHERE
    unit = 1.0 if problem.unit is None else float(problem.unit[0])
    values = true[problem.trained] * unit
    rows = [(step.n_seen, values[step.row]) for step in steps if step.row is not None]
    return np.array(rows, float).reshape(-1, 2)
