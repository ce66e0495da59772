"""Linear regression as a picture: the line with bands and residuals, or fitted against observed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.params import Choice, Flag, Integer
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Rects, Segments
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.places import points_at
from dmlib.pictures.plane import data_points
from dmlib.pictures.regions import query_handle
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, Plot, needs_steps, story
from dmlib.problem import Problem, Query
from dmlib.regression.linear_regression.algorithm import LinearRegression
from dmlib.regression.linear_regression.fit_ledger import Fit
from dmlib.regression.linear_regression.ledger import caption_and_ledger
from dmlib.regression.linear_regression.solvers import LinearRegressionStep
from dmlib.regression.linear_regression.views_scene import Places, View, clipped, view_of

MAX_FRAMES = 40
MIN_FRAMES = 6
MAX_PLACES = 6000  # rows times frames
MAX_RESIDUALS = 400  # rows up to which residuals are drawn
DOT, SMALL_DOT = 3.0, 2.0  # radius in the small panel
USUAL_DOT, DOTS = 5.0, (1.5, 12.0)  # radius of a row of average weight; smallest and largest
MANY_ROWS = 200  # from which dots are small
ASPECT = 1.6  # width of the stage's panel over its height: squares look square
SQUARES = 0.18  # opacity of a squared residual

RESIDUALS = {"segments": "Segments", "squares": "Squares", "none": "None"}
SIDE_PICTURES = {"residuals": "Residuals against fitted", "sse": "SSE after each step"}
OPTIONS = {
    "residuals": Option(Choice(tuple(RESIDUALS)), "segments"),
    "beside": Option(Choice(tuple(SIDE_PICTURES)), "residuals"),
    "bands": Option(Flag(), True),
    "column": Option(Integer(0, 1_000_000), 0),
}
"""How the picture shows residuals, what is beside it, whether there are bands; over several
columns, ``column`` is 0 for fitted against observed, or the number of the column whose partial
residuals are drawn."""


@needs_steps
def linear_regression_scene(run: Run[Problem, LinearRegression]) -> Scene:
    """Draw the steps of a linear regression.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.regression.LinearRegression`; see :data:`OPTIONS`.

    Returns
    -------
    Scene
        One frame for each step; of very many, some. Over one column the line stands in the data.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.regression import LinearRegression
    >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 3.0, 2.0, 5.0]})
    >>> problem = prepare(frame, ["x"], target="y", numeric_target=True)
    >>> scene = linear_regression_scene(Run.of(problem, LinearRegression()))
    >>> [frame.phase for frame in scene.frames]
    ['sums', 'matrix', 'solve', 'done']
    """
    problem, steps = run.problem, run.trace.steps
    options = chosen(run, OPTIONS)
    fit = Fit.of(run, 1 if problem.upright else options["column"])
    numbers = frame_numbers(len(steps), len(problem.X))
    view = view_of(fit, steps[-1], options["bands"])
    if options["beside"] == "sse":
        side = _sse_curve([steps[i].sse for i in numbers], numbers)
    else:
        side = _residual_plot(fit, steps[-1])
    residuals = options["residuals"] if len(problem.X) <= MAX_RESIDUALS else "none"
    query = run.query
    if not problem.upright and query is not None and query.sample is None:
        query = None
    dots = data_points(problem)
    if fit.data.weights is not None:
        dots = replace(dots, size=_sizes(fit))

    def draw(moment: Moment) -> Drawing:
        places = view.places(moment.step)
        marks = (
            *_residuals(view.panel, places, problem.trained, residuals),
            *view.lines(moment.step),
            replace(dots, x=places.x, y=places.y),
            *side.marks(moment),
        )
        return Drawing(marks, *caption_and_ledger(fit, moment, query), moment.step.phase)

    return story(
        run,
        draw,
        panels=(view.panel, side.panel),
        numbers=numbers,
        notes=(*view.notes, *_notes(fit, len(numbers), len(steps))),
        handles=_handles(fit, view, steps[-1], query),
    )


def frame_numbers(n_steps: int, n_samples: int) -> list[int]:
    """Return the numbers of the steps that have a frame: of many, more of the early ones.

    Examples
    --------
    >>> frame_numbers(4, 10), frame_numbers(100, 1000)
    ([0, 1, 2, 3], [0, 1, 98, 99])
    """
    max_frames = int(np.clip(MAX_PLACES // n_samples, MIN_FRAMES, MAX_FRAMES))
    if n_steps <= max_frames:
        return list(range(n_steps))
    early = max_frames // 3
    later = np.geomspace(1, n_steps, max_frames - early - 2).round().astype(int) - 1
    return sorted({*range(early), *later.tolist(), n_steps - 2, n_steps - 1})


def _sizes(fit: Fit) -> Floats:
    """Return the radius of each row, whose area is its weight."""
    weights = fit.model.row_weights(fit.problem.data)
    sizes: Floats = np.clip(USUAL_DOT * np.sqrt(weights / weights.mean()), *DOTS)
    return sizes


def _handles(fit: Fit, view: View, last: LinearRegressionStep, query: Query | None) -> list[Handle]:
    """Return the handle of the query, at the height of the line."""
    if query is None or not fit.problem.upright:
        return []
    terms = fit.model.design(fit.problem.table(query.x[None]))[0]
    height = np.clip(terms @ last.coef + last.intercept, view.panel.y.low, view.panel.y.high)
    return [replace(query_handle(query), y=float(height))]


def _residuals(panel: Panel, places: Places, rows: NDArray[np.intp], kind: str) -> list[Mark]:
    """Return the residuals of the training rows, as segments or squares."""
    x, y, base = places.x[rows], places.y[rows], places.base[rows]
    if kind == "segments":
        return [Segments(x0=x, y0=y, x1=x, y1=base)]
    if kind != "squares":
        return []
    width, height = panel.size
    unit = width / height / (1 if panel.equal else ASPECT)
    middle = (panel.x.low + panel.x.high) / 2
    corner = x + np.where(x > middle, -unit, unit) * np.abs(y - base)
    return [Rects(x0=x, y0=y, x1=corner, y1=base, opacity=[SQUARES])]


# --- beside ---------------------------------------------------------------------------------------


def _sse_curve(sse: Sequence[float], numbers: Sequence[int]) -> Plot:
    """Return the SSE after each step that has a frame; that of a divergence leaves the panel."""
    values = np.asarray(sse, float)
    top = 1.08 * min(float(np.nanmax(values)), 2 * float(values[0])) or 1.0
    heights = np.minimum(np.nan_to_num(values, nan=2 * top), 2 * top)
    line = Line(panel="beside", x=numbers, y=heights, color="accent")
    height_of = dict(zip(numbers, heights, strict=True))

    def marks(moment: Moment) -> list[Mark]:
        place = [moment.index, height_of[moment.index]]
        return [line, points_at(place, panel="beside", color=[NO_CLASS], emphasis=True, size=[5.0])]

    x = Axis("step", -0.5, numbers[-1] + 0.5, integer=True)
    return Plot(Panel("beside", x, Axis("SSE", 0.0, top), SIDE_PICTURES["sse"], side=True), marks)


def _residual_plot(fit: Fit, last: LinearRegressionStep) -> Plot:
    """Return the residuals over the fitted numbers."""
    data = fit.data
    rows = fit.problem.trained
    fitted, residuals = data.y, data.t
    if last.converged:
        fitted, residuals = fit.fitted(last)[rows], data.residuals(last.coef, last.intercept)
    x = Axis("fitted", *bounds(fitted))
    label = "residual" if data.weights is None else "√w · residual"
    y = Axis(label, *bounds(np.concatenate([residuals, -residuals])))
    zero = Line(
        panel="beside", x=[x.low, x.high], y=[0.0, 0.0], color="muted", width=1.0, dash=True
    )
    dots = Points(
        panel="beside",
        x=[],
        y=[],
        color=[NO_CLASS],
        symbol=[0],
        size=[DOT if len(rows) < MANY_ROWS else SMALL_DOT],
    )

    def marks(moment: Moment) -> list[Mark]:
        step: LinearRegressionStep = moment.step
        with np.errstate(over="ignore", invalid="ignore"):
            errors = data.residuals(step.coef, step.intercept)
        return [zero, replace(dots, x=clipped(fit.fitted(step)[rows], x), y=clipped(errors, y))]

    return Plot(Panel("beside", x, y, SIDE_PICTURES["residuals"], side=True), marks)


def _notes(fit: Fit, n_shown: int, n_steps: int) -> list[str]:
    notes = []
    if fit.data.weights is not None:
        notes.append("The area of a row is its weight.")
    if len(fit.problem.X) > MAX_RESIDUALS:
        notes.append(
            f"Residuals are drawn for at most {MAX_RESIDUALS} rows; here they are beside the"
            " picture only."
        )
    if n_shown < n_steps:
        notes.append(f"{n_shown} of {n_steps} steps are shown: the first ones, and fewer later.")
    return notes
