"""Natural cubic splines: pieces of third degree that are straight lines beyond the data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from dmlib.arrays import Floats
from dmlib.params import Integer, Param
from dmlib.regression.polynomial_regression.curve import (
    COLUMN,
    Curve,
    CurveErrors,
    left_out,
    rmse,
    unit_scale,
)
from dmlib.trace import look

MAX_KNOTS = 20

Phase = Literal["line", "knot", "done"]


@dataclass(frozen=True)
class SplineStep:
    """A spline was fitted with one more knot.

    Attributes
    ----------
    phase : {"line", "knot", "done"}
        "line": with two knots.
    knots : ndarray of shape (n_knots,)
        The places at which the pieces meet, and both ends.
    coef : ndarray of shape (n_knots,)
        The coefficients of 1, z and the basis function of each inner knot.
    sse : float
        Sum of squared residuals.
    """

    phase: Phase
    knots: Floats
    coef: Floats
    sse: float


class NaturalSpline(Curve):
    r"""Predict a number by a natural cubic spline of one column.

    Between knots, at quantiles of the rows, it is of third degree; at the knots value, slope and
    curvature are continuous, and at both ends the curvature is 0. It has as many coefficients as
    knots.

    Parameters
    ----------
    n_knots : int, default=6
        The number of knots, both ends among them; 2 are a straight line.
    column : int, default=1
        The number of the column that is x, from 1; the other columns are not used.

    Attributes
    ----------
    knots_, coef_ : ndarray of shape (n_knots_,)
        The knots; the coefficients of 1, z and the basis function of each inner knot.
    fitted_ : ndarray of shape (n_samples,)
        The heights of the curve at the rows.
    rmse_, r2_ : float
        Root mean squared error of the rows; 1 - SSE / SST, NaN if all numbers are equal.
    places_, heights_ : ndarray of shape (n_samples,)
        The rows.
    step_ : SplineStep
        The last step.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing, or too large to be squared.

    Notes
    -----
    O(n k²) for k knots.

    References
    ----------
    T. Hastie, R. Tibshirani and J. Friedman (2009), The Elements of Statistical Learning, equations
    5.4 and 5.5.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 4.0, 9.0]
    >>> spline = NaturalSpline(4).fit(X, y)
    >>> spline.predict([[2.0], [4.0], [5.0]]).round(4).tolist()  # a straight line beyond the data
    [4.0, 14.4, 19.8]
    """

    LEVEL = "n_knots"
    PARAMS: ClassVar[dict[str, Param]] = {"n_knots": Integer(2, MAX_KNOTS), **COLUMN}

    def __init__(self, n_knots: int = 6, *, column: int = 1) -> None:
        self.n_knots = n_knots
        self.column = column

    def _learn(self, last: SplineStep) -> None:
        self.knots_ = last.knots.copy()
        self.coef_ = last.coef.copy()

    def curve(self, step: SplineStep, x: Floats) -> Floats:
        """Return the heights of the spline of a step."""
        return np.asarray(basis(x, step.knots) @ step.coef)

    def _steps(self, x: Floats, y: Floats) -> Iterator[SplineStep]:
        max_knots = max(len(np.unique(x)), 2)
        for n in range(2, min(self.n_knots, max_knots) + 1):
            look()
            knots = quantile_knots(x, n)
            Q, R = np.linalg.qr(basis(x, knots))
            coef = np.linalg.solve(R, Q.T @ y)
            residuals = y - Q @ (Q.T @ y)
            sse = float(residuals @ residuals)
            step = SplineStep("line" if n == 2 else "knot", knots, coef, sse)
            yield step
        yield replace(step, phase="done")

    def errors(self, x: Floats, y: Floats, x_test: Floats, y_test: Floats) -> CurveErrors:
        """Return the errors of all numbers of knots."""
        *steps, _ = NaturalSpline(MAX_KNOTS)._steps(x, y)
        bases = [np.linalg.qr(basis(x, step.knots))[0] for step in steps]
        residuals = np.array([y - Q @ (Q.T @ y) for Q in bases])
        leverage = np.array([(Q**2).sum(axis=1) for Q in bases])
        return CurveErrors(
            levels=np.array([float(len(step.knots)) for step in steps]),
            train=rmse(residuals),
            left_out=left_out(residuals, leverage),
            test=rmse(np.array([y_test - self.curve(step, x_test) for step in steps])),
        )


def quantile_knots(x: Floats, n: int) -> Floats:
    """Return knots at evenly spaced quantiles of the distinct places, both ends among them.

    Examples
    --------
    >>> quantile_knots(np.array([0.0, 0.0, 1.0, 2.0, 6.0]), 3).tolist()
    [0.0, 1.5, 6.0]
    """
    places = np.unique(x)
    return np.quantile(places, np.linspace(0, 1, min(n, len(places))))


def basis(x: Floats, knots: Floats) -> Floats:
    """Return the basis at places, shape (n, n_knots): 1, z and a function of each inner knot.

    ``N[k] = d[k] - d[K-2]`` with ``d[k] = ((z - t[k])₊³ - (z - t[K-1])₊³) / (t[K-1] - t[k])``.
    Beyond the last knot cubes and squares cancel, and with them the digits of a place far away: the
    line that remains is computed.

    Examples
    --------
    >>> basis(np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 2.0])).round(3).tolist()
    [[1.0, -1.0, 0.0], [1.0, 0.0, 0.5], [1.0, 1.0, 3.0]]
    """
    middle, half = unit_scale(knots)
    z = (x - middle) / half
    t = (knots - middle) / half
    if len(t) < 2:
        return np.ones((len(z), 1))
    inside = np.minimum(z, t[-1])
    beyond = np.maximum(z - t[-1], 0.0)
    d = np.maximum(inside[:, None] - t[:-1], 0.0) ** 3 / (t[-1] - t[:-1])
    slopes = 3 * (t[-2] - t[:-2])  # of N at the last knot
    return np.column_stack([np.ones(len(z)), z, d[:, :-1] - d[:, -1:] + beyond[:, None] * slopes])
