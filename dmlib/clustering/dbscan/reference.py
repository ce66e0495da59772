"""DBSCAN by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.kernels import Kernel
from dmlib.clustering.dbscan.algorithm import DBSCAN
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def fit_dbscan(
    X: Floats, order: NDArray[np.intp], eps: float, min_samples: int, metric: str
) -> Any:
    """Fit scikit-learn's DBSCAN to rows in the order in which ours visits them."""
    from sklearn.cluster import DBSCAN

    # Trees compare differences of coordinates; for few rows the library would multiply matrices,
    # which rounds more.
    reference = DBSCAN(eps=eps, min_samples=min_samples, metric=metric, algorithm="kd_tree")
    return in_our_order(reference.fit(X[order]), X, order)


def fit_dbscan_of_kernel(
    X: Floats, order: NDArray[np.intp], eps: float, min_samples: int, kernel: str, **params: float
) -> Any:
    """Fit scikit-learn's DBSCAN to the distances that its kernel makes."""
    from sklearn.cluster import DBSCAN
    from sklearn.metrics.pairwise import pairwise_kernels

    K = pairwise_kernels(X[order], metric=kernel, **params)
    squares = np.diag(K)[:, None] - 2 * K + np.diag(K)
    distances = np.sqrt(np.maximum(squares, 0))
    reference = DBSCAN(eps=eps, min_samples=min_samples, metric="precomputed").fit(distances)
    return in_our_order(reference, X, order)


def in_our_order(reference: Any, X: Floats, order: NDArray[np.intp]) -> Any:
    """Return the fit to rows in another order as one to the rows as they are."""
    reference.labels_[order] = reference.labels_.copy()
    reference.core_sample_indices_ = np.sort(order[reference.core_sample_indices_])
    reference.components_ = X[reference.core_sample_indices_]
    reference.n_clusters_ = reference.labels_.max() + 1
    reference.n_noise_ = (reference.labels_ == -1).sum()
    return reference


def dbscan_reference(run: Run[Problem, DBSCAN]) -> Reference:
    """Return the same run by scikit-learn."""
    model = run.model
    kernel = model.distance(run.problem.X)
    if isinstance(kernel, Kernel):
        params: dict[str, float] = {"gamma": kernel.gamma}
        if kernel.name == "poly":
            params |= {"degree": kernel.degree, "coef0": kernel.coef0}
        return Reference(
            fit_dbscan_of_kernel,
            "X",
            "model.order_",
            helpers=(in_our_order,),
            eps=model.eps,
            min_samples=model.min_samples,
            kernel=kernel.name,
            **params,
        )
    return Reference(
        fit_dbscan,
        "X",
        "model.order_",
        helpers=(in_our_order,),
        eps=model.eps,
        min_samples=model.min_samples,
        metric=model.metric,
    )
