"""Ellipses of equal Mahalanobis distance around the mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from dmlib.anomaly_detection.followed_ledger import followed_row
from dmlib.anomaly_detection.mahalanobis import MahalanobisDistance, MahalanobisStep
from dmlib.pictures.ellipses import ellipses
from dmlib.pictures.marks import NO_CLASS, Ellipses, Mark
from dmlib.pictures.places import points_at, segments_between
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.problem import Problem

DISTANCES = np.array([1.0, 2.0, 3.0])


def ellipse_marks(run: Run[Problem, MahalanobisDistance]) -> Callable[[Moment], Sequence[Mark]]:
    """Return what draws the mean, the distances 1, 2 and 3, and the way to a row."""
    problem = run.problem

    def marks(moment: Moment) -> Sequence[Mark]:
        step: MahalanobisStep = moment.step
        center = problem.plane.project(step.location[None])
        has_covariance = not np.isnan(step.covariance).any()
        matrices = step.covariance[None] if has_covariance else step.covariance[None][:0]
        long, short, angle = ellipses(problem, matrices)
        radii = DISTANCES if has_covariance else DISTANCES[:0]
        x, y = np.repeat(center, len(radii), axis=0).T
        row = followed_row(run, moment)
        is_scored = step.phase == "score"
        return (
            Ellipses(
                x=x,
                y=y,
                rx=(radii[:, None] * long).ravel(),
                ry=(radii[:, None] * short).ravel(),
                angle=np.repeat(angle, len(radii)),
                color=np.full(len(radii), NO_CLASS, np.uint8),
                fill=0.04,
                of="",
            ),
            segments_between(
                center if is_scored else center[:0],
                problem.points[[row]] if is_scored else center[:0],
                width=2.0,
                of="",
            ),
            points_at(center, color=[0], emphasis=True, size=[7.0], of=""),
        )

    return marks
