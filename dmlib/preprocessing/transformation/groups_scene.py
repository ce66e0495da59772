"""Aggregation of rows: the groups, their representatives, and the variance that is lost."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.places import line_through, points_at, segments_between
from dmlib.pictures.plane import data_panel, data_points
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Key, Panel, Scene
from dmlib.pictures.story import Drawing, Moment, story
from dmlib.preprocessing.transformation.aggregation import AggregateStep
from dmlib.preprocessing.transformation.ledger import group_blocks, group_caption
from dmlib.preprocessing.transformation.rows_scene import (
    CLEAR,
    FAINT,
    class_colors,
    max_frames,
    sample_color,
)
from dmlib.problem import Problem


def groups_scene(run: Run[Problem, Any]) -> Scene:
    """Draw the steps of an aggregator."""
    problem, steps = run.problem, run.trace.steps
    labels, k = run.fitted.labels_, run.fitted.n_rows_
    middles = _group_means(problem.points, labels, k)
    color, codes = sample_color(problem), class_colors(problem)
    group = None if run.selected is None else int(labels[run.selected])
    losses = np.array([(step.n_rows, step.loss) for step in steps], float)

    def draw(moment: Moment) -> Drawing:
        step: AggregateStep = moment.step
        opacity = np.where(labels < step.n_rows, FAINT, CLEAR)
        ends = middles[labels[step.rows]]
        marks = (
            data_points(problem, color=codes, opacity=opacity, size=[3.0]),
            segments_between(problem.points[step.rows], ends, color=[color], width=1.2, of=""),
            points_at(middles[: step.n_rows], color=[color], size=[5.0], emphasis=True, of=""),
            line_through(losses[: moment.index + 1], panel="lost", of=""),
        )
        blocks = group_blocks(problem, step, group, run.selected)
        return Drawing(marks, group_caption(step, moment.before), blocks, step.phase)

    across = Axis("groups", 0.0, 1.02 * max(k, 1), integer=True)
    lost = Panel("lost", across, Axis("share", 0.0, 1.0), "Variance lost within groups", side=True)
    return story(
        run,
        draw,
        panels=(data_panel(problem, equal=False), lost),
        legend=[Key("representative of a group", color)],
        max_frames=max_frames(problem),
    )


def _group_means(points: Floats, labels: NDArray[np.intp], k: int) -> Floats:
    """Return the mean place of each group, shape (k, 2)."""
    sums = np.zeros((k, 2))
    np.add.at(sums, labels, points)
    return sums / np.bincount(labels, minlength=k)[:, None]
