"""Incremental induction: rows arrive one by one, and the tree is always that of all rows so far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from dmlib.arrays import Floats
from dmlib.classification.tree_variants.linear_tree import LEAF, LinearTree, best_cut
from dmlib.classification.tree_variants.ranges import variant_ranges
from dmlib.classification.tree_variants.variant import Phase, Rows, VariantStep, VariantTree
from dmlib.params import Choice, Integer, Number, Param, Ranges
from dmlib.trace import look


@dataclass
class Node:
    """A node while rows arrive: the rows in it, its test, and its branches."""

    rows: list[int]
    term: int = -1
    threshold: float = 0.0
    gain: float = 0.0
    branches: tuple[Node, Node] | None = None


class IncrementalTree(VariantTree):
    """Classify by a tree that is updated row by row, where a new row makes another test better.

    After each row the tree is the one that all rows so far would give at once. A node off the path
    of the row has the same rows as before, so that nothing changes there.

    Parameters
    ----------
    criterion : {"entropy", "gini"}, default="entropy"
        How tests are compared.
    max_depth : int or None, default=None
        The largest depth of a leaf.
    min_samples_leaf : int, default=2
        The rows that both branches must have.
    min_gain : float, default=0.05
        The minimum impurity decrease of a test in its node.
    order : {"random", "given"}, default="random"
        The order in which the rows arrive.
    random_state : int, RandomState or None, default=None
        The seed of a random order.

    Attributes
    ----------
    tree_ : LinearTree
        The tree.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_features_in_ : int
        The number of columns seen by ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if they were columns of a data frame.

    Notes
    -----
    A row costs O(d m log m) at each node on its path, with m rows there. ID5R and ITI restructure a
    subtree by pulling the better test up from below; here it is grown anew from its rows, which
    gives the same tree. Of equal tests the first column and the lowest threshold win, in whatever
    order the rows came.

    References
    ----------
    P. E. Utgoff (1989), Incremental induction of decision trees (ID5R).
    P. E. Utgoff, N. C. Berkman and J. A. Clouse (1997), Decision tree induction based on efficient
    tree restructuring.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], [0, 0, 0, 1, 1, 1]
    >>> model = IncrementalTree(random_state=0).fit(X, y)
    >>> model.tree_.n_leaves, model.tree_.thresholds[0]
    (2, np.float64(2.5))
    """

    RANGES: ClassVar[Ranges] = staticmethod(variant_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "criterion": Choice(("entropy", "gini")),
        "max_depth": Integer(1, 1000, shown=(1, 8), none="no limit"),
        "min_samples_leaf": Integer(1, 10**9, shown=(1, 40)),
        "min_gain": Number(0.0, 1e6, shown=(0.0, 0.5), step=0.005),
        "order": Choice(("random", "given")),
    }

    def __init__(
        self,
        *,
        criterion: str = "entropy",
        max_depth: int | None = None,
        min_samples_leaf: int = 2,
        min_gain: float = 0.05,
        order: str = "random",
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.order = order
        self.random_state = random_state

    def _grown(self, rows: Rows) -> LinearTree:
        """Return the tree of all rows at once, which is that after the last arrival."""
        root, indicator = Node(list(range(len(rows.X)))), rows.indicator
        self._build(root, rows, indicator, 0)
        return as_tree(root, rows.X.shape[1], indicator, len(rows.classes))

    def _grow(self, rows: Rows) -> Iterator[VariantStep]:
        n = len(rows.X)
        arriving = np.arange(n)
        if self.order == "random":
            arriving = check_random_state(self.random_state).permutation(n)
        root, indicator, changes = Node([]), rows.indicator, 0
        n_classes = len(rows.classes)
        tree = LinearTree.root(rows.X.shape[1], np.zeros(n_classes))
        yield VariantStep("start", tree, rows=arriving[:0].copy())
        for number, row in enumerate(arriving.tolist(), start=1):
            look()
            phase, path = self._arrive(root, row, rows, indicator)
            changes += phase != "same"
            if phase == "same":
                tree = with_counts(tree, path, indicator[row])
            else:
                tree = as_tree(root, rows.X.shape[1], indicator, n_classes)
            arrived = arriving[:number].copy()
            yield VariantStep(phase, tree, path[-1], rows=arrived, before=float(changes))
        yield VariantStep("done", tree, rows=arriving.copy(), before=float(changes))

    def _arrive(
        self, root: Node, row: int, rows: Rows, indicator: Floats
    ) -> tuple[Phase, list[int]]:
        """Send a row down; return the change of the tree, and the nodes on its path."""
        node, depth, path, numbering = root, 0, [0], _numbers(root)
        while True:
            node.rows.append(row)
            term, threshold, gain = self._best(node.rows, rows, indicator, depth)
            if term != node.term or (term >= 0 and threshold != node.threshold):
                phase: Phase = "grow" if node.term < 0 else "revise"
                self._build(node, rows, indicator, depth)
                return phase, path
            node.gain = gain
            if node.branches is None:
                return "same", path
            node = node.branches[int(rows.X[row, node.term] > node.threshold)]
            depth += 1
            path.append(numbering[id(node)])

    def _best(
        self, inside: list[int], rows: Rows, indicator: Floats, depth: int
    ) -> tuple[int, float, float]:
        """Return term, threshold and gain of the best test; the term is -1 for a leaf."""
        is_deep = self.max_depth is not None and depth >= self.max_depth
        inside_indicator = indicator[inside]
        is_pure = np.count_nonzero(inside_indicator.sum(axis=0)) < 2
        if is_deep or is_pure or len(inside) < 2 * self.min_samples_leaf:
            return -1, 0.0, 0.0
        best = -1, 0.0, self.min_gain - 1e-12
        for term in range(rows.X.shape[1]):
            cut = best_cut(
                rows.X[inside, term], inside_indicator, self.criterion, self.min_samples_leaf
            )
            if cut is not None and cut.gain > best[2] + (1e-12 if best[0] >= 0 else 0.0):
                best = term, cut.threshold, cut.gain
        return best if best[0] >= 0 else (-1, 0.0, 0.0)

    def _build(self, node: Node, rows: Rows, indicator: Floats, depth: int) -> None:
        """Grow a subtree anew from the rows of its node."""
        waiting = [(node, depth)]
        while waiting:
            look()
            inner, level = waiting.pop()
            inner.term, inner.threshold, inner.gain = self._best(inner.rows, rows, indicator, level)
            inner.branches = None
            if inner.term >= 0:
                parts: tuple[list[int], list[int]] = ([], [])
                for row in inner.rows:
                    parts[int(rows.X[row, inner.term] > inner.threshold)].append(row)
                inner.branches = Node(parts[0]), Node(parts[1])
                waiting += [(branch, level + 1) for branch in inner.branches]


def _numbers(root: Node) -> dict[int, int]:
    """Return the number of each node, level by level."""
    numbers: dict[int, int] = {}
    level = [root]
    while level:
        for node in level:
            numbers[id(node)] = len(numbers)
        level = [branch for node in level if node.branches for branch in node.branches]
    return numbers


def as_tree(root: Node, n_terms: int, indicator: Floats, n_classes: int) -> LinearTree:
    """Return the tree as arrays, its nodes numbered level by level."""
    numbers, nodes, level = _numbers(root), [], [root]
    while level:
        nodes += level
        level = [branch for node in level if node.branches for branch in node.branches]
    weights, children = np.zeros((len(nodes), n_terms)), np.full((len(nodes), 2), LEAF)
    for i, node in enumerate(nodes):
        if node.branches:
            weights[i, node.term] = 1.0
            children[i] = [numbers[id(branch)] for branch in node.branches]
    counts = np.array([indicator[node.rows].sum(axis=0) for node in nodes]).reshape(-1, n_classes)
    return LinearTree(
        weights,
        np.array([node.threshold for node in nodes]),
        np.zeros(len(nodes)),
        children,
        counts,
    )


def with_counts(tree: LinearTree, path: list[int], row: Floats) -> LinearTree:
    """Return the tree in which one row more is counted on its path."""
    counts = tree.counts.copy()
    counts[path] += row
    return LinearTree(tree.weights, tree.thresholds, tree.widths, tree.children, counts)
