"""A finished tree as arrays, one entry per node, numbered in preorder as by scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.trees.frontier import sums
from dmlib.trees.growth import Branching, Level
from dmlib.trees.impurity import TINY
from dmlib.trees.routing import Surrogate
from dmlib.trees.split_nodes import SplitNodes
from dmlib.trees.splits import SplitTable

NO_CHILD = -1


@dataclass(frozen=True)
class Tree(SplitNodes):
    """A decision tree."""

    # (node_count, 1, n_classes): class frequencies; in a node without rows those of its parent
    value: Floats
    impurity: Floats  # (node_count,)
    # (node_count,): the number and the weight of the rows in each node
    n_node_samples: NDArray[np.generic]
    weighted_n_node_samples: Floats
    numbers: Ints  # (node_count,): the numbers of the nodes while the tree grew, level by level
    # (n_classes, n_classes): the cost of each prediction (column) for each class; the class weights
    # are altered accordingly. None: each misclassification costs 1
    costs: Floats | None = None
    # (node_count,): what the criterion gave each split while the tree grew; NaN for a leaf. None
    # where the tree was grown by other means than :func:`dmlib.trees.growth.grow`
    scores: Floats | None = field(default=None, kw_only=True)

    @property
    def n_classes(self) -> Ints:
        """The number of classes, as an array of one number."""
        return np.array([self.value.shape[2]])

    @property
    def children_left(self) -> Ints:
        """The first child of each node; -1 for a leaf."""
        return self.children[:, 0]

    @property
    def children_right(self) -> Ints:
        """The last child of each node; -1 for a leaf."""
        last: Ints = self.children.max(axis=1)
        return last

    @property
    def counts(self) -> Floats:
        """The weight of each class in each node, shape (node_count, n_classes)."""
        return self.value[:, 0] * self.weighted_n_node_samples[:, None]

    @property
    def plain_counts(self) -> Floats:
        """The weight of each class in each node, as before the costs altered it."""
        if self.costs is None:
            return self.counts
        counts = self.counts / self.costs.sum(axis=1)
        plain: Floats = counts * (self.weighted_n_node_samples[0] / counts[0].sum())
        return plain

    @property
    def predictions(self) -> Ints:
        """The code of the class that each node predicts."""
        return self.decide(self.value[:, 0])

    def decide(self, shares: Floats) -> Ints:
        """Return the class of least expected cost for class frequencies (..., n_classes)."""
        classes: Ints
        if self.costs is None:
            classes = shares.argmax(axis=-1)
        else:
            classes = (shares @ self._scaled).argmin(axis=-1)
        return classes

    @property
    def risks(self) -> Floats:
        """The expected cost of the prediction of each node; without costs its error rate."""
        shares = self.value[:, 0]
        risks: Floats
        if self.costs is None:
            risks = 1 - shares.max(axis=1)
        else:
            risks = (shares @ self._scaled).min(axis=1)
        return risks

    def plain(self, shares: Floats) -> Floats:
        """Return class frequencies as before the costs altered the class weights."""
        if self.costs is None:
            return shares
        out: Floats = shares / self.costs.sum(axis=1)
        return cast(Floats, out / out.sum(axis=-1, keepdims=True))

    @property
    def _scaled(self) -> Floats:
        """The costs where classes weigh as much as their errors cost."""
        assert self.costs is not None
        return cast(Floats, self.costs / self.costs.sum(axis=1, keepdims=True))

    def predict(self, X: Floats) -> Floats:
        """Return the class frequencies of each row, averaged over its leaves.

        Their shape is (n_samples, n_classes).
        """
        rows, nodes, parts = self.leaves(X)
        if len(rows) == len(X):
            out = np.empty((len(X), self.value.shape[2]))
            out[rows] = self.value[nodes, 0]
            return out
        each = [np.bincount(rows, parts * values, len(X)) for values in self.value[nodes, 0].T]
        return np.column_stack(each)

    def classify(self, X: Floats) -> Ints:
        """Return the predicted class of each row."""
        leaf_of_row = self._down(X) if self.two_ways else None
        return (
            self.decide(self.predict(X)) if leaf_of_row is None else self.predictions[leaf_of_row]
        )

    def compute_feature_importances(self, n_features: int, normalize: bool = True) -> Floats:
        """Return the impurity decrease by each column; if ``normalize``, scaled to sum to 1."""
        weights = self.weighted_n_node_samples * self.impurity
        inner = np.flatnonzero(~self.is_leaf)
        fans = self.children[inner]
        after = np.where(fans >= 0, weights[fans], 0.0).sum(axis=1)
        saved = sums(self.feature[inner], weights[inner] - after, n_features)
        out = saved / max(float(self.weighted_n_node_samples[0]), TINY)
        return out / out.sum() if normalize and out.sum() > 0 else out

    def pruned(self, leaves: NDArray[np.bool_]) -> Tree:
        """Return the tree in which some nodes, given as a mask, have become leaves."""
        if not (leaves & ~self.is_leaf).any():
            return self
        return renumbered(self, np.where(leaves[:, None], NO_CHILD, self.children))


def build(levels: Sequence[tuple[Level, Branching]], costs: Floats | None = None) -> Tree:
    """Return the tree of the levels that :func:`dmlib.trees.growth.grow` yields."""
    grown = _joined(levels, costs)
    return renumbered(grown, grown.children)


def build_all(levels: Sequence[tuple[Level, Branching]]) -> list[Tree]:
    """Return the trees that :func:`dmlib.trees.growth.grow` grew together."""
    grown = _joined(levels, None)
    trees = np.concatenate([level.place.trees for level, _ in levels])
    order = np.argsort(trees, kind="stable")
    ends = np.cumsum(np.bincount(trees))[:-1]
    return [_single(grown, nodes) for nodes in np.split(order, ends)]


def _single(grown: Tree, nodes: Ints) -> Tree:
    """Return the tree of some nodes, the root first."""
    new = np.full(grown.node_count + 1, NO_CHILD, np.intp)
    new[nodes] = np.arange(len(nodes))
    children = new[grown.children[nodes]]
    single = replace(
        grown,
        splits=grown.splits.take(nodes),
        children=children,
        shares=grown.shares[nodes],
        value=grown.value[nodes],
        impurity=grown.impurity[nodes],
        n_node_samples=grown.n_node_samples[nodes],
        weighted_n_node_samples=grown.weighted_n_node_samples[nodes],
        numbers=np.arange(len(nodes)),
        scores=None if grown.scores is None else grown.scores[nodes],
    )
    return renumbered(single, children)


def _joined(levels: Sequence[tuple[Level, Branching]], costs: Floats | None) -> Tree:
    """Return the levels as one array of nodes, in the order in which they were grown."""
    places = [level.place for level, _ in levels]
    parents = np.concatenate([place.parents for place in places])
    counts = np.concatenate([place.frontier.counts for place in places])
    weights = counts.sum(axis=1)
    value = counts / np.maximum(weights, TINY)[:, None]
    for node in np.flatnonzero(weights == 0):  # parents come first
        value[node] = value[parents[node]]
    width = max(branching.children.shape[1] for _, branching in levels)
    sizes = np.concatenate([place.frontier.sizes for place in places])
    surrogates = _surrogates(levels) if levels[0][1].surrogates is not None else None
    return Tree(
        SplitTable.join([level.splits for level, _ in levels]),
        np.concatenate([_widened(level, branching, width) for level, branching in levels]),
        np.concatenate([place.shares for place in places]),
        value[:, None],
        np.concatenate([level.impurities for level, _ in levels]),
        sizes.astype(np.int64) if (sizes == np.rint(sizes)).all() else sizes,
        weights,
        np.arange(len(parents)),
        costs,
        surrogates=surrogates,
        scores=np.concatenate([level.scores for level, _ in levels]),
    )


def _surrogates(levels: Sequence[tuple[Level, Branching]]) -> dict[int, tuple[Surrogate, ...]]:
    """Return the surrogates of all levels by the number of the node."""
    return {
        level.place.first + node: surrogates
        for level, branching in levels
        for node, surrogates in (branching.surrogates or {}).items()
    }


def _widened(level: Level, branching: Branching, width: int) -> Ints:
    """Return the numbers of the children, counted from the root."""
    next_first = level.place.first + level.frontier.n_nodes
    children = np.where(branching.children >= 0, branching.children + next_first, NO_CHILD)
    return np.pad(children, ((0, 0), (0, width - children.shape[1])), constant_values=NO_CHILD)


def _preorder(children: Ints) -> Ints:
    """Return the nodes that can be reached from the root, in preorder."""
    lists = [[child for child in reversed(row) if child >= 0] for row in children.tolist()]
    order, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting += lists[node]
    return np.array(order, np.intp)


def renumbered(tree: Tree, children: Ints) -> Tree:
    """Return a tree with these children, its nodes numbered in preorder.

    Nodes that the root does not reach are left out.
    """
    order = _preorder(children)
    new = np.full(len(children) + 1, NO_CHILD, np.intp)
    new[order] = np.arange(len(order))
    children = children[order]
    ended = (children < 0).all(axis=1)
    splits = SplitTable.join([tree.splits, SplitTable.of([None])]).take(
        np.where(ended, len(tree.children), order)
    )
    surrogates = tree.surrogates
    if surrogates is not None:
        reached = [node for node in surrogates if new[node] >= 0]
        surrogates = {int(new[node]): surrogates[node] for node in reached}
    scores = tree.scores
    if scores is not None:
        scores = np.where(ended, np.nan, scores[order])
    return Tree(
        splits,
        new[children],
        tree.shares[order],
        tree.value[order],
        tree.impurity[order],
        tree.n_node_samples[order],
        tree.weighted_n_node_samples[order],
        tree.numbers[order],
        tree.costs,
        surrogates=surrogates,
        scores=scores,
    )


def best_first(tree: Tree, max_leaf_nodes: int) -> NDArray[np.bool_]:
    """Return the leaves of the tree that is grown best-first up to ``max_leaf_nodes``.

    The impurity decrease of a split does not depend on the order in which nodes are split.
    """
    weights = tree.weighted_n_node_samples * tree.impurity
    after = np.where(tree.children >= 0, weights[tree.children], 0.0).sum(axis=1)
    worth, leaves = weights - after, np.ones(tree.node_count, bool)
    n_leaves = 1
    waiting = [(-worth[0], 0)]
    while waiting:
        node = heappop(waiting)[1]
        n_branches = int(tree.splits.n_branches[node])
        if n_branches and n_leaves + n_branches - 1 <= max_leaf_nodes:
            leaves[node] = False
            n_leaves += n_branches - 1
            for child in tree.children[node][:n_branches]:
                heappush(waiting, (-worth[child], int(child)))
    return leaves
