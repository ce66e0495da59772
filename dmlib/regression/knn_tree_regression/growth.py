"""The growth of trees that predict a number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.cached import cached_property
from dmlib.regression.knn_tree_regression.levels import Level
from dmlib.regression.knn_tree_regression.search import (
    TOLERANCE,
    Split,
    best_split,
    loss_of,
    measure_of,
    ranked,
)
from dmlib.regression.knn_tree_regression.tree import Node, TreeStep
from dmlib.trace import look
from dmlib.trees.splits import Split as ColumnTest

ROUNDING = 1e-13  # times the sum of errors of all rows: sums below it are 0


@dataclass(slots=True)
class Part:
    """Rows that may become a node, with their best split."""

    rows: Ints
    value: float
    loss: float
    depth: int
    level: Level | None = None  # in which they lie sorted, until their split is computed
    place: int = 0  # the number of the part in its level
    split: Split | None = None
    halves: tuple[Part, Part] | None = None
    shares: Floats | None = None  # of each row, what is in the part; None: all are in it whole

    @property
    def size(self) -> float:
        """How many rows are in the part, parts of rows added."""
        return len(self.rows) if self.shares is None else float(self.shares.sum())

    def node(self, number: int, parent: int) -> Node:
        """Return the part as a node."""
        return Node(number, parent, self.depth, self.rows, self.value, self.loss, self.shares)


@dataclass(frozen=True)
class Growth:
    """How a tree grows.

    Attributes
    ----------
    X, y : ndarray of shape (n_samples, n_features) and (n_samples,)
        The rows.
    criterion : str
        That of :func:`best_split`.
    divide : callable
        Part -> whether it may be split.
    min_samples : int
        The minimum number of rows of a leaf.
    max_leaf_nodes : int or None
        The maximum number of leaves.
    max_features : int or None
        How many columns are drawn for each node; None for all.
    rng : RandomState
        From which they are drawn.
    n_values : tuple of int
        The number of categories of each nominal column, 0 of a numeric one; empty: all are numeric.
    """

    X: Floats
    y: Floats
    criterion: str
    divide: Callable[[Part], bool]
    min_samples: int
    max_leaf_nodes: int | None = None
    max_features: int | None = None
    rng: Any = None
    n_values: tuple[int, ...] = ()

    def steps(self) -> Iterator[TreeStep]:
        """Yield the root, then the splits: first those that reduce the sum of errors most."""
        root = self._root()
        nodes: tuple[Node, ...] = (root.node(0, -1),)
        total = root.loss
        yield TreeStep("root", 0, nodes, None, total, total, total, n_leaves=1)
        parts = [root]
        while parts := self._split(parts):
            if self.max_leaf_nodes is not None:
                break
        n_nodes = n_leaves = 1
        waiting = [(0.0, 0, root)]
        while waiting and (self.max_leaf_nodes is None or n_leaves < self.max_leaf_nodes):
            look()
            _, number, part = heappop(waiting)
            if part.split is None or part.halves is None:
                continue
            low, high = part.halves
            if self.max_leaf_nodes is not None:
                self._split([low, high])
            nodes = low.node(n_nodes, number), high.node(n_nodes + 1, number)
            after = low.loss + high.loss
            n_leaves += 1
            total = total + after - part.loss
            total = total if total > ROUNDING * root.loss else 0.0
            yield TreeStep("split", number, nodes, part.split, part.loss, after, total, n_leaves)
            for child in (low, high):
                if child.halves is not None:
                    change = child.halves[0].loss + child.halves[1].loss - child.loss
                    heappush(waiting, (change, n_nodes, child))
                n_nodes += 1

    def decrease(self, node: Node) -> float:
        """Return by how much the best split of a node lowers the error."""
        part = Part(node.rows, node.value, node.loss, node.depth, shares=node.shares)
        halves = self._split_singly([part])
        return node.loss - sum(half.loss for half in halves) if halves else 0.0

    @cached_property
    def rounding(self) -> float:
        """The mean error of a part up to which it is rounding."""
        size = TOLERANCE * float(np.abs(self.y).max())
        return size if self.criterion == "absolute_error" else size**2

    def _root(self) -> Part:
        value, loss = loss_of(self.y, measure_of(self.criterion))
        is_plain = self.criterion == "squared_error" and not any(self.n_values)
        level = Level.root(self.X, self.y) if is_plain and not np.isnan(self.X).any() else None
        return Part(np.arange(len(self.y)), value, loss, 0, level)

    def _split(self, parts: list[Part]) -> list[Part]:
        """Split the parts of one level as far as they may be split, and return their halves."""
        divisible = [
            part for part in parts if part.loss > self.rounding * part.size and self.divide(part)
        ]
        if not divisible:
            return []
        level = parts[0].level
        for part in parts:
            part.level = None  # frees its memory
        if level is None:
            return self._split_singly(divisible)
        return self._split_level(divisible, level)

    def _split_level(self, parts: list[Part], level: Level) -> list[Part]:
        level = level.only([part.place for part in parts])
        columns = None
        if self.max_features is not None:
            columns = level.drawn_columns(self.max_features, self.rng)
        cuts = level.splits(self.min_samples, columns)
        if not len(cuts.nodes):
            return []
        below = level.halves(cuts)
        depth = parts[0].depth + 1
        values = zip(below.rows, below.value.tolist(), below.loss.tolist(), strict=True)
        halves = [
            Part(rows, value, loss, depth, below, i) for i, (rows, value, loss) in enumerate(values)
        ]
        n = len(cuts.nodes)
        for i, node in enumerate(cuts.nodes.tolist()):
            column, threshold, score = cuts.column[i], cuts.threshold[i], cuts.score[i]
            part = parts[node]
            test = ColumnTest(int(column), (float(threshold),))
            part.halves = halves[i], halves[i + n]
            share = len(halves[i].rows) / len(part.rows)
            part.split = self._record(part, test, float(score), share)
        return halves

    def _split_singly(self, parts: list[Part]) -> list[Part]:
        measure = measure_of(self.criterion)
        halves: list[Part] = []
        for part in parts:
            look()
            rows, shares = self.X[part.rows], part.shares
            columns = self._columns(rows)
            X, y = self._ranked(rows, part, columns), self.y[part.rows]
            best = best_split(X, y, self.criterion, self.min_samples, shares)
            if best is None:
                continue
            score, place, threshold = best
            column, x = int(columns[place]), X[:, place]
            weights = np.ones(len(x)) if shares is None else shares
            share = float(weights[x <= threshold].sum() / weights[~np.isnan(x)].sum())
            part.halves = low, high = (
                self._half(part, x <= threshold, np.isnan(x), share, measure),
                self._half(part, x > threshold, np.isnan(x), 1 - share, measure),
            )
            test = self._test(column, threshold, rows[:, column], x)
            part.split = self._record(part, test, score, share)
            halves += [low, high]
        return halves

    def _ranked(self, rows: Floats, part: Part, columns: Ints) -> Floats:
        """Return some columns of a part, nominal ones as places of their categories in an order."""
        X, y = rows[:, columns], self.y[part.rows]
        for place, column in enumerate(columns.tolist()) if any(self.n_values) else ():
            n_values = self.n_values[column]
            X[:, place] = ranked(X[:, place], y, part.shares, n_values, self.criterion)
        return X

    def _test(self, column: int, threshold: float, values: Floats, x: Floats) -> ColumnTest:
        """Return the test of a column of which ``x`` are the places of the ``values``."""
        if not self.n_values or not self.n_values[column]:
            return ColumnTest(column, (threshold,))
        branches = np.full(self.n_values[column], -1)
        has_value = ~np.isnan(x)
        branches[values[has_value].astype(int)] = x[has_value] > threshold
        return ColumnTest(column, branches=tuple(branches.tolist()))

    def _half(
        self,
        part: Part,
        inside: NDArray[np.bool_],
        missing: NDArray[np.bool_],
        share: float,
        measure: str,
    ) -> Part:
        """Return one side of a part; rows without a value are on both sides, in parts."""
        rows, shares = part.rows, part.shares
        if missing.any():
            weights = np.ones(len(rows)) if shares is None else shares
            weights = np.where(missing, share * weights, weights)
            inside = inside | missing
            rows, shares = rows[inside], weights[inside]
        else:
            rows, shares = rows[inside], None if shares is None else shares[inside]
        value, loss = loss_of(self.y[rows], measure, shares)
        return Part(rows, value, loss, part.depth + 1, shares=shares)

    def _columns(self, X: Floats) -> Ints:
        """Return the columns that a node with these rows may test."""
        if self.max_features is None:
            return np.arange(X.shape[1])
        varying = np.flatnonzero(np.fmax.reduce(X) > np.fmin.reduce(X))
        return np.sort(self.rng.permutation(varying)[: self.max_features])

    def _record(self, part: Part, test: ColumnTest, score: float, share: float) -> Split:
        return Split(
            test,
            score,
            share,
            self.X,
            self.y,
            part.rows,
            part.shares,
            self.criterion,
            self.min_samples,
        )
