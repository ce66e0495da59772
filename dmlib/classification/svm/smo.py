"""Sequential minimal optimisation of the dual problem of a support vector machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.kernels import Row
from dmlib.classification.svm.active_set import CLOSE, climb
from dmlib.trace import look

ENDLESS = "The objective grows without end: no boundary keeps every row out of the margin."
MIN_CURVATURE = 1e-12  # of a pair, relative to the diagonal: rows that coincide have none


class PairMove(NamedTuple):
    """A move of two signed multipliers that preserves their sum: j decreases as i increases."""

    # the pair
    i: int
    j: int
    # their signed multipliers before and after
    before: tuple[float, float]
    after: tuple[float, float]
    slopes: tuple[float, float]  # the derivatives of the objective
    # the curvature along the move, K_ii + K_jj - 2 K_ij, but at least a tiny positive number
    eta: float
    unclipped: float  # the move to the maximum of the parabola, difference of slopes / eta
    step: float  # the move: unclipped, unless one of the two met its bound


class FreeSolve(NamedTuple):
    """A move of all free multipliers to their common optimum."""

    free: NDArray[np.intp]  # (n_free,): the multipliers that were strictly between their bounds
    stopped: NDArray[np.intp]  # (n_stopped,): those of them that met a bound
    n_systems: int  # the number of linear systems, each without those that had met a bound


class SMO:
    r"""Maximise :math:`p \cdot \beta - \tfrac12 \beta^T K \beta` between bounds, sums being fixed.

    The sum of each group of multipliers is fixed. The signed multipliers are :math:`\beta_i = y_i
    \alpha_i`. With the slopes :math:`g = p - K \beta` they are optimal when no multiplier that can
    increase has a larger slope than one of its group that can decrease.

    Parameters
    ----------
    row : callable
        Gives a row of the kernel matrix.
    diagonal : ndarray of shape (n,)
        Its diagonal.
    p : ndarray of shape (n,)
        The linear term.
    lower, upper : ndarray of shape (n,)
        The bounds.
    beta : ndarray of shape (n,)
        The start; it is changed.
    groups : sequence of slice
        The groups.
    capacity : int
        The number of rows of length n in each cache.

    Notes
    -----
    A move costs O(n) and a row of the kernel matrix that is not in the cache. The pair is that of
    Fan, Chen and Lin: i has the largest slope, j the largest expected gain with i. When the free
    multipliers, those between their bounds, are moved many times and none of them meets a bound,
    pair moves are slow; then the linear system of all free multipliers is solved instead,
    O(n_free^3), as active set methods do. A run also ends so, so that the answer is exact for its
    set of support vectors. Where the kernel has no inner product on the free multipliers
    ("sigmoid"), no system is solved.

    References
    ----------
    J. C. Platt (1998), Fast training of support vector machines using sequential minimal
    optimization, section 2. R.-E. Fan, P.-H. Chen and C.-J. Lin (2005), Working set selection using
    second order information for training support vector machines, WSS 2. K. Scheinberg (2006), An
    efficient implementation of an active set method for SVMs, section 2.

    Examples
    --------
    >>> K, y = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0])
    >>> bounds = np.minimum(y, 0), np.maximum(y, 0)
    >>> smo = SMO(lambda i: K[i], np.ones(2), y, *bounds, np.zeros(2), [slice(0, 2)], 2)
    >>> [move.step for move in smo.moves(tol=1e-3, max_iter=9)], smo.beta.tolist()
    ([0.5], [0.5, -0.5])
    """

    def __init__(
        self,
        row: Row,
        diagonal: Floats,
        p: Floats,
        lower: Floats,
        upper: Floats,
        beta: Floats,
        groups: Sequence[slice],
        capacity: int,
    ) -> None:
        self.row = row
        self.diagonal = diagonal
        self.lower = lower
        self.upper = upper
        self.beta = beta
        self.groups = groups
        self.capacity = capacity
        slope = p - sum((beta[k] * row(k) for k in np.flatnonzero(beta).tolist()), np.zeros(len(p)))
        # The slopes twice: of multipliers that can increase and of those that can decrease;
        # infinite where they cannot, so that they are never chosen.
        self.rising = np.where(beta < upper, slope, -np.inf)
        self.falling = np.where(beta > lower, slope, np.inf)
        self._parts = [(group, self.rising[group], self.falling[group]) for group in groups]
        self.objective = float(beta @ (p + slope)) / 2
        self.n_iter = 0
        self.n_free = len(self.free)
        self.reason = ""
        self.converged = False
        self._n_calm = 0  # moves since a multiplier last met or left a bound
        self._change = np.empty(len(p))
        curvature = MIN_CURVATURE * float(np.abs(diagonal).max())
        self._min_eta = max(curvature, float(np.finfo(float).tiny))
        self._scale = lru_cache(maxsize=capacity)(_scales(row, diagonal, self._min_eta))

    @property
    def slope(self) -> Floats:
        """The derivative of the objective by each multiplier, shape (n,)."""
        return np.where(np.isfinite(self.rising), self.rising, self.falling)

    @property
    def free(self) -> NDArray[np.intp]:
        """The multipliers strictly between their bounds."""
        return np.flatnonzero((self.beta > self.lower) & (self.beta < self.upper))

    @property
    def spread(self) -> float:
        """The mean squared distance to the first row in the feature space."""
        return spread_of(self.row, self.diagonal)

    def n_violating(self, tol: float) -> int:
        """Return how many multipliers violate their condition by more than ``tol``."""
        n = 0
        for (_, rising, falling), level in zip(self._parts, self.levels, strict=True):
            n += int(((rising > level + tol) | (falling < level - tol)).sum())
        return n

    def pair(self) -> tuple[int, int, float]:
        """Return the pair to move, and its violation of the conditions; not above 0 at the end."""
        candidates = []
        for number, (_, rising, falling) in enumerate(self._parts):
            top = int(rising.argmax())
            gap = rising.item(top) - falling.item(falling.argmin())
            candidates.append((gap, -number, top))
        gap, number, top = max(candidates)
        if gap <= 0:
            return 0, 0, gap
        group, rising, falling = self._parts[-number]
        i = top + group.start
        gain = rising.item(top) - falling
        gain *= self._scale(i)[group]  # the root of the gain itself: it has the same maximum
        return i, int(gain.argmax()) + group.start, gap

    @property
    def levels(self) -> list[float]:
        """The mean slope of the free multipliers of each group, which are equal at the optimum."""
        return [_level(rising, falling) for _, rising, falling in self._parts]

    def moves(
        self, tol: float, max_iter: int, ceiling: float = np.inf
    ) -> Iterator[PairMove | FreeSolve]:
        """Move until no pair violates the conditions by ``tol``.

        Parameters
        ----------
        tol : float
            The largest violation that is allowed at the end.
        max_iter : int
            The number of pairs after which it stops.
        ceiling : float
            The objective above which it stops: it has no maximum.
        """
        solved = False
        while not self.reason:
            look()
            i, j, gap = self.pair()
            is_optimal = gap < tol or gap <= 0
            if is_optimal and solved:
                self.converged = True
                self.reason = "No pair violates the conditions by more than the tolerance."
            elif self.objective > ceiling:
                self.reason = ENDLESS
            elif is_optimal or 4 * self._n_calm > self.n_free + 4:
                yield from self._solve()
                solved = True
                self._n_calm = 0
            elif self.n_iter >= max_iter:
                self.reason = f"The limit of {max_iter} moves was reached."
            else:
                move = self._move(i, j)
                solved = False
                if move.before == move.after:
                    self.reason = (
                        "Rounding errors prevent a better solution: no multiplier changes any more."
                    )
                yield move

    def _move(self, i: int, j: int) -> PairMove:
        row_i = self.row(i)
        row_j = self.row(j)
        slopes = self.rising.item(i), self.falling.item(j)
        before = self.beta.item(i), self.beta.item(j)
        upper = self.upper.item(i)
        lower = self.lower.item(j)
        curvature = self.diagonal.item(i) + self.diagonal.item(j) - 2 * row_i.item(j)
        eta = max(curvature, self._min_eta)
        unclipped = (slopes[0] - slopes[1]) / eta
        step = min(unclipped, upper - before[0], before[1] - lower)
        change = np.subtract(row_i, row_j, out=self._change)
        change *= step
        self.rising -= change
        self.falling -= change
        self.falling[i] = slopes[0] - change.item(i)
        self.rising[j] = slopes[1] - change.item(j)
        self.objective += step * (slopes[0] - slopes[1] - step * curvature / 2)
        self.n_iter += 1
        self._n_calm += 1
        after = self._set(i, before[0] + step, upper), self._set(j, before[1] - step, lower)
        self.rising[i] = self.falling[i] if after[0] < upper else -np.inf
        self.falling[j] = self.rising[j] if after[1] > lower else np.inf
        return PairMove(i, j, before, after, slopes, eta, unclipped, step)

    def _set(self, k: int, value: float, bound: float) -> float:
        """Set a multiplier, exactly to the bound if it comes close to it, and return its value."""
        old = self.beta.item(k)
        if abs(bound - value) <= CLOSE * max(abs(old), abs(bound)):
            value = bound
        was_free = self.lower.item(k) < old < self.upper.item(k)
        if value == bound or not was_free:
            self.n_free += (value != bound) - was_free
            self._n_calm = 0
        self.beta[k] = value
        return value

    def _solve(self) -> Iterator[FreeSolve]:
        """Move all free multipliers to their common optimum, as far as the bounds allow."""
        free = self.free
        if not 1 < len(free) <= self.capacity:
            return
        rows = np.array([self.row(k) for k in free.tolist()])
        slope = self.rising[free]
        before = self.beta[free]
        lower = self.lower[free]
        upper = self.upper[free]
        group = np.searchsorted([group.stop for group in self.groups], free, side="right")
        after, n_systems = climb(rows[:, free], slope, before, lower, upper, group)
        if n_systems == 0:
            return
        step = after - before
        change = step @ rows
        self.beta[free] = after
        self.rising -= change
        self.falling -= change
        self.rising[free[after == upper]] = -np.inf
        self.falling[free[after == lower]] = np.inf
        self.objective += float(step @ (slope - change[free] / 2))
        stopped = free[(after == upper) | (after == lower)]
        self.n_free -= len(stopped)
        yield FreeSolve(free, stopped, n_systems)


def spread_of(row: Row, diagonal: Floats) -> float:
    """Return the mean squared distance to the first row in the feature space of a kernel."""
    return float(diagonal[0] + diagonal.mean() - 2 * row(0).mean())


def _level(rising: Floats, falling: Floats) -> float:
    """Return the mean slope of the free multipliers; without any, the middle of the limits."""
    free = np.isfinite(rising) & np.isfinite(falling)
    if free.any():
        return float(rising[free].mean())
    limits = [limit for limit in (rising.max(), falling.min()) if np.isfinite(limit)]
    return float(sum(limits)) / max(len(limits), 1)


def _scales(row: Row, diagonal: Floats, min_eta: float) -> Row:
    """Return a function of a multiplier: 1 / root of its curvature with each multiplier."""

    def scale(i: int) -> Floats:
        eta = row(i) * -2
        eta += diagonal
        eta += diagonal[i]
        np.sqrt(np.maximum(eta, min_eta, out=eta), out=eta)
        return np.divide(1, eta, out=eta)

    return scale
