"""Where the candidates of a split would cut the plane: a tick at the edge of the node for each that is in its table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.classification.decision_tree.ledger import CANDIDATE
from dmlib.classification.tree_regions_scene import Box, axis_of
from dmlib.pictures.marks import NO_CLASS, Mark, PerFrame, Points, Rects
from dmlib.problem import Plane
from dmlib.trees.splits import Candidates

TICK = 2.0  # radius in pixels
Line = tuple[int, float, float, float, float]
"""The number of a candidate, and the ends of its line: x0, y0, x1, y1."""


def candidate_marks(
    plane: Plane, moments: Sequence[tuple[Candidates | None, Sequence[Box]]], most: int
) -> tuple[Mark, Mark]:
    """Return a tick for each candidate of a frame that would cut its boxes, and its line, drawn when it is lit.

    At most so many candidates are looked at as their tables have rows.
    """
    frames = [_lines(plane, candidates, boxes, most) for candidates, boxes in moments]
    channels = [PerFrame([np.array([line[part] for line in lines]) for lines in frames]) for part in range(5)]
    number, x0, y0, x1, y1 = channels
    # A rectangle without width is seen only as the outline of what is lit.
    lines = Rects(x0=x0, y0=y0, x1=x1, y1=y1, color=[NO_CLASS], opacity=[0.0], numbers=number, of=CANDIDATE)
    return lines, Points(x=x0, y=y0, color=[NO_CLASS], size=[TICK], symbol=[0], numbers=number, of=CANDIDATE)


def _lines(plane: Plane, candidates: Candidates | None, boxes: Sequence[Box], most: int) -> list[Line]:
    if candidates is None:
        return []
    found: list[Line] = []
    for i in np.flatnonzero(np.isfinite(candidates.scores))[:most].tolist():
        axis, cut = axis_of(plane, int(candidates.columns[i])), float(candidates.thresholds[i])
        if axis is None or np.isnan(cut) or not candidates.eligible[i]:
            continue
        for box in boxes:
            low, high = box.side(axis)
            if low < cut < high:
                line = box.between(axis, cut, cut)
                found.append((i + 1, line.x0, line.y0, line.x1, line.y1))
    return found
