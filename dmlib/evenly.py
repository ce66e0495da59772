"""Some of many rows, evenly spaced: those that are drawn, or by which something is judged."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray


def evenly(n: int, maximum: int) -> NDArray[np.intp]:
    """Return the numbers of at most so many of ``n`` rows, the first and the last among them.

    Examples
    --------
    >>> evenly(3, 10).tolist(), evenly(9, 3).tolist(), evenly(0, 3).tolist()
    ([0, 1, 2], [0, 4, 8], [])
    """
    return np.linspace(0, n - 1, min(n, maximum)).astype(np.intp)


def positions(values: Iterable[float], maximum: int = 200) -> tuple[float, ...]:
    """Return the positions of a slider: the different values in order; of many, evenly spaced ones.

    Examples
    --------
    >>> positions([2, 1, 2]), positions(range(9), 3)
    ((1, 2), (0, 4, 8))
    """
    different = sorted(set(values))
    return tuple(different[i] for i in evenly(len(different), maximum))


def jitter(n: int, width: float, ratio: float = 0.61803398875) -> NDArray[np.float64]:
    """Return offsets that spread points evenly over a width around 0, the same each time.

    They are multiples of an irrational number, the golden ratio by default, modulo 1.

    Examples
    --------
    >>> jitter(3, 1.0).round(3).tolist()
    [0.118, -0.264, 0.354]
    """
    return np.asarray(width * (np.arange(1, n + 1) * ratio % 1 - 0.5), float)
