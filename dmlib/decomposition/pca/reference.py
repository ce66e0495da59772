"""The same components by scikit-learn, and the code that finds them."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.comparison import Incomparable
from dmlib.decomposition.pca.algorithm import PCA
from dmlib.pictures.run import Run

EQUAL = 1e-9  # share of the largest variance up to which two count as equal


def pca_reference(run: Run) -> Any:
    """Return scikit-learn's PCA, fitted to ``X``; axes of equal variances are arbitrary."""
    model, X = run.model, run.problem.X
    from sklearn import decomposition

    variances = PCA().fit(X).explained_variance_
    kept = model.fit(X).n_components_
    around = np.append(variances, 0.0)[: kept + 1]
    if (-np.diff(around) <= EQUAL * variances[0]).any():
        raise Incomparable(
            "two neighbouring variances are equal or zero, so that any axis of their plane"
            " would do."
        )
    return decomposition.PCA(model.n_components, whiten=model.whiten, svd_solver="full").fit(X)


def pca_code(run: Run) -> str:
    """Return code that fits scikit-learn's PCA as ``reference`` to ``X``, after ``model``."""
    model = run.model
    whiten = ", whiten=True" if model.whiten else ""
    return f"""
# The same with scikit-learn, by the singular value decomposition
from sklearn import decomposition

reference = decomposition.PCA({model.n_components!r}{whiten}, svd_solver="full")
reference.fit(X)
"""
