"""X-means: k-means that chooses the number of clusters by the Bayesian information criterion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import xlogy
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import validate_data

from dmlib.arrays import Floats
from dmlib.clustering.centroids import CentroidClustering, Labels
from dmlib.clustering.kmeans.algorithm import KMeans
from dmlib.clustering.partition import too_few_rows
from dmlib.clustering.ranges import count_ranges
from dmlib.params import Choice, Integer, Param, Ranges, check_params


@dataclass(frozen=True)
class Score:
    r"""How well k round Gaussian clouds with one common variance explain rows, and what they cost.

    Attributes
    ----------
    sizes : tuple of int
        The rows of each cluster, :math:`n_j`.
    inertia : float
        The sum of squared distances to the cluster means, SSE.
    variance : float
        :math:`v = SSE / (d (n - k))`, the unbiased estimate; NaN if n = k.
    log_likelihood : float
        :math:`\sum_j n_j \ln(n_j / n) - (n d / 2) \ln(2 \pi v) - SSE / (2 v)`; infinite if SSE = 0.
    n_parameters : int
        :math:`p = (k - 1) + k d + 1`: the shares, the centres and the variance.
    bic : float
        :math:`\ln L - (p / 2) \ln n`; larger is better.
    """

    sizes: tuple[int, ...]
    inertia: float
    variance: float
    log_likelihood: float
    n_parameters: int
    bic: float


def bic_score(sizes: ArrayLike, inertia: float, n_features: int) -> Score:
    """Score a clustering from its sizes and SSE alone.

    Parameters
    ----------
    sizes : array-like of shape (k,)
        The rows of each cluster.
    inertia : float
        The SSE to the cluster means.
    n_features : int
        The number of columns, d.

    Returns
    -------
    Score
        The parts of the BIC. With as many clusters as rows nothing is left to estimate the variance
        from, and the BIC is minus infinity.

    Notes
    -----
    Pelleg and Moore (2000) print the variance without d and the likelihood with slips; here each
    row of cluster j has the density (n_j / n) N(x; mean_j, v I), and the log-likelihood is the sum
    of its logarithms.

    Examples
    --------
    >>> one, two = bic_score([8], 284, 2), bic_score([4, 4], 40, 2)
    >>> round(one.log_likelihood, 2), round(one.bic, 2)
    (-45.78, -48.9)
    >>> round(two.log_likelihood, 2), round(two.bic, 2)
    (-35.88, -42.12)
    """
    counts = np.asarray(sizes, np.intp)
    n, k = int(counts.sum()), len(counts)
    n_parameters = (k - 1) + k * n_features + 1
    shares = float(xlogy(counts, counts / n).sum())
    if n == k:
        variance, log_likelihood = np.nan, -np.inf
    elif inertia == 0:
        variance, log_likelihood = 0.0, np.inf
    else:
        variance = inertia / (n_features * (n - k))
        log_likelihood = (
            shares - n * n_features / 2 * np.log(2 * np.pi * variance) - inertia / (2 * variance)
        )
    bic = float(log_likelihood - n_parameters / 2 * np.log(n))
    return Score(
        tuple(counts.tolist()),
        float(inertia),
        float(variance),
        float(log_likelihood),
        n_parameters,
        bic,
    )


Phase = Literal["improve_params", "improve_structure", "done"]


@dataclass(frozen=True)
class XMeansStep:
    """One step of X-means.

    Attributes
    ----------
    phase : {"improve_params", "improve_structure", "done"}
        What was done: k-means over all rows; one cluster cut in two and the cut judged; the
        clustering with the best BIC of all rows chosen.
    round : int
        The round, from 1; on "done" the round of the chosen clustering.
    centers : ndarray of shape (n_clusters_now, n_features)
        The centres of the round.
    labels : ndarray of shape (n_samples,)
        The cluster of each row.
    score : Score
        The BIC of the whole clustering, with its parts.
    cluster : int or None
        In "improve_structure": the cluster that is cut.
    parent, children : Score or None
        The BIC of that cluster's rows as one cluster and as two; None if it cannot be cut.
    child_centers : ndarray of shape (2, n_features) or None
        The centres of the two parts.
    child_labels : ndarray of shape (n_samples,) or None
        0 and 1 for the rows of the two parts, -1 for all other rows.
    accepted : bool or None
        Whether the cut is kept.
    reason : str
        Why, as a sentence.
    """

    phase: Phase
    round: int
    centers: Floats
    labels: Labels
    score: Score
    cluster: int | None = None
    parent: Score | None = None
    children: Score | None = None
    child_centers: Floats | None = None
    child_labels: Labels | None = None
    accepted: bool | None = None
    reason: str = ""

    @property
    def counts(self) -> NDArray[np.intp]:
        """The sizes of the clusters."""
        return np.array(self.score.sizes, np.intp)

    @property
    def inertia(self) -> float:
        """The SSE of the whole."""
        return self.score.inertia


class XMeans(CentroidClustering):
    """Split clusters in two while that raises the Bayesian information criterion (BIC).

    Each round improves the parameters (k-means over all rows), then the structure: every cluster is
    cut by 2-means, and the cut is kept if two centres have a higher BIC than one on the cluster's
    own rows. The rounds end when no cut is kept. The answer is the round whose clustering has the
    highest BIC on all rows.

    Parameters
    ----------
    min_clusters : int, default=2
        The number of clusters to start with.
    max_clusters : int, default=10
        The largest number of clusters. If more cuts pay, those with the largest gain are kept.
    init : {"k-means++", "random", "farthest"}, default="k-means++"
        How the first k-means and each 2-means choose their starting centres.
    n_init : int, default=1
        The restarts of the first k-means and of each 2-means.
    max_iter : int, default=300
        The largest number of iterations of each of them.
    tol : float, default=1e-4
        The tolerance of each of them, as in ``KMeans``.
    random_state : int, RandomState or None, default=None
        The seed of the random draws.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters_, n_features)
        The centres.
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row.
    inertia_ : float
        The sum of squared errors (SSE).
    n_clusters_ : int
        The number of clusters found.
    bic_ : float
        The BIC of the clustering; larger is better.
    n_iter_ : int
        The number of rounds.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If ``max_clusters`` is below ``min_clusters``, or there are fewer (distinct) rows than
        ``min_clusters``.

    Notes
    -----
    The formulas are those of ``Score``. Two parts without any spread have an infinite likelihood,
    so their cut is kept; a cluster of one or two rows, or of equal rows, is never cut. A cut that
    pays only together with a further one is not made: halving the sum of squares of two columns
    just pays for the two shares.

    References
    ----------
    D. Pelleg and A. Moore (2000), X-means: extending k-means with efficient estimation of the
    number of clusters. G. Schwarz (1978), Estimating the dimension of a model.

    Examples
    --------
    >>> X = [[0, 0], [0, 2], [2, 0], [2, 2], [10, 0], [10, 4], [14, 0], [14, 4]]
    >>> model = XMeans(1, random_state=0).fit(X)
    >>> model.n_clusters_, model.inertia_, round(model.bic_, 2)
    (2, 40.0, -42.12)
    """

    TITLE: ClassVar[str] = "X-means"
    RANGES: ClassVar[Ranges] = staticmethod(count_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        **{name: KMeans.PARAMS[name] for name in ("n_init", "max_iter", "tol")},
        "min_clusters": Integer(1, 256, shown=(1, 10)),
        "max_clusters": Integer(1, 256, shown=(1, 15)),
        "init": Choice(("k-means++", "random", "farthest")),
    }

    def __init__(
        self,
        min_clusters: int = 2,
        max_clusters: int = 10,
        *,
        init: str = "k-means++",
        n_init: int = 1,
        max_iter: int = 300,
        tol: float = 1e-4,
        random_state: Any = None,
    ) -> None:
        self.min_clusters = min_clusters
        self.max_clusters = max_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find the number of clusters and the clusters of the rows of ``X``; ``y`` is ignored."""
        self.n_iter_ = 0
        for step in self._steps(validate_data(self, X, dtype=np.float64)):
            self.n_iter_ = max(self.n_iter_, step.round)
            last = step
        self.cluster_centers_, self.labels_ = last.centers, last.labels
        self.inertia_, self.bic_ = last.inertia, last.score.bic
        self.n_clusters_ = len(last.centers)
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[XMeansStep]:
        """Yield each k-means and each judged cut; the last step is the answer of ``fit``."""
        yield from self._steps(check_array(X, dtype=np.float64))

    def _steps(self, X: Floats) -> Iterator[XMeansStep]:
        self._check(X)
        rng = check_random_state(self.random_state)
        centers: Floats | None = None
        rounds: list[XMeansStep] = []
        while True:
            current = self._improve_params(X, centers, len(rounds) + 1, rng)
            rounds.append(current)
            yield current
            cuts = self._limit(
                [self._cut(X, current, cluster, rng) for cluster in range(len(current.centers))]
            )
            yield from cuts
            if not any(cut.accepted for cut in cuts):
                break
            centers = np.vstack([_centers_after(cut) for cut in cuts])
        yield replace(max(rounds, key=_bic), phase="done")

    def _check(self, X: Floats) -> None:
        check_params(self.PARAMS, self.get_params())
        if self.max_clusters < self.min_clusters:
            raise ValueError(
                f"max_clusters must be at least min_clusters={self.min_clusters}; "
                f"it was {self.max_clusters}."
            )
        if len(X) < self.min_clusters:
            raise too_few_rows(len(X), self.min_clusters)

    def _kmeans(self, X: Floats, n_clusters: int, rng: Any, init: Any = None) -> KMeans:
        how = {
            "n_init": self.n_init,
            "max_iter": self.max_iter,
            "tol": self.tol,
            "random_state": rng,
        }
        return KMeans(n_clusters, init=self.init if init is None else init, **how).fit(X)

    def _improve_params(
        self, X: Floats, centers: Floats | None, number: int, rng: Any
    ) -> XMeansStep:
        model = self._kmeans(
            X, self.min_clusters if centers is None else len(centers), rng, centers
        )
        score = _score(model, X)
        return XMeansStep("improve_params", number, model.cluster_centers_, model.labels_, score)

    def _cut(self, X: Floats, current: XMeansStep, cluster: int, rng: Any) -> XMeansStep:
        """Cut one cluster in two and compare the two BICs on its rows."""
        cut = replace(current, phase="improve_structure", cluster=cluster, accepted=False)
        rows = np.flatnonzero(current.labels == cluster)
        inside = X[rows]
        if len(rows) < 3 or not np.ptp(inside, axis=0).any():
            return replace(cut, reason="It has fewer than three rows, or they are all equal.")
        single, halves = self._kmeans(inside, 1, rng), self._kmeans(inside, 2, rng)
        parent, children = _score(single, inside), _score(halves, inside)
        accepted = children.bic > parent.bic
        reason = "Two centres have the higher BIC."
        if not accepted:
            reason = "Two centres have no higher BIC than one."
        child_labels = np.full(len(X), -1, np.int32)
        child_labels[rows] = halves.labels_
        return replace(
            cut,
            parent=parent,
            children=children,
            child_centers=halves.cluster_centers_,
            child_labels=child_labels,
            accepted=accepted,
            reason=reason,
        )

    def _limit(self, cuts: list[XMeansStep]) -> list[XMeansStep]:
        """Refuse the accepted cuts with the smallest gain in BIC beyond ``max_clusters``."""
        accepted = sorted((cut for cut in cuts if cut.accepted), key=_gain, reverse=True)
        refused = {cut.cluster for cut in accepted[self.max_clusters - len(cuts) :]}
        reason = (
            f"It would pay, but others pay more and {self.max_clusters} clusters are the limit."
        )
        return [
            replace(cut, accepted=False, reason=reason) if cut.cluster in refused else cut
            for cut in cuts
        ]


def _score(model: KMeans, X: Floats) -> Score:
    return bic_score(
        np.bincount(model.labels_, minlength=model.n_clusters), model.inertia_, X.shape[1]
    )


def _bic(step: XMeansStep) -> float:
    return step.score.bic


def _centers_after(cut: XMeansStep) -> Floats:
    return (
        cast(Floats, cut.child_centers) if cut.accepted else cut.centers[[cast(int, cut.cluster)]]
    )


def _gain(cut: XMeansStep) -> float:
    return cut.children.bic - cut.parent.bic if cut.children and cut.parent else -np.inf
