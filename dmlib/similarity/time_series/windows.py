"""Windows: the cells that a warping path may use."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.similarity.recurrence import Band

TINY = 1e-9  # rounding of the bounds


def sakoe_chiba(shape: tuple[int, int], radius: int) -> Band:
    """Return the Sakoe-Chiba band: the cells whose row and column differ by at most the radius.

    Examples
    --------
    >>> sakoe_chiba((3, 3), 1).mask((3, 3)).sum(axis=1).tolist()
    [2, 3, 2]
    """
    d = np.arange(shape[0] + shape[1] - 1)
    return Band(-(-(d - radius) // 2), (d + radius) // 2 + 1)


def itakura(shape: tuple[int, int], slope: float) -> Band:
    """Return the parallelogram of Itakura.

    Seen from both ends, a path may be at most ``slope`` times as steep as the diagonal of the
    table, and at least 1 / ``slope`` times.

    Examples
    --------
    >>> itakura((5, 5), 2.0).mask((5, 5)).sum(axis=1).tolist()
    [1, 2, 3, 2, 1]
    """
    down, across = shape[0] - 1, shape[1] - 1
    d = np.arange(down + across + 1.0)

    def bounds(diagonal: Floats) -> tuple[Floats, Floats]:
        flat = down / max(down + slope * across, 1.0)
        steep = slope * down / max(slope * down + across, 1.0)
        return diagonal * flat, diagonal * steep

    low, high = bounds(d)
    low_from_end, high_from_end = bounds(d[::-1])
    first = np.maximum(low, down - high_from_end)
    last = np.minimum(high, down - low_from_end)
    return Band(np.ceil(first - TINY).astype(np.intp), np.floor(last + TINY).astype(np.intp) + 1)
