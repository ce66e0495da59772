"""Two rows and a measure in the plane, with their nearest rows; all distances; triples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import numpy as np

from dmlib.arrays import Floats
from dmlib.evenly import evenly
from dmlib.pictures.marks import NO_CLASS, Line, Points, Raster, Segments
from dmlib.pictures.places import line_through, points_at, segments_between, visible_if
from dmlib.pictures.plane import data_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, Plot, story
from dmlib.pictures.words import count
from dmlib.problem import Problem
from dmlib.similarity.measures.algorithm import MeasureStep, PairMeasure, Phase, Space
from dmlib.similarity.measures.ledger import Narrator

A, B = 0, 1  # colours of both points
MAX_ROWS = 60  # of the matrix
PHASES: tuple[Phase, ...] = get_args(Phase)


def has_reached(step: MeasureStep, phase: Phase) -> bool:
    """Return whether a step is of a phase or a later one."""
    return PHASES.index(step.phase) >= PHASES.index(phase)


def pair_scene(
    run: Run[Any, PairMeasure],
    narrator: Narrator,
    panel: Panel,
    places: Floats,
    plots: Sequence[Plot],
    outlines: Sequence[Line] = (),
    **attributes: Any,
) -> Scene:
    """Draw two rows in the plane with their nearest rows, beside other plots.

    Parameters
    ----------
    run : Run
        The run.
    narrator : Narrator
        Its captions and ledgers.
    panel : Panel
        The panel of the plane.
    places : ndarray of shape (2, 2)
        The places of A and B.
    plots : sequence of Plot
        The other plots, before the matrix of distances and the triples.
    outlines : sequence of Line
        Lines in the plane once the distance is computed.
    **attributes : object
        Handles and notes of the scene.
    """
    problem, model, space = run.problem, run.fitted, narrator.space
    rows, pair = class_points(problem), pair_points(places)
    path = path_between(places, space.metric)
    plots = (*plots, matrix_plot(problem, space), detours_plot(space))

    def draw(moment: Moment) -> Drawing:
        step: MeasureStep = moment.step
        marks = (
            *(visible_if(has_reached(step, "total"), outline) for outline in outlines),
            nearest_links(problem, places[0], model.nearest_, step),
            rows,
            path,
            pair,
            *(mark for plot in plots for mark in plot.marks(moment)),
        )
        return Drawing(marks, *narrator.caption_and_ledger(moment), step.phase)

    panels = (panel, *(plot.panel for plot in plots))
    legend = [Key(name, code) for code, name in enumerate(problem.classes)]
    legend += [Key("as far from A as B", A, kind="line")] if outlines else []
    steps = len(run.trace.steps)
    return story(run, draw, panels=panels, legend=legend, max_frames=steps, **attributes)


def class_points(problem: Problem) -> Points:
    """Return the rows in the colours of their classes, neutral without classes."""
    has_classes = problem.classes and problem.y is not None
    color = np.asarray(problem.y, np.uint8) if has_classes else [NO_CLASS]
    return data_points(problem, color=color, size=[3.5], opacity=[0.7])


def pair_points(places: Floats, panel: str = "data") -> Points:
    """Return A and B."""
    style: dict[str, Any] = {"color": [A, B], "symbol": [A, B], "size": [7.0]}
    return points_at(places, panel=panel, **style, emphasis=True, of="")


def path_between(places: Floats, metric: str) -> Line:
    """Return the path from A to B: along the axes, or straight."""
    if metric in ("manhattan", "gower"):
        (x0, y0), (x1, y1) = places
        return line_through([[x0, y0], [x1, y0], [x1, y1]], of="")
    return line_through(places, dash=metric not in ("euclidean", "mahalanobis"), of="")


def nearest_links(problem: Problem, place: Floats, nearest: Any, step: MeasureStep) -> Segments:
    """Return the links from A to its nearest rows, once these are determined."""
    rows = nearest if has_reached(step, "nearest") else nearest[:0]
    return segments_between(place, problem.points[rows], color=[A], width=1.2, of="")


def matrix_plot(problem: Any, space: Space) -> Plot:
    """Return the distances of all rows, class by class: the darker, the nearer."""
    n = len(space.X)
    rows = evenly(n, MAX_ROWS)
    if getattr(problem, "y", None) is not None and problem.classes:
        rows = rows[np.argsort(problem.y[rows], kind="stable")]
    distances = space.distances(rows)
    shade = 255 * (1 - distances / (distances.max() or 1.0))
    k = len(rows)
    side, title = Axis("", 0.0, k), f"{count(k, 'row', 'rows')}: a strong colour is near"
    image = Raster(
        panel="matrix",
        pixels=shade.astype(np.uint8).ravel(),
        width=k,
        height=k,
        extent=(0.0, float(k), 0.0, float(k)),
        ramp=True,
        opacity=1.0,
        crisp=True,
    )
    panel = Panel("matrix", side, side, title, side=True, equal=True)
    return Plot(panel, lambda _: [image])


def detours_plot(space: Space) -> Plot:
    """Return triples of rows, direct distance and detour: below the line it is no metric."""
    _, broken, lengths = space.triples
    right = float(lengths[:, 0].max(initial=0.0)) * 1.05 or 1.0
    top = 1.6 * right
    x, y = Axis("direct distance", 0.0, right), Axis("via a third row", 0.0, top)
    panel = Panel("detours", x, y, "Triangle inequality", side=True)
    order = np.argsort(broken, kind="stable")
    ends = [[0.0, 0.0], [right, right]]
    diagonal = line_through(ends, panel="detours", color="muted", dash=True, width=1.5, of="")
    triples = Points(
        panel="detours",
        x=lengths[order, 0],
        y=np.minimum(lengths[order, 1], top),
        color=np.where(broken[order], B, NO_CLASS).astype(np.uint8),
        size=[2.0],
        of="",
    )

    def marks(moment: Moment) -> tuple[Any, ...]:
        return diagonal, visible_if(has_reached(moment.step, "triples"), triples)

    return Plot(panel, marks)
