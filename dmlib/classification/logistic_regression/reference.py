"""Logistic regression by scikit-learn."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.classification.logistic_regression.algorithm import LogisticRegression
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def fit_logistic_regression(
    X: Floats, y: ArrayLike, C: float, fit_intercept: bool, grouped: bool, class_weight: Any
) -> Any:
    """Fit scikit-learn's logistic regression; the last column of grouped data counts the rows."""
    from sklearn.linear_model import LogisticRegression

    reference = LogisticRegression(
        C=C,
        fit_intercept=fit_intercept,
        class_weight=class_weight,
        solver="newton-cholesky",
        tol=1e-10,
        max_iter=10_000,
    )
    return reference.fit(X[:, :-1], y, X[:, -1]) if grouped else reference.fit(X, y)


def logistic_regression_reference(run: Run[Problem, LogisticRegression]) -> Reference:
    """Return the same optimum by scikit-learn.

    Raises
    ------
    dmlib.comparison.Incomparable
        If the run did not end at an optimum.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from dmlib.classification import LogisticRegression
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0], "c": ["no", "yes"]})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True)
    >>> logistic_regression_reference(Run.of(problem, LogisticRegression(C=np.inf)))
    Traceback (most recent call last):
    dmlib.comparison.Incomparable: the run did not converge, so that there is no optimum to compare.
    """
    model = run.model
    if model.solver != "newton":
        raise Incomparable(
            "gradient steps end near the optimum, not at it, and scikit-learn has no such solver."
        )
    if not run.fitted.converged_:
        raise Incomparable("the run did not converge, so that there is no optimum to compare.")
    return Reference(
        fit_logistic_regression,
        "X",
        "y",
        C=model.C,
        fit_intercept=model.fit_intercept,
        grouped=model.grouped,
        class_weight=model.class_weight,
    )
