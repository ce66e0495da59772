"""What least squares say of each coefficient, of the whole model, and of each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import fdtrc, stdtr, stdtrit

from dmlib.arrays import Floats
from dmlib.regression.design import LeastSquares

FIXED = 1e-8
"""Share of the means that moves the intercept along undetermined coefficients, up to which it
counts as rounding."""


@dataclass(frozen=True)
class Inference:
    """Tests and limits under independent normal errors of one variance.

    The intercept, if there is one, comes first; what the data do not determine is NaN. Terms that
    are held at 0 are left out of the model, as in R: its other coefficients have their errors.

    Attributes
    ----------
    spread : ndarray of shape (n_terms, n_terms)
        (C'C)⁻¹ of the terms around their means: times ``sigma``², the covariance of the
        coefficients.
    covariance : ndarray of shape (n_coefficients, n_coefficients)
        The covariance of the coefficients with the intercept.
    standard_errors, t, p : ndarray of shape (n_coefficients,)
        The root of its diagonal; coefficient / standard error; the two-sided p-value of t.
    limits : ndarray of shape (n_coefficients, 2)
        Confidence limits.
    vif : ndarray of shape (n_terms,)
        Variance inflation factors, 1 / (1 - R²) of each term on the others.
    sigma : float
        The residual standard error, √(SSE / df_resid).
    df_model, df_resid : int
        Degrees of freedom.
    f, f_p : float
        The test of all terms together.
    """

    spread: Floats
    covariance: Floats
    standard_errors: Floats
    t: Floats
    p: Floats
    limits: Floats
    vif: Floats
    sigma: float
    df_model: int
    df_resid: int
    f: float
    f_p: float


def infer(
    data: LeastSquares, coef: Floats, intercept: float, free: NDArray[np.bool_], confidence: float
) -> Inference | None:
    """Return what follows from the coefficients of least squares; None if no degree of freedom is left.

    Examples
    --------
    >>> data = LeastSquares.of(np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 2.0, 1.0]), True)
    >>> found = infer(data, np.array([0.5]), 0.5, np.array([True]), 0.95)
    >>> found.standard_errors.round(4).tolist(), round(found.f, 4)
    ([1.118, 0.866], 0.3333)
    """
    spread, known, rank, fixes_intercept = _spread(data, free)
    n, constant = len(data.y), int(data.fit_intercept)
    df = n - rank - constant
    if df < 1 or not rank + constant:
        return None
    rest = data.residuals(coef, intercept)
    sse, total = float(rest @ rest), data.total
    variance = sse / df
    covariance = variance * _with_intercept(spread, data)
    unknown = np.concatenate([np.full(constant, not fixes_intercept), ~known])
    covariance[unknown] = covariance[:, unknown] = np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.sqrt(np.diag(covariance))
        values = np.concatenate([[intercept] * constant, coef])
        t = values / errors
        f = float(np.divide((total - sse) / rank, variance)) if rank else np.nan
        margin = errors * stdtrit(df, 0.5 + confidence / 2)
    vif = np.where(known, np.diag(spread) * (data.C**2).sum(axis=0), np.nan)
    limits = np.column_stack([values - margin, values + margin])
    p, f_p = 2 * stdtr(df, -np.abs(t)), float(fdtrc(rank, df, max(f, 0.0)))
    return Inference(spread, covariance, errors, t, p, limits, vif, variance**0.5, rank, df, f, f_p)


def _spread(
    data: LeastSquares, free: NDArray[np.bool_]
) -> tuple[Floats, NDArray[np.bool_], int, bool]:
    """Return (C'C)⁻¹ of the free columns, which coefficients are determined, the rank, and whether the intercept is.

    The intercept is determined if no change of coefficients that leaves the predictions as they are
    moves it.
    """
    C, p = data.C, data.C.shape[1]
    used = np.flatnonzero(free)
    sizes = np.linalg.norm(C[:, used], axis=0)
    _, singular, axes = np.linalg.svd(
        C[:, used] / np.where(sizes > 0, sizes, 1), full_matrices=False
    )
    clear = singular > max(C.shape) * np.finfo(float).eps * singular.max(initial=0)
    roots = (axes[clear] / singular[clear, None]) / np.where(sizes > 0, sizes, 1)
    spread, known = np.zeros((p, p)), np.zeros(p, bool)
    spread[np.ix_(used, used)] = roots.T @ roots
    known[used] = 1 - (axes[clear] ** 2).sum(axis=0) < 1e-8
    means = data.means[used] / np.where(sizes > 0, sizes, 1)
    moves = np.linalg.norm(means - axes[clear].T @ (axes[clear] @ means))
    fixes_intercept = bool(moves <= FIXED * np.linalg.norm(means))
    return spread, known, int(clear.sum()), fixes_intercept


def _with_intercept(spread: Floats, data: LeastSquares) -> Floats:
    """Return the same with the intercept first."""
    if not data.fit_intercept:
        return spread.copy()
    cross = -spread @ data.means
    corner = 1 / len(data.y) - data.means @ cross
    return np.block([[np.array([[corner]]), cross[None]], [cross[:, None], spread]])


@dataclass(frozen=True)
class Influence:
    """How much each row weighs.

    Attributes
    ----------
    fitted, residuals : ndarray of shape (n_samples,)
        Predicted numbers, and observed minus predicted.
    leverage : ndarray of shape (n_samples,)
        The diagonal of the hat matrix: by how much a row's prediction moves if its own number moves
        by 1.
    standardised : ndarray of shape (n_samples,)
        Residual / (sigma √(1 - leverage)).
    studentised : ndarray of shape (n_samples,)
        The same with the sigma of the other rows: t-distributed with df_resid - 1 degrees of
        freedom.
    cooks_distance : ndarray of shape (n_samples,)
        How far all predictions move if the row is left out.
    """

    fitted: Floats
    residuals: Floats
    leverage: Floats
    standardised: Floats
    studentised: Floats
    cooks_distance: Floats


def influence(model: Any, X: Any, y: ArrayLike) -> Influence:
    """Return the influence of the rows that a model is fitted to.

    Parameters
    ----------
    model : LinearRegression
        Fitted.
    X, y : array-like
        What it is fitted to.

    Returns
    -------
    Influence
        NaN where a row decides its own prediction alone.

    Raises
    ------
    ValueError
        If the model has no standard errors.

    Examples
    --------
    >>> from dmlib.regression import LinearRegression
    >>> X, y = [[0.0], [1.0], [2.0], [9.0]], [0.0, 1.0, 2.0, 3.0]
    >>> influence(LinearRegression().fit(X, y), X, y).leverage.round(3).tolist()
    [0.43, 0.33, 0.27, 0.97]
    """
    found = model.inference_
    if found is None:
        raise ValueError(model.no_inference_)
    fitted = model.predict(X)
    rest = np.asarray(y, float) - fitted
    leverage = np.minimum(model.leverage(X), 1.0)
    free = np.where(leverage < 1 - 1e-9, 1 - leverage, np.nan)
    n_coefficients = found.df_model + int(model.fit_intercept)
    with np.errstate(divide="ignore", invalid="ignore"):
        standard = rest / (found.sigma * np.sqrt(free))
        others = (
            (found.df_resid - standard**2) / (found.df_resid - 1)
            if found.df_resid > 1
            else np.nan * standard
        )
        deleted = standard / np.sqrt(np.where(others > 0, others, np.nan))
        cooks = standard**2 * leverage / (free * n_coefficients)
    return Influence(fitted, rest, leverage, standard, deleted, cooks)
