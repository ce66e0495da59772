"""MSapriori: association rules with a minimum support for each item."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.association.association_rules.algorithm import AssociationRules, RuleMiner
from dmlib.association.association_rules.generation import ROUNDING, Lookup
from dmlib.association.association_rules.ranges import rule_ranges
from dmlib.association.association_rules.rules_table import Levels
from dmlib.association.bitsets import Sets, packed, support_counts
from dmlib.association.itemsets import PrefixTree, join, join_sizes, without
from dmlib.params import Number, Param, Ranges
from dmlib.trace import look

__all__ = ["MultipleSupportApriori", "MultipleSupportStep"]


Phase = Literal["sort", "seed", "pair", "join", "count"]


@dataclass(frozen=True)
class MultipleSupportStep:
    """One step of MSapriori's search for item sets.

    Attributes
    ----------
    phase : {"sort", "seed", "pair", "join", "count"}
        The items are sorted by their minimum supports; those that may be in a frequent pair
        stay; pairs are made; larger candidates are joined and pruned; candidates are counted.
    level : int
        The size of the candidates.
    candidates : ndarray of shape (n, level)
        Columns of their items, the one with the lowest minimum support first.
    counts : ndarray of shape (n,)
        In how many baskets they are; empty before they are counted.
    thresholds : ndarray of shape (n,)
        The minimum support of each: that of its first item.
    frequent : ndarray of bool of shape (n,)
        On "count" whether it is reached; on "seed" whether the item stays; on "join" whether the
        candidate stays.
    missing : ndarray of shape (n,)
        On "join" the place of the item without which the candidate is an infrequent item set that
        matters; -1 for none.
    """

    phase: Phase
    level: int
    candidates: Sets
    counts: NDArray[np.intp]
    thresholds: NDArray[np.float64]
    frequent: NDArray[np.bool_]
    missing: NDArray[np.intp]


class MultipleSupportApriori(RuleMiner):
    r"""Find association rules with a minimum support for each item (MSapriori).

    One minimum support for all items either loses the rules of rare items or finds too many of
    frequent ones. Here an item set is frequent if its support reaches the *lowest* minimum item
    support (MIS) of its items. Then a subset of a frequent set may be infrequent: the one without
    the item of the lowest MIS has a higher threshold. With the items of each set sorted by their
    MIS, all its other subsets are frequent, and that is enough to join and to prune.

    Parameters
    ----------
    min_supports : mapping, array-like of shape (n_items,) or None, default=None
        The minimum support of each item, as a share of the baskets; items that a mapping does not
        name, and with None all, have ``max(beta * support, least_support)``.
    beta : float, default=0.5
        How much of an item's own support its minimum support is.
    least_support : float, default=0.05
        The lowest minimum support.
    min_confidence : float, default=0.6
        The share of the baskets with the antecedent that must hold the consequent too.
    metric : str, default="lift"
        A further measure by which rules are filtered: "confidence", "lift", "leverage",
        "conviction", "zhangs_metric", "kulczynski" or "imbalance_ratio".
    min_threshold : float, default=0.0
        What a rule's ``metric`` must reach.
    correction : {"none", "bonferroni", "holm", "fdr_bh"}, default="holm"
        How the p-values of Fisher's exact test are corrected for the number of rules that were
        tested.
    significant_only : bool, default=False
        Whether a rule is dropped if its corrected p-value is above ``alpha``.
    alpha : float, default=0.05
        The level of significance.
    drop_redundant : bool, default=False
        Whether a rule is dropped if a more general one, with fewer items in its antecedent and the
        same consequent, has at least its confidence, and so at least its lift.
    max_length : int or None, default=None
        The largest number of items in a rule; None means no limit.
    max_rules : int, default=100000
        If more candidates of one size are to be counted or more rules to be tested, the run is
        refused.

    Attributes
    ----------
    min_supports_ : ndarray of shape (n_items,)
        The minimum support of each item.
    rules_, measures_, itemsets_, support_, n_rules_, n_tested_, n_itemsets_
        As in :class:`AssociationRules`.
    n_features_in_ : int
        The number of items seen by ``fit``.

    Raises
    ------
    ValueError
        If a parameter is out of bounds, or there are too many candidates or rules.

    Notes
    -----
    An antecedent need not be frequent; the baskets are then read once more to count it (the
    *head-item problem*). Items of equal minimum support are in the order of the columns.

    References
    ----------
    B. Liu, W. Hsu and Y. Ma (1999), Mining association rules with multiple minimum supports. *KDD*,
    337-341.

    Examples
    --------
    >>> X = [[1, 1, 1]] + 3 * [[1, 1, 0]] + 6 * [[1, 0, 0]] + 6 * [[0, 1, 0]] + [[0, 0, 1]]
    >>> model = MultipleSupportApriori([5 / 17, 5 / 17, 1 / 17]).fit(X)
    >>> (0, 1) in model.itemsets_, (0, 1, 2) in model.itemsets_
    (False, True)
    """

    RANGES: ClassVar[Ranges] = staticmethod(rule_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "beta": Number(0.0, 1.0, step=0.01),
        "least_support": Number(1e-6, 1.0, shown=(0.01, 1.0), step=0.01),
        **{name: spec for name, spec in AssociationRules.PARAMS.items() if name != "min_support"},
    }

    def __init__(
        self,
        min_supports: Mapping[Hashable, float] | ArrayLike | None = None,
        *,
        beta: float = 0.5,
        least_support: float = 0.05,
        min_confidence: float = 0.6,
        metric: str = "lift",
        min_threshold: float = 0.0,
        correction: str = "holm",
        significant_only: bool = False,
        alpha: float = 0.05,
        drop_redundant: bool = False,
        max_length: int | None = None,
        max_rules: int = 100_000,
    ) -> None:
        self.min_supports = min_supports
        self.beta = beta
        self.least_support = least_support
        self.min_confidence = min_confidence
        self.metric = metric
        self.min_threshold = min_threshold
        self.correction = correction
        self.significant_only = significant_only
        self.alpha = alpha
        self.drop_redundant = drop_redundant
        self.max_length = max_length
        self.max_rules = max_rules

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Find the rules of baskets, the rows of ``X``; ``y`` is ignored."""
        super().fit(X)
        names = list(getattr(self, "feature_names_in_", range(self.n_features_in_)))
        self.min_supports_ = self._thresholds(np.asarray(X) != 0, names)
        return self

    def _mine_itemsets(
        self, matrix: NDArray[np.bool_], names: list[Any]
    ) -> Generator[MultipleSupportStep, None, Levels]:
        """Yield the steps of the search; return the frequent item sets with their counts."""
        passes = Passes(matrix, self._thresholds(matrix, names), self.max_length, self.max_rules)
        yield from passes.steps()
        return [_by_columns(sets, counts) for sets, counts in passes.levels]

    def _lookup(self, matrix: NDArray[np.bool_], levels: Levels) -> Lookup:
        """Return a lookup that counts item sets that are not frequent."""
        bits = packed(matrix)
        return lambda sets: support_counts(bits, sets).astype(float)

    def _thresholds(self, matrix: NDArray[np.bool_], names: list[Any]) -> NDArray[np.float64]:
        """Return the minimum support of each item."""
        usual: NDArray[np.float64] = np.maximum(self.beta * matrix.mean(axis=0), self.least_support)
        supports = usual if self.min_supports is None else self.min_supports
        if isinstance(supports, Mapping):
            for item in supports:
                if item not in names:
                    raise ValueError(
                        f"min_supports names {item!r}, which occurs in no basket. Remove it."
                    )
            supports = [*(dict(zip(names, usual.tolist(), strict=True)) | dict(supports)).values()]
        supports = np.asarray(supports, float)
        if supports.shape != usual.shape or not ((supports >= 0) & (supports <= 1)).all():
            raise ValueError(
                f"min_supports must be a number from 0 to 1 for each of the {len(usual)} items."
            )
        return supports


class Passes:
    """One run of MSapriori. Within, an item is its place in the order of the minimum supports."""

    def __init__(
        self,
        matrix: NDArray[np.bool_],
        thresholds: NDArray[np.float64],
        max_length: int | None,
        max_candidates: int,
    ) -> None:
        self.columns = np.argsort(thresholds, kind="stable")
        self.thresholds, self.n_baskets = thresholds[self.columns], len(matrix)
        self.bits = packed(matrix[:, self.columns])
        self.max_length, self.max_candidates = max_length, max_candidates
        self.tree = PrefixTree(len(thresholds))
        self.levels: Levels = []

    def steps(self) -> Iterator[MultipleSupportStep]:
        """Go on while there are candidates."""
        items = np.arange(len(self.columns))[:, None]
        counts = support_counts(self.bits, items)
        yield self.record("sort", items, counts)
        reached = np.flatnonzero(self.enough(counts, self.thresholds))
        first = reached[0] if len(reached) else len(items) - 1
        seed = (items[:, 0] >= first) & self.enough(counts, self.thresholds[first])
        yield self.record("seed", items, counts, frequent=seed)
        last = self.keep(items, counts)
        while len(last) and last.shape[1] != self.max_length:
            look()
            if last.shape[1] == 1:
                candidates = self.pairs(last[:, 0], np.flatnonzero(seed), counts)
                yield self.record("pair", candidates)
            else:
                self.refuse(int(join_sizes(last).sum()))
                joined, missing = self.joined(last)
                yield self.record("join", joined, missing=missing, frequent=missing < 0)
                candidates = joined[missing < 0]
            if not len(candidates):
                break
            counted = support_counts(self.bits, candidates)
            frequent = self.frequent(candidates, counted)
            yield self.record("count", candidates, counted, frequent=frequent)
            last = self.keep(candidates, counted)

    def pairs(
        self, firsts: NDArray[np.intp], seed: NDArray[np.intp], counts: NDArray[np.intp]
    ) -> Sets:
        """Return each frequent item with each later item that reaches its threshold."""
        self.refuse(len(firsts) * len(seed))
        first, second = (side.ravel() for side in np.meshgrid(firsts, seed, indexing="ij"))
        is_pair = (second > first) & self.enough(counts[second], self.thresholds[first])
        return np.stack([first[is_pair], second[is_pair]], axis=1)

    def joined(self, last: Sets) -> tuple[Sets, NDArray[np.intp]]:
        """Return the joined candidates, and which subset of each is infrequent.

        It is the one without the item at this place; -1 if there is none that matters.
        """
        pairs = join(last)
        joined = np.hstack([last[pairs[:, 0]], last[pairs[:, 1], -1:]])
        missing = np.full(len(joined), -1)
        same = self.thresholds[joined[:, 0]] == self.thresholds[joined[:, 1]]
        for position in reversed(range(joined.shape[1])):
            # Without its first item a set has a higher threshold, unless the second one's is the
            # same.
            matters = same if position == 0 else np.ones(len(joined), bool)
            missing[matters & (self.tree.find(without(joined, position)) < 0)] = position
        return joined, missing

    def keep(self, candidates: Sets, counts: NDArray[np.intp]) -> Sets:
        """Take the frequent candidates over as a level, and return them."""
        frequent = self.frequent(candidates, counts)
        self.levels.append((self.columns[candidates[frequent]], counts[frequent].astype(float)))
        self.tree.grow(candidates[frequent])
        return candidates[frequent]

    def frequent(self, candidates: Sets, counts: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return which candidates reach the threshold of their first item."""
        return self.enough(counts, self.thresholds[candidates[:, 0]])

    def enough(self, counts: NDArray[np.intp], threshold: Any) -> NDArray[np.bool_]:
        """Return which counts reach a threshold, up to the rounding of a quotient."""
        return np.asarray(counts / self.n_baskets >= threshold - ROUNDING)

    def refuse(self, n_candidates: int) -> None:
        """Raise if the next level has too many candidates."""
        if n_candidates > self.max_candidates:
            raise ValueError(
                f"There would be {n_candidates:,} candidates, more than {self.max_candidates:,}."
                " Raise least_support or beta, or set max_length to a smaller number."
            )

    def record(
        self,
        phase: Phase,
        candidates: Sets,
        counts: NDArray[np.intp] | None = None,
        *,
        frequent: NDArray[np.bool_] | None = None,
        missing: NDArray[np.intp] | None = None,
    ) -> MultipleSupportStep:
        """Return a step in terms of columns."""
        empty = np.empty(0, np.intp)
        return MultipleSupportStep(
            phase=phase,
            level=candidates.shape[1],
            candidates=self.columns[candidates],
            counts=empty if counts is None else counts,
            thresholds=self.thresholds[candidates[:, 0]],
            frequent=np.empty(0, bool) if frequent is None else frequent,
            missing=empty if missing is None else missing,
        )


def _by_columns(sets: Sets, counts: NDArray[np.float64]) -> tuple[Sets, NDArray[np.float64]]:
    """Return item sets with ascending items, in lexicographic order."""
    ascending = np.sort(sets, axis=1)
    order = np.lexsort(ascending.T[::-1])
    return ascending[order], counts[order]
