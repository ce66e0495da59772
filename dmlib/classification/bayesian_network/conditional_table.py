"""The table of a node of a network: how its column is distributed for each state of its parents."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.conditionals import (
    ClassSums,
    NominalTable,
    count_values,
    frequency_cuts,
    interval_names,
    logarithms,
)

Indices = NDArray[np.intp]

MAX_CELLS = 2_000_000
"""A table of a node with more cells is refused."""


@dataclass(frozen=True)
class Coding:
    """The values of a column, or the intervals into which it is cut.

    Examples
    --------
    >>> coding = Coding.of("wind", None, np.array([1.0, 2.0, 3.0, 9.0]), 2)
    >>> coding.values, coding.codes(np.array([2.0, 5.0, np.nan])).tolist()
    (('below 2.5', '2.5 or more'), [0, 1, -1])
    """

    name: str
    values: tuple[str, ...]
    cuts: Floats | None = None

    @classmethod
    def of(cls, name: str, values: Iterable[object] | None, column: Floats, n_bins: int) -> Coding:
        """Return the coding of a column: its ``values``, or without them equal-frequency bins."""
        if values is not None:
            return cls(name, tuple(map(str, values)) or ("any",))
        cuts = frequency_cuts(column, n_bins)
        return cls(name, interval_names(cuts, column), cuts)

    def codes(self, column: Floats) -> Indices:
        """Return the place of each entry among the values; -1 for a missing or unseen one."""
        nothing = np.empty((0, 0))
        return NominalTable(self.name, self.values, nothing, nothing, self.cuts).codes(column)


@dataclass(frozen=True)
class ConditionalTable:
    """P(column | class, parent): shape (n_classes, n_parent_values, n_values); 1 without a parent.

    Examples
    --------
    >>> wind = Coding("wind", ("calm", "storm"))
    >>> codes, classes = np.array([0, 0, 1, 1]), np.array([0, 0, 0, 1])
    >>> table = ConditionalTable.count(wind, codes, classes, 2, None, laplace=1.0)
    >>> table.probabilities[:, 0].round(3).tolist()
    [[0.6, 0.4], [0.333, 0.667]]
    """

    coding: Coding
    parent: Coding | None
    # how many rows each cell has, without pseudo-counts, and the estimates
    counts: Floats
    probabilities: Floats

    @classmethod
    def count(
        cls,
        coding: Coding,
        codes: Indices,
        classes: Indices,
        n_classes: int,
        parent: tuple[Coding, Indices] | None,
        **smoothing: float | str,
    ) -> ConditionalTable:
        """Return the table of a column, from its codes, the classes and the parent's codes.

        Rows in which the column or its parent is missing are left out.

        Raises
        ------
        ValueError
            If the table would have more than ``MAX_CELLS`` cells.
        """
        parent_coding, parent_codes = parent or (None, np.zeros(len(codes), np.intp))
        n_states = len(parent_coding.values) if parent_coding else 1
        shape = n_classes, n_states, len(coding.values)
        if np.prod(shape, dtype=float) > MAX_CELLS:
            raise ValueError(
                f"The table of {coding.name} would have {np.prod(shape, dtype=float):,.0f} cells. "
                "Leave out columns with very many values."
            )
        has_parent = parent_codes >= 0
        states = (classes * n_states + parent_codes)[has_parent]
        column = np.where(codes < 0, np.nan, codes)[has_parent]
        sums = ClassSums(states, n_classes * n_states)
        counted = count_values(coding.name, coding.values, column, sums, **smoothing)  # type: ignore[arg-type]
        counts, probabilities = counted.counts.reshape(shape), counted.probabilities.reshape(shape)
        # of a column without a single value nothing is known
        is_known = probabilities.any(axis=2, keepdims=True)
        probabilities = np.where(is_known, probabilities, 1 / shape[2])
        return cls(coding, parent_coding, counts, probabilities)

    def state(self, code: int) -> list[str]:
        """Return the value of the parent with a code; nothing without a parent."""
        return [self.parent.values[code]] if self.parent else []

    @property
    def logs(self) -> Floats:
        """The logarithms of the estimates."""
        return logarithms(self.probabilities)
