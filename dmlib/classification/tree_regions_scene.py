"""The part of the plane that a node of a tree holds: rectangles, cut by the splits above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from dmlib.pictures.marks import Segments
from dmlib.pictures.places import segments_between
from dmlib.pictures.scene import Panel
from dmlib.problem import Plane
from dmlib.trees.splits import Split
from dmlib.trees.tree import Tree

Border = tuple[float, float, float, float]


@dataclass(frozen=True)
class Box:
    """A rectangle of the plane: from x0 to x1 across and from y0 to y1 up."""

    x0: float
    x1: float
    y0: float
    y1: float

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Its corners in order, the first repeated at the end."""
        x0, x1, y0, y1 = self.x0, self.x1, self.y0, self.y1
        return (x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)

    def side(self, axis: int) -> tuple[float, float]:
        """Return its ends along an axis."""
        return (self.x0, self.x1) if axis == 0 else (self.y0, self.y1)

    def between(self, axis: int, low: float, high: float) -> Box:
        """Return its part between two places of an axis."""
        return replace(self, x0=low, x1=high) if axis == 0 else replace(self, y0=low, y1=high)


@dataclass(frozen=True)
class Division:
    """The parts of boxes that a split divides."""

    branches: tuple[tuple[Box, ...], ...]  # the boxes of each branch
    no_branch: tuple[Box, ...] = ()  # where the value does not occur in the node
    borders: tuple[Border, ...] = ()  # x0, y0, x1, y1 of the lines between branches


def whole_panel(panel: Panel) -> tuple[Box, ...]:
    """Return all of a panel as a box."""
    return (Box(panel.x.low, panel.x.high, panel.y.low, panel.y.high),)


def axis_of(plane: Plane, column: int) -> int | None:
    """Return the axis that shows a column, 0 or 1; None if it is not shown.

    Examples
    --------
    >>> basis = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
    >>> plane = Plane(np.zeros(3), basis, ("c", "a"), exact=False)
    >>> axis_of(plane, 2), axis_of(plane, 1)
    (0, None)
    """
    for axis, weights in enumerate(plane.basis):
        if weights[column] != 0 and (weights != 0).sum() == 1:
            return axis
    return None


def upright(plane: Plane) -> bool:
    """Return whether every axis of the plane is a column, so that splits are axis-parallel."""
    return bool(((plane.basis != 0).sum(axis=1) <= 1).all())


def divide(boxes: Sequence[Box], split: Split, plane: Plane) -> Division:
    """Cut boxes by a split.

    Of a column that is not shown, all boxes take the branch of its value in the plane.

    Examples
    --------
    >>> plane = Plane(np.zeros(2), np.eye(2), ("a", "b"), exact=True)
    >>> division = divide([Box(0, 4, 0, 2)], Split(0, thresholds=(1.0,)), plane)
    >>> division.branches[1], division.borders
    ((Box(x0=1.0, x1=4.0, y0=0, y1=2),), ((1.0, 0, 1.0, 2),))
    """
    axis = axis_of(plane, split.column)
    if axis is None:
        branch = int(split.branch(plane.base[[split.column]])[0])
        branches = tuple(tuple(boxes) if b == branch else () for b in range(split.n_branches))
        return Division(branches, tuple(boxes) if branch < 0 else ())
    # the last for values that do not occur in the node
    pieces: list[list[Box]] = [[] for _ in range(split.n_branches + 1)]
    borders = []
    for box in boxes:
        low, high = box.side(axis)
        runs = _runs(split, low, high)
        for start, end, branch in runs:
            pieces[branch].append(box.between(axis, start, end))
        for cut in (
            end
            for (_, end, branch_below), (_, _, branch_above) in pairwise(runs)
            if branch_below != branch_above
        ):
            across = (cut, box.y0, cut, box.y1) if axis == 0 else (box.x0, cut, box.x1, cut)
            borders.append(across)
    return Division(tuple(map(tuple, pieces[:-1])), tuple(pieces[-1]), tuple(borders))


def _runs(split: Split, low: float, high: float) -> list[tuple[float, float, int]]:
    """Return the intervals of an axis with their branches; -1 where the value does not occur."""
    if split.thresholds:
        edges = [-np.inf, *split.thresholds, np.inf]
        branches = list(range(len(split.thresholds) + 1))
    else:
        edges = [-np.inf, *(np.arange(1, len(split.branches)) - 0.5), np.inf]
        branches = list(split.branches)
    runs: list[tuple[float, float, int]] = []
    for (lower, upper), branch in zip(pairwise(edges), branches, strict=True):
        start, end = float(max(lower, low)), float(min(upper, high))
        if start >= end:
            continue
        if runs and runs[-1][2] == branch:
            start = runs.pop()[0]
        runs.append((start, end, branch))
    return runs


def leaf_boxes(
    tree: Tree, panel: Panel, plane: Plane
) -> tuple[dict[int, tuple[Box, ...]], list[Border]]:
    """Return the boxes of each leaf of a finished tree, and the borders of all branches.

    Examples
    --------
    >>> from dmlib.classification import DecisionTreeClassifier
    >>> from dmlib.pictures.scene import Axis
    >>> plane = Plane(np.zeros(2), np.eye(2), ("a", "b"), exact=True)
    >>> tree = DecisionTreeClassifier().fit([[0.0, 0.0], [2.0, 0.0]], [0, 1]).tree_
    >>> boxes, borders = leaf_boxes(tree, Panel("data", Axis("a", 0, 4), Axis("b", 0, 1)), plane)
    >>> boxes[1], borders
    ((Box(x0=0.0, x1=1.0, y0=0, y1=1),), [(1.0, 0, 1.0, 1)])
    """
    leaves: dict[int, tuple[Box, ...]] = {}
    borders: list[Border] = []
    waiting = [(0, whole_panel(panel))]
    while waiting:
        node, boxes = waiting.pop()
        split = tree.splits.split(node)
        if split is None:
            leaves[node] = boxes
            continue
        division = divide(boxes, split, plane)
        borders += division.borders
        waiting += [
            (int(tree.children[node, b]), part) for b, part in enumerate(division.branches) if part
        ]
    return leaves, borders


def border_lines(borders: Sequence[Border], width: float) -> Segments:
    """Return the lines between branches, ``width`` pixels wide.

    Examples
    --------
    >>> border_lines([(1.0, 0.0, 1.0, 4.0)], 2.5).y1.tolist()
    [4.0]
    """
    ends = np.array(borders, float).reshape(-1, 4)
    return segments_between(ends[:, :2], ends[:, 2:], width=width)
