"""PRISM: for each class, rules of the conditions with the largest accuracy, until none errs."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from dmlib.classification.rule_learning.conditions import Rule
from dmlib.classification.rule_learning.learner import (
    RuleLearner,
    RuleStep,
    default_class,
    judged,
    start,
)
from dmlib.classification.rule_learning.ranges import condition_ranges
from dmlib.classification.rule_learning.search import Rows, candidates, precision
from dmlib.params import Integer, Param, Ranges

MAX_CONDITIONS = 1000


class PRISM(RuleLearner):
    r"""Learn a set of rules for each class, each as accurate as it can be.

    A rule gets the condition with the largest accuracy :math:`p/t`, again and again, until all
    :math:`t` rows that it covers are the :math:`p` ones of its class. They are removed, and the
    next rule covers what is left of the class. The next class begins with all rows again.

    Parameters
    ----------
    max_conditions : int or None, default=None
        The largest number of conditions of a rule; None for as many as it needs. With few, rules
        are shorter and may err.

    Attributes
    ----------
    rules_ : tuple of Rule
        The rules, class by class.
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
    A condition costs O(n d) for n rows and d columns. Of equally accurate conditions the one with
    the larger p is added, and of those the first. A condition that all rows fulfil that the rule
    covers is not one. Where equal rows have several classes, a rule ends with errors. One that gets
    no condition is rejected, and ends its class.

    The rules are a set, without an order. Where rules of several classes cover a row, the most
    accurate decides, of equally accurate ones that with the larger p; where none does, the most
    frequent class of the rows that no rule covers, or of all rows. The paper has nominal columns
    only and leaves both open; of a numeric column each threshold between two values is a condition.

    References
    ----------
    J. Cendrowska (1987), PRISM: an algorithm for inducing modular rules. I. H. Witten, E. Frank and
    M. A. Hall (2011), Data mining, section 4.4.

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> lenses = load("contact_lenses").frame
    >>> model = PRISM().fit(lenses.drop(columns="lenses"), lenses["lenses"])
    >>> [(str(model.classes_[rule.target]), len(rule.conditions)) for rule in model.rules_][:2]
    [('hard', 3), ('hard', 3)]
    """

    RANGES: ClassVar[Ranges] = staticmethod(condition_ranges)
    PARAMS: ClassVar[dict[str, Param]] = {
        "max_conditions": Integer(1, MAX_CONDITIONS, shown=(1, 6), none="no limit")
    }

    def __init__(self, *, max_conditions: int | None = None) -> None:
        self.max_conditions = max_conditions

    def order_of(self, rules: Sequence[Rule]) -> list[int]:
        """Return the rules by their accuracy, of equal ones those with the larger p first."""
        return sorted(range(len(rules)), key=lambda i: (-rules[i].accuracy, -rules[i].n_right))

    def _learn(self, rows: Rows) -> Iterator[RuleStep]:
        step = all_rows = start(rows)
        for target in range(len(rows.classes)):
            step = replace(all_rows, phase="class", target=target, rules=step.rules)
            step = replace(step, default=default_class(step.rules, rows))
            yield step
            while (rows.codes[step.active] == target).any():
                step = yield from self._rule(rows, step)
                if step.phase == "reject":
                    break
        yield replace(all_rows, phase="done", rules=step.rules, default=step.default)

    def _rule(self, rows: Rows, step: RuleStep) -> Generator[RuleStep, None, RuleStep]:
        """Yield the steps of one rule, and return the last: rows are removed, or its class ends."""
        rule, covered = judged(Rule((), step.target), rows, step.active)
        while rule.n_right < rule.n_covered and len(rule.conditions) < self._longest:
            ranked = candidates(rows, covered, step.target, precision)
            if ranked.best < 0:
                break
            extended = Rule((*rule.conditions, ranked.conditions[ranked.best]), step.target)
            before, (rule, covered) = rule, judged(extended, rows, step.active)
            step = replace(
                step,
                phase="grow",
                rule=rule,
                before=before,
                growing=step.active,
                covered=covered,
                candidates=ranked,
                chosen=ranked.best,
            )
            yield step
        if not rule.conditions:
            step = replace(step, phase="reject", rule=rule, covered=covered, candidates=None)
            yield step
            return step
        rules, active = (*step.rules, rule), step.active & ~covered
        step = replace(
            step,
            phase="rule",
            rules=rules,
            default=default_class(rules, rows),
            rule=rule,
            before=None,
            active=active,
            growing=active,
            covered=covered,
            candidates=None,
        )
        yield step
        return step

    @property
    def _longest(self) -> float:
        return np.inf if self.max_conditions is None else self.max_conditions
