"""Ranges of kernel k-means and fuzzy c-means that fit the data."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from dmlib.clustering.ranges import count_ranges, gamma_range
from dmlib.params import Range


def kernel_kmeans_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the range of gamma by the spread, and that of k.

    Examples
    --------
    >>> from dmlib.clustering import KernelKMeans
    >>> kernel_kmeans_ranges(KernelKMeans(), [[0.0], [0.0], [2.0], [2.0]])
    {'n_clusters': (1, 4), 'gamma': (0.01, 100.0)}
    """
    return count_ranges(model, X) | {"gamma": gamma_range(X)}
