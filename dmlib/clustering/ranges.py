"""Ranges that fit the data: how many clusters there can be, how far neighbours are apart."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.clustering.neighbors import k_distances
from dmlib.params import Integer, Range, outward

COUNTS = (
    "n_clusters",
    "min_clusters",
    "max_clusters",
    "n_components",
    "min_samples",
    "n_neighbors",
)
MAX_ROWS = 2_000  # whose neighbours are measured
NEIGHBORS = 5  # of them, the farthest counts
BEYOND = 3.0  # times the largest k-distance: from there on groups join


def count_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the ranges of parameters that count clusters or neighbours: at most the rows.

    Examples
    --------
    >>> from dmlib.clustering import KMeans
    >>> count_ranges(KMeans(), [[0.0], [1.0], [5.0]])
    {'n_clusters': (1, 3)}
    """
    n_rows = len(np.asarray(X))
    specs = {name: model.PARAMS[name] for name in COUNTS if name in model.PARAMS}
    slider_ranges = {
        name: spec.shown for name, spec in specs.items() if isinstance(spec, Integer) and spec.shown
    }
    return {name: (low, max(low, min(high, n_rows))) for name, (low, high) in slider_ranges.items()}


def radius_range(X: ArrayLike, metric: Any = "euclidean") -> Range:
    """Return the range of a radius: from the smallest k-distance to where groups merge.

    The k-distances say from where on rows have neighbours at all; of a large table those of some
    rows are taken.

    Examples
    --------
    >>> radius_range([[0.0], [1.0], [3.0], [4.0]])
    (3.0, 12.0)
    """
    rows = np.asarray(X, float)
    if len(rows) < 2 or not np.ptp(rows, axis=0).any():
        return ()
    rows = rows[:: -(-len(rows) // MAX_ROWS)]
    distances = k_distances(rows, min(NEIGHBORS, len(rows) - 1), metric=metric)
    positive = distances[distances > 0]
    return outward(float(positive.min()), BEYOND * float(positive.max())) if positive.size else ()


def gamma_range(X: ArrayLike) -> Range:
    """Return the range of gamma: two decades on either side of 1 / (columns * variance).

    Examples
    --------
    >>> gamma_range([[0.0], [2.0]])
    (0.01, 100.0)
    """
    rows = np.asarray(X, float)
    spread = rows.shape[1] * float(rows.var())
    return outward(0.01 / spread, 100 / spread) if 1e-100 < spread < 1e100 else ()
