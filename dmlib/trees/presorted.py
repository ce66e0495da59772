"""Growing many shallow trees on the same rows, whose columns are sorted once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.trees.best_splits import CLOSE
from dmlib.trees.frontier import Table
from dmlib.trees.growth import ROUNDING
from dmlib.trees.impurity import MEASURES, TINY, impurity
from dmlib.trees.splits import LEAF, SplitTable, halfway
from dmlib.trees.tree import NO_CHILD, Tree

MAX_DEPTH = 6
"""The largest depth of such a tree: of a deeper one :func:`dmlib.trees.growth.grow` splits many
nodes at once."""

MAX_BLOCK = 2**15
"""Values that are scanned together: more would not fit into the cache of a processor."""


@dataclass(frozen=True)
class Presorted:
    """Numeric columns without missing values, sorted once for many trees.

    Examples
    --------
    >>> rows = Presorted.of(Table(np.array([[0.0], [2.0], [4.0]]), np.zeros(3, int), 1, (0,)), 1)
    >>> tree, leaves = rows.grow(np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), 1)
    >>> tree.threshold[0], leaves.tolist()
    (np.float64(3.0), [1, 1, 2])
    """

    columns: Floats  # (n_features, n_samples)
    order: Ints  # (n_features, n_samples): the rows by each column, ascending

    @classmethod
    def of(cls, table: Table, max_depth: float | None) -> Self | None:
        """Return the sorted columns; None where trees are too deep or not all columns numeric.

        Columns with missing values, or that are divided beforehand, give None too.
        """
        is_deep = max_depth is None or max_depth > MAX_DEPTH
        if is_deep or any(table.n_values) or table.edges or np.isnan(table.X).any():
            return None
        columns = np.ascontiguousarray(table.X.T)
        return cls(columns, columns.argsort(axis=1, kind="stable"))

    def grow(self, weights: Floats, max_depth: float, measure: str = "gini") -> tuple[Tree, Ints]:
        """Grow the tree of :func:`dmlib.trees.growth.grow` whose depth alone is bounded.

        Parameters
        ----------
        weights : ndarray of shape (n_classes, n_samples)
            How much each row counts for each class; a row may count for several.
        max_depth : float
            The largest depth of a leaf.
        measure : {"gini", "entropy", "error", "dkm"}, default="gini"
            The impurity that splits reduce.

        Returns
        -------
        tree : Tree
            The tree.
        leaves : ndarray of shape (n_samples,)
            The leaf of each row; of a row without a weight as of any new row.
        """
        has_weight = weights.sum(axis=0) > 0
        order = self.order
        if not has_weight.all():
            order = order[has_weight[order]].reshape(len(order), -1)
        counts: list[Floats] = []
        sizes: list[int] = []
        splits: list[tuple[int, float]] = []
        children: list[list[int]] = []
        leaves = np.zeros(weights.shape[1], np.intp)
        waiting = [(0, NO_CHILD, np.arange(len(leaves)), order)]
        while waiting:  # in preorder
            depth, parent, rows, order = waiting.pop()
            node, weighted = len(counts), rows if has_weight.all() else rows[has_weight[rows]]
            count = weights[:, weighted].sum(axis=1)
            counts.append(count)
            sizes.append(len(weighted))
            children.append([NO_CHILD, NO_CHILD])
            if parent != NO_CHILD:
                children[parent][0 if children[parent][0] == NO_CHILD else 1] = node
            mixed = depth < max_depth and len(weighted) > 1 and impurity(count, measure) > ROUNDING
            split = self._split(weights, order, count, measure) if mixed else None
            splits.append((LEAF, np.nan) if split is None else split)
            if split is None:
                leaves[rows] = node
                continue
            first_side = self.columns[split[0]] <= split[1]
            for side in (~first_side, first_side):
                entries = order[:, :0]
                if depth + 1 < max_depth:
                    entries = order[side[order]].reshape(len(order), -1)
                waiting.append((depth + 1, node, rows[side[rows]], entries))
        return _tree(np.array(counts), np.array(sizes), splits, np.array(children), measure), leaves

    def _split(
        self, weights: Floats, order: Ints, count: Floats, measure: str
    ) -> tuple[int, float] | None:
        """Return the column and threshold of the largest impurity decrease, the first of equals."""
        total = MEASURES[measure]
        best_cuts = []
        n_columns, n = order.shape
        impurity_before = total(count[:, None])
        for first in range(0, n_columns, step := max(1, MAX_BLOCK // n)):
            block = order[first : first + step]
            values = np.array(
                [column[rows] for column, rows in zip(self.columns[first:], block, strict=False)]
            )
            below = np.array([each.take(block) for each in weights]).cumsum(axis=2)[:, :, :-1]
            above = np.maximum(count[:, None, None] - below, 0.0)
            gains = (impurity_before - total(below) - total(above)) / max(float(count.sum()), TINY)
            gains[values[:, 1:] <= values[:, :-1]] = -np.inf
            cuts = (gains >= gains.max(axis=1, keepdims=True) - CLOSE).argmax(axis=1)
            at = np.arange(len(block)), cuts
            best_cuts.append((gains[at], values[at], values[at[0], cuts + 1]))
        gains, low, high = (np.concatenate(part) for part in zip(*best_cuts, strict=True))
        column = int((gains >= gains.max() - CLOSE).argmax())
        if gains[column] < -ROUNDING:
            return None
        return column, float(halfway(low[column], high[column]))


def _tree(
    counts: Floats, sizes: Ints, splits: list[tuple[int, float]], children: Ints, measure: str
) -> Tree:
    """Return nodes in preorder as a tree."""
    columns, thresholds = (np.array(part) for part in zip(*splits, strict=True))
    weights, inner = counts.sum(axis=1), np.flatnonzero(columns != LEAF)
    shares = np.ones(len(counts))
    for branch in children[inner].T:
        shares[branch] = weights[branch] / np.maximum(weights[inner], TINY)
    return Tree(
        SplitTable.binary(columns, thresholds, np.full(len(counts), -1)),
        children,
        shares,
        (counts / np.maximum(weights, TINY)[:, None])[:, None],
        impurity(counts.T, measure),
        sizes,
        weights,
        np.arange(len(counts)),
    )
