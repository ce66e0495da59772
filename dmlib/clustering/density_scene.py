"""Marks and words of density-based clusterings: how rows look, and how far a row reaches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.core_graph import NOISE
from dmlib.pictures.ledger import Blocks, abridged, class_table
from dmlib.pictures.marks import NO_CLASS, Ellipses, Mark, Points
from dmlib.pictures.places import NOWHERE, line_through, points_at
from dmlib.pictures.plane import view_note
from dmlib.pictures.scene import Key, Panel
from dmlib.problem import Problem

MAX_FRAMES = 151  # one for each of 150 rows, and one for the end
CROSS = 4  # the class whose symbol is a cross
DOT = 1.0  # radius in pixels of the data's own marks, on which the rows are drawn as they look
MAX_KEYS = 6  # of clusters in the legend
MAX_LISTED = 8  # rows that are named in one line
MAX_CLUSTERS = 30  # lines of a table
BALLS = ("euclidean", "minkowski", "manhattan", "chebyshev")  # metrics whose balls are drawn

Metric = str | Callable[..., float]


def disc_note(problem: Problem) -> tuple[str, ...]:
    """Return a warning for views in which a row inside a disc may lie outside it."""
    return view_note(problem, "a row inside a disc may be farther away")


def reach_marks(
    problem: Problem,
    panel: Panel,
    metric: Metric,
    rows: NDArray[np.intp],
    radius: float,
    color: int,
) -> tuple[Mark, ...]:
    """Return the outline of the ball around one row, or of none; empty where it cannot be drawn."""
    return ball_marks(problem, panel, metric, problem.points[rows], radius, color)


def ball_marks(
    problem: Problem, panel: Panel, metric: Metric, places: Floats, radius: float, color: int
) -> tuple[Mark, ...]:
    """Return the outline of the ball around one place of the plane, or of none.

    A ball casts a disc on the plane, whatever the number of columns. The balls of the metrics
    besides the Euclidean are drawn where both axes are columns; elsewhere there is no mark, nor for
    a metric that the page does not offer.
    """
    if metric not in BALLS:
        return ()
    centers = places if np.isfinite(radius) else places[:0]
    size = min(radius, 4 * panel.size.max())  # so much fills the panel
    is_line = len(problem.features) == 1
    if metric in {"euclidean", "minkowski"} and not is_line:
        sizes, colors = np.full(len(centers), size), np.full(len(centers), color, np.uint8)
        x, y = centers.T
        return (Ellipses(x=x, y=y, rx=sizes, ry=sizes, color=colors, fill=0.1),)
    if not is_line and (problem.plane.basis != 0).sum() != 2:
        return ()
    corners = size * _unit_ball(metric, is_line)
    outline = centers[0] + corners if len(centers) else NOWHERE
    return (line_through(outline, color="accent"),)


def _unit_ball(metric: Metric, is_line: bool) -> Floats:
    if is_line:
        return np.array([[-1.0, 0.0], [1.0, 0.0]])
    corners = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    if metric == "manhattan":
        corners = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    return np.array([*corners, corners[0]], float)


def cluster_colors(labels: NDArray[Any]) -> NDArray[np.uint8]:
    """Return the colour of each row: that of its cluster, neutral for rows in none."""
    return np.where(labels < 0, NO_CLASS, labels % NO_CLASS).astype(np.uint8)


def cluster_keys(labels: NDArray[Any]) -> tuple[Key, ...]:
    """Return the entries of the legend for clusters; the last one stands for all others of many.

    Examples
    --------
    >>> [key.text for key in cluster_keys(np.array([1, 0, -1]))]
    ['cluster 1', 'cluster 2']
    >>> cluster_keys(np.arange(40))[-1].text
    '35 more clusters'
    """
    n = int(labels.max(initial=-1)) + 1
    named = n if n <= MAX_KEYS else MAX_KEYS - 1
    keys = tuple(Key(f"cluster {j + 1}", j) for j in range(named))
    return keys if named == n else (*keys, Key(f"{n - named} more clusters", named))


def labelled_points(
    problem: Problem, labels: NDArray[Any], is_border: NDArray[np.bool_] | None = None
) -> Points:
    """Return the rows as a step labels them: by cluster, noise as crosses, border points outlined.

    Parameters
    ----------
    problem : Problem
        The data.
    labels : ndarray of shape (n_samples,)
        The cluster of each row, -1 for noise, -2 for unvisited rows: grey dots.
    is_border : ndarray of bool, shape (n_samples,), optional
        Which rows are outlined.
    """
    colors = cluster_colors(labels)
    symbols = np.where(colors == NO_CLASS, 0, colors)
    symbols[labels == NOISE] = CROSS
    return points_at(
        problem.points, color=colors, symbol=symbols.astype(np.uint8), hollow=is_border
    )


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
    return [class_table(("rows",), [(int(size),) for size in sizes], "Clusters")]


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
    return abridged([str(problem.rows[row] + 1) for row in rows], MAX_LISTED, ", ")
