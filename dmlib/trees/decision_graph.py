"""A tree as a decision graph: equal subtrees are one node, which several branches reach."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.trees.frontier import sums
from dmlib.trees.tree import Tree


@dataclass(frozen=True)
class DecisionGraph:
    """Nodes of a tree that are joined where their subtrees test and predict the same.

    Attributes
    ----------
    nodes : ndarray of shape (node_count,)
        The node of the graph that each node of the tree belongs to; the root is 0.
    representatives : ndarray of shape (n_nodes,)
        A node of the tree for each node of the graph.
    children : tuple of tuple of int
        The nodes of the graph that the branches of each lead to; none of a leaf.
    depths : ndarray of shape (n_nodes,)
        The number of tests on the longest way to each node.
    """

    nodes: Ints
    representatives: Ints
    children: tuple[tuple[int, ...], ...]
    depths: Ints

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return len(self.children)

    @property
    def n_tests(self) -> int:
        """The number of nodes that test a column."""
        return sum(map(bool, self.children))

    def sizes(self) -> Ints:
        """Return how many nodes of the tree each node of the graph joins, shape (n_nodes,)."""
        return np.bincount(self.nodes, minlength=self.n_nodes)

    def weights(self, tree: Tree) -> Floats:
        """Return the weight of the training rows of each node, shape (n_nodes,)."""
        return sums(self.nodes, tree.weighted_n_node_samples, self.n_nodes)


def decision_graph(tree: Tree) -> DecisionGraph:
    """Join the equal subtrees of a tree, from the leaves up.

    Leaves are equal if they predict the same class, other nodes if their splits are equal and their
    branches lead to equal subtrees. Each row without missing values gets the class that the tree
    predicts.

    Parameters
    ----------
    tree : Tree
        As it is drawn: grown, and perhaps pruned.

    Notes
    -----
    O(m) for m nodes: each is looked up once by its split and the numbers of its children, as binary
    decision diagrams are reduced.

    References
    ----------
    J. J. Oliver (1993), Decision graphs: an extension of decision trees. R. E. Bryant (1986),
    Graph-based algorithms for Boolean function manipulation.

    Examples
    --------
    >>> from dmlib.classification import DecisionTreeClassifier
    >>> X = [[a, b] for a in (0.0, 1.0) for b in (0.0, 1.0)]
    >>> tree = DecisionTreeClassifier().fit(X, ["even", "odd", "odd", "even"]).tree_
    >>> tree.node_count, decision_graph(tree).n_nodes
    (7, 5)
    """
    numbers: dict[object, int] = {}
    joined = np.zeros(tree.node_count, np.intp)
    predictions = tree.predictions
    for node in reversed(range(tree.node_count)):  # children come after their parents
        split = tree.splits.split(node)
        below = tuple(int(joined[child]) for child in tree.children[node] if child >= 0)
        key = int(predictions[node]) if split is None else (split, below)
        joined[node] = numbers.setdefault(key, len(numbers))
    joined = len(numbers) - 1 - joined  # the root was found last
    representatives = np.unique(joined, return_index=True)[1]
    children = tuple(
        tuple(int(joined[child]) for child in tree.children[node] if child >= 0)
        for node in representatives
    )
    return DecisionGraph(joined, representatives, children, _depths(children))


def _depths(children: tuple[tuple[int, ...], ...]) -> Ints:
    """Return the number of tests on the longest way to each node; children have larger numbers."""
    depths = np.zeros(len(children), np.intp)
    for node, below in enumerate(children):
        for child in below:
            depths[child] = max(depths[child], depths[node] + 1)
    return depths
