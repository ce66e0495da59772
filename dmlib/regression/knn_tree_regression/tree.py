"""Trees that predict a number: their steps, and the finished tree as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.regression.knn_tree_regression.merging import Merging
from dmlib.regression.knn_tree_regression.search import Split
from dmlib.trees.frontier import sums
from dmlib.trees.split_nodes import SplitNodes
from dmlib.trees.splits import SplitTable

LEAF = -1

Phase = Literal["root", "split", "stop", "keep", "prune", "smooth", "done"]


class Node(NamedTuple):
    """A node while the tree grows; ``number`` counts nodes in the order of growth."""

    number: int
    parent: int  # -1 for the root
    depth: int
    rows: Ints  # the training rows in the node
    value: float  # the mean of their targets, or the median
    loss: float  # the sum of their squared or absolute errors
    shares: Floats | None = None  # of each row, what is in the node; None: all are in it whole

    @property
    def size(self) -> float:
        """How many rows are in the node, parts of rows added."""
        return len(self.rows) if self.shares is None else float(self.shares.sum())


@dataclass(frozen=True)
class TreeStep:
    """A node was split, became a leaf again, or got a linear model.

    Attributes
    ----------
    phase : {"root", "split", "stop", "keep", "prune", "smooth", "done"}
        "root": all rows are in one leaf. "stop": by CHAID a node stays a leaf. "keep" and "prune":
        a subtree was compared with its root as a leaf.
    node : int
        The number of the node.
    nodes : tuple of Node
        The new nodes.
    split : Split, Merging or None
        The split of the node; on "stop" the best one, which is not significant.
    before, after : float
        The error of the node before and after: for "split" the sum of errors of the node, then of
        its children; for "keep" and "prune" the errors that are compared, of the subtree and of
        the node as a leaf.
    total : float
        The sum of squared (or absolute) errors of all training rows after the step.
    n_leaves : int
        The number of leaves after the step.
    price : float
        For a pruning step of a regression tree, the rise of the mean error per leaf saved; else 0.
    models : tuple of ndarray of shape (n_features + 1,)
        The current coefficients of node i, the constant term first; empty for a tree of constants.
    """

    phase: Phase
    node: int
    nodes: tuple[Node, ...]
    split: Split | Merging | None
    before: float
    after: float
    total: float
    n_leaves: int
    price: float = 0.0
    models: tuple[Floats, ...] = ()


@dataclass(frozen=True)
class RegressionTree(SplitNodes):
    """A finished tree, one entry per node, the nodes in preorder as scikit-learn numbers them.

    Attributes
    ----------
    splits, children, shares
        See :class:`dmlib.trees.split_nodes.SplitNodes`.
    value, impurity : ndarray of shape (node_count,)
        The prediction of each node, and the mean error of its rows.
    n_node_samples, numbers : ndarray of shape (node_count,)
        The number of training rows of each node, and its number in the order of growth.
    """

    value: Floats
    impurity: Floats
    n_node_samples: NDArray[Any]
    numbers: Ints

    @property
    def weighted_n_node_samples(self) -> Floats:
        """The number of training rows of each node, as weights."""
        return self.n_node_samples.astype(float)

    def predict(self, X: Floats) -> Floats:
        """Return the value of each row's leaf, of several leaves the mean by the row's parts."""
        rows, nodes, parts = self.leaves(X)
        if len(rows) > len(X):
            return sums(rows, parts * self.value[nodes], len(X))
        out = np.empty(len(X))
        out[rows] = self.value[nodes]
        return out


@dataclass
class Grown:
    """A tree that grows and shrinks as the steps say.

    Attributes
    ----------
    nodes : list of Node
        All nodes, those that were pruned included.
    splits : dict of int to Split or Merging
        The splits of the inner nodes.
    children : dict of int to tuple of int
        The children of the inner nodes.
    models : tuple of ndarray
        See :class:`TreeStep`.
    """

    nodes: list[Node] = field(default_factory=list)
    splits: dict[int, Split | Merging] = field(default_factory=dict)
    children: dict[int, tuple[int, ...]] = field(default_factory=dict)
    models: tuple[Floats, ...] = ()

    def add(self, step: TreeStep) -> Grown:
        """Carry out a step."""
        self.nodes += step.nodes
        if step.phase == "split" and step.split is not None:
            self.splits[step.node] = step.split
            self.children[step.node] = tuple(node.number for node in step.nodes)
        elif step.phase == "prune":
            self.cut(step.node)
        self.models = step.models or self.models
        return self

    def cut(self, number: int) -> None:
        """Make a leaf of a node."""
        for child in self.children.pop(number, ()):
            self.cut(child)
        self.splits.pop(number, None)

    def copy(self) -> Grown:
        """Return an independent copy."""
        return Grown(list(self.nodes), dict(self.splits), dict(self.children), self.models)

    def preorder(self, root: int = 0) -> list[int]:
        """Return the numbers of a node and of its descendants, each before its children."""
        order, waiting = [], [root]
        while waiting:
            order.append(waiting.pop())
            waiting += reversed(self.children.get(order[-1], ()))
        return order

    def leaves(self, root: int = 0) -> list[int]:
        """Return the leaves below a node, from left to right."""
        return [number for number in self.preorder(root) if number not in self.children]

    def tree(self) -> RegressionTree:
        """Return it as arrays."""
        order = np.array(self.preorder(), np.intp)
        place = np.full(len(self.nodes) + 1, LEAF)  # the last entry is that of a leaf's children
        place[order] = np.arange(len(order))
        n_branches = max(map(len, self.children.values()), default=2)
        children = np.full((len(self.nodes), n_branches), LEAF)
        shares = np.ones(len(self.nodes))
        for inner, split in self.splits.items():
            below = self.children[inner]
            children[inner, : len(below)] = below
            shares[list(below)] = split.shares_below
        nodes = [self.nodes[i] for i in order.tolist()]
        sizes = np.array([node.size for node in nodes])
        return RegressionTree(
            self._split_table(order),
            place[children[order]],
            shares[order],
            np.array([node.value for node in nodes]),
            np.array([node.loss for node in nodes]) / sizes,
            sizes,
            order,
        )

    def _split_table(self, order: Ints) -> SplitTable:
        """Return the splits of nodes."""
        if any(split.test.cut is None or split.test.missing >= 0 for split in self.splits.values()):
            tests = (self.splits.get(node) for node in order.tolist())
            return SplitTable.of([None if split is None else split.test for split in tests])
        columns, thresholds = np.full(len(self.nodes), -2), np.full(len(self.nodes), np.nan)
        if self.splits:
            inner = list(self.splits)
            columns[inner] = [split.column for split in self.splits.values()]
            thresholds[inner] = [split.test.thresholds[0] for split in self.splits.values()]
        return SplitTable.binary(columns[order], thresholds[order], np.full(len(order), -1))

    def predict(self, X: Floats, tree: RegressionTree | None = None) -> Floats:
        """Return the predictions for rows: the value of the leaf, or that of its line."""
        tree = self.tree() if tree is None else tree
        if not self.models:
            return tree.predict(X)
        lines = np.array([self.models[i] for i in tree.numbers])[tree.apply(X)]
        predicted: Floats = lines[:, 0] + (lines[:, 1:] * X).sum(axis=1)
        return predicted
