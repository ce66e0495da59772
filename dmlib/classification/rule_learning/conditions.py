"""Conditions on columns, and rules: a conjunction of conditions with the class that it predicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.trees.threshold_text import threshold_text

Operator = Literal["=", "≤", ">"]
Mask = NDArray[np.bool_]
DIGITS = 4  # of a threshold, if these separate the values of its column


@dataclass(frozen=True)
class Condition:
    """A test of one column; a missing value fulfils none.

    Examples
    --------
    >>> Condition(0, "≤", 2.0).holds(np.array([[1.0], [3.0], [np.nan]])).tolist()
    [True, False, False]
    """

    column: int
    operator: Operator
    value: float  # the code of a nominal value, or a threshold

    def holds(self, X: Floats) -> Mask:
        """Return which rows fulfil it."""
        x = X[:, self.column]
        compare = {"=": np.equal, "≤": np.less_equal, ">": np.greater}[self.operator]
        holds: Mask = compare(x, self.value)
        return holds


@dataclass(frozen=True)
class Rule:
    """A rule, with the rows by which it was judged when it was learned.

    Examples
    --------
    >>> rule = Rule((Condition(0, ">", 1.0), Condition(1, "=", 2.0)), 0)
    >>> rule.covers(np.array([[3.0, 2.0], [3.0, 1.0]])).tolist()
    [True, False]
    """

    conditions: tuple[Condition, ...]  # all of which must hold
    target: int  # the place of its class
    n_right: int = 0  # covered rows of this class: p
    n_covered: int = 0  # covered rows: t

    @property
    def accuracy(self) -> float:
        """The fraction of the covered rows that have its class, p / t."""
        return self.n_right / self.n_covered if self.n_covered else 0.0

    def covers(self, X: Floats) -> Mask:
        """Return which rows fulfil all conditions."""
        covered = np.ones(len(X), bool)
        for condition in self.conditions:
            covered &= condition.holds(X)
        return covered


def condition_text(
    condition: Condition, names: Sequence[str], categories: Mapping[int, Sequence[Any]], X: Floats
) -> str:
    """Return a condition in words; a threshold has the digits that separate the values of ``X``.

    Examples
    --------
    >>> X = np.array([[1.0, 0.0], [2.0, 1.0]])
    >>> condition_text(Condition(0, "≤", 1.5), ["size", "sky"], {1: ["rain", "sun"]}, X)
    'size ≤ 1.5'
    >>> condition_text(Condition(1, "=", 1.0), ["size", "sky"], {1: ["rain", "sun"]}, X)
    'sky = sun'
    """
    j = condition.column
    if condition.operator == "=":
        value = str(categories[j][int(condition.value)])
    else:
        value = threshold_text(condition.value, X[:, j], DIGITS).replace("-", "−")
    return f"{names[j]} {condition.operator} {value}"
