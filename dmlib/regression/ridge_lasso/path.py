"""The coefficients by λ, with the places where columns come in, and the choice of λ by cross-validation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.regression.linear_regression.design import LeastSquares
from dmlib.regression.ridge_lasso.penalty import Penalised, minimum
from dmlib.trace import look

Floats = NDArray[np.float64]
MANY, DEEP, FINE = 60, 1e-4, 1e-9  # values of λ, the smallest of them by the largest, how exact a knot is


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
        Where a coefficient leaves or reaches 0: λ, the term, and whether it comes in as λ falls. Empty for ridge.
    """

    alphas: Floats
    coefs: Floats
    scale: Floats
    knots: tuple[tuple[float, int, bool], ...]


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
        The values of λ; by default 60, evenly spread on a logarithmic scale, from where all coefficients are 0 (for
        ridge, nearly).
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


def path_of(problem: Penalised, l1_ratio: float, alphas: ArrayLike | None = None, knots: bool = True) -> Path:
    """Return the path of a problem, whatever its own λ is."""
    if alphas is None:
        alphas = largest(problem, l1_ratio) * np.geomspace(1, DEEP, MANY)
    values = np.sort(np.asarray(alphas, float).ravel())[::-1]
    found: list[tuple[float, int, bool]] = []
    b = np.zeros(len(problem.moments))
    coefs = np.empty((len(values), len(b)))
    for i, alpha in enumerate(values):
        before, b = b, minimum(at(problem, alpha, l1_ratio), b)
        coefs[i] = b
        if knots and l1_ratio > 0:
            found += _knots(problem, l1_ratio, (values[i - 1] if i else 2 * alpha, before), (alpha, b))
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


def _knots(
    problem: Penalised, l1_ratio: float, high: tuple[float, Floats], low: tuple[float, Floats]
) -> Iterator[tuple[float, int, bool]]:
    """Yield the knots between two values of λ: the interval is halved as long as the signs at its ends differ."""
    look()
    differ = np.flatnonzero(np.sign(high[1]) != np.sign(low[1]))
    if not len(differ) or low[0] <= 0:
        return
    if high[0] - low[0] <= FINE * high[0]:
        yield from ((float(high[0]), int(j), bool(low[1][j])) for j in differ)
        return
    alpha = (high[0] * low[0]) ** 0.5
    middle = (alpha, minimum(at(problem, alpha, l1_ratio), high[1]))
    yield from _knots(problem, l1_ratio, high, middle)
    yield from _knots(problem, l1_ratio, middle, low)


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
        raise ValueError("Cross-validation needs at least three rows and two folds. Add rows or folds.")
    whole = Penalised.of(LeastSquares.of(Z, target, fit_intercept), 0.0, l1_ratio, standardize)
    values = largest(whole, l1_ratio) * np.geomspace(1, DEEP, MANY) if alphas is None else np.asarray(alphas, float)
    values = np.sort(values)[::-1]
    folds = np.random.default_rng(random_state).permutation(n) % min(cv, n)
    squares = []
    for fold in range(min(cv, n)):
        out = folds == fold
        data = LeastSquares.of(Z[~out], target[~out], fit_intercept)
        problem = Penalised.of(data, 0.0, l1_ratio, standardize)
        coefs = np.array([problem.original(b) for b in path_of(problem, l1_ratio, values, knots=False).coefs])
        rest = target[out][:, None] - data.y_mean - (Z[out] - data.means) @ coefs.T
        squares.append((rest**2).mean(axis=0))
    errors = np.mean(squares, axis=0)
    spread = np.std(squares, axis=0, ddof=1) / len(squares) ** 0.5
    best = int(errors.argmin())
    return PathErrors(values, errors, spread, best, int((errors <= errors[best] + spread[best]).argmax()))
