"""A finished tree as arrays, one entry per node, the nodes in preorder as scikit-learn numbers them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from dmlib.arrays import Floats, Ints
from dmlib.cached import cached_property
from dmlib.trees.frontier import sums
from dmlib.trees.growth import Branching, Level
from dmlib.trees.impurity import TINY
from dmlib.trees.nodes import Nodes
from dmlib.trees.routing import Surrogate, send
from dmlib.trees.splits import LEAF, SplitTable

NO_CHILD = -1


@dataclass(frozen=True)
class Tree(Nodes):
    """A decision tree."""

    splits: SplitTable  # the split of each node
    # (node_count, n_branches): the children of each node, one per branch; -1 where there is none
    children: Ints
    shares: Floats  # (node_count,): which share of the parent's rows with a value came to the node
    # (node_count, 1, n_classes): the share of each class; in a node without rows that of its parent
    value: Floats
    impurity: Floats  # (node_count,): how mixed the classes are
    # (node_count,): how many rows are in the node, and what they weigh
    n_node_samples: NDArray[np.generic]
    weighted_n_node_samples: Floats
    numbers: (
        Ints  # (node_count,): the number that each node had while the tree grew, level by level
    )
    # what rows follow whose value is missing; None: they go down all branches, in parts
    surrogates: Mapping[int, tuple[Surrogate, ...]] | None = None
    # (n_classes, n_classes): what each answer costs for each class; the weights of the classes are
    # altered accordingly. None: each wrong answer costs 1
    costs: Floats | None = None

    @property
    def n_classes(self) -> Ints:
        """How many classes there are, as an array of one number."""
        return np.array([self.value.shape[2]])

    @property
    def feature(self) -> Ints:
        """The column that each node tests; -2 for a leaf."""
        return self.splits.columns

    @property
    def threshold(self) -> Floats:
        """The (first) threshold of each node; -2 for a leaf, NaN for a nominal column."""
        first = np.where(self.splits.n_values > 0, np.nan, self.splits.thresholds[:, 0])
        return np.where(self.feature == LEAF, float(LEAF), first)

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
    def answers(self) -> Ints:
        """The class that each node says."""
        return self.decide(self.value[:, 0])

    def decide(self, shares: Floats) -> Ints:
        """Return the class to answer for shares of classes, shape (..., n_classes): the one that costs least."""
        best: Ints = (
            shares.argmax(axis=-1)
            if self.costs is None
            else (shares @ self._scaled).argmin(axis=-1)
        )
        return best

    @property
    def risks(self) -> Floats:
        """What the answer of each node costs on average; without costs its share of errors."""
        shares = self.value[:, 0]
        least: Floats = (
            1 - shares.max(axis=1) if self.costs is None else (shares @ self._scaled).min(axis=1)
        )
        return least

    def plain(self, shares: Floats) -> Floats:
        """Return shares of classes as they were before their weights were altered by the costs."""
        if self.costs is None:
            return shares
        out: Floats = shares / self.costs.sum(axis=1)
        return cast(Floats, out / out.sum(axis=-1, keepdims=True))

    @property
    def _scaled(self) -> Floats:
        """What answers cost where classes weigh as much as their errors cost."""
        assert self.costs is not None
        return cast(Floats, self.costs / self.costs.sum(axis=1, keepdims=True))

    def step(self, X: Floats, rows: Ints, nodes: Ints) -> tuple[Ints, Ints, Floats]:
        """Send rows from inner nodes one level down; see :func:`dmlib.trees.routing.send`."""
        taken = self.splits.branch(X, rows, nodes)
        return send(X, rows, nodes, taken, self.children, self.shares, self.surrogates)

    def leaves(self, X: Floats) -> tuple[Ints, Ints, Floats]:
        """Return which rows end in which leaves, and which part of each: rows, nodes and parts, by entry.

        A row with missing values may end in several leaves; its parts sum to 1.
        """
        if self.two_ways and (one := self._down(X)) is not None:
            return np.arange(len(X)), one, np.ones(len(X))
        rows, nodes, parts = np.arange(len(X)), np.zeros(len(X), np.intp), np.ones(len(X))
        done: list[tuple[Ints, Ints, Floats]] = []
        inner = ~self.is_leaf
        while len(rows):
            going = inner[nodes]
            if not going.all():
                ended = ~going
                done.append((rows[ended], nodes[ended], parts[ended]))
                rows, nodes, parts = rows[going], nodes[going], parts[going]
            entries, nodes, factors = self.step(X, rows, nodes)
            rows, parts = rows[entries], parts[entries] * factors
        if len(done) == 1:
            return done[0]
        return tuple(np.concatenate(some) for some in zip(*done, strict=True))  # type: ignore[return-value]

    @cached_property
    def two_ways(self) -> bool:
        """Whether all splits compare a number with one threshold, the most frequent tree by far."""
        return (
            self.splits.thresholds.shape[1] == 1
            and self.children.shape[1] == 2
            and not self.splits.n_values.any()
        )

    def _down(self, X: Floats) -> Ints | None:
        """Return the leaf of each row, by the shortest way; None if a value that is asked for is missing."""
        columns, thresholds, children = (
            self.splits.columns,
            self.splits.thresholds[:, 0],
            self.children.ravel(),
        )
        inner = ~self.is_leaf
        if not inner[0]:
            return np.zeros(len(X), np.intp)
        x = X[:, columns[0]]
        if np.isnan(x).any():
            return None
        at: Ints = children.take((x > thresholds[0]).view(np.int8))
        going, values = np.flatnonzero(inner.take(at)), X.ravel() if inner.sum() > 1 else x
        while len(going):
            nodes = at.take(going)
            x = values.take(going * X.shape[1] + columns.take(nodes))
            if np.isnan(x).any():
                return None
            nodes = children.take(2 * nodes + (x > thresholds.take(nodes)))
            at[going] = nodes
            going = going[inner.take(nodes)]
        return at

    def cuts(self, column: int) -> Floats:
        """Return the thresholds of a column, in no order: values between two of them get the same answer."""
        found: Floats = self.splits.thresholds[self.feature == column]
        return found[~np.isnan(found)]

    def predict(self, X: Floats) -> Floats:
        """Return the share of each class for each row, averaged over its leaves, shape (n_samples, n_classes)."""
        rows, nodes, parts = self.leaves(X)
        if len(rows) == len(X):
            out = np.empty((len(X), self.value.shape[2]))
            out[rows] = self.value[nodes, 0]
            return out
        each = [np.bincount(rows, parts * values, len(X)) for values in self.value[nodes, 0].T]
        return np.column_stack(each)

    def classify(self, X: Floats) -> Ints:
        """Return the class that the tree says for each row."""
        one = self._down(X) if self.two_ways else None
        return self.decide(self.predict(X)) if one is None else self.answers[one]

    def apply(self, X: Floats) -> Ints:
        """Return the leaf of each row; of a row that ends in several, the one with the largest part."""
        rows, nodes, parts = self.leaves(X)
        out = np.empty(len(X), np.int64)
        order = np.argsort(parts, kind="stable")
        out[rows[order]] = nodes[order]
        return out

    def decision_path(self, X: Floats) -> csr_matrix:
        """Return which nodes each row passes, as a sparse matrix of ones of shape (n_samples, node_count)."""
        parents = self.parents
        rows, nodes, _ = self.leaves(X)
        seen = [(rows, nodes)]
        while (nodes > 0).any():
            rows, nodes = rows[nodes > 0], parents[nodes[nodes > 0]]
            seen.append((rows, nodes))
        at = tuple(np.concatenate(part) for part in zip(*seen, strict=True))
        passed = csr_matrix((np.ones(len(at[0]), np.int64), at), shape=(len(X), self.node_count))
        passed.data[:] = 1
        return passed

    def compute_feature_importances(self, n_features: int, normalize: bool = True) -> Floats:
        """Return by how much the splits of each column reduce the impurity, scaled to sum to 1 if ``normalize``."""
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
    grown = _together(levels, costs)
    return renumbered(grown, grown.children)


def build_all(levels: Sequence[tuple[Level, Branching]]) -> list[Tree]:
    """Return the trees of the levels that :func:`dmlib.trees.growth.grow` yields where it grows several together."""
    grown = _together(levels, None)
    trees = np.concatenate([level.place.trees for level, _ in levels])
    order = np.argsort(trees, kind="stable")
    ends = np.cumsum(np.bincount(trees))[:-1]
    return [_single(grown, nodes) for nodes in np.split(order, ends)]


def _single(grown: Tree, nodes: Ints) -> Tree:
    """Return one of several trees, whose nodes are given, the root first."""
    new = np.full(grown.node_count + 1, NO_CHILD, np.intp)
    new[nodes] = np.arange(len(nodes))
    children = new[grown.children[nodes]]
    one = replace(
        grown,
        splits=grown.splits.take(nodes),
        children=children,
        shares=grown.shares[nodes],
        value=grown.value[nodes],
        impurity=grown.impurity[nodes],
        n_node_samples=grown.n_node_samples[nodes],
        weighted_n_node_samples=grown.weighted_n_node_samples[nodes],
        numbers=np.arange(len(nodes)),
    )
    return renumbered(one, children)


def _together(levels: Sequence[tuple[Level, Branching]], costs: Floats | None) -> Tree:
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
    whole = bool((sizes == np.rint(sizes)).all())
    surrogates = {
        level.place.first + node: found
        for level, branching in levels
        for node, found in (branching.surrogates or {}).items()
    }
    return Tree(
        SplitTable.join([level.splits for level, _ in levels]),
        np.concatenate([_widened(level, branching, width) for level, branching in levels]),
        np.concatenate([place.shares for place in places]),
        value[:, None],
        np.concatenate([level.impurities for level, _ in levels]),
        sizes.astype(np.int64) if whole else sizes,
        weights,
        np.arange(len(parents)),
        None if levels[0][1].surrogates is None else surrogates,
        costs,
    )


def _widened(level: Level, branching: Branching, width: int) -> Ints:
    """Return the numbers of the children, counted from the root."""
    next_first = level.place.first + level.frontier.n_nodes
    children = np.where(branching.children >= 0, branching.children + next_first, NO_CHILD)
    return np.pad(children, ((0, 0), (0, width - children.shape[1])), constant_values=NO_CHILD)


def _preorder(children: Ints) -> Ints:
    """Return the nodes that can be reached from the root: each before its children, these from first to last."""
    lists = [[child for child in reversed(row) if child >= 0] for row in children.tolist()]
    order, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting += lists[node]
    return np.array(order, np.intp)


def renumbered(tree: Tree, children: Ints) -> Tree:
    """Return a tree with these children, its nodes numbered in preorder and those out of reach left out."""
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
        surrogates = {int(new[node]): some for node, some in surrogates.items() if new[node] >= 0}
    return Tree(
        splits,
        new[children],
        tree.shares[order],
        tree.value[order],
        tree.impurity[order],
        tree.n_node_samples[order],
        tree.weighted_n_node_samples[order],
        tree.numbers[order],
        surrogates,
        tree.costs,
    )


def best_first(tree: Tree, max_leaf_nodes: int) -> NDArray[np.bool_]:
    """Return the leaves of the tree that splits the node whose impurity falls most first, up to so many leaves.

    What a split is worth does not depend on the order in which nodes are split.
    """
    weights = tree.weighted_n_node_samples * tree.impurity
    after = np.where(tree.children >= 0, weights[tree.children], 0.0).sum(axis=1)
    worth, leaves, n_leaves = weights - after, np.ones(tree.node_count, bool), 1
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
