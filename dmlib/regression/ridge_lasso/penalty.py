"""Penalised least squares: the objective, coordinate descent, and the exact minimum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.regression.design import ULPS, LeastSquares
from dmlib.trace import look

EXACT = 1e-11  # tolerance of the optimality conditions, relative to the largest product
NO_SOLUTION = 100.0  # times that, from where equations have no solution
MAX_SWEEPS = 10_000  # of coordinate descent, where dependent columns leave no equations to solve

Phase = Literal["standardise", "start", "shrink", "zero", "solve", "done"]


@dataclass(frozen=True)
class PenaltyStep:
    """One step of coordinate descent.

    Attributes
    ----------
    phase : {"standardise", "start", "shrink", "zero", "solve", "done"}
        Columns brought to one scale, all coefficients at zero, a coefficient set to its minimum,
        one set to zero, the equations of the active columns solved, the end.
    sweep : int
        The number of the sweep over all columns.
    column : int or None
        The term whose coefficient was set.
    standardized_coef : ndarray of shape (n_terms,)
        The coefficients of the standardised terms.
    product : float
        Of "shrink" and "zero": the sum of products of the term with the partial residuals.
    sse, objective : float
        The sum of squared residuals, and the same with the penalty.
    """

    phase: Phase
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
        """Return the problem of terms, divided by their standard deviations or as they are."""
        spread = np.sqrt(np.mean(data.C**2, axis=0))
        is_constant = spread <= ULPS * np.finfo(float).eps * np.abs(data.Z).max(axis=0)
        scale = np.where(is_constant, 0.0, spread if standardize else 1.0)
        Z = data.C / np.where(is_constant, np.inf, scale)
        return cls(data, scale, Z.T @ Z, Z.T @ data.t, alpha * l1_ratio / 2, alpha * (1 - l1_ratio))

    def sse(self, b: Floats) -> float:
        """Return the SSE of coefficients of the standardised terms."""
        residuals = self.data.residuals(self.original(b))
        return float(residuals @ residuals)

    def penalty(self, b: Floats) -> float:
        """Return λ (ρ Σ|b| + (1 − ρ) Σ b²)."""
        return float(2 * self.l1 * np.abs(b).sum() + self.l2 * (b @ b))

    def original(self, b: Floats) -> Floats:
        """Return the coefficients of the terms as they are."""
        return np.divide(b, self.scale, out=np.zeros_like(b), where=self.scale > 0)

    def degrees_of_freedom(self, b: Floats) -> float:
        """Return the trace of the hat matrix, without the intercept."""
        active = b != 0 if self.l1 else self.scale > 0
        values = np.linalg.eigvalsh(self.gram[np.ix_(active, active)])
        values = values[values > 1e-10 * max(values.max(initial=0.0), 1e-300)]
        return float((values / (values + self.l2)).sum())


def soft(value: float, threshold: float) -> float:
    """Soft threshold: a number moved towards 0, and 0 within the threshold.

    Examples
    --------
    >>> soft(5.0, 2.0), soft(-5.0, 2.0), soft(1.0, 2.0)
    (3.0, -3.0, 0.0)
    """
    return float(np.sign(value)) * max(abs(value) - threshold, 0.0)


def descend(problem: Penalised, max_iter: int, tol: float) -> Iterator[PenaltyStep]:
    """Yield coordinate descent, one coefficient a step, and the exact minimum after it."""
    gram, moments = problem.gram, problem.moments
    total = problem.data.total
    size = np.diag(gram).copy()
    b = np.zeros(len(moments))
    products = moments.copy()  # Z' times the residuals
    yield PenaltyStep("standardise", 0, None, b.copy(), 0.0, total, total)
    yield PenaltyStep("start", 0, None, b.copy(), 0.0, total, total)
    sweep = 0
    while sweep < max_iter:
        sweep += 1
        moved = 0.0
        for j in np.flatnonzero(size > 0):
            look()
            product = float(products[j] + size[j] * b[j])
            new = soft(product, problem.l1) / (size[j] + problem.l2)
            change = new - b[j]
            if change:
                products -= gram[j] * change
                b[j] = new
            moved = max(moved, abs(change) * size[j] ** 0.5)
            sse = max(total - float(b @ (moments + products)), 0.0)
            phase: Phase = "shrink" if new else "zero"
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
    """Return the minimum by feature-sign search: active terms, their signs, their equations."""
    gram, moments = problem.gram, problem.moments
    l1, l2 = problem.l1, problem.l2
    free = problem.scale > 0
    if not l1:
        b = np.zeros(len(moments))
        b[free] = _solve(gram[np.ix_(free, free)], moments[free], l2)
        return b
    b = np.where(np.abs(start) > 0, start, 0.0)
    close = EXACT * float(np.abs(moments).max(initial=0.0))
    for _ in range(20 + 4 * len(b)):
        look()
        gradient = moments - gram @ b - l2 * b
        signs = np.sign(b)
        is_active = b != 0
        if not is_active.any() or np.abs(gradient - l1 * signs)[is_active].max() <= close:
            inactive = np.where(is_active | ~free, 0.0, np.abs(gradient))
            j = int(inactive.argmax())
            if inactive[j] <= l1 + close:
                return b
            is_active[j] = True
            signs[j] = np.sign(gradient[j])
        active = np.flatnonzero(is_active)
        stepped = _sign_step(problem, active, signs[active], b[active], close)
        if stepped is None:
            break
        b = np.zeros_like(b)
        b[active] = stepped
    return _sweeps(problem, b)


def _sign_step(
    problem: Penalised, active: NDArray[np.intp], signs: Floats, old: Floats, close: float
) -> Floats | None:
    """Return active coefficients moved to the solution for their signs, or until one reaches 0.

    Where columns depend on each other there may be no solution: then they move in the direction in
    which only the penalty falls, and None means that it falls for ever.
    """
    gram = problem.gram[np.ix_(active, active)]
    target = problem.moments[active] - problem.l1 * signs
    new = _solve(gram, target, problem.l2)
    unsolved = target - gram @ new - problem.l2 * new
    has_no_solution = bool(np.abs(unsolved).max() > NO_SOLUTION * close)
    direction = unsolved if has_no_solution else new - old
    shrinks = (old != 0) & (direction * signs < 0)
    crosses = shrinks & (has_no_solution | (new * signs <= 0))
    lengths = np.full(len(active), np.inf if has_no_solution else 1.0)
    lengths[crosses] = -old[crosses] / direction[crosses]
    length = lengths.min(initial=np.inf)
    if not np.isfinite(length):
        return None
    stepped: Floats = old + length * direction
    stepped[crosses & (lengths == length)] = 0.0
    return stepped


def _solve(gram: Floats, moments: Floats, l2: float) -> Floats:
    """Return the solution of (Z'Z + l2 I) b = Z'y, of several that of minimum norm."""
    if l2 > EXACT * max(float(np.trace(gram)), 1e-300):
        return np.asarray(np.linalg.solve(gram + l2 * np.eye(len(gram)), moments))
    return np.asarray(np.linalg.lstsq(gram, moments, rcond=1e-13)[0])


def _sweeps(problem: Penalised, b: Floats) -> Floats:
    """Return the minimum by coordinate descent, also where equations have no solution."""
    gram = problem.gram
    size = np.diag(gram)
    products = problem.moments - gram @ b
    close = EXACT * problem.data.total**0.5
    for _ in range(MAX_SWEEPS):
        look()
        moved = 0.0
        for j in np.flatnonzero(size > 0):
            new = soft(products[j] + size[j] * b[j], problem.l1) / (size[j] + problem.l2)
            change = new - b[j]
            if change:
                products -= gram[j] * change
                b[j] += change
            moved = max(moved, abs(change) * size[j] ** 0.5)
        if moved <= close:
            break
    return b
