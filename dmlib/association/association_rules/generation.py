"""The second phase: rules from frequent item sets, consequent by consequent (ap-genrules)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dmlib.association.bitsets import Sets
from dmlib.association.itemsets import PrefixTree, join, join_sizes, without
from dmlib.trace import look

Counts = NDArray[np.intp]
Lookup = Callable[[Sets], NDArray[np.float64]]
"""Item sets of one size -> in how many baskets each is (or in which share of them)."""

ROUNDING = 1e-12  # by which a quotient of supports may miss the number that it stands for
Phase = Literal["itemsets", "single", "join", "done"]


@dataclass(frozen=True)
class RuleStep:
    """One step of the generation of rules: the consequents of one size of one item set.

    Attributes
    ----------
    phase : {"itemsets", "single", "join", "done"}
        All item sets are mined; an item set's consequents of one item are tested; larger ones,
        joined from those that have enough confidence; all rules are found, and filtered.
    itemset : tuple of int
        The items that the rules are made of: columns.
    count : float
        In how many baskets they all are.
    consequents : ndarray of shape (n, m)
        The consequents that are tested; the antecedents are the other items.
    antecedent_counts, consequent_counts : ndarray of shape (n,)
        In how many baskets these are.
    confident : ndarray of bool of shape (n,)
        Whether the confidence is enough.
    n_pruned : int
        On "join" how many consequents of this size need no test: some smaller consequent in them
        has failed.
    retained : ndarray of bool of shape (n_confident,)
        On "done" which rules, in the order in which they were found, pass the filters.
    n_itemsets, n_tested, n_rules : int
        How many item sets are frequent, rules were tested and found so far; on "done" those that
        pass the filters.
    reason : str
        On "done" why there are no rules, if there are none.
    """

    phase: Phase
    itemset: tuple[int, ...] = ()
    count: float = 0
    consequents: Sets = field(default_factory=lambda: np.empty((0, 1), np.intp))
    antecedent_counts: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    consequent_counts: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    confident: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, bool))
    n_pruned: int = 0
    retained: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, bool))
    n_itemsets: int = 0
    n_tested: int = 0
    n_rules: int = 0
    reason: str = ""


@dataclass(frozen=True)
class Tested:
    """All rules of one size of item set and one size of consequent that were tested.

    Attributes
    ----------
    of : ndarray of shape (n,)
        The number of the item set among those of its size.
    antecedents, consequents : ndarray of shape (n, k - m), (n, m)
        Columns of the items.
    counts, antecedent_counts, consequent_counts : ndarray of shape (n,)
        In how many baskets all items, the antecedent and the consequent are.
    confident : ndarray of bool of shape (n,)
        Whether the confidence is enough.
    """

    of: Counts
    antecedents: Sets
    consequents: Sets
    counts: NDArray[np.float64]
    antecedent_counts: NDArray[np.float64]
    consequent_counts: NDArray[np.float64]
    confident: NDArray[np.bool_]

    def rules(self) -> Iterator[tuple[int, list[int], list[int]]]:
        """Yield the rules: the number of the item set, the antecedent and the consequent."""
        sides = (self.of, self.antecedents, self.consequents)
        yield from zip(*(side[self.confident].tolist() for side in sides), strict=True)


class TooManyRulesError(ValueError):
    """More rules would be tested than are allowed."""


class Generation:
    """One run of ap-genrules over frequent item sets.

    Parameters
    ----------
    levels : sequence of (ndarray of shape (n, k), ndarray of shape (n,))
        The frequent item sets of each size from 1, with their counts. The items of a set ascend.
    lookup : callable
        The counts of any subsets of them.
    n_items : int
        All items are less.
    min_confidence : float
        What is enough.
    max_rules : int
        More tested rules are refused.
    """

    def __init__(
        self,
        levels: Sequence[tuple[Sets, NDArray[np.float64]]],
        lookup: Lookup,
        n_items: int,
        min_confidence: float,
        max_rules: int,
    ) -> None:
        self.levels, self.lookup, self.n_items = levels, lookup, n_items
        self.min_confidence, self.max_rules = min_confidence, max_rules
        self.n_itemsets = sum(len(sets) for sets, _ in levels)
        self.n_tested = 0
        self.tested: list[list[Tested]] = []
        """For each size of item set from 2 on, the tests: consequents of one item, of two ..."""

    def steps(self) -> Iterator[RuleStep]:
        """Test the rules of one item set after the other."""
        n_tested = n_rules = 0
        yield RuleStep("itemsets", n_itemsets=self.n_itemsets)
        for sets, counts in self.levels[1:]:
            parts = self.test_all(sets, counts)
            ends = [np.searchsorted(part.of, np.arange(len(sets) + 1)) for part in parts]
            for i, items in enumerate(sets.tolist()):
                look()
                for m, (part, end) in enumerate(zip(parts, ends, strict=True), start=1):
                    rows = slice(end[i], end[i + 1])
                    n_consequents = end[i + 1] - end[i]
                    n_tested += n_consequents
                    n_rules += int(part.confident[rows].sum())
                    yield RuleStep(
                        phase="single" if m == 1 else "join",
                        itemset=tuple(items),
                        count=counts[i],
                        consequents=part.consequents[rows],
                        antecedent_counts=part.antecedent_counts[rows],
                        consequent_counts=part.consequent_counts[rows],
                        confident=part.confident[rows],
                        n_pruned=comb(len(items), m) - n_consequents,
                        n_itemsets=self.n_itemsets,
                        n_tested=n_tested,
                        n_rules=n_rules,
                    )
                    if not n_consequents:
                        break

    def run(self) -> None:
        """Test the rules of all item sets."""
        for sets, counts in self.levels[1:]:
            self.test_all(sets, counts)

    def test_all(self, sets: Sets, counts: NDArray[np.float64]) -> list[Tested]:
        """Test the rules of all item sets of one size, larger consequents after smaller ones."""
        n, k = sets.shape
        of = np.repeat(np.arange(n), k)
        consequents = sets.reshape(-1, 1)
        tree = PrefixTree(self.n_items)
        tree.grow(np.arange(n)[:, None])
        parts: list[Tested] = []
        for m in range(1, k):
            look()
            part = self.test(sets, counts, of, consequents)
            parts.append(part)
            # With the number of its item set before it, a consequent is joined only to those of the
            # same item set.
            enough = np.hstack([of[:, None], consequents])[part.confident]
            tree.grow(enough)
            if m + 1 < k:
                of, consequents = self.joined(enough, tree)
        self.tested.append(parts)
        return parts

    def joined(self, enough: Sets, tree: PrefixTree) -> tuple[Counts, Sets]:
        """Return the consequents with one item more whose subsets all have enough confidence."""
        self.refuse(int(join_sizes(enough).sum()))
        pairs = join(enough)
        rows = np.hstack([enough[pairs[:, 0]], enough[pairs[:, 1], -1:]])
        passes = np.ones(len(rows), bool)
        for position in range(1, rows.shape[1] - 2):
            passes &= tree.find(without(rows, position)) >= 0
        return rows[passes, 0], rows[passes, 1:]

    def test(
        self, sets: Sets, counts: NDArray[np.float64], of: Counts, consequents: Sets
    ) -> Tested:
        """Look up the counts of antecedents and consequents, and compare the confidences."""
        self.refuse(len(of))
        itemsets = sets[of]
        outside = ~(itemsets[:, :, None] == consequents[:, None, :]).any(axis=2)
        antecedents = itemsets[outside].reshape(len(of), sets.shape[1] - consequents.shape[1])
        antecedent_counts = self.lookup(antecedents)
        self.n_tested += len(of)
        return Tested(
            of=of,
            antecedents=antecedents,
            consequents=consequents,
            counts=counts[of],
            antecedent_counts=antecedent_counts,
            consequent_counts=self.lookup(consequents),
            confident=counts[of] / antecedent_counts >= self.min_confidence - ROUNDING,
        )

    def refuse(self, n_rules: int) -> None:
        """Raise if too many rules would be tested, with what would help."""
        if self.n_tested + n_rules > self.max_rules:
            raise TooManyRulesError(
                f"More than {self.max_rules:,} rules would be tested."
                " Raise min_support or min_confidence, or set max_length to a smaller number."
            )
