"""A tree of merges in SciPy's format: the formula that its distances follow, and how it is cut."""

from __future__ import annotations

from heapq import heappush, heappushpop
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats

Labels = NDArray[np.intp]

SQUARED = ("centroid", "ward")
"""The linkages whose formula holds for squared Euclidean distances."""


def lance_williams(linkage: str, n_i: float, n_j: float, n_k: Any) -> tuple[Any, Any, Any, float]:
    r"""Return the coefficients of the formula that gives the distances to a merged cluster.

    After the merge of i and j, :math:`d_{(ij)k} = \alpha_i d_{ik} + \alpha_j d_{jk} + \beta d_{ij}
    + \gamma |d_{ik} - d_{jk}|` for every other cluster k. For the linkages in ``SQUARED``, each d
    is a squared Euclidean distance.

    Parameters
    ----------
    linkage : {"single", "complete", "average", "centroid", "ward"}
        The linkage.
    n_i, n_j : int
        The sizes of the two clusters that merge.
    n_k : int or array of int
        The sizes of the others.

    Returns
    -------
    tuple
        The two alphas, beta and gamma; arrays where they depend on an array ``n_k``.

    References
    ----------
    G. N. Lance and W. T. Williams (1967), A general theory of classificatory sorting strategies,
    equation 1.

    Examples
    --------
    >>> lance_williams("average", 1, 3, 5)
    (0.25, 0.75, 0.0, 0.0)
    >>> lance_williams("ward", 1, 1, 2)
    (0.75, 0.75, -0.5, 0.0)
    """
    n_ij = n_i + n_j
    if linkage in ("single", "complete"):
        return 0.5, 0.5, 0.0, -0.5 if linkage == "single" else 0.5
    if linkage == "average":
        return n_i / n_ij, n_j / n_ij, 0.0, 0.0
    if linkage == "centroid":
        return n_i / n_ij, n_j / n_ij, -n_i * n_j / n_ij**2, 0.0
    return (n_i + n_k) / (n_ij + n_k), (n_j + n_k) / (n_ij + n_k), -n_k / (n_ij + n_k), 0.0


def merged_distances(
    linkage: str,
    to_i: Floats,
    to_j: Floats,
    between: float,
    sizes: tuple[int, int],
    n_k: NDArray[np.intp],
) -> Floats:
    """Return the distances of the other clusters to the one that two clusters merge into.

    ``to_i`` and ``to_j`` are their distances to the two, ``between`` is that of the two, ``sizes``
    are their sizes and ``n_k`` those of the others. All are plain distances, also for the linkages
    in ``SQUARED``.

    Examples
    --------
    >>> to_first, to_second = np.array([3.0]), np.array([5.0])
    >>> merged_distances("single", to_first, to_second, 1.0, (1, 1), np.array([1])).tolist()
    [3.0]
    """
    power = 2 if linkage in SQUARED else 1
    d_ik, d_jk, d_ij = to_i**power, to_j**power, between**power
    alpha_i, alpha_j, beta, gamma = lance_williams(linkage, *sizes, n_k)
    new = alpha_i * d_ik + alpha_j * d_jk + beta * d_ij + gamma * np.abs(d_ik - d_jk)
    merged: Floats = np.sqrt(np.maximum(new, 0.0)) if power == 2 else new
    return merged


def clusters_below(linkage: ArrayLike, height: float) -> int:
    """Return the number of clusters of a cut at a height: merges at it and above are undone.

    A merge that lies lower than an earlier one (an inversion) counts as high as that one.

    Examples
    --------
    >>> clusters_below([[0, 1, 1.0, 2], [2, 3, 4.0, 3]], 2.5)
    2
    """
    tree = np.asarray(linkage, float)
    return int(
        len(tree) + 1 - np.searchsorted(np.maximum.accumulate(tree[:, 2]), height, side="left")
    )


def cut_tree(linkage: ArrayLike, n_clusters: int) -> Labels:
    """Return the cluster of each row, as scikit-learn numbers them, without the last merges.

    Notes
    -----
    O(n log n).

    Examples
    --------
    >>> cut_tree([[0, 1, 1.0, 2], [2, 3, 4.0, 3]], 2).tolist()
    [0, 0, 1]
    """
    children = np.asarray(linkage, float)[:, :2].astype(np.intp)
    n_kept = len(children) + 1 - n_clusters
    top = node_tops(children, n_kept)
    number = np.zeros(len(top), np.intp)
    number[_roots(children, n_clusters)] = np.arange(n_clusters)
    labels: Labels = number[top[: len(children) + 1]]
    return labels


def node_tops(children: NDArray[np.intp], n_merges: int) -> NDArray[np.intp]:
    """Return the highest node above each node of a tree after the first merges, or itself.

    Examples
    --------
    >>> node_tops(np.array([[0, 1], [2, 3]]), 1).tolist()
    [3, 3, 2, 3, 4]
    """
    n_leaves = len(children) + 1
    top = np.arange(n_leaves + len(children))
    top[children[:n_merges].ravel()] = np.repeat(np.arange(n_leaves, n_leaves + n_merges), 2)
    # A chain of any length ends after as many rounds as its length has binary digits.
    while not np.array_equal(top, higher := top[top]):
        top = higher
    return top


def _roots(children: NDArray[np.intp], n_clusters: int) -> list[int]:
    """Return the top nodes of the clusters as scikit-learn numbers them: in a heap's order."""
    n_leaves = len(children) + 1
    heap = [-2 * (n_leaves - 1)]
    for _ in range(n_clusters - 1):
        first, second = children[-heap[0] - n_leaves].tolist()
        heappush(heap, -first)
        heappushpop(heap, -second)
    return [-node for node in heap]
