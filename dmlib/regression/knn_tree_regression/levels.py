"""Nodes side by side: the best splits of a whole level of a regression tree are found at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.regression.knn_tree_regression.search import BLOCK, NOTHING, between
from dmlib.trace import look


@dataclass(frozen=True)
class Cuts:
    """The best splits of some nodes, one entry each."""

    nodes: Ints  # which nodes of the level can be split
    column: Ints
    threshold: Floats
    score: Floats


class Level:
    """The rows of some nodes one after another, within each node sorted by each column.

    The columns are sorted once, for the root: the rows of a child keep the order of its parent.

    Parameters
    ----------
    X : ndarray of shape (n_features, n_samples)
        The columns of all training rows.
    y : ndarray of shape (n_samples,)
        Their targets.
    order : ndarray of shape (n_features + 1, n)
        The rows of the nodes; the last line has them as they stand in the table.
    sizes : ndarray of shape (n_nodes,)
        How many rows each node has.

    Attributes
    ----------
    rows : list of ndarray
        The rows of each node.
    value, loss : ndarray of shape (n_nodes,)
        The means of the targets, and the sums of squared errors.
    deviations : ndarray of shape (n_samples,)
        How far each row is from its node's mean, in standard deviations.
    """

    def __init__(self, X: Floats, y: Floats, order: Ints, sizes: Ints) -> None:
        self.X, self.y, self.order, self.sizes = X, y, order, sizes
        self.starts = sizes.cumsum() - sizes
        self.node = np.repeat(np.arange(len(sizes)), sizes)
        rows = order[-1].copy()
        targets = y[rows]
        self.value = np.add.reduceat(targets, self.starts) / sizes
        errors = targets - self.value[self.node]
        self.loss = np.add.reduceat(errors**2, self.starts)
        spread = np.sqrt(self.loss / sizes)
        self.deviations = np.empty(len(y))
        self.deviations[rows] = errors / np.where(spread > 0, spread, 1.0)[self.node]
        self.rows = [
            rows[i:j] for i, j in zip(self.starts.tolist(), sizes.cumsum().tolist(), strict=True)
        ]

    @classmethod
    def root(cls, X: Floats, y: Floats) -> Level:
        """Return the level that is the root."""
        columns = np.ascontiguousarray(X.T)
        everybody = np.arange(len(y))
        order = np.vstack([np.argsort(columns, axis=1, kind="stable"), everybody])
        return cls(columns, y, order, np.array([len(y)]))

    def only(self, nodes: list[int]) -> Level:
        """Return some of the nodes, in ascending order."""
        if len(nodes) == len(self.sizes):
            return self
        chosen = np.zeros(len(self.sizes), bool)
        chosen[nodes] = True
        return Level(self.X, self.y, self.order[:, chosen[self.node]], self.sizes[chosen])

    def splits(self, least: int) -> Cuts:
        """Return the splits by which the squared errors fall most; of equally good ones the first."""
        look()
        k, starts = len(self.sizes), self.starts
        top, column, threshold = np.full(k, -np.inf), np.zeros(k, np.intp), np.zeros(k)
        at_once = max(1, BLOCK // len(self.node))
        for first in range(0, len(self.X), at_once):
            x, shares = self._shares(slice(first, min(first + at_once, len(self.X))), least)
            tops = np.maximum.reduceat(shares, starts, axis=1)
            theirs = tops.max(axis=0)
            nodes = np.flatnonzero(theirs > top + NOTHING)
            best = (tops >= theirs - NOTHING).argmax(axis=0)
            along = shares[best[self.node], np.arange(len(self.node))]
            hits = np.flatnonzero(along >= (theirs - NOTHING)[self.node])
            hits = hits[np.searchsorted(hits, starts[nodes])]
            best = best[nodes]
            top[nodes], column[nodes] = along[hits], first + best
            threshold[nodes] = between(x[best, hits], x[best, hits + 1])
        found = np.flatnonzero(np.isfinite(top))
        return Cuts(found, column[found], threshold[found], (top * self.loss)[found])

    def _shares(self, some: slice, least: int) -> tuple[Floats, Floats]:
        """Return sorted columns, and which share of its node's error a cut behind each row saves.

        In deviations from the mean in units of the standard deviation it is :math:`s_l^2 / (n_l
        n_r)`, where the left side has the sum :math:`s_l`; so the sums of all nodes are of one
        size, and none takes another's digits.
        """
        node, starts, lines = self.node, self.starts, self.order[:-1][some]
        x = np.take_along_axis(self.X[some], lines, axis=1)
        deviations = self.deviations[lines]
        sums = deviations.cumsum(axis=1)
        sums -= (sums[:, starts] - deviations[:, starts])[:, node]
        left = np.arange(1, len(node) + 1) - starts[node]
        right = self.sizes[node] - left
        np.square(sums, out=sums)
        sums /= np.maximum(left * right, 1)
        sums[:, (left < least) | (right < least)] = -np.inf
        sums[:, :-1][x[:, 1:] == x[:, :-1]] = -np.inf
        return x, sums

    def halves(self, cuts: Cuts) -> Level:
        """Return the children: first all to the left, then all to the right."""
        n = len(self.sizes)
        column, threshold = np.zeros(n, np.intp), np.zeros(n)
        column[cuts.nodes], threshold[cuts.nodes] = cuts.column, cuts.threshold
        split = np.zeros(n, bool)
        split[cuts.nodes] = True
        rows = self.order[-1]
        side = np.zeros(len(self.y), np.int8)  # 0 goes nowhere, 1 to the left, 2 to the right
        side[rows] = (
            np.where(self.X[column[self.node], rows] <= threshold[self.node], 1, 2)
            * split[self.node]
        )
        sides = side[self.order]
        height = len(self.order)
        order = np.hstack([self.order[sides == which].reshape(height, -1) for which in (1, 2)])
        sizes = [
            np.bincount(self.node[sides[-1] == which], minlength=n)[cuts.nodes] for which in (1, 2)
        ]
        return Level(self.X, self.y, order, np.concatenate(sizes))
