"""DBSCAN: clusters are connected places of high density, and the rest is noise."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import validate_data

from dmlib.arrays import Floats
from dmlib.clustering import kernel_distance
from dmlib.clustering.core_graph import (
    NOISE,
    claims,
    contested,
    core_labels,
    neighborhoods,
    total_weights,
)
from dmlib.clustering.dbscan.ranges import dbscan_ranges
from dmlib.clustering.kernel_kmeans.feature_space import kernel_of
from dmlib.clustering.neighbors import Indices, Neighbors
from dmlib.params import Choice, Conditions, Integer, Number, Param, Ranges, Spoken, check_params
from dmlib.trace import look

UNCLASSIFIED = -2
"""The label of unvisited rows."""

Phase = Literal["visit", "expand", "done"]


@dataclass(frozen=True)
class DBSCANStep:
    """One step of DBSCAN: the neighbourhood of one row.

    Attributes
    ----------
    phase : {"visit", "expand", "done"}
        What was done: an unclassified row visited, which is noise for now or starts a cluster; a
        row taken from the seed list of the growing cluster; all rows classified.
    row : int or None
        The row; None on "done".
    neighbors : ndarray of shape (n_neighbors,)
        The rows at most ``eps`` away, itself included, in ascending order; empty on "done".
    weight : float
        Their number, or the sum of their weights.
    core : bool
        Whether that is at least ``min_samples``.
    cluster : int
        The cluster that grows; -1 if none does.
    labels : ndarray of shape (n_samples,)
        The labels after the step: a cluster, -1 for noise, -2 for rows that are not classified yet.
    joined : ndarray
        The rows that the step put into the cluster.
    rescued : ndarray
        Those of them that were noise until then: border points.
    seeds : ndarray
        The seed list after the step: rows of the cluster that are still to be expanded.
    n_clusters : int
        How many clusters there are so far.
    contested : tuple of (int, tuple of int)
        On "done": the border points that lie in the neighbourhoods of several clusters, each with
        these clusters. Which one it belongs to depends on the order of the visits.
    reason : str
        On "done": what was found, as a sentence.
    """

    phase: Phase
    row: int | None
    neighbors: Indices
    weight: float
    core: bool
    cluster: int
    labels: Indices
    joined: Indices
    rescued: Indices
    seeds: Indices
    n_clusters: int
    contested: tuple[tuple[int, tuple[int, ...]], ...] = ()
    reason: str = ""


class DBSCAN(ClusterMixin, BaseEstimator):
    r"""Find clusters as connected places of high density, and leave the rest as noise.

    The neighbourhood of a row is :math:`N(x) = \{y : d(x, y) \le eps\}`. A *core point* has at
    least ``min_samples`` rows in its neighbourhood, itself included. Core points in each other's
    neighbourhood belong to the same cluster; a *border point* is no core point, but in the
    neighbourhood of one; all other rows are *noise*.

    Parameters
    ----------
    eps : float, default=0.5
        The radius of a neighbourhood, in the units of the data. 0: only identical rows are
        neighbours.
    min_samples : int, default=5
        How many rows (or which total weight) in its neighbourhood make a row a core point; the row
        itself counts.
    metric : str or callable, default="euclidean"
        The distance: a name that scikit-learn knows, a function of two rows, "rbf", "poly" or
        "laplacian" for that in the feature space of this kernel, or "precomputed" if X is a
        symmetric matrix of distances (a sparse one lists only the near pairs).
    metric_params : dict or None, default=None
        Further arguments of the metric.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        How neighbours are found; it does not change the answer.
    leaf_size : int, default=30
        The number of rows from which a tree no longer divides them.
    p : float or None, default=None
        The exponent of the metric "minkowski"; None means 2.
    n_jobs : int or None, default=None
        How many processors scikit-learn's searches use.
    order : {"index", "reverse", "random"} or array of shape (n_samples,), default="index"
        The order in which rows are visited: as they are, backwards, shuffled, or as the array lists
        them. It decides the numbers of the clusters, and to which cluster a contested border point
        belongs; nothing else.
    random_state : int, RandomState or None, default=None
        The seed of the shuffled order.
    gamma : {"scale", "auto"} or float, default="scale"
        The factor γ of a kernel; "scale" is one over the sum of the columns' variances, "auto" one
        over their number.
    degree : int, default=2
        The power p of "poly".
    coef0 : float, default=1.0
        The constant c of "poly".

    Attributes
    ----------
    core_sample_indices_ : ndarray of shape (n_core_samples,)
        The core points, in ascending order.
    components_ : ndarray of shape (n_core_samples, n_features)
        A copy of these rows.
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row, from 0; -1 for noise.
    n_clusters_, n_noise_ : int
        How many clusters, and how many rows of noise.
    order_ : ndarray of shape (n_samples,)
        The rows in the order in which they are visited.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a parameter is out of bounds, or the neighbourhoods are too large to be kept.

    Notes
    -----
    ``fit`` takes all pairs of neighbours from a k-d tree and the clusters from the connected
    components of the core points; a border point joins the cluster that is found first. ``steps``
    goes neighbourhood by neighbourhood, as the original algorithm does, to the same answer. In few
    dimensions time is about O(n log n + pairs), memory O(pairs).

    A kernel needs the distances of all pairs, :math:`d^2(x, y) = k(x, x) - 2 k(x, y) + k(y, y)`:
    O(n²) time and memory.

    With ``order="index"`` the labels are scikit-learn's: clusters are numbered by their first core
    point.

    References
    ----------
    M. Ester, H.-P. Kriegel, J. Sander and X. Xu (1996), A density-based algorithm for discovering
    clusters in large spatial databases with noise, sections 3 and 4. E. Schubert, J. Sander, M.
    Ester, H.-P. Kriegel and X. Xu (2017), DBSCAN revisited, revisited, algorithm 1.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [9.0], [20.0], [21.0], [22.0]]
    >>> model = DBSCAN(1.0, min_samples=3).fit(X)
    >>> model.labels_.tolist(), model.core_sample_indices_.tolist()
    ([0, 0, 0, -1, 1, 1, 1], [1, 5])
    """

    TITLE: ClassVar[str] = "DBSCAN"
    KEY_PARAMS: ClassVar[Mapping[str, str]] = {
        "eps": "Neighbourhood radius ε (eps)",
        "min_samples": "Minimum points",
    }
    RANGES: ClassVar[Ranges] = staticmethod(dbscan_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "eps": Number(0.0, 1e150, shown=(0.01, 1000.0), log=True),
        "min_samples": Integer(1, 1_000_000_000, shown=(1, 20)),
        "metric": Choice(("euclidean", "manhattan", "chebyshev", *kernel_distance.METRICS)),
        "gamma": Number(0.0, 1e12, shown=(0.01, 100.0), log=True, names=("scale", "auto")),
        "degree": Integer(1, 30, shown=(1, 5)),
        "coef0": Number(0.0, 1e6, shown=(0.0, 5.0), step=0.05),
        "order": Choice(("index", "reverse", "random"), arrays=True),
    }
    APPLIES: ClassVar[Conditions] = {
        "gamma": ("metric", kernel_distance.METRICS),
        "degree": ("metric", ("poly",)),
        "coef0": ("metric", ("poly",)),
    }
    SPOKEN: ClassVar[Spoken] = {
        "metric": {
            "rbf": "RBF kernel",
            "poly": "polynomial kernel",
            "laplacian": "Laplacian kernel",
        }
    }

    def __init__(
        self,
        eps: float = 0.5,
        *,
        min_samples: int = 5,
        metric: str | Callable[..., float] = "euclidean",
        metric_params: dict[str, Any] | None = None,
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float | None = None,
        n_jobs: int | None = None,
        order: str | ArrayLike = "index",
        random_state: Any = None,
        gamma: float | str = "scale",
        degree: int = 2,
        coef0: float = 1.0,
    ) -> None:
        self.eps = eps
        self.min_samples = min_samples
        self.metric = metric
        self.metric_params = metric_params
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.n_jobs = n_jobs
        self.order = order
        self.random_state = random_state
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0

    def fit(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Find the clusters of the rows of ``X``; ``y`` is ignored.

        A row of weight w counts as w rows.
        """
        rows = validate_data(self, X, accept_sparse="csr", dtype=np.float64)
        self.order_, pairs, totals = self._prepare(rows, sample_weight)
        core = totals >= self.min_samples
        self.labels_ = core_labels(pairs, core, self.order_)
        border, clusters = claims(pairs, core, self.labels_)[::-1].T
        self.labels_[border] = clusters  # of several claims on a row the last, the lowest, stays
        self.core_sample_indices_ = np.flatnonzero(core)
        self.components_ = rows[self.core_sample_indices_].copy()
        self.n_clusters_ = int(self.labels_.max()) + 1
        self.n_noise_ = int((self.labels_ == NOISE).sum())
        return self

    def steps(
        self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None
    ) -> Iterator[DBSCANStep]:
        """Yield one step for each neighbourhood, and at the end one with the labels of ``fit``."""
        rows = check_array(X, accept_sparse="csr", dtype=np.float64)
        order, pairs, totals = self._prepare(rows, sample_weight)
        core = totals >= self.min_samples
        walk = _Walk(neighborhoods(pairs, len(order)), totals, core)
        yield from walk.steps(order)
        reason = _summary(walk.labels, core, self.eps, self.min_samples)
        if self.eps == 0:
            same = "rows with the distance 0" if self.metric == "poly" else "identical rows"
            reason += f" With eps = 0 only {same} are neighbours."
        several = contested(claims(pairs, core, walk.labels))
        yield walk.record("done", None, NOISE, contested=several, reason=reason)

    def distance(self, X: Any) -> Any:
        """Return the metric or, with gamma as a number, the kernel whose distances are taken."""
        if not isinstance(self.metric, str) or self.metric not in kernel_distance.METRICS:
            return self.metric
        rows = X.toarray() if issparse(X) else np.asarray(X, float)
        return kernel_of(self.metric, rows, self.gamma, self.degree, self.coef0)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags

    def _prepare(self, X: Any, sample_weight: ArrayLike | None) -> tuple[Indices, Indices, Floats]:
        """Check the parameters; return order of visits, pairs and weights of neighbours."""
        specs = {name: spec for name, spec in self.PARAMS.items() if name != "metric"}
        check_params(specs, self.get_params())
        names = ("metric_params", "algorithm", "leaf_size", "p", "n_jobs")
        order = self._order(X.shape[0])
        weights = _weights(sample_weight, len(order))
        search = {name: getattr(self, name) for name in names}
        pairs = Neighbors(X, metric=self.distance(X), **search).pairs(self.eps)
        return order, pairs, total_weights(pairs, weights, len(order))

    def _order(self, n_samples: int) -> Indices:
        order = np.arange(n_samples)
        if not isinstance(self.order, str):
            visits = np.asarray(self.order)
            if not np.array_equal(np.sort(visits, axis=None), order):
                raise ValueError(
                    f"An order of visits must list each of the rows 0 to {n_samples - 1} once."
                )
            return visits.astype(np.intp)
        if self.order == "random":
            check_random_state(self.random_state).shuffle(order)
        return order[::-1] if self.order == "reverse" else order


class _Walk:
    """The original algorithm: its labels, its seed list, and one neighbourhood after the other."""

    def __init__(
        self, neighborhoods: list[Indices], totals: Floats, core: NDArray[np.bool_]
    ) -> None:
        self.neighborhoods = neighborhoods
        self.totals, self.core = totals, core
        self.labels = np.full(len(totals), UNCLASSIFIED)
        self.seeds: deque[int] = deque()
        self.n_clusters = 0

    def steps(self, order: Indices) -> Iterator[DBSCANStep]:
        """Visit the rows; let each core point that is in no cluster yet grow one."""
        for row in order.tolist():
            look()
            if self.labels[row] != UNCLASSIFIED:
                continue
            if not self.core[row]:
                self.labels[row] = NOISE
                yield self.record("visit", row, NOISE)
                continue
            cluster, self.n_clusters = self.n_clusters, self.n_clusters + 1
            self.labels[row] = cluster
            yield self._claim("visit", row, cluster)
            while self.seeds:
                yield self._claim("expand", self.seeds.popleft(), cluster)

    def _claim(self, phase: Phase, row: int, cluster: int) -> DBSCANStep:
        """Put the neighbours of a core point into its cluster, and new ones on the seed list."""
        neighbors = self.neighborhoods[row] if self.core[row] else np.empty(0, np.intp)
        fresh, rescued = (
            neighbors[self.labels[neighbors] == label] for label in (UNCLASSIFIED, NOISE)
        )
        self.labels[fresh] = self.labels[rescued] = cluster
        self.seeds.extend(fresh.tolist())
        joined = np.sort(np.concatenate([fresh, rescued, [row] * (phase == "visit")])).astype(
            np.intp
        )
        return self.record(phase, row, cluster, joined=joined, rescued=rescued)

    def record(self, phase: Phase, row: int | None, cluster: int, **details: Any) -> DBSCANStep:
        """Return the step that describes how things are now."""
        no_rows = np.empty(0, np.intp)
        return DBSCANStep(
            phase=phase,
            row=row,
            neighbors=no_rows if row is None else self.neighborhoods[row].copy(),
            weight=0.0 if row is None else float(self.totals[row]),
            core=row is not None and bool(self.core[row]),
            cluster=cluster,
            labels=self.labels.copy(),
            seeds=np.array(self.seeds, np.intp),
            n_clusters=self.n_clusters,
            **{"joined": no_rows, "rescued": no_rows} | details,
        )


def _weights(sample_weight: ArrayLike | None, n_samples: int) -> Floats | None:
    if sample_weight is None:
        return None
    weights: Floats = check_array(
        sample_weight, dtype=np.float64, ensure_2d=False, input_name="sample_weight"
    )
    if weights.shape != (n_samples,):
        raise ValueError(
            "sample_weight must have one number for each "
            f"of the {n_samples} rows, not {weights.shape}."
        )
    if not weights.any():
        raise ValueError("Every sample_weight is zero. Give at least one row a weight.")
    return weights


def _summary(labels: Indices, core: NDArray[np.bool_], eps: float, min_samples: int) -> str:
    """Say what was found, and what it means if that is extreme."""
    n_clusters, n_noise = int(labels.max()) + 1, int((labels == NOISE).sum())
    if not core.any():
        return (
            f"No row has {min_samples} rows within {eps:g} of it, "
            f"itself included, so every row is noise."
        )
    if n_clusters == 1 and not n_noise:
        return (
            "All rows are one cluster: from any row to any other, chains of core points lead "
            f"in hops of at most {eps:g}."
        )
    parts = (n_clusters, "cluster"), (int(core.sum()), "core point"), (n_noise, "row")
    clusters, cores, noise = (f"{number} {noun}{'s' * (number != 1)}" for number, noun in parts)
    return f"Every row is classified: {clusters}, {cores}, {noise} of noise."
