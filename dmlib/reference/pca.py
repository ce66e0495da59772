"""The same components by scikit-learn, and the code that finds them."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from dmlib.decomposition.pca import PCA


def pca_reference(model: PCA, X: ArrayLike) -> Any:
    """Return scikit-learn's PCA, fitted to ``X``."""
    from sklearn import decomposition

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
