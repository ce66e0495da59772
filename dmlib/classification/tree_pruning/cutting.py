"""A grown tree while its subtrees are pruned, and the comparison of a method at a node."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.trace import look
from dmlib.trees.tree import Tree

ROUNDING = 1e-9
"""The left side may exceed the right one by the rounding error of equal numbers."""


Action = Literal["keep", "prune", "raise"]


@dataclass(frozen=True)
class Comparison:
    """A comparison at a node, whose subtree is pruned where the left side is not larger.

    Attributes
    ----------
    node : int
        The node, by its place in the grown tree.
    leaf_side : float
        The cost of the node as a leaf; of cost-complexity the decrease of the cost per leaf of its
        subtree, of chi-squared the statistic, of critical value pruning the value of the split.
    subtree_side : float
        The cost of the subtree, with what is allowed; of cost-complexity alpha, of chi-squared and
        of critical value pruning the critical value.
    parts : ndarray of shape (n_parts,)
        The nodes that the right side is summed over: leaves or children.
    measures : ndarray of shape (n_parts,)
        The terms of this sum.
    action : {"keep", "prune", "raise"}
        The decision.
    reason : str
        Why the subtree stays whatever the numbers are; empty where they decide.
    """

    node: int
    leaf_side: float
    subtree_side: float
    parts: Ints
    measures: Floats
    action: Action
    reason: str = ""


class Cutting:
    """A grown tree, some nodes of which have become leaves.

    Parameters
    ----------
    tree : Tree
        The grown tree; its nodes are numbered in preorder.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.leaf: NDArray[np.bool_] = tree.is_leaf.copy()
        self.below = [[int(child) for child in row if child >= 0] for row in tree.children]
        counts = tree.counts
        self.sizes: Floats = counts.sum(axis=1)
        self.errors: Floats = self.sizes - counts[np.arange(len(counts)), tree.predictions]

    def leaves(self, node: int) -> Ints:
        """Return the current leaves of a node, itself if it is one."""
        leaves, waiting = [], [node]
        while waiting:
            inner = waiting.pop()
            if self.leaf[inner]:
                leaves.append(inner)
            else:
                waiting += reversed(self.below[inner])
        return np.array(leaves, np.intp)

    def compare(
        self,
        node: int,
        leaf_side: float,
        subtree_side: float,
        parts: Ints,
        measures: Floats,
        *,
        reason: str = "",
        strict: bool = False,
    ) -> Comparison:
        """Compare both sides, and make the node a leaf where its side is not larger.

        With ``strict`` its side has to be smaller. With a ``reason`` the subtree stays in any case.
        """
        is_low = is_no_larger(leaf_side, subtree_side)
        if strict:
            is_low = not is_no_larger(subtree_side, leaf_side)
        is_pruned = is_low and not reason
        if is_pruned:
            self.leaf[node] = True
        action: Action = "prune" if is_pruned else "keep"
        sides = leaf_side, subtree_side
        return Comparison(node, *sides, parts.copy(), measures.copy(), action, reason)

    def bottom_up(self, compare: Callable[[int], Comparison]) -> Iterator[Comparison]:
        """Compare at each inner node, children before parents."""
        for node in range(self.tree.node_count - 1, -1, -1):
            look()
            if not self.leaf[node]:
                yield compare(node)

    def top_down(self, compare: Callable[[int], Comparison]) -> Iterator[Comparison]:
        """Compare at each inner node that remains, parents before children."""
        waiting = [0]
        while waiting:
            look()
            node = waiting.pop()
            if not self.leaf[node]:
                yield compare(node)
            if not self.leaf[node]:
                waiting += reversed(self.below[node])

    def result(self) -> Tree:
        """Return the pruned tree."""
        return self.tree.pruned(self.leaf)


def is_no_larger(leaf_side: float, subtree_side: float) -> bool:
    """Return whether a side is at most another one, up to rounding.

    Examples
    --------
    >>> is_no_larger(0.1 + 0.2, 0.3), is_no_larger(0.31, 0.3)
    (True, False)
    """
    return leaf_side <= subtree_side + ROUNDING * max(1.0, abs(subtree_side))


def counts_of(tree: Tree, X: Floats, y: Ints) -> Floats:
    """Return the class weights of new rows at each node, shape (node_count, n_classes).

    A row with a missing value is counted in parts.

    Parameters
    ----------
    tree : Tree
        The tree.
    X : ndarray of shape (n_samples, n_features)
        The rows.
    y : ndarray of shape (n_samples,)
        The codes of their classes.

    Examples
    --------
    >>> from dmlib.classification import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]).tree_
    >>> counts_of(tree, np.array([[0.2], [0.3], [0.9]]), np.array([0, 1, 1])).tolist()
    [[1.0, 2.0], [1.0, 1.0], [0.0, 1.0]]
    """
    counts, inner = np.zeros((tree.node_count, tree.value.shape[2])), ~tree.is_leaf
    rows, nodes, parts = np.arange(len(X)), np.zeros(len(X), np.intp), np.ones(len(X))
    while len(rows):
        np.add.at(counts, (nodes, y[rows]), parts)
        going = inner[nodes]
        rows, nodes, parts = rows[going], nodes[going], parts[going]
        entries, nodes, factors = tree.step(X, rows, nodes)
        rows, parts = rows[entries], parts[entries] * factors
    return counts
