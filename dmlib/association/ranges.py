"""Ranges of frequent item sets that fit the baskets."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.params import Range, rounded

MOST = 200  # numbers of baskets that are positions of their own
LONGEST = 8


def itemset_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the supports that item sets can have, and the sizes of baskets.

    Examples
    --------
    >>> from dmlib.association import Apriori
    >>> itemset_ranges(Apriori(), [[True, True], [True, False]])
    {'min_support': (0.5, 1.0), 'max_length': (1, 2)}
    """
    baskets = np.asarray(X, bool)
    n_baskets, most = len(baskets), int(baskets.sum(axis=0).max(initial=1))
    supports = tuple(
        rounded(count / n_baskets, 4, math.floor)
        for count in range(1, min(most + 1, n_baskets) + 1)
    )
    longest = int(min(LONGEST, max(1, baskets.sum(axis=1).max(initial=1))))
    shown = supports if len(supports) <= MOST else (supports[0], supports[-1])
    return {"min_support": shown if len(shown) > 1 else (), "max_length": (1, longest)}
