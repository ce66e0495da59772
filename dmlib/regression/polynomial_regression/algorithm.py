"""Least squares with a polynomial, degree by degree, and ridge regression on the same powers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

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

TOP = 25  # the highest degree
NOTHING = 1e-9  # share of a power that lower ones leave of it, up to which it is none


@dataclass(frozen=True)
class PolynomialStep:
    """The degree rose by one, or the coefficients were shrunk.

    Attributes
    ----------
    phase : {"constant", "degree", "shrink", "done"}
        What happened.
    degree : int
        The degree now.
    added : float
        The coefficient of the last orthogonal polynomial.
    coef : ndarray of shape (degree + 1,)
        The coefficients of the Legendre polynomials of z.
    powers : ndarray of shape (degree + 1,)
        Those of 1, z, z², …
    sse : float
        Sum of squared residuals.
    """

    phase: str
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
        The number of the column that is x, from 1; the others are left alone.

    Attributes
    ----------
    coef_ : ndarray of shape (degree_ + 1,)
        The coefficients of the Legendre polynomials of z.
    powers_ : ndarray of shape (degree_ + 1,)
        Those of 1, z, z², …
    degree_ : int
        The degree that the places allow.
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
        "degree": Integer(0, TOP),
        "alpha": Number(0.0, 1e6, shown=(0.0, 100.0), log=True),
        **COLUMN,
    }

    def __init__(self, degree: int = 3, *, alpha: float = 0.0, column: int = 1) -> None:
        self.degree = degree
        self.alpha = alpha
        self.column = column

    def _learn(self, last: PolynomialStep) -> None:
        self.coef_, self.powers_, self.degree_ = last.coef.copy(), last.powers.copy(), last.degree

    def curve(self, step: PolynomialStep, x: Floats) -> Floats:
        """Return the heights of the curve of a step; z is that of the fit's rows."""
        middle, half = unit_scale(self.places_)
        return np.asarray(legendre.legval((x - middle) / half, step.coef))

    def _steps(self, x: Floats, y: Floats) -> Iterator[PolynomialStep]:
        middle, half = unit_scale(x)
        z = (x - middle) / half
        Q, R = orthogonal(z, self.degree)
        c = Q.T @ y
        rest = y.copy()
        for k in range(Q.shape[1]):
            look()
            rest = rest - Q[:, k] * (Q[:, k] @ rest)
            coef = solve_triangular(R[: k + 1, : k + 1], c[: k + 1])
            phase = "degree" if k else "constant"
            step = PolynomialStep(
                phase, k, float(c[k]), coef, legendre.leg2poly(coef), float(rest @ rest)
            )
            yield step
        if self.alpha and k:
            powers = shrunk(z, y, k, self.alpha)
            rest = y - np.polynomial.polynomial.polyval(z, powers)
            coef = np.asarray(legendre.poly2leg(powers), float)
            step = replace(step, phase="shrink", coef=coef, powers=powers, sse=float(rest @ rest))
            yield step
        yield replace(step, phase="done")

    def errors(self, x: Floats, y: Floats, x_test: Floats, y_test: Floats) -> CurveErrors:
        """Return the errors of all degrees."""
        middle, half = unit_scale(x)
        z, z_test = (x - middle) / half, (x_test - middle) / half
        Q, R = orthogonal(z, TOP)
        top = Q.shape[1]
        parts = Q * (Q.T @ y)
        there = solve_triangular(R, legendre.legvander(z_test, top - 1).T, trans="T").T * (Q.T @ y)
        fitted, told = parts.cumsum(axis=1).T, there.cumsum(axis=1).T
        leverage = (Q**2).cumsum(axis=1).T
        if self.alpha:
            for k in range(1, top):
                look()
                fitted[k], leverage[k], told[k] = shrunk_fit(z, y, k, self.alpha, z_test)
        return CurveErrors(
            np.arange(top, dtype=float),
            rmse(y - fitted),
            left_out(y - fitted, leverage),
            rmse(y_test - told),
        )


def orthogonal(z: Floats, degree: int) -> tuple[Floats, Floats]:
    """Return polynomials that are orthogonal over places, shape (n, k), and R: the Legendre polynomials are Q R.

    There are as many as the degree asks for and distinct places allow.

    Examples
    --------
    >>> Q, R = orthogonal(np.array([-1.0, 0.0, 1.0]), 9)
    >>> Q.shape, bool(np.abs(Q.T @ Q - np.eye(3)).max() < 1e-12)
    ((3, 3), True)
    """
    most = min(degree, len(np.unique(z)) - 1)
    basis = legendre.legvander(z, most)
    Q, R = np.linalg.qr(basis)
    left = np.abs(np.diag(R)) / np.linalg.norm(basis, axis=0)
    most = int(np.argmax(left < NOTHING)) if (left < NOTHING).any() else most + 1
    sign = np.sign(np.diag(R))[:most]
    return Q[:, :most] * sign, R[:most, :most] * sign[:, None]


def shrunk(z: Floats, y: Floats, degree: int, alpha: float) -> Floats:
    """Return the coefficients of 1, z, z², … of a ridge regression on the standardised powers.

    Examples
    --------
    >>> shrunk(np.array([-1.0, 1.0]), np.array([0.0, 4.0]), 1, 2.0).round(6).tolist()
    [2.0, 1.0]
    """
    mean, spread, left, sizes, right = _powers(z, degree)
    b = right.T @ (sizes / (sizes**2 + alpha) * (left.T @ (y - y.mean()))) / spread
    return np.append(y.mean() - b @ mean, b)


def shrunk_fit(
    z: Floats, y: Floats, degree: int, alpha: float, z_test: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return the fitted heights of a ridge regression on powers, the leverages, and the heights at other places."""
    _, _, left, sizes, _ = _powers(z, degree)
    leverage = 1 / len(z) + (left**2 * (sizes**2 / (sizes**2 + alpha))).sum(axis=1)
    powers = shrunk(z, y, degree, alpha)
    fitted, there = (
        np.asarray(np.polynomial.polynomial.polyval(places, powers), float)
        for places in (z, z_test)
    )
    return fitted, leverage, there


def _powers(z: Floats, degree: int) -> tuple[Floats, ...]:
    """Return means and standard deviations of z, z², …, and the singular value decomposition of what they leave."""
    powers = z[:, None] ** np.arange(1, degree + 1)
    mean, spread = powers.mean(axis=0), powers.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)  # of two places, even powers are all 1
    left, sizes, right = np.linalg.svd((powers - mean) / spread, full_matrices=False)
    return np.asarray(mean), np.asarray(spread), left, np.asarray(sizes), right


def condition(x: Floats, degree: int) -> tuple[float, float]:
    """Return the condition number of the powers of places as they are, and of z from -1 to 1.

    Examples
    --------
    >>> [round(number, 1) for number in condition(np.array([0.0, 1.0, 2.0, 3.0]), 3)]
    [154.5, 8.0]
    """
    middle, half = unit_scale(x)
    with np.errstate(over="ignore", invalid="ignore"):
        raw = np.vander(x, degree + 1, increasing=True)
        known = np.isfinite(raw).all() and np.isfinite(raw**2).all()
    scaled = np.linalg.cond(np.vander((x - middle) / half, degree + 1, increasing=True))
    return (float(np.linalg.cond(raw)) if known else float("inf")), float(scaled)
