"""The merging of the values of columns in a node, by the F test of their means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.squares import centred
from dmlib.trace import look
from dmlib.trees.chaid import ChaidTest, intervals, merge_values
from dmlib.trees.frontier import sums
from dmlib.trees.rules import Rules
from dmlib.trees.splits import Split as ColumnTest


class Merging(NamedTuple):
    """The best split of a node by CHAID: a branch for each group of merged values."""

    test: ColumnTest
    merged: ChaidTest
    shares_below: tuple[float, ...]  # the fraction of the rows of the node in each branch
    rivals: tuple[tuple[int, ChaidTest], ...]  # all columns with their tests, the best first

    @property
    def column(self) -> int:
        """The column that is tested."""
        return self.test.column


@dataclass(frozen=True)
class Column:
    """The values of a column as codes from 0.

    Attributes
    ----------
    codes : ndarray of shape (n_samples,)
        The category of each row, or the interval of its number; the last code stands for missing
        values, if there are any.
    n_values : int
        How many codes there are.
    edges : ndarray or None
        The upper ends of the intervals, all but the last; None for a nominal column.
    has_missing : bool
        Whether there are missing values.
    """

    codes: Ints
    n_values: int
    edges: Floats | None
    has_missing: bool

    @classmethod
    def of(cls, x: Floats, n_categories: int) -> Column:
        """Return a column of categories, or of numbers if there are none.

        Examples
        --------
        >>> column = Column.of(np.array([1.5, 0.0, np.nan, 1.5]), 0)
        >>> column.codes.tolist(), column.edges.tolist(), column.n_values
        ([1, 0, 2, 1], [0.0], 3)
        """
        is_missing = np.isnan(x)
        edges = None if n_categories else intervals(x, np.ones(len(x)))
        n_values, codes = n_categories, x
        if edges is not None:
            n_values, codes = len(edges) + 1, np.searchsorted(edges, x, side="left").astype(float)
        has_missing = bool(is_missing.any())
        whole = np.where(is_missing, n_values, codes).astype(np.intp)
        return cls(whole, n_values + has_missing, edges, has_missing)


def best_merging(columns: list[Column], y: Floats, rows: Ints, rules: Rules) -> Merging | None:
    """Return the split of a node whose adjusted p-value is smallest; None if there is none.

    Examples
    --------
    >>> column = Column.of(np.array([0.0, 0.0, 1.0, 1.0, 2.0, 2.0]), 3)
    >>> y, rules = np.array([1.0, 2.0, 8.0, 9.0, 1.5, 2.5]), Rules("chaid", statistic="F")
    >>> best_merging([column], y, np.arange(6), rules).test.branches
    (0, 1, 0)
    """
    deviations = centred(y[rows])[1]
    z = deviations / max(float(np.abs(deviations).max()), np.finfo(float).tiny)
    powers = np.column_stack([np.ones(len(z)), z, z * z])
    found = []
    for j, column in enumerate(columns):
        look()
        codes, n = column.codes[rows], column.n_values
        of_value = np.column_stack([sums(codes, power, n) for power in powers.T])
        sizes = of_value[:, 0]
        merged = merge_values(of_value, sizes, j, rules, column.edges, column.has_missing)
        if merged.split is not None and merged.test is not None:
            shares = tuple(float(sizes[group].sum()) / len(rows) for group in merged.groups)
            found.append((merged.split, merged.test, shares))
    if not found:
        return None
    found.sort(key=lambda each: -each[1].score)
    split, test, shares = found[0]
    return Merging(split, test, shares, tuple((each.column, own) for each, own, _ in found))
