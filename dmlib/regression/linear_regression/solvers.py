"""Three ways to least squares: the normal equations, the singular value decomposition, gradient descent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from dmlib.arrays import Floats
from dmlib.regression.design import LeastSquares
from dmlib.regression.linear_regression.inference import Inference
from dmlib.trace import look

RUNAWAY = 1e12  # times the SSE at the start, from where a descent is given up


@dataclass(frozen=True)
class LinearRegressionStep:
    """One step of a linear regression.

    Attributes
    ----------
    phase : {"sums", "matrix", "solve", "decompose", "component", "start", "gradient", "done"}
        What was done: the means taken, the matrix of sums of products made, its equations solved;
        the matrix decomposed, one more singular value used; zeros to start from, a step against the
        gradient; the end.
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

    phase: str
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
    reason: str  # A sentence
    free: NDArray[np.bool_]  # (n_terms,): the terms that were used
    more: dict[str, Any] = field(default_factory=dict)  # what else the last step says


def normal_equations(data: LeastSquares) -> Any:
    """Yield the sums, the matrix and the solution; terms that depend on those before them have the coefficient 0."""
    zeros = np.zeros(data.C.shape[1])
    yield LinearRegressionStep("sums", 0, data.y_mean, zeros, data.total)
    gram, moments, free = data.C.T @ data.C, data.C.T @ data.t, data.independent()
    yield LinearRegressionStep("matrix", 0, data.y_mean, zeros, data.total, gram, moments)
    coef = zeros.copy()
    coef[free] = _solution(data.C[:, free], data.t)
    yield LinearRegressionStep("solve", 1, data.intercept(coef), coef, _sse(data, coef))
    aliased = tuple(np.flatnonzero(~free).tolist())
    more = {"aliased": aliased}
    return End(coef, data.intercept(coef), 1, True, "The normal equations are solved.", free, more)


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
    """Yield the decomposition, then the coefficients with one singular value more each time, the largest first."""
    left, singular, axes = np.linalg.svd(data.C, full_matrices=False)
    used = int((singular > max(data.C.shape) * np.finfo(float).eps * singular.max(initial=0)).sum())
    coef = np.zeros(data.C.shape[1])
    yield LinearRegressionStep("decompose", 0, data.y_mean, coef, data.total, singular=singular)
    for k in range(used):
        look()
        coef = coef + axes[k] * (left[:, k] @ data.t / singular[k])
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
    more = {"singular": singular}
    varied = np.asarray(data.C.any(axis=0))  # the coefficient of a constant column is 0
    return End(coef, data.intercept(coef), used, True, reason, varied, more)


def gradient_descent(data: LeastSquares, rate: float, max_iter: int, tol: float) -> Any:
    """Yield a step against the gradient of SSE / 2n at a time, on the terms as they are, from zeros."""
    n, constant = len(data.y), int(data.fit_intercept)
    A = np.hstack([np.ones((n, constant)), data.Z])
    sizes = np.linalg.norm(A, axis=0) * (np.linalg.norm(data.y) or 1.0)
    largest = float(np.linalg.norm(A, 2) ** 2 / n)
    more: dict[str, Any] = {"largest_step": 2 / largest if largest else np.inf}
    values, gradient, start, ended = (
        np.zeros(A.shape[1]),
        np.zeros(A.shape[1]),
        float(data.y @ data.y),
        False,
    )
    for i in range(max_iter + 1):
        look()
        with np.errstate(over="ignore", invalid="ignore"):
            values = values - rate * gradient  # 0 at first
            residuals = data.y - A @ values
            sse, products = float(residuals @ residuals), A.T @ residuals
            gradient = -products / n
        more["gradient"] = gradient
        intercept, coef = (float(values[0]), values[1:]) if constant else (0.0, values)
        yield LinearRegressionStep("gradient" if i else "start", i, intercept, coef, sse, **more)
        ended = bool((np.abs(products) <= tol * sizes).all())
        if ended or not sse <= RUNAWAY * start:
            break
    reason = _ending(rate, float(more["largest_step"]), i, ended, bool(sse <= start), tol)
    return End(coef, intercept, i, ended, reason, np.ones(len(coef), bool), more)


def _ending(
    rate: float, largest: float, iteration: int, ended: bool, lower: bool, tol: float
) -> str:
    """Return how a descent ended."""
    if ended:
        return f"No column's cosine with the residuals exceeds {tol:g}, relative to the target."
    if not lower:
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
