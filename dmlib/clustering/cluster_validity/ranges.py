"""Ranges of the parameters of a judged clustering that fit the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.clustering.cluster_validity.clusterings import counts_clusters, name_of
from dmlib.clustering.ranges import count_ranges
from dmlib.params import Range


def validity_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the range of k, or why the clustering has none, and that of the probes.

    Examples
    --------
    >>> from dmlib.clustering import ClusterValidity
    >>> ranges = validity_ranges(ClusterValidity("dbscan"), [[0.0], [1.0], [5.0]])
    >>> ranges["n_clusters"], ranges["n_neighbors"], ranges["n_probes"]
    ('DBSCAN finds the number of clusters itself.', (1, 2), (1, 3))
    """
    n_rows = len(np.asarray(X))
    ranges = count_ranges(model, X) | {"n_neighbors": (1, max(1, min(30, n_rows - 1)))}
    if not counts_clusters(model.clustering):
        ranges["n_clusters"] = f"{name_of(model.clustering)} finds the number of clusters itself."
    return ranges | {"n_probes": (1, max(1, min(100, n_rows)))}
