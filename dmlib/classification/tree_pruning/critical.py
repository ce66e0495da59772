"""Critical value pruning: splits go that were worth little, with no better one below them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.tree_pruning.cutting import ROUNDING, Comparison, Cutting, is_no_larger
from dmlib.trace import look
from dmlib.trees.tree import Tree

SMALLEST = 1e-6
"""A critical value that a split without any worth does not reach."""


@dataclass(frozen=True)
class CriticalSeries:
    """The trees of increasing critical values, from the grown tree to its root.

    Attributes
    ----------
    limits : ndarray of shape (n_trees,)
        The value that each tree's critical value exceeds; the next limit is the largest critical
        value that leaves it. 0 for the grown tree.
    n_leaves : ndarray of shape (n_trees,)
        Its leaves.
    errors : ndarray of shape (n_trees,) or None
        Its errors on the pruning set; None where none was looked at.
    """

    limits: Floats
    n_leaves: Ints
    errors: Floats | None

    @property
    def values(self) -> Floats:
        """A critical value for each tree, halfway between its limits; the root's beyond its own."""
        middles = (self.limits[:-1] + self.limits[1:]) / 2
        return np.append(middles, max(2 * float(self.limits[-1]), SMALLEST))

    @property
    def best(self) -> int:
        """The tree with the fewest errors on the pruning set, the smallest of equals."""
        assert self.errors is not None
        return int(np.flatnonzero(self.errors <= self.errors.min() + ROUNDING)[-1])


def highest_values(tree: Tree) -> Floats:
    """Return the largest value of a split in the subtree of each node; -inf for a leaf.

    Examples
    --------
    >>> from dmlib.classification import DecisionTreeClassifier
    >>> x = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> tree = DecisionTreeClassifier().fit(x, list("abaabb")).tree_
    >>> tree.scores.round(3).tolist()
    [0.25, 0.125, 0.5, nan, nan, nan, nan]
    >>> highest_values(tree).round(3).tolist()
    [0.5, 0.5, 0.5, -inf, -inf, -inf, -inf]
    """
    assert tree.scores is not None
    highest = np.where(tree.is_leaf, -np.inf, tree.scores)
    for node in range(tree.node_count - 1, 0, -1):  # children come after their parents
        parent = tree.parents[node]
        highest[parent] = max(highest[parent], highest[node])
    return highest


def inner_nodes(tree: Tree, node: int) -> Ints:
    """Return the inner nodes of a subtree in preorder, its root first.

    Examples
    --------
    >>> from dmlib.classification import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0], [3.0]], list("abab")).tree_
    >>> inner_nodes(tree, 0).tolist(), inner_nodes(tree, 2).tolist()
    ([0, 2, 4], [2, 4])
    """
    is_inside = np.arange(tree.node_count) == node
    for below in range(node + 1, tree.node_count):
        is_inside[below] = is_inside[tree.parents[below]]
    return np.flatnonzero(is_inside & ~tree.is_leaf)


def critical_series(tree: Tree, counts: Floats | None = None) -> CriticalSeries:
    """Return the trees of increasing critical values.

    ``counts`` are those of the pruning set, shape (node_count, n_classes), by which errors are
    counted.
    """
    highest = highest_values(tree)
    levels = np.unique(highest[~tree.is_leaf])
    levels = levels[np.diff(levels, append=np.inf) > ROUNDING]
    cutting = Cutting(tree)
    leaves = [cutting.leaves(0)]
    for limit in levels:
        look()
        cutting.leaf |= highest <= limit + ROUNDING
        leaves.append(cutting.leaves(0))
    errors = None
    if counts is not None:
        wrong = counts.sum(axis=1) - counts[np.arange(len(counts)), tree.predictions]
        errors = np.array([wrong[each].sum() for each in leaves])
    return CriticalSeries(np.append(0.0, levels), np.array(list(map(len, leaves))), errors)


def critical_value_pruning(cutting: Cutting, critical_value: float) -> Iterator[Comparison]:
    """Prune bottom-up where neither a split nor one below it reaches a value (Mingers 1987)."""
    scores = cutting.tree.scores
    assert scores is not None

    def compare(node: int) -> Comparison:
        children, score = np.array(cutting.below[node], np.intp), float(scores[node])
        is_below = not is_no_larger(critical_value, score)
        reason = ""
        if is_below and not cutting.leaf[children].all():
            reason = "a split below it reaches it"
        return cutting.compare(
            node,
            score,
            critical_value,
            children,
            cutting.sizes[children],
            reason=reason,
            strict=True,
        )

    return cutting.bottom_up(compare)
