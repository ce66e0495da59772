"""OPTICS: an order of the rows in which clusters of every density are valleys of a curve."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self, cast

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import cluster_optics_xi
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.clustering.neighbors import Indices, Neighbors
from dmlib.clustering.optics.ranges import optics_ranges
from dmlib.clustering.optics.walk import Walk
from dmlib.clustering.reachability import cut_reachability
from dmlib.params import Choice, Flag, Integer, Number, Param, Ranges, check_params

Phase = Literal["start", "process", "done"]


@dataclass(frozen=True)
class OPTICSStep:
    """One step of OPTICS: one row takes its place in the order.

    Attributes
    ----------
    phase : {"start", "process", "done"}
        What was done: no row waited, so the first unprocessed one was taken; the waiting row with
        the smallest reachability was taken; the clusters were read off.
    position : int
        The place in the order, from 0; on "done" the number of rows.
    reachabilities : ndarray of shape (n_samples,)
        The reachability distances of all rows after the step; infinite for those that were not
        reached.
    row : int or None
        The row that was taken; None on "done".
    core_distance : float
        Its distance to the ``min_samples``-th nearest row (itself included); infinite if that is
        beyond ``max_eps``.
    reachability : float
        Its reachability distance, which is final now; infinite on "start".
    predecessor : int
        The processed row from which it was reached; -1 on "start".
    updated : ndarray
        The unprocessed rows that it reaches more easily than any row before; they wait from now on.
    before : ndarray
        Their reachability distances before the step; infinite for those that did not wait yet.
    ordering : ndarray of shape (n_samples,) or None
        On "done": the rows in order.
    labels : ndarray of shape (n_samples,) or None
        On "done": the cluster of each row, -1 for noise.
    hierarchy : ndarray of shape (n_clusters, 2) or None
        On "done" with "xi": first and last place in the order of every cluster, those within others
        included.
    reason : str
        On "done": what was found, as a sentence.
    """

    phase: Phase
    position: int
    reachabilities: Floats
    row: int | None = None
    core_distance: float = np.inf
    reachability: float = np.inf
    predecessor: int = -1
    updated: Indices = field(default_factory=lambda: np.empty(0, np.intp))
    before: Floats = field(default_factory=lambda: np.empty(0))
    ordering: Indices | None = None
    labels: Indices | None = None
    hierarchy: Indices | None = None
    reason: str = ""


class OPTICS(ClusterMixin, BaseEstimator):
    r"""Order the rows by density-reachability, with a reachability distance for each.

    The *core distance* of a row is the radius at which it becomes a core point of DBSCAN. The
    *reachability distance* of x from o is :math:`\max(core(o), d(o, x))`. The next row is always
    the one that is reached most easily from the rows before it. Drawn in this order, the
    reachability distances show clusters as valleys; a horizontal cut at any height gives the
    clusters of DBSCAN with that ``eps``.

    Parameters
    ----------
    min_samples : int or float, default=5
        How many rows within its core distance make a row a core point; the row itself counts. A
        number from 0 to 1 is a share of the rows.
    max_eps : float, default=inf
        The largest radius that is looked at. Infinite: every row is reached from the first one.
    metric : str or callable, default="minkowski"
        The distance: a name that scikit-learn knows, a function of two rows, or "precomputed" if X
        is a symmetric matrix of distances (a sparse one lists only the near pairs).
    p : float, default=2
        The exponent of the metric "minkowski": 2 is the Euclidean distance, 1 the Manhattan
        distance.
    metric_params : dict or None, default=None
        Further arguments of the metric.
    cluster_method : {"xi", "dbscan"}, default="xi"
        How clusters are read off the curve: by its steep flanks, or by a horizontal cut.
    eps : float or None, default=None
        The height of the cut; None means ``max_eps``. Only for "dbscan".
    xi : float, default=0.05
        Which fall or rise from one row to the next, as a share, is a steep flank. Only for "xi".
    predecessor_correction : bool, default=True
        Whether "xi" leaves out rows at the end of a cluster that were reached from outside it.
    min_cluster_size : int, float or None, default=None
        The smallest cluster of "xi", as a number or share of rows; None means ``min_samples``.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        How neighbours are found; it does not change the answer.
    leaf_size : int, default=30
        The number of rows from which a tree no longer divides them.
    memory : None, default=None
        Accepted for scikit-learn's sake; nothing is cached.
    n_jobs : int or None, default=None
        How many processors scikit-learn's searches use.

    Attributes
    ----------
    ordering_ : ndarray of shape (n_samples,)
        The rows in the order in which they were taken.
    reachability_ : ndarray of shape (n_samples,)
        The reachability distance of each row (by row, not in order); infinite where a walk started.
    core_distances_ : ndarray of shape (n_samples,)
        The core distance of each row; infinite if it is beyond ``max_eps``.
    predecessor_ : ndarray of shape (n_samples,)
        The row from which each row was reached; -1 where a walk started.
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row, from 0; -1 for noise.
    cluster_hierarchy_ : ndarray of shape (n_clusters, 2)
        For "xi": first and last place in the order of every cluster, smaller ones before those that
        contain them.
    n_clusters_, n_noise_ : int
        How many clusters ``labels_`` has, and how many rows of noise.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a parameter is out of bounds, or there are fewer rows than ``min_samples``.

    Warns
    -----
    UserWarning
        If ``fit`` finds no core point within ``max_eps``.

    Notes
    -----
    With an infinite ``max_eps`` time is O(n^2), with a finite one about O(n (log n + neighbours))
    and a search for the smallest of n numbers; memory is O(n).

    Of rows that are reached equally easily the one with the lower number is taken, and a row keeps
    the first of equally good predecessors, as in scikit-learn; other software breaks ties in other
    ways, so that orders differ where distances tie.

    References
    ----------
    M. Ankerst, M. M. Breunig, H.-P. Kriegel and J. Sander (1999), OPTICS: ordering points to
    identify the clustering structure, sections 3.2 (the order), 4.1 (cut) and 4.3 (xi). E. Schubert
    and M. Gertz (2018), Improving the cluster structure extracted from OPTICS plots (the
    correction).

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [10.0], [10.5], [11.0]]
    >>> model = OPTICS(2).fit(X)
    >>> model.ordering_.tolist(), model.reachability_.tolist()
    ([0, 1, 2, 3, 4, 5], [inf, 1.0, 1.0, 8.0, 0.5, 0.5])
    >>> model.cut(2.0).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    TITLE: ClassVar[str] = "OPTICS"
    KEY_PARAMS: ClassVar[Mapping[str, str]] = {"min_samples": "Minimum points", "xi": "Steepness ξ"}
    RANGES: ClassVar[Ranges] = staticmethod(optics_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "min_samples": Integer(2, 1_000_000_000, shown=(2, 30)),
        "max_eps": Number(0.0, np.inf, shown=(0.01, 10.0), log=True),
        "metric": Choice(("minkowski", "manhattan", "chebyshev")),
        "cluster_method": Choice(("xi", "dbscan")),
        "xi": Number(0.0, 1.0, shown=(0.01, 0.3), step=0.01),
        "min_cluster_size": Integer(2, 1_000_000_000, shown=(2, 50), none="as min_samples"),
        "predecessor_correction": Flag(),
    }

    def __init__(
        self,
        min_samples: float = 5,
        *,
        max_eps: float = np.inf,
        metric: str | Callable[..., float] = "minkowski",
        p: float = 2,
        metric_params: dict[str, Any] | None = None,
        cluster_method: str = "xi",
        eps: float | None = None,
        xi: float = 0.05,
        predecessor_correction: bool = True,
        min_cluster_size: float | None = None,
        algorithm: str = "auto",
        leaf_size: int = 30,
        memory: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.min_samples = min_samples
        self.max_eps = max_eps
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.cluster_method = cluster_method
        self.eps = eps
        self.xi = xi
        self.predecessor_correction = predecessor_correction
        self.min_cluster_size = min_cluster_size
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.memory = memory
        self.n_jobs = n_jobs

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Order the rows of ``X`` and find clusters in the order; ``y`` is ignored."""
        walk = self._walk(validate_data(self, X, accept_sparse="csr", dtype=np.float64))
        for _ in walk.run():
            pass
        if np.isinf(walk.reachability).all():
            sentence = (
                "All reachability values are inf. "
                "Set a larger max_eps or all data will be considered outliers."
            )
            warnings.warn(sentence, UserWarning, stacklevel=2)
        self.core_distances_, self.predecessor_ = walk.core_distances, walk.predecessor
        return self._adopt(_done(walk, *self._extract(walk)))

    def fit_from(self, steps: Sequence[OPTICSStep], X: ArrayLike, y: Any = None) -> Self:
        """Learn what ``fit`` would from the steps on the same rows, without walking again."""
        validate_data(self, X, accept_sparse="csr", dtype=np.float64)
        *processed, done = sorted(
            steps, key=lambda step: len(steps) if step.row is None else step.row
        )
        self.core_distances_ = np.array([step.core_distance for step in processed])
        self.predecessor_ = np.array([step.predecessor for step in processed])
        return self._adopt(done)

    def _adopt(self, done: OPTICSStep) -> Self:
        """Keep the order, and the clusters in it."""
        self.ordering_, self.labels_ = cast("Indices", done.ordering), cast("Indices", done.labels)
        self.reachability_ = done.reachabilities
        self.n_clusters_, self.n_noise_ = int(self.labels_.max()) + 1, int((self.labels_ < 0).sum())
        if done.hierarchy is not None:
            self.cluster_hierarchy_ = done.hierarchy
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[OPTICSStep]:
        """Yield one step for each row that is processed, and one with the labels of ``fit``."""
        walk = self._walk(check_array(X, accept_sparse="csr", dtype=np.float64))
        for position, (row, updated, before) in enumerate(walk.run()):
            predecessor = int(walk.predecessor[row])
            yield OPTICSStep(
                phase="start" if predecessor < 0 else "process",
                position=position,
                row=row,
                core_distance=float(walk.core_distances[row]),
                reachability=float(walk.reachability[row]),
                predecessor=predecessor,
                updated=updated,
                before=before,
                reachabilities=walk.reachability.copy(),
            )
        yield _done(walk, *self._extract(walk))

    def cut(self, eps: float) -> Indices:
        """Return the labels, shape (n_samples,), of a horizontal cut at height ``eps``.

        Raises
        ------
        ValueError
            If ``eps`` is negative or beyond ``max_eps``.
        """
        check_is_fitted(self)
        self._check_cut(eps)
        return cut_reachability(self.ordering_, self.reachability_, self.core_distances_, eps)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.metric != "minkowski"
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags

    def _walk(self, X: Any) -> Walk:
        """Check the parameters against the data and return a walk that has not begun."""
        checked_apart = {"metric", "min_samples", "min_cluster_size"}
        check_params(
            {name: spec for name, spec in self.PARAMS.items() if name not in checked_apart},
            self.get_params(),
        )
        min_samples = _number_of_rows("min_samples", self.min_samples, X.shape[0])
        if self.min_cluster_size is not None:
            _number_of_rows("min_cluster_size", self.min_cluster_size, X.shape[0])
        if self.cluster_method == "dbscan" and self.eps is not None:
            self._check_cut(self.eps)
        names = ("metric", "metric_params", "algorithm", "leaf_size", "p", "n_jobs")
        return Walk(
            Neighbors(X, **{name: getattr(self, name) for name in names}), min_samples, self.max_eps
        )

    def _check_cut(self, eps: float) -> None:
        check_params({"eps": Number(0.0, np.inf)}, {"eps": eps})
        if eps > self.max_eps:
            raise ValueError(
                f"Specify an epsilon smaller than {self.max_eps:g}. Got {eps:g}. "
                "Beyond max_eps no distance was computed: cut lower, or choose a larger max_eps."
            )

    def _extract(self, walk: Walk) -> tuple[Indices, Indices | None]:
        """Return the labels, and for "xi" the clusters within clusters."""
        if self.cluster_method == "dbscan":
            eps = self.max_eps if self.eps is None else self.eps
            distances = walk.reachability, walk.core_distances
            return cut_reachability(walk.ordering, *distances, eps), None
        # Duplicates, and xi = 1, make infinitely steep flanks.
        with np.errstate(divide="ignore", invalid="ignore"):
            clusters: tuple[Indices, Indices] = cluster_optics_xi(
                reachability=walk.reachability,
                predecessor=walk.predecessor,
                ordering=walk.ordering,
                min_samples=walk.min_samples,
                min_cluster_size=self.min_cluster_size,
                xi=np.float64(self.xi),
                predecessor_correction=self.predecessor_correction,
            )
        return clusters


def _number_of_rows(name: str, value: Any, n_samples: int) -> int:
    """Return a number of rows that may be given as a share of them."""
    if isinstance(value, float | np.floating) and 0 <= value <= 1:
        number = max(2, int(value * n_samples))
    else:
        try:
            number = Integer(2, 1_000_000_000).check(value)
        except ValueError:
            allowed = "a whole number from 2 on, or a share from 0.0 to 1.0"
            raise ValueError(f"{name} must be {allowed}; it was {value!r}.") from None
    if number > n_samples:
        raise ValueError(
            f"{name} must be no greater than the number of rows; "
            f"it was {number} for n_samples={n_samples}."
        )
    return number


def _done(walk: Walk, labels: Indices, hierarchy: Indices | None) -> OPTICSStep:
    """Return the last step, with the clusters."""
    n_clusters, n_noise = int(labels.max()) + 1, int((labels < 0).sum())
    n_starts = int((walk.predecessor < 0).sum())
    if np.isinf(walk.core_distances).all():
        reason = (
            f"No row has {walk.min_samples} rows within max_eps = {walk.max_eps:g} of it, "
            "itself included, so no row reaches another and every row is noise."
        )
    else:
        parts = (n_starts, "start"), (n_clusters, "cluster"), (n_noise, "row")
        starts, clusters, noise = (
            f"{number} {noun}{'s' * (number != 1)}" for number, noun in parts
        )
        reason = f"Every row is ordered, after {starts}: {clusters}, {noise} of noise."
    return OPTICSStep(
        phase="done",
        position=len(labels),
        reachabilities=walk.reachability.copy(),
        ordering=walk.ordering.copy(),
        labels=labels,
        hierarchy=hierarchy,
        reason=reason,
    )
