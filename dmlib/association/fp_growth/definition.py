"""The nodes and conditional trees of FP-growth by their definitions, for comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ordered = Sequence[tuple[Any, ...]]


def ordered(matrix: NDArray[np.bool_], min_support: float, order: str) -> Ordered:
    """Return the frequent items of each basket in the order of the tree.

    Examples
    --------
    >>> ordered(np.array([[1, 1, 0], [0, 1, 0]], bool), 0.5, "descending")
    [(1, 0), (1,)]
    """
    counts = matrix.sum(axis=0)
    sign = {"descending": -1, "ascending": 1, "columns": 0}[order]
    items = np.argsort(sign * counts, kind="stable")
    items = items[counts[items] / len(matrix) >= min_support]
    return [tuple(items[row].tolist()) for row in matrix[:, items]]


def prefixes(baskets: Ordered) -> set[tuple[Any, ...]]:
    """Return the nodes of a tree, each as its path from the root: everything a basket begins with.

    Examples
    --------
    >>> sorted(prefixes([("b", "a"), ("b",)]))
    [('b',), ('b', 'a')]
    """
    return {basket[:end] for basket in baskets for end in range(1, len(basket) + 1)}


def conditional_trees(baskets: Ordered, min_count: float, max_length: float) -> int:
    """Return how many conditional trees are built, by projecting baskets.

    Parameters
    ----------
    baskets : sequence of tuple
        Items in the order of the tree.
    min_count : float
        How many baskets must contain a frequent item set.
    max_length : float
        The largest number of items in an item set.

    Examples
    --------
    >>> conditional_trees([("a", "b"), ("b",), ("a", "b")], 2, 3)
    1
    """
    is_path = len(prefixes(baskets)) == max(map(len, baskets), default=0)
    if max_length == 1 or is_path:
        return 0
    total = 0
    for item in set(chain.from_iterable(baskets)):
        above = [basket[: basket.index(item)] for basket in baskets if item in basket]
        counts = Counter(chain.from_iterable(above))
        inner = [tuple(j for j in basket if counts[j] >= min_count) for basket in above]
        if any(inner):
            total += 1 + conditional_trees(inner, min_count, max_length - 1)
    return total
