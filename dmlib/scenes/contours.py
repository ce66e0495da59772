"""Lines along which values on a grid have a level: marching squares, for many frames at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

PASSES = 5  # each halves the vertices where the line is straight
STRAIGHT = 0.0015  # share of the grid's width by which a vertex may be off the line through its neighbours

# The sides of a cell (0 bottom, 1 right, 2 top, 3 left) that a line joins, by which corners are above the level: bottom
# left counts 1, bottom right 2, top right 4, top left 8. With two opposite corners above, it goes around each.
JOINS = {
    1: ((3, 0),), 2: ((0, 1),), 3: ((3, 1),), 4: ((1, 2),), 5: ((3, 0), (1, 2)), 6: ((0, 2),), 7: ((3, 2),),
    8: ((2, 3),), 9: ((2, 0),), 10: ((0, 1), (2, 3)), 11: ((2, 1),), 12: ((1, 3),), 13: ((1, 0),), 14: ((0, 3),),
}  # fmt: skip


def contours(values: ArrayLike, x: ArrayLike, y: ArrayLike, levels: ArrayLike) -> list[Floats]:
    """Return the lines at a level, frame by frame.

    Parameters
    ----------
    values : array-like of shape (n_frames, len(y), len(x))
        Values on the grid.
    x, y : array-like
        The grid, evenly spaced.
    levels : array-like of shape (n_frames,)
        The level of each frame; NaN for no line.

    Returns
    -------
    list of ndarray of shape (n_vertices, 2)
        The vertices; a row of NaN ends each line.

    Examples
    --------
    >>> (line,) = contours([[[0.0, 1.0], [0.0, 1.0]]], [0.0, 1.0], [0.0, 1.0], [0.5])
    >>> line.tolist()
    [[0.5, 0.0], [0.5, 1.0], [nan, nan]]
    """
    grid, x, y = np.asarray(values, float), np.asarray(x, float), np.asarray(y, float)
    heights = grid - np.asarray(levels, float)[:, None, None]
    starts, ends = _segments(heights > 0, np.isfinite(heights).all(axis=(1, 2)))
    sides, joined = np.unique(np.concatenate([starts, ends]), return_inverse=True)
    places, frames = _places(sides, heights, x, y)
    order = _chains(*joined.reshape(2, -1).tolist())
    # -1 ends a line: it gets the frame of the vertex before it.
    after = np.array(order, np.intp)
    vertices = np.where((after < 0)[:, None], np.nan, places[after]) if len(after) else np.empty((0, 2))
    frame_of = frames[np.where(after < 0, np.roll(after, 1), after)] if len(after) else np.empty(0, np.intp)
    kept = _straightened(vertices, np.array([x[-1] - x[0], y[-1] - y[0]]))
    vertices, frame_of = vertices[kept], frame_of[kept]
    by_frame = np.argsort(frame_of, kind="stable")
    cuts = np.searchsorted(frame_of[by_frame], np.arange(1, len(grid)))
    return np.split(vertices[by_frame], cuts)


def _segments(above: NDArray[np.bool_], drawn: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Return the two sides that each piece of a line joins, as numbers that are unique over all frames."""
    _, ny, nx = above.shape
    bits = above.astype(np.uint8)
    code = bits[:, :-1, :-1] + 2 * bits[:, :-1, 1:] + 4 * bits[:, 1:, 1:] + 8 * bits[:, 1:, :-1]
    frame, r, c = np.nonzero((code > 0) & (code < 15) & drawn[:, None, None])
    kind = code[frame, r, c]
    # A frame has ny * (nx - 1) horizontal sides, then (ny - 1) * nx vertical ones.
    n_horizontal, n_sides = ny * (nx - 1), ny * (nx - 1) + (ny - 1) * nx
    bottom, left = r * (nx - 1) + c, n_horizontal + r * nx + c
    around = np.stack([bottom, left + 1, bottom + nx - 1, left]) + frame * n_sides
    starts, ends = [], []
    for number, pairs in JOINS.items():
        cells = np.flatnonzero(kind == number)
        for one, other in pairs:
            starts.append(around[one, cells])
            ends.append(around[other, cells])
    return np.concatenate(starts), np.concatenate(ends)


def _places(sides: Ints, heights: Floats, x: Floats, y: Floats) -> tuple[Floats, Ints]:
    """Return where the level crosses each side, and the frame of the side."""
    _, ny, nx = heights.shape
    n_horizontal, n_sides = ny * (nx - 1), ny * (nx - 1) + (ny - 1) * nx
    frames, within = np.divmod(sides, n_sides)
    flat = within < n_horizontal
    r, c = np.where(flat, np.divmod(within, nx - 1), np.divmod(within - n_horizontal, nx))
    near, far = heights[frames, r, c], heights[frames, r + ~flat, c + flat]
    share = near / (near - far)
    places = np.column_stack([x[c] + flat * share * (x[1] - x[0]), y[r] + ~flat * share * (y[1] - y[0])])
    return places, frames


def _chains(starts: Sequence[int], ends: Sequence[int]) -> list[int]:
    """Return the sides in the order in which lines pass them; -1 after each line."""
    beside: dict[int, list[int]] = {}
    for one, other in zip(starts, ends, strict=True):
        beside.setdefault(one, []).append(other)
        beside.setdefault(other, []).append(one)
    order: list[int] = []
    for start in [*(side for side, others in beside.items() if len(others) == 1), *beside]:
        if not beside[start]:
            continue
        here = start
        order.append(here)
        while beside[here]:
            following = beside[here].pop()
            beside[following].remove(here)
            order.append(following)
            here = following
        order.append(-1)
    return order


def _straightened(vertices: Floats, width: Floats) -> Ints:
    """Return which vertices a line needs; every second one is asked for in each pass."""
    kept = np.arange(len(vertices))
    for _ in range(PASSES):
        if len(kept) < 3:
            break
        points = vertices[kept] / width
        before, middle, after = points[:-2:2], points[1:-1:2], points[2::2]
        (ax, ay), (bx, by) = (middle - before).T, (after - before).T
        length = np.hypot(bx, by)
        off = np.abs(ax * by - ay * bx) / np.where(length > 0, length, 1)
        dropped = 1 + 2 * np.flatnonzero((off < STRAIGHT) & (length > 0))
        kept = np.delete(kept, dropped)
    return kept
