"""Baskets as sets of bits: one row of 64-bit words for each item, one bit for each basket."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.trace import look

WORD = 64
BLOCK = 1 << 17  # words that are worked on at once: they stay in the processor's cache
Words = NDArray[np.uint64]
Sets = NDArray[np.intp]
"""Item sets of one size, one in each row: the columns of the items, in ascending order."""


def packed(matrix: NDArray[np.bool_]) -> Words:
    """Return the baskets of each item as bits.

    Parameters
    ----------
    matrix : ndarray of bool of shape (n_baskets, n_items)
        Which item lies in which basket.

    Returns
    -------
    ndarray of uint64 of shape (n_items, n_words)
        The baskets of each item; bits behind the last basket are 0.

    Examples
    --------
    >>> import numpy as np
    >>> packed(np.array([[True, False], [True, True]])).tolist()
    [[3], [2]]
    """
    n_baskets, n_items = matrix.shape
    padded = np.zeros((n_items, -(-n_baskets // WORD) * WORD), bool)
    padded[:, :n_baskets] = matrix.T
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def support_counts(bits: Words, sets: Sets) -> NDArray[np.intp]:
    """Return how many baskets contain each item set.

    Parameters
    ----------
    bits : ndarray of uint64 of shape (n_items, n_words)
        The baskets of each item.
    sets : ndarray of shape (n_sets, size)
        Item sets of one size.

    Returns
    -------
    ndarray of int of shape (n_sets,)
        The number of baskets.

    Notes
    -----
    An item set's baskets are the intersection of its items' baskets: ``size`` operations on
    n_baskets / 64 words.

    Examples
    --------
    >>> import numpy as np
    >>> bits = packed(np.array([[True, False], [True, True]]))
    >>> support_counts(bits, np.array([[0], [1]])).tolist()
    [2, 1]
    >>> support_counts(bits, np.array([[0, 1]])).tolist()
    [1]
    """
    counts = np.zeros(len(sets), np.intp)
    rows = max(1, BLOCK // max(1, bits.shape[1]))
    for start in range(0, len(sets), rows):
        look()
        common = common_baskets(bits, sets[start : start + rows])
        counts[start : start + rows] = np.bitwise_count(common).sum(axis=1, dtype=np.intp)
    return counts


def common_baskets(bits: Words, sets: Sets) -> Words:
    """Return the baskets of each item set as bits, shape (n_sets, n_words).

    Examples
    --------
    >>> common_baskets(np.array([[3], [2]], np.uint64), np.array([[0, 1]])).tolist()
    [[2]]
    """
    common = bits[sets[:, 0]]
    for column in sets.T[1:]:
        common &= bits[column]
    return common
