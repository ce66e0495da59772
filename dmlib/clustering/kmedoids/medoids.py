"""Rows divided among medoids by a distance matrix, and the effect of builds and swaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import PAIRWISE_DISTANCE_FUNCTIONS

from dmlib.arrays import Floats
from dmlib.clustering.kmedoids.mixed import Gower
from dmlib.clustering.neighbors import MINKOWSKI, NAMES, refuse_constant_rows
from dmlib.squares import check_squares
from dmlib.trace import look

Indices = NDArray[np.intp]

BLOCK = 2**16
"""Distances that are worked on at once: with what comes from them they stay in the cache."""

METRICS = tuple(
    sorted(
        {*PAIRWISE_DISTANCE_FUNCTIONS, *MINKOWSKI, "correlation", "sqeuclidean"}
        - {"precomputed", "nan_euclidean", "haversine"}
    )
)


def distances_between(X: Floats, places: Floats, metric: Any) -> Floats:
    """Return the distance of each row to each of the others, shape (n_samples, n_others).

    Raises
    ------
    ValueError
        If the metric has no such name, or values are too large for it.

    Examples
    --------
    >>> distances_between(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]]), "manhattan").tolist()
    [[7.0]]
    """
    if isinstance(metric, str) and metric == "precomputed":
        return _checked(X)
    own = isinstance(metric, Gower)
    if not own and not callable(metric) and metric not in METRICS:
        names = ", ".join([*METRICS, "gower", "precomputed"])
        raise ValueError(f"metric must be a function or one of {names}; it was {metric!r}.")
    check_squares(np.vstack([X, places]))
    if own:
        return np.asarray(metric.between(X, places))
    if not callable(metric) and metric in MINKOWSKI:  # from differences, so that ties stay ties
        distances: Floats = cdist(X, places, NAMES[MINKOWSKI[metric]])
        return distances
    if isinstance(metric, str) and metric == "sqeuclidean":
        squares: Floats = cdist(X, places, metric)
        return squares
    if isinstance(metric, str) and metric == "correlation":
        refuse_constant_rows(np.vstack([X, places]))
    distances = np.asarray(pairwise_distances(X, places, metric), float)
    if callable(metric) and not distances.min(initial=0.0) >= 0:
        raise ValueError(
            "The metric gives a negative number, or none, for some rows. "
            "Take one that is at least 0."
        )
    return distances


def _checked(D: Floats) -> Floats:
    if D.shape[0] != D.shape[1] or D.min() < 0 or _asymmetry(D) > 1e-8 * D.max():
        raise ValueError(
            "A precomputed matrix must be square and symmetric, with distances of at least 0. "
            "Give the distances of all rows to all rows."
        )
    return D


def _asymmetry(D: Floats) -> float:
    """Return the largest difference of a distance and that of the way back."""
    return max(
        float(np.abs(D[block] - D[:, block].T).max()) for block in _blocks(D, slice(0, len(D)))
    )


@dataclass(frozen=True)
class Division:
    """Each row with its nearest medoid and the one after it.

    Attributes
    ----------
    medoids : ndarray of shape (n_clusters,)
        The rows that are medoids.
    labels : ndarray of shape (n_samples,)
        The number of the nearest; a medoid has its own, and other ties go to the lower number.
    nearest, second : ndarray of shape (n_samples,)
        The distances to the nearest medoid and to the second nearest, infinite where there is none.
    """

    medoids: Indices
    labels: NDArray[np.int32]
    nearest: Floats
    second: Floats

    @property
    def total(self) -> float:
        """The total deviation."""
        return float(self.nearest.sum())


def divide(D: Floats, medoids: Indices) -> Division:
    """Assign each row to its nearest medoid: O(n k).

    Examples
    --------
    >>> D = np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 3.0], [4.0, 3.0, 0.0]])
    >>> divide(D, np.array([0, 2])).labels.tolist()
    [0, 0, 1]
    """
    to = D[:, medoids]
    labels = to.argmin(axis=1)
    labels[medoids] = np.arange(len(medoids))
    rows = np.arange(len(D))
    nearest = to[rows, labels]
    to[rows, labels] = np.inf
    return Division(medoids, labels.astype(np.int32), nearest, to.min(axis=1))


def gains(D: Floats, nearest: Floats | None) -> Floats:
    """Return how much each row would lower the total deviation as a further medoid.

    Of the first medoid, ``near`` being None, minus the total deviation that it leaves. O(n^2).
    """
    gain: Floats = -D.sum(axis=1)
    if nearest is None:
        return gain
    for block in _blocks(D, slice(0, len(D))):
        nearer = nearest - D[block]
        gain[block] = np.maximum(nearer, 0.0, out=nearer).sum(axis=1)
    return gain


def swap_changes(D: Floats, division: Division, candidates: slice = slice(None)) -> Floats:
    """Return by how much each swap changes the total deviation, shape (n_clusters, n_candidates).

    Entry (i, c) is for medoid i out and row c in; of medoids themselves it is infinite. All n (n -
    k) k terms are shared: what a candidate attracts is the same whichever medoid goes, and only the
    rows of that medoid differ (Schubert and Rousseeuw, 2019, section 3.1).
    """
    first, end, _ = candidates.indices(len(D))
    members = (division.labels[:, None] == np.arange(len(division.medoids))).astype(float)
    changes = np.empty((len(division.medoids), end - first))
    for block in _blocks(D, slice(first, end)):
        to = D[block]  # a row of the symmetric matrix lies in one piece, a column does not
        nearest = np.minimum(to, division.nearest)
        losses = np.minimum(to, division.second)
        losses -= nearest  # what a row pays more if its own medoid goes
        nearest -= division.nearest
        changes[:, block.start - first : block.stop - first] = (
            nearest.sum(axis=1) + (losses @ members).T
        )
    changes[:, division.medoids[(division.medoids >= first) & (division.medoids < end)] - first] = (
        np.inf
    )
    return changes


def built_rows(D: Floats, n_clusters: int) -> Iterator[tuple[Floats, int]]:
    """Yield the gains of all rows, and the row that is the best further medoid."""
    nearest: Floats | None = None
    chosen: list[int] = []
    for _ in range(n_clusters):
        gain = gains(D, nearest)
        gain[chosen] = -np.inf
        row = int(gain.argmax())
        yield gain, row
        chosen.append(row)
        nearest = D[row] if nearest is None else np.minimum(nearest, D[row])


def spread_rows(D: Floats, n_clusters: int, rng: Any) -> list[int]:
    """Draw rows by their squared distance to those before; where all are 0, any other row."""
    chosen = [int(rng.randint(len(D)))]
    while len(chosen) < n_clusters:
        look()
        weights = D[chosen].min(axis=0) ** 2
        if not weights.any():
            weights = np.ones(len(D))
        weights[chosen] = 0.0
        chosen.append(int(rng.choice(len(D), p=weights / weights.sum())))
    return chosen


def nearest_rows(X: Floats, places: Floats, metric: Any) -> list[int]:
    """Return the row nearest to each place, each row once."""
    chosen: list[int] = []
    for distances in distances_between(places, X, metric):
        distances[chosen] = np.inf
        chosen.append(int(distances.argmin()))
    return chosen


def _blocks(D: Floats, rows: slice) -> Iterator[slice]:
    """Yield slices of some rows that have about ``BLOCK`` distances each."""
    size = max(1, BLOCK // len(D))
    for start in range(rows.start, rows.stop, size):
        look()
        yield slice(start, min(start + size, rows.stop))
