"""The remaining nodes and regions of a grown tree after a step of pruning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dmlib.arrays import Ints
from dmlib.cached import cached_property
from dmlib.classification.tree_drawing_scene import Subtree
from dmlib.classification.tree_regions_scene import Box, divide, leaf_boxes, whole_panel
from dmlib.pictures.marks import Rects
from dmlib.pictures.regions import region_panel, surest
from dmlib.problem import Problem
from dmlib.trees.tree import Tree

FAINT, STRONG = 0.10, 0.36  # opacity of a region with even classes, and of one with a single class

Boxes = Mapping[int, tuple[Box, ...]]


class GrownTree:
    """A grown tree, in which the nodes of pruned trees have their places.

    Parameters
    ----------
    tree : Tree
        The grown tree.
    problem : Problem
        The data.
    codes : sequence of int
        The codes of its classes.
    """

    def __init__(self, tree: Tree, problem: Problem, codes: Sequence[int]) -> None:
        self.tree, self.problem, self.codes = tree, problem, codes
        self._place = {number: place for place, number in enumerate(tree.numbers.tolist())}

    def places(self, pruned: Tree) -> Ints:
        """Return the place in the grown tree of each node of a pruned one."""
        return np.array([self._place[number] for number in pruned.numbers.tolist()], np.intp)

    def subtree(self, pruned: Tree) -> Subtree:
        """Return the nodes of the grown tree that a pruned one has."""
        n, places = self.tree.node_count, self.places(pruned)
        present, is_leaf = np.zeros(n, bool), np.zeros(n, bool)
        parents = np.full(n, -1, np.intp)
        present[places] = True
        is_leaf[places] = pruned.is_leaf
        parents[places] = np.where(pruned.parents >= 0, places[pruned.parents], -1)
        return Subtree(present, parents, is_leaf)

    def regions(self, pruned: Tree) -> Rects:
        """Return the boxes of the leaves of a pruned tree, whose opacity is their purity."""
        leaves = np.flatnonzero(pruned.is_leaf)
        boxes_of, keys = self._boxes, self.places(pruned)[leaves]
        if self._has_raised(pruned):
            panel, keys = region_panel(self.problem), leaves
            boxes_of, _ = leaf_boxes(pruned, panel, self.problem.plane)
        boxes = [boxes_of.get(key, ()) for key in keys.tolist()]
        corners = [(box.x0, box.x1, box.y0, box.y1) for part in boxes for box in part]
        x0, x1, y0, y1 = np.array(corners, float).reshape(-1, 4).T
        nodes = np.repeat(leaves, [len(part) for part in boxes])
        _, lead = surest(pruned.value[:, 0])
        return Rects(
            x0=x0,
            x1=x1,
            y0=y0,
            y1=y1,
            color=np.array(self.codes, np.uint8)[pruned.predictions[nodes]],
            opacity=FAINT + (STRONG - FAINT) * lead[nodes],
        )

    def _has_raised(self, pruned: Tree) -> bool:
        """Return whether a node of a pruned tree has the split of another node."""
        inner = ~pruned.is_leaf
        places = self.places(pruned)[inner]
        columns = pruned.feature[inner] == self.tree.feature[places]
        cuts = np.nan_to_num(pruned.threshold[inner]) == np.nan_to_num(self.tree.threshold[places])
        return not bool((columns & cuts).all())

    @cached_property
    def _boxes(self) -> Boxes:
        """The boxes of all nodes of the grown tree, by their places."""
        tree, boxes = self.tree, {0: whole_panel(region_panel(self.problem))}
        for node in range(tree.node_count):
            split = tree.splits.split(node)
            branches: tuple[tuple[Box, ...], ...] = ((),) * tree.children.shape[1]
            if split is not None and boxes[node]:
                branches = divide(boxes[node], split, self.problem.plane).branches
            below = zip(tree.children[node].tolist(), branches, strict=False)
            boxes |= {child: part for child, part in below if child >= 0}
        return boxes
