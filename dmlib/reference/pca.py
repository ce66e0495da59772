"""The same components by scikit-learn, and the code that finds them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.decomposition.pca import PCA

EQUAL = 1e-9  # share of the largest variance up to which two count as equal


def pca_reference(model: PCA, X: ArrayLike) -> Any:
    """Return scikit-learn's PCA, fitted to ``X``; None where variances are equal or zero, so that any axis would do."""
    from sklearn import decomposition

    variances = PCA().fit(X).explained_variance_
    kept = model.fit(X).n_components_
    around = np.append(variances, 0.0)[: kept + 1]
    if (-np.diff(around) <= EQUAL * variances[0]).any():
        return None
    return decomposition.PCA(model.n_components, whiten=model.whiten, svd_solver="full").fit(X)


def pca_code(model: PCA) -> str:
    """Return code that fits scikit-learn's PCA as ``reference`` to ``X``, after ``model``."""
    whiten = ", whiten=True" if model.whiten else ""
    return f"""
# The same with scikit-learn, by the singular value decomposition
from sklearn import decomposition

reference = decomposition.PCA({model.n_components!r}{whiten}, svd_solver="full")
reference.fit(X)
"""
