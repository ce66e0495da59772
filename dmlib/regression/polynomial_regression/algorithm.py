"""Least squares with a polynomial, degree by degree, and ridge regression on the same powers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.polynomial import legendre
from scipy.linalg import solve_triangular

from dmlib.arrays import Floats
from dmlib.params import Integer, Number, Param
from dmlib.regression.polynomial_regression.curve import (
    COLUMN,
    Curve,
    CurveErrors,
    left_out,
    rmse,
    unit_scale,
)
from dmlib.trace import look

MAX_DEGREE = 25
DEPENDENT = 1e-9  # fraction of a power that lower ones leave, up to which it depends on them

Phase = Literal["constant", "degree", "shrink", "done"]


@dataclass(frozen=True)
class PolynomialStep:
    """The degree rose by one, or the coefficients were shrunk.

    Attributes
    ----------
    phase : {"constant", "degree", "shrink", "done"}
        What happened.
    degree : int
        The degree so far.
    added : float
        The coefficient of the last orthogonal polynomial.
    coef : ndarray of shape (degree + 1,)
        The coefficients of the Legendre polynomials of z.
    powers : ndarray of shape (degree + 1,)
        The coefficients of 1, z, z², …
    sse : float
        Sum of squared residuals.
    """

    phase: Phase
    degree: int
    added: float
    coef: Floats
    powers: Floats
    sse: float


class PolynomialRegression(Curve):
    r"""Predict a number by a polynomial of one column.

    The column is scaled to z from -1 to 1. Each degree adds one polynomial that is orthogonal to
    all lower ones over the rows, so that earlier coefficients stay: :math:`c_k = \sum q_k y`. With
    ``alpha`` the standardised powers of z are then shrunk: SSE + alpha · Σ b².

    Parameters
    ----------
    degree : int, default=3
        The degree; at most one less than there are distinct places.
    alpha : float, default=0
        The penalty of ridge regression; 0 for least squares.
    column : int, default=1
        The number of the column that is x, from 1; the other columns are not used.

    Attributes
    ----------
    coef_ : ndarray of shape (degree_ + 1,)
        The coefficients of the Legendre polynomials of z.
    powers_ : ndarray of shape (degree_ + 1,)
        The coefficients of 1, z, z², …
    degree_ : int
        The degree, or the highest that the places allow.
    fitted_ : ndarray of shape (n_samples,)
        The heights of the curve at the rows.
    rmse_, r2_ : float
        Root mean squared error of the rows; 1 - SSE / SST, NaN if all numbers are equal.
    places_, heights_ : ndarray of shape (n_samples,)
        The rows.
    step_ : PolynomialStep
        The last step.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing, or too large to be squared.

    Notes
    -----
    O(n degree²) for one QR decomposition of the Legendre polynomials, which serves all degrees.

    References
    ----------
    J. D. Gergonne (1815), Application de la méthode des moindres quarrés à l'interpolation des
    suites. G. E. Forsythe (1957), Generation and use of orthogonal polynomials for data-fitting
    with a digital computer.

    Examples
    --------
    >>> X, y = [[-1.0], [0.0], [1.0], [2.0]], [1.0, 0.0, 1.0, 4.0]
    >>> PolynomialRegression(2).fit(X, y).predict([[3.0]]).round(6).tolist()
    [9.0]
    >>> PolynomialRegression(0).fit(X, y).predict([[3.0]]).round(6).tolist()
    [1.5]
    """

    LEVEL = "degree"
    PARAMS: ClassVar[dict[str, Param]] = {
        "degree": Integer(0, MAX_DEGREE),
        "alpha": Number(0.0, 1e6, shown=(0.0, 100.0), log=True),
        **COLUMN,
    }

    def __init__(self, degree: int = 3, *, alpha: float = 0.0, column: int = 1) -> None:
        self.degree = degree
        self.alpha = alpha
        self.column = column

    def _learn(self, last: PolynomialStep) -> None:
        self.coef_ = last.coef.copy()
        self.powers_ = last.powers.copy()
        self.degree_ = last.degree

    def curve(self, step: PolynomialStep, x: Floats) -> Floats:
        """Return the heights of the curve of a step; z is that of the fit's rows."""
        middle, half = unit_scale(self.places_)
        return np.asarray(legendre.legval((x - middle) / half, step.coef))

    def _steps(self, x: Floats, y: Floats) -> Iterator[PolynomialStep]:
        middle, half = unit_scale(x)
        z = (x - middle) / half
        Q, R = orthogonal(z, self.degree)
        c = Q.T @ y
        residuals = y.copy()
        for k in range(Q.shape[1]):
            look()
            residuals = residuals - Q[:, k] * (Q[:, k] @ residuals)
            coef = solve_triangular(R[: k + 1, : k + 1], c[: k + 1])
            step = PolynomialStep(
                phase="degree" if k else "constant",
                degree=k,
                added=float(c[k]),
                coef=coef,
                powers=legendre.leg2poly(coef),
                sse=float(residuals @ residuals),
            )
            yield step
        if self.alpha and k:
            powers = shrunk(z, y, k, self.alpha)
            residuals = y - np.polynomial.polynomial.polyval(z, powers)
            coef = np.asarray(legendre.poly2leg(powers), float)
            sse = float(residuals @ residuals)
            step = replace(step, phase="shrink", coef=coef, powers=powers, sse=sse)
            yield step
        yield replace(step, phase="done")

    def errors(self, x: Floats, y: Floats, x_test: Floats, y_test: Floats) -> CurveErrors:
        """Return the errors of all degrees."""
        middle, half = unit_scale(x)
        z = (x - middle) / half
        z_test = (x_test - middle) / half
        Q, R = orthogonal(z, MAX_DEGREE)
        n_degrees = Q.shape[1]
        Q_test = solve_triangular(R, legendre.legvander(z_test, n_degrees - 1).T, trans="T").T
        c = Q.T @ y
        fitted = (Q * c).cumsum(axis=1).T
        predicted = (Q_test * c).cumsum(axis=1).T
        leverage = (Q**2).cumsum(axis=1).T
        if self.alpha:
            for k in range(1, n_degrees):
                look()
                fitted[k], leverage[k], predicted[k] = shrunk_fit(z, y, k, self.alpha, z_test)
        return CurveErrors(
            levels=np.arange(n_degrees, dtype=float),
            train=rmse(y - fitted),
            left_out=left_out(y - fitted, leverage),
            test=rmse(y_test - predicted),
        )


def orthogonal(z: Floats, degree: int) -> tuple[Floats, Floats]:
    """Return polynomials Q that are orthogonal over places, shape (n, k), and R.

    The Legendre polynomials are Q R; there are as many as degree and distinct places allow.

    Examples
    --------
    >>> Q, R = orthogonal(np.array([-1.0, 0.0, 1.0]), 9)
    >>> Q.shape, bool(np.abs(Q.T @ Q - np.eye(3)).max() < 1e-12)
    ((3, 3), True)
    """
    basis = legendre.legvander(z, min(degree, len(np.unique(z)) - 1))
    Q, R = np.linalg.qr(basis)
    is_dependent = np.abs(np.diag(R)) / np.linalg.norm(basis, axis=0) < DEPENDENT
    k = int(np.argmax(is_dependent)) if is_dependent.any() else len(R)
    sign = np.sign(np.diag(R))[:k]
    return Q[:, :k] * sign, R[:k, :k] * sign[:, None]


def shrunk(z: Floats, y: Floats, degree: int, alpha: float) -> Floats:
    """Return the coefficients of 1, z, z², … of ridge regression on the standardised powers.

    Examples
    --------
    >>> shrunk(np.array([-1.0, 1.0]), np.array([0.0, 4.0]), 1, 2.0).round(6).tolist()
    [2.0, 1.0]
    """
    mean, spread, U, sizes, Vt = _powers(z, degree)
    b = Vt.T @ (sizes / (sizes**2 + alpha) * (U.T @ (y - y.mean()))) / spread
    return np.append(y.mean() - b @ mean, b)


def shrunk_fit(
    z: Floats, y: Floats, degree: int, alpha: float, z_test: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return fitted heights of ridge regression, leverages, and heights at test places."""
    _, _, U, sizes, _ = _powers(z, degree)
    leverage = 1 / len(z) + (U**2 * (sizes**2 / (sizes**2 + alpha))).sum(axis=1)
    powers = shrunk(z, y, degree, alpha)
    fitted, predicted = (
        np.asarray(np.polynomial.polynomial.polyval(places, powers), float)
        for places in (z, z_test)
    )
    return fitted, leverage, predicted


def _powers(z: Floats, degree: int) -> tuple[Floats, ...]:
    """Return means and deviations of z, z², …, and the SVD of the standardised powers."""
    powers = z[:, None] ** np.arange(1, degree + 1)
    mean = np.asarray(powers.mean(axis=0))
    spread = np.asarray(powers.std(axis=0))
    spread = np.where(spread > 0, spread, 1.0)  # of two places, even powers are all 1
    U, sizes, Vt = np.linalg.svd((powers - mean) / spread, full_matrices=False)
    return mean, spread, U, np.asarray(sizes), Vt


def condition(x: Floats, degree: int) -> tuple[float, float]:
    """Return the condition numbers of the powers of x and of z, which is scaled to -1 to 1.

    Examples
    --------
    >>> [round(number, 1) for number in condition(np.array([0.0, 1.0, 2.0, 3.0]), 3)]
    [154.5, 8.0]
    """
    middle, half = unit_scale(x)
    with np.errstate(over="ignore", invalid="ignore"):
        raw = np.vander(x, degree + 1, increasing=True)
        is_finite = np.isfinite(raw).all() and np.isfinite(raw**2).all()
    scaled = np.linalg.cond(np.vander((x - middle) / half, degree + 1, increasing=True))
    return float(np.linalg.cond(raw)) if is_finite else np.inf, float(scaled)
