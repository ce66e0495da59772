"""Fuzzy c-means: every row belongs to every cluster, to a degree that falls with its distance."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from dmlib.arrays import Floats
from dmlib.clustering.centroids import CentroidClustering
from dmlib.clustering.kmeans.algorithm import KMeans
from dmlib.clustering.partition import squared_distances, too_few_rows
from dmlib.clustering.ranges import count_ranges
from dmlib.params import Choice, Integer, Number, Param, Ranges, check_params
from dmlib.squares import check_squares, finite_values
from dmlib.trace import look

Phase = Literal["seed", "assign", "update", "done"]


@dataclass(frozen=True)
class FuzzyCMeansStep:
    """One step of fuzzy c-means.

    Attributes
    ----------
    phase : {"seed", "assign", "update", "done"}
        What was done: one starting centre chosen; memberships computed; centres moved; the end.
    iteration : int
        The iteration, from 1; 0 while seeding. On "done" the number of iterations, as ``n_iter_``.
    centers : ndarray of shape (n_clusters, n_features)
        The centres after the step; rows of NaN for those that are not chosen yet.
    memberships : ndarray of shape (n_samples, n_clusters) or None
        To what degree each row belongs to each cluster; rows sum to 1. None while seeding.
    inertia : float
        The objective, NaN while seeding.
    partition_coefficient : float
        The mean over the rows of the sum of squared memberships: from 1/k (all alike) to 1 (crisp).
    change : float
        By how much an "assign" changed a membership at most; 1 in the first.
    chosen : int or None
        The row that a "seed" took as a centre; None if the centre was given.
    reason : str
        On "done": why the run ended, as a sentence.
    """

    phase: Phase
    iteration: int
    centers: Floats
    memberships: Floats | None = None
    inertia: float = np.nan
    partition_coefficient: float = np.nan
    change: float = 1.0
    chosen: int | None = None
    reason: str = ""


class FuzzyCMeans(CentroidClustering):
    r"""Find k centres and the degrees to which rows belong to them.

    The objective is :math:`J_m = \sum_i \sum_j u_{ij}^m \lVert x_i - c_j \rVert^2` with memberships
    :math:`u_{ij} \ge 0` that sum to 1 for each row. Each iteration computes the memberships
    that are best for the centres, :math:`u_{ij} = 1 / \sum_l (d_{ij} / d_{il})^{2/(m-1)}`, then the
    centres that are best for the memberships, :math:`c_j = \sum_i u_{ij}^m x_i / \sum_i u_{ij}^m`.

    Parameters
    ----------
    n_clusters : int, default=3
        The number of clusters, k.
    m : float, default=2.0
        The fuzzifier. Near 1 the memberships are nearly 0 or 1, as those of k-means; the larger m,
        the nearer they are to 1/k.
    init : {"k-means++", "random", "farthest", "points"} or array of shape (n_clusters, n_features)
        The starting centres, as those of k-means.
    max_iter : int, default=300
        The largest number of iterations.
    tol : float, default=1e-5
        The run ends when no membership changes by more than this.
    random_state : int, RandomState or None, default=None
        The seed of the random draws.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The centres.
    memberships_ : ndarray of shape (n_samples, n_clusters)
        To what degree each row belongs to each cluster; rows sum to 1.
    labels_ : ndarray of shape (n_samples,)
        The cluster with the largest membership of each row.
    inertia_ : float
        The objective.
    partition_coefficient_ : float
        The mean over the rows of the sum of squared memberships: from 1/k (all alike) to 1 (crisp).
    n_iter_ : int
        The number of iterations.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there are fewer rows, or for "k-means++" and "farthest" fewer distinct rows, than
        clusters.

    Notes
    -----
    An iteration costs O(n k d). No half-step raises the objective. A row that lies on a centre
    belongs to it alone; of several centres on one place each gets the same share.

    References
    ----------
    J. C. Dunn (1973), A fuzzy relative of the ISODATA process and its use in detecting compact
    well-separated clusters. J. C. Bezdek (1981), Pattern Recognition with Fuzzy Objective Function
    Algorithms, sections 11 and 17.

    Examples
    --------
    >>> model = FuzzyCMeans(2, init=[[0.0], [10.0]]).fit([[0.0], [1.0], [5.0], [9.0], [10.0]])
    >>> model.cluster_centers_.ravel().round(3).tolist(), model.memberships_[2].round(3).tolist()
    ([1.012, 8.988], [0.5, 0.5])
    """

    TITLE: ClassVar[str] = "fuzzy c-means"
    KEY_PARAMS: ClassVar[Mapping[str, str]] = {"m": "Fuzzifier m"}
    RANGES: ClassVar[Ranges] = staticmethod(count_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "n_clusters": Integer(1, 256, shown=(1, 10)),
        "m": Number(1.01, 100.0, shown=(1.05, 6.0), step=0.05),
        "init": Choice(("k-means++", "random", "farthest", "points"), arrays=True),
        "max_iter": Integer(1, 10_000, shown=(1, 50)),
        "tol": Number(0.0, 1.0, shown=(0.0, 0.1), log=True),
    }

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        m: float = 2.0,
        init: str | ArrayLike = "k-means++",
        max_iter: int = 300,
        tol: float = 1e-5,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.m = m
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find the centres and memberships of the rows of ``X``; ``y`` is ignored."""
        for step in self._steps(validate_data(self, X, dtype=np.float64)):
            last = step
        self.cluster_centers_, self.memberships_ = last.centers, np.asarray(last.memberships)
        self.labels_ = self.memberships_.argmax(axis=1).astype(np.int32)
        self.inertia_, self.n_iter_ = last.inertia, last.iteration
        self.partition_coefficient_ = last.partition_coefficient
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[FuzzyCMeansStep]:
        """Yield each starting centre and every half-step; the last one is the answer of ``fit``."""
        yield from self._steps(check_array(X, dtype=np.float64))

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the memberships of rows, of shape (n_samples, n_clusters)."""
        return memberships(self._new_squares(X), self.m)

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Return minus the objective of the rows at these centres."""
        squares = self._new_squares(X)
        return -_objective(memberships(squares, self.m), squares, self.m)

    def _new_squares(self, X: ArrayLike) -> Floats:
        """Return the squared distances of rows from the centres, shape (n_samples, n_clusters)."""
        rows = self._new_rows(X)
        return finite_values(lambda: _squares(rows, self.cluster_centers_))

    def _steps(self, X: Floats) -> Iterator[FuzzyCMeansStep]:
        check_params(self.PARAMS, self.get_params())
        if len(X) < self.n_clusters:
            raise too_few_rows(len(X), self.n_clusters)
        check_squares(X)
        centers = yield from self._seed(X)
        squares, u = _squares(X, centers), None
        reason = f"The limit of {self.max_iter} iterations was reached."
        for iteration in range(1, self.max_iter + 1):
            look()
            before, u = u, memberships(squares, self.m)
            change = 1.0 if before is None else float(np.abs(u - before).max())
            yield self._record("assign", iteration, centers, u, squares, change=change)
            if change <= self.tol:
                reason = "No membership changed by more than the tolerance."
                break
            powers = u**self.m
            centers = X[0] + powers.T @ (X - X[0]) / powers.sum(axis=0)[:, None]
            squares = _squares(X, centers)
            yield self._record("update", iteration, centers, u, squares)
        else:  # the centres have moved since
            u = memberships(squares, self.m)
        yield self._record("done", iteration, centers, u, squares, reason=reason)

    def _seed(self, X: Floats) -> Generator[FuzzyCMeansStep, None, Floats]:
        """Choose the starting centres as k-means does."""
        kmeans = KMeans(self.n_clusters, init=self.init, random_state=self.random_state)
        for step in takewhile(lambda step: step.phase == "seed", kmeans.steps(X)):
            yield FuzzyCMeansStep("seed", 0, step.centers, chosen=step.chosen)
            centers = step.centers
        return centers

    def _record(
        self,
        phase: Phase,
        iteration: int,
        centers: Floats,
        u: Floats | None,
        squares: Floats,
        **details: Any,
    ) -> FuzzyCMeansStep:
        shares = np.asarray(u)
        coefficient = float((shares**2).sum() / len(shares))
        objective = _objective(shares, squares, self.m)
        return FuzzyCMeansStep(phase, iteration, centers, shares, objective, coefficient, **details)


def memberships(squares: Floats, m: float) -> Floats:
    """Return the best memberships for squared distances, both of shape (n_rows, n_clusters).

    Examples
    --------
    >>> memberships(np.array([[1.0, 3.0], [0.0, 5.0], [0.0, 0.0]]), 2.0).tolist()
    [[0.75, 0.25], [1.0, 0.0], [0.5, 0.5]]
    """
    smallest = squares.min(axis=1, keepdims=True)
    is_positive = squares > 0
    nearness = np.where(is_positive, smallest / np.where(is_positive, squares, 1.0), 1.0)
    powers = nearness ** (1 / (m - 1))
    shares: Floats = powers / powers.sum(axis=1, keepdims=True)
    return shares


def _squares(X: Floats, centers: Floats) -> Floats:
    """Return the squared distances of all rows to all centres, from the differences."""
    return np.column_stack([squared_distances(X, center) for center in centers])


def _objective(shares: Floats, squares: Floats, m: float) -> float:
    return float((shares**m * squares).sum())
