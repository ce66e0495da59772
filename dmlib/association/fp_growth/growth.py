"""One run of FP-growth: the tree grows basket by basket, then conditional trees are opened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.association.bitsets import packed
from dmlib.association.fp_growth.tree import FPTree, Path, conditional, sums
from dmlib.association.itemsets import least_count, long_itemset, working_support
from dmlib.trace import look

ORDERS = ("descending", "ascending", "columns")
MOST_STEPS = 1000  # of baskets that enter


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
    kept : tuple of int
        On "condition" the items of the conditional tree, in its order; empty where none is built.
    found : tuple of (tuple of int, int)
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

    phase: str
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
    kept: Path = ()
    found: tuple[tuple[Path, int], ...] = ()
    reason: str = ""


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
        self.least = least_count(min_support, self.n_baskets)
        self.counts = matrix.sum(axis=0)
        key = {"descending": -self.counts, "ascending": self.counts, "columns": 0 * self.counts}[
            order
        ]
        ranked = np.argsort(key, kind="stable")
        self.order: list[int] = ranked[self.counts[ranked] >= self.least].tolist()
        self.tree = FPTree()
        self.n_itemsets = self.n_entered = self.n_trees = self.n_conditional_nodes = 0

    def steps(self) -> Iterator[FPGrowthStep]:
        """Count, insert all baskets, open one conditional tree after the other."""
        self.refuse_subsets()
        yield self.record("count", tuple(self.order), counts=self.counts)
        yield from self.insert()
        yield from self.mine(self.tree, ())
        sets = "No item is frequent." if not self.order else "Every item of every tree was opened."
        yield self.record("done", (), reason=sets)

    def insert(self) -> Iterator[FPGrowthStep]:
        """Insert all baskets; of many, every few have a step."""
        order, every = np.array(self.order, np.intp), -(-self.n_baskets // MOST_STEPS)
        earlier: list[Path] = []
        for i, row in enumerate(self.matrix[:, order]):
            look()
            items = tuple(order[row].tolist())
            nodes, n_shared = self.tree.insert(items)
            self.n_entered += len(items)
            if (i + 1) % every and i + 1 < self.n_baskets:
                earlier.append(items)
                continue
            counts = np.array([self.tree.count[node] for node in nodes], np.intp)
            details = {"basket": i, "nodes": tuple(nodes), "n_shared": n_shared, "counts": counts}
            yield self.record("insert", items, earlier=tuple(earlier), **details)
            earlier = []

    def mine(self, tree: FPTree, suffix: Path) -> Iterator[FPGrowthStep]:
        """Find the frequent item sets that are of a tree's items and of its suffix."""
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
            kept = tuple(other for other in self.order if counts[other] >= self.least)
            if len(pattern) == self.max_length:
                kept = ()
            inner = conditional(base, set(kept)) if kept else FPTree()
            self.n_trees += bool(kept)
            self.n_conditional_nodes += len(inner)
            found = self.found([(pattern, sum(count for _, count in base))])
            within = np.array([counts[other] for other in range(self.n_items)])
            yield self.record("condition", pattern, counts=within, kept=kept, found=found)
            if kept:
                yield from self.mine(inner, pattern)

    def combine(self, tree: FPTree, suffix: Path) -> FPGrowthStep:
        """Return the step that adds every combination of the items of a single path to a suffix."""
        items, most = tree.chain, self.max_length - len(suffix)
        self.refuse_more_than(sum(comb(len(items), size) for size in range(1, most + 1)))
        sets = [
            ((*(items[i] for i in chosen), *suffix), tree.count[chosen[-1] + 1])
            for size in range(1, min(most, len(items)) + 1)
            for chosen in combinations(range(len(items)), size)
        ]
        return self.record("combine", tuple(items), suffix=suffix, found=self.found(sets))

    def found(self, sets: list[tuple[Path, int]]) -> tuple[tuple[Path, int], ...]:
        """Count frequent item sets; return them with their columns in ascending order."""
        self.refuse_more_than(len(sets))
        self.n_itemsets += len(sets)
        return tuple([(tuple(sorted(items)), count) for items, count in sets])

    def record(self, phase: str, items: Path, **details: Any) -> FPGrowthStep:
        """Return the step that describes how things are now."""
        counted = (
            self.n_itemsets,
            len(self.tree),
            self.n_entered,
            self.n_trees,
            self.n_conditional_nodes,
        )
        return FPGrowthStep(phase, items, *counted, **details)

    # --- too many item sets -----------------------------------------------------------------------

    def refuse_subsets(self) -> None:
        """Raise if the subsets of one frequent item set alone are too many."""
        size = long_itemset(packed(self.matrix), self.least)
        self.refuse_more_than(sum(comb(size, k) for k in range(1, min(size, self.max_length) + 1)))

    def refuse_more_than(self, n_more: int) -> None:
        """Raise if so many further item sets are too many, with what would work."""
        if self.n_itemsets + n_more <= self.max_itemsets:
            return
        support = working_support(
            packed(self.matrix), self.n_baskets, self.max_length, self.max_itemsets, self.least
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
