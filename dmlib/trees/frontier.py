"""The training rows of a tree, and their places in the nodes of one level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.cached import cached_property

MAX_ROWS = 2.0**31 - 1
"""Rows that can be counted in 32 bits."""


def sums(groups: Ints, values: Floats, n_groups: int) -> Floats:
    """Return the sum of the values in each group, shape (n_groups,)."""
    out: Any = np.bincount(groups, values, n_groups)
    return cast(Floats, out)


@dataclass(frozen=True)
class Table:
    """The training rows of a tree."""

    # (n_samples, n_features): the values; of a nominal column the codes. NaN where a value is
    # missing
    X: Floats
    y: Ints  # (n_samples,): the codes of the classes
    n_classes: int
    n_values: tuple[int, ...]  # the number of values of each nominal column; 0 for a numeric one
    # (n_classes, n_classes): the cost of each prediction (column) for each class; None: 1 if wrong
    costs: Floats | None = None
    # the upper ends of the intervals of numeric columns that are divided beforehand, without the
    # last
    edges: Mapping[int, Floats] = field(default_factory=dict)
    # the codes of the values of ordinal columns, from the lowest to the highest
    orders: Mapping[int, Ints] = field(default_factory=dict)
    cases: Floats | None = None  # (n_samples,): how many rows each row stands for; None: one

    @property
    def size(self) -> float:
        """The number of rows, where each counts as the rows that it stands for."""
        return len(self.y) if self.cases is None else float(self.cases.sum())

    @cached_property
    def numeric(self) -> Ints:
        """The numeric columns."""
        return np.flatnonzero([count == 0 for count in self.n_values])

    @cached_property
    def holes(self) -> NDArray[np.bool_]:
        """Which columns are numeric and have missing values, shape (n_features,)."""
        holes = np.zeros(len(self.n_values), bool)
        holes[self.numeric] = np.isnan(self.X[:, self.numeric]).any(axis=0)
        return holes

    @cached_property
    def bits(self) -> int:
        """Bits for the rank of a value; all of them set stands for a missing value."""
        return int(len(self.X) + 1).bit_length()

    def values(self, column: int, rows: Ints, category: bool) -> tuple[Floats, int]:
        """Return the values of some rows, and how many there can be; 0 for a numeric column.

        With ``category``, missing is a value of its own, the last, if it occurs in a column that is
        nominal or divided.
        """
        x, n_values = self.X[rows, column], self.n_values[column]
        if column in self.edges:
            codes = np.searchsorted(self.edges[column], x, side="left").astype(float)
            x, n_values = np.where(np.isnan(x), np.nan, codes), len(self.edges[column]) + 1
        if category and n_values and np.isnan(self.X[:, column]).any():
            return np.where(np.isnan(x), float(n_values), x), n_values + 1
        return x, n_values

    @cached_property
    def ranks(self) -> NDArray[np.int64]:
        """The rank of each value in its column, shape (n_features, n_samples); 0 if nominal."""
        columns = np.ascontiguousarray(
            np.where(np.array(self.n_values)[:, None] > 0, 0.0, self.X.T)
        )
        order = columns.argsort(axis=1)
        ascending = np.take_along_axis(columns, order, axis=1)
        ranks = np.zeros(columns.shape, np.int64)
        np.cumsum(ascending[:, 1:] > ascending[:, :-1], axis=1, out=ranks[:, 1:])
        ranks[np.isnan(ascending)] = 2**self.bits - 1
        out = np.empty_like(ranks)
        np.put_along_axis(out, order, ranks, axis=1)
        return out

    def below(self, columns: Ints, thresholds: Floats) -> Floats:
        """Return, for each threshold, the largest value of its column that is no larger.

        NaN, a threshold beyond all values, gives infinity.
        """
        out = np.where(np.isnan(thresholds), np.inf, thresholds)
        for column in np.unique(columns):
            values = np.sort(self.X[:, column])
            of_column = (columns == column) & ~np.isnan(thresholds)
            ranks = np.searchsorted(values, thresholds[of_column], side="right")
            out[of_column] = values[ranks - 1]
        return out


@dataclass(frozen=True)
class Frontier:
    """The rows in the nodes of one level of a tree.

    A row with a missing value may be in several nodes, with a share in each.
    """

    # (n_entries,): which row is in which node
    rows: Ints
    nodes: Ints
    # (n_entries,): the fraction of the row, times the rows that it stands for; and its weight
    shares: Floats
    weights: Floats
    labels: Ints  # (n_entries,): the codes of the classes that the splits are to separate
    # the numbers of nodes and of classes
    n_nodes: int
    n_labels: int

    @classmethod
    def root(cls, table: Table, weights: Floats) -> Self:
        """Return all rows of positive weight in the root, or in the roots of several trees.

        ``weights`` has the shape (n_samples,), or (n_trees, n_samples).
        """
        nodes, rows = np.nonzero(np.atleast_2d(weights) > 0)
        positive = np.atleast_2d(weights)[nodes, rows]
        n_nodes = 1 if weights.ndim == 1 else len(weights)
        shares = np.ones(len(rows)) if table.cases is None else table.cases[rows]
        return cls(rows, nodes, shares, positive, table.y[rows], n_nodes, table.n_classes)

    def part(self, entries: NDArray[np.bool_], nodes: Ints, n_nodes: int) -> Self:
        """Return some of the entries, with the nodes numbered anew."""
        return type(self)(
            self.rows[entries],
            nodes[entries],
            self.shares[entries],
            self.weights[entries],
            self.labels[entries],
            n_nodes,
            self.n_labels,
        )

    @cached_property
    def entire(self) -> bool:
        """Whether each row is in one node only."""
        return bool((self.shares == 1).all())

    @cached_property
    def multiples(self) -> NDArray[np.int32] | None:
        """The weights as integers, as of a bootstrap sample; None if they are no integers."""
        numbers = self.weights.astype(np.int32) if self.weights.sum() < MAX_ROWS else None
        return numbers if numbers is not None and (numbers == self.weights).all() else None

    @cached_property
    def counts(self) -> Floats:
        """The weight of each class in each node, shape (n_nodes, n_labels)."""
        return self.count(self.nodes, self.n_nodes)

    @cached_property
    def sizes(self) -> Floats:
        """The number of rows in each node."""
        return sums(self.nodes, self.shares, self.n_nodes)

    def count(self, groups: Ints, n_groups: int) -> Floats:
        """Return the weight of each class in each group of entries, shape (n_groups, n_labels)."""
        cells = sums(groups * self.n_labels + self.labels, self.weights, n_groups * self.n_labels)
        return cells.reshape(n_groups, self.n_labels)
