"""Linear regression by statsmodels."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem
from dmlib.regression.linear_regression.algorithm import LinearRegression


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


def linear_regression_reference(run: Run[Problem, LinearRegression]) -> Reference:
    """Return the same regression by statsmodels.

    Raises
    ------
    Incomparable
        If gradient descent has not converged, or the coefficients or their standard errors are not
        determined.
    """
    model = run.fitted
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
