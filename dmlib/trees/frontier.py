"""The rows that a tree is grown from, and how they lie in the nodes of one level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.cached import cached_property

MOST_ROWS = 2.0**31 - 1
"""So many rows can be counted in 32 bits."""


def sums(groups: Ints, values: Floats, n_groups: int) -> Floats:
    """Return the sum of the values in each group, shape (n_groups,)."""
    out: Any = np.bincount(groups, values, n_groups)
    return cast(Floats, out)


@dataclass(frozen=True)
class Table:
    """The rows that a tree is grown from."""

    # (n_samples, n_features): the values; of a nominal column the codes. NaN where a value is
    # missing
    X: Floats
    y: Ints  # (n_samples,): the codes of the classes
    n_classes: int  # how many classes there are
    n_values: tuple[int, ...]  # for each column how many values it can have; 0 for a numeric column
    # (n_classes, n_classes): what each answer costs for each class; None: each wrong one costs 1
    costs: Floats | None = None
    # where the intervals end into which numeric columns are divided beforehand, all but the last;
    # by default none are
    edges: Mapping[int, Floats] = field(default_factory=dict)

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
        """The rank of each value of each column, of a nominal one 0, shape (n_features, n_samples)."""
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
        """Return the largest value of the column that is no larger than the threshold, for each threshold.

        A threshold that is not a number, beyond all values, is infinite.
        """
        out = np.where(np.isnan(thresholds), np.inf, thresholds)
        for column in np.unique(columns):
            values, mine = np.sort(self.X[:, column]), (columns == column) & ~np.isnan(thresholds)
            out[mine] = values[np.searchsorted(values, thresholds[mine], side="right") - 1]
        return out


@dataclass(frozen=True)
class Frontier:
    """The rows in the nodes of one level of a tree.

    A row with a missing value may be in several nodes, with a share in each.
    """

    # (n_entries,): which row is in which node
    rows: Ints
    nodes: Ints
    # (n_entries,): which part of the row it is, and what it weighs
    shares: Floats
    weights: Floats
    labels: Ints  # (n_entries,): what the splits are to tell apart: the codes of the classes
    # how many nodes there are, and how many classes
    n_nodes: int
    n_labels: int

    @classmethod
    def root(cls, table: Table, weights: Floats) -> Self:
        """Return all rows that have a weight, in one node; by weights of shape (n_nodes, n_samples), in several."""
        nodes, rows = np.nonzero(np.atleast_2d(weights) > 0)
        some = np.atleast_2d(weights)[nodes, rows]
        n_nodes = 1 if weights.ndim == 1 else len(weights)
        return cls(rows, nodes, np.ones(len(rows)), some, table.y[rows], n_nodes, table.n_classes)

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
        """Whether all rows are whole, each in one node only."""
        return bool((self.shares == 1).all())

    @cached_property
    def multiples(self) -> NDArray[np.int32] | None:
        """The weights as whole numbers, as drawing with replacement makes them; None if they are not."""
        numbers = self.weights.astype(np.int32) if self.weights.sum() < MOST_ROWS else None
        return numbers if numbers is not None and (numbers == self.weights).all() else None

    @cached_property
    def counts(self) -> Floats:
        """The weight of each class in each node, shape (n_nodes, n_labels)."""
        return self.count(self.nodes, self.n_nodes)

    @cached_property
    def sizes(self) -> Floats:
        """How many rows are in each node."""
        return sums(self.nodes, self.shares, self.n_nodes)

    def count(self, groups: Ints, n_groups: int) -> Floats:
        """Return the weight of each class in each group of entries, shape (n_groups, n_labels)."""
        cells = sums(groups * self.n_labels + self.labels, self.weights, n_groups * self.n_labels)
        return cells.reshape(n_groups, self.n_labels)
