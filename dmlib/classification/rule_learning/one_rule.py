"""1R: the rules of each column alone, and the column whose rules misclassify least."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import ClassVar

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.decision_tree.textbook import OneR
from dmlib.classification.rule_learning.conditions import Condition, Rule
from dmlib.classification.rule_learning.learner import (
    RuleLearner,
    RuleStep,
    default_class,
    judged,
    start,
)
from dmlib.classification.rule_learning.ranges import bucket_ranges
from dmlib.classification.rule_learning.search import Rows
from dmlib.params import Integer, Param, Ranges
from dmlib.trace import look


class OneRule(RuleLearner):
    """Learn a rule for each value of one column, the one that misclassifies least.

    A rule predicts the most frequent class of the rows with its value.

    Parameters
    ----------
    min_bucket : int, default=6
        The rows of one class that fill an interval of a numeric column.

    Attributes
    ----------
    rules_ : tuple of Rule
        A rule for each value or interval of the column.
    default_ : int
        The place in ``classes_`` of the class of rows that no rule covers.
    n_rules_, n_conditions_ : int
        How many rules there are, and how many conditions they have together.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_features_in_ : int
        The number of columns seen by ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if they were columns of a data frame.

    Notes
    -----
    O(d n log n) for n rows and d columns. Intervals of a numeric column are those of
    :class:`OneR`, which is the same classifier as a tree. Of columns that misclassify as many rows
    the first is taken, of equally frequent classes too. A missing value gets the default class.

    References
    ----------
    R. C. Holte (1993), Very simple classification rules perform well on most commonly used
    datasets.

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> weather = load("weather_nominal").frame
    >>> model = OneRule().fit(weather[["outlook", "windy"]], weather["play"])
    >>> [(rule.n_right, rule.n_covered) for rule in model.rules_]
    [(3, 5), (4, 4), (3, 5)]
    """

    RANGES: ClassVar[Ranges] = staticmethod(bucket_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {"min_bucket": Integer(1, 10_000, shown=(1, 30))}

    def __init__(self, *, min_bucket: int = 6) -> None:
        self.min_bucket = min_bucket

    def _learn(self, rows: Rows) -> Iterator[RuleStep]:
        first = start(rows)
        steps: list[RuleStep] = []
        errors: tuple[int, ...] = ()
        for column in range(len(rows.columns.names)):
            look()
            rules = self._rules(rows, column)
            step = replace(first, phase="column", column=column, rules=rules)
            step = replace(step, default=default_class(rules, rows))
            errors = (*errors, n_errors(step, rows))
            steps.append(replace(step, errors=errors))
            yield steps[-1]
        yield replace(steps[int(np.argmin(errors))], phase="done", errors=errors)

    def _rules(self, rows: Rows, column: int) -> tuple[Rule, ...]:
        """Return a rule for each value, or interval, of a column."""
        x = rows.X[:, column]
        if rows.columns.categories[column] is None:
            conditions = [interval(column, *ends) for ends in pairwise(self._ends(x, rows.codes))]
        else:
            values = np.unique(x[~np.isnan(x)])
            conditions = [(Condition(column, "=", float(value)),) for value in values]
        rules = []
        for condition in conditions:
            covered = Rule(condition, 0).covers(rows.X)
            if covered.any():
                target = int(np.bincount(rows.codes[covered]).argmax())
                rules.append(judged(Rule(condition, target), rows, covered)[0])
        return tuple(rules)

    def _ends(self, x: Floats, codes: Ints) -> list[float]:
        """Return the ends of the intervals of a numeric column, infinite at both sides."""
        known = ~np.isnan(x)
        if not known.any():
            return []
        tree = OneR(min_bucket=self.min_bucket).fit(x[known, None], codes[known]).tree_
        split = tree.splits.split(0)
        return [-np.inf, *(() if split is None else split.thresholds), np.inf]


def interval(column: int, low: float, high: float) -> tuple[Condition, ...]:
    """Return the conditions of an interval, without those that every value fulfils.

    Examples
    --------
    >>> interval(0, -np.inf, 2.0)
    (Condition(column=0, operator='≤', value=2.0),)
    """
    conditions: list[Condition] = []
    if low > -np.inf:
        conditions.append(Condition(column, ">", float(low)))
    if high < np.inf:
        conditions.append(Condition(column, "≤", float(high)))
    return tuple(conditions)


def n_errors(step: RuleStep, rows: Rows) -> int:
    """Return how many training rows the rules of a column and the default misclassify."""
    predicted = np.full(len(rows.X), step.default)
    for rule in step.rules:
        predicted[rule.covers(rows.X)] = rule.target
    return int((predicted != rows.codes).sum())
