"""Two points and a measure as a picture: the ball through B around A, the nearest rows, all distances, detours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dmlib.evenly import evenly
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Raster, Segments
from dmlib.pictures.plane import data_panel, data_points, data_scene, view_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Panel, Scene
from dmlib.problem import Problem
from dmlib.similarity.measures.algorithm import BITS, NORMS, Distances, Floats, MeasureStep, Space
from dmlib.similarity.measures.ledger import Teller

ANGLES = 361
ROUND = 4.0  # width by height, up to which both columns have one scale, so that balls have their true shape
A, B = 0, 1  # colours of both points
MOST_ROWS = 60  # of the matrix
AFTER = {"start": 0, "column": 1, "total": 2, "nearest": 3, "triples": 4, "done": 5}


def similarity_scene(run: Run) -> Scene:
    """Draw two points and what a measure says of them.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 3.0, 1.0], "b": [0.0, 4.0, 5.0]}), ["a", "b"])
    >>> [frame.phase for frame in similarity_scene(Run.of(problem, Distances())).frames]
    ['start', 'column', 'column', 'total', 'nearest', 'triples', 'done']
    """
    problem, trace = run.problem, run.trace
    if not trace.steps:
        return data_scene(problem, trace.reason)
    model: Distances = run.fitted
    space = Space(problem.X, model.metric, model.p)
    steps = trace.steps
    teller = Teller(problem, model, space, run.selected)
    a, b = model.points(problem.X)
    places = problem.plane.project(np.vstack([a, b]))
    panel = data_panel(problem, places, equal=False)
    panel = replace(panel, equal=bool(1 / ROUND < panel.size[0] / panel.size[1] < ROUND))
    matrix, matrix_marks = _matrix(problem, space)
    detours, detour_marks = _detours(space, steps)
    handles = [
        Handle(name.lower(), "data", name, "point", float(x), float(y))
        for name, (x, y) in zip("AB", places, strict=True)
    ]
    return Scene(
        (panel, matrix, detours),
        (*_plane(problem, model, space, steps, panel, places), *matrix_marks, *detour_marks),
        Deferred(teller.frame, steps),
        (*problem.notes, *_notes(problem, model)),
        handles,
    )


def _notes(problem: Problem, model: Distances) -> tuple[str, ...]:
    notes = list(view_note(problem, "near rows may look far away"))
    if model.metric in BITS:
        notes.append("Of each value it counts whether it is above the mean of its column.")
    elif len(problem.features) != 2 or problem.categories:
        notes.append("With two columns the rows as far from A as B is are drawn as a line.")
    elif model.metric in NORMS:
        notes.append("On the closed line are all points that are as far from A as B is.")
    return tuple(notes)


def _plane(
    problem: Problem, model: Distances, space: Space, steps: Sequence[MeasureStep], panel: Panel, places: Floats
) -> list[Mark]:
    """Return the rows, the way between both points, the ball, and the nearest rows."""
    when = [AFTER[step.phase] for step in steps]
    nothing = np.empty(0)
    near = model.nearest_
    points = problem.points
    marks: list[Mark] = []
    if model.metric in NORMS and problem.plane.exact and problem.X.shape[1] == 2:
        x, y = ball(space, places[0], model.distance_).T
        x, y = (np.clip(v, e.low - 2 * (e.high - e.low), e.high + 2 * (e.high - e.low))
                for v, e in ((x, panel.x), (y, panel.y)))  # fmt: skip
        there = [state >= AFTER["total"] for state in when]
        marks.append(Line(x=PerFrame([x if now else nothing for now in there]),
                          y=PerFrame([y if now else nothing for now in there]), color=A, width=2.0, of=""))  # fmt: skip
    linked = [near if state >= AFTER["nearest"] else near[:0] for state in when]
    marks.append(
        Segments(
            x0=PerFrame([np.full(len(rows), places[0, 0]) for rows in linked]),
            y0=PerFrame([np.full(len(rows), places[0, 1]) for rows in linked]),
            x1=PerFrame([points[rows, 0] for rows in linked]), y1=PerFrame([points[rows, 1] for rows in linked]),
            color=[A], width=1.2, of="",
        )
    )  # fmt: skip
    named = problem.classes and problem.y is not None
    color = np.asarray(problem.y, np.uint8) if named else [NO_CLASS]
    marks.append(data_points(problem, color=color, size=[3.5], opacity=[0.7]))
    marks.append(_way(model.metric, places))
    both = Points(x=places[:, 0], y=places[:, 1], color=[A, B], symbol=[A, B], size=[7.0], emphasis=True, of="")
    return [*marks, both]


def _way(metric: str, places: Floats) -> Line:
    """Return the way from A to B: along the axes, or straight."""
    (x0, y0), (x1, y1) = places
    if metric in ("manhattan", "gower"):
        return Line(x=[x0, x1, x1], y=[y0, y0, y1], color="ink", width=2.0, of="")
    return Line(x=[x0, x1], y=[y0, y1], color="ink", width=2.0, dash=metric not in ("euclidean", "mahalanobis"), of="")


def ball(space: Space, centre: Floats, radius: float) -> Floats:
    """Return the closed line of the points that are so far from a centre, in two columns, shape (361, 2).

    Examples
    --------
    >>> square = ball(Space(np.array([[0.0, 0.0], [1.0, 1.0]]), "chebyshev", 2.0), np.zeros(2), 3.0)
    >>> np.abs(square).max(axis=1).round(9).min(), square[45].round(6).tolist()
    (np.float64(3.0), [3.0, 3.0])
    """
    angle = np.linspace(0, 2 * np.pi, ANGLES)
    ways = np.column_stack([np.cos(angle), np.sin(angle)]) * space.ranges
    lengths = space.between(centre, centre + ways)
    reach = np.where(lengths > 0, radius / np.where(lengths > 0, lengths, 1.0), 0.0)
    return np.asarray(centre + ways * reach[:, None])


def _matrix(problem: Problem, space: Space) -> tuple[Panel, list[Mark]]:
    """Return the distances of all rows, class by class: the darker, the nearer."""
    n = len(problem.X)
    rows = evenly(n, MOST_ROWS)
    if problem.y is not None and problem.classes:
        rows = rows[np.argsort(problem.y[rows], kind="stable")]
    X = problem.X[rows]
    told = space.between(X[:, None], X)
    shade = 255 * (1 - told / (told.max() or 1.0))
    k = len(rows)
    title = "All distances" if k == n else f"Distances of {k} rows"
    panel = Panel("matrix", Axis("", 0.0, k), Axis("", 0.0, k), f"{title}: dark is near", side=True, equal=True)
    raster = Raster(panel="matrix", pixels=shade.astype(np.uint8).ravel(), width=k, height=k,
                    extent=(0.0, float(k), 0.0, float(k)), ramp=True, opacity=1.0, crisp=True)  # fmt: skip
    return panel, [raster]


def _detours(space: Space, steps: Sequence[MeasureStep]) -> tuple[Panel, list[Mark]]:
    """Return triples of rows by the direct way and the one over the third: below the line it is no metric."""
    _, broken, lengths = space.triples
    top = float(lengths[:, 0].max(initial=0.0)) * 1.05 or 1.0
    panel = Panel(
        "detours", Axis("direct way", 0.0, top), Axis("over a third row", 0.0, 1.6 * top), "Detours", side=True
    )
    order = np.argsort(broken, kind="stable")
    x, y = lengths[order, 0], np.minimum(lengths[order, 1], 1.6 * top)
    there = [AFTER[step.phase] >= AFTER["triples"] for step in steps]
    color = np.where(broken[order], B, NO_CLASS).astype(np.uint8)
    marks: list[Mark] = [
        Line(panel="detours", x=[0.0, top], y=[0.0, top], color="muted", dash=True, width=1.5, of=""),
        Points(
            panel="detours", x=PerFrame([x if now else x[:0] for now in there]),
            y=PerFrame([y if now else y[:0] for now in there]),
            color=PerFrame([color if now else color[:0] for now in there]), size=[2.0], of="",
        ),
    ]  # fmt: skip
    return panel, marks
