"""Ranges of OPTICS that fit the data."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from dmlib.clustering.ranges import count_ranges, radius_range
from dmlib.params import Range


def optics_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the ranges of radius and cut by the k-distances, and that of the neighbours.

    Examples
    --------
    >>> from dmlib.clustering import OPTICS
    >>> optics_ranges(OPTICS(), [[0.0], [1.0], [3.0], [4.0]])
    {'min_samples': (2, 4), 'max_eps': (3.0, 12.0), 'eps': (3.0, 12.0)}
    """
    radius = radius_range(X, "euclidean" if model.metric == "minkowski" else model.metric)
    return count_ranges(model, X) | {"max_eps": radius, "eps": radius}
