"""Lines along which values on a grid have a level, with no more vertices than they need."""

from __future__ import annotations

import numpy as np
from contourpy import LineType, contour_generator
from numpy.typing import ArrayLike

from dmlib.arrays import Floats, Ints

PASSES = 5  # each halves the vertices where the line is straight
STRAIGHT = (
    0.0015  # share of the grid's width by which a vertex may be off the line through its neighbours
)


def contours(values: ArrayLike, x: Floats, y: Floats, level: float) -> Floats:
    """Return the contour lines of a grid of values, shape (len(y), len(x)), as arrays of vertices.

    A row of NaN parts two lines. At the level NaN, and where a value is not finite, there is no
    line.

    Examples
    --------
    >>> contours([[0.0, 1.0], [0.0, 1.0]], np.array([0.0, 1.0]), np.array([0.0, 1.0]), 0.5).tolist()
    [[0.5, 1.0], [0.5, 0.0]]
    """
    grid = np.asarray(values, float)
    if np.isnan(level) or not np.isfinite(grid).all():
        return np.empty((0, 2))
    lines = contour_generator(x, y, grid, line_type=LineType.ChunkCombinedNan).lines(level)
    vertices = np.empty((0, 2)) if lines[0][0] is None else np.asarray(lines[0][0])
    return vertices[_straightened(vertices, np.array([x[-1] - x[0], y[-1] - y[0]]))]


def _straightened(vertices: Floats, width: Floats) -> Ints:
    """Return which vertices a line needs; every second one is asked for in each pass."""
    remaining = np.arange(len(vertices))
    for _ in range(PASSES):
        if len(remaining) < 3:
            break
        points = vertices[remaining] / width
        before, middle, after = points[:-2:2], points[1:-1:2], points[2::2]
        (ax, ay), (bx, by) = (middle - before).T, (after - before).T
        length = np.hypot(bx, by)
        off = np.abs(ax * by - ay * bx) / np.where(length > 0, length, 1)
        dropped = 1 + 2 * np.flatnonzero((off < STRAIGHT) & (length > 0))
        remaining = np.delete(remaining, dropped)
    return remaining
