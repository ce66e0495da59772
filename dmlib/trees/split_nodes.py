"""Nodes of a finished tree that test one column each, whatever it predicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_matrix

from dmlib.arrays import Floats, Ints
from dmlib.cached import cached_property
from dmlib.trees.nodes import Nodes
from dmlib.trees.routing import Surrogate, send
from dmlib.trees.splits import LEAF, SplitTable


@dataclass(frozen=True)
class SplitNodes(Nodes):
    """Nodes with their splits, and the ways of rows through them."""

    splits: SplitTable  # the split of each node
    # (node_count, n_branches): the child of each branch; -1 where there is none
    children: Ints
    shares: Floats  # (node_count,): the fraction of the parent's rows with a value
    # of each node, for rows with a missing value; None: these go down all branches, in parts
    surrogates: Mapping[int, tuple[Surrogate, ...]] | None = field(default=None, kw_only=True)

    @property
    def feature(self) -> Ints:
        """The column that each node tests; -2 for a leaf."""
        return self.splits.columns

    @property
    def threshold(self) -> Floats:
        """The (first) threshold of each node; -2 for a leaf, NaN for a nominal column."""
        first = np.where(self.splits.n_values > 0, np.nan, self.splits.thresholds[:, 0])
        return np.where(self.feature == LEAF, float(LEAF), first)

    def step(self, X: Floats, rows: Ints, nodes: Ints) -> tuple[Ints, Ints, Floats]:
        """Send rows from inner nodes one level down; see :func:`dmlib.trees.routing.send`."""
        branches = self.splits.branch(X, rows, nodes)
        return send(X, rows, nodes, branches, self.children, self.shares, self.surrogates)

    def leaves(self, X: Floats) -> tuple[Ints, Ints, Floats]:
        """Return the leaves of rows as entries: rows, leaves, and the fraction of each row.

        A row with missing values may end in several leaves; its fractions sum to 1.
        """
        if self.two_ways and (leaf_of_row := self._down(X)) is not None:
            return np.arange(len(X)), leaf_of_row, np.ones(len(X))
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
        rows, nodes, parts = (np.concatenate(blocks) for blocks in zip(*done, strict=True))
        return rows, nodes, parts

    @cached_property
    def two_ways(self) -> bool:
        """Whether all splits compare a number with one threshold, as in most trees."""
        return (
            self.splits.thresholds.shape[1] == 1
            and self.children.shape[1] == 2
            and not self.splits.n_values.any()
        )

    def _down(self, X: Floats) -> Ints | None:
        """Return the leaf of each row of a binary tree; None if a tested value is missing."""
        columns, thresholds = self.splits.columns, self.splits.thresholds[:, 0]
        children = self.children.ravel()
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
        """Return the thresholds of a column, unordered: between two, predictions do not change."""
        thresholds: Floats = self.splits.thresholds[self.feature == column]
        return thresholds[~np.isnan(thresholds)]

    def apply(self, X: Floats) -> Ints:
        """Return the leaf of each row, of several that with its largest part."""
        rows, nodes, parts = self.leaves(X)
        out = np.empty(len(X), np.int64)
        order = np.argsort(parts, kind="stable")
        out[rows[order]] = nodes[order]
        return out

    def decision_path(self, X: Floats) -> csr_matrix:
        """Return the nodes that each row passes, as a sparse indicator matrix.

        Its shape is (n_samples, node_count).
        """
        parents = self.parents
        rows, nodes, _ = self.leaves(X)
        levels = [(rows, nodes)]
        while (nodes > 0).any():
            rows, nodes = rows[nodes > 0], parents[nodes[nodes > 0]]
            levels.append((rows, nodes))
        at = tuple(np.concatenate(part) for part in zip(*levels, strict=True))
        passed = csr_matrix((np.ones(len(at[0]), np.int64), at), shape=(len(X), self.node_count))
        passed.data[:] = 1
        return passed
