"""FP-growth: frequent item sets without candidates, from a tree that holds the baskets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from dmlib.association.fp_growth.growth import ORDERS, FPGrowthStep, Growth
from dmlib.association.itemsets import by_size
from dmlib.association.miner import Baskets, ItemsetMiner, as_matrix
from dmlib.association.ranges import itemset_ranges
from dmlib.params import Choice, Integer, Number, Param, Ranges, check_params

__all__ = ["FPGrowth", "FPGrowthStep", "fp_growth", "fp_growth_steps"]


class FPGrowth(ItemsetMiner):
    r"""Find the frequent item sets of market baskets without counting candidates.

    Two passes over the baskets make an *FP-tree*: the first counts the items, the second inserts
    the frequent items of each basket, in one order for all, as a path from the root. Baskets that
    begin alike share nodes, which count them. Then, for each item, the paths above its nodes are
    its *conditional pattern base*: the baskets that contain it, without what follows in the order.
    The tree of these is mined in the same way, and the item joins all that it gives.

    Parameters
    ----------
    min_support : float, default=0.5
        The share of baskets that must contain a frequent item set.
    max_length : int or None, default=None
        The largest number of items in an item set; None means no limit.
    order : {"descending", "ascending", "columns"}, default="descending"
        The order of the items from the root down: the most frequent first, the least frequent
        first, or that of the columns. The item sets are the same; the tree is smallest, as a rule,
        with "descending".
    max_itemsets : int, default=100000
        If more item sets than this are frequent, the run is refused.

    Attributes
    ----------
    itemsets_ : list of tuple
        The frequent item sets, smaller ones first, those of one size in the order of the columns.
        Items are names of columns, or their numbers if they have no names.
    support_ : ndarray of shape (n_itemsets,)
        Their supports.
    membership_ : ndarray of bool of shape (n_itemsets, n_items)
        Which item is in which of them.
    maximal_, closed_ : ndarray of bool of shape (n_itemsets,)
        Whether no superset is frequent; whether none has the same support.
    n_itemsets_, n_nodes_, n_trees_, n_conditional_nodes_ : int
        How many frequent item sets there are, how many nodes the FP-tree has (without its root),
        how many conditional trees were built, and how many nodes these have together.
    n_features_in_ : int
        The number of items seen by ``fit``.

    Raises
    ------
    ValueError
        If a parameter is out of bounds, or too many item sets are frequent; the message says which
        support would work.

    Notes
    -----
    An item lies in a basket where the matrix is not zero. A support is a quotient of two whole
    numbers and is compared with ``min_support`` as such, so 3 of 5 baskets reach 0.6. Of equally
    frequent items, the first column comes first.

    The tree has at most as many nodes as there are frequent items in all baskets together. A tree
    that is a single path is not opened any further: every combination of its items is frequent.
    Conditional trees keep the order of the first tree. A frequent item set of L items has 2^L - 1
    frequent subsets: where the subsets of one that is found greedily are too many, the run is
    refused before the tree is built.

    References
    ----------
    J. Han, J. Pei and Y. Yin (2000), Mining frequent patterns without candidate generation,
    Algorithms 1 and 2.

    Examples
    --------
    >>> X = [[1, 1, 0], [1, 1, 1], [0, 1, 1]]
    >>> model = FPGrowth(0.6).fit(X)
    >>> model.itemsets_
    [(0,), (1,), (2,), (0, 1), (1, 2)]
    >>> model.n_nodes_, model.n_trees_
    (4, 2)
    """

    RANGES: ClassVar[Ranges] = staticmethod(itemset_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "min_support": Number(1e-6, 1.0, shown=(0.01, 1.0), step=0.01),
        "max_length": Integer(1, 1000, shown=(1, 8), none="no limit"),
        "order": Choice(ORDERS),
        "max_itemsets": Integer(1, 100_000_000, shown=(1_000, 100_000)),
    }

    def __init__(
        self,
        min_support: float = 0.5,
        *,
        max_length: int | None = None,
        order: str = "descending",
        max_itemsets: int = 100_000,
    ) -> None:
        self.min_support = min_support
        self.max_length = max_length
        self.order = order
        self.max_itemsets = max_itemsets

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find the frequent item sets of baskets, the rows of ``X``; ``y`` is ignored."""
        matrix = validate_data(self, X) != 0
        counts: dict[tuple[int, ...], int] = {}
        for step in self._run(matrix):
            counts.update(step.new_itemsets)
        self._keep(*by_size(counts), matrix.shape)
        self.n_itemsets_ = step.n_itemsets
        self.n_nodes_ = step.n_nodes
        self.n_trees_ = step.n_trees
        self.n_conditional_nodes_ = step.n_conditional_nodes
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[FPGrowthStep]:
        """Yield the count, each basket that is inserted, each conditional tree, and the end."""
        yield from self._run(check_array(X) != 0)

    def _run(self, matrix: NDArray[np.bool_]) -> Iterator[FPGrowthStep]:
        check_params(self.PARAMS, self.get_params())
        yield from Growth(
            matrix, self.min_support, self.max_length, self.order, self.max_itemsets
        ).steps()


def fp_growth(
    baskets: Baskets, min_support: float = 0.5, max_length: int | None = None
) -> dict[tuple[Any, ...], float]:
    """Return the frequent item sets of market baskets.

    Parameters
    ----------
    baskets : sequence of collections
        The items of each basket; all items can be ordered among each other.
    min_support : float
        The share of baskets that must contain a frequent item set.
    max_length : int or None
        The largest number of items in an item set; None means no limit.

    Returns
    -------
    dict of tuple to float
        The support of each frequent item set; items in ascending order, smaller sets first.

    Raises
    ------
    ValueError
        If there is no item, a parameter is out of bounds or too many item sets are frequent.

    Notes
    -----
    See :class:`FPGrowth`.

    References
    ----------
    J. Han, J. Pei and Y. Yin (2000), Mining frequent patterns without candidate generation.

    Examples
    --------
    >>> fp_growth([{"tea", "milk"}, {"tea"}, {"tea", "milk"}, {"milk"}], 0.5)
    {('milk',): 0.75, ('tea',): 0.75, ('milk', 'tea'): 0.5}
    """
    items, matrix = as_matrix(baskets)
    return FPGrowth(min_support, max_length=max_length).fit(matrix)._named(items)


def fp_growth_steps(
    baskets: Baskets, min_support: float = 0.5, max_length: int | None = None
) -> Iterator[FPGrowthStep]:
    """Yield the steps of FP-growth on market baskets.

    Parameters
    ----------
    baskets : sequence of collections
        The items of each basket; all items can be ordered among each other.
    min_support : float
        The share of baskets that must contain a frequent item set.
    max_length : int or None
        The largest number of items in an item set; None means no limit.

    Yields
    ------
    FPGrowthStep
        Its columns are numbers of the items in ascending order.

    Examples
    --------
    >>> [step.phase for step in fp_growth_steps([{"tea", "milk"}, {"tea"}, {"tea", "milk"}], 0.5)]
    ['count', 'insert', 'insert', 'insert', 'combine', 'done']
    """
    yield from FPGrowth(min_support, max_length=max_length).steps(as_matrix(baskets)[1])
