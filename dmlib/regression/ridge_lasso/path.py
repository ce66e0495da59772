"""The regularisation path with its knots, and the choice of λ by cross-validation."""

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
DEPENDENT = 1e-10  # fraction of a column's square that others leave, up to which it depends on them
N_ALPHAS = 60
MIN_RATIO = 1e-4  # the smallest λ by the largest
KNOT_TOLERANCE = 1e-9  # relative


@dataclass(frozen=True)
class Path:
    """The coefficients of standardised columns for each λ.

    Attributes
    ----------
    alphas : ndarray of shape (n_alphas,)
        The values of λ, largest first.
    coefs : ndarray of shape (n_alphas, n_terms)
        The coefficients of the standardised terms.
    scale : ndarray of shape (n_terms,)
        What the terms are divided by.
    knots : tuple of (float, int, bool)
        Where a coefficient leaves or reaches 0: λ, the term, and whether it enters as λ falls.
        Empty for ridge.
    """

    alphas: Floats
    coefs: Floats
    scale: Floats
    knots: tuple[Knot, ...]


@dataclass(frozen=True)
class PathErrors:
    """Cross-validated errors for each λ.

    Attributes
    ----------
    alphas : ndarray of shape (n_alphas,)
        The values of λ, largest first.
    errors, standard_errors : ndarray of shape (n_alphas,)
        The mean squared error, averaged over the folds, and the standard error of this average.
    best : int
        The index of the smallest error.
    one_se : int
        The index of the largest λ whose error is at most one standard error above the smallest.
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
        Whether the knots are computed.

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
        alphas = default_alphas(problem, l1_ratio)
    values = np.sort(np.asarray(alphas, float).ravel())[::-1]
    pieces = None
    if l1_ratio == 1 and len(values):
        pieces = lasso_pieces(problem, float(values[-1]))
    if pieces is not None:
        ends, places, lasso_knots = pieces
        coefs = np.column_stack(
            [np.interp(values, ends[::-1], column[::-1]) for column in places.T]
        )
        return Path(values, coefs, problem.scale, tuple(lasso_knots) if knots else ())
    path_knots: list[Knot] = []
    b = np.zeros(len(problem.moments))
    coefs = np.empty((len(values), len(b)))
    for i, alpha in enumerate(values):
        high = (values[i - 1] if i else 2 * alpha, b)
        b = minimum(at(problem, alpha, l1_ratio), b)
        coefs[i] = b
        if knots and l1_ratio > 0:
            path_knots += _knots_between(problem, l1_ratio, high, (alpha, b))
    return Path(values, coefs, problem.scale, tuple(path_knots))


def at(problem: Penalised, alpha: float, l1_ratio: float) -> Penalised:
    """Return the same problem with another λ."""
    return replace(problem, l1=alpha * l1_ratio / 2, l2=alpha * (1 - l1_ratio))


def default_alphas(problem: Penalised, l1_ratio: float) -> Floats:
    """Return evenly spaced logarithms of λ, from where all coefficients are 0; largest first."""
    alphas: Floats = max_alpha(problem, l1_ratio) * np.geomspace(1, MIN_RATIO, N_ALPHAS)
    return alphas


def max_alpha(problem: Penalised, l1_ratio: float) -> float:
    """Return the smallest λ at which all coefficients are 0; for ridge, nearly 0."""
    if l1_ratio > 0:
        top = 2 * float(np.abs(problem.moments).max()) / l1_ratio
    else:
        top = 100 * float(np.diag(problem.gram).max())
    return top or 1.0


def _knots_between(
    problem: Penalised, l1_ratio: float, high: tuple[float, Floats], low: tuple[float, Floats]
) -> Iterator[Knot]:
    """Yield the knots between two values of λ, by bisection while the signs at the ends differ."""
    look()
    differ = np.flatnonzero(np.sign(high[1]) != np.sign(low[1]))
    if not len(differ) or low[0] <= 0:
        return
    if high[0] - low[0] <= KNOT_TOLERANCE * high[0]:
        yield from ((float(high[0]), int(j), bool(low[1][j])) for j in differ)
        return
    j = int(differ[0])
    crossing = _crossing(problem, l1_ratio, high, low, j) if len(differ) == 1 else None
    if crossing is not None:
        yield crossing, j, bool(low[1][j])
        return
    alpha = (high[0] * low[0]) ** 0.5
    middle = (alpha, minimum(at(problem, alpha, l1_ratio), high[1]))
    yield from _knots_between(problem, l1_ratio, high, middle)
    yield from _knots_between(problem, l1_ratio, middle, low)


def _crossing(
    problem: Penalised,
    l1_ratio: float,
    high: tuple[float, Floats],
    low: tuple[float, Floats],
    j: int,
) -> float | None:
    """Return the λ at which the only coefficient that changes its sign enters or leaves.

    Until then the signs are those of the higher λ, so that the coefficients solve linear equations:
    it enters where its product with the residuals is λρ / 2, and leaves where its own solution is
    0. None if no such λ is found.
    """
    signs = np.sign(high[1])
    enters = high[1][j] == 0
    if not enters and low[1][j] != 0:
        return None
    active = np.flatnonzero(signs)
    gram = problem.gram[np.ix_(active, active)]
    diagonal = np.eye(len(active))
    new_sign = np.sign(low[1][j])

    def distance(alpha: float) -> float:
        """Return how far the product with the residuals, or the coefficient, is from its end."""
        price = alpha * l1_ratio / 2
        ridge = alpha * (1 - l1_ratio)
        b = np.linalg.solve(
            gram + ridge * diagonal, problem.moments[active] - price * signs[active]
        )
        if not enters:
            return float(b[active == j][0])
        return float(new_sign * (problem.moments[j] - problem.gram[j, active] @ b) - price)

    try:
        return float(brentq(distance, low[0], high[0], rtol=KNOT_TOLERANCE))
    except ValueError:  # no change of sign
        return None
    except np.linalg.LinAlgError:  # columns that depend on each other
        return None


def lasso_pieces(problem: Penalised, min_alpha: float) -> tuple[Floats, Floats, list[Knot]] | None:
    """Return where the path of a lasso bends, its coefficients there, and its knots.

    The columns whose products with the residuals are the largest are active; as λ falls these
    products fall with it, until another column's is as large, or a coefficient is back at 0 (Efron,
    Hastie, Johnstone and Tibshirani, 2004). Between two of these places all coefficients are linear
    in λ. None where equal columns enter and leave without end.
    """
    gram = problem.gram
    c = problem.moments.copy()
    b = np.zeros(len(c))
    outside = np.diag(gram) > 0
    price = float(np.abs(c[outside]).max(initial=0.0))  # λ / 2
    end = min_alpha / 2
    ends, places = [2 * price], [b.copy()]
    knots: list[Knot] = []
    active = np.empty(0, np.intp)
    if price > end:
        first = int(np.where(outside, np.abs(c), -1.0).argmax())
        active = _joined(first, active, outside, gram)
        knots.append((2 * price, first, True))
    while len(active) and price > end:
        look()
        if len(ends) > 8 * (len(c) + 1):
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
            b[j] = 0.0
            outside[j] = True
            active = active[active != j]
            knots.append((2 * price, j, False))
        elif join <= till:
            j = int(joins.argmin())
            active = _joined(j, active, outside, gram)
            if j in active:
                knots.append((2 * price, j, True))
        ends.append(2 * price)
        places.append(b.copy())
    return np.array(ends), np.array(places), knots


def _events(
    price: float, c: Floats, falls: Floats, outside: NDArray[np.bool_], b: Floats, speed: Floats
) -> tuple[Floats, Floats]:
    """Return how far the price must fall until each column joins or leaves."""
    joins = np.full(len(c), np.inf)
    for sign in (1.0, -1.0):
        rate = 1 - sign * falls
        may = outside & (rate > KNOT_TOLERANCE)
        distance = np.maximum((price - sign * c[may]) / rate[may], 0.0)
        joins[may] = np.minimum(joins[may], distance)
    leaves = np.full(len(b), np.inf)
    back = b * speed < 0
    leaves[back] = -b[back] / speed[back]
    return joins, leaves


def _joined(
    j: int, active: NDArray[np.intp], outside: NDArray[np.bool_], gram: Floats
) -> NDArray[np.intp]:
    """Return the active columns with a new one, unless it depends on them: then it stays out."""
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
    """Return cross-validated errors for each λ; columns are standardised anew in each fold.

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
    >>> errors = cross_validated_path(X, 3 * X[:, 0] + [0, 1] * 6, cv=4)
    >>> bool(errors.alphas[errors.one_se] >= errors.alphas[errors.best])
    True
    """
    Z, target = np.asarray(X, float), np.asarray(y, float)
    n = len(Z)
    if n < 3 or cv < 2:
        raise ValueError(
            "Cross-validation needs at least three rows and two folds. Add rows or folds."
        )
    if alphas is None:
        data = LeastSquares.of(Z, target, fit_intercept)
        alphas = default_alphas(Penalised.of(data, 0.0, l1_ratio, standardize), l1_ratio)
    values = np.sort(np.asarray(alphas, float))[::-1]
    folds = np.random.default_rng(random_state).permutation(n) % min(cv, n)
    task = partial(_fold_errors, Z, target, folds, values, (l1_ratio, standardize, fit_intercept))
    squares = list(engine.map(task, range(min(cv, n)), progress=progress))
    errors = np.mean(squares, axis=0)
    spread = np.std(squares, axis=0, ddof=1) / len(squares) ** 0.5
    best = int(errors.argmin())
    one_se = int((errors <= errors[best] + spread[best]).argmax())
    return PathErrors(values, errors, spread, best, one_se)


def _fold_errors(
    X: Floats,
    y: Floats,
    folds: NDArray[np.intp],
    alphas: Floats,
    settings: tuple[float, bool, bool],
    fold: int,
) -> Floats:
    """Return the mean squared error of one fold's rows for each λ."""
    l1_ratio, standardize, fit_intercept = settings
    is_test = folds == fold
    data = LeastSquares.of(X[~is_test], y[~is_test], fit_intercept)
    problem = Penalised.of(data, 0.0, l1_ratio, standardize)
    coefs = np.array(
        [problem.original(b) for b in path_of(problem, l1_ratio, alphas, knots=False).coefs]
    )
    predicted = data.y_mean + (X[is_test] - data.means) @ coefs.T
    errors: Floats = ((y[is_test][:, None] - predicted) ** 2).mean(axis=0)
    return errors
