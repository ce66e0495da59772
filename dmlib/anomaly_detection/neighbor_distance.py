"""The distance to the k-th neighbour: rows far from their neighbours are anomalies."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from sklearn.neighbors import NearestNeighbors

from dmlib.anomaly_detection.detector import (
    THRESHOLD,
    Detector,
    DetectorStep,
    no_scores,
    score_by_row,
)
from dmlib.anomaly_detection.fences import FENCE
from dmlib.arrays import Floats, Ints
from dmlib.params import Integer, Param


@dataclass(frozen=True, kw_only=True)
class NeighborStep(DetectorStep):
    """One step of a detector that compares rows with their neighbours.

    Attributes
    ----------
    phase : {"score", "mark"}
        Rows were scored; rows were marked.
    neighbors : ndarray of shape (n_samples, k)
        The k nearest other rows of each row, the nearest first.
    distances : ndarray of shape (n_samples, k)
        Their distances.
    n_neighbors : int
        How many neighbours are used: k, or all other rows where these are fewer.
    """

    neighbors: Ints
    distances: Floats
    n_neighbors: int


class KthNeighborDistance(Detector[NeighborStep]):
    """Mark rows whose k-th nearest other row is far away.

    Parameters
    ----------
    n_neighbors : int, default=5
        Which neighbour: k.
    contamination : float or "auto", default="auto"
        The share of the rows that are marked, those with the highest scores. "auto": those beyond
        the upper fence of a box plot of the scores, 1.5 interquartile ranges above the upper
        quartile.
    threshold : float or None, default=None
        The score above which rows are marked; it overrides the share.
    anomaly_class : int, default=0
        The number of the class of known anomalies, from 1: the code plus 1. The scores do not
        depend on it; 0 for none.

    Attributes
    ----------
    scores_ : ndarray of shape (n_samples,)
        The distance of each row to its k-th nearest other row.
    threshold_ : float
        The score above which rows are marked.
    anomalies_ : ndarray of bool, shape (n_samples,)
        Which rows are marked.
    n_anomalies_ : int
        How many these are.
    precision_, recall_, auc_ : float or None
        Of the marked rows, the share of known anomalies; of these, the share that is marked; and
        the area under the ROC curve of the scores. None where nothing is known.
    n_neighbors_ : int
        How many neighbours are used: k, or all other rows where these are fewer.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a parameter is out of bounds.

    Notes
    -----
    O(n log n) in a few columns, O(n²) in many. Distances are Euclidean. A new row is no neighbour
    of itself, so that one that equals a row of ``fit`` has a smaller score than that. One
    threshold holds everywhere, so it fails where groups are of different density.

    References
    ----------
    S. Ramaswamy, R. Rastogi and K. Shim (2000), Efficient algorithms for mining outliers from large
    data sets, section 2.

    Examples
    --------
    >>> model = KthNeighborDistance(2).fit([[0.0], [1.0], [2.0], [3.0], [9.0]])
    >>> model.scores_.tolist(), model.threshold_, model.anomalies_.tolist()
    ([2.0, 1.0, 1.0, 2.0, 7.0], 3.5, [False, False, False, False, True])
    """

    KEPT: ClassVar[tuple[str, ...]] = ("n_neighbors",)
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_neighbors": Integer(1, 100_000, shown=(1, 30))
    } | THRESHOLD

    n_neighbors_: int

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        contamination: float | str = "auto",
        threshold: float | None = None,
        anomaly_class: int = 0,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.contamination = contamination
        self.threshold = threshold
        self.anomaly_class = anomaly_class

    def _learn(self, X: Floats) -> Generator[NeighborStep, None, NeighborStep]:
        neighbors, distances = nearest_others(X, self.n_neighbors)
        step = NeighborStep(
            phase="",
            neighbors=neighbors,
            distances=distances,
            n_neighbors=neighbors.shape[1],
            **no_scores(X),
        )
        return (yield from score_by_row(step, farthest(distances)))

    def _scores(self, X: Floats) -> Floats:
        return farthest(nearest_rows(self._rows, X, self.n_neighbors_)[1])

    def _limit(self, step: NeighborStep) -> float:
        low, high = np.percentile(step.scores, (25, 75))
        return float(high + FENCE * (high - low))


def nearest_others(X: Floats, k: int) -> tuple[Ints, Floats]:
    """Return the k nearest other rows of each row and their distances, or as many as there are.

    Examples
    --------
    >>> neighbors, distances = nearest_others(np.array([[0.0], [1.0], [3.0]]), 1)
    >>> neighbors.ravel().tolist(), distances.ravel().tolist()
    ([1, 0, 1], [1.0, 1.0, 2.0])
    """
    k = min(k, len(X) - 1)
    if not k:
        return np.empty((len(X), 0), np.intp), np.empty((len(X), 0))
    distances, neighbors = NearestNeighbors(n_neighbors=k).fit(X).kneighbors()
    return neighbors, distances


def nearest_rows(X: Floats, places: Floats, k: int) -> tuple[Ints, Floats]:
    """Return the k nearest rows of places and their distances, shape (n_places, k) each."""
    if not k:
        return np.empty((len(places), 0), np.intp), np.empty((len(places), 0))
    distances, neighbors = NearestNeighbors(n_neighbors=k).fit(X).kneighbors(places)
    return neighbors, distances


def farthest(distances: Floats) -> Floats:
    """Return the last distance of each row; 0 of a row that is alone."""
    return np.asarray(distances[:, -1]) if distances.shape[1] else np.zeros(len(distances))
