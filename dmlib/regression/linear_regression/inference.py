"""Inference from least squares: tests of coefficients and model, and the influence of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import fdtrc, stdtr, stdtrit

from dmlib.arrays import Floats
from dmlib.regression.design import LeastSquares

FIXED = 1e-8  # relative change of the intercept along undetermined coefficients that is rounding


@dataclass(frozen=True)
class Inference:
    """Tests and limits under independent normal errors of one variance.

    The intercept, if there is one, comes first; what the data do not determine is NaN. Terms that
    are held at 0 are left out of the model, as in R: its other coefficients have their errors.

    Attributes
    ----------
    spread : ndarray of shape (n_terms, n_terms)
        (C'C)⁻¹ of the terms around their means: times the square of ``sigma``, the covariance of
        the coefficients.
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
    """Return tests and limits of least squares; None without a residual degree of freedom.

    Examples
    --------
    >>> data = LeastSquares.of(np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 2.0, 1.0]), True)
    >>> inference = infer(data, np.array([0.5]), 0.5, np.array([True]), 0.95)
    >>> inference.standard_errors.round(4).tolist(), round(inference.f, 4)
    ([1.118, 0.866], 0.3333)
    """
    spread, is_determined, rank, fixes_intercept = _spread(data, free)
    constant = int(data.fit_intercept)
    df = len(data.y) - rank - constant
    if df < 1 or not rank + constant:
        return None
    residuals = data.residuals(coef, intercept)
    sse = float(residuals @ residuals)
    variance = sse / df
    covariance = variance * _with_intercept(spread, data)
    unknown = np.concatenate([np.full(constant, not fixes_intercept), ~is_determined])
    covariance[unknown] = covariance[:, unknown] = np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.sqrt(np.diag(covariance))
        values = np.concatenate([[intercept] * constant, coef])
        t = values / errors
        f = float(np.divide((data.total - sse) / rank, variance)) if rank else np.nan
        margin = errors * stdtrit(df, 0.5 + confidence / 2)
    vif = np.where(is_determined, np.diag(spread) * (data.C**2).sum(axis=0), np.nan)
    limits = np.column_stack([values - margin, values + margin])
    return Inference(
        spread=spread,
        covariance=covariance,
        standard_errors=errors,
        t=t,
        p=2 * stdtr(df, -np.abs(t)),
        limits=limits,
        vif=vif,
        sigma=variance**0.5,
        df_model=rank,
        df_resid=df,
        f=f,
        f_p=float(fdtrc(rank, df, max(f, 0.0))),
    )


def _spread(
    data: LeastSquares, free: NDArray[np.bool_]
) -> tuple[Floats, NDArray[np.bool_], int, bool]:
    """Return (C'C)⁻¹ of the free columns, the determined coefficients, rank and intercept.

    The intercept is determined if no change of coefficients that leaves the predictions as they are
    moves it.
    """
    C = data.C
    p = C.shape[1]
    used = np.flatnonzero(free)
    sizes = np.linalg.norm(C[:, used], axis=0)
    sizes = np.where(sizes > 0, sizes, 1)
    _, singular, axes = np.linalg.svd(C[:, used] / sizes, full_matrices=False)
    is_large = singular > max(C.shape) * np.finfo(float).eps * singular.max(initial=0)
    axes = axes[is_large]
    roots = (axes / singular[is_large, None]) / sizes
    spread = np.zeros((p, p))
    spread[np.ix_(used, used)] = roots.T @ roots
    is_determined = np.zeros(p, bool)
    is_determined[used] = 1 - (axes**2).sum(axis=0) < 1e-8
    means = data.means[used] / sizes
    change = np.linalg.norm(means - axes.T @ (axes @ means))
    fixes_intercept = bool(change <= FIXED * np.linalg.norm(means))
    return spread, is_determined, int(is_large.sum()), fixes_intercept


def _with_intercept(spread: Floats, data: LeastSquares) -> Floats:
    """Return the same with the intercept first."""
    if not data.fit_intercept:
        return spread.copy()
    cross = -spread @ data.means
    corner = 1 / data.total_weight - data.means @ cross
    return np.block([[np.array([[corner]]), cross[None]], [cross[:, None], spread]])


@dataclass(frozen=True)
class Influence:
    """The influence of each row on the fit.

    Attributes
    ----------
    fitted, residuals : ndarray of shape (n_samples,)
        Predicted numbers, and observed minus predicted, times the root of the row's weight.
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
    inference = model.inference_
    if inference is None:
        raise ValueError(model.no_inference_)
    fitted = model.predict(X)
    residuals = (np.asarray(y, float) - fitted) * np.sqrt(model.row_weights(X))
    leverage = np.minimum(model.leverage(X), 1.0)
    free = np.where(leverage < 1 - 1e-9, 1 - leverage, np.nan)
    n_coefficients = inference.df_model + int(model.fit_intercept)
    df = inference.df_resid
    with np.errstate(divide="ignore", invalid="ignore"):
        standardised = residuals / (inference.sigma * np.sqrt(free))
        # The variance without the row, by that with it
        ratio = (df - standardised**2) / (df - 1) if df > 1 else np.nan * standardised
        studentised = standardised / np.sqrt(np.where(ratio > 0, ratio, np.nan))
        cooks_distance = standardised**2 * leverage / (free * n_coefficients)
    return Influence(fitted, residuals, leverage, standardised, studentised, cooks_distance)
