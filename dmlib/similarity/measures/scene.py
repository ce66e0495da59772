"""Two points and a measure as a picture: the ball around A through B, beside all distances."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.marks import Line
from dmlib.pictures.places import line_through
from dmlib.pictures.plane import data_panel, view_note
from dmlib.pictures.run import AnyRun, Run
from dmlib.pictures.scene import Handle, Panel, Scene
from dmlib.pictures.story import needs_steps
from dmlib.problem import Problem
from dmlib.similarity.measures.algorithm import BITS, NORMS, PairMeasure, Space
from dmlib.similarity.measures.bags import BagSimilarity
from dmlib.similarity.measures.bags_scene import bags_scene
from dmlib.similarity.measures.ledger import Narrator
from dmlib.similarity.measures.mixed import MixedDistances
from dmlib.similarity.measures.mixed_scene import mixed_scene
from dmlib.similarity.measures.pairs_scene import A, pair_scene

N_ANGLES = 361
# Width by height, up to which both columns have one scale, so that balls have their true shape
ROUND = 4.0


@needs_steps
def similarity_scene(run: AnyRun) -> Scene:
    """Draw two rows, of numbers, of mixed columns, or bags, and their distance by a measure.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> from dmlib.similarity.measures.algorithm import Distances
    >>> problem = prepare(pd.DataFrame({"a": [0.0, 3.0, 1.0], "b": [0.0, 4.0, 5.0]}), ["a", "b"])
    >>> [frame.phase for frame in similarity_scene(Run.of(problem, Distances())).frames]
    ['start', 'column', 'column', 'total', 'nearest', 'triples', 'done']
    """
    if isinstance(run.model, BagSimilarity):
        return bags_scene(run)
    return mixed_scene(run) if isinstance(run.model, MixedDistances) else _points_scene(run)


def _points_scene(run: Run[Problem, PairMeasure]) -> Scene:
    """Draw the distance of two points."""
    problem, model = run.problem, run.fitted
    space = model.space(problem.data)
    places = problem.plane.project(np.vstack(model.points(space.X)))
    panel = _round_panel(problem, places)
    narrator = Narrator(problem, model, space, run.selected)
    return pair_scene(
        run,
        narrator,
        panel,
        places,
        plots=(),
        outlines=_outlines(problem, space, panel, places[0], model.distance_),
        handles=[_handle(name, place) for name, place in zip("AB", places, strict=True)],
        notes=_notes(problem, space),
    )


def _round_panel(problem: Problem, places: Floats) -> Panel:
    """Return the panel of the plane with both points, on one scale unless it were a strip."""
    panel = data_panel(problem, places, equal=False)
    width, height = panel.size
    return replace(panel, equal=bool(1 / ROUND < width / height < ROUND))


def _handle(name: str, place: Floats) -> Handle:
    return Handle(name.lower(), "data", name, "point", float(place[0]), float(place[1]))


def _notes(problem: Problem, space: Space) -> tuple[str, ...]:
    notes = view_note(problem, "near rows may look far away")
    if space.metric in BITS:
        return (*notes, "Of each value it counts whether it is above the mean of its column.")
    if len(problem.features) != 2 or problem.categories:
        text = "With two columns the rows as far from A as B is are drawn as a line."
        return (*notes, text)
    if space.metric in NORMS:
        return (*notes, "On the closed line are all points that are as far from A as B is.")
    return notes


def _outlines(
    problem: Problem, space: Space, panel: Panel, center: Floats, radius: float
) -> list[Line]:
    """Return the outline of the ball around A through B, where the plane has its true shape."""
    if space.metric not in NORMS or not problem.plane.exact or problem.X.shape[1] != 2:
        return []
    low = np.array([panel.x.low, panel.y.low])
    outline = ball(space, center, radius)
    in_reach = np.clip(outline, low - 2 * panel.size, low + 3 * panel.size)
    return [line_through(in_reach, color=A, of="")]


def ball(space: Space, centre: Floats, radius: float) -> Floats:
    """Return the outline of the ball of a radius around a centre, in two columns, shape (361, 2).

    Examples
    --------
    >>> square = ball(Space(np.array([[0.0, 0.0], [1.0, 1.0]]), "chebyshev", 2.0), np.zeros(2), 3.0)
    >>> np.abs(square).max(axis=1).round(9).min(), square[45].round(6).tolist()
    (np.float64(3.0), [3.0, 3.0])
    """
    angle = np.linspace(0, 2 * np.pi, N_ANGLES)
    directions = np.column_stack([np.cos(angle), np.sin(angle)]) * space.ranges
    lengths = space.between(centre, centre + directions)
    factors = np.where(lengths > 0, radius / np.where(lengths > 0, lengths, 1.0), 0.0)
    return np.asarray(centre + directions * factors[:, None])
