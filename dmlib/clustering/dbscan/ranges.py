"""Ranges of DBSCAN that fit the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.clustering.ranges import count_ranges, gamma_range, radius_range
from dmlib.params import Range

FARTHEST = 1.42  # of two rows by a kernel that decays: √2, rounded up


def dbscan_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the ranges of eps by the k-distances, of gamma by the spread, and of the neighbours.

    Examples
    --------
    >>> from dmlib.clustering import DBSCAN
    >>> dbscan_ranges(DBSCAN(), [[0.0], [1.0], [3.0], [4.0]])
    {'min_samples': (1, 4), 'eps': (3.0, 12.0), 'gamma': (0.004, 40.0)}
    >>> dbscan_ranges(DBSCAN(metric="rbf"), [[0.0], [1.0], [3.0], [4.0]])["eps"]
    (0.01, 1.42)
    """
    eps: Range = (0.01, FARTHEST)
    if model.metric not in ("rbf", "laplacian"):
        eps = radius_range(X, model.distance(np.asarray(X, float)))
    return count_ranges(model, X) | {"eps": eps, "gamma": gamma_range(X)}
