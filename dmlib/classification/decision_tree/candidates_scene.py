"""The candidate splits of a node as ticks at the edge of its region."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlib.classification.decision_tree.ledger import CANDIDATE
from dmlib.classification.tree_regions_scene import Box, axis_of, divide
from dmlib.pictures.marks import NO_CLASS, Points, Rects
from dmlib.problem import Plane
from dmlib.trees.splits import Candidates

TICK = 2.0  # radius in pixels
Line = tuple[int, float, float, float, float]
"""The number of a candidate, and the ends of its line: x0, y0, x1, y1."""


def candidate_marks(
    plane: Plane, candidates: Candidates | None, boxes: Sequence[Box], max_candidates: int
) -> tuple[Rects, Points]:
    """Return a line for each of the best candidates, visible when it is lit, and its tick."""
    lines = [] if candidates is None else _lines(plane, candidates, boxes, max_candidates)
    number, x0, y0, x1, y1 = np.array(lines, float).reshape(-1, 5).T
    # A rectangle without width is seen only as the outline of what is lit.
    lit = Rects(
        x0=x0, y0=y0, x1=x1, y1=y1, color=[NO_CLASS], opacity=[0.0], numbers=number, of=CANDIDATE
    )
    ticks = Points(
        x=x0, y=y0, color=[NO_CLASS], size=[TICK], symbol=[0], numbers=number, of=CANDIDATE
    )
    return lit, ticks


def _lines(
    plane: Plane, candidates: Candidates, boxes: Sequence[Box], max_candidates: int
) -> list[Line]:
    lines: list[Line] = []
    ranked = np.flatnonzero(np.isfinite(candidates.scores))[:max_candidates]
    for i in ranked.tolist():
        axis, cut = axis_of(plane, int(candidates.columns[i])), float(candidates.thresholds[i])
        if axis is None or not candidates.eligible[i]:
            continue
        if np.isnan(cut):
            borders = divide(boxes, candidates[i].split, plane).borders
            lines += [(i + 1, *border) for border in borders if candidates[i].ordered]
            continue
        for box in boxes:
            low, high = box.side(axis)
            if low < cut < high:
                line = box.between(axis, cut, cut)
                lines.append((i + 1, line.x0, line.y0, line.x1, line.y1))
    return lines
