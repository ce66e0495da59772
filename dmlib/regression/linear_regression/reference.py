"""Linear regression by statsmodels, absolute deviations by SciPy, mean squares by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.regression.linear_regression.absolute_deviations import LeastAbsoluteDeviations
from dmlib.regression.linear_regression.least_mean_squares import LeastMeanSquares

MAX_PROGRAM = 1000  # rows of a linear program


def fit_ols(model: Any, X: Any, y: Any) -> Answers:
    """Fit statsmodels' least squares to the terms of a model, with the weights of the rows."""
    import statsmodels.api as sm

    from dmlib.comparison import Answers

    terms = model.design(X)
    if model.fit_intercept:
        terms = sm.add_constant(terms, has_constant="add")
    result = sm.WLS(y, terms, weights=model.row_weights(X)).fit()
    constant = int(model.fit_intercept)
    values = {
        "coef_": result.params[constant:],
        "intercept_": result.params[0] if constant else 0.0,
        "standard_errors_": result.bse,
        "t_values_": result.tvalues,
        "p_values_": result.pvalues,
        "r2_": result.rsquared,
        "rmse_": np.sqrt((result.wresid**2).sum() / result.nobs),
        "f_": result.fvalue,
        "f_p_": result.f_pvalue,
    }
    return Answers("statsmodels.api.WLS", values)


def solve_linear_program(model: Any, X: Any, y: Any) -> Answers:
    """Minimise the sum of absolute residuals as a linear program: y = A b + u - v, u and v >= 0."""
    from scipy.optimize import linprog

    from dmlib.comparison import Answers

    terms, weights = model.design(X), model.row_weights(X)
    n, constant = len(terms), int(model.fit_intercept)
    A = np.hstack([np.ones((n, constant)), terms])
    n_coefficients = A.shape[1]
    result = linprog(
        np.concatenate([np.zeros(n_coefficients), weights, weights]),
        A_eq=np.hstack([A, np.eye(n), -np.eye(n)]),
        b_eq=y,
        bounds=[(None, None)] * n_coefficients + [(0, None)] * (2 * n),
    )
    coef = result.x[:n_coefficients]
    squares = weights * (y - A @ coef) ** 2
    mean = np.average(y, weights=weights) if constant else 0.0
    values = {
        "coef_": coef[constant:],
        "intercept_": coef[0] if constant else 0.0,
        "sae_": result.fun,
        "rmse_": np.sqrt(squares.mean()),
        "r2_": 1 - squares.sum() / (weights @ (y - mean) ** 2),
    }
    return Answers("scipy.optimize.linprog", values)


def fit_sgd(model: Any, X: Any, y: Any) -> Answers:
    """Let scikit-learn descend row by row, in the order of the rows."""
    from sklearn.linear_model import SGDRegressor

    from dmlib.comparison import Answers

    terms, weights = model.design(X), model.row_weights(X)
    reference = SGDRegressor(
        penalty=None,
        learning_rate="constant",
        eta0=model.learning_rate,
        max_iter=model.max_iter,
        tol=None,
        shuffle=False,
        fit_intercept=model.fit_intercept,
    ).fit(terms, y, sample_weight=weights)
    squares = weights * (y - reference.predict(terms)) ** 2
    mean = np.average(y, weights=weights) if model.fit_intercept else 0.0
    values = {
        "coef_": reference.coef_,
        "intercept_": reference.intercept_[0],
        "rmse_": np.sqrt(squares.mean()),
        "r2_": 1 - squares.sum() / (weights @ (y - mean) ** 2),
    }
    return Answers("sklearn.linear_model.SGDRegressor", values)


def linear_regression_reference(run: Run[Problem, Any]) -> Reference:
    """Return the same regression by statsmodels, SciPy or scikit-learn.

    Raises
    ------
    Incomparable
        If gradient descent has not converged, the coefficients or their standard errors are not
        determined, the linear program is too large, or rows are shuffled.
    """
    model = run.fitted
    if isinstance(model, LeastAbsoluteDeviations):
        return _absolute_reference(run)
    if isinstance(model, LeastMeanSquares):
        return _mean_squares_reference(run)
    if not model.converged_:
        raise Incomparable(
            "gradient descent has not converged to least squares, which statsmodels computes"
            " directly."
        )
    X = model.design(run.problem.training.data)
    rank = int(np.linalg.matrix_rank(X - X.mean(axis=0) if model.fit_intercept else X))
    if rank < X.shape[1]:
        raise Incomparable(
            f"the {X.shape[1]} terms have rank {rank}, so that their coefficients are not"
            " determined."
        )
    if model.inference_ is None:
        raise Incomparable("no degree of freedom is left for standard errors.")
    return Reference(fit_ols, "model", "X", "y")


def _absolute_reference(run: Run[Problem, LeastAbsoluteDeviations]) -> Reference:
    n_rows = len(run.problem.training.rows)
    if n_rows > MAX_PROGRAM:
        raise Incomparable(
            f"a linear program of {n_rows} rows takes too long; at most {MAX_PROGRAM} are compared."
        )
    if not run.fitted.is_unique_:
        raise Incomparable("other coefficients have the same sum of absolute residuals.")
    return Reference(solve_linear_program, "model", "X", "y")


def _mean_squares_reference(run: Run[Problem, LeastMeanSquares]) -> Reference:
    if run.model.order != "index":
        raise Incomparable("scikit-learn shuffles the rows in another order.")
    if not run.fitted.converged_:
        raise Incomparable("the weights grow without bound.")
    return Reference(fit_sgd, "model", "X", "y")
