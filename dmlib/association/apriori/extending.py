"""AIS and SETM: item sets are extended by the items of their baskets, without pruning."""

from __future__ import annotations

from typing import ClassVar

from dmlib.association.apriori.algorithm import Apriori
from dmlib.association.apriori.passes import ExtendingPasses, Passes, SetPasses

__all__ = ["AIS", "SETM"]


class AIS(Apriori):
    """Find the frequent item sets by extending them with items from their baskets (AIS).

    In each pass, a frequent item set that lies in a basket is extended by every frequent item of
    the basket behind its last one. So candidates with an infrequent subset are counted too, as soon
    as one basket contains them.

    Parameters
    ----------
    min_support : float, default=0.4
        The share of baskets that must contain a frequent item set.
    max_length : int or None, default=None
        The largest number of items in an item set; None means no limit.
    max_candidates : int, default=100000
        If a level has more possible extensions than this, the run is refused before they are
        counted.

    Attributes
    ----------
    itemsets_, support_, membership_, maximal_, closed_, n_itemsets_, n_candidates_, n_passes_,
    candidates_per_level_, memory_per_level_, peak_memory_
        As in :class:`Apriori`; there are more candidates.
    n_features_in_ : int
        The number of items seen by ``fit``.

    Notes
    -----
    The cost of a candidate is that of :class:`Apriori`. The original also estimates which
    extensions are worth counting; here all are counted, as in the comparison by the authors of
    Apriori.

    References
    ----------
    R. Agrawal, T. Imielinski and A. Swami (1993), Mining association rules between sets of items in
    large databases. R. Agrawal and R. Srikant (1994), Fast algorithms for mining association rules,
    section 2.3.

    Examples
    --------
    >>> X = [[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [1, 0, 1, 0], [1, 1, 1, 0]]
    >>> AIS(0.4).fit(X).n_candidates_, Apriori(0.4).fit(X).n_candidates_
    (8, 7)
    """

    _passes: ClassVar[type[Passes]] = ExtendingPasses


class SETM(AIS):
    """Find the frequent item sets by joining and sorting tables of candidates (SETM).

    Each basket extends the frequent item sets that were found in it, as in :class:`AIS`. The
    candidates are written down with the number of their basket, and counted by sorting; so the
    table of the next pass is there already.

    Parameters
    ----------
    min_support : float, default=0.4
        The share of baskets that must contain a frequent item set.
    max_length : int or None, default=None
        The largest number of items in an item set; None means no limit.
    max_candidates : int, default=100000
        If a level has more possible extensions than this, the run is refused before they are
        counted.

    Attributes
    ----------
    itemsets_, support_, membership_, maximal_, closed_, n_itemsets_, n_candidates_, n_passes_,
    candidates_per_level_
        As in :class:`AIS`.
    memory_per_level_, peak_memory_
        As in :class:`Apriori`; a candidate is held with the number of its basket as often as it is
        in one.
    n_features_in_ : int
        The number of items seen by ``fit``.

    Notes
    -----
    Candidates and passes are those of :class:`AIS`, and here they are counted as there; the memory
    is that of the table with a row for each candidate in each basket, which the original sorts.

    References
    ----------
    M. Houtsma and A. Swami (1995), Set-oriented mining for association rules in relational
    databases. R. Agrawal and R. Srikant (1994), Fast algorithms for mining association rules,
    section 2.3.

    Examples
    --------
    >>> X = [[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [1, 0, 1, 0], [1, 1, 1, 0]]
    >>> SETM(0.4).fit(X).n_candidates_, SETM(0.4).fit(X).peak_memory_, AIS(0.4).fit(X).peak_memory_
    (8, 20, 6)
    """

    _passes: ClassVar[type[Passes]] = SetPasses
