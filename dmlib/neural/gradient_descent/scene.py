"""Gradient descent as a picture: paths on a map, the surface or the model, and the heights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dmlib.arrays import Floats
from dmlib.neural.gradient_descent.algorithm import GradientDescent
from dmlib.neural.gradient_descent.colors import CODES
from dmlib.neural.gradient_descent.ledger import Narrator
from dmlib.neural.gradient_descent.paths_scene import Paths
from dmlib.neural.gradient_descent.race import DescentStep
from dmlib.neural.gradient_descent.solid_scene import Solid
from dmlib.neural.gradient_descent.walkers import Walkers
from dmlib.params import Number
from dmlib.pictures.data.surface import surface_marks, surface_panel
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Key, Panel, Scene, bounds
from dmlib.pictures.story import Drawing, Moment, Plot, needs_steps, story
from dmlib.problem import LossProblem, SurfaceProblem

OPTIONS = {"turn": Option(Number(0.0, 355.0, step=5.0), 30.0)}
OUTSIDE = 3.0  # widths of the map beyond which nothing has to be in its place
CURVE = 41  # places along the curve of a logistic model
MIN_GAP = 1e-6  # of the range of heights, above the lowest


@needs_steps
def gradient_descent_scene(run: Run[SurfaceProblem, GradientDescent]) -> Scene:
    """Draw the steps of walkers on a surface.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.neural.GradientDescent`.

    Returns
    -------
    Scene
        One frame for the start, each step and the end; of a long run, every few.

    Examples
    --------
    >>> from dmlib.neural import GradientDescent
    >>> from dmlib.problem import prepare_surface
    >>> bowl = prepare_surface("x^2 + y^2")
    >>> scene = gradient_descent_scene(Run.of(bowl, GradientDescent(max_iter=2)))
    >>> [frame.phase for frame in scene.frames], [panel.name for panel in scene.panels]
    (['start', 'step', 'step', 'done'], ['data', 'solid', 'height'])
    """
    problem, steps = run.problem, run.trace.steps
    walkers = Walkers.of(run.model, problem, steps[0].places)
    places = _places_near(problem, np.stack([step.places for step in steps], axis=1))
    heights = np.stack([step.values for step in steps], axis=1)
    paths = Paths(walkers, places, "data")
    if isinstance(problem, LossProblem):
        view = _model_plot(run, walkers, places)
    else:
        view = _solid_plot(run, walkers, places, heights)
    gaps = _gap_plot(run, walkers, heights)
    narrator = Narrator(run, walkers)

    def draw(moment: Moment) -> Drawing:
        step: DescentStep = moment.step
        marks = (
            *surface_marks(problem),
            *paths.marks(moment.index, step),
            *view.marks(moment),
            *gaps.marks(moment),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    x, y = steps[0].places[0]
    return story(
        run,
        draw,
        panels=(surface_panel(problem), view.panel, gaps.panel),
        legend=[Key(walkers.optimizers[name].title, CODES[name]) for name in walkers.optimizers],
        handles=(Handle("init", "data", "start", "point", float(x), float(y)),),
    )


def _places_near(problem: SurfaceProblem, places: Floats) -> Floats:
    """Return places, those far outside of the map moved nearer."""
    x0, x1, y0, y1 = problem.domain
    low, high = np.array([x0, y0]), np.array([x1, y1])
    margin = OUTSIDE * (high - low)
    return np.clip(places, low - margin, high + margin)


def _solid_plot(
    run: Run[Any, GradientDescent], walkers: Walkers, places: Floats, heights: Floats
) -> Plot:
    """Return the surface in perspective, with the paths on it."""
    turn = float(chosen(run, OPTIONS)["turn"])
    solid = Solid.of(run.problem, turn, float(heights[:, 0].max()))
    net, paths = solid.net(), Paths(walkers, solid.project(places, heights), "solid")
    return Plot(solid.panel(), lambda moment: [net, *paths.marks(moment.index, moment.step)])


def _model_plot(run: Run[Any, GradientDescent], walkers: Walkers, places: Floats) -> Plot:
    """Return the rows, and the predictions by the first walker of each optimiser."""
    problem: LossProblem = run.problem
    is_logistic = problem.loss == "logistic"
    x, y = bounds(problem.x, 0.04), bounds(problem.y, 0.12)
    y_axis = Axis("probability" if is_logistic else "y", *y)
    panel = Panel("model", Axis("x", *x), y_axis, title="The model on its rows")
    grid = np.linspace(*x, CURVE if is_logistic else 2)
    colors = walkers.colors.tolist()

    def curve(i: int, index: int) -> Line:
        intercept, slope = places[i, index]
        predictions = intercept + slope * grid
        if is_logistic:
            predictions = expit(predictions)
        return Line(panel="model", x=grid, y=predictions, color=colors[i], width=2.5)

    def marks(moment: Moment) -> list[Mark]:
        curves = [curve(i, moment.index) for i in walkers.first_of_each]
        return [_rows(problem, moment.step.batch), *curves]

    return Plot(panel, marks)


def _rows(problem: LossProblem, batch: NDArray[np.intp] | None) -> Points:
    """Return the rows; those of the batch are coloured."""
    colors = np.full(len(problem.x), NO_CLASS, np.uint8)
    if batch is not None:
        colors[batch] = len(CODES)
    style: dict[str, Any] = {"symbol": [0], "size": [3.0], "opacity": [0.75], "of": ""}
    return Points(panel="model", x=problem.x, y=problem.y, color=colors, **style)


def _gap_plot(run: Run[Any, GradientDescent], walkers: Walkers, heights: Floats) -> Plot:
    """Return the height of each walker above the lowest place that is known, in powers of ten."""
    lowest = min(float(np.nanmin(run.problem.grid(41)[2])), float(heights.min()))
    span = max(float(heights[:, 0].max()) - lowest, 1e-300)
    logs = np.log10(np.maximum(heights - lowest, MIN_GAP * span))
    iterations = np.array([float(step.iteration) for step in run.trace.steps])
    last = max(iterations[-1], 1)
    panel = Panel(
        "height",
        Axis("step", -0.06 * last, 1.06 * last, integer=True),
        Axis("log₁₀ gap", *bounds(np.minimum(logs, logs[:, :1].max() + 1))),
        title="Gap to the lowest height",
        side=True,
    )
    places = np.stack([np.broadcast_to(iterations, logs.shape), logs], axis=-1)
    paths = Paths(walkers, places, "height")
    return Plot(panel, lambda moment: paths.marks(moment.index, moment.step))
