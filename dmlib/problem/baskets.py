"""Market baskets made ready for an algorithm: which items lie in which basket."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.cached import cached_property
from dmlib.problem.undivided import Undivided
from dmlib.trace import look

MAX_BASKETS = 10_000
"""More baskets than this are cut to the first ones."""

MAX_ITEMS = 200
"""Of more items than this, the most frequent are used."""

NAMED = 6  # items of a basket that its tooltip names


@dataclass(frozen=True, eq=False)
class BasketsProblem(Undivided):
    """Market baskets made ready for an algorithm.

    Attributes
    ----------
    items : tuple of str
        The items, in alphabetical order.
    matrix : ndarray of bool of shape (n_baskets, n_items)
        Which item lies in which basket.
    rows : ndarray of shape (n_baskets,)
        Number of each basket in the data.
    notes : tuple of str
        What was done to the data, one sentence each.
    """

    items: tuple[str, ...]
    matrix: NDArray[np.bool_]
    rows: NDArray[np.intp]
    notes: tuple[str, ...] = ()

    @cached_property
    def data(self) -> pd.DataFrame:
        """A data frame of truth values, one column for each item."""
        return pd.DataFrame(self.matrix, columns=list(self.items))

    @property
    def arguments(self) -> tuple[pd.DataFrame]:
        """Arguments of ``fit`` and ``steps``."""
        return (self.data,)

    @cached_property
    def transactions(self) -> tuple[tuple[str, ...], ...]:
        """The items of each basket, in alphabetical order."""
        return tuple(tuple(self.items[j] for j in np.flatnonzero(basket)) for basket in self.matrix)

    @property
    def labels(self) -> list[str]:
        """The tooltip of each basket."""
        return [
            f"basket {i + 1}: {_listed(items)}"
            for i, items in zip(self.rows, self.transactions, strict=True)
        ]


def prepare_baskets(
    transactions: Sequence[Collection[str]],
    *,
    max_baskets: int = MAX_BASKETS,
    max_items: int = MAX_ITEMS,
) -> BasketsProblem:
    """Write baskets as a matrix of truth values.

    Parameters
    ----------
    transactions : sequence of collections of str
        The items of each basket.
    max_baskets : int
        At most so many baskets are used, the first ones.
    max_items : int
        At most so many items are used, the most frequent ones; of equally frequent ones the first
        in the alphabet.

    Returns
    -------
    BasketsProblem
        What the algorithm gets.

    Raises
    ------
    ValueError
        If no basket holds an item.

    Examples
    --------
    >>> problem = prepare_baskets([{"tea", "milk"}, {"tea"}])
    >>> problem.items, problem.matrix.tolist()
    (('milk', 'tea'), [[True, True], [False, True]])
    """
    used = transactions[:max_baskets]
    counts = Counter(item for basket in used for item in set(basket))
    if not counts:
        raise ValueError(
            "No basket holds an item. Choose other data, or put an item into a basket."
        )
    notes = []
    if len(used) < len(transactions):
        notes.append(f"The first {len(used):,} of {len(transactions):,} baskets are used.")
    items = tuple(sorted(sorted(counts, key=lambda item: (-counts[item], item))[:max_items]))
    if len(items) < len(counts):
        notes.append(f"The {len(items)} most frequent of {len(counts):,} items are used.")
    matrix = np.zeros((len(used), len(items)), bool)
    column = {item: j for j, item in enumerate(items)}
    for i, basket in enumerate(used):
        look()
        matrix[i, [column[item] for item in basket if item in column]] = True
    return BasketsProblem(items, matrix, np.arange(len(used)), tuple(notes))


def _listed(items: Sequence[str]) -> str:
    ending = f" and {len(items) - NAMED} more" if len(items) > NAMED else ""
    return (", ".join(items[:NAMED]) or "empty") + ending
