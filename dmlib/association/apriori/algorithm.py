"""Apriori and its kin: frequent item sets, size by size; all subsets of one are frequent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from dmlib.association.apriori.passes import AprioriStep, HybridPasses, Passes, TidPasses
from dmlib.association.miner import Baskets, ItemsetMiner, as_matrix
from dmlib.association.ranges import itemset_ranges
from dmlib.params import Integer, Number, Param, Ranges, check_params

__all__ = ["Apriori", "AprioriHybrid", "AprioriStep", "AprioriTid", "apriori", "apriori_steps"]


class Apriori(ItemsetMiner):
    r"""Find the frequent item sets of market baskets, size by size.

    The *support* of an item set is the share of baskets that contain all of its items; it is
    *frequent* with a support of at least ``min_support``. A subset of a frequent item set is
    frequent, so a candidate of ``k`` items is counted only if all its subsets of ``k - 1`` items
    are frequent: two of these that agree in their first ``k - 2`` items are *joined*, and the
    result is *pruned* if another subset is missing.

    Parameters
    ----------
    min_support : float, default=0.4
        The share of baskets that must contain a frequent item set.
    max_length : int or None, default=None
        The largest number of items in an item set; None means no limit.
    max_candidates : int, default=100000
        If a level has more candidates than this, the run is refused before they are counted.

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
    n_itemsets_, n_candidates_, n_passes_ : int
        How many frequent item sets there are, how many candidates were counted, in how many passes
        over the baskets.
    candidates_per_level_, memory_per_level_ : ndarray of shape (n_levels,)
        How many candidates of each size were counted, and how many numbers the method, as its
        authors describe it, holds in memory meanwhile: the items of the candidates, and whatever it
        keeps of the baskets.
    peak_memory_ : int
        The largest of these.
    n_features_in_ : int
        The number of items seen by ``fit``.

    Raises
    ------
    ValueError
        If a parameter is out of bounds, or a level has too many candidates; the message says which
        support would work.

    Notes
    -----
    An item lies in a basket where the matrix is not zero. A support is a quotient of two whole
    numbers and is compared with ``min_support`` as such, so 3 of 5 baskets reach 0.6.

    Baskets are sets of bits: counting a candidate of k items takes k n / 64 operations for n
    baskets. The number of candidates can be 2^d for d items, which is why it is limited.

    References
    ----------
    R. Agrawal and R. Srikant (1994), Fast algorithms for mining association rules, sections 2.1 and
    2.1.1.

    Examples
    --------
    >>> X = [[1, 1, 0], [1, 1, 1], [0, 1, 1]]
    >>> model = Apriori(0.6).fit(X)
    >>> model.itemsets_
    [(0,), (1,), (2,), (0, 1), (1, 2)]
    >>> model.n_candidates_, model.n_passes_
    (6, 2)
    """

    RANGES: ClassVar[Ranges] = staticmethod(itemset_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "min_support": Number(1e-6, 1.0, shown=(0.01, 1.0), step=0.01),
        "max_length": Integer(1, 1000, shown=(1, 8), none="no limit"),
        "max_candidates": Integer(1, 100_000_000, shown=(1_000, 100_000)),
    }
    _passes: ClassVar[type[Passes]] = Passes

    def __init__(
        self,
        min_support: float = 0.4,
        *,
        max_length: int | None = None,
        max_candidates: int = 100_000,
    ) -> None:
        self.min_support = min_support
        self.max_length = max_length
        self.max_candidates = max_candidates

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find the frequent item sets of baskets, the rows of ``X``; ``y`` is ignored."""
        matrix = validate_data(self, X) != 0
        *passes, end = (step for step in self._run(matrix) if step.phase in {"count", "done"})
        sets = [step.candidates[step.frequent] for step in passes]
        counts = [step.counts[step.frequent] for step in passes]
        self._keep(sets, counts, matrix.shape)
        self.n_itemsets_ = end.n_itemsets
        self.n_candidates_ = end.n_candidates
        self.n_passes_ = end.n_passes
        self.candidates_per_level_ = np.array([len(step.candidates) for step in passes])
        self.memory_per_level_ = np.array([step.memory for step in passes])
        self.peak_memory_ = end.peak_memory
        return self

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[AprioriStep]:
        """Yield the join, the prune and the count of each level, and the end with its reason."""
        yield from self._run(check_array(X) != 0)

    def _run(self, matrix: NDArray[np.bool_]) -> Iterator[AprioriStep]:
        check_params(self.PARAMS, self.get_params())
        yield from self._new_passes(matrix).steps()

    def _new_passes(self, matrix: NDArray[np.bool_]) -> Passes:
        """Return a run that has not begun."""
        return self._passes(matrix, self.min_support, self.max_length, self.max_candidates)


class AprioriTid(Apriori):
    """Find the frequent item sets with one pass over the baskets.

    The candidates are those of :class:`Apriori`. After the first pass, each basket is replaced by
    the list of the candidates that it contains; a candidate is in a basket exactly if the two item
    sets that it was joined from are in its list, and a basket whose list is empty is dropped.

    Parameters
    ----------
    min_support : float, default=0.4
        The share of baskets that must contain a frequent item set.
    max_length : int or None, default=None
        The largest number of items in an item set; None means no limit.
    max_candidates : int, default=100000
        If a level has more candidates than this, the run is refused before they are counted.

    Attributes
    ----------
    itemsets_, support_, membership_, maximal_, closed_, n_itemsets_, n_candidates_,
    candidates_per_level_, memory_per_level_, peak_memory_
        As in :class:`Apriori`.
    n_passes_ : int
        Always 1.
    n_features_in_ : int
        The number of items seen by ``fit``.

    Notes
    -----
    The lists are kept as one set of bits for each frequent item set, so a candidate costs n / 64
    operations whatever its size, and memory of as many bytes as there are frequent item sets of one
    size times n / 8.

    References
    ----------
    R. Agrawal and R. Srikant (1994), Fast algorithms for mining association rules, section 2.2.

    Examples
    --------
    >>> model = AprioriTid(0.6).fit([[1, 1, 0], [1, 1, 1], [0, 1, 1]])
    >>> model.n_itemsets_, model.n_passes_
    (5, 1)
    """

    _passes: ClassVar[type[Passes]] = TidPasses


class AprioriHybrid(Apriori):
    """Find the frequent item sets with Apriori's passes, then with AprioriTid's lists.

    After each pass, the lists that :class:`AprioriTid` would have are estimated: an entry for each
    basket, and one for each candidate in it. If they are at most ``max_entries``, and fewer item
    sets were frequent than in the pass before, the next pass makes them, and no pass after it reads
    the baskets.

    Parameters
    ----------
    min_support : float, default=0.4
        The share of baskets that must contain a frequent item set.
    max_length : int or None, default=None
        The largest number of items in an item set; None means no limit.
    max_entries : int, default=1000
        How many entries the lists may have: what fits into memory.
    max_candidates : int, default=100000
        If a level has more candidates than this, the run is refused before they are counted.

    Attributes
    ----------
    itemsets_, support_, membership_, maximal_, closed_, n_itemsets_, n_candidates_, n_passes_,
    candidates_per_level_, memory_per_level_, peak_memory_
        As in :class:`Apriori`.
    n_features_in_ : int
        The number of items seen by ``fit``.

    Notes
    -----
    The original decides by the memory that is free; here ``max_entries`` says how much that is.
    Changing over costs one pass in which baskets are read and lists made, so it does not pay before
    the last level but one.

    References
    ----------
    R. Agrawal and R. Srikant (1994), Fast algorithms for mining association rules, section 3.5.

    Examples
    --------
    >>> X = [[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1]]
    >>> AprioriHybrid().fit(X).n_passes_, AprioriHybrid(max_entries=0).fit(X).n_passes_
    (5, 6)
    >>> AprioriTid().fit(X).n_passes_
    1
    """

    PARAMS: ClassVar[dict[str, Param]] = Apriori.PARAMS | {
        "max_entries": Integer(0, 1_000_000_000, shown=(0, 10_000))
    }

    def __init__(
        self,
        min_support: float = 0.4,
        *,
        max_length: int | None = None,
        max_entries: int = 1000,
        max_candidates: int = 100_000,
    ) -> None:
        super().__init__(min_support, max_length=max_length, max_candidates=max_candidates)
        self.max_entries = max_entries

    def _new_passes(self, matrix: NDArray[np.bool_]) -> Passes:
        limits = (self.min_support, self.max_length, self.max_candidates)
        return HybridPasses(matrix, *limits, max_entries=self.max_entries)


def apriori(
    baskets: Baskets, min_support: float = 0.4, max_length: int | None = None
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
        If there is no item, a parameter is out of bounds or there are too many candidates.

    Notes
    -----
    See :class:`Apriori`.

    References
    ----------
    R. Agrawal and R. Srikant (1994), Fast algorithms for mining association rules.

    Examples
    --------
    >>> apriori([{"tea", "milk"}, {"tea"}, {"tea", "milk"}, {"milk"}], 0.5)
    {('milk',): 0.75, ('tea',): 0.75, ('milk', 'tea'): 0.5}
    """
    items, matrix = as_matrix(baskets)
    return Apriori(min_support, max_length=max_length).fit(matrix)._named(items)


def apriori_steps(
    baskets: Baskets, min_support: float = 0.4, max_length: int | None = None
) -> Iterator[AprioriStep]:
    """Yield the steps of Apriori on market baskets.

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
    AprioriStep
        The columns of its candidates are numbers of the items in ascending order.

    Examples
    --------
    >>> [step.phase for step in apriori_steps([{"tea", "milk"}, {"tea"}, {"tea", "milk"}], 0.5)]
    ['count', 'join', 'count', 'join', 'done']
    """
    yield from Apriori(min_support, max_length=max_length).steps(as_matrix(baskets)[1])
