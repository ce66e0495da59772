"""Solvers of least squares: normal equations, singular value decomposition, gradient descent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from dmlib.arrays import Floats
from dmlib.regression.design import LeastSquares
from dmlib.regression.linear_regression.inference import Inference
from dmlib.trace import look

RUNAWAY = 1e12  # times the SSE at the start, from where a descent is given up

Phase = Literal[
    "sums",
    "matrix",
    "solve",
    "decompose",
    "component",
    "start",
    "gradient",
    "median",
    "turn",
    "correct",
    "pass",
    "done",
]


@dataclass(frozen=True)
class LinearRegressionStep:
    """One step of a linear regression.

    Attributes
    ----------
    phase : {"sums", "matrix", "solve", "decompose", "component", "start", "gradient", "median", \
            "turn", "correct", "pass", "done"}
        The means; the matrix of sums of products; its solution; the singular values; the part of
        one singular value; all coefficients at zero; a step against the gradient; of absolute
        deviations, the median and a turn; of least mean squares, a correction and a pass; the end.
    iteration : int
        Of gradient descent; of the decomposition, how many singular values are used.
    intercept : float
        The constant term after the step.
    coef : ndarray of shape (n_terms,)
        The coefficients after the step.
    sse : float
        The sum of squared residuals.
    gram, moments : ndarray or None
        On "matrix": X'X and X'y of the columns around their means.
    singular : ndarray or None
        With the decomposition: the singular values of these columns.
    gradient : ndarray or None
        With gradient descent: the gradient of SSE / 2n where the step ends, the intercept first.
    largest_step : float
        With gradient descent: 2 / λmax, above which it diverges.
    converged : bool
        On "done": whether these are the coefficients of least squares.
    reason : str
        On "done": how it ended, as a sentence.
    r2, rmse : float
        On "done": 1 - SSE / SST, and √(SSE / n).
    inference : Inference or None
        On "done": standard errors and tests.
    aliased : tuple of int
        On "done": the terms that are held at 0, because they depend linearly on the terms before
        them.
    """

    phase: Phase
    iteration: int
    intercept: float
    coef: Floats
    sse: float
    gram: Floats | None = None
    moments: Floats | None = None
    singular: Floats | None = None
    gradient: Floats | None = None
    largest_step: float = np.inf
    converged: bool = False
    reason: str = ""
    r2: float = np.nan
    rmse: float = np.nan
    inference: Inference | None = None
    aliased: tuple[int, ...] = ()


@dataclass(frozen=True)
class End:
    """How a solver ended."""

    coef: Floats
    intercept: float
    iteration: int
    converged: bool  # whether these are the coefficients of least squares
    reason: str  # a sentence
    free: NDArray[np.bool_]  # (n_terms,): the terms that were used
    details: dict[str, Any] = field(default_factory=dict)  # further attributes of the last step


def normal_equations(data: LeastSquares) -> Any:
    """Yield sums, matrix and solution; terms that depend on earlier ones have coefficient 0."""
    zeros = np.zeros(data.C.shape[1])
    yield LinearRegressionStep("sums", 0, data.y_mean, zeros, data.total)
    gram = data.C.T @ data.C
    moments = data.C.T @ data.t
    free = data.independent()
    yield LinearRegressionStep("matrix", 0, data.y_mean, zeros, data.total, gram, moments)
    coef = zeros.copy()
    coef[free] = _solution(data.C[:, free], data.t)
    yield LinearRegressionStep("solve", 1, data.intercept(coef), coef, _sse(data, coef))
    aliased = tuple(np.flatnonzero(~free).tolist())
    reason = "The normal equations are solved."
    return End(coef, data.intercept(coef), 1, True, reason, free, {"aliased": aliased})


def _solution(C: Floats, t: Floats) -> Floats:
    """Solve the normal equations R'R b = C't with the R of C = QR, and once more for the residuals.

    So they keep the digits that the matrix C'C itself would lose (Björck 1987, corrected seminormal
    equations).
    """
    sizes = np.linalg.norm(C, axis=0)
    unit = C / sizes
    R = np.linalg.qr(unit, mode="r")
    coef = np.zeros(len(sizes))
    for _ in range(3):
        moments = unit.T @ (t - unit @ coef)
        coef = coef + solve_triangular(R, solve_triangular(R, moments, trans="T"))
    solution: Floats = coef / sizes
    return solution


def singular_values(data: LeastSquares) -> Any:
    """Yield the decomposition, then the coefficients with ever more singular values."""
    U, singular, Vt = np.linalg.svd(data.C, full_matrices=False)
    used = int((singular > max(data.C.shape) * np.finfo(float).eps * singular.max(initial=0)).sum())
    coef = np.zeros(data.C.shape[1])
    yield LinearRegressionStep("decompose", 0, data.y_mean, coef, data.total, singular=singular)
    for k in range(used):
        look()
        coef = coef + Vt[k] * (U[:, k] @ data.t / singular[k])
        yield LinearRegressionStep(
            "component", k + 1, data.intercept(coef), coef, _sse(data, coef), singular=singular
        )
    reason = f"All {used} singular values above rounding error are used."
    if used == 1:
        reason = "The one singular value above rounding error is used."
    if used < len(coef):
        reason += (
            " The terms are linearly dependent; of all solutions this is the one of minimum norm."
        )
    varied = np.asarray(data.C.any(axis=0))  # the coefficient of a constant column is 0
    details = {"singular": singular}
    return End(coef, data.intercept(coef), used, True, reason, varied, details)


def gradient_descent(data: LeastSquares, rate: float, max_iter: int, tol: float) -> Any:
    """Yield steps against the gradient of SSE / 2n, on the terms as they are, from zeros."""
    n = len(data.y)
    constant = int(data.fit_intercept)
    A = np.hstack([np.ones((n, constant)), data.Z]) * data.roots[:, None]
    y = data.y * data.roots
    sizes = np.linalg.norm(A, axis=0) * (np.linalg.norm(y) or 1.0)
    largest = float(np.linalg.norm(A, 2) ** 2 / n)
    details: dict[str, Any] = {"largest_step": 2 / largest if largest else np.inf}
    values = np.zeros(A.shape[1])
    gradient = np.zeros(A.shape[1])
    start = float(y @ y)
    converged = False
    for i in range(max_iter + 1):
        look()
        with np.errstate(over="ignore", invalid="ignore"):
            values = values - rate * gradient  # 0 at first
            residuals = y - A @ values
            sse = float(residuals @ residuals)
            products = A.T @ residuals
            gradient = -products / n
        details["gradient"] = gradient
        intercept, coef = (float(values[0]), values[1:]) if constant else (0.0, values)
        yield LinearRegressionStep("gradient" if i else "start", i, intercept, coef, sse, **details)
        converged = bool((np.abs(products) <= tol * sizes).all())
        if converged or not sse <= RUNAWAY * start:
            break
    free = np.ones(len(coef), bool)
    if converged:
        reason = f"No column's cosine with the residuals exceeds {tol:g}, relative to the target."
    else:
        reason = _failure(rate, float(details["largest_step"]), i, is_lower=bool(sse <= start))
    return End(coef, intercept, i, converged, reason, free, details)


def _failure(rate: float, largest: float, iteration: int, *, is_lower: bool) -> str:
    """Return why a descent did not converge."""
    if not is_lower:
        return (
            f"Gradient descent diverges: the learning rate {rate:.4g} is above 2/λmax ="
            f" {largest:.4g}, the largest stable step. Choose a smaller one, or standardise the"
            " columns."
        )
    return (
        f"The limit of {iteration} iterations was reached before the tolerance. Allow more, raise"
        f" the learning rate towards 2/λmax = {largest:.4g}, or standardise the columns."
    )


def _sse(data: LeastSquares, coef: Floats) -> float:
    residuals = data.residuals(coef)
    return float(residuals @ residuals)
