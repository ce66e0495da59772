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
    NOTHING,
    Split,
    best_split,
    loss_of,
    measure_of,
)
from dmlib.regression.knn_tree_regression.tree import Node, TreeStep
from dmlib.trace import look

ROUNDING = 1e-13  # of the sum of errors of all rows: what is left below it is no error


@dataclass(slots=True)
class Part:
    """Rows that may become a node, and how they would be split."""

    rows: Ints
    value: float
    loss: float
    depth: int
    # where they lie sorted, until their split is known
    level: Level | None = None
    place: int = 0
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
    least : int
        How many rows each side must have.
    max_leaf_nodes : int or None
        How many leaves there may be.
    """

    X: Floats
    y: Floats
    criterion: str
    divide: Callable[[Part], bool]
    least: int
    max_leaf_nodes: int | None = None

    def steps(self) -> Iterator[TreeStep]:
        """Yield the root and one split after another, first those by which the sum of errors falls most."""
        root = self._root()
        total, n_nodes, n_leaves = root.loss, 1, 1
        yield TreeStep(
            "root",
            0,
            (Node(0, -1, 0, root.rows, root.value, root.loss),),
            None,
            total,
            total,
            total,
            1,
        )
        parts, waiting = [root], [(0.0, 0, root)]
        while parts := self._split(parts):
            if self.max_leaf_nodes is not None:
                break
        while waiting and (self.max_leaf_nodes is None or n_leaves < self.max_leaf_nodes):
            look()
            _, number, part = heappop(waiting)
            if part.split is None or part.halves is None:
                continue
            low, high = part.halves
            if self.max_leaf_nodes is not None:
                self._split([low, high])
            made = (
                Node(n_nodes, number, low.depth, low.rows, low.value, low.loss),
                Node(n_nodes + 1, number, high.depth, high.rows, high.value, high.loss),
            )
            after = low.loss + high.loss
            n_leaves, total = n_leaves + 1, total + after - part.loss
            total = total if total > ROUNDING * root.loss else 0.0
            yield TreeStep("split", number, made, part.split, part.loss, after, total, n_leaves)
            for child in (low, high):
                if child.halves is not None:
                    fall = child.halves[0].loss + child.halves[1].loss - child.loss
                    heappush(waiting, (fall, n_nodes, child))
                n_nodes += 1

    @cached_property
    def nothing(self) -> float:
        """The mean error that is nothing but rounding."""
        size = NOTHING * float(np.abs(self.y).max())
        return size if self.criterion == "absolute_error" else size**2

    def _root(self) -> Part:
        rows, measure = np.arange(len(self.y)), measure_of(self.criterion)
        value, loss = loss_of(self.y, measure)
        return Part(
            rows,
            value,
            loss,
            0,
            Level.root(self.X, self.y) if self.criterion == "squared_error" else None,
        )

    def _split(self, parts: list[Part]) -> list[Part]:
        """Find the splits of parts that lie in one level, and return their halves."""
        some = [
            part
            for part in parts
            if part.loss > self.nothing * len(part.rows) and self.divide(part)
        ]
        if not some:
            return []
        level = parts[0].level
        for part in parts:
            part.level = None  # so that it can go
        return self._one_by_one(some) if level is None else self._together(some, level)

    def _together(self, parts: list[Part], level: Level) -> list[Part]:
        level = level.only([part.place for part in parts])
        cuts = level.splits(self.least)
        if not len(cuts.nodes):
            return []
        below = level.halves(cuts)
        depth, n = parts[0].depth + 1, len(cuts.nodes)
        halves = [
            Part(rows, value, loss, depth, below, i)
            for i, (rows, value, loss) in enumerate(
                zip(below.rows, below.value.tolist(), below.loss.tolist(), strict=True)
            )
        ]
        found = zip(
            cuts.nodes.tolist(),
            cuts.column.tolist(),
            cuts.threshold.tolist(),
            cuts.score.tolist(),
            strict=True,
        )
        for i, (node, column, threshold, score) in enumerate(found):
            part = parts[node]
            part.split = Split(
                column, threshold, score, self.X, self.y, part.rows, self.criterion, self.least
            )
            part.halves = halves[i], halves[i + n]
        return halves

    def _one_by_one(self, parts: list[Part]) -> list[Part]:
        halves: list[Part] = []
        for part in parts:
            look()
            found = best_split(self.X[part.rows], self.y[part.rows], self.criterion, self.least)
            if found is None:
                continue
            score, column, threshold = found
            part.split = Split(
                column, threshold, score, self.X, self.y, part.rows, self.criterion, self.least
            )
            left = self.X[part.rows, column] <= threshold
            low, high = (
                Part(rows, *loss_of(self.y[rows], measure_of(self.criterion)), part.depth + 1)
                for rows in (part.rows[left], part.rows[~left])
            )
            part.halves = low, high
            halves += part.halves
        return halves
