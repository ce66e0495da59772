"""Ranges of DBSCAN that fit the data."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from dmlib.clustering.ranges import count_ranges, radius_range
from dmlib.params import Range


def dbscan_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the range of eps by the k-distances, and that of the neighbours.

    Examples
    --------
    >>> from dmlib.clustering import DBSCAN
    >>> dbscan_ranges(DBSCAN(), [[0.0], [1.0], [3.0], [4.0]])
    {'min_samples': (1, 4), 'eps': (3.0, 12.0)}
    """
    return count_ranges(model, X) | {"eps": radius_range(X, model.metric)}
