"""Sequential covering: an ordered list of rules, each grown by FOIL's gain and perhaps pruned."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from functools import partial
from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state

from dmlib.arrays import Ints
from dmlib.classification.rule_learning.conditions import Mask, Rule
from dmlib.classification.rule_learning.learner import (
    Pruning,
    RuleLearner,
    RuleStep,
    default_class,
    judged,
    start,
)
from dmlib.classification.rule_learning.ranges import condition_ranges
from dmlib.classification.rule_learning.search import Rows, candidates, foil_gain
from dmlib.params import Choice, Flag, Integer, Number, Param, Ranges, Spoken

MAX_CONDITIONS = 1000
HALF = 0.5  # accuracy below which a rule is rejected
Value = Callable[[int, int, int, int], float]
"""A function of p, n, P and N: the rows of the class and others that a rule covers, and all."""


def right_fraction(p: int, n: int, P: int, N: int) -> float:
    """Return the fraction of rows that a rule treats rightly, (p + N − n) / (P + N).

    Examples
    --------
    >>> right_fraction(3, 1, 4, 6)
    0.8
    """
    return (p + N - n) / (P + N) if P + N else 0.0


class SequentialCovering(RuleLearner):
    r"""Learn a list of rules, one class after the other, with incremental reduced error pruning.

    A rule grows on two thirds of the rows by the condition with the largest gain
    :math:`p\,(\log_2 \frac{p}{t} - \log_2 \frac{p_0}{t_0})`, until it covers no row of another
    class. By the other third, its last conditions are removed where :math:`(p + N - n)/(P + N)`
    rises. The rows that it covers are removed. A rule that is wrong for more than half of the rows
    it covers ends its class. The last class has no rules: it is the default.

    Parameters
    ----------
    class_order : {"rare", "frequent", "name"}, default="rare"
        Which class comes first: the rarest, the most frequent, or the first by name. The last one
        is the default.
    pruning : bool, default=True
        Whether rules are pruned. Otherwise they grow on all rows.
    prune_fraction : float, default=0.33
        The fraction of the rows of each class that prune a rule; it counts only with pruning.
    max_conditions : int or None, default=None
        The largest number of conditions of a rule; None for as many as it needs.
    random_state : int, RandomState or None, default=0
        Which rows prune; they are drawn anew for each rule.

    Attributes
    ----------
    rules_ : tuple of Rule
        The rules, in the order in which they are asked.
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
    A condition costs O(n d) for n rows and d columns. Of conditions with equal gain the one with
    the larger p is added, and of those the first. Several last conditions can be removed at once;
    one stays, and of equal values the longer rule. Without a row of the pruning set that it covers
    a rule is rejected. Classes are separated from the later ones as in RIPPER.

    References
    ----------
    J. R. Quinlan (1990), Learning logical definitions from relations. J. Fürnkranz and G. Widmer
    (1994), Incremental reduced error pruning. W. W. Cohen (1995), Fast effective rule induction.

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> iris = load("iris").frame
    >>> model = SequentialCovering().fit(iris.drop(columns="species"), iris["species"])
    >>> model.n_rules_, str(model.classes_[model.default_])
    (2, 'virginica')
    """

    RANGES: ClassVar[Ranges] = staticmethod(condition_ranges)
    SPOKEN: ClassVar[Spoken] = {
        "class_order": {
            "rare": "rarest first",
            "frequent": "most frequent first",
            "name": "by name",
        }
    }
    PARAMS: ClassVar[dict[str, Param]] = {
        "class_order": Choice(("rare", "frequent", "name")),
        "pruning": Flag(),
        "prune_fraction": Number(0.05, 0.9, shown=(0.1, 0.6), step=0.01),
        "max_conditions": Integer(1, MAX_CONDITIONS, shown=(1, 6), none="no limit"),
    }

    def __init__(
        self,
        *,
        class_order: str = "rare",
        pruning: bool = True,
        prune_fraction: float = 0.33,
        max_conditions: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.class_order = class_order
        self.pruning = pruning
        self.prune_fraction = prune_fraction
        self.max_conditions = max_conditions
        self.random_state = random_state

    def _learn(self, rows: Rows) -> Iterator[RuleStep]:
        rng, step = check_random_state(self.random_state), start(rows)
        for target in self._order(rows)[:-1]:
            step = of_class(step, target)
            yield step
            while (rows.codes[step.active] == target).any():
                step = yield from self._rule(rows, step, rng)
                step = self._verdict(rows, step)
                yield step
                if step.phase == "reject":
                    break
        yield replace(start(rows), phase="done", rules=step.rules, default=step.default)

    def _order(self, rows: Rows) -> list[int]:
        """Return the places of the classes in the order in which they are learned."""
        sizes = np.bincount(rows.codes)
        if self.class_order == "name":
            return list(range(len(sizes)))
        order: Ints = np.argsort(sizes if self.class_order == "rare" else -sizes, kind="stable")
        places: list[int] = order.tolist()
        return places

    def _rule(
        self, rows: Rows, step: RuleStep, rng: np.random.RandomState
    ) -> Generator[RuleStep, None, RuleStep]:
        """Yield the steps of growing and pruning a rule, and return the last."""
        empty, _ = judged(Rule((), step.target), rows, step.active)
        is_pruning = self._pruning_rows(rows, step, rng)
        step = replace(step, growing=step.active & ~is_pruning, rule=empty, prunings=())
        for grown_step in self._grow(rows, step, empty):
            step = grown_step
            yield step
        grown = step.rule or empty
        step = replace(step, candidates=None, chosen=-1, before=grown)
        if self.pruning and grown.conditions:
            prunings = pruned(grown, rows, is_pruning, self._value)
            rule = max(prunings, key=lambda each: each.value).rule
            covered = rule.covers(rows.X) & step.active
            step = replace(step, phase="prune", prunings=prunings, rule=rule, covered=covered)
            yield step
        return step

    def _grow(self, rows: Rows, step: RuleStep, rule: Rule) -> Iterator[RuleStep]:
        """Yield a step for each condition that is added to a rule."""
        rule, covered = judged(rule, rows, step.growing)
        while 0 < rule.n_right < rule.n_covered and len(rule.conditions) < self._longest:
            ranked = candidates(rows, covered, step.target, partial(foil_gain, before=rule))
            if ranked.best < 0 or ranked.scores[ranked.best] <= 0:
                break
            extended = Rule((*rule.conditions, ranked.conditions[ranked.best]), step.target)
            before, (rule, covered) = rule, judged(extended, rows, step.growing)
            yield replace(
                step,
                phase="grow",
                rule=rule,
                before=before,
                covered=rule.covers(rows.X) & step.active,
                candidates=ranked,
                chosen=ranked.best,
            )

    def _verdict(self, rows: Rows, step: RuleStep) -> RuleStep:
        """Return the step that accepts a rule, or rejects it where it errs too often."""
        judges = step.active & ~step.growing if self.pruning else step.active
        rule = step.rule
        if rule and rule.conditions and judged(rule, rows, judges)[0].accuracy >= HALF:
            return accepted(rule, rows, step)
        return rejected(rule, rows, step)

    def _pruning_rows(self, rows: Rows, step: RuleStep, rng: np.random.RandomState) -> Mask:
        """Return which rows prune the next rule, a share of the class and one of the others."""
        mask = np.zeros(len(rows.X), bool)
        if not self.pruning:
            return mask
        is_target = rows.codes == step.target
        for part in (step.active & is_target, step.active & ~is_target):
            numbers = rng.permutation(np.flatnonzero(part))
            mask[numbers[math.ceil((1 - self.prune_fraction) * len(numbers)) :]] = True
        return mask

    @property
    def _value(self) -> Value:
        """The value of a rule on the pruning set."""
        return right_fraction

    @property
    def _longest(self) -> float:
        return np.inf if self.max_conditions is None else self.max_conditions


def of_class(step: RuleStep, target: int) -> RuleStep:
    """Return the step that begins with a class, on the rows that are not removed."""
    step = replace(step, phase="class", target=target, rule=None, candidates=None)
    return replace(step, growing=step.active, covered=np.zeros_like(step.active))


def accepted(rule: Rule, rows: Rows, step: RuleStep) -> RuleStep:
    """Return the step that appends a rule to the list, and removes the rows that it covers."""
    rule, covered = judged(rule, rows, step.active)
    rules, active = (*step.rules, rule), step.active & ~covered
    return replace(
        step,
        phase="rule",
        rules=rules,
        default=default_class(rules, rows),
        rule=rule,
        active=active,
        growing=active,
        covered=covered,
    )


def rejected(rule: Rule | None, rows: Rows, step: RuleStep) -> RuleStep:
    """Return the step that ends a class with a rule that is not taken."""
    rule, covered = judged(rule or Rule((), step.target), rows, step.active)
    return replace(step, phase="reject", rule=rule, covered=covered)


def pruned(
    rule: Rule, rows: Rows, is_pruning: Mask, value: Value = right_fraction
) -> tuple[Pruning, ...]:
    """Return a rule with ever fewer of its conditions, at least one, and the value of each.

    Examples
    --------
    >>> from dmlib.classification.rule_learning.conditions import Condition
    >>> rows = Rows.read([[1.0], [2.0], [3.0]], [0, 1, 1])
    >>> rule = Rule((Condition(0, ">", 1.5), Condition(0, ">", 2.5)), 1)
    >>> [each.value for each in pruned(rule, rows, np.ones(3, bool))]
    [0.6666666666666666, 1.0]
    """
    is_target = rows.codes == rule.target
    n_others, n_rows = int((is_pruning & ~is_target).sum()), int(is_pruning.sum())
    prunings = []
    for length in range(len(rule.conditions), 0, -1):
        short, _ = judged(Rule(rule.conditions[:length], rule.target), rows, is_pruning)
        n_wrong = short.n_covered - short.n_right
        worth = value(short.n_right, n_wrong, n_rows - n_others, n_others)
        prunings.append(Pruning(short, short.n_right, short.n_covered, worth))
    return tuple(prunings)
