"""A tree of merges as a drawing: the places of its nodes, and marks that grow with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import leaves_list

from dmlib.arrays import Floats
from dmlib.pictures.marks import NO_CLASS, Segments
from dmlib.pictures.places import segments_between

Indices = NDArray[np.intp]


@dataclass(frozen=True)
class Layout:
    """The places of the nodes of a tree."""

    order: Indices  # (n_samples,): the leaves from left to right, so that no branches cross
    # (2 * n_samples - 1,): the place of each node: a leaf stands at its position in ``order`` and
    # at 0, a merge above the middle of its two nodes, at its height
    x: Floats
    y: Floats


def layout(tree: Floats) -> Layout:
    """Place the nodes of a tree that has SciPy's format.

    Examples
    --------
    >>> places = layout(np.array([[0, 2, 1.0, 2], [1, 3, 4.0, 3]]))
    >>> places.order.tolist(), places.x.tolist(), places.y.tolist()
    ([1, 0, 2], [1.0, 0.0, 2.0, 1.5, 0.75], [0.0, 0.0, 0.0, 1.0, 4.0])
    """
    n_leaves = len(tree) + 1
    order = leaves_list(tree).astype(np.intp)
    x = np.empty(2 * n_leaves - 1)
    x[order] = np.arange(n_leaves)
    for node, (first, second) in enumerate(tree[:, :2].astype(int), start=n_leaves):
        x[node] = (x[first] + x[second]) / 2
    return Layout(order, x, np.concatenate([np.zeros(n_leaves), tree[:, 2]]))


def brackets(tree: Floats, places: Layout) -> Floats:
    """Return the strokes x0, y0, x1, y1 of each merge, shape (n_merges, 3, 4): up, across, down.

    Examples
    --------
    >>> tree = np.array([[0, 1, 1.0, 2]])
    >>> brackets(tree, layout(tree)).tolist()
    [[[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 0.0]]]
    """
    (x0, x1), (y0, y1) = (values[tree[:, :2].astype(int)].T for values in (places.x, places.y))
    top = tree[:, 2]
    strokes = [(x0, y0, x0, top), (x0, top, x1, top), (x1, top, x1, y1)]
    return np.stack([np.column_stack(stroke) for stroke in strokes], axis=1)


def strokes_until(
    strokes: Floats, colors: NDArray[np.uint8], n: int, **attributes: Any
) -> Segments:
    """Return the segments of the first ``n`` strokes.

    Parameters
    ----------
    strokes : ndarray of shape (n_strokes, m, 4)
        The x0, y0, x1, y1 of the m segments that come together.
    colors : ndarray of shape (n_strokes,)
        Their class.
    n : int
        The number of strokes that are drawn.
    **attributes
        Those of the mark.

    Examples
    --------
    >>> strokes_until(np.ones((2, 1, 4)), np.zeros(2, np.uint8), 1).x0.tolist()
    [1.0]
    """
    ends = strokes[:n].reshape(-1, 4)
    color = np.repeat(colors[:n], strokes.shape[1])
    return segments_between(ends[:, :2], ends[:, 2:], color=color, **attributes)


def hull(points: Floats) -> Floats:
    """Return the corners of the convex hull of points, anticlockwise and closed.

    References
    ----------
    A. M. Andrew (1979), Another efficient algorithm for convex hulls in two dimensions.

    Examples
    --------
    >>> hull(np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [0.5, 0.5]])).tolist()
    [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [0.0, 0.0]]
    """
    ascending = sorted(set(map(tuple, points.tolist())))
    below, above = _chain(ascending), _chain(ascending[::-1])
    corners = below[:-1] + above[:-1] or ascending
    return np.array([*corners, corners[0]])


def _chain(points: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
    chain: list[tuple[float, ...]] = []
    for x, y in points:
        while len(chain) > 1:
            (ax, ay), (bx, by) = chain[-2:]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                break
            chain.pop()
        chain.append((x, y))
    return chain


def cut_height(heights: Floats, n_clusters: int) -> float:
    """Return a height at which a cut leaves so many clusters: in the middle between two merges.

    A merge that is lower than an earlier one counts as high as that. Where two merges are equally
    high, a cut between them is not possible, and their height is returned.

    Examples
    --------
    >>> cut_height(np.array([1.0, 2.0, 4.0]), 2), cut_height(np.array([1.0, 2.0, 4.0]), 1)
    (3.0, 4.2)
    """
    rising = np.maximum.accumulate(heights)
    n_below = len(rising) + 1 - n_clusters
    below = rising[n_below - 1] if n_below else 0.0
    if n_below == len(rising):
        return float(1.05 * below) or 1.0
    return float((below + rising[n_below]) / 2)


def paint(
    tree: Floats, labels: Indices, n_below: int
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the classes of leaves and merges: the clusters of a cut above ``n_below`` merges.

    A row alone in its cluster, and a merge above the cut, have no class.

    Examples
    --------
    >>> tree = np.array([[0, 1, 1.0, 2], [2, 3, 4.0, 3]])
    >>> [values.tolist() for values in paint(tree, np.array([0, 0, 1]), 1)]
    [[0, 0, 255], [0, 255]]
    """
    is_alone = np.bincount(labels)[labels] == 1
    leaves = np.where(is_alone, NO_CLASS, labels % NO_CLASS).astype(np.uint8)
    leaf_below = np.arange(2 * len(tree) + 1)
    for node, first in enumerate(tree[:, 0].astype(int), start=len(tree) + 1):
        leaf_below[node] = leaf_below[first]
    merges = leaves[leaf_below[len(tree) + 1 :]]
    merges[n_below:] = NO_CLASS
    return leaves, merges
