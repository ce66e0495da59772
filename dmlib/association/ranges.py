"""Ranges of frequent item sets that fit the baskets."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.params import Range, rounded

MAX_POSITIONS = 200  # numbers of baskets that are positions of their own
MAX_LENGTH = 8


def itemset_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the supports that item sets can have, and the sizes of baskets.

    Examples
    --------
    >>> from dmlib.association import Apriori
    >>> itemset_ranges(Apriori(), [[True, True], [True, False]])
    {'min_support': (0.5, 1.0), 'max_length': (1, 2)}
    """
    baskets = np.asarray(X, bool)
    n_baskets = len(baskets)
    max_count = min(int(baskets.sum(axis=0).max(initial=1)) + 1, n_baskets)
    counts = range(1, max_count + 1)
    supports = tuple(rounded(count / n_baskets, 4, math.floor) for count in counts)
    if len(supports) > MAX_POSITIONS:
        supports = (supports[0], supports[-1])
    max_length = int(baskets.sum(axis=1).clip(1, MAX_LENGTH).max(initial=1))
    return {"min_support": supports if len(supports) > 1 else (), "max_length": (1, max_length)}
