"""Linear regression as a picture: the line with bands and residuals, or fitted against observed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.params import Choice, Flag, Integer
from dmlib.pictures.marks import NO_CLASS, Line, Mark
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.places import points_at
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, Plot, needs_steps, story
from dmlib.problem import Problem
from dmlib.regression.linear_regression.absolute_deviations import LeastAbsoluteDeviations
from dmlib.regression.linear_regression.absolute_scene import absolute_scene
from dmlib.regression.linear_regression.fit_ledger import Fit
from dmlib.regression.linear_regression.least_mean_squares import LeastMeanSquares
from dmlib.regression.linear_regression.ledger import caption_and_ledger
from dmlib.regression.linear_regression.mean_squares_scene import mean_squares_scene
from dmlib.regression.linear_regression.second_target_scene import SecondTarget, missing_notes
from dmlib.regression.linear_regression.views_scene import (
    MAX_RESIDUALS,
    query_handles,
    residual_marks,
    residual_plot,
    row_parts,
    view_of,
    visible_query,
    weighted_points,
)

MAX_FRAMES = 40
MIN_FRAMES = 6
MAX_PLACES = 6000  # rows times frames

RESIDUALS = {"segments": "Segments", "squares": "Squares", "none": "None"}
SIDE_PICTURES = {"residuals": "Residuals against fitted", "sse": "SSE after each step"}
OPTIONS = {
    "residuals": Option(Choice(tuple(RESIDUALS)), "segments"),
    "beside": Option(Choice(tuple(SIDE_PICTURES)), "residuals"),
    "bands": Option(Flag(), True),
    "column": Option(Integer(0, 1_000_000), 0),
    "second": Option(Integer(0, 1_000_000), 0),
}
"""How the picture shows residuals, what is beside it, whether there are bands; over several
columns, ``column`` is 0 for fitted against observed, or the number of the column whose partial
residuals are drawn; ``second`` is 0, or the number of the column of the table that is a second
target."""


@needs_steps
def linear_regression_scene(run: Run[Problem, Any]) -> Scene:
    """Draw the steps of a linear regression by one of its three criteria.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.regression.LinearRegression`,
        :class:`dmlib.regression.LeastAbsoluteDeviations` or
        :class:`dmlib.regression.LeastMeanSquares`; see :data:`OPTIONS`.

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
    problem, steps, options = run.problem, run.trace.steps, chosen(run, OPTIONS)
    if isinstance(run.model, LeastAbsoluteDeviations):
        return absolute_scene(run, options["residuals"], options["column"])
    if isinstance(run.model, LeastMeanSquares):
        return mean_squares_scene(run, options["residuals"], options["column"])
    fit = Fit.of(run, 1 if problem.upright else options["column"])
    numbers = frame_numbers(len(steps), len(problem.X))
    view = view_of(fit, steps[-1], options["bands"])
    second = SecondTarget.of(run, fit, options["second"])
    if options["beside"] == "sse":
        side = _sse_curve([steps[i].sse for i in numbers], numbers)
    else:
        side = residual_plot(fit, steps[-1]) if second is None else second.plot()
    query = visible_query(run)
    dots = weighted_points(fit)

    def draw(moment: Moment) -> Drawing:
        places = view.places(moment.step)
        marks = (
            *residual_marks(view.panel, places, problem.trained, options["residuals"]),
            *view.lines(moment.step),
            *row_parts(fit, view, moment.step, query),
            replace(dots, x=places.x, y=places.y),
            *side.marks(moment),
        )
        caption, ledger = caption_and_ledger(fit, moment, query)
        if second is not None:
            ledger = [*second.blocks(moment), *ledger]
        return Drawing(marks, caption, ledger, moment.step.phase)

    return story(
        run,
        draw,
        panels=(view.panel, side.panel),
        numbers=numbers,
        notes=(
            *view.notes,
            *missing_notes(problem, options["second"]),
            *_notes(fit, len(numbers), len(steps)),
        ),
        handles=query_handles(fit, view, steps[-1], query),
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
