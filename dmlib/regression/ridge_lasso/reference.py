"""Ridge, lasso and elastic net by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def fit_penalised(model: Any, X: Any, y: Any) -> Answers:
    """Fit scikit-learn's model to standardised terms, with λ converted from SSE to SSE / 2n."""
    from sklearn.linear_model import ElasticNet, Ridge

    from dmlib.comparison import Answers

    alpha, l1_ratio = model.sklearn_
    settings = {"fit_intercept": model.fit_intercept, "tol": 1e-13, "max_iter": 100_000}
    if l1_ratio:
        regression = ElasticNet(alpha=alpha, l1_ratio=l1_ratio, **settings)
    else:
        regression = Ridge(alpha=model.alpha, **settings)
    terms = model.design(X)
    means = terms.mean(axis=0) if model.fit_intercept else np.zeros(terms.shape[1])
    Z = (terms - means) / model.scale_
    regression.fit(Z, y)
    coef = regression.coef_ / model.scale_
    values = {
        "coef_": coef,
        "intercept_": regression.intercept_ - means @ coef,
        "rmse_": np.sqrt(np.mean((y - regression.predict(Z)) ** 2)),
        "r2_": regression.score(Z, y),
    }
    return Answers(f"sklearn.linear_model.{type(regression).__name__}", values)


def ridge_lasso_reference(run: Run[Problem, Any]) -> Reference:
    """Return the same model by scikit-learn.

    Raises
    ------
    Incomparable
        If terms are constant or depend on each other, or λ is 0.
    """
    model = run.fitted
    if (model.scale_ == 0).any() or not model.alpha:
        raise Incomparable(
            "a column is constant or λ is 0: scikit-learn's coordinate descent is not meant for"
            " that."
        )
    terms = model.design(run.problem.training.data)
    centred = terms - terms.mean(axis=0) if model.fit_intercept else terms
    if model.share == 1 and np.linalg.matrix_rank(centred / model.scale_) < terms.shape[1]:
        raise Incomparable(
            "columns depend on each other, so that the lasso does not determine its coefficients."
        )
    return Reference(fit_penalised, "model", "X", "y")
