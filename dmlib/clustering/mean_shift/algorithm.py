"""Mean shift: seeds climb to the modes of a density, and each row belongs to its nearest mode."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.arrays import Floats
from dmlib.clustering.mean_shift.bandwidth import estimated_bandwidth
from dmlib.clustering.mean_shift.kernel import Indices, means_around, nearest
from dmlib.clustering.mean_shift.ranges import mean_shift_ranges
from dmlib.params import Choice, Flag, Integer, Number, Param, Ranges, check_params
from dmlib.squares import check_squares
from dmlib.trace import look

TOLERANCE = 1e-3  # of the bandwidth: a seed that shifts by no more has converged
DIGITS = 9  # of a density that count where seeds are compared
ORPHAN = -1  # the label of rows that no mode reaches

Phase = Literal["seed", "shift", "converge", "merge", "assign"]


@dataclass(frozen=True)
class MeanShiftStep:
    """One step of mean shift.

    Attributes
    ----------
    phase : {"seed", "shift", "converge", "merge", "assign"}
        What was done: the seeds placed; every moving seed shifted to the mean around it; no seed
        moves any more; one mode found among the seeds; each row labelled.
    iteration : int
        How many shifts there were.
    places : ndarray of shape (n_seeds, n_features)
        Where the seeds are after the step.
    moving : ndarray of bool, shape (n_seeds,)
        Which seeds still move.
    densities : ndarray of shape (n_seeds,)
        The sum of the weights of the rows around each seed before its last shift, with the flat
        kernel their number; NaN while it has not shifted.
    modes : ndarray of shape (n_seeds,)
        The mode that each seed belongs to; -1 before it is merged, and for seeds that no row is
        near to.
    cluster_centers : ndarray of shape (n_modes, n_features)
        The modes so far, the densest first.
    labels : ndarray of shape (n_samples,) or None
        On "assign": the cluster of each row, -1 for orphans.
    bandwidth : float
        The bandwidth.
    n_iter : int
        The number of shifts after which the last seed still moved.
    reason : str
        On "converge": why no seed moves any more, as a sentence.
    """

    phase: Phase
    iteration: int
    places: Floats
    moving: NDArray[np.bool_]
    densities: Floats
    modes: Indices
    cluster_centers: Floats
    labels: Indices | None
    bandwidth: float
    n_iter: int = 0
    reason: str = ""


class MeanShift(ClusterMixin, BaseEstimator):
    r"""Find the modes of a density by shifting seeds to the mean of the rows around them.

    A seed at :math:`x` moves to :math:`m(x) = \sum_i K(x - x_i)\,x_i \,/ \sum_i K(x - x_i)`, again
    and again, which climbs an estimated density. Seeds that end together are one mode, and each
    mode is a cluster. Their number need not be given.

    Parameters
    ----------
    bandwidth : float or None, default=None
        The bandwidth h of the kernel, in the units of the data. None estimates it: the mean
        distance within which a row has 30 % of all rows.
    kernel : {"flat", "gaussian"}, default="flat"
        How rows around a seed are weighted. "flat": those at most h away count 1, others 0.
        "gaussian": all count, by :math:`\exp(-d^2 / 2h^2)`.
    seeds : array of shape (n_seeds, n_features) or None, default=None
        Where the seeds start; None for the rows, or the bins.
    bin_seeding : bool, default=False
        Whether the seeds are the points of a grid of mesh h that rows are nearest to, instead of
        all rows: fewer seeds, less work.
    min_bin_freq : int, default=1
        How many rows a point of the grid needs to become a seed; it counts only with bin seeding.
    cluster_all : bool, default=True
        Whether every row belongs to a cluster. Otherwise rows farther than h from all modes are
        orphans, with the label -1.
    max_iter : int, default=300
        The largest number of shifts of a seed after its first.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The modes, the densest first.
    labels_ : ndarray of shape (n_samples,)
        The nearest mode of each row, from 0; -1 for orphans.
    bandwidth_ : float
        The bandwidth, given or estimated.
    n_iter_ : int
        The number of shifts after which the last seed still moved.
    n_clusters_, n_orphans_ : int
        How many clusters there are, and how many orphans.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a parameter is out of bounds, or no row is near any seed.

    Notes
    -----
    All seeds shift at once; each is independent of the others. An iteration costs O(s n d) for s
    seeds that still move. A seed has converged when it shifts by at most h / 1000. Modes are then
    taken by density, the densest first, of equally dense ones that with the larger coordinates; a
    mode takes all seeds within h. A row at the same distance from two modes belongs to the denser
    one.

    With the flat kernel all this is as in scikit-learn, which has no other. It climbs the density
    whose kernel is Epanechnikov's, the Gaussian kernel that of Gauss (Cheng, 1995, theorem 1). A
    bandwidth of 0, as it is estimated where many rows are equal, makes each distinct row a mode.

    References
    ----------
    K. Fukunaga and L. D. Hostetler (1975), The estimation of the gradient of a density function,
    with applications in pattern recognition, section IV. Y. Cheng (1995), Mean shift, mode seeking,
    and clustering, definition 1. D. Comaniciu and P. Meer (2002), Mean shift: a robust approach
    toward feature space analysis, sections 2 and 4.

    Examples
    --------
    >>> X = [[1, 1], [2, 1], [1, 0], [4, 7], [3, 5], [3, 6]]
    >>> model = MeanShift(bandwidth=2).fit(X)
    >>> model.cluster_centers_.round(2).tolist(), model.labels_.tolist()
    ([[3.33, 6.0], [1.33, 0.67]], [1, 1, 1, 0, 0, 0])
    """

    TITLE: ClassVar[str] = "Mean shift"
    RANGES: ClassVar[Ranges] = staticmethod(mean_shift_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "bandwidth": Number(1e-100, 1e100, shown=(0.01, 1000.0), log=True, none="estimated"),
        "kernel": Choice(("flat", "gaussian")),
        "bin_seeding": Flag(),
        "min_bin_freq": Integer(1, 1_000_000_000, shown=(1, 20)),
        "cluster_all": Flag(),
        "max_iter": Integer(0, 10_000, shown=(0, 50)),
    }

    def __init__(
        self,
        *,
        bandwidth: float | None = None,
        kernel: str = "flat",
        seeds: ArrayLike | None = None,
        bin_seeding: bool = False,
        min_bin_freq: int = 1,
        cluster_all: bool = True,
        max_iter: int = 300,
    ) -> None:
        self.bandwidth = bandwidth
        self.kernel = kernel
        self.seeds = seeds
        self.bin_seeding = bin_seeding
        self.min_bin_freq = min_bin_freq
        self.cluster_all = cluster_all
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find the modes of the rows of ``X``; ``y`` is ignored."""
        rows = validate_data(self, X, dtype=np.float64)
        return self._adopt(deque(self._steps(rows), maxlen=1)[0])

    def fit_from(self, steps: Sequence[MeanShiftStep], X: ArrayLike, y: Any = None) -> Self:
        """Learn what ``fit`` would from the steps on the same rows, without clustering again."""
        validate_data(self, X, dtype=np.float64)
        return self._adopt(steps[-1])

    def predict(self, X: ArrayLike) -> Indices:
        """Return the nearest mode of each row."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        return nearest(rows, self.cluster_centers_)[0]

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[MeanShiftStep]:
        """Yield every shift of the seeds, every mode, and the labels of ``fit``."""
        yield from self._steps(check_array(X, dtype=np.float64))

    def _adopt(self, last: MeanShiftStep) -> Self:
        """Keep what the last step says."""
        self.cluster_centers_, self.labels_ = last.cluster_centers, cast(Indices, last.labels)
        self.bandwidth_, self.n_iter_ = last.bandwidth, last.n_iter
        self.n_clusters_ = len(self.cluster_centers_)
        self.n_orphans_ = int((self.labels_ == ORPHAN).sum())
        return self

    def _steps(self, X: Floats) -> Iterator[MeanShiftStep]:
        check_params(self.PARAMS, self.get_params())
        check_squares(X)
        bandwidth = estimated_bandwidth(X) if self.bandwidth is None else float(self.bandwidth)
        seeds = self._seeds(X, bandwidth)
        step = MeanShiftStep(
            phase="seed",
            iteration=0,
            places=seeds,
            moving=np.ones(len(seeds), bool),
            densities=np.full(len(seeds), np.nan),
            modes=np.full(len(seeds), -1),
            cluster_centers=np.empty((0, X.shape[1])),
            labels=None,
            bandwidth=bandwidth,
        )
        yield step
        step = yield from self._climb(X, step)
        step = yield from _merge(step)
        labels, distances = nearest(X, step.cluster_centers)
        if not self.cluster_all:
            labels[distances > bandwidth**2] = ORPHAN
        yield replace(step, phase="assign", labels=labels)

    def _seeds(self, X: Floats, bandwidth: float) -> Floats:
        if self.seeds is not None:
            seeds: Floats = check_array(self.seeds, dtype=np.float64)
            if seeds.shape[1] != X.shape[1]:
                raise ValueError(
                    f"The seeds have {seeds.shape[1]} columns, but the rows have {X.shape[1]}."
                )
            return seeds
        return bin_seeds(X, bandwidth, self.min_bin_freq) if self.bin_seeding else X

    def _climb(
        self, X: Floats, step: MeanShiftStep
    ) -> Generator[MeanShiftStep, None, MeanShiftStep]:
        """Shift the seeds until each has converged, or to the limit of iterations."""
        reason = f"The limit of {self.max_iter} iterations was reached."
        for iteration in range(self.max_iter + 1):
            moving = np.flatnonzero(step.moving)
            places, densities = step.places.copy(), step.densities.copy()
            means, densities[moving] = means_around(X, places[moving], step.bandwidth, self.kernel)
            shifts = np.sqrt(((means - places[moving]) ** 2).sum(axis=1))
            places[moving] = means
            still_moving = step.moving.copy()
            still_moving[moving] = shifts > TOLERANCE * step.bandwidth
            step = replace(
                step,
                phase="shift",
                iteration=iteration + 1,
                places=places,
                moving=still_moving,
                densities=densities,
                n_iter=iteration,
            )
            yield step
            if not still_moving.any():
                reason = "No seed shifts by more than a thousandth of the bandwidth."
                break
        resting = np.zeros(len(step.moving), bool)
        step = replace(step, phase="converge", moving=resting, reason=reason)
        yield step
        return step


def bin_seeds(X: Floats, bandwidth: float, min_bin_freq: int) -> Floats:
    """Return the points of a grid of mesh ``bandwidth`` that enough rows are nearest to.

    The rows themselves where each has a point of its own, as in scikit-learn.

    Raises
    ------
    ValueError
        If no point has enough rows.

    Examples
    --------
    >>> bin_seeds(np.array([[0.0], [0.2], [5.1]]), 1.0, 1).ravel().tolist()
    [0.0, 5.0]
    """
    if bandwidth == 0:
        return X
    points, counts = np.unique(np.round(X / bandwidth), axis=0, return_counts=True)
    points = points[counts >= min_bin_freq]
    if not len(points):
        raise ValueError(
            f"No point of the grid is nearest to {min_bin_freq} rows, so there is no seed. "
            "Lower min_bin_freq, the minimum number of rows in a bin, or raise the bandwidth."
        )
    return X if len(points) == len(X) else points * bandwidth


def _merge(step: MeanShiftStep) -> Generator[MeanShiftStep, None, MeanShiftStep]:
    """Take the densest seed for a mode, with all seeds within a bandwidth, until none is left."""
    density = np.round(step.densities, DIGITS)
    order = np.lexsort((*step.places.T[::-1], density))[::-1]
    order = order[density[order] > 0]
    if not len(order):
        raise ValueError(
            f"No row is within {step.bandwidth:g} of any seed. "
            "Raise the bandwidth, or place the seeds nearer to the rows."
        )
    for seed in order:
        look()
        if step.modes[seed] >= 0:
            continue
        place = step.places[[seed]]
        distances = cdist(place, step.places, "sqeuclidean")[0]
        absorbed = (distances <= step.bandwidth**2) & (step.modes < 0) & (density > 0)
        modes = np.where(absorbed, len(step.cluster_centers), step.modes)
        centers = np.vstack([step.cluster_centers, place])
        step = replace(step, phase="merge", modes=modes, cluster_centers=centers)
        yield step
    return step
