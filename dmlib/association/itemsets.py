"""Item sets of one size after the other: finding subsets among them, joining them, and which are maximal or closed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dmlib.association.bitsets import Sets

Flags = NDArray[np.bool_]


class PrefixTree:
    """The frequent item sets found so far, as a tree of their prefixes: a set is found item by item.

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
        """Add the sets of the next size, in lexicographic order; each without its last item is a set of the tree."""
        self.keys.append(self.find(sets[:, :-1]) * self.n_items + sets[:, -1])

    def find(self, sets: Sets) -> NDArray[np.intp]:
        """Return the number of each set among those of its size; -1 if it is not there."""
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
    """Return the pairs of sets that agree in all but their last item, in lexicographic order of their union.

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


def maximal_and_closed(sets: Sequence[Sets], counts: Sequence[NDArray[np.intp]], n_items: int) -> tuple[Flags, Flags]:
    """Return which frequent item sets are maximal and which are closed.

    A frequent item set is *maximal* if none of its supersets is frequent, and *closed* if none has the same support.

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
    maximal, closed : ndarray of bool of shape (n_itemsets,)
        In the same order.

    References
    ----------
    N. Pasquier, Y. Bastide, R. Taouil and L. Lakhal (1999), Discovering frequent closed itemsets for association rules.

    Examples
    --------
    >>> import numpy as np
    >>> sets, counts = [np.array([[0], [1]]), np.array([[0, 1]])], [np.array([2, 1]), np.array([1])]
    >>> maximal, closed = maximal_and_closed(sets, counts, 2)
    >>> maximal.tolist(), closed.tolist()
    ([False, False, True], [True, False, True])
    """
    tree = PrefixTree(n_items)
    maximal, closed = ([np.ones(len(some), bool) for some in sets] for _ in range(2))
    for k, (small, large) in enumerate(pairwise(sets)):
        tree.grow(small)
        for position in range(large.shape[1]):
            subset = tree.find(without(large, position))
            maximal[k][subset] = False
            closed[k][subset[counts[k][subset] == counts[k + 1]]] = False
    return np.concatenate(maximal), np.concatenate(closed)
