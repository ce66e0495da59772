"""Splits of the nodes of a tree, and the branches of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats, Ints
from dmlib.trees.threshold_text import threshold_texts

LEAF = -2
"""The column of a node that has no split."""


@dataclass(frozen=True)
class Split:
    """A test of one column.

    Examples
    --------
    >>> Split(0, thresholds=(2.5,)).conditions("size")
    ['size <= 2.5', 'size > 2.5']
    >>> Split(1, branches=(0, 1, 0)).conditions("sky", ["rain", "snow", "sun"])
    ['sky in {rain, sun}', 'sky = snow']
    >>> Split(0, thresholds=(2.5,), missing=0).conditions("size")
    ['size <= 2.5 (or missing)', 'size > 2.5']
    """

    column: int  # the column that is tested
    # of a numeric column, ascending: branch 0 goes up to the first, branch 1 up to the second, ...
    thresholds: tuple[float, ...] = ()
    # of a nominal column, the branch of each value; -1 for a value that does not occur in the node
    branches: tuple[int, ...] = ()
    # the branch of missing values; -1 if the split has none. Above a threshold of infinity are only
    # missing values
    missing: int = -1

    @property
    def n_branches(self) -> int:
        """The number of branches."""
        n_with_value = len(self.thresholds) if self.thresholds else max(self.branches)
        return max(n_with_value, self.missing) + 1

    @property
    def cut(self) -> float | None:
        """The threshold of a binary split of a numeric column; None for other splits."""
        has_one = len(self.thresholds) == 1 and self.n_branches == 2
        return self.thresholds[0] if has_one and np.isfinite(self.thresholds[0]) else None

    def conditions(
        self,
        name: str,
        values: Sequence[Any] | None = None,
        *,
        x: ArrayLike | None = None,
        digits: int = 6,
        decimals: int | None = None,
    ) -> list[str]:
        """Return the condition of each branch as text.

        ``values`` are those of a nominal column, and ``x`` those of a numeric one that thresholds
        must tell apart, with ``digits`` or more; see :func:`threshold_text`. With ``decimals`` they
        are rounded to so many.
        """
        if decimals is None:
            cuts = threshold_texts(self.thresholds, x, digits)
        else:
            cuts = [f"{threshold:.{decimals}f}" for threshold in self.thresholds]
        texts = self._texts(name, values, cuts)
        if self.missing >= 0:
            texts += [""] * (self.missing + 1 - len(texts))
            condition = texts[self.missing]
            texts[self.missing] = f"{condition} (or missing)" if condition else f"{name} is missing"
        return texts

    def _texts(self, name: str, values: Sequence[Any] | None, cuts: Sequence[str]) -> list[str]:
        """Return the condition of each branch on a value that is not missing, or an empty text."""
        if self.thresholds == (np.inf,):
            return [f"{name} is known", ""]
        if self.thresholds:
            between = [f"{low} < {name} <= {high}" for low, high in pairwise(cuts)]
            return [f"{name} <= {cuts[0]}", *between, f"{name} > {cuts[-1]}"]
        names: list[list[str]] = [[] for _ in range(max(self.branches) + 1)]
        for branch, value in zip(self.branches, cast(Sequence[Any], values), strict=True):
            if branch >= 0:
                names[branch].append(str(value))
        return [_membership(name, branch_names) for branch_names in names]

    def branch(self, x: Floats) -> Ints:
        """Return the branch of each value of the column; -1 for a value that did not occur."""
        nodes = np.zeros(len(x), np.intp)
        return SplitTable.of([self]).branch(
            np.asarray(x, float)[:, None], np.arange(len(x)), nodes, column=0
        )


@dataclass(frozen=True)
class SplitTable:
    """The splits of many nodes as arrays."""

    columns: Ints  # (n_nodes,): the column that each node tests; ``LEAF`` without a split
    thresholds: Floats  # (n_nodes, n_thresholds): of numeric columns, filled up with NaN
    # (n_nodes, n_values): of nominal columns, the branch of each value, filled up with -1
    branches: Ints
    n_values: Ints  # (n_nodes,): the number of values of a nominal column; 0 for a numeric one
    n_branches: Ints  # (n_nodes,): the branches of each node; 0 without a split
    missing: Ints  # (n_nodes,): the branch of missing values; -1 where the split does not say

    @classmethod
    def binary(cls, columns: Ints, thresholds: Floats, missing: Ints) -> Self:
        """Return splits of numeric columns at one threshold each."""
        n_nodes = len(columns)
        no_branches = np.full((n_nodes, 1), -1, np.intp)
        arrays = thresholds[:, None], no_branches, np.zeros(n_nodes, np.intp)
        return cls(columns, *arrays, np.where(columns == LEAF, 0, 2), missing)

    @classmethod
    def of(cls, splits: Sequence[Split | None]) -> Self:
        """Return splits as arrays; None is a node without one."""
        filled = [split or Split(LEAF, (np.nan,)) for split in splits]
        return cls(
            np.array([split.column for split in filled], np.intp),
            _filled([split.thresholds for split in filled], np.nan, np.float64),
            _filled([split.branches for split in filled], -1, np.intp),
            np.array([len(split.branches) for split in filled], np.intp),
            np.array([0 if split is None else split.n_branches for split in splits], np.intp),
            np.array([split.missing for split in filled], np.intp),
        )

    @classmethod
    def join(cls, parts: Sequence[SplitTable]) -> Self:
        """Return the splits of several groups of nodes as one."""
        return cls(
            np.concatenate([part.columns for part in parts]),
            _stacked([part.thresholds for part in parts], np.nan),
            _stacked([part.branches for part in parts], -1),
            np.concatenate([part.n_values for part in parts]),
            np.concatenate([part.n_branches for part in parts]),
            np.concatenate([part.missing for part in parts]),
        )

    def take(self, nodes: Ints) -> SplitTable:
        """Return the splits of some nodes."""
        of: tuple[Any, ...] = (
            self.columns,
            self.thresholds,
            self.branches,
            self.n_values,
            self.n_branches,
            self.missing,
        )
        return SplitTable(*(values[nodes] for values in of))

    def split(self, node: int) -> Split | None:
        """Return the split of one node; None for a leaf."""
        if self.columns[node] == LEAF:
            return None
        column, missing = int(self.columns[node]), int(self.missing[node])
        if self.n_values[node]:
            branches = self.branches[node, : self.n_values[node]]
            return Split(column, branches=tuple(branches.tolist()), missing=missing)
        cuts = self.thresholds[node]
        return Split(column, tuple(cuts[~np.isnan(cuts)].tolist()), missing=missing)

    def branch(self, X: Floats, rows: Ints, nodes: Ints, column: int | None = None) -> Ints:
        """Return the branch of each row at its node; -1 for a value that did not occur there."""
        x = X[rows, self.columns[nodes] if column is None else column]
        if self.thresholds.shape[1] == 1:
            branches = (x > self.thresholds[nodes, 0]).astype(np.intp)
        else:
            branches = (x[:, None] > self.thresholds[nodes]).sum(axis=1)
        unknown = np.isnan(x)
        if self.n_values.any():
            of_value = self.n_values[nodes] > 0
            codes = np.where(of_value & ~unknown, x, -1).astype(np.intp)
            is_seen = (codes >= 0) & (codes < self.branches.shape[1])
            of_code = self.branches[nodes, np.where(is_seen, codes, 0)]
            branches = np.where(of_value, np.where(is_seen, of_code, -1), branches)
        return np.where(unknown, self.missing[nodes], branches)


def _membership(name: str, values: Sequence[str]) -> str:
    """Return the condition that a column has one of some values; an empty text for none."""
    if not values:
        return ""
    return f"{name} = {values[0]}" if len(values) == 1 else f"{name} in {{{', '.join(values)}}}"


def halfway(low: Floats, high: Floats) -> Floats:
    """Return the midpoints of pairs of numbers, or the lower number where none lies between."""
    with np.errstate(over="ignore"):
        middle = (low + high) / 2
    middle = np.where(np.isfinite(middle), middle, low / 2 + high / 2)
    return np.where((low < middle) & (middle < high), middle, low)


def _filled(rows: Sequence[Sequence[Any]], value: Any, dtype: Any) -> NDArray[Any]:
    out = np.full((len(rows), max(1, *map(len, rows), 1)), value, dtype)
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return out


def _stacked(blocks: Sequence[NDArray[Any]], value: Any) -> NDArray[Any]:
    width = max(block.shape[1] for block in blocks)
    out = np.full((sum(map(len, blocks)), width), value, blocks[0].dtype)
    first = 0
    for block in blocks:
        out[first : first + len(block), : block.shape[1]] = block
        first += len(block)
    return out


@dataclass(frozen=True)
class Candidate:
    """A candidate split of a node, with its score."""

    split: Split
    score: float  # by the criterion; higher is better
    gain: float  # its impurity decrease
    counts: Floats  # (n_branches, n_classes): the weight of each class in each branch
    missing: float = 0.0  # the weight of the rows that have no value in this column
    # whether it may be chosen. By gain ratio only the best split of a column with at least average
    # gain may be
    eligible: bool = True
    # where columns compete by a test of significance, its result: a ChaidTest or QuestTest
    test: Any = None
    ordered: bool = False  # whether it keeps the order of an ordinal column


@dataclass(frozen=True)
class Candidates:
    """All candidate splits of a node, the best first."""

    columns: Ints  # (n_candidates,): the column of each
    # (n_candidates,): the threshold of each test of a numeric column; NaN for other tests
    thresholds: Floats
    # (n_candidates,): their scores by the criterion, and their impurity decreases
    scores: Floats
    gains: Floats
    eligible: NDArray[np.bool_]  # (n_candidates,): which may be chosen
    # (n_candidates, n_classes): class weights up to the threshold, and of all rows that have a
    # value
    first_counts: Floats
    counts: Floats
    missing: Floats  # (n_candidates,): the weight of the rows that have no value
    # (n_candidates,): the branch of missing values at tests of a threshold; -1 where they have none
    sides: Ints
    # the candidates that are no test of one threshold, by their place
    groupings: Mapping[int, Candidate] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of candidates."""
        return len(self.columns)

    def __getitem__(self, i: int) -> Candidate:
        """Return the candidate in place ``i``."""
        if i in self.groupings:
            return self.groupings[i]
        split = Split(
            int(self.columns[i]), (float(self.thresholds[i]),), missing=int(self.sides[i])
        )
        counts = np.array([self.first_counts[i], self.counts[i] - self.first_counts[i]])
        score, gain, missing = float(self.scores[i]), float(self.gains[i]), float(self.missing[i])
        return Candidate(split, score, gain, counts, missing, bool(self.eligible[i]))
