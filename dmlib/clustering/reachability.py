"""Reading clusters off a reachability curve: where to cut it, and what lies below."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.clustering.neighbors import Indices


def cut_reachability(
    ordering: ArrayLike, reachability: ArrayLike, core_distances: ArrayLike, eps: float
) -> Indices:
    """Cut a reachability curve horizontally and return the clusters below the cut.

    Going along the order, a row above the cut starts a cluster if it is a core point at that
    radius, and is noise if not; a row below the cut belongs to the cluster that was started last.
    Core points get the clusters of ``DBSCAN(eps)``; a border point that comes before its core
    points is noise here.

    Parameters
    ----------
    ordering, reachability, core_distances : array-like of shape (n_samples,)
        What ``OPTICS`` found.
    eps : float
        The height of the cut.

    Returns
    -------
    ndarray of shape (n_samples,)
        The cluster of each row; -1 for noise.

    References
    ----------
    M. Ankerst et al. (1999), OPTICS, figure 8 (ExtractDBSCAN-Clustering).

    Examples
    --------
    >>> reachability, core_distances = [float("inf"), 1.0, 5.0, 1.0], [1.0, 1.0, 1.0, 1.0]
    >>> cut_reachability(range(4), reachability, core_distances, 2.0).tolist()
    [0, 0, 1, 1]
    """
    order = np.asarray(ordering)
    far, core = np.asarray(reachability) > eps, np.asarray(core_distances) <= eps
    labels = np.empty(len(order), np.intp)
    labels[order] = np.cumsum((far & core)[order]) - 1
    labels[far & ~core] = -1
    return labels


def cut_height(
    cut: float | str, reachability: Floats, core_distances: Floats, max_eps: float = np.inf
) -> float:
    """Return the height of a cut, for "auto" a suggestion; never more than ``max_eps``.

    The suggestion is the middle of the widest range of heights that give the same number, two or
    more, of clusters, among heights at which at least half the rows are core points.

    Examples
    --------
    >>> reachability, core_distances = np.array([np.inf, 1.0, 8.0, 1.0]), np.ones(4)
    >>> cut_height("auto", reachability, core_distances)
    4.5
    >>> cut_height(9.0, reachability, core_distances, max_eps=5.0)
    5.0
    """
    if not isinstance(cut, str):
        return min(cut, max_eps)
    edges, n_clusters = cluster_counts(reachability, core_distances, max_eps)
    if not edges.size:
        return min(1.0, max_eps)
    number, low, high = widest_range(edges, n_clusters, typical(core_distances))
    suggestion = f"{(low + high) / 2:.3g}" if number else f"{1.1 * edges[-1]:.2g}"
    return min(float(suggestion) or 1.0, max_eps)


def cluster_counts(
    reachability: Floats, core_distances: Floats, max_eps: float = np.inf
) -> tuple[Floats, Indices]:
    """Return the heights at which the number of clusters changes, and the number from each on.

    A row starts a cluster of every cut between its core distance and its reachability. The number
    of clusters is also that of DBSCAN with ``eps`` at the height: OPTICS starts each connected
    group of core points once.

    Examples
    --------
    >>> reachability, core_distances = np.array([np.inf, 1.0, 8.0, 1.0]), np.ones(4)
    >>> [values.tolist() for values in cluster_counts(reachability, core_distances)]
    [[1.0, 8.0], [2, 1]]
    """
    starts = reachability > core_distances
    ends = [np.sort(distances[starts]) for distances in (core_distances, reachability)]
    edges = np.unique(np.concatenate([*ends, [max_eps] * bool(starts.any())]))
    edges = edges[np.isfinite(edges)]
    n_started, n_ended = (np.searchsorted(distances, edges, side="right") for distances in ends)
    return edges, n_started - n_ended


def widest_range(
    edges: Floats, n_clusters: Indices, lowest: float = 0.0
) -> tuple[int, float, float]:
    """Return the number of clusters over the widest range of heights, two or more, and the range.

    Zeros if there is none.

    Examples
    --------
    >>> widest_range(np.array([1.0, 2.0, 5.0, 6.0]), np.array([3, 2, 2, 1]))
    (2, 2.0, 6.0)
    """
    changes = np.flatnonzero(np.diff(n_clusters, prepend=-1))
    bounds = np.maximum(np.append(edges[changes], edges[-1:]), lowest)
    widths = np.where(n_clusters[changes] > 1, np.diff(bounds), 0.0)
    if widths.max(initial=0.0) == 0:
        return 0, 0.0, 0.0
    widest = widths.argmax()
    return int(n_clusters[changes[widest]]), float(bounds[widest]), float(bounds[widest + 1])


def typical(core_distances: Floats) -> float:
    """Return the height from which at least half the rows that can be core points are."""
    dense = core_distances[np.isfinite(core_distances)]
    return float(np.median(dense)) if dense.size else 0.0
