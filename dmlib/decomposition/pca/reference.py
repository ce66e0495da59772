"""Principal components by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.comparison import Incomparable
from dmlib.decomposition.pca.algorithm import PCA
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem

EQUAL = 1e-9  # share of the largest variance up to which two count as equal


def fit_pca(X: Floats, n_components: int | float | None, whiten: bool) -> Any:
    """Fit scikit-learn's PCA by the singular value decomposition."""
    from sklearn import decomposition

    return decomposition.PCA(n_components, whiten=whiten, svd_solver="full").fit(X)


def pca_reference(run: Run[Problem, PCA]) -> Reference:
    """Return the same components by scikit-learn, where they are unique."""
    model = run.model
    variances = PCA().fit(run.problem.X).explained_variance_
    neighbors = np.append(variances, 0.0)[: run.fitted.n_components_ + 1]
    if (-np.diff(neighbors) <= EQUAL * variances[0]).any():
        raise Incomparable(
            "two neighbouring variances are equal or zero, so that any axis of their plane"
            " would do."
        )
    return Reference(fit_pca, "X", n_components=model.n_components, whiten=model.whiten)
