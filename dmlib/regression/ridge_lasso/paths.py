"""Coefficients by the price, exact at the knots of the lasso, else on a grid; and the price by cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.model_selection import KFold

from dmlib import engine
from dmlib.regression.ridge_lasso.algorithm import Centred, ElasticNet
from dmlib.trace import look

Floats = NDArray[np.float64]

N_ALPHAS = 40
DECADES = 4.0  # of the prices on a grid
SINGULAR = 1e-10  # share of a column's square that the active ones leave unexplained, up to which it cannot join
CLOSE = 1e-9


@dataclass(frozen=True)
class Path:
    """Coefficients by the price.

    Attributes
    ----------
    alphas : ndarray of shape (n_alphas,)
        Prices, falling.
    coefs : ndarray of shape (n_alphas, n_features)
        The coefficients at each.
    knots : bool
        Whether the prices are those at which a coefficient comes or goes: between them all are straight lines.
    """

    alphas: Floats
    coefs: Floats
    knots: bool = False


def lasso_path(X: ArrayLike, y: ArrayLike) -> Path:
    """Return the knots of the lasso: each price at which a coefficient leaves 0 or comes back to it.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        The columns.
    y : array-like of shape (n_samples,)
        The target.

    Notes
    -----
    O(n p^2) for the sums and O(p^3) for each knot. Between knots, coefficients are linear in the price.

    References
    ----------
    B. Efron, T. Hastie, I. Johnstone and R. Tibshirani (2004), Least angle regression. Annals of Statistics 32.

    Examples
    --------
    >>> path = lasso_path([[-1.0, 1.0], [0.0, -2.0], [1.0, 1.0]], [-2.0, -1.0, 3.0])
    >>> path.alphas.round(6).tolist(), path.coefs[-1].round(6).tolist()
    ([10.0, 6.0, 0.0], [2.5, 0.5])
    """
    return path_of(Centred.of(np.asarray(X, float), np.asarray(y, float)))


def path_of(data: Centred) -> Path:
    """Return the knots of the lasso, from the sums around the means."""
    p = len(data.products)
    coef, c = np.zeros(p), 2 * data.products
    outside = np.diag(data.gram) > 0
    alpha = float(np.abs(c[outside]).max(initial=0.0))
    alphas, coefs = [alpha], [coef.copy()]
    active = np.empty(0, np.intp)
    if alpha > 0:
        active = _joined(int(np.where(outside, np.abs(c), -1.0).argmax()), active, outside, data.gram)
    while alpha > 0 and len(active) and len(alphas) <= 8 * (p + 1):  # equal columns would come and go for ever
        look()
        speed = np.linalg.solve(2 * data.gram[np.ix_(active, active)], np.sign(c[active]))
        falls = np.asarray(2 * data.gram[:, active] @ speed)
        joins, leaves = _events(alpha, c, falls, outside, coef[active], np.asarray(speed))
        till = min(alpha, joins.min(initial=np.inf), leaves.min(initial=np.inf))
        coef[active] += till * speed
        alpha -= till
        c = 2 * (data.products - data.gram @ coef)
        if leaves.min(initial=np.inf) <= till:
            gone = int(active[leaves.argmin()])
            coef[gone], outside[gone] = 0.0, True
            active = active[active != gone]
        elif joins.min(initial=np.inf) <= till:
            active = _joined(int(joins.argmin()), active, outside, data.gram)
        alphas.append(alpha)
        coefs.append(coef.copy())
    return Path(np.array(alphas), np.array(coefs), knots=True)


def _events(
    alpha: float, c: Floats, falls: Floats, outside: NDArray[np.bool_], coef: Floats, speed: Floats
) -> tuple[Floats, Floats]:
    """Return how far the price must fall until each column joins, and until each active one leaves."""
    joins = np.full(len(c), np.inf)
    for way in (1.0, -1.0):
        rate = 1 - way * falls
        may = outside & (rate > CLOSE)
        joins[may] = np.minimum(joins[may], np.maximum((alpha - way * c[may]) / rate[may], 0.0))
    leaves = np.full(len(coef), np.inf)
    back = coef * speed < 0
    leaves[back] = -coef[back] / speed[back]
    return joins, leaves


def _joined(j: int, active: NDArray[np.intp], outside: NDArray[np.bool_], gram: Floats) -> NDArray[np.intp]:
    """Return the active columns with one more; it is out for good if they already say all that it says."""
    outside[j] = False
    if len(active):
        inner = np.linalg.solve(gram[np.ix_(active, active)], gram[active, j])
        if gram[j, j] - gram[j, active] @ inner <= SINGULAR * gram[j, j]:
            return active
    return np.append(active, j)


def coefficient_path(model: ElasticNet, X: ArrayLike, y: ArrayLike) -> Path:
    """Return the coefficients of a model by its price: the knots of a lasso, else on 40 prices."""
    data = model.centred(X, y)
    if model.share == 1.0:
        return path_of(data)
    alphas = grid(model, data)
    return Path(alphas, at_prices(model, data, alphas))


def grid(model: ElasticNet, data: Centred) -> Floats:
    """Return prices, falling, from one that leaves hardly anything."""
    highest = 100 * float(np.diag(data.gram).max())
    if model.share > 0:
        highest = 2 * float(np.abs(data.products).max()) / model.share
    highest = highest or 1.0
    prices: Floats = np.geomspace(highest, highest / 10**DECADES, N_ALPHAS)
    return prices


def at_prices(model: ElasticNet, data: Centred, alphas: Floats) -> Floats:
    """Return the coefficients at falling prices, shape (n_alphas, n_features)."""
    if model.share == 1.0:
        path = path_of(data)
        order = np.argsort(path.alphas, kind="stable")
        ends = path.coefs[order]
        return np.column_stack([np.interp(alphas, path.alphas[order], column) for column in ends.T])
    if model.share == 0.0:
        values, vectors = np.linalg.eigh(data.gram)
        turned = vectors.T @ data.products
        kept = np.maximum(values, 0.0) + alphas[:, None]
        coefs: Floats = (turned / np.where(kept > 0, kept, 1.0)) @ vectors.T
        return coefs
    coef, found = np.zeros(len(data.products)), []
    squares = np.diag(data.gram)
    for alpha in alphas:
        look()
        half, whole = alpha * model.share / 2, squares + alpha * (1 - model.share)
        for _ in range(1000):
            before = coef.copy()
            for j in np.flatnonzero(squares):
                rho = data.products[j] - data.gram[j] @ coef + squares[j] * coef[j]
                coef[j] = np.sign(rho) * max(abs(rho) - half, 0.0) / whole[j]
            if np.abs(coef - before).max() <= 1e-8 * max(np.abs(coef).max(), 1e-300):
                break
        found.append(coef.copy())
    return np.array(found)


@dataclass(frozen=True)
class CrossValidation:
    """The mean squared error of each price on rows that were not learned from.

    Attributes
    ----------
    alphas : ndarray of shape (n_alphas,)
        Prices, falling.
    errors : ndarray of shape (n_folds, n_alphas)
        Mean squared errors, fold by fold.
    """

    alphas: Floats
    errors: Floats

    @property
    def mean(self) -> Floats:
        """The mean over the folds."""
        mean: Floats = self.errors.mean(axis=0)
        return mean

    @property
    def standard_error(self) -> Floats:
        """The standard error of that mean."""
        error: Floats = self.errors.std(axis=0, ddof=1) / np.sqrt(len(self.errors))
        return error

    @property
    def best(self) -> int:
        """The price with the least mean."""
        return int(self.mean.argmin())

    @property
    def within_one_error(self) -> int:
        """The highest price whose mean is within one standard error of the least."""
        limit = self.mean[self.best] + self.standard_error[self.best]
        return int(np.flatnonzero(self.mean <= limit)[0])


def cross_validate(
    model: ElasticNet,
    X: ArrayLike,
    y: ArrayLike,
    *,
    n_splits: int = 10,
    random_state: int = 0,
    progress: Callable[[Any], None] | None = None,
) -> CrossValidation:
    """Return the errors of 40 prices in k-fold cross-validation.

    Raises
    ------
    ValueError
        If there are fewer than four rows.
    """
    rows, target = np.asarray(X, float), np.asarray(y, float)
    if len(rows) < 4:
        raise ValueError("Cross-validation needs at least 4 rows here.")
    alphas = grid(model, model.centred(rows, target))
    folds = KFold(min(n_splits, len(rows) // 2), shuffle=True, random_state=random_state).split(rows)
    task = partial(_errors, clone(model), rows, target, alphas)
    return CrossValidation(alphas, np.array(list(engine.map(task, list(folds), progress=progress))))


def _errors(model: ElasticNet, X: Floats, y: Floats, alphas: Floats, fold: tuple[Any, Any]) -> Floats:
    """Return the errors of one fold: a task."""
    train, test = fold
    data = Centred.of(X[train], y[train])
    coefs = at_prices(model, data, alphas)
    predicted = data.y_mean + (X[test] - data.means) @ coefs.T
    errors: Floats = ((y[test][:, None] - predicted) ** 2).mean(axis=0)
    return errors
