"""Splits of nominal columns by their values, and of numeric columns into buckets.

Everywhere ``codes`` (or ``x``) holds the value of each entry of a frontier in the column, NaN where
it is missing, and ``n_values`` says how many values the column can have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.trees.frontier import Frontier, sums
from dmlib.trees.impurity import TINY, Score
from dmlib.trees.rules import SLACK, Rules
from dmlib.trees.splits import Split, halfway

MAX_SUBSET_VALUES = 10
"""Up to so many values of a nominal column, all divisions in two are tried."""


@dataclass(frozen=True)
class OrderedCuts:
    """All divisions of an ordinal column that keep its order, in every node of a level."""

    members: NDArray[np.bool_]  # (n_cuts, n_values): the values on the first side
    branches: Floats  # (2, n_labels, n_cuts, n_nodes): the weight of each class in each branch
    allowed: NDArray[np.bool_]  # (n_cuts, n_nodes): whether both branches have enough rows


@dataclass(frozen=True)
class Grouping:
    """The best split of one column in every node of a level."""

    column: int
    # (n_nodes, n_values): the split in each node, or the branch of each value in each node
    splits: list[Split | None] | Ints
    branches: Floats  # (n_branches, n_labels, n_nodes): the weight of each class in each branch
    allowed: NDArray[np.bool_]  # (n_nodes,): whether a split leaves enough rows in two branches
    scores: Floats | None = None  # (n_nodes,): its score, if that does not follow from the branches
    tests: list[Any] | None = None  # the test of significance in each node, where columns have one
    category: bool = False  # whether the last of the values stands for missing ones
    cuts: OrderedCuts | None = None  # of an ordinal column that is split in two

    def split(self, node: int) -> Split:
        """Return the split in one node."""
        if isinstance(self.splits, list):
            split = self.splits[node]
            assert split is not None
            return split
        return self._split(self.splits[node])

    def splits_in_order(self, node: int) -> dict[Split, int]:
        """Return the splits of a node that keep the order of its column, with their cuts."""
        if self.cuts is None:
            return {}
        occurs = np.asarray(self.splits)[node] >= 0
        sides = np.where(occurs, np.where(self.cuts.members, 0, 1), -1)
        cuts = np.flatnonzero(self.cuts.allowed[:, node]).tolist()
        splits: dict[Split, int] = {}
        for cut in cuts:
            splits.setdefault(self._split(sides[cut]), cut)
        return splits

    def _split(self, sides: Ints) -> Split:
        """Return the split with the branches of all values."""
        branches = sides.tolist()
        if self.category:
            return Split(self.column, branches=tuple(branches[:-1]), missing=branches[-1])
        return Split(self.column, branches=tuple(branches))


def values_apart(
    frontier: Frontier, codes: Floats, column: int, n_values: int, rules: Rules
) -> Grouping:
    """Split a nominal column into a branch for each value; two of them must have enough rows."""
    counts, sizes = by_value(frontier, codes, n_values)
    splits = np.broadcast_to(np.arange(n_values), (frontier.n_nodes, n_values))
    allowed = rules.enough(sizes, counts.sum(axis=2)).sum(axis=1) >= 2
    return Grouping(column, splits, np.ascontiguousarray(counts.transpose(1, 2, 0)), allowed)


def values_in_two(
    frontier: Frontier,
    codes: Floats,
    column: int,
    n_values: int,
    rules: Rules,
    score: Score,
    order: Ints | None = None,
) -> Grouping:
    """Split a nominal column into the two groups of values with the best score.

    With the ``order`` of its values, from the lowest to the highest, only neighbours are together.

    Of many values only those divisions are tried that cut the values in the order of the share of
    one of the classes. For two classes and a measure of impurity the best division is among them
    (Breiman et al., 1984, theorem 4.5).
    """
    counts, sizes = by_value(frontier, codes, n_values)
    if order is None and n_values > MAX_SUBSET_VALUES:
        first_counts, first_sizes, members = _ordered_divisions(counts, sizes)
    else:
        tried = _every_division(n_values) if order is None else _in_order(order, n_values)
        first_counts, first_sizes, members = _divisions(tried, counts, sizes)
    value_counts = counts.sum(axis=1)
    branches = np.stack([first_counts, np.maximum(value_counts - first_counts, 0)]).transpose(
        0, 3, 1, 2
    )
    side_sizes = np.stack([first_sizes, sizes.sum(axis=1) - first_sizes])
    allowed: NDArray[np.bool_] = np.all(rules.enough(side_sizes, branches.sum(axis=1)), axis=0)
    scores = np.where(
        allowed, score(branches, frontier.counts.sum(axis=1) - value_counts.sum(axis=1)), -np.inf
    )
    best, nodes = scores.argmax(axis=0), np.arange(frontier.n_nodes)
    sides = np.where(members(best), 0, 1)
    cuts = None if order is None else OrderedCuts(tried, branches, allowed)
    branches = branches[:, :, best, nodes]
    swapped = (order is None) & (
        sides[nodes, (sizes > 0).argmax(axis=1)] == 1
    )  # the first value that occurs goes to the first branch
    sides[swapped] = 1 - sides[swapped]
    branches[:, :, swapped] = branches[::-1, :, swapped]
    splits = np.where(sizes > 0, sides, -1)
    return Grouping(column, splits, branches, allowed[best, nodes], cuts=cuts)


def by_value(frontier: Frontier, codes: Floats, n_values: int) -> tuple[Floats, Floats]:
    """Return class weights, shape (n_nodes, n_values, n_labels), and numbers of rows.

    The numbers have the shape (n_nodes, n_values). Codes below 0 are missing values too.
    """
    has_value = np.isfinite(codes) & (codes >= 0)
    part = frontier.part(has_value, frontier.nodes, frontier.n_nodes)
    cells = part.nodes * n_values + codes[has_value].astype(np.intp)
    n_cells = frontier.n_nodes * n_values
    counts = part.count(cells, n_cells).reshape(frontier.n_nodes, n_values, frontier.n_labels)
    return counts, sums(cells, part.shares, n_cells).reshape(frontier.n_nodes, n_values)


Divisions = tuple[Floats, Floats, Callable[[Ints], NDArray[np.bool_]]]
"""Class weights (n_divisions, n_nodes, n_labels) and rows of the first side, and a function from
the division of each node to the values on that side."""


def _every_division(n_values: int) -> NDArray[np.bool_]:
    """Put the first value and any of the others on the first side."""
    numbers = np.arange(max(1, 2 ** (n_values - 1) - 1))
    with_first = (numbers[:, None] >> np.arange(n_values - 1)) & 1
    members: NDArray[np.bool_] = np.column_stack([np.ones(len(numbers), int), with_first]) > 0
    return members


def _in_order(order: Ints, n_values: int) -> NDArray[np.bool_]:
    """Put the first 1, 2, 3, ... values of an order on the first side.

    A value that has no place in the order, the missing one, is on either side, or on one alone.
    """
    ranks = np.full(n_values, -1)
    ranks[order] = np.arange(len(order))
    last = np.arange(max(1, len(order) - 1))[:, None]
    members: NDArray[np.bool_] = (ranks >= 0) & (ranks <= last)
    if (ranks >= 0).all():
        return members
    return np.concatenate([members, members | (ranks < 0), ranks[None] >= 0])


def _divisions(members: NDArray[np.bool_], counts: Floats, sizes: Floats) -> Divisions:
    """Divide by the values on the first side, shape (n_divisions, n_values)."""
    first_counts = np.tensordot(members.astype(float), counts, (1, 1))
    return first_counts, members @ sizes.T, lambda best: members[best]


def _ordered_divisions(counts: Floats, sizes: Floats) -> Divisions:
    """Put the first 1, 2, 3, ... values on the first side, ordered by the frequency of a class."""
    n_nodes, n_values, n_labels = counts.shape
    shares = counts / np.maximum(counts.sum(axis=2, keepdims=True), TINY)
    shares[sizes == 0] = 2.0  # values that do not occur come last
    order = shares.argsort(axis=1, kind="stable").transpose(2, 0, 1)[
        : 1 if n_labels == 2 else n_labels
    ]

    def first_sides(values: Floats) -> Floats:
        """Sum over the first 1, 2, 3, ... values of each order: one row for each division."""
        sums = values.cumsum(axis=2)[:, :, :-1].transpose(0, 2, 1, 3)
        return sums.reshape(sums.shape[0] * sums.shape[1], *sums.shape[2:])  # there may be no nodes

    def members(best: Ints) -> NDArray[np.bool_]:
        which, last = np.divmod(best, n_values - 1)
        ranks = order[which, np.arange(n_nodes)].argsort(axis=1)
        first: NDArray[np.bool_] = ranks <= last[:, None]
        return first

    first_counts = first_sides(np.take_along_axis(counts[None], order[..., None], axis=2))
    first_sizes = first_sides(np.take_along_axis(sizes[None], order, axis=2)[..., None])
    return first_counts, first_sizes[..., 0], members


def buckets(frontier: Frontier, x: Floats, column: int, rules: Rules) -> Grouping:
    """Split a numeric column into intervals as 1R does.

    A bucket is filled in ascending order until a class has ``min_bucket`` rows in it, and then on
    while rows have that class or the same value. Neighbours with the same majority become one.
    Missing values, if they are a value of their own, have an interval of their own.
    """
    splits: list[Split | None] = []
    parts = []
    for node in range(frontier.n_nodes):
        entries = np.flatnonzero((frontier.nodes == node) & ~np.isnan(x))
        entries = entries[np.argsort(x[entries], kind="stable")]
        cuts = _cuts(
            x[entries],
            frontier.labels[entries],
            frontier.weights[entries],
            frontier.n_labels,
            rules.min_bucket,
        )
        missing = (
            np.flatnonzero((frontier.nodes == node) & np.isnan(x))
            if rules.category
            else entries[:0]
        )
        own_branch = len(cuts) + 1 if len(missing) else -1
        cut = tuple(cuts) or ((np.inf,) if len(entries) and len(missing) else ())
        splits.append(Split(column, cut, missing=own_branch) if cut else None)
        place = np.append(
            np.searchsorted(cuts, x[entries], side="left"), np.full(len(missing), own_branch)
        )
        all_entries = np.append(entries, missing)
        cells = np.bincount(
            place * frontier.n_labels + frontier.labels[all_entries],
            frontier.weights[all_entries],
            (len(cuts) + 1 + (len(missing) > 0)) * frontier.n_labels,
        )
        parts.append(cells.reshape(-1, frontier.n_labels))
    branches = np.zeros((max(map(len, parts), default=1), frontier.n_labels, frontier.n_nodes))
    for node, part in enumerate(parts):
        branches[: len(part), :, node] = part
    return Grouping(
        column, splits, branches, np.array([split is not None for split in splits], bool)
    )


def _cuts(x: Floats, labels: Ints, weights: Floats, n_labels: int, min_bucket: int) -> list[float]:
    """Return the cuts between buckets of ascending values."""
    n = len(x)
    sums = np.zeros((n + 1, n_labels))
    sums[np.arange(1, n + 1), labels] = weights
    sums.cumsum(axis=0, out=sums)
    own = sums[np.arange(1, n + 1), labels]
    same_class_until = _ends_of_runs(labels)
    same_value_until = _ends_of_runs(x)
    cuts: list[float] = []
    start, before = 0, -1
    while start < n:
        filled = np.flatnonzero(own[start:] - sums[start, labels[start:]] >= min_bucket - SLACK)
        last = start + int(filled[0]) if len(filled) else n - 1
        end = same_value_until[same_class_until[last] - 1]
        counts = sums[end] - sums[start]
        majority = (
            int(labels[last]) if counts[labels[last]] >= counts.max() else int(counts.argmax())
        )
        if before >= 0 and counts[before] >= counts[majority]:
            majority = before
        if majority == before:
            cuts.pop()
        if end < n:
            cuts.append(float(halfway(x[end - 1], x[end])))
        start, before = end, majority
    return cuts


def _ends_of_runs(values: NDArray[np.generic]) -> Ints:
    """Return, for each place, where the run of equal values that it belongs to ends."""
    ends = np.append(np.flatnonzero(values[1:] != values[:-1]) + 1, len(values))
    return ends[np.searchsorted(ends, np.arange(len(values)), side="right")]
