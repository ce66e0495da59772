"""A row, its k nearest neighbours, and the circle that reaches the last of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dmlib.anomaly_detection.followed_ledger import drawn_rows
from dmlib.anomaly_detection.neighbor_distance import NeighborStep
from dmlib.clustering.density_scene import ball_marks
from dmlib.pictures.marks import NO_CLASS, Mark
from dmlib.pictures.places import points_at, segments_between
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Panel
from dmlib.pictures.story import Moment
from dmlib.problem import Problem

MAX_NEIGHBORS = 30  # that are joined by lines


def neighbor_marks(run: Run[Problem, Any], panel: Panel) -> Callable[[Moment], Sequence[Mark]]:
    """Return what draws the neighbours of the row that a moment is about."""
    problem = run.problem

    def marks(moment: Moment) -> Sequence[Mark]:
        step: NeighborStep = moment.step
        rows = drawn_rows(run, moment)
        place = problem.points[rows]
        neighbors = step.neighbors[rows].ravel()[:MAX_NEIGHBORS]
        radius = float(step.distances[rows].max(initial=0.0))
        return (
            *ball_marks(problem, panel, "euclidean", place, radius, NO_CLASS),
            segments_between(
                place if len(neighbors) else place[:0], problem.points[neighbors], of=""
            ),
            points_at(problem.points[neighbors], color=[0], symbol=[0], size=[4.5], of=""),
        )

    return marks
