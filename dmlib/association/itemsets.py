"""Item sets of one size after the other: subsets, joins, maximal and closed ones."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor, log10

import numpy as np
from numpy.typing import NDArray

from dmlib.association.bitsets import Sets, Words
from dmlib.trace import look

Flags = NDArray[np.bool_]


class PrefixTree:
    """Frequent item sets as a tree of their prefixes: a set is looked up item by item.

    Examples
    --------
    >>> import numpy as np
    >>> tree = PrefixTree(3)
    >>> tree.grow(np.array([[0], [2]]))
    >>> tree.grow(np.array([[0, 2]]))
    >>> tree.find(np.array([[0, 2], [0, 1]])).tolist()
    [0, -1]
    """

    def __init__(self, n_items: int) -> None:
        self.n_items = n_items
        self.keys: list[NDArray[np.intp]] = []

    def grow(self, sets: Sets) -> None:
        """Add the sets of the next size in lexicographic order; their prefixes are in the tree."""
        self.keys.append(self.find(sets[:, :-1]) * self.n_items + sets[:, -1])

    def find(self, sets: Sets) -> NDArray[np.intp]:
        """Return the number of each set among those of its size; -1 if it is not in the tree."""
        place = np.zeros(len(sets), np.intp)
        for keys, items in zip(self.keys, sets.T, strict=False):
            key = np.where(place < 0, -1, place * self.n_items + items)
            if not len(keys):
                return np.full(len(sets), -1)
            place = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
            place[keys[place] != key] = -1
        return place


def join_sizes(sets: Sets) -> NDArray[np.intp]:
    """Return for each set how many sets after it differ from it in the last item only.

    Examples
    --------
    >>> import numpy as np
    >>> join_sizes(np.array([[0, 1], [0, 2], [1, 2]])).tolist()
    [1, 0, 0]
    """
    n = len(sets)
    first = np.ones(n, bool)
    first[1:] = (sets[1:, :-1] != sets[:-1, :-1]).any(axis=1)
    ends = np.append(np.flatnonzero(first)[1:], n)
    return np.asarray(ends[np.cumsum(first) - 1] - np.arange(n) - 1, np.intp)


def join(sets: Sets) -> NDArray[np.intp]:
    """Return the pairs of sets that agree in all but their last item, sorted by their union.

    Parameters
    ----------
    sets : ndarray of shape (n_sets, size)
        Item sets of one size, in lexicographic order.

    Returns
    -------
    ndarray of shape (n_pairs, 2)
        Their numbers.

    Examples
    --------
    >>> import numpy as np
    >>> join(np.array([[0, 1], [0, 2], [1, 2]])).tolist()
    [[0, 1]]
    """
    sizes = join_sizes(sets)
    first = np.repeat(np.arange(len(sets)), sizes)
    within = np.arange(len(first)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.stack([first, first + 1 + within], axis=1)


def without(sets: Sets, position: int) -> Sets:
    """Return each set without the item at a position.

    Examples
    --------
    >>> import numpy as np
    >>> without(np.array([[0, 1, 2]]), 1).tolist()
    [[0, 2]]
    """
    return np.delete(sets, position, axis=1)


def maximal_and_closed(
    sets: Sequence[Sets], counts: Sequence[NDArray[np.intp]], n_items: int
) -> tuple[Flags, Flags]:
    """Return which frequent item sets are maximal and which are closed.

    A frequent item set is *maximal* if none of its supersets is frequent, and *closed* if none has
    the same support.

    Parameters
    ----------
    sets : sequence of ndarray of shape (n_sets, size)
        All frequent item sets, size by size from 1, each in lexicographic order.
    counts : sequence of ndarray of shape (n_sets,)
        How many baskets contain them.
    n_items : int
        The number of items.

    Returns
    -------
    is_maximal, is_closed : ndarray of bool of shape (n_itemsets,)
        In the same order.

    References
    ----------
    N. Pasquier, Y. Bastide, R. Taouil and L. Lakhal (1999), Discovering frequent closed itemsets
    for association rules.

    Examples
    --------
    >>> import numpy as np
    >>> sets, counts = [np.array([[0], [1]]), np.array([[0, 1]])], [np.array([2, 1]), np.array([1])]
    >>> is_maximal, is_closed = maximal_and_closed(sets, counts, 2)
    >>> is_maximal.tolist(), is_closed.tolist()
    ([False, False, True], [True, False, True])
    """
    tree = PrefixTree(n_items)
    is_maximal = [np.ones(len(level), bool) for level in sets]
    is_closed = [np.ones(len(level), bool) for level in sets]
    for k, (small, large) in enumerate(pairwise(sets)):
        tree.grow(small)
        for position in range(large.shape[1]):
            subset = tree.find(without(large, position))
            is_maximal[k][subset] = False
            is_closed[k][subset[counts[k][subset] == counts[k + 1]]] = False
    return np.concatenate(is_maximal), np.concatenate(is_closed)


def by_size(counts: Mapping[tuple[int, ...], int]) -> tuple[list[Sets], list[NDArray[np.intp]]]:
    """Return item sets size by size from 1, each size in lexicographic order, and their counts.

    Parameters
    ----------
    counts : mapping of tuple of int to int
        The number of baskets of each frequent item set, columns in ascending order.

    Examples
    --------
    >>> sets, counts = by_size({(0, 1): 2, (1,): 2, (0,): 3})
    >>> [level.tolist() for level in sets], [level.tolist() for level in counts]
    ([[[0], [1]], [[0, 1]]], [[3, 2], [2]])
    """
    levels: dict[int, list[tuple[int, ...]]] = {1: []}
    for items in sorted(counts):
        levels.setdefault(len(items), []).append(items)
    sizes = sorted(levels)
    sets = [np.array(levels[size], np.intp).reshape(-1, size) for size in sizes]
    return sets, [np.array([counts[items] for items in levels[size]], np.intp) for size in sizes]


# --- the number of frequent item sets -------------------------------------------------------------

EASY = 10
"""A support is advised if it makes so many times fewer item sets than are allowed."""


def n_frequent(bits: Words, min_count: int, max_length: int, limit: int) -> int:
    """Return how many item sets are in at least ``min_count`` baskets, up to ``limit`` + 1.

    Parameters
    ----------
    bits : ndarray of uint64 of shape (n_items, n_words)
        The baskets of each item.
    min_count : int
        The number of baskets.
    max_length : int
        The largest number of items in an item set.
    limit : int
        Where counting stops.

    References
    ----------
    M. J. Zaki (2000), Scalable algorithms for association mining, section 4: Eclat.

    Examples
    --------
    >>> bits = np.array([[3], [2], [3]], np.uint64)
    >>> n_frequent(bits, 2, 3, 100), n_frequent(bits, 1, 3, 5)
    (3, 6)
    """
    total = 0
    waiting = [(bits, max_length)]
    while waiting and total <= limit:
        look()
        rows, length = waiting.pop()
        rows = rows[_n_baskets(rows) >= min_count]
        total += len(rows)
        if length > 1:
            waiting += [(rows[i + 1 :] & row, length - 1) for i, row in enumerate(rows[:-1])]
    return min(total, limit + 1)


def _n_baskets(bits: Words) -> NDArray[np.intp]:
    return np.asarray(np.bitwise_count(bits).sum(axis=1, dtype=np.intp))


def long_itemset(bits: Words, min_count: int) -> int:
    """Return the size of a large frequent item set, by greedy search before any mining.

    Each item is extended by the one that loses fewest baskets, as long as the set is frequent. All
    subsets of the result are frequent too; there may be larger sets.

    Parameters
    ----------
    bits : ndarray of uint64 of shape (n_items, n_words)
        The baskets of each item.
    min_count : int
        How many baskets must contain it.

    Examples
    --------
    >>> bits = np.array([[3], [2], [3]], np.uint64)
    >>> long_itemset(bits, 2), long_itemset(bits, 3)
    (2, 0)
    """
    bits = bits[_n_baskets(bits) >= min_count]
    longest = 0
    for start in range(len(bits)):
        look()
        common, size = bits[start], 1
        candidates = np.delete(bits, start, axis=0)
        while len(candidates):
            counts = _n_baskets(candidates & common)
            best = counts.argmax()
            if counts[best] < min_count:
                break
            common, size = common & candidates[best], size + 1
            is_candidate = counts >= min_count
            is_candidate[best] = False
            candidates = candidates[is_candidate]
        longest = max(longest, size)
    return longest


def working_support(
    bits: Words, n_baskets: int, max_length: int, max_itemsets: int, min_count: int
) -> float | None:
    """Return a support, by trial, with which far fewer item sets are frequent than are allowed.

    Parameters
    ----------
    bits : ndarray of uint64 of shape (n_items, n_words)
        The baskets of each item.
    n_baskets : int
        How many baskets there are.
    max_length : int
        The largest number of items in an item set.
    max_itemsets : int
        How many are allowed.
    min_count : int
        A number of baskets that is too small.

    Returns
    -------
    float or None
        None if there is no such support.

    Examples
    --------
    >>> bits = np.array([[3], [2], [3]], np.uint64)
    >>> working_support(bits, 2, 3, 30, 1)
    1.0
    """
    counts = np.arange(min_count + 1, int(_n_baskets(bits).max(initial=0)) + 1)
    allowed = max_itemsets // EASY

    def easy(count: int) -> bool:
        return n_frequent(bits, count, max_length, allowed) <= allowed

    place = bisect_left(counts, True, key=easy)  # more baskets, fewer item sets
    return rounded_up(float(counts[place]) / n_baskets) if place < len(counts) else None


def rounded_up(support: float) -> float:
    """Return a support with two significant digits that is not less.

    Examples
    --------
    >>> rounded_up(0.1234), rounded_up(0.5)
    (0.13, 0.5)
    """
    scale = 10.0 ** (1 - floor(log10(support)))
    return ceil(support * scale - 1e-9) / scale


def least_count(min_support: float, n_baskets: int) -> int:
    """Return the smallest number of baskets that is a share of at least ``min_support``.

    Examples
    --------
    >>> least_count(0.6, 5), least_count(0.61, 5)
    (3, 4)
    """
    estimate = ceil(min_support * n_baskets)  # the product is rounded, the quotient decides
    counts = range(max(estimate - 1, 1), estimate + 2)
    return next(count for count in counts if count / n_baskets >= min_support)


def braces(names: Sequence[str], items: Iterable[int]) -> str:
    """Return an item set as a text.

    Examples
    --------
    >>> braces(("tea", "milk"), (1, 0))
    '{milk, tea}'
    """
    return "{" + ", ".join(names[j] for j in items) + "}"
