"""One run of FP-growth: the tree grows basket by basket, then conditional trees are opened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from math import ceil, comb
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dmlib.association.bitsets import packed
from dmlib.association.fp_growth.tree import FPTree, Path, conditional, sums
from dmlib.association.itemsets import least_count, long_itemset, working_support
from dmlib.trace import look

ORDERS = ("descending", "ascending", "columns")
MAX_STEPS = 1000  # of baskets that enter

Phase = Literal["count", "insert", "condition", "combine", "done"]


@dataclass(frozen=True)
class FPGrowthStep:
    """One step of FP-growth.

    Attributes
    ----------
    phase : {"count", "insert", "condition", "combine", "done"}
        The items are counted and ordered; a basket enters the tree; an item's conditional pattern
        base is summed, and its conditional tree built; the items of a tree that is a single path
        are combined; nothing is left to do.
    items : tuple of int
        Columns. On "count" the frequent items in the order of the tree; on "insert" those of the
        basket; on "condition" the item set whose conditional tree it is, the latest item first; on
        "combine" the items of the single path.
    suffix : tuple of int
        On "combine" the item set that all combinations are added to.
    basket : int
        On "insert" the row of the basket; else -1.
    nodes : tuple of int
        On "insert" the nodes that the basket goes through.
    n_shared : int
        On "insert" how many of these were there before.
    counts : ndarray of int
        On "count" in how many baskets each item is, on "condition" in how many of the conditional
        pattern base, shape (n_items,); on "insert" the counts of the nodes with this basket.
    tree_items : tuple of int
        On "condition" the items of the conditional tree, in its order; empty where none is built.
    new_itemsets : tuple of (tuple of int, int)
        The frequent item sets that this step finds, columns in ascending order, with the number of
        their baskets.
    earlier : tuple of tuple of int
        On "insert" the items of the baskets that have entered before this one without a step of
        their own: of more than 1,000 baskets, only every few have one.
    n_itemsets, n_nodes, n_items, n_trees, n_conditional_nodes : int
        So far: how many frequent item sets were found, nodes the FP-tree has, frequent items the
        baskets had that have entered, conditional trees were built, and nodes these have together.
    reason : str
        On "done": why it ends, as a sentence.
    """

    phase: Phase
    items: Path
    n_itemsets: int
    n_nodes: int
    n_items: int
    n_trees: int
    n_conditional_nodes: int
    suffix: Path = ()
    basket: int = -1
    nodes: Path = ()
    earlier: tuple[Path, ...] = ()
    n_shared: int = 0
    counts: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp))
    tree_items: Path = ()
    new_itemsets: tuple[tuple[Path, int], ...] = ()
    reason: str = ""

    @property
    def pattern(self) -> Path:
        """The item set whose conditional tree is opened; empty for the FP-tree."""
        return self.items if self.phase == "condition" else self.suffix


class Growth:
    """One run of FP-growth over a matrix of baskets.

    Parameters
    ----------
    matrix : ndarray of bool of shape (n_baskets, n_items)
        Which item lies in which basket.
    min_support : float
        The share of baskets that contains a frequent item set.
    max_length : int or None
        The largest size of an item set.
    order : str
        One of ``ORDERS``.
    max_itemsets : int
        More frequent item sets are refused.
    """

    def __init__(
        self,
        matrix: NDArray[np.bool_],
        min_support: float,
        max_length: int | None,
        order: str,
        max_itemsets: int,
    ) -> None:
        self.matrix, self.min_support = matrix, min_support
        self.n_baskets, self.n_items = matrix.shape
        self.max_length = max_length or self.n_items
        self.max_itemsets = max_itemsets
        self.min_count = least_count(min_support, self.n_baskets)
        self.counts = matrix.sum(axis=0)
        sign = {"descending": -1, "ascending": 1, "columns": 0}[order]
        ranked = np.argsort(sign * self.counts, kind="stable")
        self.order: list[int] = ranked[self.counts[ranked] >= self.min_count].tolist()
        self.tree = FPTree()
        self.n_itemsets = self.n_entered = self.n_trees = self.n_conditional_nodes = 0

    def steps(self) -> Iterator[FPGrowthStep]:
        """Count, insert all baskets, open one conditional tree after the other."""
        self.refuse_subsets()
        yield self.record("count", tuple(self.order), counts=self.counts)
        yield from self.insert()
        yield from self.mine_tree(self.tree, ())
        reason = "Every item of every tree was opened." if self.order else "No item is frequent."
        yield self.record("done", (), reason=reason)

    def insert(self) -> Iterator[FPGrowthStep]:
        """Insert all baskets; of many, every few have a step."""
        order = np.array(self.order, np.intp)
        stride = ceil(self.n_baskets / MAX_STEPS)
        earlier: list[Path] = []
        for i, row in enumerate(self.matrix[:, order]):
            look()
            items = tuple(order[row].tolist())
            nodes, n_shared = self.tree.insert(items)
            self.n_entered += len(items)
            if (i + 1) % stride and i + 1 < self.n_baskets:
                earlier.append(items)
                continue
            yield self.record(
                "insert",
                items,
                basket=i,
                nodes=tuple(nodes),
                earlier=tuple(earlier),
                n_shared=n_shared,
                counts=np.array([self.tree.count[node] for node in nodes], np.intp),
            )
            earlier = []

    def mine_tree(self, tree: FPTree, suffix: Path) -> Iterator[FPGrowthStep]:
        """Find the frequent item sets of a tree's items, each with the suffix."""
        look()
        if tree.chain:
            yield self.combine(tree, suffix)
            return
        for item in reversed(self.order):
            if item not in tree.links:
                continue
            pattern = (item, *suffix)
            base = tree.base(item)
            counts = sums(base)
            tree_items = tuple(j for j in self.order if counts[j] >= self.min_count)
            if len(pattern) == self.max_length:
                tree_items = ()
            inner = conditional(base, set(tree_items)) if tree_items else FPTree()
            self.n_trees += bool(tree_items)
            self.n_conditional_nodes += len(inner)
            yield self.record(
                "condition",
                pattern,
                counts=np.array([counts[j] for j in range(self.n_items)]),
                tree_items=tree_items,
                new_itemsets=self.frequent([(pattern, sum(count for _, count in base))]),
            )
            if tree_items:
                yield from self.mine_tree(inner, pattern)

    def combine(self, tree: FPTree, suffix: Path) -> FPGrowthStep:
        """Return the step that adds every combination of the items of a single path to a suffix."""
        items = tree.chain
        max_size = min(self.max_length - len(suffix), len(items))
        sizes = range(1, max_size + 1)
        self.refuse_more_than(sum(comb(len(items), size) for size in sizes))
        sets = [
            ((*(items[i] for i in chosen), *suffix), tree.count[chosen[-1] + 1])
            for size in sizes
            for chosen in combinations(range(len(items)), size)
        ]
        return self.record("combine", tuple(items), suffix=suffix, new_itemsets=self.frequent(sets))

    def frequent(self, sets: list[tuple[Path, int]]) -> tuple[tuple[Path, int], ...]:
        """Count item sets as frequent; return them with their columns in ascending order."""
        self.refuse_more_than(len(sets))
        self.n_itemsets += len(sets)
        return tuple([(tuple(sorted(items)), count) for items, count in sets])

    def record(self, phase: Phase, items: Path, **details: Any) -> FPGrowthStep:
        """Return a step with the counts so far."""
        counts_so_far = (
            self.n_itemsets,
            len(self.tree),
            self.n_entered,
            self.n_trees,
            self.n_conditional_nodes,
        )
        return FPGrowthStep(phase, items, *counts_so_far, **details)

    # --- too many item sets -----------------------------------------------------------------------

    def refuse_subsets(self) -> None:
        """Raise if the subsets of one frequent item set alone are too many."""
        size = long_itemset(packed(self.matrix), self.min_count)
        self.refuse_more_than(sum(comb(size, k) for k in range(1, min(size, self.max_length) + 1)))

    def refuse_more_than(self, n_more: int) -> None:
        """Raise if so many further item sets are too many, with what would work."""
        if self.n_itemsets + n_more <= self.max_itemsets:
            return
        support = working_support(
            packed(self.matrix), self.n_baskets, self.max_length, self.max_itemsets, self.min_count
        )
        advice = (
            f"Raise min_support to {support:g}, or lower max_length."
            if support
            else "Lower max_length."
        )
        raise ValueError(
            f"At least {self.n_itemsets + n_more:,} item sets are frequent, more than"
            f" {self.max_itemsets:,}. {advice}"
        )
