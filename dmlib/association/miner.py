"""Base of the miners of frequent item sets, and baskets as a matrix."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from dmlib.association.bitsets import Sets
from dmlib.association.itemsets import maximal_and_closed

Baskets = Sequence[Collection[Hashable]]


class ItemsetMiner(BaseEstimator):
    """Base of the miners: sets their fitted attributes."""

    def _keep(
        self, sets: Sequence[Sets], counts: Sequence[NDArray[np.intp]], shape: tuple[int, int]
    ) -> None:
        """Set the attributes of the answer.

        Parameters
        ----------
        sets : sequence of ndarray of shape (n_sets, size)
            The frequent item sets, size by size from 1, each in lexicographic order.
        counts : sequence of ndarray of shape (n_sets,)
            How many baskets contain them.
        shape : tuple of (int, int)
            Number of baskets and of items.
        """
        n_baskets, n_items = shape
        names = getattr(self, "feature_names_in_", np.arange(n_items)).tolist()
        self.itemsets_ = [
            tuple(names[j] for j in items) for level in sets for items in level.tolist()
        ]
        self.support_ = np.concatenate(counts) / n_baskets
        self.membership_ = np.zeros((len(self.itemsets_), n_items), bool)
        levels = np.split(self.membership_, np.cumsum([len(level) for level in sets]))
        for rows, items in zip(levels, sets, strict=False):
            np.put_along_axis(rows, items, values=True, axis=1)
        self.maximal_, self.closed_ = maximal_and_closed(sets, counts, n_items)

    def _named(self, items: Sequence[Any]) -> dict[tuple[Any, ...], float]:
        """Return the support of each frequent item set, by the names of the items."""
        names = [tuple(items[j] for j in columns) for columns in self.itemsets_]
        return dict(zip(names, self.support_.tolist(), strict=True))


def as_matrix(baskets: Baskets) -> tuple[list[Any], NDArray[np.bool_]]:
    """Return the items in ascending order, and which lies in which basket.

    Examples
    --------
    >>> items, matrix = as_matrix([{"tea", "milk"}, {"tea"}])
    >>> items, matrix.tolist()
    (['milk', 'tea'], [[True, True], [False, True]])
    """
    items = _sorted_items(baskets)
    if not items:
        raise ValueError("No basket contains an item. Add an item to a basket.")
    column = {item: j for j, item in enumerate(items)}
    matrix = np.zeros((len(baskets), len(items)), bool)
    for row, basket in zip(matrix, baskets, strict=True):
        row[[column[item] for item in basket]] = True
    return items, matrix


def _sorted_items(baskets: Baskets) -> list[Any]:
    try:
        items: set[Any] = {item for basket in baskets for item in basket}
        return sorted(items)
    except TypeError as reason:
        raise ValueError(
            "Items are names or numbers, not both, and a basket is a set of them."
            " Write all items as text."
        ) from reason
