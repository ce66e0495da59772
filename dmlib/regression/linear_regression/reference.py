"""The same regression by statsmodels, and the code that fits it."""

from __future__ import annotations

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run


def linear_regression_reference(run: Run) -> Answers:
    """Return the results of statsmodels' OLS on the same terms.

    Raises
    ------
    Incomparable
        If gradient descent has not converged, or the coefficients or their standard errors are not
        determined.
    """
    import statsmodels.api as sm

    model, learned = run.fitted, run.problem.training
    if not model.converged_:
        raise Incomparable(
            "gradient descent has not converged to least squares, which statsmodels computes"
            " directly."
        )
    X, y = model.design(learned.data), np.asarray(learned.y, float)
    rank = int(np.linalg.matrix_rank(X - X.mean(axis=0) if model.fit_intercept else X))
    if rank < X.shape[1]:
        raise Incomparable(
            f"the {X.shape[1]} terms have rank {rank}, so that their coefficients are not"
            " determined."
        )
    if model.inference_ is None:
        raise Incomparable("no degree of freedom is left for standard errors.")
    constant = int(model.fit_intercept)
    result = sm.OLS(y, sm.add_constant(X, has_constant="add") if constant else X).fit()
    values = {
        "coef_": result.params[constant:],
        "intercept_": result.params[0] if constant else 0.0,
        "standard_errors_": result.bse,
        "t_values_": result.tvalues,
        "p_values_": result.pvalues,
        "r2_": result.rsquared,
        "rmse_": np.sqrt(result.ssr / result.nobs),
        "f_": result.fvalue,
        "f_p_": result.f_pvalue,
    }
    return Answers("statsmodels.api.OLS", values)


def linear_regression_code(run: Run) -> str:
    """Return code that fits statsmodels' OLS as ``reference`` to the terms of ``model``."""
    constant = run.model.fit_intercept
    terms = (
        'sm.add_constant(model.design(X), has_constant="add")' if constant else "model.design(X)"
    )
    params = "result.params[1:]" if constant else "result.params"
    return f"""
# The same with statsmodels
from statsmodels import api as sm

reference = sm.OLS(y, {terms})
result = reference.fit()
print(result.summary())
reference.coef_, reference.r2_ = {params}, result.rsquared
reference.rmse_ = (result.ssr / result.nobs) ** 0.5
"""
