"""Ranges of frequent item sets that fit the lines."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

from dmlib.params import Range, rounded

MIN_SUPPORT = 0.4  # of the lines: below it, pairs of the words of texts are too many
MAX_POSITIONS = 200  # of the slider; with more, it is continuous


def support_ranges(model: Any, X: Collection[str], y: Any = None) -> dict[str, Range]:
    """Return the supports that item sets can have.

    Examples
    --------
    >>> support_ranges(None, ["tea", "milk", "tea milk", "tea"])
    {'min_support': (0.5, 0.75, 1.0)}
    """
    n = len(X)
    shares = tuple(rounded(k / n, 4, math.floor) for k in range(math.ceil(MIN_SUPPORT * n), n + 1))
    return {"min_support": shares if 1 < len(shares) <= MAX_POSITIONS else (MIN_SUPPORT, 1.0)}
