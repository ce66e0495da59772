"""Least squares with a penalty: the objective on standardised columns, its exact minimum, and the steps towards it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats
from dmlib.regression.design import ULPS, LeastSquares
from dmlib.trace import look

EXACT = 1e-11  # share of the largest product by which a condition of the minimum may be off
NO_SOLUTION = 100.0  # times that, from where equations have no solution
SWEEPS = 10_000  # of coordinate descent, where dependent columns leave no equations to solve


@dataclass(frozen=True)
class PenaltyStep:
    """One step of coordinate descent.

    Attributes
    ----------
    phase : {"standardise", "start", "shrink", "zero", "solve", "done"}
        What was done: the columns brought to one scale, zeros to start from, a coefficient set to
        its minimum, one set to zero, the equations of the columns that are left solved, the end.
    sweep : int
        How often all columns have had their turn.
    column : int or None
        The term whose coefficient was set.
    standardized_coef : ndarray of shape (n_terms,)
        The coefficients of the standardised terms.
    product : float
        Of "shrink" and "zero": the sum of products of the term with what the others leave
        unexplained.
    sse, objective : float
        The sum of squared residuals, and the same with the penalty.
    """

    phase: str
    sweep: int
    column: int | None
    standardized_coef: Floats
    product: float
    sse: float
    objective: float


@dataclass(frozen=True)
class Penalised:
    """SSE + λ (ρ Σ|b| + (1 − ρ) Σ b²) as a problem of sums of products."""

    data: LeastSquares  # the terms as they are
    scale: Floats  # (n_terms,): what each is divided by; 0 for a constant term, which is left out
    gram: Floats  # (n_terms, n_terms): Z'Z of the standardised terms
    moments: Floats  # (n_terms,): Z'y
    l1: float  # λρ / 2
    l2: float  # λ (1 − ρ)

    @classmethod
    def of(cls, data: LeastSquares, alpha: float, l1_ratio: float, standardize: bool) -> Penalised:
        """Return the problem of terms, with their standard deviations (divided by n) as scale or as they are."""
        spread = np.sqrt(np.mean(data.C**2, axis=0))
        flat = spread <= ULPS * np.finfo(float).eps * np.abs(data.Z).max(axis=0)
        scale = np.where(flat, 0.0, spread if standardize else 1.0)
        Z = data.C / np.where(flat, np.inf, scale)
        return cls(data, scale, Z.T @ Z, Z.T @ data.t, alpha * l1_ratio / 2, alpha * (1 - l1_ratio))

    def sse(self, b: Floats) -> float:
        """Return the SSE of coefficients of the standardised terms."""
        rest = self.data.residuals(self.original(b))
        return float(rest @ rest)

    def penalty(self, b: Floats) -> float:
        """Return λ (ρ Σ|b| + (1 − ρ) Σ b²)."""
        return float(2 * self.l1 * np.abs(b).sum() + self.l2 * (b @ b))

    def original(self, b: Floats) -> Floats:
        """Return the coefficients of the terms as they are."""
        return np.divide(b, self.scale, out=np.zeros_like(b), where=self.scale > 0)

    def degrees_of_freedom(self, b: Floats) -> float:
        """Return the trace of the matrix that turns observed into fitted numbers, without the intercept."""
        some = b != 0 if self.l1 else self.scale > 0
        values = np.linalg.eigvalsh(self.gram[np.ix_(some, some)])
        values = values[values > 1e-10 * max(values.max(initial=0.0), 1e-300)]
        return float((values / (values + self.l2)).sum())


def soft(value: float, threshold: float) -> float:
    """Return a number moved towards 0 by a threshold, and 0 within it.

    Examples
    --------
    >>> soft(5.0, 2.0), soft(-5.0, 2.0), soft(1.0, 2.0)
    (3.0, -3.0, 0.0)
    """
    return float(np.sign(value)) * max(abs(value) - threshold, 0.0)


def descend(problem: Penalised, max_iter: int, tol: float) -> Iterator[PenaltyStep]:
    """Yield coordinate descent, one coefficient a step, and the exact minimum after it."""
    gram, moments, l1, l2 = problem.gram, problem.moments, problem.l1, problem.l2
    total = problem.data.total
    size = np.diag(gram).copy()
    b = np.zeros(len(moments))
    left = moments.copy()  # Z' times the residuals
    yield PenaltyStep("standardise", 0, None, b.copy(), 0.0, total, total)
    yield PenaltyStep("start", 0, None, b.copy(), 0.0, total, total)
    sweep = 0
    while sweep < max_iter:
        sweep += 1
        moved = 0.0
        for j in np.flatnonzero(size > 0):
            look()
            product = float(left[j] + size[j] * b[j])
            new = soft(product, l1) / (size[j] + l2)
            change = new - b[j]
            if change:
                left -= gram[j] * change
                b[j] = new
            moved = max(moved, abs(change) * size[j] ** 0.5)
            sse = max(total - float(b @ (moments + left)), 0.0)
            phase = "shrink" if new else "zero"
            yield PenaltyStep(
                phase, sweep, int(j), b.copy(), product, sse, sse + problem.penalty(b)
            )
        if moved <= tol * total**0.5:
            break
    b = minimum(problem, b)
    sse = problem.sse(b)
    yield PenaltyStep("solve", sweep, None, b, 0.0, sse, sse + problem.penalty(b))
    yield PenaltyStep("done", sweep, None, b, 0.0, sse, sse + problem.penalty(b))


def minimum(problem: Penalised, start: Floats) -> Floats:
    """Return the minimum by feature-sign search: which terms are not 0, their signs, and their equations."""
    gram, moments, l1, l2 = problem.gram, problem.moments, problem.l1, problem.l2
    free = problem.scale > 0
    if not l1:
        b = np.zeros(len(moments))
        b[free] = _solve(gram[np.ix_(free, free)], moments[free], l2)
        return b
    b = np.where(np.abs(start) > 0, start, 0.0)
    close = EXACT * float(np.abs(moments).max(initial=0.0))
    for _ in range(20 + 4 * len(b)):
        look()
        left = moments - gram @ b - l2 * b
        signs = np.sign(b)
        active = b != 0
        if not active.any() or np.abs(left - l1 * signs)[active].max() <= close:
            over = np.where(active | ~free, 0.0, np.abs(left))
            j = int(over.argmax())
            if over[j] <= l1 + close:
                return b
            active[j], signs[j] = True, np.sign(left[j])
        some = np.flatnonzero(active)
        part, wanted, old = gram[np.ix_(some, some)], moments[some] - l1 * signs[some], b[some]
        new = _solve(part, wanted, l2)
        unsolved = wanted - part @ new - l2 * new
        # Where columns depend on each other there may be no solution: the way on which only the
        # penalty falls.
        endless = bool(np.abs(unsolved).max() > NO_SOLUTION * close)
        way = unsolved if endless else new - old
        # the first coefficient that would change its sign stops at 0 and is left out
        crosses = (old != 0) & (way * signs[some] < 0) & (endless | (new * signs[some] <= 0))
        share = np.full(len(some), np.inf if endless else 1.0)
        share[crosses] = -old[crosses] / way[crosses]
        first = share.min(initial=np.inf)
        if not np.isfinite(first):
            break
        moved = old + first * way
        if crosses.any():
            moved[crosses & (share == first)] = 0.0
        b = np.zeros_like(b)
        b[some] = moved
    return _sweeps(problem, b)


def _solve(gram: Floats, moments: Floats, l2: float) -> Floats:
    """Return the solution of (Z'Z + l2 I) b = Z'y; the smallest one where columns depend on each other."""
    if l2 > EXACT * max(float(np.trace(gram)), 1e-300):
        return np.asarray(np.linalg.solve(gram + l2 * np.eye(len(gram)), moments))
    return np.asarray(np.linalg.lstsq(gram, moments, rcond=1e-13)[0])


def _sweeps(problem: Penalised, b: Floats) -> Floats:
    """Return the minimum by coordinate descent to the last digits: it also ends where equations have no solution."""
    gram, size = problem.gram, np.diag(problem.gram)
    left = problem.moments - gram @ b
    close = EXACT * problem.data.total**0.5
    for _ in range(SWEEPS):
        look()
        moved = 0.0
        for j in np.flatnonzero(size > 0):
            change = soft(left[j] + size[j] * b[j], problem.l1) / (size[j] + problem.l2) - b[j]
            if change:
                left -= gram[j] * change
                b[j] += change
            moved = max(moved, abs(change) * size[j] ** 0.5)
        if moved <= close:
            break
    return b
