"""Two rows and a measure: the marks of both, their nearest rows, the distances of all, triples."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.evenly import evenly
from dmlib.pictures.marks import NO_CLASS, Line, Points, Raster, Segments
from dmlib.pictures.places import line_through, points_at, segments_between, visible_if
from dmlib.pictures.plane import data_points
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.story import Moment, Plot
from dmlib.pictures.words import count
from dmlib.problem import Problem
from dmlib.similarity.measures.algorithm import MeasureStep, Space

A, B = 0, 1  # colours of both points
MAX_ROWS = 60  # of the matrix
PHASES = ("start", "column", "total", "nearest", "triples", "done")


def has_reached(step: MeasureStep, phase: str) -> bool:
    """Return whether a step is of a phase or a later one."""
    return PHASES.index(step.phase) >= PHASES.index(phase)


def class_points(problem: Problem) -> Points:
    """Return the rows in the colours of their classes, neutral without classes."""
    has_classes = problem.classes and problem.y is not None
    color = np.asarray(problem.y, np.uint8) if has_classes else [NO_CLASS]
    return data_points(problem, color=color, size=[3.5], opacity=[0.7])


def both_points(places: Floats, panel: str = "data") -> Points:
    """Return A and B."""
    return points_at(
        places, panel=panel, color=[A, B], symbol=[A, B], size=[7.0], emphasis=True, of=""
    )


def way_between(places: Floats, metric: str) -> Line:
    """Return the way from A to B: along the axes, or straight."""
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
    # titles are short, since three panels stand side by side
    across = Axis("dark is near", 0.0, k, ticks=[""])
    up = Axis(count(k, "row", "rows"), 0.0, k, ticks=[""])
    title = "All distances" if k == n else "Distances"
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
    return Plot(Panel("matrix", across, up, title, side=True, equal=True), lambda now: [image])


def detours_plot(space: Space) -> Plot:
    """Return triples of rows, direct way and detour over the third: below the line it is no metric."""
    _, broken, lengths = space.triples
    right = float(lengths[:, 0].max(initial=0.0)) * 1.05 or 1.0
    top = 1.6 * right
    panel = Panel(
        "detours",
        Axis("direct way", 0.0, right),
        Axis("over a third row", 0.0, top),
        "Triangles",
        side=True,
    )
    order = np.argsort(broken, kind="stable")
    diagonal = line_through(
        [[0.0, 0.0], [right, right]], panel="detours", color="muted", dash=True, width=1.5, of=""
    )
    triples = Points(
        panel="detours",
        x=lengths[order, 0],
        y=np.minimum(lengths[order, 1], top),
        color=np.where(broken[order], B, NO_CLASS).astype(np.uint8),
        size=[2.0],
        of="",
    )

    def marks(now: Moment) -> tuple[Any, ...]:
        return diagonal, visible_if(has_reached(now.step, "triples"), triples)

    return Plot(panel, marks)
