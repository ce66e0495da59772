"""The local outlier factor: how much denser the neighbours of a row lie than the row itself."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from dmlib.anomaly_detection.detector import THRESHOLD, Detector, no_scores, score_by_row
from dmlib.anomaly_detection.neighbor_distance import (
    NeighborStep,
    farthest,
    nearest_others,
    nearest_rows,
)
from dmlib.arrays import Floats, Ints
from dmlib.params import Integer, Param

LIMIT = 1.5  # of "auto", as in scikit-learn
TINY = 1e-10  # added to a mean reachability distance, as in scikit-learn: equal rows have 0


@dataclass(frozen=True, kw_only=True)
class LocalOutlierFactorStep(NeighborStep):
    """One step of local outlier factors.

    Attributes
    ----------
    phase : {"k-distance", "density", "score", "mark"}
        The k-distance of every row was found; its local reachability density; rows were scored;
        rows were marked.
    k_distances : ndarray of shape (n_samples,)
        The distance of each row to its k-th nearest other row.
    densities : ndarray of shape (n_samples,)
        The local reachability density of each row; NaN before it is known.
    """

    k_distances: Floats
    densities: Floats


class LocalOutlierFactor(Detector[LocalOutlierFactorStep]):
    r"""Mark rows that lie less densely than their neighbours do.

    The reachability distance of a row from a neighbour is their distance, or the k-distance of the
    neighbour where that is larger. The density of a row is 1 over its mean reachability distance
    from its k neighbours, and its local outlier factor the mean density of the neighbours over its
    own: about 1 inside a group, whatever its density.

    Parameters
    ----------
    n_neighbors : int, default=20
        The number of neighbours: k, "MinPts".
    contamination : float or "auto", default="auto"
        The share of the rows that are marked, those with the highest scores. "auto": those with a
        factor above 1.5.
    threshold : float or None, default=None
        The score above which rows are marked; it overrides the share.
    anomaly_class : int, default=0
        The number of the class of known anomalies, from 1: the code plus 1. The scores do not
        depend on it; 0 for none.

    Attributes
    ----------
    scores_ : ndarray of shape (n_samples,)
        The local outlier factor of each row.
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
    k_distances_ : ndarray of shape (n_samples,)
        The distance of each row to its k-th nearest other row.
    densities_ : ndarray of shape (n_samples,)
        The local reachability density of each row.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a parameter is out of bounds.

    Notes
    -----
    O(n log n) in a few columns, O(n²) in many. Distances are Euclidean. Of rows that are equally
    far, k are used, as in scikit-learn; Breunig et al. use all of them. More than k equal rows have
    a reachability distance of 0; 1e-10 is added to each mean, as in scikit-learn.

    References
    ----------
    M. M. Breunig, H.-P. Kriegel, R. T. Ng and J. Sander (2000), LOF: identifying density-based
    local outliers, definitions 3 to 7.

    Examples
    --------
    >>> model = LocalOutlierFactor(2).fit([[0.0], [1.0], [2.0], [4.0], [9.0]])
    >>> model.scores_.round(2).tolist(), model.anomalies_.tolist()
    ([0.88, 1.33, 0.88, 1.46, 3.2], [False, False, False, False, True])
    """

    KEPT: ClassVar[tuple[str, ...]] = ("n_neighbors", "k_distances", "densities")
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_neighbors": Integer(1, 100_000, shown=(1, 30))
    } | THRESHOLD

    n_neighbors_: int
    k_distances_: Floats
    densities_: Floats

    def __init__(
        self,
        n_neighbors: int = 20,
        *,
        contamination: float | str = "auto",
        threshold: float | None = None,
        anomaly_class: int = 0,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.contamination = contamination
        self.threshold = threshold
        self.anomaly_class = anomaly_class

    def _learn(self, X: Floats) -> Generator[LocalOutlierFactorStep, None, LocalOutlierFactorStep]:
        neighbors, distances = nearest_others(X, self.n_neighbors)
        step = LocalOutlierFactorStep(
            phase="k-distance",
            neighbors=neighbors,
            distances=distances,
            n_neighbors=neighbors.shape[1],
            k_distances=farthest(distances),
            densities=np.full(len(X), np.nan),
            **no_scores(X),
        )
        yield step
        densities = reachability_densities(neighbors, distances, step.k_distances)
        step = replace(step, phase="density", densities=densities)
        yield step
        return (yield from score_by_row(step, factors(neighbors, densities, densities)))

    def _scores(self, X: Floats) -> Floats:
        neighbors, distances = nearest_rows(self._rows, X, self.n_neighbors_)
        densities = reachability_densities(neighbors, distances, self.k_distances_)
        return factors(neighbors, densities, self.densities_)

    def _limit(self, step: LocalOutlierFactorStep) -> float:
        return LIMIT


def reachability_densities(neighbors: Ints, distances: Floats, k_distances: Floats) -> Floats:
    """Return 1 over the mean reachability distance of each row from its neighbours.

    Examples
    --------
    >>> neighbors, distances = np.array([[1], [0], [1]]), np.array([[1.0], [1.0], [3.0]])
    >>> reachability_densities(neighbors, distances, np.array([1.0, 1.0, 3.0])).round(3).tolist()
    [1.0, 1.0, 0.333]
    """
    if not neighbors.shape[1]:
        return np.ones(len(neighbors))
    reach = np.maximum(distances, k_distances[neighbors])
    return np.asarray(1.0 / (reach.mean(axis=1) + TINY))


def factors(neighbors: Ints, densities: Floats, of_neighbors: Floats) -> Floats:
    """Return the mean density of the neighbours over the density of each row; 1 of a row alone."""
    if not neighbors.shape[1]:
        return np.ones(len(neighbors))
    return np.asarray(of_neighbors[neighbors].mean(axis=1) / densities)
