"""The same question as logistic regression put to scikit-learn, and the code that puts it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run

TOL, MAX_ITER = 1e-10, 10_000


def logistic_regression_reference(run: Run) -> Any:
    """Return scikit-learn's answer, fitted to ``X, y``; None where the run of ``model`` did not end at the top.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import LogisticRegression
    >>> from dmlib.problem import prepare
    >>> problem = prepare(pd.DataFrame({"x": [0.0, 1.0], "c": ["no", "yes"]}), ["x"], target="c", labelled=True)
    >>> logistic_regression_reference(Run.of(problem, LogisticRegression(C=np.inf)))
    Traceback (most recent call last):
    dmlib.comparison.Incomparable: the run did not converge, so that there is no optimum to compare.
    """
    model, (X, y) = run.model, run.problem.training.arguments
    from sklearn.linear_model import LogisticRegression as Reference

    if model.solver != "newton":
        raise Incomparable(
            "gradient steps end near the optimum, not at it, and scikit-learn has no such solver."
        )
    if not run.fitted.converged_:
        raise Incomparable("the run did not converge, so that there is no optimum to compare.")
    rows = np.asarray(X, float)
    features, counts = (rows[:, :-1], rows[:, -1]) if model.grouped else (rows, None)
    reference = Reference(
        C=model.C,
        solver="newton-cholesky",
        tol=TOL,
        max_iter=MAX_ITER,
        fit_intercept=model.fit_intercept,
    )
    return reference.fit(features, y, counts)


def logistic_regression_code(run: Run) -> str:
    """Return code that fits scikit-learn's LogisticRegression as ``reference`` to ``X, y``."""
    model = run.model
    C = "float('inf')" if np.isinf(model.C) else repr(model.C)
    intercept = "" if model.fit_intercept else ", fit_intercept=False"
    fit = (
        "reference.fit(X[:, :-1], y, sample_weight=X[:, -1])"
        if model.grouped
        else "reference.fit(X, y)"
    )
    return f"""
# The same with scikit-learn
from sklearn import linear_model

reference = linear_model.LogisticRegression(C={C}, solver="newton-cholesky", tol=1e-10, max_iter=10_000{intercept})
{fit}
"""
