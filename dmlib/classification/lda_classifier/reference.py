"""The same probabilities by scikit-learn, or by SciPy's normal densities, and the code that asks for them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run


def lda_reference(run: Run) -> Any:
    """Return scikit-learn's discriminant analysis, fitted to ``X, y``; what it does not have, by SciPy's densities."""
    model, (X, y) = run.model, run.problem.training.arguments
    from sklearn import discriminant_analysis

    if isinstance(model, LinearDiscriminantAnalysis | QuadraticDiscriminantAnalysis):
        reference = getattr(discriminant_analysis, type(model).__name__)(**model.get_params())
        try:
            return reference.fit(X, y)
        except np.linalg.LinAlgError:
            raise Incomparable(
                "scikit-learn takes a covariance matrix as singular whose units are small."
            ) from None
    classes, counts = np.unique(y, return_counts=True)
    if counts.min() < 2:
        raise Incomparable("SciPy and scikit-learn estimate no covariance matrix from one row.")
    groups = [np.asarray(X)[y == c] for c in classes]
    means = np.array([group.mean(axis=0) for group in groups])
    matrices = mixed(model, groups)
    answers = {
        "means_": means,
        "predict_proba": partial(posterior, means, matrices, counts / counts.sum()),
    }
    return Answers("scipy.stats.multivariate_normal", answers)


def mixed(model: Any, groups: list[Any]) -> list[Floats]:
    """Return the matrices that a regularised or diagonal discriminant uses, from the rows of each class."""
    auto = getattr(model, "gamma", None) == "auto"
    own = [
        _ledoit_wolf(group) if auto else np.atleast_2d(np.cov(group.T, bias=True))
        for group in groups
    ]
    sizes = [len(group) for group in groups]
    pooled = np.average(own, axis=0, weights=sizes)
    if hasattr(model, "pooled"):
        return [np.diag(np.diag(pooled if model.pooled else matrix)) for matrix in own]
    part = [
        (1 - model.pooling) * n / ((1 - model.pooling) * n + model.pooling * sum(sizes))
        for n in sizes
    ]
    shapes = [
        share * matrix + (1 - share) * pooled for share, matrix in zip(part, own, strict=True)
    ]
    share = 0.0 if auto else model.gamma
    return [(1 - share) * s + share * np.trace(s) / len(s) * np.eye(len(s)) for s in shapes]


def _ledoit_wolf(rows: Any) -> Floats:
    from sklearn.covariance import LedoitWolf

    unit = rows.std(axis=0)
    unit[unit == 0] = 1.0
    return np.asarray(LedoitWolf().fit(rows / unit).covariance_ * np.outer(unit, unit))


def posterior(means: Floats, matrices: list[Floats], priors: Floats, X: Any) -> Floats:
    """Return the posterior probabilities of rows under normal densities.

    Examples
    --------
    >>> posterior(np.array([[0.0], [2.0]]), [np.eye(1), np.eye(1)], np.array([0.5, 0.5]), [[1.0]]).tolist()
    [[0.5, 0.5]]
    """
    from scipy.special import softmax
    from scipy.stats import multivariate_normal

    X = np.asarray(X)
    densities = [
        multivariate_normal(m, s, allow_singular=True).logpdf(X)
        for m, s in zip(means, matrices, strict=True)
    ]
    found: Floats = softmax(
        np.column_stack([np.reshape(each, len(X)) for each in densities]) + np.log(priors), axis=1
    )
    return found


def lda_code(run: Run) -> str:
    """Return code that fits scikit-learn's discriminant analysis as ``reference`` to ``X, y``, after ``model``."""
    model = run.model
    if isinstance(model, LinearDiscriminantAnalysis | QuadraticDiscriminantAnalysis):
        name = type(model).__name__
        more = (
            f"reg_param={model.reg_param!r}"
            if isinstance(model, QuadraticDiscriminantAnalysis)
            else ""
        )
        return f"""
# The same with scikit-learn
from sklearn import discriminant_analysis

reference = discriminant_analysis.{name}({more})
reference.fit(X, y)
"""
    return """
# The same matrices in SciPy's normal densities
import numpy as np

from dmlib.classification.lda_classifier.reference import mixed, posterior

classes, counts = np.unique(y, return_counts=True)
groups = [X[y == c] for c in classes]
means = np.array([group.mean(axis=0) for group in groups])
probabilities = posterior(means, mixed(model, groups), counts / counts.sum(), X)
print("Largest difference:", np.abs(model.predict_proba(X) - probabilities).max())
"""
