"""Ranges of the parameters of detectors that fit the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from dmlib.params import Range, outward

MAX_ROWS = 500  # that are scored for a range


def detector_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the ranges of the threshold, of the neighbours and of the rows of a tree.

    Examples
    --------
    >>> from dmlib.anomaly_detection import KthNeighborDistance
    >>> detector_ranges(KthNeighborDistance(2), [[0.0], [1.0], [2.0], [3.0], [9.0]])
    {'threshold': (1.0, 7.0), 'n_neighbors': (1, 4)}
    """
    rows = np.asarray(X, float)
    ranges: dict[str, Range] = {}
    sample = rows[:: -(-len(rows) // MAX_ROWS)]
    scores = clone(model).fit(sample).scores_
    low, high = float(scores.min()), float(scores.max())
    ranges["threshold"] = outward(low, high) if low < high else ()
    for name in ("n_neighbors", "max_samples"):
        if name in model.PARAMS:
            low, high = model.PARAMS[name].shown
            n_usable = max(len(rows) - (name == "n_neighbors"), low)
            ranges[name] = (low, min(n_usable, high))
    return ranges
