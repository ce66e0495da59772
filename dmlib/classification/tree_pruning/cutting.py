"""A grown tree while its subtrees are cut, and what a method compares at a node."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.trace import look
from dmlib.trees.tree import Tree

ROUNDING = 1e-9
"""By so much the left side may be larger, of numbers that are equal but for rounding."""


@dataclass(frozen=True)
class Comparison:
    """What was compared at a node: its subtree is cut where the left side is not larger.

    Attributes
    ----------
    node : int
        The node, by its place in the grown tree.
    left : float
        What the node costs as a leaf; of cost-complexity what a leaf of its subtree saves, of
        chi-squared the statistic.
    right : float
        What the subtree costs, with what is allowed; of cost-complexity alpha, of chi-squared the
        critical value.
    parts : ndarray of shape (n_parts,)
        The nodes that the right side is summed over: leaves or children.
    measures : ndarray of shape (n_parts,)
        What each of them adds.
    action : {"keep", "prune", "raise"}
        What was done.
    reason : str
        Why the subtree is kept whatever the numbers say; empty where they decide.
    """

    node: int
    left: float
    right: float
    parts: Ints
    measures: Floats
    action: str
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
        """Return the leaves that a node has at the moment, itself if it is one."""
        found, waiting = [], [node]
        while waiting:
            here = waiting.pop()
            if self.leaf[here]:
                found.append(here)
            else:
                waiting += reversed(self.below[here])
        return np.array(found, np.intp)

    def compare(
        self,
        node: int,
        left: float,
        right: float,
        parts: Ints,
        measures: Floats,
        *,
        reason: str = "",
    ) -> Comparison:
        """Compare both sides, and make the node a leaf unless the left one is larger or a ``reason`` keeps it."""
        cut = not reason and left <= right + ROUNDING * max(1.0, abs(right))
        if cut:
            self.leaf[node] = True
        return Comparison(
            node, left, right, parts.copy(), measures.copy(), "prune" if cut else "keep", reason
        )

    def bottom_up(self, compare: Callable[[int], Comparison]) -> Iterator[Comparison]:
        """Compare at each inner node, those below it first."""
        for node in range(self.tree.node_count - 1, -1, -1):
            look()
            if not self.leaf[node]:
                yield compare(node)

    def top_down(self, compare: Callable[[int], Comparison]) -> Iterator[Comparison]:
        """Compare at each inner node that is not yet cut off, those above it first."""
        waiting = [0]
        while waiting:
            look()
            node = waiting.pop()
            if not self.leaf[node]:
                yield compare(node)
            if not self.leaf[node]:
                waiting += reversed(self.below[node])

    def result(self) -> Tree:
        """Return the tree as it is now."""
        return self.tree.pruned(self.leaf)


def counts_of(tree: Tree, X: Floats, y: Ints) -> Floats:
    """Return the weight of each class of other rows at each node, shape (node_count, n_classes).

    A row whose value is missing comes in parts.

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
