"""The thresholds of numeric columns: all cuts in all nodes of a level, by one sort a column."""

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
"""Criteria that are the decrease of a strictly concave impurity."""

MAX_BLOCK = 2**15
"""Values, times classes, that are scanned at once."""


class Scan(NamedTuple):
    """Cuts of numeric columns, ordered by column, node and threshold."""

    # (n_cuts,): the column that is cut, and the node
    columns: Ints
    nodes: Ints
    # (n_cuts,): a row with the value just under the cut, and one with the value just over it
    below: Ints
    above: Ints
    branches: Floats  # (2, n_labels, n_cuts): the weight of each class on either side
    sizes: Floats  # (2, n_cuts): how many rows with a value are on either side
    missing: Ints  # (n_cuts,): the side of rows with a missing value; -1 where it is neither

    def take(self, cuts: NDArray[np.generic] | slice) -> Scan:
        """Return some of the cuts."""
        fields: tuple[Any, ...] = self
        return Scan(*(values[..., cuts] for values in fields))

    def thresholds(self, X: Floats, cuts: Ints | slice = slice(None)) -> Floats:
        """Return the thresholds of some cuts: midpoints, or the lower value if there is none."""
        columns = self.columns[cuts]
        low, high = X[self.below[cuts], columns], X[self.above[cuts], columns]
        return np.where(np.isnan(high), np.inf, halfway(low, high))


def better_side(branches: Floats, missing: Floats, score: Score) -> tuple[Floats, Ints]:
    """Return binary splits with missing values on the side that scores higher, and that side.

    Class weights of the branches have the shape (2, n_labels, n_splits), those of the rows with a
    missing value (n_labels, n_splits). Of equal sides it is the second; -1 where no value is
    missing.
    """
    first, second = branches.copy(), branches.copy()
    first[0] += missing
    second[1] += missing
    is_first = score(first, 0.0) > score(second, 0.0) + 1e-12
    sides = np.where(missing.sum(axis=0) > SLACK, np.where(is_first, 0, 1), -1)
    return np.where(is_first, first, second), sides


def scan(
    table: Table,
    frontier: Frontier,
    rules: Rules,
    drawn_columns: Ints | None = None,
    all_cuts: bool = True,
) -> Iterator[Scan]:
    """Yield all cuts that leave enough rows on either side, a few columns at a time.

    Where each node may choose among some columns only, ``drawn_columns`` has these, shape (n_nodes,
    n_drawn). Without ``all_cuts``, those are left out that cannot be the best.

    Notes
    -----
    Node, rank of the value and entry are packed into one integer, so that one sort of integers
    arranges a column by node and value. A level of n entries, d columns and k classes costs O(d n
    (log n + k)).

    By a concave impurity the best cut never divides rows of one class (U. M. Fayyad and K. B.
    Irani, 1992, On the handling of continuous-valued attributes in decision tree generation).
    """
    n_values = len(frontier.rows) * frontier.n_labels
    at_once = max(1, MAX_BLOCK // max(n_values, 1))
    columns = table.numeric[:, None] if drawn_columns is None else drawn_columns.T
    for first in range(0, len(columns), at_once):
        yield from _scan_block(table, frontier, columns[first : first + at_once], rules, all_cuts)


def no_cuts(n_labels: int) -> Scan:
    """Return no cuts."""
    no_values = np.empty(0, np.intp)
    return Scan(
        no_values,
        no_values,
        no_values,
        no_values,
        np.empty((2, n_labels, 0)),
        np.empty((2, 0)),
        no_values,
    )


def _scan_block(
    table: Table, frontier: Frontier, columns: Ints, rules: Rules, all_cuts: bool
) -> Iterator[Scan]:
    """Scan some columns.

    ``columns`` has the shape (n_columns, 1), the same for all nodes, or (n_columns, n_nodes).
    """
    arranged = _Arranged.of(table, frontier, columns)
    has_holes = bool(table.holes[columns].any())
    has_value = arranged.has_value(table.bits) if has_holes else np.ones((1, 1), bool)
    is_cut = arranged.cuts(has_value, rules.category)
    labels = frontier.labels[arranged.entries].reshape(is_cut.shape)
    if not (all_cuts or has_holes or rules.bounded) and rules.criterion in CONCAVE:
        # between two rows that are alone with their values
        is_single = is_cut[:, 1:-1] & is_cut[:, :-2] & is_cut[:, 2:]
        is_cut[:, 1:-1] &= ~is_single | (labels[:, 1:-1] != labels[:, 2:])
    column = np.repeat(np.arange(len(is_cut)), is_cut.sum(axis=1))
    if not len(column):
        return
    place = np.flatnonzero(is_cut)
    sums = _Sums.of(column, place - column * len(frontier.rows), arranged.nodes, frontier.n_nodes)
    if has_holes:
        labels[~has_value] = frontier.n_labels
    branches, sizes = _both_sides(frontier, sums, arranged.entries, labels, has_holes)
    missing = np.full(len(sums.node), -1)
    if has_holes and rules.category:
        # cuts whose second side has missing values only
        known_only = ~has_value.ravel()[place + 1]
        missing[known_only] = 1
        nodes = sums.node[known_only]
        remaining = frontier.counts.T[:, nodes] - branches[0][:, known_only]
        branches[1][:, known_only] = np.maximum(remaining, 0.0)
        sizes[1, known_only] = np.maximum(frontier.sizes[nodes] - sizes[0, known_only], 0.0)
    cuts = Scan(
        columns[column, sums.node if columns.shape[1] > 1 else 0],
        sums.node,
        frontier.rows[arranged.entries[place]],
        frontier.rows[arranged.entries[place + 1]],
        branches,
        sizes,
        missing,
    )
    if rules.bounded or not frontier.entire:
        is_large: NDArray[np.bool_] = np.all(rules.enough(sizes, branches.sum(axis=1)), axis=0)
        cuts = cuts.take(is_large)
    yield cuts


class _Arranged(NamedTuple):
    """The entries of a frontier, sorted by node and value in each of some columns."""

    entries: Ints  # (n_columns * n_entries,)
    places: Ints  # (n_columns, n_entries): node and rank of the value, as one number
    nodes: Ints  # (n_entries,): the same in all columns

    @classmethod
    def of(cls, table: Table, frontier: Frontier, columns: Ints) -> Self:
        m = len(frontier.rows)
        entry_bits = int(m).bit_length()
        of_entry = columns.take(frontier.nodes, axis=1) if columns.shape[1] > 1 else columns
        places = (frontier.nodes << table.bits) | table.ranks[of_entry, frontier.rows]
        keys = (places << entry_bits) | np.arange(m)
        keys.sort(axis=1)
        entries, places = (keys & (2**entry_bits - 1)).ravel(), keys >> entry_bits
        return cls(entries, places, places[0] >> table.bits)

    def has_value(self, bits: int) -> NDArray[np.bool_]:
        """Return which entries have a value, by the bits of a rank."""
        missing_rank = 2**bits - 1
        has_value: NDArray[np.bool_] = (self.places & missing_rank) < missing_rank
        return has_value

    def cuts(self, has_value: NDArray[np.bool_], category: bool) -> NDArray[np.bool_]:
        """Return after which entries a column may be cut: where the value changes in a node."""
        is_cut = np.zeros(self.places.shape, bool)
        np.not_equal(self.places[:, 1:], self.places[:, :-1], out=is_cut[:, :-1])
        is_cut[:, :-1] &= self.nodes[1:] == self.nodes[:-1]
        if not has_value.all():
            is_cut[:, :-1] &= has_value[:, :-1] if category else has_value[:, 1:]
        return is_cut


def _both_sides(
    frontier: Frontier, sums: _Sums, entries: Ints, labels: Ints, has_holes: bool
) -> tuple[Floats, Any]:
    """Return the class weights and the numbers of rows on either side of each cut."""
    weights = frontier.weights if frontier.multiples is None else frontier.multiples
    of_label = labels == np.arange(frontier.n_labels)[:, None, None]
    branches = sums.two_sides(of_label, weights[entries].reshape(labels.shape))
    if frontier.entire and not has_holes:
        return branches, sums.rows
    shares = frontier.shares[entries].reshape(labels.shape)
    return branches, sums.two_sides((labels < frontier.n_labels)[None], shares)[:, 0]


class _Sums(NamedTuple):
    """The node of each cut, and the ends of the sums on either side of it.

    The cumulative sums of each column begin with a zero.
    """

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
        """The numbers of entries on either side of the cuts, shape (2, n_cuts)."""
        return np.array([self.cut - self.start, self.end - self.cut])

    def two_sides(self, which: NDArray[np.bool_], weights: NDArray[Any]) -> NDArray[Any]:
        """Sum weights over some entries on either side of the cuts.

        ``which`` has the shape (n_sums, n_columns, n_entries). Integers add up several times faster
        than floats.
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
