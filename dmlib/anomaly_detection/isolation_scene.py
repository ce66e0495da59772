"""Cuts of an isolation tree: the first one grows, of the others the path of one row is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.anomaly_detection.followed_ledger import drawn_rows
from dmlib.anomaly_detection.isolation_forest import IsolationForest, IsolationForestStep
from dmlib.anomaly_detection.isolation_tree import LEAF, IsolationTree
from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Mark, Rects
from dmlib.pictures.places import points_at, segments_between
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Panel
from dmlib.pictures.story import Moment
from dmlib.problem import Problem

MAX_CUTS = 63  # of the first tree that are drawn
MAX_DRAWN = 300  # rows of a sample that are drawn
FAINT = 0.2


def cut_marks(
    run: Run[Problem, IsolationForest], panel: Panel
) -> Callable[[Moment], Sequence[Mark]]:
    """Return what draws the cuts of a tree in the plane of its columns, and the sample."""
    problem = run.problem
    basis = problem.plane.basis
    is_upright = problem.plane.exact and not ((basis != 0).sum(axis=1) > 1).any()
    axes = [int(row.argmax()) if row.any() else -2 for row in basis]

    def marks(moment: Moment) -> Sequence[Mark]:
        step: IsolationForestStep = moment.step
        is_growing = step.phase in ("sample", "cut")
        sample = step.sample[:MAX_DRAWN] if is_growing else step.sample[:0]
        drawn = points_at(problem.points[sample], color=[0], symbol=[0], size=[4.5], of="")
        if not is_upright:
            return (drawn,)
        nodes: list[int] = []
        cell = np.empty((0, 4))
        if step.phase == "cut" and step.node is not None:
            cuts = np.flatnonzero(step.trees[0].features[: step.node + 1] != LEAF)
            nodes = cuts[:MAX_CUTS].tolist()
        elif step.phase == "score":
            path = step.trees[-1].path(problem.X[drawn_rows(run, moment)[0]])
            nodes = path[:-1]
            cell = cells(step.trees[-1], panel, axes)[path[-1]][None]
        x0, x1, y0, y1 = cell.T
        lines = cut_lines(step.trees[-1], nodes, panel, axes)
        return (
            drawn,
            Rects(x0=x0, y0=y0, x1=x1, y1=y1, color=[NO_CLASS], opacity=[FAINT], of=""),
            segments_between(lines[:, :2], lines[:, 2:], width=2.0, of=""),
        )

    return marks


def cells(tree: IsolationTree, panel: Panel, axes: Sequence[int]) -> Floats:
    """Return the cell of each node in the plane: x0, x1, y0, y1, cut off where the panel ends."""
    places = np.tile(np.array(panel.extent, float), (len(tree.features), 1))
    for node in np.flatnonzero(tree.features != LEAF).tolist():
        left, right = 2 * node + 1, 2 * node + 2
        places[left] = places[right] = places[node]
        axis = axes.index(int(tree.features[node]))
        places[left, 2 * axis + 1] = places[right, 2 * axis] = tree.thresholds[node]
    return places


def cut_lines(
    tree: IsolationTree, nodes: Iterable[int], panel: Panel, axes: Sequence[int]
) -> Floats:
    """Return where the cuts of nodes begin and end: x0, y0, x1, y1."""
    places = cells(tree, panel, axes)
    lines = [_line(places[node], tree, node, axes) for node in nodes]
    return np.array(lines).reshape(-1, 4)


def _line(
    cell: NDArray[np.float64], tree: IsolationTree, node: int, axes: Sequence[int]
) -> tuple[float, ...]:
    x0, x1, y0, y1 = cell.tolist()
    value = float(tree.thresholds[node])
    if axes.index(int(tree.features[node])) == 0:
        return value, y0, value, y1
    return x0, value, x1, value
