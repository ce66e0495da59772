"""The same model by scikit-learn, and the code that fits it."""

from __future__ import annotations

import numpy as np

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run


def ridge_lasso_reference(run: Run) -> Answers:
    """Return the results of scikit-learn on the same standardised terms, its λ converted.

    Raises
    ------
    Incomparable
        If terms are constant or depend on each other, or λ is 0.
    """
    from sklearn import linear_model

    model, learned = run.fitted, run.problem.training
    X, y = model.design(learned.data), np.asarray(learned.y, float)
    if (model.scale_ == 0).any() or not model.alpha:
        raise Incomparable(
            "a column is constant or λ is 0: scikit-learn's coordinate descent is not meant for"
            " that."
        )
    means = X.mean(axis=0) if model.fit_intercept else np.zeros(X.shape[1])
    Z = (X - means) / model.scale_
    if model.share == 1 and np.linalg.matrix_rank(Z) < Z.shape[1]:
        raise Incomparable(
            "columns depend on each other, so that the lasso does not determine its coefficients."
        )
    if model.share:
        alpha, ratio = model.sklearn_
        theirs = linear_model.ElasticNet(
            alpha=alpha,
            l1_ratio=ratio,
            fit_intercept=model.fit_intercept,
            tol=1e-13,
            max_iter=100_000,
        ).fit(Z, y)
    else:
        theirs = linear_model.Ridge(alpha=model.alpha, fit_intercept=model.fit_intercept).fit(Z, y)
    coef = theirs.coef_ / model.scale_
    rest = y - theirs.predict(Z)
    values = {
        "coef_": coef,
        "intercept_": float(theirs.intercept_) - float(means @ coef),
        "rmse_": float(np.sqrt(np.mean(rest**2))),
    }
    name = "ElasticNet" if model.share else "Ridge"
    return Answers(
        f"sklearn.linear_model.{name}", values, "Its λ is converted from the SSE to SSE / 2n."
    )


def ridge_lasso_code(run: Run) -> str:
    """Return code that fits scikit-learn's model as ``reference`` to the standardised terms of ``model``."""
    intercept = run.model.fit_intercept
    if run.model.share:
        name = "ElasticNet"
        made = (
            f"alpha=model.sklearn_[0], l1_ratio=model.sklearn_[1], fit_intercept={intercept},"
            " tol=1e-13, "
        )
        made += "max_iter=100_000"
    else:
        name, made = "Ridge", f"alpha=model.alpha, fit_intercept={intercept}"
    return f"""
# The same with scikit-learn, on standardised columns
from sklearn.linear_model import {name}

terms = model.design(X)
means = terms.mean(axis=0) * {int(intercept)}
Z = (terms - means) / model.scale_
reference = {name}({made}).fit(Z, y)
reference.rmse_ = ((y - reference.predict(Z)) ** 2).mean() ** 0.5
reference.coef_ = reference.coef_ / model.scale_
reference.intercept_ -= means @ reference.coef_
"""
