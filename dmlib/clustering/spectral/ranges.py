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
    >>> ranges = spectral_ranges(SpectralClustering(), [[0.0], [0.0], [2.0], [2.0]])
    >>> ranges["n_clusters"], ranges["n_neighbors"], ranges["gamma"], ranges["eps"]
    ((1, 4), (2, 4), (0.01, 100.0), (2.0, 6.0))
    """
    counts = count_ranges(model, X)
    counts["n_components"] = counts["n_clusters"]  # there is an eigenvector for each row at most
    return counts | {"gamma": gamma_range(X), "eps": radius_range(X)}
