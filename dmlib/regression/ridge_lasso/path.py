"""The coefficients by λ, with the places where columns come in, and the choice of λ by cross-validation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from dmlib import engine
from dmlib.arrays import Floats
from dmlib.regression.design import LeastSquares
from dmlib.regression.ridge_lasso.penalty import Penalised, minimum
from dmlib.trace import look

Knot = tuple[float, int, bool]
# Share of a column's square that others leave unexplained, up to which it says nothing new
DEPENDENT = 1e-10
MANY, DEEP, FINE = (
    60,
    1e-4,
    1e-9,
)  # values of λ, the smallest of them by the largest, how exact a knot is


@dataclass(frozen=True)
class Path:
    """The coefficients of standardised columns by λ.

    Attributes
    ----------
    alphas : ndarray of shape (n_alphas,)
        The values of λ, largest first.
    coefs : ndarray of shape (n_alphas, n_terms)
        The coefficients of the standardised terms.
    scale : ndarray of shape (n_terms,)
        What the terms are divided by.
    knots : tuple of (float, int, bool)
        Where a coefficient leaves or reaches 0: λ, the term, and whether it comes in as λ falls.
        Empty for ridge.
    """

    alphas: Floats
    coefs: Floats
    scale: Floats
    knots: tuple[Knot, ...]


@dataclass(frozen=True)
class PathErrors:
    """The error of cross-validation by λ.

    Attributes
    ----------
    alphas : ndarray of shape (n_alphas,)
        The values of λ, largest first.
    errors, standard_errors : ndarray of shape (n_alphas,)
        The mean squared error, averaged over the folds, and the standard error of this average.
    best : int
        The place of the smallest error.
    one_se : int
        The place of the largest λ whose error is at most one standard error above the smallest.
    """

    alphas: Floats
    errors: Floats
    standard_errors: Floats
    best: int
    one_se: int


def regularization_path(
    X: ArrayLike,
    y: ArrayLike,
    *,
    l1_ratio: float = 1.0,
    alphas: ArrayLike | None = None,
    standardize: bool = True,
    fit_intercept: bool = True,
    knots: bool = True,
) -> Path:
    """Return the coefficients that minimise SSE + λ (ρ Σ|b| + (1 − ρ) Σ b²) for many λ.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_terms)
        The terms, all numeric.
    y : array-like of shape (n_samples,)
        The target.
    l1_ratio : float
        ρ: 1 for the lasso, 0 for ridge.
    alphas : array-like, optional
        The values of λ; by default 60, evenly spread on a logarithmic scale, from where all
        coefficients are 0 (for ridge, nearly).
    standardize, fit_intercept : bool
        As in :class:`Lasso`.
    knots : bool
        Whether the knots are looked for.

    Examples
    --------
    >>> path = regularization_path([[1.0], [2.0], [3.0], [6.0]], [2.0, 3.0, 7.0, 8.0])
    >>> [(round(alpha, 3), j, comes) for alpha, j, comes in path.knots]
    [(18.174, 0, True)]
    """
    data = LeastSquares.of(np.asarray(X, float), np.asarray(y, float), fit_intercept)
    return path_of(Penalised.of(data, 0.0, l1_ratio, standardize), l1_ratio, alphas, knots)


def path_of(
    problem: Penalised, l1_ratio: float, alphas: ArrayLike | None = None, knots: bool = True
) -> Path:
    """Return the path of a problem, whatever its own λ is."""
    if alphas is None:
        alphas = largest(problem, l1_ratio) * np.geomspace(1, DEEP, MANY)
    values = np.sort(np.asarray(alphas, float).ravel())[::-1]
    found: list[Knot] = []
    b = np.zeros(len(problem.moments))
    coefs = np.empty((len(values), len(b)))
    if (
        l1_ratio == 1
        and len(values)
        and (pieces := lasso_pieces(problem, float(values[-1]))) is not None
    ):
        ends, places, found = pieces
        coefs = np.column_stack(
            [np.interp(values, ends[::-1], column[::-1]) for column in places.T]
        )
        return Path(values, coefs, problem.scale, tuple(found) if knots else ())
    for i, alpha in enumerate(values):
        before, b = b, minimum(at(problem, alpha, l1_ratio), b)
        coefs[i] = b
        if knots and l1_ratio > 0:
            found += _halved(
                problem, l1_ratio, (values[i - 1] if i else 2 * alpha, before), (alpha, b)
            )
    return Path(values, coefs, problem.scale, tuple(found))


def at(problem: Penalised, alpha: float, l1_ratio: float) -> Penalised:
    """Return the same problem with another λ."""
    return replace(problem, l1=alpha * l1_ratio / 2, l2=alpha * (1 - l1_ratio))


def largest(problem: Penalised, l1_ratio: float) -> float:
    """Return the smallest λ at which all coefficients are 0; for ridge, one at which they are nearly 0."""
    if l1_ratio > 0:
        top = 2 * float(np.abs(problem.moments).max()) / l1_ratio
    else:
        top = 100 * float(np.diag(problem.gram).max())
    return top or 1.0


def _halved(
    problem: Penalised, l1_ratio: float, high: tuple[float, Floats], low: tuple[float, Floats]
) -> Iterator[Knot]:
    """Yield the knots between two values of λ: the interval is halved as long as the signs at its ends differ."""
    look()
    differ = np.flatnonzero(np.sign(high[1]) != np.sign(low[1]))
    if not len(differ) or low[0] <= 0:
        return
    if high[0] - low[0] <= FINE * high[0]:
        yield from ((float(high[0]), int(j), bool(low[1][j])) for j in differ)
        return
    if (
        len(differ) == 1
        and (place := _crossing(problem, l1_ratio, high, low, int(differ[0]))) is not None
    ):
        yield place, int(differ[0]), bool(low[1][differ[0]])
        return
    alpha = (high[0] * low[0]) ** 0.5
    middle = (alpha, minimum(at(problem, alpha, l1_ratio), high[1]))
    yield from _halved(problem, l1_ratio, high, middle)
    yield from _halved(problem, l1_ratio, middle, low)


def _crossing(
    problem: Penalised,
    l1_ratio: float,
    high: tuple[float, Floats],
    low: tuple[float, Floats],
    j: int,
) -> float | None:
    """Return where between two values of λ the only coefficient that changes comes or goes; None if that is not clear.

    Until then the signs are those of the higher λ, so that the coefficients solve linear equations:
    it comes where its product with the residuals is λρ / 2, and goes where its own solution is 0.
    """
    signs, joins = np.sign(high[1]), high[1][j] == 0
    if not joins and low[1][j] != 0:
        return None
    some = np.flatnonzero(signs)
    gram, moments, theirs = problem.gram[np.ix_(some, some)], problem.moments[some], signs[some]
    cross, own, way = problem.gram[j, some], np.flatnonzero(some == j), np.sign(low[1][j])
    diagonal = np.eye(len(some))

    def beyond(alpha: float) -> float:
        price, ridge = alpha * l1_ratio / 2, alpha * (1 - l1_ratio)
        b = np.linalg.solve(gram + ridge * diagonal, moments - price * theirs)
        return float(way * (problem.moments[j] - cross @ b) - price if joins else b[own[0]])

    try:
        return float(brentq(beyond, low[0], high[0], rtol=FINE))
    except (
        ValueError,
        np.linalg.LinAlgError,
    ):  # no change of sign, or columns that depend on each other
        return None


def lasso_pieces(problem: Penalised, least: float) -> tuple[Floats, Floats, list[Knot]] | None:
    """Return where a lasso bends down to a least λ, its coefficients there, and the knots; None if that has no end.

    The columns whose products with the residuals are the largest are active; as λ falls these
    products fall with it, until another column's is as large, or a coefficient is back at 0 (Efron,
    Hastie, Johnstone and Tibshirani, 2004). Between two of these places all coefficients are linear
    in λ.
    """
    gram, c = problem.gram, problem.moments.copy()
    b, outside = np.zeros(len(c)), np.diag(gram) > 0
    price, end = float(np.abs(c[outside]).max(initial=0.0)), least / 2  # λ / 2
    ends, places, found = [2 * price], [b.copy()], []
    active = np.empty(0, np.intp)
    if price > end:
        first = int(np.where(outside, np.abs(c), -1.0).argmax())
        active = _joined(first, active, outside, gram)
        found.append((2 * price, first, True))
    while len(active) and price > end:
        look()
        if len(ends) > 8 * (len(c) + 1):  # equal columns come and go
            return None
        speed = np.linalg.solve(gram[np.ix_(active, active)], np.sign(c[active]))
        joins, leaves = _events(
            price, c, np.asarray(gram[:, active] @ speed), outside, b[active], np.asarray(speed)
        )
        join, leave = joins.min(initial=np.inf), leaves.min(initial=np.inf)
        till = float(min(join, leave, price - end))
        b[active] += till * speed
        price -= till
        c = problem.moments - gram @ b
        if leave <= till:
            j = int(active[leaves.argmin()])
            b[j], outside[j] = 0.0, True
            active = active[active != j]
            found.append((2 * price, j, False))
        elif join <= till:
            j = int(joins.argmin())
            active = _joined(j, active, outside, gram)
            found += [(2 * price, j, True)] if j in active else []
        ends.append(2 * price)
        places.append(b.copy())
    return np.array(ends), np.array(places), found


def _events(
    price: float, c: Floats, falls: Floats, outside: NDArray[np.bool_], b: Floats, speed: Floats
) -> tuple[Floats, Floats]:
    """Return how far the price must fall until each column joins, and until each active one leaves."""
    joins = np.full(len(c), np.inf)
    for way in (1.0, -1.0):
        rate = 1 - way * falls
        may = outside & (rate > FINE)
        joins[may] = np.minimum(joins[may], np.maximum((price - way * c[may]) / rate[may], 0.0))
    leaves = np.full(len(b), np.inf)
    back = b * speed < 0
    leaves[back] = -b[back] / speed[back]
    return joins, leaves


def _joined(
    j: int, active: NDArray[np.intp], outside: NDArray[np.bool_], gram: Floats
) -> NDArray[np.intp]:
    """Return the active columns with one more; it is out for good if they already say all that it says."""
    outside[j] = False
    if len(active):
        inner = np.linalg.solve(gram[np.ix_(active, active)], gram[active, j])
        if gram[j, j] - gram[j, active] @ inner <= DEPENDENT * gram[j, j]:
            return active
    return np.append(active, j)


def cross_validated_path(
    X: ArrayLike,
    y: ArrayLike,
    *,
    l1_ratio: float = 1.0,
    alphas: ArrayLike | None = None,
    standardize: bool = True,
    fit_intercept: bool = True,
    cv: int = 10,
    random_state: int = 0,
    progress: engine.Progress | None = None,
) -> PathErrors:
    """Return the error by λ in cross-validation; columns are standardised anew in each fold.

    Parameters
    ----------
    X, y, l1_ratio, alphas, standardize, fit_intercept
        As in :func:`regularization_path`.
    cv : int
        The number of folds; of fewer rows, one a row.
    random_state : int
        The seed of the folds.
    progress : callable, optional
        Called after each fold.

    Raises
    ------
    ValueError
        If there are fewer than three rows or two folds.

    Examples
    --------
    >>> X = np.arange(12.0)[:, None]
    >>> found = cross_validated_path(X, 3 * X[:, 0] + [0, 1] * 6, cv=4)
    >>> bool(found.alphas[found.one_se] >= found.alphas[found.best])
    True
    """
    Z, target = np.asarray(X, float), np.asarray(y, float)
    n = len(Z)
    if n < 3 or cv < 2:
        raise ValueError(
            "Cross-validation needs at least three rows and two folds. Add rows or folds."
        )
    whole = Penalised.of(LeastSquares.of(Z, target, fit_intercept), 0.0, l1_ratio, standardize)
    values = (
        largest(whole, l1_ratio) * np.geomspace(1, DEEP, MANY)
        if alphas is None
        else np.asarray(alphas, float)
    )
    values = np.sort(values)[::-1]
    folds = np.random.default_rng(random_state).permutation(n) % min(cv, n)
    task = partial(_fold_errors, Z, target, folds, values, (l1_ratio, standardize, fit_intercept))
    squares = list(engine.map(task, range(min(cv, n)), progress=progress))
    errors = np.mean(squares, axis=0)
    spread = np.std(squares, axis=0, ddof=1) / len(squares) ** 0.5
    best = int(errors.argmin())
    return PathErrors(
        values, errors, spread, best, int((errors <= errors[best] + spread[best]).argmax())
    )


def _fold_errors(
    X: Floats,
    y: Floats,
    folds: NDArray[np.intp],
    alphas: Floats,
    how: tuple[float, bool, bool],
    fold: int,
) -> Floats:
    """Return the mean squared error by λ of one fold's rows."""
    l1_ratio, standardize, fit_intercept = how
    out = folds == fold
    data = LeastSquares.of(X[~out], y[~out], fit_intercept)
    problem = Penalised.of(data, 0.0, l1_ratio, standardize)
    coefs = np.array(
        [problem.original(b) for b in path_of(problem, l1_ratio, alphas, knots=False).coefs]
    )
    rest = y[out][:, None] - data.y_mean - (X[out] - data.means) @ coefs.T
    errors: Floats = (rest**2).mean(axis=0)
    return errors
