"""The same regression by scikit-learn, whose price is divided by the number of rows, and the code that fits it."""

from __future__ import annotations

from typing import Any

from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run


def _theirs(run: Run) -> tuple[str, dict[str, float]]:
    """Return scikit-learn's class and its arguments."""
    alpha, share, n = run.model.alpha, run.model.share, len(run.problem.training.X)
    exact = {"tol": 1e-12, "max_iter": 100_000}
    if share == 0.0:
        return "Ridge", {"alpha": alpha}
    if share == 1.0:
        return "Lasso", {"alpha": alpha / (2 * n), **exact}
    price = alpha * share / (2 * n) + alpha * (1 - share) / n
    return "ElasticNet", {"alpha": price, "l1_ratio": alpha * share / (2 * n) / price, **exact}


def ridge_lasso_reference(run: Run) -> Any:
    """Return scikit-learn's estimator, fitted with the price that means the same."""
    from sklearn import linear_model

    if not run.fitted.n_iter_ < run.model.max_iter:
        raise Incomparable("the descent was stopped before it had converged.")
    if run.model.alpha == 0:
        raise Incomparable("at α = 0 this is least squares, for which scikit-learn has another class.")
    name, arguments = _theirs(run)
    learned = run.problem.training
    return getattr(linear_model, name)(**arguments).fit(learned.X, learned.y)


def ridge_lasso_code(run: Run) -> str:
    """Return code that fits scikit-learn's estimator as ``reference`` to ``X`` and ``y``."""
    name, arguments = _theirs(run)
    n = len(run.problem.training.X)
    given = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
    return f"""
# The same with scikit-learn, which divides the sum of squares by 2n = {2 * n}
from sklearn import linear_model

reference = linear_model.{name}({given})
reference.fit(X, y)
reference.r2_ = reference.score(X, y)
reference.n_nonzero_ = int((reference.coef_ != 0).sum())
reference.sse_ = ((y - reference.predict(X)) ** 2).sum()
"""
