"""The conditions that a rule can be extended by, and how many rows each would leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats, Ints
from dmlib.cached import cached_property
from dmlib.classification.columns import Columns, read_classes
from dmlib.classification.rule_learning.conditions import Condition, Mask, Rule
from dmlib.trace import look
from dmlib.trees.splits import halfway

Score = Callable[[Floats, Floats], Floats]
"""A function of p and t, the covered rows of the class and all covered rows."""
DIGITS = 9  # of a score that count where candidates are compared


@dataclass(frozen=True, eq=False)
class Rows:
    """The training rows of a rule learner."""

    columns: Columns
    X: Floats
    codes: Ints
    classes: NDArray[Any]

    @classmethod
    def read(cls, X: Any, y: Any) -> Rows:
        """Read a table and its classes."""
        columns, matrix = Columns.read(X)
        classes, codes = read_classes(y, matrix)
        return cls(columns, matrix, codes, classes)

    @cached_property
    def orders(self) -> Ints:
        """The order of the rows by each column, missing values last."""
        return np.argsort(self.X, axis=0, kind="stable")

    @cached_property
    def n_conditions(self) -> int:
        """How many conditions there are: each nominal value, both sides of each threshold."""
        numbers = [
            2 * max(np.unique(self.X[~np.isnan(self.X[:, j]), j]).size - 1, 0)
            if categories is None
            else len(categories)
            for j, categories in enumerate(self.columns.categories)
        ]
        return sum(numbers)


class Candidates(NamedTuple):
    """Conditions with p, t and their score: each nominal value, the best thresholds of a column."""

    conditions: tuple[Condition, ...]
    right: Ints  # p, the rows of the class that a condition leaves
    covered: Ints  # t, all rows that it leaves
    scores: Floats

    @property
    def best(self) -> int:
        """The place of the one with the largest score, of equal ones with the largest p; -1: none.

        Of those that are still equal it is the first.
        """
        usable = np.flatnonzero(self.right > 0)
        if not len(usable):
            return -1
        return int(usable[np.lexsort((-self.right[usable], -self.scores[usable]))[0]])


def candidates(rows: Rows, covered: Mask, target: int, score: Score) -> Candidates:
    """Return the conditions that leave some, but not all, of the rows that a rule covers.

    Parameters
    ----------
    rows : Rows
        The training rows.
    covered : ndarray of bool of shape (n_samples,)
        Those that the rule covers, of those that it is learned from.
    target : int
        The place of its class.
    score : callable
        How conditions are compared.

    Examples
    --------
    >>> rows = Rows.read([[1.0], [2.0], [3.0]], ["a", "b", "b"])
    >>> ranked = candidates(rows, np.ones(3, bool), 1, lambda p, t: p / t)
    >>> ranked.conditions[ranked.best], ranked.right.tolist(), ranked.covered.tolist()
    (Condition(column=0, operator='>', value=1.5), [1, 2], [2, 2])
    """
    conditions: list[Condition] = []
    counts: list[tuple[int, int]] = []
    n_covered = int(covered.sum())
    for column, categories in enumerate(rows.columns.categories):
        look()
        if categories is None:
            extended = _thresholds(rows, covered, target, column, score)
        else:
            extended = _values(rows, covered, target, column, len(categories))
        for condition, p, t in extended:
            if 0 < t < n_covered:
                conditions.append(condition)
                counts.append((p, t))
    right, left = np.array(counts, np.intp).reshape(-1, 2).T
    scores = np.round(score(right.astype(float), left.astype(float)), DIGITS)
    return Candidates(tuple(conditions), right, left, scores)


Extension = tuple[Condition, int, int]


def _values(rows: Rows, covered: Mask, target: int, column: int, n_values: int) -> list[Extension]:
    """Return the condition of each value of a nominal column, with p and t."""
    x, codes = rows.X[covered, column], rows.codes[covered]
    has_value = ~np.isnan(x)
    x, codes = x[has_value].astype(np.intp), codes[has_value]
    t = np.bincount(x, minlength=n_values).tolist()
    p = np.bincount(x[codes == target], minlength=n_values).tolist()
    return [(Condition(column, "=", float(v)), p[v], t[v]) for v in range(n_values)]


def _thresholds(
    rows: Rows, covered: Mask, target: int, column: int, score: Score
) -> list[Extension]:
    """Return the best condition up to a threshold, and the best above one, with p and t."""
    order = rows.orders[:, column]
    order = order[covered[order]]
    x = rows.X[order, column]
    order, x = order[~np.isnan(x)], x[~np.isnan(x)]
    cuts = np.flatnonzero(x[1:] > x[:-1])
    if not len(cuts):
        return []
    p = np.cumsum(rows.codes[order] == target)
    below = np.stack([p[cuts], cuts + 1]).astype(float)
    above = np.array([[p[-1]], [len(x)]]) - below
    places = halfway(x[cuts], x[cuts + 1])
    extended: list[Extension] = []
    for operator, (right, left) in (("≤", below), (">", above)):
        scores = np.round(score(right, left), DIGITS)
        i = int(np.lexsort((-right, -scores))[0])
        condition = Condition(column, "≤" if operator == "≤" else ">", float(places[i]))
        extended.append((condition, int(right[i]), int(left[i])))
    return extended


def precision(p: Floats, t: Floats) -> Floats:
    """Return the fraction of the covered rows that have the class, p / t.

    Examples
    --------
    >>> precision(np.array([3.0]), np.array([4.0])).tolist()
    [0.75]
    """
    return p / t


def foil_gain(p: Floats, t: Floats, before: Rule) -> Floats:
    """Return FOIL's gain of conditions over a rule, p (log2 p/t − log2 p0/t0).

    Examples
    --------
    >>> foil_gain(np.array([2.0]), np.array([2.0]), Rule((), 0, 2, 4)).tolist()
    [2.0]
    """
    with np.errstate(divide="ignore"):
        bits = np.log2(p / t) - np.log2(before.accuracy)
    return np.where(p > 0, p * np.where(p > 0, bits, 0.0), 0.0)
