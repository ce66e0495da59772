"""The same question as logistic regression put to scikit-learn, and the code that puts it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.classification.logistic_regression import LogisticRegression

TOL, MAX_ITER = 1e-10, 10_000


def logistic_regression_reference(model: LogisticRegression, X: Any, y: Any) -> Any:
    """Return scikit-learn's answer, fitted to ``X, y``; None where the run of ``model`` did not end at the top.

    Examples
    --------
    >>> logistic_regression_reference(LogisticRegression(C=np.inf), [[0], [1]], [0, 1]) is None
    True
    """
    from sklearn.linear_model import LogisticRegression as Reference

    if model.solver != "newton" or not model.fit(X, y).converged_:
        return None
    rows = np.asarray(X, float)
    features, counts = (rows[:, :-1], rows[:, -1]) if model.grouped else (rows, None)
    reference = Reference(
        C=model.C, solver="newton-cholesky", tol=TOL, max_iter=MAX_ITER, fit_intercept=model.fit_intercept
    )
    return reference.fit(features, y, counts)


def logistic_regression_code(model: LogisticRegression) -> str:
    """Return code that fits scikit-learn's LogisticRegression as ``reference`` to ``X, y``."""
    C = "float('inf')" if np.isinf(model.C) else repr(model.C)
    intercept = "" if model.fit_intercept else ", fit_intercept=False"
    fit = "reference.fit(X[:, :-1], y, sample_weight=X[:, -1])" if model.grouped else "reference.fit(X, y)"
    return f"""
# The same with scikit-learn
from sklearn import linear_model

reference = linear_model.LogisticRegression(C={C}, solver="newton-cholesky", tol=1e-10, max_iter=10_000{intercept})
{fit}
"""
