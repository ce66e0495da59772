"""DBSCAN by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
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
    reference.fit(X[order])
    reference.labels_[order] = reference.labels_.copy()
    reference.core_sample_indices_ = np.sort(order[reference.core_sample_indices_])
    reference.components_ = X[reference.core_sample_indices_]
    reference.n_clusters_ = reference.labels_.max() + 1
    reference.n_noise_ = (reference.labels_ == -1).sum()
    return reference


def dbscan_reference(run: Run[Problem, DBSCAN]) -> Reference:
    """Return the same run by scikit-learn."""
    model = run.model
    return Reference(
        fit_dbscan,
        "X",
        "model.order_",
        eps=model.eps,
        min_samples=model.min_samples,
        metric=model.metric,
    )
