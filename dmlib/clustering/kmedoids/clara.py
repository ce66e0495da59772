"""CLARA: k-medoids of samples, each judged by all rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from dmlib.clustering.centroids import Floats, Labels
from dmlib.clustering.kmedoids.algorithm import KMedoids
from dmlib.clustering.kmedoids.medoids import Indices, distances_between
from dmlib.params import Choice, Integer, Param


@dataclass(frozen=True)
class CLARAStep:
    """One sample of CLARA, or its end.

    Attributes
    ----------
    phase : {"sample", "done"}
        What was done.
    iteration : int
        Which sample, from 1; on "done" how many, as ``n_iter_``.
    sample : ndarray of shape (n_sampled,)
        The rows drawn; empty on "done".
    medoids : ndarray of shape (n_clusters,)
        The medoids of the sample; on "done" those that are kept.
    labels : ndarray of shape (n_samples,)
        The nearest of these medoids for every row.
    distances : ndarray of shape (n_samples,)
        The distance to it.
    total : float
        The sum of these distances, over all rows.
    sample_total : float
        Over the rows of the sample; on "done" 0.
    best : float
        The smallest total so far.
    """

    phase: str
    iteration: int
    sample: Indices
    medoids: Indices
    labels: Labels
    distances: Floats
    total: float
    sample_total: float
    best: float


class CLARA(KMedoids):
    """Find medoids of many rows from samples: PAM on each sample, and the medoids that are best for all rows are kept.

    Parameters
    ----------
    n_clusters : int, default=3
        The number of clusters, k.
    metric : str or callable, default="euclidean"
        The distance: a name that scikit-learn knows, or a function of two rows.
    n_sampling : int or None, default=None
        The rows of a sample; None means 40 + 2k, the authors' rule.
    n_sampling_iter : int, default=5
        The number of samples.
    max_iter : int, default=300
        The largest number of swaps in one sample.
    random_state : int, RandomState or None, default=None
        The seed of the samples.

    Attributes
    ----------
    medoid_indices_ : ndarray of shape (n_clusters,)
        The rows that are medoids.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        These rows.
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row.
    inertia_ : float
        The total deviation over all rows.
    n_iter_ : int
        The number of samples.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there are fewer rows than clusters, or a sample has.

    Notes
    -----
    Each sample of s rows costs O(s^2 k) and one assignment O(n k), so that n may be large. From the second sample on,
    the best medoids so far belong to the sample.

    References
    ----------
    L. Kaufman and P. J. Rousseeuw (1990), Finding groups in data, chapter 3.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]
    >>> CLARA(2, n_sampling=4, random_state=0).fit(X).inertia_
    4.0
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "n_clusters": Integer(1, 256, shown=(1, 10)),
        "metric": Choice(("euclidean", "manhattan", "chebyshev", "cosine")),
        "n_sampling": Integer(1, 5_000, shown=(10, 200), none="40 + 2k"),
        "n_sampling_iter": Integer(1, 1_000, shown=(1, 20)),
        "max_iter": Integer(1, 10_000, shown=(1, 20)),
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        metric: str | Callable[..., float] = "euclidean",
        n_sampling: int | None = None,
        n_sampling_iter: int = 5,
        max_iter: int = 300,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.n_sampling = n_sampling
        self.n_sampling_iter = n_sampling_iter
        self.max_iter = max_iter
        self.random_state = random_state

    def _steps(self, X: Floats) -> Iterator[Any]:
        self._check(X)
        size = 40 + 2 * self.n_clusters if self.n_sampling is None else self.n_sampling
        if size < self.n_clusters:
            raise ValueError(f"A sample of {size} rows has no {self.n_clusters} medoids. Draw larger samples.")
        rng = check_random_state(self.random_state)
        best: CLARAStep | None = None
        for iteration in range(1, self.n_sampling_iter + 1):
            kept = np.empty(0, np.intp) if best is None else best.medoids
            step = self._sampled(X, iteration, _draw(rng, len(X), min(size, len(X)), kept))
            if best is None or step.total < best.total:
                best = step
            yield replace(step, best=best.total)
        assert best is not None  # there is at least one sample
        yield replace(best, phase="done", iteration=iteration, sample=kept[:0], sample_total=0.0)

    def _sampled(self, X: Floats, iteration: int, sample: Indices) -> CLARAStep:
        """Find the medoids of a sample and assign all rows to them."""
        pam = KMedoids(self.n_clusters, metric=self.metric, max_iter=self.max_iter).fit(X[sample])
        medoids = sample[pam.medoid_indices_]
        to = distances_between(X, X[medoids], self.metric)
        labels = to.argmin(axis=1)
        labels[medoids] = np.arange(len(medoids))
        near = to[np.arange(len(X)), labels]
        total = float(near.sum())
        return CLARAStep(
            "sample", iteration, sample, medoids, labels.astype(np.int32), near, total, pam.inertia_, total
        )


def _draw(rng: Any, n_samples: int, size: int, kept: Indices) -> Indices:
    """Draw rows that are not among those that are kept, in ascending order, and add these."""
    others = np.setdiff1d(np.arange(n_samples), kept)
    return np.sort(np.append(kept, rng.choice(others, max(0, size - len(kept)), replace=False))).astype(np.intp)
