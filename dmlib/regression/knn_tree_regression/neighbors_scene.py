"""k-NN regression as a picture: the neighbourhood of a place, the curve, and the weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.marks import Line, Mark, Rects, Segments
from dmlib.pictures.places import visible_if
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, Plot, story
from dmlib.problem import Problem
from dmlib.regression.knn_tree_regression.ledger import NeighborsNarrator
from dmlib.regression.knn_tree_regression.neighbors import KNeighborsRegressor, NeighborhoodStep
from dmlib.regression.knn_tree_regression.rows_scene import LINES, RowsPlot, also_shown

GRID = 300  # vertices of a curve without corners
MAX_BARS = 30  # neighbours whose weights are drawn
NEIGHBOR = 0  # colour
LEGEND = (Key("neighbours", NEIGHBOR, 0),)
WINDOW = Key("neighbourhood", NEIGHBOR, kind="area")


def neighbors_scene(run: Run[Problem, Any], max_frames: int) -> Scene:
    """Draw one neighbourhood a step; the last is that of the query."""
    problem, model = run.problem, run.fitted
    query = run.current_query
    steps = [*run.trace.steps[:-1], _of_query(run)]
    plot = RowsPlot.of(problem)
    weights = _weights(steps)
    rows = plot.rows(model.predict)
    curve = _curve_and_window(model, plot.panel) if problem.upright else lambda step: []
    narrator = NeighborsNarrator(problem, model, None if run.selected is None else query.sample)

    def draw(moment: Moment) -> Drawing:
        step: NeighborhoodStep = moment.step
        color = np.full(len(step.neighbors), NEIGHBOR, np.uint8)
        marks = (
            plot.line,
            *curve(step),
            rows,
            plot.rings(step.neighbors, color, lambda X: model.fitted_),
            *weights.marks(moment),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    return story(
        run,
        draw,
        panels=(plot.panel, weights.panel),
        steps=steps,
        also=also_shown(steps),
        notes=(plot.note,),
        handles=plot.handles(run, steps[-1].prediction),
        legend=(*LEGEND, *((WINDOW, *LINES) if problem.upright else ())),
        max_frames=max_frames,
    )


def _of_query(run: Run[Problem, Any]) -> NeighborhoodStep:
    """Return the last step, at the place of the query."""
    last: NeighborhoodStep = run.trace.steps[-1]
    model, query = run.fitted, run.current_query
    place = query.x if run.problem.upright or query.sample is not None else last.place
    distances, neighbors = (rows[0] for rows in model.kneighbors(place[None]))
    return replace(
        last,
        place=place,
        neighbors=neighbors,
        distances=distances,
        weights=model.neighbor_weights(distances),
        prediction=float(model.predict(place[None])[0]),
    )


def neighbor_curve(model: KNeighborsRegressor, low: float, high: float) -> tuple[Floats, Floats]:
    """Return the vertices of the prediction over a single column, exact for equal weights.

    Examples
    --------
    >>> model = KNeighborsRegressor(1).fit([[0.0], [2.0]], [5.0, 7.0])
    >>> x, y = neighbor_curve(model, -1.0, 3.0)
    >>> x.tolist(), y.tolist()
    ([-1.0, 1.0, 1.0, 3.0], [5.0, 5.0, 7.0, 7.0])
    """
    x = np.sort(model.stored_[:, 0])
    k = model.n_neighbors
    if model.weights == "uniform":
        cuts = (x[:-k] + x[k:]) / 2 if k < len(x) else np.empty(0)
        ends = np.unique([low, *np.clip(cuts, low, high), high])
        heights = model.predict(((ends[:-1] + ends[1:]) / 2)[:, None])
        return np.repeat(ends, 2)[1:-1], np.repeat(heights, 2)
    places = np.unique(np.concatenate([np.linspace(low, high, GRID), x[(x >= low) & (x <= high)]]))
    return places, model.predict(places[:, None])


def _curve_and_window(
    model: KNeighborsRegressor, panel: Panel
) -> Callable[[NeighborhoodStep], list[Mark]]:
    """Return the curve up to the current place, and the stretch of its neighbours."""
    x, y = neighbor_curve(model, panel.x.low, panel.x.high)
    y = np.clip(y, panel.y.low, panel.y.high)

    def marks(step: NeighborhoodStep) -> list[Mark]:
        is_reached = (x <= step.place[0]) | (step.phase == "done")
        heights = np.where(is_reached & (step.phase != "store"), y, np.nan)
        curve = Line(x=x, y=heights, color="accent", width=2.5)
        place = step.place[:1]
        radius = step.distances.max(initial=0.0)
        x0, x1 = np.clip([place - radius, place + radius], panel.x.low, panel.x.high)
        bottom, top = [panel.y.low], [panel.y.high]
        window = Rects(x0=x0, x1=x1, y0=bottom, y1=top, color=[NEIGHBOR], opacity=[0.1], of="")
        level = [step.prediction]
        mean = Segments(x0=x0, x1=x1, y0=level, y1=level, color=[NEIGHBOR], width=3.0, of="")
        has_neighbors = len(step.distances) > 0
        return [visible_if(has_neighbors, window), curve, visible_if(has_neighbors, mean)]

    return marks


def _weights(steps: Sequence[NeighborhoodStep]) -> Plot:
    """Return the weight of each neighbour in the prediction."""
    n = min(len(steps[-1].neighbors), MAX_BARS)

    def shares(step: NeighborhoodStep) -> Floats:
        return step.weights[:n] / step.weights.sum() if len(step.weights) else np.zeros(n)

    top = max(float(shares(step).max()) for step in steps)
    x = np.arange(1.0, n + 1)
    across = Axis("neighbour, nearest first", 0.4, n + 0.6, integer=True)
    panel = Panel("weights", across, Axis("share", 0.0, 1.08 * top), "Weights", side=True)
    bars = Rects(
        panel="weights",
        x0=x - 0.4,
        x1=x + 0.4,
        y0=np.zeros(n),
        y1=np.zeros(n),
        color=np.full(n, NEIGHBOR, np.uint8),
        of="neighbour",
        numbers=x,
    )
    return Plot(panel, lambda moment: [replace(bars, y1=shares(moment.step))])
