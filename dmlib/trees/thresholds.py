"""The thresholds of numeric columns: every cut of every column in every node of a level, in one sorted scan each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.trees.frontier import Frontier, Table
from dmlib.trees.impurity import Score
from dmlib.trees.rules import SLACK, Rules
from dmlib.trees.splits import halfway

CONCAVE = ("gini", "entropy")
"""Criteria that are the fall of a strictly concave impurity."""

BLOCK = 2**15
"""How many values, times classes, are scanned at once."""


class Scan(NamedTuple):
    """Cuts of numeric columns, ordered by column, node and threshold."""

    # (n_cuts,): which column is cut, in which node
    columns: Ints
    nodes: Ints
    # (n_cuts,): a row with the value just under the cut, and one with the value just over it
    below: Ints
    above: Ints
    branches: Floats  # (2, n_labels, n_cuts): the weight of each class on either side
    sizes: Floats  # (2, n_cuts): how many rows with a value are on either side
    missing: (
        Ints  # (n_cuts,): the side to which rows without a value go; -1 where they go to neither
    )

    def take(self, cuts: NDArray[np.generic] | slice) -> Scan:
        """Return some of the cuts."""
        every: tuple[Any, ...] = self
        return Scan(*(values[..., cuts] for values in every))

    def thresholds(self, X: Floats, cuts: Ints | slice = slice(None)) -> Floats:
        """Return the thresholds of some cuts: halfway, or the lower value if there is no number between."""
        columns = self.columns[cuts]
        low, high = X[self.below[cuts], columns], X[self.above[cuts], columns]
        return np.where(np.isnan(high), np.inf, halfway(low, high))


def better_side(branches: Floats, lost: Floats, score: Score) -> tuple[Floats, Ints]:
    """Return splits into two with the rows that have no value on the side that scores higher, the second of equals.

    Class weights of the branches have the shape (2, n_labels, n_splits), those of the rows without
    a value (n_labels, n_splits). The sides that these take are returned too, -1 where there are no
    such rows.
    """
    first, second = branches.copy(), branches.copy()
    first[0] += lost
    second[1] += lost
    left = score(first, 0.0) > score(second, 0.0) + 1e-12
    sides = np.where(lost.sum(axis=0) > SLACK, np.where(left, 0, 1), -1)
    return np.where(left, first, second), sides


def scan(
    table: Table, frontier: Frontier, rules: Rules, drawn: Ints | None = None, every: bool = True
) -> Iterator[Scan]:
    """Yield all cuts between different values that leave enough rows on either side, a few columns at a time.

    Where each node may choose among some columns only, ``drawn`` has these, shape (n_nodes,
    n_drawn). Without ``every``, cuts are left out that cannot be the best.

    Notes
    -----
    Node, rank of the value and entry are packed into one integer, so that one sort of integers
    arranges a column by node and value. A level of n entries, d columns and k classes costs O(d n
    (log n + k)).

    By a concave impurity the best cut never divides rows of one class (U. M. Fayyad and K. B.
    Irani, 1992, On the handling of continuous-valued attributes in decision tree generation).
    """
    n_values = len(frontier.rows) * frontier.n_labels
    at_once = max(1, BLOCK // max(n_values, 1))
    columns = table.numeric[:, None] if drawn is None else drawn.T
    for first in range(0, len(columns), at_once):
        yield from _scan_block(table, frontier, columns[first : first + at_once], rules, every)


def none(n_labels: int) -> Scan:
    """Return no cuts."""
    nothing = np.empty(0, np.intp)
    return Scan(
        nothing, nothing, nothing, nothing, np.empty((2, n_labels, 0)), np.empty((2, 0)), nothing
    )


def _scan_block(
    table: Table, frontier: Frontier, columns: Ints, rules: Rules, every: bool
) -> Iterator[Scan]:
    """Scan some columns, the same for all nodes, shape (n_columns, 1), or others for each, (n_columns, n_nodes)."""
    m = len(frontier.rows)
    entry_bits = int(m).bit_length()
    apart = columns.shape[1] > 1
    of_entry = columns.take(frontier.nodes, axis=1) if apart else columns
    keys = (
        ((frontier.nodes << table.bits) | table.ranks[of_entry, frontier.rows]) << entry_bits
    ) | np.arange(m)
    keys.sort(axis=1)
    entries, places = (keys & (2**entry_bits - 1)).ravel(), keys >> entry_bits
    nodes = places[0] >> table.bits
    cut = np.zeros(keys.shape, bool)
    np.not_equal(places[:, 1:], places[:, :-1], out=cut[:, :-1])
    cut[:, :-1] &= nodes[1:] == nodes[:-1]
    holes = bool(table.holes[columns].any())
    if holes:
        known = (places & (2**table.bits - 1)) < 2**table.bits - 1
        cut[:, :-1] &= known[:, :-1] if rules.category else known[:, 1:]
    labels = frontier.labels[entries].reshape(keys.shape)
    if not (every or holes or rules.bounded) and rules.criterion in CONCAVE:
        between = cut[:, 1:-1] & cut[:, :-2] & cut[:, 2:]  # two rows, alone with their values
        cut[:, 1:-1] &= ~between | (labels[:, 1:-1] != labels[:, 2:])
    column = np.repeat(np.arange(len(cut)), cut.sum(axis=1))
    if not len(column):
        return
    place = np.flatnonzero(cut)
    sums = _Sums.of(column, place - column * m, nodes, frontier.n_nodes)
    weights = frontier.weights if frontier.multiples is None else frontier.multiples
    if holes:
        labels[~known] = frontier.n_labels
    which = labels == np.arange(frontier.n_labels)[:, None, None]
    branches = sums.two_sides(which, weights[entries].reshape(keys.shape))
    sizes: Any  # whole numbers, or sums of parts of rows
    if frontier.entire and not holes:
        sizes = sums.rows
    else:
        shares = frontier.shares[entries].reshape(keys.shape)
        sizes = sums.two_sides((labels < frontier.n_labels)[None], shares)[:, 0]
    rows = frontier.rows[entries[place]], frontier.rows[entries[place + 1]]
    missing = np.full(len(sums.node), -1)
    if holes and rules.category:
        alone = ~known.ravel()[place + 1]
        missing[alone], nodes = 1, sums.node[alone]
        branches[1][:, alone] = np.maximum(frontier.counts.T[:, nodes] - branches[0][:, alone], 0.0)
        sizes[1, alone] = np.maximum(frontier.sizes[nodes] - sizes[0, alone], 0.0)
    which = columns[column, sums.node if apart else 0]
    found = Scan(which, sums.node, *rows, branches, sizes, missing)
    if rules.bounded or not frontier.entire:
        enough: NDArray[np.bool_] = np.all(rules.enough(sizes, branches.sum(axis=1)), axis=0)
        found = found.take(enough)
    yield found


class _Sums(NamedTuple):
    """The node of each cut, and where sums over its entries begin, are cut and end, with a zero before each column."""

    node: Ints
    start: Ints
    cut: Ints
    end: Ints

    @classmethod
    def of(cls, column: Ints, last: Ints, nodes: Ints, n_nodes: int) -> Self:
        ends = np.bincount(nodes, minlength=n_nodes).cumsum()
        first = column * (len(nodes) + 1)
        node = nodes[last]
        return cls(node, first + np.append(0, ends)[node], first + last + 1, first + ends[node])

    @property
    def rows(self) -> Ints:
        """How many entries are on either side of the cuts, shape (2, n_cuts)."""
        return np.array([self.cut - self.start, self.end - self.cut])

    def two_sides(self, which: NDArray[np.bool_], weights: NDArray[Any]) -> NDArray[Any]:
        """Sum weights over some entries, shape (n_sums, n_columns, n_entries), on either side of the cuts.

        Whole numbers add up several times faster than floats.
        """
        n_sums, n_columns, m = which.shape
        sums = np.zeros((n_sums, n_columns, m + 1), weights.dtype)
        np.cumsum(which * weights, axis=2, out=sums[:, :, 1:])
        flat = sums.reshape(n_sums, -1)
        out = np.empty((2, n_sums, len(self.cut)))
        cut = flat.take(self.cut, axis=1)
        np.subtract(cut, flat.take(self.start, axis=1), out=out[0])
        np.subtract(flat.take(self.end, axis=1), cut, out=out[1])
        return out if weights.dtype == np.int32 else np.maximum(out, 0.0, out=out)
