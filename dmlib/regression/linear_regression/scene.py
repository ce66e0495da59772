"""Linear regression as a picture: the line with its bands and residuals, or fitted against observed numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from dmlib.arrays import Floats
from dmlib.params import Choice, Flag, Integer
from dmlib.pictures.data.heights import heights_panel, heights_scene
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Rects, Segments
from dmlib.pictures.motion import with_before
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.plane import data_points
from dmlib.pictures.regions import query_handle
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene, bounds
from dmlib.problem import Problem
from dmlib.regression.linear_regression.ledger import Picture, frame
from dmlib.regression.linear_regression.solvers import LinearRegressionStep

MOST_FRAMES, FEWEST_FRAMES = 40, 6
MOST_PLACES = 6000  # rows times frames
MOST_RESIDUALS = 400  # rows up to which residuals are drawn
GRID = 61  # vertices of a band
DOT, SMALL_DOT, MANY = 3.0, 2.0, 200  # radius beside, and from how many rows it is small
FAR = 5.0  # heights of the panel beyond which nothing is drawn
WIDE = 1.6  # width of the stage's panel over its height: squares look square
STEP = 0.35  # half the width of a category's line
SQUARES = 0.18  # opacity of a squared residual

RESIDUALS = {"segments": "Segments", "squares": "Squares", "none": "None"}
BESIDE = {"residuals": "Residuals against fitted", "sse": "SSE after each step"}
OPTIONS = {
    "residuals": Option(Choice(tuple(RESIDUALS)), "segments"),
    "beside": Option(Choice(tuple(BESIDE)), "residuals"),
    "bands": Option(Flag(), True),
    "column": Option(Integer(0, 1_000_000), 0),
}
"""How the picture shows residuals, what is beside it, whether there are bands; over several columns, ``column`` is 0
for fitted against observed, or the number of the column whose partial residuals are drawn."""


def linear_regression_scene(run: Run) -> Scene:
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
    >>> [frame.phase for frame in linear_regression_scene(Run.of(problem, LinearRegression())).frames]
    ['sums', 'matrix', 'solve', 'done']
    """
    problem, trace = run.problem, run.trace
    if not trace.steps:
        return heights_scene(problem)
    learned = problem.training
    # Of a descent that was stopped, the terms are those of any other solver, which takes no time.
    model = run.fitted if trace.complete else clone(run.model).set_params(solver="normal").fit(*learned.arguments)
    options = chosen(run, OPTIONS)
    column = 1 if problem.upright else options["column"]
    line = column if column <= len(problem.features) else 0
    data = model.least_squares(learned.data, np.asarray(learned.y))
    picture = Picture(problem, model, data, model.term_names(problem.features), model.design(problem.data), line)
    at = _shown(trace.steps, len(problem.X))
    pairs = with_before(trace.steps, at)
    steps = [step for step, _ in pairs]
    query = run.query if problem.upright or (run.query and run.query.sample is not None) else None
    frames = [frame(picture, *pair, query) for pair in pairs]
    view = _upright(picture, steps, options["bands"]) if problem.upright else _several(picture, steps)
    residuals = _residuals(view, options["residuals"]) if len(problem.X) <= MOST_RESIDUALS else []
    side, side_marks = _beside(picture, steps, at, options["beside"])
    handles = []
    if query is not None and problem.upright:
        height = float(model.design(problem.table(query.x[None]))[0] @ steps[-1].coef + steps[-1].intercept)
        handles = [replace(query_handle(query), y=float(np.clip(height, view.panel.y.low, view.panel.y.high)))]
    points = replace(data_points(problem), x=PerFrame(view.x), y=PerFrame(view.y))
    notes = (*problem.notes, *view.notes, *_notes(problem, len(at), len(trace.steps)))
    return Scene((view.panel, side), (*residuals, *view.marks, points, *side_marks), frames, notes, handles)


@dataclass(frozen=True)
class View:
    """Where the rows stand in each frame, and what their residuals start from."""

    panel: Panel  # the large panel
    # places, heights and fitted heights of the rows, one array a frame
    x: list[Floats]
    y: list[Floats]
    base: list[Floats]
    learned: NDArray[np.intp]  # the rows that are trained on: they have residuals
    marks: list[Mark]  # what else is drawn
    notes: tuple[str, ...]  # what the lines are


def _shown(steps: Sequence[LinearRegressionStep], n: int) -> NDArray[np.intp]:
    """Return the numbers of the steps that are drawn: of many, more of the early ones."""
    most = int(np.clip(MOST_PLACES // n, FEWEST_FRAMES, MOST_FRAMES))
    if len(steps) <= most:
        return np.arange(len(steps))
    places = np.geomspace(1, len(steps), most - most // 3 - 2).round().astype(np.intp) - 1
    return np.unique(np.concatenate([places, np.arange(most // 3), [len(steps) - 2, len(steps) - 1]]))


def _near(values: Floats, axis: Axis, reach: float = FAR) -> Floats:
    """Return heights that can be drawn: what has run away stays outside the panel, by at most some of its heights."""
    far = reach * (axis.high - axis.low)
    return np.clip(np.nan_to_num(values, nan=axis.high + far), axis.low - far, axis.high + far)


# --- over one column --------------------------------------------------------------------------------------------------


def _upright(picture: Picture, steps: Sequence[LinearRegressionStep], bands: bool) -> View:
    """Return the rows at their heights with the line."""
    problem, model = picture.problem, picture.model
    x, y = problem.points.T
    last = steps[-1]
    ends = np.column_stack([x, picture.fitted(last)])[[x.argmin(), x.argmax()]] if last.converged else np.empty((0, 2))
    panel = heights_panel(problem, ends)
    if problem.categories:
        codes = np.arange(len(problem.categories[0]), dtype=float)
        grid = inside = np.column_stack([codes - STEP, codes + STEP, np.full(len(codes), np.nan)]).ravel()
        values = np.repeat(codes, 3)
        outside = np.empty(0)
    else:
        low, high = panel.x.low, panel.x.high
        grid = values = np.linspace(low, high, GRID)
        inside, outside = np.array([x.min(), x.max()]), np.array([low, x.min(), np.nan, x.max(), high])
    marks: list[Mark] = []
    if bands and steps[-1].inference is not None:
        marks += _bands(picture, steps, panel, grid, values)
    for places, dash in ((inside, False), (outside, True)):
        if places.size:
            at = values if problem.categories else np.nan_to_num(places)
            Z = model.design(problem.table(at[:, None]))
            hidden = np.where(np.isnan(places), np.nan, 0.0)
            lines = [_near(Z @ step.coef + step.intercept, panel.y) + hidden for step in steps]
            marks.append(_line(picture, places, lines, dash=dash, tween=True))
    base = [_near(picture.fitted(step), panel.y) for step in steps]
    n = len(steps)
    level = f"{100 * model.confidence_level:g} %"
    told = f"Thin lines: {level} limits of the mean; dashed lines: {level} limits of a new observation."
    return View(panel, [x] * n, [y] * n, base, problem.trained, marks, (told,) if len(marks) > 2 else ())


def _line(picture: Picture, x: Floats, heights: Sequence[Floats], **more: Any) -> Line:
    """Return the line of the column that is drawn, which the terms of that column make."""
    y = PerFrame(heights)
    return Line(x=x, y=y, color="accent", width=2.5, numbers=[picture.line], of="column", **more)


def _bands(
    picture: Picture, steps: Sequence[LinearRegressionStep], panel: Panel, grid: Floats, values: Floats
) -> list[Mark]:
    """Return confidence and prediction limits, which the last step has."""
    rows = picture.problem.table(values[:, None])
    nothing = np.full(len(grid), np.nan)
    marks: list[Mark] = []
    for observation, color in ((False, "accent"), (True, "muted")):
        for limit in picture.model.intervals(rows, observation=observation).T:
            drawn = _near(limit, panel.y) + np.where(np.isnan(grid), np.nan, 0.0)
            heights = PerFrame([drawn if step.phase == "done" else nothing for step in steps])
            marks.append(Line(x=grid, y=heights, color=color, width=1.2, dash=observation))
    return marks


# --- over several columns ---------------------------------------------------------------------------------------------


def _several(picture: Picture, steps: Sequence[LinearRegressionStep]) -> View:
    """Return the rows by their fitted and observed numbers, or by the partial residuals of a column."""
    if picture.line:
        return _partial(picture, steps, picture.line - 1)
    problem = picture.problem
    y, target = np.asarray(problem.y, float), problem.target
    fitted = [picture.fitted(step) for step in steps]
    last = fitted[-1] if steps[-1].converged else y
    axis = Axis(f"fitted {target}", *bounds(np.concatenate([y, last])))
    panel = Panel("data", axis, Axis(f"observed {target}", axis.low, axis.high), equal=True)
    x = [_near(values, axis, 0.0) for values in fitted]
    ends = [axis.low, axis.high]
    line = Line(x=ends, y=ends, color="accent", width=2.0)
    told = "On the line, observed and fitted numbers are equal; residuals are the vertical distances to it."
    return View(panel, x, [y] * len(steps), x, problem.trained, [line], (told,))


def _partial(picture: Picture, steps: Sequence[LinearRegressionStep], j: int) -> View:
    """Return the residuals plus what a column adds to the prediction, over the column."""
    problem, name = picture.problem, picture.problem.features[j]
    mine = np.asarray(picture.model.owners_) == j
    part = picture.Z[:, mine]
    part = part - part.mean(axis=0)
    names = problem.categories.get(j, ())
    x = problem.X[:, j]
    places = x + 0.5 * (np.arange(1, len(x) + 1) * 0.61803398875 % 1 - 0.5) if names else x
    added = [part @ step.coef[mine] for step in steps]
    with np.errstate(over="ignore", invalid="ignore"):
        heights = [np.asarray(problem.y) - picture.fitted(step) + base for step, base in zip(steps, added, strict=True)]
    y = np.asarray(problem.y, float)
    ends = np.concatenate([heights[-1], added[-1]]) if steps[-1].converged else y - y.mean()
    across = (-0.5, len(names) - 0.5) if names else bounds(x)
    axis = Axis(f"residual + part of {name}", *bounds(ends))
    panel = Panel("data", Axis(name, *across, ticks=names), axis)
    line = _part_line(picture, x, added, axis, len(names))
    told = f"Partial residuals: {problem.target} minus the fitted parts of the other columns."
    return View(
        panel,
        [places] * len(steps),
        [_near(values, axis, 0.0) for values in heights],
        [_near(values, axis) for values in added],
        problem.trained,
        [line],
        (told,),
    )


def _part_line(picture: Picture, x: Floats, added: Sequence[Floats], axis: Axis, n_levels: int) -> Line:
    """Return what a column adds over its values, for a nominal column one piece of line for each level."""
    if not n_levels:
        ends = [int(x.argmin()), int(x.argmax())]
        heights = [_near(base[ends], axis) for base in added]
        return _line(picture, x[ends], heights, tween=True)
    levels, first = np.unique(x, return_index=True)
    places = np.column_stack([levels - STEP, levels + STEP, np.full(len(levels), np.nan)]).ravel()
    return _line(picture, places, [_near(np.repeat(base[first], 3), axis) for base in added])


# --- residuals, and what is beside them -------------------------------------------------------------------------------


def _residuals(view: View, kind: str) -> list[Mark]:
    """Return the residuals of the rows that are trained on, as segments or squares."""
    x, y, base = ([rows[view.learned] for rows in part] for part in (view.x, view.y, view.base))
    if kind == "segments":
        return [Segments(x0=PerFrame(x), y0=PerFrame(y), x1=PerFrame(x), y1=PerFrame(base), tween=True)]
    if kind != "squares":
        return []
    across, up = view.panel.x, view.panel.y
    unit = (across.high - across.low) / (up.high - up.low) / (1 if view.panel.equal else WIDE)
    middle = (across.low + across.high) / 2
    far = [a + np.where(a > middle, -unit, unit) * np.abs(b - c) for a, b, c in zip(x, y, base, strict=True)]
    opacity = [SQUARES]
    return [Rects(x0=PerFrame(x), y0=PerFrame(y), x1=PerFrame(far), y1=PerFrame(base), opacity=opacity, tween=True)]


def _beside(
    picture: Picture, steps: Sequence[LinearRegressionStep], at: NDArray[np.intp], kind: str
) -> tuple[Panel, list[Mark]]:
    """Return the residuals over the fitted numbers, or the SSE after each step."""
    if kind == "sse":
        heights = np.array([step.sse for step in steps])
        top = 1.08 * min(float(np.nanmax(heights)), 2 * float(heights[0])) or 1.0
        drawn = np.minimum(np.nan_to_num(heights, nan=2 * top), 2 * top)
        panel = Panel(
            "beside", Axis("step", -0.5, at[-1] + 0.5, integer=True), Axis("SSE", 0.0, top), BESIDE[kind], True
        )
        now = Points(
            panel="beside", x=PerFrame([[i] for i in at]), y=PerFrame([[h] for h in drawn]), color=[NO_CLASS],
            emphasis=True, size=[5.0],
        )  # fmt: skip
        return panel, [Line(panel="beside", x=at, y=drawn, color="accent"), now]
    data, learned = picture.data, picture.problem.trained
    with np.errstate(over="ignore", invalid="ignore"):
        fitted = [picture.fitted(step)[learned] for step in steps]
        rest = [data.residuals(step.coef, step.intercept) for step in steps]
    ends = (fitted[-1], rest[-1]) if steps[-1].converged else (data.y, data.t)
    x = Axis("fitted", *bounds(ends[0]))
    y = Axis("residual", *bounds(np.concatenate([ends[1], -ends[1]])))
    places = [PerFrame([_near(row, axis) for row in rows]) for rows, axis in ((fitted, x), (rest, y))]
    zero = Line(panel="beside", x=[x.low, x.high], y=[0.0, 0.0], color="muted", width=1.0, dash=True)
    dots = Points(
        panel="beside",
        x=places[0],
        y=places[1],
        color=[NO_CLASS],
        symbol=[0],
        size=[DOT if len(rest[0]) < MANY else SMALL_DOT],
        tween=True,
    )
    return Panel("beside", x, y, BESIDE[kind], side=True), [zero, dots]


def _notes(problem: Problem, shown: int, n_steps: int) -> list[str]:
    notes = []
    if len(problem.X) > MOST_RESIDUALS:
        notes.append(f"Residuals are drawn for at most {MOST_RESIDUALS} rows; here they are beside the picture only.")
    if shown < n_steps:
        notes.append(f"{shown} of {n_steps} steps are shown: the first ones, and fewer later.")
    return notes
