"""Ranges of agglomerative clustering that fit the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.clustering.ranges import count_ranges
from dmlib.params import Range, outward

MAX_ROWS = 2_000  # whose tree is made only for this


def hierarchical_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the range of the height of a cut by the merges, and that of the number of clusters.

    Examples
    --------
    >>> from dmlib.clustering import AgglomerativeClustering
    >>> hierarchical_ranges(AgglomerativeClustering(linkage="single"), [[0.0], [1.0], [5.0]])
    {'n_clusters': (1, 3), 'distance_threshold': (0.0, 4.2)}
    """
    rows = np.asarray(X, float)
    highest = float(model.fit(rows[:MAX_ROWS]).distances_.max())
    return count_ranges(model, rows) | {
        "distance_threshold": outward(0.0, 1.05 * highest) if highest > 0 else ()
    }
