"""The same question as DBSCAN put to scikit-learn, and the code that puts it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.pictures.run import Run


def dbscan_reference(run: Run) -> Any:
    """Return scikit-learn's DBSCAN, fitted to the rows of ``X`` in the order in which ``model`` visits them."""
    model = run.model
    from sklearn import cluster

    rows, order = run.problem.X, run.fitted.order_
    # Trees compare differences of coordinates; for few rows the library would multiply matrices, which rounds more.
    reference = cluster.DBSCAN(eps=model.eps, min_samples=model.min_samples, metric=model.metric, algorithm="kd_tree")
    reference.fit(rows[order])
    reference.labels_[order] = reference.labels_.copy()
    reference.core_sample_indices_ = np.sort(order[reference.core_sample_indices_])
    reference.components_ = rows[reference.core_sample_indices_]
    reference.n_clusters_ = reference.labels_.max() + 1
    reference.n_noise_ = (reference.labels_ == -1).sum()
    return reference


def dbscan_code(run: Run) -> str:
    """Return code that fits scikit-learn's DBSCAN as ``reference`` to ``X``, after ``model``."""
    model = run.model
    return f"""
# The same with scikit-learn, visiting the rows in the same order
from sklearn import cluster

eps, min_samples, metric = {model.eps!r}, {model.min_samples}, {model.metric!r}
reference = cluster.DBSCAN(eps=eps, min_samples=min_samples, metric=metric, algorithm="kd_tree")
reference.fit(X[model.order_])
reference.labels_[model.order_] = reference.labels_.copy()
reference.n_clusters_ = reference.labels_.max() + 1
reference.n_noise_ = (reference.labels_ == -1).sum()
"""
