"""The best splits of all nodes of one level of a regression tree at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.regression.knn_tree_regression.search import BLOCK, TOLERANCE, between
from dmlib.trace import look


@dataclass(frozen=True)
class Cuts:
    """The best splits of nodes of a level, one entry each."""

    nodes: Ints  # the nodes that can be split
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
        The rows of the nodes, sorted by each column; the last line has them in the table's order.
    sizes : ndarray of shape (n_nodes,)
        The number of rows of each node.

    Attributes
    ----------
    rows : list of ndarray
        The rows of each node.
    value, loss : ndarray of shape (n_nodes,)
        The means of the targets, and the sums of squared errors.
    deviations : ndarray of shape (n_samples,)
        The deviation of each row from its node's mean, in standard deviations.
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
        """Return the level of the root."""
        columns = np.ascontiguousarray(X.T)
        order = np.vstack([np.argsort(columns, axis=1, kind="stable"), np.arange(len(y))])
        return cls(columns, y, order, np.array([len(y)]))

    def only(self, nodes: list[int]) -> Level:
        """Return a selection of the nodes, in ascending order."""
        if len(nodes) == len(self.sizes):
            return self
        chosen = np.zeros(len(self.sizes), bool)
        chosen[nodes] = True
        return Level(self.X, self.y, self.order[:, chosen[self.node]], self.sizes[chosen])

    def drawn_columns(self, n_columns: int, rng: Any) -> NDArray[np.bool_]:
        """Draw for each node some of the columns that vary in it, shape (n_features, n_nodes)."""
        lines = self.order[:-1]
        lowest, highest = (
            np.take_along_axis(self.X, lines[:, ends], axis=1)
            for ends in (self.starts, self.starts + self.sizes - 1)
        )
        keys = np.where(lowest < highest, rng.random_sample(lowest.shape), np.inf)
        drawn: NDArray[np.bool_] = keys.argsort(axis=0).argsort(axis=0) < n_columns
        return drawn

    def splits(self, min_samples: int, columns: NDArray[np.bool_] | None = None) -> Cuts:
        """Return the splits that reduce the squared errors most; of equally good ones the first.

        ``columns``, of shape (n_features, n_nodes), says which of them each node may test.
        """
        look()
        k = len(self.sizes)
        top = np.full(k, -np.inf)
        column = np.zeros(k, np.intp)
        threshold = np.zeros(k)
        n_columns = max(1, BLOCK // len(self.node))
        for first in range(0, len(self.X), n_columns):
            block = slice(first, min(first + n_columns, len(self.X)))
            x, scores = self._scores(block, min_samples)
            if columns is not None:
                scores[~columns[block][:, self.node]] = -np.inf
            tops = np.maximum.reduceat(scores, self.starts, axis=1)
            block_top = tops.max(axis=0)
            nodes = np.flatnonzero(block_top > top + TOLERANCE)
            best = (tops >= block_top - TOLERANCE).argmax(axis=0)
            best_scores = scores[best[self.node], np.arange(len(self.node))]
            hits = np.flatnonzero(best_scores >= (block_top - TOLERANCE)[self.node])
            hits = hits[np.searchsorted(hits, self.starts[nodes])]
            best = best[nodes]
            top[nodes] = best_scores[hits]
            column[nodes] = first + best
            threshold[nodes] = between(x[best, hits], x[best, hits + 1])
        divisible = np.flatnonzero(np.isfinite(top))
        score = (top * self.loss)[divisible]
        return Cuts(divisible, column[divisible], threshold[divisible], score)

    def _scores(self, block: slice, min_samples: int) -> tuple[Floats, Floats]:
        """Return sorted columns, and the fraction of the error that a cut behind each row saves.

        In deviations from the mean in units of the standard deviation it is :math:`s_l^2 / (n_l
        n_r)`, where the left side has the sum :math:`s_l`; so the sums of all nodes are of one
        size, and no node loses digits to another.
        """
        node, starts = self.node, self.starts
        lines = self.order[:-1][block]
        x = np.take_along_axis(self.X[block], lines, axis=1)
        deviations = self.deviations[lines]
        sums = deviations.cumsum(axis=1)
        sums -= (sums[:, starts] - deviations[:, starts])[:, node]
        n_left = np.arange(1, len(node) + 1) - starts[node]
        n_right = self.sizes[node] - n_left
        np.square(sums, out=sums)
        sums /= np.maximum(n_left * n_right, 1)
        sums[:, np.minimum(n_left, n_right) < min_samples] = -np.inf
        sums[:, :-1][x[:, 1:] == x[:, :-1]] = -np.inf
        return x, sums

    def halves(self, cuts: Cuts) -> Level:
        """Return the children: first all to the left, then all to the right."""
        n = len(self.sizes)
        column = np.zeros(n, np.intp)
        column[cuts.nodes] = cuts.column
        threshold = np.zeros(n)
        threshold[cuts.nodes] = cuts.threshold
        is_split = np.zeros(n, bool)
        is_split[cuts.nodes] = True
        rows = self.order[-1]
        is_left = self.X[column[self.node], rows] <= threshold[self.node]
        side = np.zeros(len(self.y), np.int8)  # 0: not split, 1: left, 2: right
        side[rows] = np.where(is_left, 1, 2) * is_split[self.node]
        sides = side[self.order]
        height = len(self.order)
        order = np.hstack([self.order[sides == number].reshape(height, -1) for number in (1, 2)])
        sizes = [
            np.bincount(self.node[sides[-1] == number], minlength=n)[cuts.nodes]
            for number in (1, 2)
        ]
        return Level(self.X, self.y, order, np.concatenate(sizes))
