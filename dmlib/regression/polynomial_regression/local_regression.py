"""Local regression: at each place a line (or a parabola) through its neighbours, the near ones with more weight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from dmlib.arrays import Floats
from dmlib.evenly import evenly
from dmlib.params import Integer, Number, Param
from dmlib.regression.polynomial_regression.curve import COLUMN, Curve, CurveErrors, left_out, rmse
from dmlib.trace import look

PLACES = 31  # that the steps go through
AT_ONCE = 500_000  # weights that are held
SPANS = np.linspace(0.1, 1.0, 19)
MOST_LEFT_OUT = 300  # rows by which spans are compared
SINGULAR = 1e-10  # least share of an eigenvalue of the sums


@dataclass(frozen=True)
class LocalStep:
    """The curve was found at one more place, or rows that lie far off lost weight.

    Attributes
    ----------
    phase : {"robust", "place", "done"}
        What happened.
    place : float
        Where.
    radius : float
        The distance from where on rows have no weight; 0 if all neighbours are at the place.
    coef : ndarray of shape (degree + 1,)
        Of 1, u, u² with u = (x - place) / radius; the first is the height of the curve.
    trust : ndarray of shape (n_samples,)
        Weights of the rows that do not depend on the place: 1, or less for those that lie far off.
    spread : float
        Six medians of the absolute residuals, where trust ends; 0 before the first round.
    """

    phase: str
    place: float
    radius: float
    coef: Floats
    trust: Floats
    spread: float


class LocalRegression(Curve):
    r"""Predict a number by local regression on one column (loess).

    At a place x the nearest share ``span`` of the rows have the weight :math:`(1 - u^3)^3` with u
    their distance divided by that of the farthest; a polynomial is fitted with these weights, and
    its height at x is the curve's.

    Parameters
    ----------
    span : float, default=0.5
        The share of the rows in a neighbourhood; at least two rows more than the degree.
    degree : {0, 1, 2}, default=1
        The degree of the local polynomials.
    n_iter : int, default=0
        Rounds in which rows that lie far off lose weight: :math:`(1 - (r / 6 m)^2)^2`, with m the
        median of the absolute residuals.
    column : int, default=1
        The number of the column that is x, from 1; the others are left alone.

    Attributes
    ----------
    trust_ : ndarray of shape (n_samples,)
        The weights of the rows after these rounds.
    fitted_ : ndarray of shape (n_samples,)
        The heights of the curve at the rows.
    rmse_, r2_ : float
        Root mean squared error of the rows; 1 - SSE / SST, NaN if all numbers are equal.
    places_, heights_ : ndarray of shape (n_samples,)
        The rows.
    step_ : LocalStep
        The last step.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a value is missing, or too large to be squared.

    Notes
    -----
    O(n) for each place, so O(n²) for the rows. Where the neighbours are at too few places for the
    degree, a lower one is taken.

    References
    ----------
    W. S. Cleveland (1979), Robust locally weighted regression and smoothing scatterplots. JASA 74,
    829-836.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [0.0, 1.0, 2.0, 3.0, 4.0]
    >>> LocalRegression(0.6).fit(X, y).predict([[1.5], [5.0]]).round(6).tolist()
    [1.5, 5.0]
    """

    LEVEL = "span"
    PARAMS: ClassVar[dict[str, Param]] = {
        "span": Number(0.02, 1.0, shown=(0.1, 1.0), step=0.05),
        "degree": Integer(0, 2),
        "n_iter": Integer(0, 5),
        **COLUMN,
    }

    def __init__(
        self, span: float = 0.5, *, degree: int = 1, n_iter: int = 0, column: int = 1
    ) -> None:
        self.span = span
        self.degree = degree
        self.n_iter = n_iter
        self.column = column

    def _learn(self, last: LocalStep) -> None:
        self.trust_ = last.trust.copy()

    def curve(self, step: LocalStep, x: Floats) -> Floats:
        """Return the heights of the curve; the rows are those of the fit."""
        return self.local(self.places_, self.heights_, x, step.trust)[0][:, 0]

    def n_near(self, n: int, span: float | None = None) -> int:
        """Return how many of ``n`` rows are in a neighbourhood."""
        share = self.span if span is None else span
        return min(n, max(int(share * n + 1e-10), self.degree + 2))

    def local(
        self, x: Floats, y: Floats, at: Floats, trust: Floats, span: float | None = None
    ) -> tuple[Floats, Floats, Floats]:
        """Return coefficients at places, shape (m, degree + 1), radii, and the weight of a row in its own height."""
        near = self.n_near(len(x), span)
        chunk = max(1, AT_ONCE // len(x))
        parts = []
        for start in range(0, len(at), chunk):
            look()
            parts.append(_fits(x, y, at[start : start + chunk], trust, near, self.degree))
        coef, radius, own = (
            (np.concatenate(part) for part in zip(*parts, strict=True))
            if parts
            else (np.empty((0, self.degree + 1)), np.empty(0), np.empty(0))
        )
        return coef, radius, own

    def _steps(self, x: Floats, y: Floats) -> Iterator[LocalStep]:
        trust, spread = np.ones(len(x)), 0.0
        low, high = float(x.min()), float(x.max())
        for _ in range(self.n_iter):
            rest = y - self.local(x, y, x, trust)[0][:, 0]
            spread = 6 * float(np.median(np.abs(rest)))
            if spread <= 1e-12 * float(np.ptp(y)):
                break  # more than half of the rows lie on the curve
            trust = np.clip(1 - (rest / spread) ** 2, 0.0, None) ** 2
            yield LocalStep("robust", low, 0.0, np.zeros(self.degree + 1), trust, spread)
        at = np.unique(np.linspace(low, high, PLACES))
        coef, radius, _ = self.local(x, y, at, trust)
        for place, reach, numbers in zip(at, radius, coef, strict=True):
            step = LocalStep("place", float(place), float(reach), numbers, trust, spread)
            yield step
        yield replace(step, phase="done")

    def errors(self, x: Floats, y: Floats, x_test: Floats, y_test: Floats) -> CurveErrors:
        """Return the errors of many spans, by some of the rows if there are many."""
        trust = self.trust_
        some = evenly(len(x), MOST_LEFT_OUT)
        held = evenly(len(x_test), MOST_LEFT_OUT)
        at = np.concatenate([x[some], x_test[held]])
        train, out, test = [], [], []
        for span in SPANS:
            coef, _, own = self.local(x, y, at, trust, float(span))
            rest = y[some] - coef[: len(some), 0]
            train.append(float(rmse(rest)))
            out.append(float(left_out(rest, own[: len(some)] * trust[some])))
            test.append(rmse(y_test[held] - coef[len(some) :, 0]))
        return CurveErrors(SPANS, np.array(train), np.array(out), np.array(test).ravel())


def tricube(x: Floats, place: float, radius: float) -> Floats:
    """Return the weights of rows around a place.

    Examples
    --------
    >>> tricube(np.array([0.0, 1.0, 3.0]), 0.0, 2.0).round(4).tolist()
    [1.0, 0.6699, 0.0]
    """
    if radius <= 0:
        return np.asarray(x == place, float)
    return np.asarray((1 - np.minimum(np.abs(x - place) / radius, 1.0) ** 3) ** 3)


def _fits(
    x: Floats, y: Floats, at: Floats, trust: Floats, near: int, degree: int
) -> tuple[Floats, Floats, Floats]:
    """Return coefficients, radii, and the weight of a row of trust 1 in its own height, for some places."""
    away = x - at[:, None]
    distance = np.abs(away)
    radius = np.partition(distance, near - 1, axis=1)[:, near - 1]
    unit = np.where(radius > 0, radius, 1.0)[:, None]
    weights = (
        np.where(
            radius[:, None] > 0, (1 - np.minimum(distance / unit, 1.0) ** 3) ** 3, distance == 0
        )
        * trust
    )
    weights[weights.sum(axis=1) == 0] = 1.0  # none is trusted there: all rows alike
    u = away / unit
    powers = [np.ones_like(u)]
    for _ in range(2 * degree):
        powers.append(powers[-1] * u)
    sums = np.array([(weights * power).sum(axis=1) for power in powers])
    moments = np.array([(weights * power) @ y for power in powers[: degree + 1]]).T
    coef, own = np.zeros((len(at), degree + 1)), np.zeros(len(at))
    todo = np.ones(len(at), bool)
    for k in range(degree, -1, -1):
        order = np.add.outer(np.arange(k + 1), np.arange(k + 1))
        G = sums[order].transpose(2, 0, 1)
        sizes = np.linalg.eigvalsh(G)
        fine = todo & (sizes[:, 0] > SINGULAR * sizes[:, -1])
        inverse = np.linalg.inv(G[fine])
        coef[fine, : k + 1] = (inverse @ moments[fine, : k + 1, None])[..., 0]
        own[fine] = inverse[:, 0, 0]
        todo &= ~fine
    return coef, radius, own
