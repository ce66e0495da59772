"""Natural cubic splines: pieces of third degree that are straight lines beyond the data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

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

MOST = 20  # knots


@dataclass(frozen=True)
class SplineStep:
    """A spline was fitted with one knot more.

    Attributes
    ----------
    phase : {"line", "knot", "done"}
        "line": with two knots.
    knots : ndarray of shape (n_knots,)
        Where the pieces meet, and both ends.
    coef : ndarray of shape (n_knots,)
        Of 1, z and what each inner knot adds.
    sse : float
        Sum of squared residuals.
    """

    phase: str
    knots: Floats
    coef: Floats
    sse: float


class NaturalSpline(Curve):
    r"""Predict a number by a natural cubic spline of one column.

    Between knots, at quantiles of the rows, it is of third degree; there value, slope and curvature
    go on, and at both ends the curvature is 0. It has as many coefficients as knots.

    Parameters
    ----------
    n_knots : int, default=6
        The number of knots, both ends among them; 2 are a straight line.
    column : int, default=1
        The number of the column that is x, from 1; the others are left alone.

    Attributes
    ----------
    knots_, coef_ : ndarray of shape (n_knots_,)
        The knots, and the coefficients of 1, z and what each inner knot adds.
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
    PARAMS: ClassVar[dict[str, Param]] = {"n_knots": Integer(2, MOST)} | COLUMN

    def __init__(self, n_knots: int = 6, *, column: int = 1) -> None:
        self.n_knots = n_knots
        self.column = column

    def _learn(self, last: SplineStep) -> None:
        self.knots_, self.coef_ = last.knots.copy(), last.coef.copy()

    def curve(self, step: SplineStep, x: Floats) -> Floats:
        """Return the heights of the spline of a step."""
        return np.asarray(basis(x, step.knots) @ step.coef)

    def _steps(self, x: Floats, y: Floats) -> Iterator[SplineStep]:
        before = 0
        for n in range(2, self.n_knots + 1):
            look()
            knots = quantile_knots(x, n)
            if len(knots) == before:
                break  # as many as there are places
            before = len(knots)
            Q, R = np.linalg.qr(basis(x, knots))
            coef = np.linalg.solve(R, Q.T @ y)
            rest = y - Q @ (Q.T @ y)
            step = SplineStep("line" if n == 2 else "knot", knots, coef, float(rest @ rest))
            yield step
        yield replace(step, phase="done")

    def errors(self, x: Floats, y: Floats, x_test: Floats, y_test: Floats) -> CurveErrors:
        """Return the errors of all numbers of knots."""
        levels, rests, leverages, tests = [], [], [], []
        for step in NaturalSpline(MOST)._steps(x, y):
            if step.phase == "done":
                break
            Q, _ = np.linalg.qr(basis(x, step.knots))
            levels.append(float(len(step.knots)))
            rests.append(y - Q @ (Q.T @ y))
            leverages.append((Q**2).sum(axis=1))
            tests.append(y_test - self.curve(step, x_test))
        rest = np.array(rests)
        return CurveErrors(
            np.array(levels), rmse(rest), left_out(rest, np.array(leverages)), rmse(np.array(tests))
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
    """Return 1, z and what each inner knot adds, at places, shape (n, n_knots).

    ``N[k] = d[k] - d[K-2]`` with ``d[k] = ((z - t[k])₊³ - (z - t[K-1])₊³) / (t[K-1] - t[k])``.
    Beyond the last knot cubes and squares cancel, and with them the digits of a place far away: the
    line that remains is computed.

    Examples
    --------
    >>> basis(np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 2.0])).round(3).tolist()
    [[1.0, -1.0, 0.0], [1.0, 0.0, 0.5], [1.0, 1.0, 3.0]]
    """
    middle, half = unit_scale(knots)
    z, t = (x - middle) / half, (knots - middle) / half
    if len(t) < 2:
        return np.ones((len(z), 1))
    inside, beyond = np.minimum(z, t[-1]), np.maximum(z - t[-1], 0.0)
    d = np.maximum(inside[:, None] - t[:-1], 0.0) ** 3 / (t[-1] - t[:-1])
    slopes = 3 * (t[-2] - t[:-2])  # of N at the last knot
    return np.column_stack([np.ones(len(z)), z, d[:, :-1] - d[:, -1:] + beyond[:, None] * slopes])
