"""Local regression (loess): at each place a weighted polynomial through its neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from dmlib.arrays import Floats
from dmlib.evenly import evenly
from dmlib.params import Integer, Number, Param
from dmlib.regression.polynomial_regression.curve import COLUMN, Curve, CurveErrors, left_out, rmse
from dmlib.trace import look

N_PLACES = 31  # that the steps go through
MAX_WEIGHTS = 500_000  # in memory at a time
SPANS = np.linspace(0.1, 1.0, 19)
MAX_LEFT_OUT = 300  # rows by which spans are compared
SINGULAR = 1e-10  # ratio of eigenvalues of the sums, up to which they are singular

Phase = Literal["robust", "place", "done"]


@dataclass(frozen=True)
class LocalStep:
    """The curve was fitted at one more place, or outlying rows lost weight.

    Attributes
    ----------
    phase : {"robust", "place", "done"}
        What happened.
    place : float
        The place.
    radius : float
        The distance from which rows have no weight; 0 if all neighbours are at the place.
    coef : ndarray of shape (degree + 1,)
        The coefficients of 1, u, u² with u = (x - place) / radius; the first is the height of the
        curve.
    trust : ndarray of shape (n_samples,)
        The robustness weights: 1, or less for outlying rows.
    spread : float
        Six medians of the absolute residuals, beyond which these are 0; 0 before the first round.
    """

    phase: Phase
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
        The fraction of the rows in a neighbourhood; at least two rows more than the degree.
    degree : {0, 1, 2}, default=1
        The degree of the local polynomials.
    n_iter : int, default=0
        Rounds in which outlying rows lose weight: :math:`(1 - (r / 6 m)^2)^2`, with m the
        median of the absolute residuals.
    column : int, default=1
        The number of the column that is x, from 1; the other columns are not used.

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
        span = self.span if span is None else span
        return min(n, max(int(span * n + 1e-10), self.degree + 2))

    def local(
        self, x: Floats, y: Floats, at: Floats, trust: Floats, span: float | None = None
    ) -> tuple[Floats, Floats, Floats]:
        """Return coefficients at places, shape (m, degree + 1), radii and leverages.

        A leverage is the weight of a row in its own height, for a row of trust 1.
        """
        n_near = self.n_near(len(x), span)
        n_places = max(1, MAX_WEIGHTS // len(x))
        coef = np.empty((len(at), self.degree + 1))
        radius = np.empty(len(at))
        leverage = np.empty(len(at))
        for start in range(0, len(at), n_places):
            look()
            part = slice(start, start + n_places)
            coef[part], radius[part], leverage[part] = _fits(
                x, y, at[part], trust, n_near, self.degree
            )
        return coef, radius, leverage

    def _steps(self, x: Floats, y: Floats) -> Iterator[LocalStep]:
        trust = np.ones(len(x))
        spread = 0.0
        low, high = float(x.min()), float(x.max())
        for _ in range(self.n_iter):
            residuals = y - self.local(x, y, x, trust)[0][:, 0]
            spread = 6 * float(np.median(np.abs(residuals)))
            if spread <= 1e-12 * float(np.ptp(y)):
                break  # more than half of the rows lie on the curve
            trust = np.clip(1 - (residuals / spread) ** 2, 0.0, None) ** 2
            yield LocalStep("robust", low, 0.0, np.zeros(self.degree + 1), trust, spread)
        at = np.unique(np.linspace(low, high, N_PLACES))
        coefs, radii, _ = self.local(x, y, at, trust)
        for place, radius, coef in zip(at, radii, coefs, strict=True):
            step = LocalStep("place", float(place), float(radius), coef, trust, spread)
            yield step
        yield replace(step, phase="done")

    def errors(self, x: Floats, y: Floats, x_test: Floats, y_test: Floats) -> CurveErrors:
        """Return the errors of many spans, of at most ``MAX_LEFT_OUT`` rows."""
        trust = self.trust_
        rows = evenly(len(x), MAX_LEFT_OUT)
        test_rows = evenly(len(x_test), MAX_LEFT_OUT)
        at = np.concatenate([x[rows], x_test[test_rows]])
        n = len(rows)
        fits = [self.local(x, y, at, trust, float(span)) for span in SPANS]
        heights = np.array([coef[:, 0] for coef, _, _ in fits])
        leverage = np.array([part[:n] * trust[rows] for _, _, part in fits])
        residuals = y[rows] - heights[:, :n]
        return CurveErrors(
            levels=SPANS,
            train=rmse(residuals),
            left_out=left_out(residuals, leverage),
            test=rmse(y_test[test_rows] - heights[:, n:]),
        )


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
    x: Floats, y: Floats, at: Floats, trust: Floats, n_near: int, degree: int
) -> tuple[Floats, Floats, Floats]:
    """Return coefficients, radii and leverages at places, see :meth:`LocalRegression.local`."""
    difference = x - at[:, None]
    distance = np.abs(difference)
    radius = np.partition(distance, n_near - 1, axis=1)[:, n_near - 1]
    unit = np.where(radius > 0, radius, 1.0)[:, None]
    tricubes = (1 - np.minimum(distance / unit, 1.0) ** 3) ** 3
    weights = np.where(radius[:, None] > 0, tricubes, distance == 0) * trust
    weights[weights.sum(axis=1) == 0] = 1.0  # where no neighbour is trusted, all rows alike
    u = difference / unit
    powers = [np.ones_like(u)]
    for _ in range(2 * degree):
        powers.append(powers[-1] * u)
    sums = np.array([(weights * power).sum(axis=1) for power in powers])
    moments = np.array([(weights * power) @ y for power in powers[: degree + 1]]).T
    coef = np.zeros((len(at), degree + 1))
    leverage = np.zeros(len(at))
    is_open = np.ones(len(at), bool)
    for k in range(degree, -1, -1):
        order = np.add.outer(np.arange(k + 1), np.arange(k + 1))
        G = sums[order].transpose(2, 0, 1)
        sizes = np.linalg.eigvalsh(G)
        is_solvable = is_open & (sizes[:, 0] > SINGULAR * sizes[:, -1])
        inverse = np.linalg.inv(G[is_solvable])
        coef[is_solvable, : k + 1] = (inverse @ moments[is_solvable, : k + 1, None])[..., 0]
        leverage[is_solvable] = inverse[:, 0, 0]
        is_open &= ~is_solvable
    return coef, radius, leverage
