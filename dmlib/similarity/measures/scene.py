"""Two points and a measure as a picture: the ball through B around A, the nearest rows, all distances, detours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Line, Mark, PerFrame, Points, Rects, Segments
from dmlib.pictures.plane import data_panel, data_points, data_scene, view_note
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Handle, Panel, Scene
from dmlib.problem import Problem
from dmlib.similarity.measures.algorithm import BITS, NORMS, Distances, MeasureStep, Space
from dmlib.similarity.measures.bags import BagSimilarity
from dmlib.similarity.measures.bags_scene import bags_scene
from dmlib.similarity.measures.ledger import Teller
from dmlib.similarity.measures.mixed import MixedDistances, MixedSpace, chosen_rows
from dmlib.similarity.measures.mixed_ledger import MixedTeller
from dmlib.similarity.measures.pairs_scene import AFTER, A, B, detours_panel, matrix_panel

ANGLES = 361
ROUND = 4.0  # width by height, up to which both columns have one scale, so that balls have their true shape
MOST_COLUMNS = 16  # of mixed rows, whose bars are drawn


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
    if isinstance(run.model, BagSimilarity):
        return bags_scene(run)
    problem, trace = run.problem, run.trace
    if not trace.steps:
        return data_scene(problem, trace.reason)
    model, steps = run.fitted, trace.steps
    space = model.space(problem.data)
    mixed = isinstance(model, MixedDistances)
    if mixed:
        places = problem.points[chosen_rows(len(space.X), model.first, model.second)]
    else:
        places = problem.plane.project(np.vstack(model.points(space.X)))
    teller = (MixedTeller if mixed else Teller)(problem, model, space, run.selected)
    panel = data_panel(problem, places, equal=False)
    panel = replace(panel, equal=bool(1 / ROUND < panel.size[0] / panel.size[1] < ROUND) and not mixed)
    sides = [matrix_panel(problem, space), detours_panel(space, steps)]
    if mixed:
        sides.insert(0, _columns(problem, space, steps, teller))
    handles = [
        Handle(name.lower(), "data", name, "point", float(x), float(y))
        for name, (x, y) in zip("AB", places, strict=True)
    ]
    return Scene(
        (panel, *(side for side, _ in sides)),
        (*_plane(problem, model, space, steps, panel, places), *(mark for _, marks in sides for mark in marks)),
        Deferred(teller.frame, steps),
        (*problem.notes, *_notes(problem, space)),
        () if mixed else handles,
    )


def _columns(problem: Problem, space: Space, steps: Sequence[MeasureStep], teller: Teller) -> tuple[Panel, list[Mark]]:
    """Return how far apart both rows are in each column that was counted."""
    k = min(len(problem.features), MOST_COLUMNS)
    names = problem.features[:k][::-1]
    panel = Panel(
        "columns",
        Axis("apart", 0.0, 1.05),
        Axis("column", -0.6, k - 0.4, ticks=names),
        "A to B",
        side=True,
    )
    terms = [np.nan_to_num(step.terms[:k]) for step in steps]
    at = [k - 1 - np.arange(len(each), dtype=float) for each in terms]
    bars = Rects(
        panel="columns", x0=PerFrame([np.zeros(len(each)) for each in terms]), x1=PerFrame(terms),
        y0=PerFrame([y - 0.35 for y in at]), y1=PerFrame([y + 0.35 for y in at]), color=[B],
        numbers=PerFrame([k - y for y in at]), of="column",
    )  # fmt: skip
    mean = Line(
        panel="columns", y=[-0.6, k - 0.4], width=1.5, dash=True, of="",
        x=PerFrame([[step.distance] * 2 if AFTER[step.phase] > 1 else [-1.0] * 2 for step in steps]),
    )  # fmt: skip
    return panel, [bars, mean]


def _notes(problem: Problem, space: Space) -> tuple[str, ...]:
    notes = list(view_note(problem, "near rows may look far away"))
    if isinstance(space, MixedSpace):
        kinds = [f"{space.scales.count(scale)} {scale}" for scale in dict.fromkeys(space.scales)]
        notes.append(f"Columns by their scale: {', '.join(kinds)}; “Column types” under Data changes it.")
        if len(problem.features) > MOST_COLUMNS:
            notes.append(f"The bars show the first {MOST_COLUMNS} of {len(problem.features)} columns.")
    elif space.metric in BITS:
        notes.append("Of each value it counts whether it is above the mean of its column.")
    elif len(problem.features) != 2 or problem.categories:
        notes.append("With two columns the rows as far from A as B is are drawn as a line.")
    elif space.metric in NORMS:
        notes.append("On the closed line are all points that are as far from A as B is.")
    return tuple(notes)


def _plane(
    problem: Problem, model: Any, space: Space, steps: Sequence[MeasureStep], panel: Panel, places: Floats
) -> list[Mark]:
    """Return the rows, the way between both points, the ball, and the nearest rows."""
    when = [AFTER[step.phase] for step in steps]
    nothing = np.empty(0)
    near = model.nearest_
    points = problem.points
    marks: list[Mark] = []
    if isinstance(model, Distances) and model.metric in NORMS and problem.plane.exact and problem.X.shape[1] == 2:
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
    marks.append(_way(space.metric, places))
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
