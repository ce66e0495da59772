"""Ranges of k-medoids that fit the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.clustering.ranges import count_ranges
from dmlib.params import Range

NO_SAMPLE = "Only clara draws samples."


def kmedoids_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the range of k, and those of the samples, which only CLARA draws.

    Examples
    --------
    >>> from dmlib.clustering import KMedoids
    >>> kmedoids_ranges(KMedoids(2, method="clara"), [[0.0], [1.0], [5.0]])
    {'n_clusters': (1, 3), 'n_sampling': (2, 3)}
    >>> kmedoids_ranges(KMedoids(2), [[0.0], [1.0], [5.0]])["n_sampling"]
    'Only clara draws samples.'
    """
    sampled: dict[str, Range] = {"n_sampling": NO_SAMPLE, "n_sampling_iter": NO_SAMPLE}
    if model.method == "clara":
        n_rows, k = len(np.asarray(X)), model.n_clusters
        sampled = {"n_sampling": (min(k, n_rows), max(k, min(200, n_rows)))}
    return count_ranges(model, X) | sampled
