"""Some of many rows, evenly spaced: those that are drawn, or by which something is judged."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def evenly(n: int, most: int) -> NDArray[np.intp]:
    """Return the numbers of at most so many of ``n`` rows, the first and the last among them.

    Examples
    --------
    >>> evenly(3, 10).tolist(), evenly(9, 3).tolist(), evenly(0, 3).tolist()
    ([0, 1, 2], [0, 4, 8], [])
    """
    return np.linspace(0, n - 1, min(n, most)).astype(np.intp)
