"""Reading clusters off a reachability curve: where to cut it, and what lies below."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dmlib.clustering.neighbors import Floats, Indices


def cut_reachability(ordering: ArrayLike, reachability: ArrayLike, core_distances: ArrayLike, eps: float) -> Indices:
    """Cut a reachability curve horizontally and return the clusters below the cut.

    Going along the order, a row above the cut starts a cluster if it is a core point at that radius, and is noise if
    not; a row below the cut belongs to the cluster that was started last. Core points get the clusters of
    ``DBSCAN(eps)``; a border point that comes before its core points is noise here.

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
    >>> cut_reachability([0, 1, 2, 3], [float("inf"), 1.0, 5.0, 1.0], [1.0, 1.0, 1.0, 1.0], 2.0).tolist()
    [0, 0, 1, 1]
    """
    order, far, core = np.asarray(ordering), np.asarray(reachability) > eps, np.asarray(core_distances) <= eps
    labels = np.empty(len(order), np.intp)
    labels[order] = np.cumsum((far & core)[order]) - 1
    labels[far & ~core] = -1
    return labels


def cut_height(cut: float | str, reachability: Floats, max_eps: float = np.inf) -> float:
    """Return the height of a cut, for "auto" a suggestion; never more than ``max_eps``.

    The suggestion is in the widest gap, as a ratio, between the larger half of the reachabilities: there the bars
    within clusters end and those between them begin.

    Examples
    --------
    >>> reachability = np.array([np.inf, 1.0, 1.0, 1.1, 9.0, 1.2, 1.0, 10.0])
    >>> cut_height("auto", reachability), cut_height(2.5, reachability, max_eps=2.0)
    (3.3, 2.0)
    """
    return min(_widest_gap(reachability) if isinstance(cut, str) else cut, max_eps)


def _widest_gap(reachability: Floats) -> float:
    finite = np.sort(reachability[np.isfinite(reachability)])
    upper = finite[len(finite) // 2 :]
    logs = np.log(upper[upper > 0])
    if not logs.size:
        return 1.0
    gaps = np.diff(logs)
    if gaps.max(initial=0.0) == 0:
        return float(f"{1.1 * upper[-1]:.2g}")
    widest = gaps.argmax()
    return float(f"{np.exp((logs[widest] + logs[widest + 1]) / 2):.2g}")
