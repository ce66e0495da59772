"""What the scenes of density-based clusterings share: which steps are shown, and how far a row reaches."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.clustering.core_graph import NOISE
from dmlib.problem import Problem
from dmlib.scene import NO_CLASS, Ellipses, LedgerTable, Line, Mark, Panel, PerFrame
from dmlib.scenes.centers import Blocks

BUDGET = 150_000  # bytes of a scene
CROSS = 4  # the class whose symbol is a cross
MOST_LISTED = 8  # rows that are named in one line
MOST_CLUSTERS = 30  # lines of a table

Floats = NDArray[np.float64]


def frames_shown(n_steps: int, n_samples: int, bytes_of_a_frame: int) -> list[int]:
    """Return the steps that get a frame: all, or so many at equal distances, and the last, that the scene stays light.

    Examples
    --------
    >>> frames_shown(5, 100, 700)
    [0, 1, 2, 3, 4]
    >>> len(frames_shown(2001, 2000, 700))
    33
    """
    stride = -(-n_steps * (bytes_of_a_frame + 2 * n_samples) // BUDGET) if n_steps > 1 else 1
    return sorted({*range(0, n_steps - 1, stride), n_steps - 1})


def in_blocks(values: Floats, hidden: float, shown: Sequence[int]) -> Iterator[tuple[slice, PerFrame]]:
    """Yield values that appear one after the other, in blocks, so that a frame changes one block and not all of them.

    Value i is there from the frame of step i on, and ``hidden`` before.

    Examples
    --------
    >>> for block, rows in in_blocks(np.array([5.0, 6.0]), 0.0, [0, 1]):
    ...     print(block.start, [row.tolist() for row in rows.rows])
    0 [[5.0], [5.0]]
    1 [[0.0], [6.0]]
    """
    size = max(1, math.isqrt(len(values)))
    for start in range(0, len(values), size):
        block = values[start : start + size]
        there = [np.where(np.arange(len(block)) < n, block, hidden) for n in range(len(block) + 1)]
        rows = [there[min(max(step + 1 - start, 0), len(block))] for step in shown]
        yield slice(start, start + len(block)), PerFrame(rows)


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


def looks(labels: Sequence[NDArray[Any]]) -> tuple[PerFrame, PerFrame]:
    """Return colour and symbol of each row in each frame: by cluster; noise (-1) is a cross, the rest (-2) a dot."""
    colors = [cluster_colors(each) for each in labels]
    symbols = [
        np.where(each == NOISE, CROSS, np.where(color == NO_CLASS, 0, color)).astype(np.uint8)
        for each, color in zip(labels, colors, strict=True)
    ]
    return PerFrame(colors), PerFrame(symbols)


def cluster_names(n_clusters: int) -> list[str]:
    """Return the names of the clusters as tooltips show them; as many as there are colours."""
    return [f"cluster {j + 1}" for j in range(min(n_clusters, NO_CLASS))]


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
