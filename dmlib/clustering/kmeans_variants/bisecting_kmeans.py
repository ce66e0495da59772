"""Bisecting k-means: cut one cluster in two until there are enough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import validate_data

from dmlib.arrays import Floats
from dmlib.clustering.centroids import CentroidClustering, Labels
from dmlib.clustering.kmeans.algorithm import KMeans
from dmlib.clustering.partition import squared_distances, too_few_distinct, too_few_rows
from dmlib.clustering.ranges import count_ranges
from dmlib.params import Choice, Flag, Number, Param, Ranges, check_params
from dmlib.squares import check_squares

Phase = Literal["start", "choose", "trial", "split", "assign", "update", "done"]


@dataclass(frozen=True)
class BisectingKMeansStep:
    """One step of bisecting k-means.

    Attributes
    ----------
    phase : {"start", "choose", "trial", "split", "assign", "update", "done"}
        What was done: everything put into one cluster; the cluster to cut chosen; one trial cut
        made; the best trial kept; rows assigned to their nearest centre, or centres moved, by the
        final k-means; the end.
    n_splits : int
        How many cuts were kept before this step; on "split" with this one.
    centers : ndarray of shape (n_clusters_now, n_features)
        The centres after the step.
    labels : ndarray of shape (n_samples,)
        The cluster of each row.
    inertias : ndarray of shape (n_clusters_now,)
        The sum of squared errors (SSE) of each cluster.
    counts : ndarray of shape (n_clusters_now,)
        The sizes of the clusters.
    cluster : int or None
        The cluster that is cut. Its first part keeps the number, its second part gets the next free
        one.
    trial : int or None
        On "trial" its number, from 0; on "split" the number of the trial that was kept.
    child_centers : ndarray of shape (2, n_features) or None
        The centres of the two parts of a "trial" or "split".
    child_labels : ndarray of shape (n_samples,) or None
        0 and 1 for the rows of the two parts, -1 for all other rows.
    child_inertias : ndarray of shape (2,) or None
        The SSE of the two parts.
    n_changed : int
        How many rows an "assign" moved to another cluster.
    reason : str
        On "done": why there are fewer clusters than asked for, as a sentence.
    """

    phase: Phase
    n_splits: int
    centers: Floats
    labels: Labels
    inertias: Floats
    counts: NDArray[np.intp]
    cluster: int | None = None
    trial: int | None = None
    child_centers: Floats | None = None
    child_labels: Labels | None = None
    child_inertias: Floats | None = None
    n_changed: int = 0
    reason: str = ""

    @property
    def inertia(self) -> float:
        """The SSE of the whole."""
        return float(self.inertias.sum())


class BisectingKMeans(CentroidClustering):
    """Divide all rows into k clusters by cutting one cluster after the other in two with 2-means.

    Each cut is tried ``n_init`` times, and the trial with the smallest sum of squared errors (SSE)
    is kept.

    Parameters
    ----------
    n_clusters : int, default=3
        The number of clusters, k; with ``omega``, the largest.
    omega : float, default=0.0
        No cluster whose SSE is at most omega is split: when there is no other, splitting ends
        before there are k clusters. 0: only identical rows stay together.
    bisecting_strategy : {"biggest_inertia", "largest_cluster"}, default="biggest_inertia"
        Which cluster is split next: the one with the largest SSE, or the one with the most rows.
    init : {"k-means++", "random", "farthest"}, default="k-means++"
        How each 2-means chooses its two starting centres.
    n_init : int, default=1
        How many trial cuts are made of each chosen cluster.
    refine : bool, default=False
        Whether k-means goes on from the centres of the splits: rows may then cross them.
    max_iter : int, default=300
        The largest number of iterations of each 2-means, and of the final k-means.
    tol : float, default=1e-4
        The tolerance of each 2-means, relative to the variance of the cluster that it cuts, and of
        the final k-means.
    random_state : int, RandomState or None, default=None
        The seed of the random draws.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The centres.
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row.
    inertia_ : float
        The SSE.
    splits_ : list of (int, ndarray of shape (2, n_features))
        The tree: which cluster each cut divided, and the centres of its two parts.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there are fewer rows, or fewer distinct rows, than clusters.

    Notes
    -----
    A row never crosses an earlier cut, so it may end nearer to another cluster's centre; k-means
    from these centres (``refine``) can lower the SSE. ``predict`` goes down the same tree, or with
    ``refine`` to the nearest centre. Ties go to the cluster with the lower number.

    References
    ----------
    M. Steinbach, G. Karypis and V. Kumar (2000), A comparison of document clustering techniques,
    section 3.

    Examples
    --------
    >>> X = [[0.0], [1.0], [10.0], [11.0], [30.0]]
    >>> BisectingKMeans(3, init="farthest", random_state=0).fit(X).inertia_
    1.0
    """

    TITLE: ClassVar[str] = "bisecting k-means"
    RANGES: ClassVar[Ranges] = staticmethod(count_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        **{name: KMeans.PARAMS[name] for name in ("n_clusters", "n_init", "max_iter", "tol")},
        "omega": Number(0.0, 1e300, shown=(0.0, 1000.0), log=True),
        "bisecting_strategy": Choice(("biggest_inertia", "largest_cluster")),
        "init": Choice(("k-means++", "random", "farthest")),
        "refine": Flag(),
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        omega: float = 0.0,
        bisecting_strategy: str = "biggest_inertia",
        init: str = "k-means++",
        n_init: int = 1,
        refine: bool = False,
        max_iter: int = 300,
        tol: float = 1e-4,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.omega = omega
        self.bisecting_strategy = bisecting_strategy
        self.init = init
        self.n_init = n_init
        self.refine = refine
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Cut the rows of ``X`` into clusters; ``y`` is ignored."""
        self.splits_: list[tuple[int, Floats]] = []
        for step in self._steps(validate_data(self, X, dtype=np.float64)):
            if step.phase == "split":
                self.splits_.append((cast(int, step.cluster), cast(Floats, step.child_centers)))
            last = step
        self.cluster_centers_, self.labels_ = last.centers, last.labels
        self.inertia_ = last.inertia
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[BisectingKMeansStep]:
        """Yield choices, trial cuts and the best cuts; the last step is the answer of ``fit``."""
        yield from self._steps(check_array(X, dtype=np.float64))

    def predict(self, X: ArrayLike) -> Labels:
        """Return the cluster of each row: down the tree of cuts, or the nearest refined centre."""
        if self.refine:
            return super().predict(X)
        new_rows = self._new_rows(X)
        labels = np.zeros(len(new_rows), np.int32)
        for new, (cluster, centers) in enumerate(self.splits_, start=1):
            rows = np.flatnonzero(labels == cluster)
            first, second = (squared_distances(new_rows[rows], center) for center in centers)
            labels[rows[second < first]] = new
        return labels

    def _steps(self, X: Floats) -> Iterator[BisectingKMeansStep]:
        check_params(self.PARAMS, self.get_params())
        if len(X) < self.n_clusters:
            raise too_few_rows(len(X), self.n_clusters)
        rng = check_random_state(self.random_state)
        check_squares(X)
        center = X.mean(axis=0)
        everything = np.array([squared_distances(X, center).sum()])
        current = BisectingKMeansStep(
            "start",
            0,
            center[None],
            np.zeros(len(X), np.int32),
            everything,
            np.array([len(X)], np.intp),
        )
        yield current
        while len(current.centers) < self.n_clusters:
            if self.omega and (current.inertias <= self.omega).all():
                break
            chosen = replace(current, phase="choose", cluster=self._choose(X, current))
            yield chosen
            trials = []
            for trial in range(self.n_init):
                trials.append(self._try(X, chosen, trial, rng))
                yield trials[-1]
            current = _keep(min(trials, key=_child_inertia))
            yield current
        reason = self._reason(current)
        if self.refine and current.n_splits:
            for refined in self._refine(X, current):
                current = refined
                yield current
        yield BisectingKMeansStep(
            "done",
            current.n_splits,
            current.centers,
            current.labels,
            current.inertias,
            current.counts,
            reason=reason,
        )

    def _reason(self, last: BisectingKMeansStep) -> str:
        if len(last.centers) == self.n_clusters:
            return ""
        return f"No cluster has an SSE above ω = {self.omega:g}."

    def _choose(self, X: Floats, current: BisectingKMeansStep) -> int:
        """Return the first cluster by the strategy among those above omega, of unequal rows."""
        scores = (
            current.inertias if self.bisecting_strategy == "biggest_inertia" else current.counts
        )
        for cluster in np.argsort(-scores, kind="stable"):
            is_above = not self.omega or current.inertias[cluster] > self.omega
            if is_above and np.ptp(X[current.labels == cluster], axis=0).any():
                return int(cluster)
        raise too_few_distinct(X, self.n_clusters)

    def _try(
        self, X: Floats, chosen: BisectingKMeansStep, trial: int, rng: Any
    ) -> BisectingKMeansStep:
        rows = np.flatnonzero(chosen.labels == chosen.cluster)
        halves = KMeans(
            2, init=self.init, max_iter=self.max_iter, tol=self.tol, random_state=rng
        ).fit(X[rows])
        child_labels = np.full(len(X), -1, np.int32)
        child_labels[rows] = halves.labels_
        distances = squared_distances(X[rows], halves.cluster_centers_[halves.labels_])
        return replace(
            chosen,
            phase="trial",
            trial=trial,
            child_centers=halves.cluster_centers_,
            child_labels=child_labels,
            child_inertias=np.bincount(halves.labels_, distances, 2).astype(np.float64),
        )

    def _refine(self, X: Floats, last: BisectingKMeansStep) -> Iterator[BisectingKMeansStep]:
        """Yield the half-steps of k-means from the centres of the splits."""
        k, before = len(last.centers), last.labels
        model = KMeans(k, init=last.centers, max_iter=self.max_iter, tol=self.tol)
        for step in model.steps(X):
            if step.phase not in ("assign", "update"):
                continue
            labels = cast(Labels, step.labels)
            squares = squared_distances(X, step.centers[labels])
            yield BisectingKMeansStep(
                step.phase,
                last.n_splits,
                step.centers,
                labels,
                np.bincount(labels, squares, k).astype(np.float64),
                step.counts,
                n_changed=int((labels != before).sum()),
            )
            before = labels


def _child_inertia(trial: BisectingKMeansStep) -> float:
    return float(cast(Floats, trial.child_inertias).sum())


def _keep(trial: BisectingKMeansStep) -> BisectingKMeansStep:
    """Return the step that makes a trial cut real."""

    def cut(values: NDArray[Any], parts: Any) -> NDArray[Any]:
        values = np.concatenate([values, parts[1:]])
        values[trial.cluster] = parts[0]
        return values

    labels = trial.labels.copy()
    labels[trial.child_labels == 1] = len(trial.centers)
    return replace(
        trial,
        phase="split",
        n_splits=trial.n_splits + 1,
        centers=cut(trial.centers, trial.child_centers),
        labels=labels,
        inertias=cut(trial.inertias, trial.child_inertias),
        counts=np.bincount(labels),
    )
