"""Sequential minimal optimisation: the dual problem of a support vector machine, two multipliers at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.kernels import Row
from dmlib.classification.svm.active_set import NEAR, climb
from dmlib.trace import look

ENDLESS = "The objective grows without end: no boundary keeps every row out of the margin."
# Share of the diagonal that is the least curvature of a pair: rows that coincide have none
FLAT = 1e-12


class PairMove(NamedTuple):
    """A move of two signed multipliers: what i gains, j loses, so that their sum stays."""

    # the pair
    i: int
    j: int
    # their signed multipliers before and after
    before: tuple[float, float]
    after: tuple[float, float]
    slopes: tuple[float, float]  # how fast the objective grew with each of them
    # The curvature along the move, K_ii + K_jj - 2 K_ij; where that is not positive, next to
    # nothing
    eta: float
    wanted: (
        float  # the move to the top of the parabola, the difference of the slopes divided by eta
    )
    moved: float  # the move that was made: as wanted, unless one of the two met its bound


class FreeSolve(NamedTuple):
    """A move of all free multipliers to their common optimum."""

    free: NDArray[np.intp]  # (n_free,): the multipliers that were strictly between their bounds
    stopped: NDArray[np.intp]  # (n_stopped,): those of them that met a bound
    n_systems: int  # how many linear systems were solved, each without those that had met a bound


class SMO:
    r"""Maximise :math:`p \cdot \beta - \tfrac12 \beta^T K \beta` between bounds, with the sum of each group fixed.

    The signed multipliers are :math:`\beta_i = y_i \alpha_i`. With the slopes :math:`g = p - K
    \beta` they are optimal when no multiplier that can rise has a larger slope than one of its
    group that can fall.

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
        Where to start; it is changed.
    groups : sequence of slice
        The groups.
    capacity : int
        How many rows of length n may be held for each purpose.

    Notes
    -----
    A move costs O(n) and a row of the kernel matrix that is not in the cache. The pair is that of
    Fan, Chen and Lin: i has the largest slope, j promises the largest gain with i. When the free
    multipliers, those between their bounds, are moved again and again and none of them meets a
    bound, pair moves crawl; then the linear system of all free multipliers is solved instead,
    O(n_free^3), as active set methods do. That is also how a run ends, so the answer is exact for
    its set of support vectors. Where the kernel has no inner product on the free multipliers
    ("sigmoid"), that is left out.

    References
    ----------
    J. C. Platt (1998), Fast training of support vector machines using sequential minimal
    optimization, section 2. R.-E. Fan, P.-H. Chen and C.-J. Lin (2005), Working set selection using
    second order information for training support vector machines, WSS 2. K. Scheinberg (2006), An
    efficient implementation of an active set method for SVMs, section 2.

    Examples
    --------
    >>> K, y = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0])
    >>> smo = SMO(lambda i: K[i], np.ones(2), y, np.minimum(y, 0), np.maximum(y, 0), np.zeros(2), [slice(0, 2)], 2)
    >>> [move.moved for move in smo.moves(tol=1e-3, max_iter=9)], smo.beta.tolist()
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
        self.row, self.diagonal = row, diagonal
        self.lower, self.upper, self.beta, self.groups = lower, upper, beta, groups
        self.capacity = capacity
        slope = p - sum((beta[k] * row(k) for k in np.flatnonzero(beta).tolist()), np.zeros(len(p)))
        # The slopes twice: of those that can rise and of those that can fall. What cannot is
        # infinitely unattractive.
        self.rising = np.where(beta < upper, slope, -np.inf)
        self.falling = np.where(beta > lower, slope, np.inf)
        self._parts = [(group, self.rising[group], self.falling[group]) for group in groups]
        self.objective = float(beta @ (p + slope)) / 2
        self.n_iter, self.n_free, self.reason, self.converged = 0, len(self.free), "", False
        self._calm = 0  # moves since a multiplier last met or left a bound
        self._change = np.empty(len(p))
        self._flat = FLAT * max(float(np.abs(diagonal).max()), np.finfo(float).tiny / FLAT)
        self._scale = lru_cache(maxsize=capacity)(_scales(row, diagonal, self._flat))

    @property
    def slope(self) -> Floats:
        """How fast the objective grows with each multiplier, shape (n,)."""
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
        """Return how many multipliers are where the level of their group is more than ``tol`` from allowing it."""
        parts = zip(self._parts, self.levels, strict=True)
        return sum(
            int(((up > level + tol) | (down < level - tol)).sum()) for (_, up, down), level in parts
        )

    def pair(self) -> tuple[int, int, float]:
        """Return the pair to move, and by how much it violates the conditions (not above 0: nothing to move)."""
        gap, part, top = -np.inf, self._parts[0], 0
        for each in self._parts:
            _, rising, falling = each
            first = int(rising.argmax())
            width = rising.item(first) - falling.item(falling.argmin())
            if width > gap:
                gap, part, top = width, each, first
        if gap <= 0:
            return 0, 0, gap
        group, rising, falling = part
        i = top + group.start
        gain = rising.item(top) - falling
        gain *= self._scale(i)[group]  # the root of the gain itself: it has the same maximum
        return i, int(gain.argmax()) + group.start, gap

    @property
    def levels(self) -> list[float]:
        """The slope that the free multipliers of each group have at the optimum; now their mean."""
        levels = []
        for _, rising, falling in self._parts:
            free = np.isfinite(rising) & np.isfinite(falling)
            ends = [end for end in (float(rising.max()), float(falling.min())) if np.isfinite(end)]
            levels.append(
                float(rising[free].mean()) if free.any() else sum(ends) / max(len(ends), 1)
            )
        return levels

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
            near = gap < tol or gap <= 0
            if near and solved:
                self.converged, self.reason = (
                    True,
                    "No pair violates the conditions by more than the tolerance.",
                )
            elif self.objective > ceiling:
                self.reason = ENDLESS
            elif near or 4 * self._calm > self.n_free + 4:
                yield from self._solve()
                solved, self._calm = True, 0
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
        row_i, row_j, change = self.row(i), self.row(j), self._change
        slopes = self.rising.item(i), self.falling.item(j)
        before = self.beta.item(i), self.beta.item(j)
        top, bottom = self.upper.item(i), self.lower.item(j)
        curvature = self.diagonal.item(i) + self.diagonal.item(j) - 2 * row_i.item(j)
        eta = max(curvature, self._flat)
        wanted = (slopes[0] - slopes[1]) / eta
        moved = min(wanted, top - before[0], before[1] - bottom)
        np.subtract(row_i, row_j, out=change)
        change *= moved
        self.rising -= change
        self.falling -= change
        self.falling[i], self.rising[j] = slopes[0] - change.item(i), slopes[1] - change.item(j)
        self.objective += moved * (slopes[0] - slopes[1] - moved * curvature / 2)
        self.n_iter += 1
        self._calm += 1
        after = self._put(i, before[0] + moved, top), self._put(j, before[1] - moved, bottom)
        self.rising[i] = self.falling[i] if after[0] < top else -np.inf
        self.falling[j] = self.rising[j] if after[1] > bottom else np.inf
        return PairMove(i, j, before, after, slopes, eta, wanted, moved)

    def _put(self, k: int, value: float, bound: float) -> float:
        """Set a multiplier that moves towards a bound, exactly to the bound if it comes near, and return it."""
        old = self.beta.item(k)
        if abs(bound - value) <= NEAR * max(abs(old), abs(bound)):
            value = bound
        was_free = self.lower.item(k) < old < self.upper.item(k)
        if value == bound or not was_free:
            self.n_free += (value != bound) - was_free
            self._calm = 0
        self.beta[k] = value
        return value

    def _solve(self) -> Iterator[FreeSolve]:
        """Move all free multipliers to their common optimum, as far as the bounds allow."""
        free = self.free
        if not 1 < len(free) <= self.capacity:
            return
        rows = np.array([self.row(k) for k in free.tolist()])
        slope, before, lower, upper = (
            self.rising[free],
            self.beta[free],
            self.lower[free],
            self.upper[free],
        )
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


def _scales(row: Row, diagonal: Floats, flat: float) -> Row:
    """Return a function that gives, for a multiplier, one over the root of the curvature with each other."""

    def scale(i: int) -> Floats:
        eta = row(i) * -2
        eta += diagonal
        eta += diagonal[i]
        np.sqrt(np.maximum(eta, flat, out=eta), out=eta)
        return np.divide(1, eta, out=eta)

    return scale
