"""k-means: Lloyd's alternation of assigning rows to centres and moving centres to means."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import validate_data

from dmlib.arrays import Floats
from dmlib.clustering.centroids import CentroidClustering, Labels
from dmlib.clustering.kmeans.metric_partition import MetricPartition
from dmlib.clustering.partition import Partition, squared_distances, too_few_distinct, too_few_rows
from dmlib.clustering.ranges import count_ranges
from dmlib.params import Choice, Integer, Number, Param, Ranges, check_params
from dmlib.trace import look

Phase = Literal["seed", "assign", "update", "done", "best"]


@dataclass(frozen=True)
class KMeansStep:
    """One step of k-means.

    Attributes
    ----------
    phase : {"seed", "assign", "update", "done", "best"}
        What was done: one starting centre chosen; rows assigned; centres moved; a restart ended;
        the best restart chosen (only with more than one restart).
    restart : int
        The restart, from 0.
    iteration : int
        The iteration, from 1; 0 while seeding. On "done" and "best" the number of iterations, as
        ``n_iter_``.
    centers : ndarray of shape (n_clusters, n_features)
        The centres after the step; rows of NaN for those that are not chosen yet.
    labels : ndarray of shape (n_samples,) or None
        The cluster of each row; None while seeding.
    inertia : float
        The sum of squared errors (SSE) of these labels and centres; NaN while seeding.
    counts : ndarray of shape (n_clusters,)
        The sizes of the clusters; while seeding zeros, or the sizes of the random parts.
    n_changed : int
        How many labels an "assign" changed; all of them in the first.
    shift : ndarray of shape (n_clusters,) or None
        How far an "update" moved each centre; None in the other phases.
    relocated : tuple of (int, int)
        The empty clusters that an "update" filled, each with the index of the row that became its
        centre.
    chosen : int or None
        The row that a "seed" took as a centre; None if the centre was given.
    distances : ndarray of shape (n_samples,) or None
        For a "seed" of "k-means++" or "farthest", the squared distance of each row to the nearest
        of the centres chosen before it; None for the first centre. "k-means++" draws in proportion
        to it.
    reason : str
        On "done" and "best": why the restart ended, as a sentence.
    """

    phase: Phase
    restart: int
    iteration: int
    centers: Floats
    labels: Labels | None
    inertia: float
    counts: NDArray[np.intp]
    n_changed: int = 0
    shift: Floats | None = None
    relocated: tuple[tuple[int, int], ...] = ()
    chosen: int | None = None
    distances: Floats | None = None
    reason: str = ""


class KMeans(CentroidClustering):
    r"""Find k centres that make the sum of squared distances to the nearest centre small.

    The objective is :math:`SSE = \sum_i \min_j \lVert x_i - c_j \rVert^2`. Each iteration assigns
    every row to its nearest centre, then moves every centre to the mean of its rows. Neither
    half-step can raise the SSE.

    Parameters
    ----------
    n_clusters : int, default=3
        The number of clusters, k.
    init : str or array of shape (n_clusters, n_features), default="k-means++"
        The starting centres. "k-means++" draws rows in proportion to their squared distance to the
        nearest centre chosen so far; "random" draws distinct rows; "farthest" starts at a random
        row and then always takes the row farthest from the centres chosen so far; "partition"
        divides all rows at random into parts of equal size, whose means are the centres; "points"
        takes the centres that you give as an array.
    n_init : int, default=1
        How many restarts; the one with the smallest SSE is kept. Given centres are run once.
    max_iter : int, default=300
        The largest number of iterations in one restart.
    tol : float, default=1e-4
        A restart ends when the squared moves of all centres sum to at most ``tol`` times the mean
        variance of the columns. 0: when no label changes any more.
    change_tol : float, default=0.0
        A restart also ends when at most this share of the rows changes its cluster; 0.01: at most
        1 %.
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
    n_iter_ : int
        The number of iterations of the best restart.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there are fewer rows, or fewer distinct rows, than clusters.

    Notes
    -----
    An iteration costs O(n k d) at most. Rows whose nearest centre cannot have changed are skipped
    exactly: after an assignment, a row whose second nearest centre is g farther away than its own
    keeps its label until its own centre and the fastest other centre have moved by g together
    (Hamerly, 2010).

    Ties go to the cluster with the lower number. An empty cluster takes the row that is farthest
    from its centre. Iterations are counted and stopped as in scikit-learn, except that a run with
    an empty cluster goes on.

    References
    ----------
    S. P. Lloyd (1982), Least squares quantization in PCM.
    D. Arthur and S. Vassilvitskii (2007), k-means++: the advantages of careful seeding, section
    2.2. T. F. Gonzalez (1985), Clustering to minimize the maximum intercluster distance. G. Hamerly
    (2010), Making k-means even faster, section 3.

    Examples
    --------
    >>> model = KMeans(2, init=[[0.0], [1.0]], tol=0).fit([[0.0], [1.0], [9.0], [10.0]])
    >>> model.cluster_centers_.ravel().tolist(), model.labels_.tolist(), model.inertia_
    ([0.5, 9.5], [0, 0, 1, 1], 1.0)
    """

    TITLE: ClassVar[str] = "k-means"
    RANGES: ClassVar[Ranges] = staticmethod(count_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_clusters": Integer(1, 256, shown=(1, 10)),
        "init": Choice(("k-means++", "random", "farthest", "partition", "points"), arrays=True),
        "n_init": Integer(1, 100, shown=(1, 20)),
        "max_iter": Integer(1, 10_000, shown=(1, 20)),
        "tol": Number(0.0, 1.0, shown=(0.0, 1.0), log=True),
        "change_tol": Number(0.0, 1.0, shown=(0.0, 0.2), step=0.01),
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        init: str | ArrayLike = "k-means++",
        n_init: int = 1,
        max_iter: int = 300,
        tol: float = 1e-4,
        change_tol: float = 0.0,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.change_tol = change_tol
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find the centres of the rows of ``X``; ``y`` is ignored."""
        return self._adopt(
            deque(self._steps(validate_data(self, X, dtype=np.float64)), maxlen=1)[0]
        )

    def fit_from(self, steps: Sequence[KMeansStep], X: ArrayLike, y: Any = None) -> Self:
        """Learn what ``fit`` would from the steps on the same rows, without clustering again."""
        validate_data(self, X, dtype=np.float64)
        return self._adopt(steps[-1])

    def _adopt(self, last: KMeansStep) -> Self:
        """Keep what the last step says."""
        self.cluster_centers_, self.labels_ = last.centers, cast(Labels, last.labels)
        self.inertia_, self.n_iter_ = last.inertia, last.iteration
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[KMeansStep]:
        """Yield every half-step of every restart; the last step is the answer of ``fit``."""
        yield from self._steps(check_array(X, dtype=np.float64))

    def _steps(self, X: Floats) -> Iterator[KMeansStep]:
        starting_centers = self._check(X)
        rng = check_random_state(self.random_state)
        partition = self._partition(X)
        best: KMeansStep | None = None
        n_restarts = 1 if starting_centers is not None else self.n_init
        for restart in range(n_restarts):
            centers = yield from self._seed(X, starting_centers, rng, restart)
            done = yield from self._lloyd(partition, centers, restart)
            if best is None or done.inertia < best.inertia:
                best = done
        if n_restarts > 1 and best is not None:
            yield replace(best, phase="best")

    def _partition(self, X: Floats) -> Partition | MetricPartition:
        return Partition(X, self.n_clusters)

    def _distances(self, X: Floats, row: int) -> Floats:
        """Return the distance of each row to one, in proportion to which k-means++ draws."""
        return squared_distances(X, X[[row]])

    def _check(self, X: Floats) -> Floats | None:
        """Check the parameters against the data and return the given centres, if any."""
        check_params(self.PARAMS, self.get_params())
        n_samples, n_features = X.shape
        if n_samples < self.n_clusters:
            raise too_few_rows(n_samples, self.n_clusters)
        if isinstance(self.init, str):
            if self.init == "points":
                raise ValueError(
                    "init='points' needs the starting centres: give the centres as an array."
                )
            return None
        starting_centers: Floats = check_array(self.init, dtype=np.float64)
        if starting_centers.shape != (self.n_clusters, n_features):
            raise ValueError(
                f"The starting centres have shape {starting_centers.shape}, but {self.n_clusters} "
                f"clusters of {n_features} columns need {(self.n_clusters, n_features)}."
            )
        return starting_centers

    def _seed(
        self, X: Floats, starting_centers: Floats | None, rng: Any, restart: int
    ) -> Generator[KMeansStep, None, Floats]:
        centers = np.full((self.n_clusters, X.shape[1]), np.nan)
        counts = np.zeros(self.n_clusters, np.intp)
        if starting_centers is None and self.init == "partition":
            part = rng.permutation(len(X)) % self.n_clusters
            counts = np.bincount(part, minlength=self.n_clusters)
            starting_centers = np.array([X[part == j].mean(axis=0) for j in range(len(counts))])
        choices: Iterable[tuple[int | None, Floats | None]] = self._choose(X, rng)
        if starting_centers is not None:
            choices = [(None, None)] * self.n_clusters
        for j, (chosen, distances) in enumerate(choices):
            centers = centers.copy()
            centers[j] = X[chosen] if starting_centers is None else starting_centers[j]
            details: dict[str, Any] = {"chosen": chosen, "distances": distances}
            yield KMeansStep("seed", restart, 0, centers, None, np.nan, counts, **details)
        return centers

    def _choose(self, X: Floats, rng: Any) -> Iterator[tuple[int, Floats | None]]:
        """Yield the rows that become centres, with the squared distances that decided."""
        if self.init == "random":
            yield from ((int(i), None) for i in rng.choice(len(X), self.n_clusters, replace=False))
            return
        chosen = int(rng.randint(len(X)))
        yield chosen, None
        nearest = self._distances(X, chosen)
        for n_chosen in range(1, self.n_clusters):
            look()
            if not nearest.any():
                raise too_few_distinct(X, self.n_clusters)
            far = self.init == "farthest"
            chosen = int(nearest.argmax() if far else rng.choice(len(X), p=nearest / nearest.sum()))
            yield chosen, nearest
            if n_chosen + 1 < self.n_clusters:
                nearest = np.minimum(nearest, self._distances(X, chosen))

    def _lloyd(
        self, partition: Partition | MetricPartition, centers: Floats, restart: int
    ) -> Generator[KMeansStep, None, KMeansStep]:
        """Alternate the half-steps until nothing changes, or to the limit of iterations."""
        threshold = self.tol * partition.mean_variance
        reason = f"The limit of {self.max_iter} iterations was reached."
        relocated: tuple[tuple[int, int], ...] = ()
        partition.start(centers)
        for iteration in range(1, self.max_iter + 1):
            look()
            n_changed = partition.assign()
            yield _record("assign", restart, iteration, partition, n_changed=n_changed)
            empty = not partition.counts.all()
            if not (n_changed or relocated or empty):
                reason = "No label changed."
                break
            if not (relocated or empty) and n_changed <= self.change_tol * len(partition.labels):
                reason = f"At most {100 * self.change_tol:g} % of the rows changed their cluster."
                n_changed = 0  # the labels are those of these centres
                break
            relocated = partition.fill_empty() if empty else ()
            shift = partition.update()
            yield _record("update", restart, iteration, partition, shift=shift, relocated=relocated)
            if shift @ shift <= threshold:
                reason = "The centres moved by no more than the tolerance."
                break
        if n_changed or relocated:  # the centres have moved since, and the labels must be theirs
            yield _record("assign", restart, iteration + 1, partition, n_changed=partition.assign())
        done = _record("done", restart, iteration, partition, reason=reason)
        done = replace(done, inertia=float(partition.distances().sum()))
        yield done
        return done


def _record(
    phase: Phase,
    restart: int,
    iteration: int,
    partition: Partition | MetricPartition,
    **details: Any,
) -> KMeansStep:
    return KMeansStep(
        phase,
        restart,
        iteration,
        partition.centers,
        partition.labels,
        partition.inertia,
        partition.counts,
        **details,
    )
