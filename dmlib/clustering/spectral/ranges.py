"""Ranges of spectral clustering that fit the data."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from dmlib.clustering.ranges import count_ranges, gamma_range, radius_range
from dmlib.params import Range


def spectral_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the ranges of gamma by the variance, of eps by the k-distances, and of the counts.

    Examples
    --------
    >>> from dmlib.clustering import SpectralClustering
    >>> spectral_ranges(SpectralClustering(), [[0.0], [0.0], [2.0], [2.0]])
    {'n_clusters': (1, 4), 'n_neighbors': (2, 4), 'gamma': (0.01, 100.0), 'eps': (2.0, 6.0)}
    """
    return count_ranges(model, X) | {"gamma": gamma_range(X), "eps": radius_range(X)}
