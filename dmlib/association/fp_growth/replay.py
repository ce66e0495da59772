"""The trees of a run of FP-growth: the FP-tree at each step, and the conditional trees."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dmlib.association.fp_growth.growth import FPGrowthStep
from dmlib.association.fp_growth.tree import FPTree, Path, conditional
from dmlib.cached import cached_property


class Replay:
    """The trees of a run.

    Parameters
    ----------
    steps : sequence of FPGrowthStep
        The run, or the beginning of one.
    """

    def __init__(self, steps: Sequence[FPGrowthStep]) -> None:
        self.steps = steps
        self.tree_items = {s.items: set(s.tree_items) for s in steps if s.phase == "condition"}
        self._trees: dict[Path, FPTree] = {}

    @cached_property
    def tree(self) -> FPTree:
        """The FP-tree of all baskets that have entered."""
        tree = FPTree()
        for step in self.steps:
            _enter(tree, step)
        return tree

    @cached_property
    def itemsets(self) -> list[tuple[Path, int]]:
        """The frequent item sets with their numbers of baskets, the most frequent first."""
        itemsets = [pair for step in self.steps for pair in step.new_itemsets]
        return sorted(itemsets, key=lambda pair: (-pair[1], pair))

    def counts(self, numbers: Sequence[int]) -> NDArray[np.intp]:
        """Return the count of each node after the steps with these numbers.

        Returns
        -------
        ndarray of shape (n_steps, n_nodes + 1)
            0 for nodes that do not exist yet; node 0 is the root.
        """
        counts = np.zeros((len(numbers), len(self.tree) + 1), np.intp)
        tree, start = FPTree(), 0
        for row, end in zip(counts, numbers, strict=True):
            for step in self.steps[start : end + 1]:
                _enter(tree, step)
            row[: len(tree) + 1] = tree.count
            start = end + 1
        return counts

    def conditional_tree(self, suffix: Path) -> FPTree:
        """Return the conditional tree of an item set, its latest item first; of (), the FP-tree."""
        if not suffix:
            return self.tree
        if suffix not in self._trees:
            self._trees[suffix] = conditional(self.base(suffix), self.tree_items[suffix])
        return self._trees[suffix]

    def base(self, pattern: Path) -> list[tuple[Path, int]]:
        """Return the conditional pattern base of an item set, the latest item first."""
        return self.conditional_tree(pattern[1:]).base(pattern[0])

    def holding(self, pattern: Path) -> list[int]:
        """Return the nodes of the FP-tree whose prefix paths hold an item set.

        They are nodes of its last item in the order; their counts add up to the number of baskets
        that contain the item set.
        """
        tree = self.tree
        *prefix, last = pattern  # items are opened from the end of the order
        return [
            node
            for node in tree.links[last]
            if set(prefix) <= {tree.item[above] for above in tree.above(node)}
        ]


def _enter(tree: FPTree, step: FPGrowthStep) -> None:
    """Insert the baskets of a step."""
    if step.phase == "insert":
        for items in (*step.earlier, step.items):
            tree.insert(items)
