"""The trees of boosting in the plane: the lines of one, and small pictures of the last few side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.tree_regions_scene import leaf_boxes
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import Mark, PerFrame, Rects, Segments, Texts
from dmlib.pictures.motion import per_frame
from dmlib.pictures.scene import Axis, Panel
from dmlib.problem import Problem
from dmlib.trees.tree import Tree

WINDOW = 3  # trees side by side
MOST_BOXES = 24  # rectangles of one small picture
WIDE, LOW = 0.9, -0.35  # width of a picture; room below for two lines
FAINT, STRONG = 0.15, 0.8  # opacity of a leaf


@dataclass(frozen=True)
class Drawn:
    """A tree as it is drawn: the class and the strength, from 0 to 1, of each node."""

    tree: Tree
    colors: NDArray[np.uint8]
    strengths: Floats


def tree_lines(problem: Problem, panel: Panel, trees: Sequence[Drawn | None]) -> Segments:
    """Return the lines of the tree of each frame."""

    def lines(drawn: Drawn | None) -> Floats:
        borders = [] if drawn is None else leaf_boxes(drawn.tree, panel, problem.plane)[1]
        return np.array(borders, float).reshape(-1, 4)

    drawn = Deferred(lines, trees)
    x0, y0, x1, y1 = (PerFrame(Deferred(lambda some, i=i: some[:, i], drawn)) for i in range(4))
    return Segments(x0=x0, y0=y0, x1=x1, y1=y1, width=2.5)


def strip_panel() -> Panel:
    """Return the panel of the last few trees."""
    nothing = Axis("", 0.0, WINDOW - 1 + WIDE, ticks=("",) * WINDOW)
    return Panel("trees", nothing, Axis("", LOW, 1.0, ticks=("",)), title=f"Last {WINDOW} trees", side=True)


def strip(
    problem: Problem, panel: Panel, trees: Sequence[Drawn | None], below: Sequence[tuple[str, str]]
) -> list[Mark]:
    """Return small pictures of the trees up to each frame, its own the last, with two lines below each.

    The first frame has no tree, each other has one.
    """
    frames, n_trees = range(len(trees)), len(trees) - 1
    small = Deferred(lambda drawn: _miniature(problem, panel, drawn), trees)
    windows = [range(max(1, frame - WINDOW + 1), frame + 1) for frame in frames]
    slots = np.full((len(trees), n_trees), np.nan)
    for row, window in zip(slots, windows, strict=True):
        row[[frame - 1 for frame in window]] = np.arange(len(window))

    def shifted(window: range) -> Floats:
        boxes = [small[frame][0] + [slot, 0, slot, 0] for slot, frame in enumerate(window)]
        return np.vstack([np.empty((0, 4)), *boxes])

    places = Deferred(shifted, windows)
    x0, y0, x1, y1 = (PerFrame(Deferred(lambda boxes, i=i: boxes[:, i], places)) for i in range(4))

    def joined(part: int, window: range) -> NDArray[Any]:
        return np.concatenate([nothing[part], *(small[frame][part] for frame in window)])

    nothing = np.empty((0, 4)), np.empty(0, np.uint8), np.empty(0)
    colors, strengths = (PerFrame(Deferred(partial(joined, part), windows)) for part in (1, 2))
    place = {"panel": "trees", "x": per_frame(slots + WIDE / 2)}
    texts = [
        Texts(**place, y=np.full(n_trees, y), text=[lines[line] for lines in below[1:]])  # type: ignore[arg-type]
        for line, y in enumerate((-0.12, -0.28))
    ]
    return [Rects(panel="trees", x0=x0, y0=y0, x1=x1, y1=y1, color=colors, opacity=strengths), *texts]


def _miniature(problem: Problem, panel: Panel, drawn: Drawn | None) -> tuple[Floats, NDArray[np.uint8], Floats]:
    """Return the rectangles of the leaves in the unit square, their classes and their opacity."""
    assert drawn is not None
    leaves = leaf_boxes(drawn.tree, panel, problem.plane)[0]
    pairs = [(box, node) for node, boxes in leaves.items() for box in boxes][:MOST_BOXES]
    nodes = np.array([node for _, node in pairs], np.intp)
    places = np.array([(box.x0, box.y0, box.x1, box.y1) for box, _ in pairs], float).reshape(-1, 4)
    corner = np.array([panel.x.low, panel.y.low] * 2)
    unit = (places - corner) / np.tile(panel.size, 2) * [WIDE, 1, WIDE, 1]
    return cast(Floats, unit), drawn.colors[nodes], FAINT + (STRONG - FAINT) * drawn.strengths[nodes]
