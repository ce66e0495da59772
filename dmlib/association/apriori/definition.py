"""The candidates and passes of Apriori and its kin by their definitions, for comparison."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray


def candidates(
    frequent: Collection[frozenset[int]],
    matrix: NDArray[np.bool_],
    max_length: int | None,
    method: str,
) -> set[frozenset[int]]:
    """Return the item sets that a method has to count, by definition.

    Parameters
    ----------
    frequent : collection of frozenset
        All frequent item sets, of columns.
    matrix : ndarray of bool of shape (n_baskets, n_items)
        The baskets.
    max_length : int or None
        The largest number of items in an item set.
    method : str
        The name of the estimator.

    Examples
    --------
    >>> matrix = np.array([[True, True], [True, False]])
    >>> sorted(sorted(items) for items in candidates({frozenset([0])}, matrix, None, "Apriori"))
    [[0], [1]]
    """
    singles = {frozenset([j]) for j in range(matrix.shape[1])}
    counted = set(singles)
    for items in frequent:
        if len(items) == max_length:
            continue
        for single in singles.intersection(frequent):
            larger = items | single
            if max(single) <= max(items):
                continue
            if method in ("AIS", "SETM"):
                is_counted = bool(matrix[:, list(larger)].all(axis=1).any())
            else:
                is_counted = all(larger - {item} in frequent for item in larger)
            if is_counted:
                counted.add(larger)
    return counted


def passes(
    counted: Collection[frozenset[int]],
    matrix: NDArray[np.bool_],
    min_support: float,
    method: str,
    max_entries: int,
) -> int:
    """Return how often a method reads the baskets to count item sets, by definition.

    Examples
    --------
    >>> matrix = np.array([[True, True], [True, False]])
    >>> passes({frozenset([0]), frozenset([1]), frozenset([0, 1])}, matrix, 1.0, "Apriori", 0)
    2
    """
    n_sizes = max(map(len, counted))
    if method == "AprioriTid":
        return 1
    if method != "AprioriHybrid":
        return n_sizes
    n_before = 0
    for size in range(1, n_sizes + 1):
        sets = [list(items) for items in counted if len(items) == size]
        counts = np.array([matrix[:, items].all(axis=1).sum() for items in sets])
        n_frequent = (counts / len(matrix) >= min_support).sum()
        if counts.sum() + len(matrix) <= max_entries and n_frequent < n_before:
            return min(size + 1, n_sizes)  # the next pass makes the lists
        n_before = n_frequent
    return n_sizes
