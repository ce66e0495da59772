"""A run of FP-growth gone through once more: what the tree looks like at a step, and the trees that were opened."""

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
        self.kept = {step.items: set(step.kept) for step in steps if step.phase == "condition"}
        self._trees: dict[Path, FPTree] = {}

    @cached_property
    def tree(self) -> FPTree:
        """The FP-tree of all baskets that have entered."""
        tree = FPTree()
        for step in self.steps:
            _enter(tree, step)
        return tree

    def counts(self, shown: Sequence[int]) -> NDArray[np.intp]:
        """Return the count of each node after some steps, shape (n_shown, n_nodes + 1); 0 where there is none yet."""
        found = np.zeros((len(shown), len(self.tree) + 1), np.intp)
        tree, start = FPTree(), 0
        for row, end in zip(found, shown, strict=True):
            for step in self.steps[start : end + 1]:
                _enter(tree, step)
            row[: len(tree) + 1] = tree.count
            start = end + 1
        return found

    def opened(self, suffix: Path) -> FPTree:
        """Return the conditional tree of an item set, the latest item first; of the empty one, the FP-tree."""
        if not suffix:
            return self.tree
        if suffix not in self._trees:
            self._trees[suffix] = conditional(self.base(suffix), self.kept[suffix])
        return self._trees[suffix]

    def base(self, pattern: Path) -> list[tuple[Path, int]]:
        """Return the conditional pattern base of an item set, the latest item first."""
        return self.opened(pattern[1:]).base(pattern[0])

    def holding(self, pattern: Path) -> list[int]:
        """Return the nodes of the FP-tree, of an item set's last item in the order, whose paths hold all of it.

        The counts of these nodes add up to the number of its baskets.
        """
        tree = self.tree
        *others, last = (
            pattern  # items are opened from the end of the order, so the first opened is the lowest
        )
        wanted = set(others)
        return [
            node
            for node in tree.links[last]
            if wanted <= {tree.item[above] for above in tree.above(node)}
        ]


def _enter(tree: FPTree, step: FPGrowthStep) -> None:
    """Insert the baskets of a step."""
    if step.phase == "insert":
        for items in (*step.earlier, step.items):
            tree.insert(items)
