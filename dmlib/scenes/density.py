"""What the scenes of density-based clusterings share: which steps are shown, and how far a row reaches."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.clustering.core_graph import NOISE
from dmlib.problem import Problem
from dmlib.scene import NO_CLASS, Ellipses, LedgerTable, Line, Mark, Panel, PerFrame, Points
from dmlib.scenes.centers import Blocks

BUDGET = 150_000  # bytes of a scene
BYTES_OF_A_LEAP = 45  # that a frame takes for every step that is left out before it
FEWEST = 30  # frames that a scene has, light or not
CROSS = 4  # the class whose symbol is a cross
DOT = 1.0  # radius in pixels of the data's own marks, on which the rows are drawn as they look
MOST_LISTED = 8  # rows that are named in one line
MOST_CLUSTERS = 30  # lines of a table

Floats = NDArray[np.float64]


def frames_shown(sizes: ArrayLike, fixed: float = 0.0) -> list[int]:
    """Return the steps that get a frame: all, or some at equal distances and the last, so that the scene is light.

    ``sizes`` are the bytes that each step takes, ``fixed`` those of all that does not change.

    Examples
    --------
    >>> frames_shown([700.0] * 5)
    [0, 1, 2, 3, 4]
    >>> len(frames_shown([1000.0] * 201))
    101
    """
    each = np.asarray(sizes, float)
    last = len(each) - 1
    stride = 0
    while True:
        stride += 1
        shown = sorted({*range(0, last, stride), last})
        light = fixed + (each[shown] + BYTES_OF_A_LEAP * (stride - 1)).sum() <= BUDGET
        if light or len(shown) <= FEWEST:
            return shown


def in_blocks(
    values: Floats, shown: Sequence[int], hidden: float, first: ArrayLike, last: ArrayLike = np.inf
) -> Iterator[tuple[slice, PerFrame]]:
    """Yield values that come and go, in blocks, so that a frame changes one or two blocks and not all of them.

    Value i is there in the frames of the steps from ``first[i]`` to ``last[i]``, and ``hidden`` in the others. Sorted
    by these steps the blocks change least.

    Examples
    --------
    >>> for block, rows in in_blocks(np.array([5.0, 6.0]), [0, 1, 2], 0.0, [0, 1], [1, 1]):
    ...     print(block.start, [row.tolist() for row in rows.rows])
    0 [[5.0], [5.0], [0.0]]
    1 [[0.0], [6.0], [0.0]]
    """
    n = len(values)
    starts, ends = np.broadcast_to(first, n), np.broadcast_to(last, n)
    steps = np.asarray(shown)[:, None]
    size = max(1, math.isqrt(n))
    for start in range(0, n, size):
        block = slice(start, min(start + size, n))
        there = (starts[block] <= steps) & (steps <= ends[block])
        yield block, per_frame(np.where(there, values[block], hidden))


def thinned_note(shown: Sequence[int]) -> tuple[str, ...]:
    """Return the sentence that says that not every step is shown."""
    if len(shown) < 3 or shown[1] - shown[0] == 1:
        return ()
    return (f"These are many rows: one frame in {shown[1] - shown[0]} steps is shown.",)


def view_note(problem: Problem) -> tuple[str, ...]:
    """Return a warning for views in which a row inside a disc may lie outside it."""
    if problem.plane.exact:
        return ()
    n = len(problem.features)
    return (f"Distances count all {n} columns; in this view of them, a row inside a disc may be farther away.",)


def reach_mark(
    problem: Problem,
    panel: Panel,
    metric: str,
    rows: Sequence[int | None],
    radii: Sequence[float],
    colors: Sequence[int],
) -> tuple[Mark, ...]:
    """Return the outline of what is within a radius of a row, for each frame; nothing where it cannot be drawn.

    A ball around a row casts a disc on the plane, whatever the number of columns. The balls of the other two metrics
    are drawn where both axes are columns.
    """
    far = 4 * max(panel.x.high - panel.x.low, panel.y.high - panel.y.low)
    sizes = [min(radius, far) if np.isfinite(radius) else np.nan for radius in radii]
    centers = [np.full(2, np.nan) if row is None else problem.points[row] for row in rows]
    one = len(problem.features) == 1
    if metric in {"euclidean", "minkowski"} and not one:
        x, y = (PerFrame([center[[axis]] for center in centers]) for axis in (0, 1))
        size = PerFrame([np.array([size]) for size in sizes])
        color = PerFrame([np.array([color], np.uint8) for color in colors])
        return (Ellipses(x=x, y=y, rx=size, ry=size, color=color, fill=0.1),)
    unit = _unit_ball(metric, one)
    if not one and (problem.plane.basis != 0).sum() != 2:
        return ()
    outlines = [center + size * unit for center, size in zip(centers, sizes, strict=True)]
    x, y = (PerFrame([outline[:, axis] for outline in outlines]) for axis in (0, 1))
    return (Line(x=x, y=y, color="accent"),)


def _unit_ball(metric: str, one: bool) -> Floats:
    if one:
        return np.array([[-1.0, 0.0], [1.0, 0.0]])
    corners = [(1, 0), (0, 1), (-1, 0), (0, -1)] if metric == "manhattan" else [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    return np.array([*corners, corners[0]], float)


def cluster_colors(labels: NDArray[Any]) -> NDArray[np.uint8]:
    """Return the colour of each row: that of its cluster, neutral for rows in none."""
    return np.where(labels < 0, NO_CLASS, labels % NO_CLASS).astype(np.uint8)


def rows_in_blocks(
    problem: Problem, labels: NDArray[Any], order: NDArray[np.intp], border: NDArray[np.bool_] | None = None
) -> list[Points]:
    """Return the rows as they look in each frame, in blocks: by cluster, noise as crosses, border points outlined.

    Parameters
    ----------
    problem : Problem
        The data.
    labels : ndarray of shape (n_frames, n_samples)
        The cluster of each row, -1 for noise, -2 for rows that are not come to yet: grey dots.
    order : ndarray
        The rows in the order in which they get a label: then few blocks change from frame to frame.
    border : ndarray of shape (n_frames, n_samples), optional
        Which rows are outlined.
    """
    marks = []
    x, y = problem.points.T
    size = max(1, math.isqrt(len(order)))
    for start in range(0, len(order), size):
        rows = order[start : start + size]
        mine = labels[:, rows]
        hollow = np.zeros(mine.shape, bool) if border is None else border[:, rows]
        colors = cluster_colors(mine)
        symbols = np.where(mine == NOISE, CROSS, np.where(colors == NO_CLASS, 0, colors)).astype(np.uint8)
        color, symbol, outlined = map(per_frame, (colors, symbols, hollow))
        marks.append(Points(x=x[rows], y=y[rows], color=color, symbol=symbol, hollow=outlined))
    return marks


def per_frame(values: NDArray[Any]) -> PerFrame:
    """Return the rows of an array as a channel, in which a row that is as the one before is the same object.

    Examples
    --------
    >>> rows = per_frame(np.array([[1, 2], [1, 2], [1, 3]])).rows
    >>> rows[0] is rows[1], rows[2].tolist()
    (True, [1, 3])
    """
    rows = list(values[:1])
    for i, changed in enumerate((values[1:] != values[:-1]).any(axis=1), start=1):
        rows.append(values[i] if changed else rows[-1])
    return PerFrame(rows)


def cluster_sizes(labels: NDArray[Any]) -> Blocks:
    """Return the table of the clusters' sizes, the first of many; none if there is no cluster.

    Examples
    --------
    >>> cluster_sizes(np.array([0, 1, 0, -1]))[0].rows
    [(2,), (1,)]
    """
    sizes = np.bincount(labels[labels >= 0])
    if not sizes.size:
        return []
    more = f" (the first {MOST_CLUSTERS} of {len(sizes)})" if len(sizes) > MOST_CLUSTERS else ""
    return [LedgerTable(("rows",), [(int(size),) for size in sizes[:MOST_CLUSTERS]], f"Clusters{more}", classes=True)]


def listed(problem: Problem, rows: Sequence[int] | NDArray[np.intp]) -> str:
    """Return row numbers for a sentence, the first few of many.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"a": np.arange(20.0)}), ["a"])
    >>> listed(problem, range(3)), listed(problem, range(20))
    ('1, 2, 3', '1, 2, 3, 4, 5, 6, 7, 8, …')
    """
    names = [str(problem.rows[row] + 1) for row in rows[:MOST_LISTED]]
    return ", ".join([*names, *(["…"] if len(rows) > MOST_LISTED else [])])
