"""Clusterings of other rows than these: random ones, and resamples."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist
from sklearn.utils import check_array

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.clustering.cluster_validity.algorithm import Measure, internal_measure, measured
from dmlib.clustering.cluster_validity.clusterings import clustering_of
from dmlib.clustering.cluster_validity.links import N_NEIGHBORS
from dmlib.trace import look

Progress = Callable[[Any], None]


@dataclass(frozen=True)
class GapStatistic:
    """The gap statistic for several numbers of clusters.

    Attributes
    ----------
    k : ndarray of shape (n_runs,)
        The numbers of clusters.
    log_within : ndarray of shape (n_runs,)
        The logarithm of the SSE of the rows.
    expected : ndarray of shape (n_runs,)
        Its mean over random rows.
    error : ndarray of shape (n_runs,)
        Their standard deviation times the root of 1 + 1 / B, for B sets of random rows.
    chosen : int
        The smallest k whose gap is at least the next gap less its error; the last k if there is
        none.
    """

    k: NDArray[np.intp]
    log_within: Floats
    expected: Floats
    error: Floats
    chosen: int

    @property
    def gap(self) -> Floats:
        """By how much the rows fall below random ones."""
        gap: Floats = self.expected - self.log_within
        return gap


def gap_statistic(
    X: ArrayLike,
    k_range: Iterable[int],
    clustering: Any = "kmeans",
    *,
    n_references: int = 10,
    random_state: int = 0,
    progress: Progress | None = None,
) -> GapStatistic:
    r"""Compare the SSE for each number of clusters with that of random rows.

    :math:`Gap(k) = E[\log W_k^*] - \log W_k`, with W the SSE and W* that of uniform rows in
    the box of the data.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The rows.
    k_range : iterable of int
        The numbers of clusters; those above the number of distinct rows are left out.
    clustering : str or estimator, default="kmeans"
        A clustering that takes the number of clusters.
    n_references : int, default=10
        The number B of sets of random rows.
    random_state : int, default=0
        The seed.
    progress : callable, optional
        Called with each task that has ended.

    Returns
    -------
    GapStatistic
        One entry for each k.

    Raises
    ------
    ValueError
        If all rows are equal.

    References
    ----------
    R. Tibshirani, G. Walther and T. Hastie (2001), Estimating the number of clusters in a data set
    via the gap statistic.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [9, 9]], 30, axis=0)
    >>> gap_statistic(X, range(1, 5), random_state=0).chosen
    2
    """
    rows: Floats = check_array(X, dtype=np.float64)
    low, high = rows.min(axis=0), rows.max(axis=0)
    if not (high > low).any():
        raise ValueError(
            "All rows are equal, so random rows are not other than these. Choose other columns."
        )
    ks = np.array(
        sorted(k for k in set(k_range) if 1 <= k <= len(np.unique(rows, axis=0))), np.intp
    )
    rng = np.random.default_rng(random_state)
    sets = [rows, *(rng.uniform(low, high, rows.shape) for _ in range(n_references))]
    task = partial(_log_withins, clustering, ks.tolist(), random_state)
    log_withins = np.array(list(engine.map(task, sets, progress=progress)))
    log_within, of_references = log_withins[0], log_withins[1:]
    expected = of_references.mean(axis=0)
    error = of_references.std(axis=0) * np.sqrt(1 + 1 / n_references)
    gap = expected - log_within
    fits = [int(k) for i, k in enumerate(ks[:-1]) if gap[i] >= gap[i + 1] - error[i + 1]]
    return GapStatistic(ks, log_within, expected, error, fits[0] if fits else int(ks[-1]))


def _log_withins(clustering: Any, ks: list[int], seed: int, X: Floats) -> list[float]:
    """Return the logarithm of the SSE for each k: a task."""
    withins = []
    for k in ks:
        look()
        labels = np.asarray(clustering_of(clustering, k, seed).fit(X).labels_)
        rows, codes = measured(labels)
        within = sum(
            ((X[rows][codes == j] - X[rows][codes == j].mean(axis=0)) ** 2).sum()
            for j in range(codes.max() + 1)
        )
        withins.append(float(np.log(max(within, np.finfo(float).tiny))))
    return withins


@dataclass(frozen=True)
class Stability:
    """How much of each cluster is found again in resamples.

    Attributes
    ----------
    names : tuple of int
        The labels of the clusters.
    jaccard : ndarray of shape (n_resamples, n_clusters)
        For each resample, the largest Jaccard similarity of each cluster with one of the
        resample's; NaN where none of its rows were drawn, or the resample could not be clustered.
    """

    names: tuple[int, ...]
    jaccard: Floats

    @property
    def mean(self) -> Floats:
        """The mean of each cluster over the resamples.

        Below 0.6 a cluster is not to be trusted, from 0.85 on it is stable.
        """
        is_defined = np.isfinite(self.jaccard)
        sums = np.where(is_defined, self.jaccard, 0.0).sum(axis=0)
        means: Floats = sums / np.maximum(is_defined.sum(axis=0), 1)
        return means


def stability(
    X: ArrayLike,
    clustering: Any = "kmeans",
    n_clusters: int = 3,
    *,
    n_resamples: int = 20,
    random_state: int = 0,
    progress: Progress | None = None,
) -> Stability:
    """Cluster bootstrap resamples, and look for each cluster in them.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The rows.
    clustering : str or estimator, default="kmeans"
        The clustering.
    n_clusters : int, default=3
        The number of clusters, for clusterings that take one.
    n_resamples : int, default=20
        How many resamples are drawn, with replacement; a row that is drawn twice counts once.
    random_state : int, default=0
        The seed.
    progress : callable, optional
        Called with each task that has ended.

    Returns
    -------
    Stability
        The similarities.

    Raises
    ------
    ValueError
        If all rows are noise.

    References
    ----------
    C. Hennig (2007), Cluster-wise assessment of cluster stability.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [9, 9]], 30, axis=0)
    >>> stability(X, "kmeans", 2, n_resamples=5).mean.tolist()
    [1.0, 1.0]
    """
    rows: Floats = check_array(X, dtype=np.float64)
    labels = np.asarray(clustering_of(clustering, n_clusters, random_state).fit(rows).labels_)
    names = tuple(int(label) for label in np.unique(labels[measured(labels)[0]]))
    rng = np.random.default_rng(random_state)
    resamples = [np.unique(rng.integers(len(rows), size=len(rows))) for _ in range(n_resamples)]
    task = partial(_found_again, clustering, n_clusters, random_state, rows, labels, names)
    return Stability(names, np.array(list(engine.map(task, resamples, progress=progress))))


def _found_again(
    clustering: Any,
    k: int,
    seed: int,
    X: Floats,
    labels: NDArray[Any],
    names: tuple[int, ...],
    sample: NDArray[np.intp],
) -> list[float]:
    """Return the largest Jaccard similarity of each cluster with one of a resample: a task."""
    try:
        new_labels = np.asarray(clustering_of(clustering, k, seed).fit(X[sample]).labels_)
    except ValueError:  # fewer distinct rows than clusters
        return [np.nan] * len(names)
    similarities = []
    for name in names:
        look()
        is_member = labels[sample] == name
        if not is_member.any():
            similarities.append(np.nan)
            continue
        candidates = [new_labels == label for label in np.unique(new_labels) if label >= 0]
        similarities.append(
            max(
                (
                    (is_member & candidate).sum() / (is_member | candidate).sum()
                    for candidate in candidates
                ),
                default=0.0,
            )
        )
    return [float(value) for value in similarities]


def random_values(
    X: ArrayLike,
    clustering: Any = "kmeans",
    n_clusters: int = 3,
    measure: str = "silhouette",
    *,
    n_neighbors: int = N_NEIGHBORS,
    n_sets: int = 30,
    random_state: int = 0,
    progress: Progress | None = None,
) -> Floats:
    """Return an internal measure of clusterings of uniform random rows; NaN where undefined.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The rows.
    clustering : str or estimator, default="kmeans"
        The clustering.
    n_clusters : int, default=3
        The number of clusters, for clusterings that take one.
    measure : str, default="silhouette"
        One of the internal measures.
    n_neighbors : int, default=10
        normalized_cut: the number of nearest other rows that each row is linked with.
    n_sets : int, default=30
        How many sets of random rows are clustered.
    random_state : int, default=0
        The seed.
    progress : callable, optional
        Called with each task that has ended.

    Returns
    -------
    ndarray of shape (n_sets,)
        The values.

    Examples
    --------
    >>> values = random_values([[0.0], [0.1], [5.0], [5.1]], "kmeans", 2, n_sets=3)
    >>> values.shape
    (3,)
    """
    rows: Floats = check_array(X, dtype=np.float64)
    rng = np.random.default_rng(random_state)
    sets = [rng.uniform(rows.min(axis=0), rows.max(axis=0), rows.shape) for _ in range(n_sets)]
    make = internal_measure(measure, n_neighbors)
    task = partial(_measure_of, clustering, n_clusters, make, random_state)
    return np.array(list(engine.map(task, sets, progress=progress)))


def _measure_of(clustering: Any, k: int, measure: Measure, seed: int, X: Floats) -> float:
    """Return a measure of the clustering of some rows: a task."""
    try:
        rows, codes = measured(np.asarray(clustering_of(clustering, k, seed).fit(X).labels_))
        return float(measure(X[rows], codes, cdist(X[rows], X[rows])).value)
    except ValueError:
        return np.nan
