"""The growth of trees that predict a number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.cached import cached_property
from dmlib.regression.knn_tree_regression.levels import Level
from dmlib.regression.knn_tree_regression.search import (
    TOLERANCE,
    Split,
    best_split,
    loss_of,
    measure_of,
)
from dmlib.regression.knn_tree_regression.tree import Node, TreeStep
from dmlib.trace import look

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
    """

    X: Floats
    y: Floats
    criterion: str
    divide: Callable[[Part], bool]
    min_samples: int
    max_leaf_nodes: int | None = None

    def steps(self) -> Iterator[TreeStep]:
        """Yield the root, then the splits: first those that reduce the sum of errors most."""
        root = self._root()
        nodes: tuple[Node, ...] = (Node(0, -1, 0, root.rows, root.value, root.loss),)
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
            nodes = (
                Node(n_nodes, number, low.depth, low.rows, low.value, low.loss),
                Node(n_nodes + 1, number, high.depth, high.rows, high.value, high.loss),
            )
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

    @cached_property
    def rounding(self) -> float:
        """The mean error of a part up to which it is rounding."""
        size = TOLERANCE * float(np.abs(self.y).max())
        return size if self.criterion == "absolute_error" else size**2

    def _root(self) -> Part:
        value, loss = loss_of(self.y, measure_of(self.criterion))
        level = Level.root(self.X, self.y) if self.criterion == "squared_error" else None
        return Part(np.arange(len(self.y)), value, loss, 0, level)

    def _split(self, parts: list[Part]) -> list[Part]:
        """Split the parts of one level as far as they may be split, and return their halves."""
        divisible = [
            part
            for part in parts
            if part.loss > self.rounding * len(part.rows) and self.divide(part)
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
        cuts = level.splits(self.min_samples)
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
            part.split = self._record(part, int(column), float(threshold), float(score))
            part.halves = halves[i], halves[i + n]
        return halves

    def _split_singly(self, parts: list[Part]) -> list[Part]:
        measure = measure_of(self.criterion)
        halves: list[Part] = []
        for part in parts:
            look()
            X, y = self.X[part.rows], self.y[part.rows]
            best = best_split(X, y, self.criterion, self.min_samples)
            if best is None:
                continue
            score, column, threshold = best
            part.split = self._record(part, column, threshold, score)
            is_left = X[:, column] <= threshold
            low, high = (
                Part(part.rows[side], *loss_of(y[side], measure), part.depth + 1)
                for side in (is_left, ~is_left)
            )
            part.halves = low, high
            halves += part.halves
        return halves

    def _record(self, part: Part, column: int, threshold: float, score: float) -> Split:
        rows = part.rows
        return Split(
            column, threshold, score, self.X, self.y, rows, self.criterion, self.min_samples
        )
