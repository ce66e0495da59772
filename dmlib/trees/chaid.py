"""Splits as in CHAID: similar values share a branch, and p-values are Bonferroni-adjusted."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import comb, factorial, log10
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.trees.frontier import Frontier
from dmlib.trees.group_statistics import STATISTICS
from dmlib.trees.groupings import Grouping, by_value
from dmlib.trees.rules import Rules
from dmlib.trees.splits import Split

MAX_INTERVALS = 10
"""A numeric column with more values is first divided into so many intervals."""

MAX_BLOCK = 2**17
"""Class weights that are compared at once."""


@dataclass(frozen=True)
class Merge:
    """Two groups of values that were compared."""

    # their values, or intervals, by their codes; the last code may stand for missing values
    first: tuple[int, ...]
    second: tuple[int, ...]
    # the statistic of the two groups, and its p-value
    statistic: float
    p: float
    small: bool = False  # whether they were merged only because one of them has too few rows


@dataclass(frozen=True)
class ChaidTest:
    """The merges that made the branches of a column, and their significance."""

    merges: tuple[Merge, ...]  # in the order in which they were made
    # the most similar two of the remaining groups; None if only two remain, which are not merged
    rival: Merge | None
    # the number of values, or intervals, that occur in the node, and of the remaining groups
    n_values: int
    n_groups: int
    statistic: float  # of the groups
    dof: int  # its degrees of freedom; of F those between groups
    # the number of ways in which so many values make so many groups; the p-value is multiplied by
    # it (Bonferroni)
    n_ways: float
    score: float  # -log10 of the adjusted p-value
    edges: tuple[float, ...] = ()  # where the intervals of a numeric column end, all but the last
    kind: str = "pearson"  # the name of the statistic in ``STATISTICS``
    plain: float = 0.0  # -log10 of the p-value before its adjustment
    dof_within: float = 0.0  # of F, the degrees of freedom within groups


def intervals(x: Floats, weights: Floats) -> Floats:
    """Return the upper ends of at most ten intervals, all but the last: its values or deciles."""
    is_counted = ~np.isnan(x) & (weights > 0)
    values: Floats = np.unique(x[is_counted])
    if len(values) <= MAX_INTERVALS:
        return values[:-1]
    shares = np.arange(1, MAX_INTERVALS) / MAX_INTERVALS
    ends = np.unique(
        np.quantile(x[is_counted], shares, method="inverted_cdf", weights=weights[is_counted])
    )
    inner: Floats = ends[ends < values[-1]]
    return inner


def ways_to_merge(
    n_values: int, n_groups: int, ordered: bool = False, floating: bool = False
) -> float:
    """Return the number of ways to merge values into groups.

    Parameters
    ----------
    n_values, n_groups : int
        Their numbers; a floating value counts.
    ordered : bool
        Whether only neighbours may be together.
    floating : bool
        Whether one value, the missing one, may nevertheless be with any others.

    References
    ----------
    G. V. Kass (1980), An exploratory technique for investigating large quantities of categorical
    data, equations 3.1 to 3.3.

    Examples
    --------
    >>> ways_to_merge(4, 2), ways_to_merge(4, 2, ordered=True)
    (7.0, 3.0)
    >>> ways_to_merge(4, 2, ordered=True, floating=True)
    5.0
    """
    c, r = n_values, n_groups
    if ordered and floating:
        return float(comb(c - 2, r - 2) + r * comb(c - 2, r - 1))
    if ordered:
        return float(comb(c - 1, r - 1))
    if r == 2:
        return 2.0 ** (c - 1) - 1 if c < 1000 else float("inf")
    terms = [(-1) ** i * comb(r, i) * (r - i) ** c for i in range(r)]
    n_ways = sum(terms) // factorial(r)
    return float(n_ways) if n_ways < 10**300 else float("inf")


def values_merged(
    frontier: Frontier,
    codes: Floats,
    column: int,
    n_values: int,
    rules: Rules,
    edges: Floats | None,
    floating: bool,
    order: Ints | None = None,
) -> Grouping:
    """Split a column into groups of similar values.

    See :mod:`dmlib.trees.groupings` for codes and values. The intervals of a numeric column end at
    ``edges``, all but the last; a nominal column has none. If ``floating``, the last code stands
    for missing values, which may be with any others. Of intervals, and of values with an ``order``
    (the codes from the lowest to the highest), only neighbours are merged.

    Notes
    -----
    O(c^2 k) a node for c values and k classes; merged groups are not divided again.
    """
    counts, sizes = by_value(frontier, codes, n_values)
    splits: list[Split | None] = []
    tests: list[Any] = []
    branches = np.zeros((n_values, frontier.n_labels, frontier.n_nodes))
    for node in range(frontier.n_nodes):
        merged = merge_values(counts[node], sizes[node], column, rules, edges, floating, order)
        splits.append(merged.split)
        tests.append(merged.test)
        for branch, group in enumerate(merged.groups):
            branches[branch, :, node] = counts[node, group].sum(axis=0)
    allowed = np.array([split is not None for split in splits], bool)
    scores = np.array([0.0 if test is None else test.score for test in tests])
    return Grouping(column, splits, branches, allowed, scores=scores, tests=tests)


Groups = list[list[int]]


class Merged(NamedTuple):
    """A column in a node, its similar values merged."""

    groups: Groups  # none where fewer than two values occur
    split: Split | None  # None where a group has too few rows, too
    test: ChaidTest | None


def merge_values(
    sums: Floats,
    sizes: Floats,
    column: int,
    rules: Rules,
    edges: Floats | None,
    floating: bool,
    order: Ints | None = None,
) -> Merged:
    """Merge the values of a column in one node by ``rules.statistic``.

    ``sums`` has the sums of each value that the statistic compares, ``sizes`` its number of rows;
    for the rest see :func:`values_merged`.

    Examples
    --------
    >>> counts = np.array([[2.0, 3.0], [4.0, 0.0], [3.0, 2.0]])
    >>> merge_values(counts, counts.sum(axis=1), 0, Rules("chaid"), None, False).groups
    [[0, 2], [1]]
    """
    if (sizes > 0).sum() < 2:
        return Merged([], None, None)
    places = np.arange(len(sizes))
    if order is not None:
        places[: len(order)] = order
    is_ordered = edges is not None or order is not None
    merging = _Merging(sums, sizes, places, is_ordered, floating, rules)
    groups = merging.run()
    parts = np.array([sums[group].sum(axis=0) for group in groups])
    own_sizes = np.array([sizes[group].sum() for group in groups])
    large = rules.enough(own_sizes, parts.sum(axis=1)).all()
    split = _split(column, groups, len(sizes) - floating, edges) if large else None
    return Merged(
        groups, split, merging.test(groups, parts, () if edges is None else tuple(edges.tolist()))
    )


class _Merging:
    """The groups of values of a column in a node, each at the place of its first value."""

    def __init__(
        self,
        counts: Floats,
        sizes: Floats,
        order: Ints,
        ordered: bool,
        floating: bool,
        rules: Rules,
    ) -> None:
        self.pairs = STATISTICS[rules.statistic].pairs
        self.values = order[sizes[order] > 0]
        self.counts, self.sizes = counts[self.values].copy(), sizes[self.values].copy()
        self.ordered, self.floating, self.rules = ordered, floating and bool(sizes[-1] > 0), rules
        self.groups: list[list[int] | None] = [[int(value)] for value in self.values]
        n = len(self.values)
        self.statistics, self.p = np.zeros((n, n)), np.full((n, n), -1.0)
        at_once = max(1, MAX_BLOCK // (n * counts.shape[1]))
        for first in range(0, n, at_once):
            rows = slice(first, first + at_once)
            self.statistics[rows], self.p[rows] = self.pairs(self.counts[rows, None], self.counts)
        np.fill_diagonal(self.p, -1.0)
        self.merges: list[Merge] = []
        self.rival: Merge | None = None

    def run(self) -> Groups:
        """Merge until all groups differ significantly, and return them."""
        while len(places := self._places()) > 2:
            p = np.where(self._allowed(places), self.p, -1.0)
            alike = p.max() > self.rules.alpha_merge
            small = np.zeros(len(p), bool)
            if not alike:
                small[places] = ~self.rules.enough(
                    self.sizes[places], self.counts[places].sum(axis=1)
                )
            if small.any():
                p = np.where(small[:, None] | small, p, -1.0)
            i, j = divmod(int(p.argmax()), len(p))
            merge = self._merge(i, j, not alike)
            if not alike and not small.any():
                self.rival = merge
                break
            self.merges.append(merge)
            self._join(i, j)
        return [group for group in self.groups if group is not None]

    def test(self, groups: Groups, parts: Floats, edges: tuple[float, ...]) -> ChaidTest:
        """Return the groups of the column with their test."""
        outcome = STATISTICS[self.rules.statistic].test(parts)
        n_ways = ways_to_merge(
            len(self.values), len(groups), self.ordered, self.ordered and self.floating
        )
        return ChaidTest(
            tuple(self.merges),
            self.rival,
            len(self.values),
            len(groups),
            outcome.statistic,
            outcome.dof,
            n_ways,
            max(0.0, outcome.score - log10(n_ways)) if np.isfinite(n_ways) else 0.0,
            edges,
            self.rules.statistic,
            outcome.score,
            outcome.dof_within,
        )

    def _places(self) -> Ints:
        """Return the places of the remaining groups."""
        return np.array([i for i, group in enumerate(self.groups) if group is not None], np.intp)

    def _allowed(self, places: Ints) -> NDArray[np.bool_]:
        """Return which groups may be merged: all, or neighbours; missing values with any."""
        if not self.ordered:
            return np.ones(self.p.shape, bool)
        allowed = np.zeros(self.p.shape, bool)
        has_floating = self.floating and places[-1] == len(self.values) - 1
        for i, j in pairwise(places[:-1] if has_floating else places):
            allowed[i, j] = True
        if has_floating:
            allowed[places[:-1], places[-1]] = True
        return allowed

    def _compare(self, i: int, places: Ints) -> None:
        statistics, p = self.pairs(self.counts[i], self.counts[places])
        self.statistics[i, places] = self.statistics[places, i] = statistics
        self.p[i, places] = self.p[places, i] = p

    def _merge(self, i: int, j: int, small: bool) -> Merge:
        first, second = self.groups[i], self.groups[j]
        assert first is not None
        assert second is not None
        return Merge(
            tuple(first), tuple(second), float(self.statistics[i, j]), float(self.p[i, j]), small
        )

    def _join(self, i: int, j: int) -> None:
        first, second = self.groups[i], self.groups[j]
        assert first is not None
        assert second is not None
        self.groups[i], self.groups[j] = sorted([*first, *second]), None
        self.counts[i] += self.counts[j]
        self.sizes[i] += self.sizes[j]
        self.p[j] = self.p[:, j] = -1.0
        places = self._places()
        self._compare(i, places[places != i])


def _split(column: int, groups: Groups, n_values: int, edges: Floats | None) -> Split:
    """Return the split with a branch for each group; ``n_values`` is the code of missing values."""
    missing = next((branch for branch, group in enumerate(groups) if n_values in group), -1)
    if edges is None:
        branches = np.full(n_values, -1)
        for branch, group in enumerate(groups):
            branches[[value for value in group if value < n_values]] = branch
        return Split(column, branches=tuple(branches.tolist()), missing=missing)
    ends = [
        max(value for value in group if value < n_values) for group in groups if group != [n_values]
    ]
    cuts = tuple(float(edges[end]) for end in ends[:-1])
    return Split(column, cuts or (np.inf,), missing=missing)
