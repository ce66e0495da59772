"""Ranges of dynamic time warping that fit the series."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from dmlib.params import Range


def time_series_ranges(model: Any, X: ArrayLike, y: ArrayLike | None = None) -> dict[str, Range]:
    """Return the range from the first radius whose band has a path to the last that excludes cells.

    Examples
    --------
    >>> time_series_ranges(None, [0.0] * 30, [0.0] * 45)
    {'radius': (15, 44)}
    """
    if y is None:
        return {}
    n, m = len(X), len(y)  # type: ignore[arg-type]
    smallest = abs(n - m)
    return {"radius": (smallest, max(n - 1, m - 1, smallest + 1))}
