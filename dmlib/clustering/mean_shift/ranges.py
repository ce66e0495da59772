"""Ranges of mean shift that fit the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.clustering.mean_shift.bandwidth import estimated_bandwidth
from dmlib.clustering.ranges import MAX_ROWS
from dmlib.params import Integer, Range, outward

NARROW = 0.05  # of the rows are within the smallest bandwidth, 1 within the largest


def mean_shift_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the range of the bandwidth, and that of the rows in a bin.

    Examples
    --------
    >>> from dmlib.clustering import MeanShift
    >>> mean_shift_ranges(MeanShift(bin_seeding=True), [[0.0], [1.0], [3.0], [4.0]])
    {'bandwidth': (0.5, 3.5), 'min_bin_freq': (1, 4)}
    """
    rows = np.asarray(X, float)
    ranges: dict[str, Range] = {"bandwidth": bandwidth_range(rows)}
    if not model.bin_seeding:
        return ranges | {"min_bin_freq": "The seeds are the rows: there are no bins."}
    spec = model.PARAMS["min_bin_freq"]
    high = spec.shown[1] if isinstance(spec, Integer) and spec.shown else 1
    return ranges | {"min_bin_freq": (1, max(1, min(high, len(rows))))}


def bandwidth_range(X: ArrayLike) -> Range:
    """Return the range of the bandwidth: from a few neighbours to all rows.

    Of a large table some rows are taken.

    Examples
    --------
    >>> bandwidth_range([[0.0], [1.0], [3.0], [4.0]])
    (0.5, 3.5)
    """
    rows = np.asarray(X, float)
    if len(rows) < 2 or not np.ptp(rows, axis=0).any():
        return ()
    rows = rows[:: -(-len(rows) // MAX_ROWS)]
    share = max(NARROW, 2 / len(rows))
    low, high = estimated_bandwidth(rows, share) / 2, estimated_bandwidth(rows, 1.0)
    return outward(max(low, high / 100), high)
