"""C4.5rules: the leaves of a tree as rules, which are simplified, selected and ordered."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from dmlib.classification.decision_tree.algorithm import DecisionTreeClassifier, tree_params
from dmlib.classification.rule_learning.conditions import Mask, Rule
from dmlib.classification.rule_learning.description import Description
from dmlib.classification.rule_learning.learner import (
    RuleLearner,
    RuleStep,
    default_class,
    judged,
    majority,
    start,
    uncovered,
)
from dmlib.classification.rule_learning.ranges import tree_rule_ranges
from dmlib.classification.rule_learning.search import DIGITS, Rows
from dmlib.classification.rule_learning.simplification import (
    pessimistic_error,
    rules_of_leaves,
    shorter_rules,
)
from dmlib.params import Param, Ranges
from dmlib.trace import look
from dmlib.trees.frontier import Table
from dmlib.trees.tree import Tree

Steps = Generator[RuleStep, None, RuleStep]


class C45Rules(RuleLearner):
    r"""Turn the leaves of an unpruned tree of C4.5 into rules, and simplify them.

    Each leaf is a rule for its class. The condition is dropped whose absence gives the smallest
    pessimistic error :math:`U_{CF}(e, t)`, the upper limit of a confidence interval for :math:`e`
    errors in the :math:`t` rows that the rule covers, until each absence would raise it. Of each
    class those rules stay that have the smallest description length. Classes come one after the
    other, that with the fewest false positives first.

    Parameters
    ----------
    confidence : float, default=0.25
        The confidence level CF of the pessimistic error: the smaller, the more is dropped.
    min_samples_leaf : int or float, default=2
        At least two branches of a split must have so many rows. A float up to 1.0 is a fraction of
        all rows.

    Attributes
    ----------
    rules_ : tuple of Rule
        The rules, in the order in which they are asked, with p and t among all rows.
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
    A rule with k conditions costs O(k^2 n) for n rows, the selection among r rules of a class
    O(r^2 n). Of equally small errors or lengths the first is taken. A rule that loses all
    conditions, and one that is there already, is rejected. The selection starts with all rules of a
    class and removes or returns the one that shortens the description most, until none does; bits
    are those of :class:`RIPPER`. False positives are counted among the rows that no class before
    covers. The default is the most frequent class of the rows that no rule covers. At the end,
    rules go whose absence reduces the training errors of the list, the one that reduces them most
    first. A rule counts the rows without missing values in its columns.

    References
    ----------
    J. R. Quinlan (1993), C4.5: programs for machine learning, chapter 5. J. R. Quinlan (1995), MDL
    and categorical theories (continued).

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> table = load("replication").frame
    >>> model = C45Rules(min_samples_leaf=1).fit(table.drop(columns="y"), table["y"])
    >>> [(str(model.classes_[rule.target]), len(rule.conditions)) for rule in model.rules_]
    [('no', 2), ('no', 2), ('no', 2), ('no', 2), ('yes', 2), ('yes', 2)]
    """

    RANGES: ClassVar[Ranges] = staticmethod(tree_rule_ranges)
    PARAMS: ClassVar[dict[str, Param]] = tree_params("confidence", "min_samples_leaf")

    def __init__(self, *, confidence: float = 0.25, min_samples_leaf: float = 2) -> None:
        self.confidence = confidence
        self.min_samples_leaf = min_samples_leaf

    def _learn(self, rows: Rows) -> Iterator[RuleStep]:
        step, is_free = start(rows), np.ones(len(rows.X), bool)
        for rule in rules_of_leaves(self._tree(rows)):
            look()
            step = yield from self._simplified(rows, step, rule, is_free)
            if step.phase == "keep":
                is_free &= ~step.covered
        step = replace(step, rule=None, before=None, candidates=None, chosen=-1)
        for target in range(len(rows.classes)):
            step = yield from self._selected(rows, step, target)
        step = yield from self._ordered(rows, step)
        step = yield from self._reviewed(rows, step)
        yield replace(start(rows), phase="done", rules=step.rules, default=step.default)

    def _tree(self, rows: Rows) -> Tree:
        """Return the unpruned tree of C4.5."""
        sizes = [0 if values is None else len(values) for values in rows.columns.categories]
        table = Table(rows.X, rows.codes, len(rows.classes), tuple(sizes))
        model = DecisionTreeClassifier(
            criterion="gain_ratio",
            splitter="multiway",
            numeric="c45",
            min_gain=1e-6,
            min_samples_leaf=self.min_samples_leaf,
        )
        return model.fit_table(rows.columns, rows.classes, table, np.ones(len(rows.X))).tree_

    def _simplified(self, rows: Rows, step: RuleStep, rule: Rule, is_free: Mask) -> Steps:
        """Yield a step for each condition that a rule loses, and return the one that ends it.

        ``is_free`` says which rows no rule before covers.
        """
        rule, covered = judged(rule, rows, step.active)
        step = replace(step, phase="leaf", target=rule.target, rule=rule, covered=covered)
        step = replace(step, before=None, candidates=None, chosen=-1)
        yield step
        while True:
            tried = shorter_rules(rule, rows, self.confidence)
            error = pessimistic_error(rule.n_right, rule.n_covered, self.confidence)
            chosen = int(np.argmin(tried.scores)) if rule.conditions else -1
            if chosen < 0 or tried.scores[chosen] > error:
                break
            before, conditions = rule, rule.conditions[:chosen] + rule.conditions[chosen + 1 :]
            rule, covered = judged(replace(rule, conditions=conditions), rows, step.active)
            step = replace(step, phase="drop", rule=rule, before=before, covered=covered)
            step = replace(step, candidates=tried, chosen=chosen)
            yield step
        step = replace(step, phase="reject", before=None, candidates=tried, chosen=-1)
        if rule.conditions and not is_among(rule, step.rules):
            default = majority(rows, is_free & ~covered)
            step = replace(step, phase="keep", rules=(*step.rules, rule), default=default)
        yield step
        return step

    def _selected(self, rows: Rows, step: RuleStep, target: int) -> Steps:
        """Yield a step for each rule of a class that is removed or returned, and one at the end."""
        pool, before = of_class(step, target), step.rules
        if not pool:
            return step
        task = Description(rows, step.active, target)
        covers = np.array([rule.covers(rows.X) for rule in pool])
        is_other = np.array([rule.target != target for rule in before])
        is_free = uncovered([rule for rule in before if rule.target != target], rows)
        is_in, chosen = np.ones(len(pool), bool), 0
        while chosen >= 0:
            look()
            lengths = task.toggled(pool, covers, is_in)
            totals = np.round([length.total for length in lengths], DIGITS)
            chosen = int(np.argmin(totals)) - 1
            if chosen >= 0:
                is_in[chosen] = not is_in[chosen]
            is_present = is_other.copy()
            is_present[~is_other] = is_in
            rules = tuple(before[i] for i in np.flatnonzero(is_present))
            covered: Mask = np.any(covers[is_in], axis=0)
            step = replace(step, phase="select", target=target, rules=rules, covered=covered)
            step = replace(step, default=majority(rows, is_free & ~covered))
            step = replace(step, pool=pool, lengths=lengths, chosen=chosen)
            yield step
        return replace(step, pool=(), lengths=())

    def _ordered(self, rows: Rows, step: RuleStep) -> Steps:
        """Yield a step for each class, that with the fewest false positives first."""
        targets = dict.fromkeys(rule.target for rule in step.rules)
        unplaced = {target: ~uncovered(of_class(step, target), rows) for target in targets}
        placed: tuple[Rule, ...] = ()
        while unplaced:
            wrong = [
                int((unplaced[k] & step.active & (rows.codes != k)).sum()) if k in unplaced else -1
                for k in range(len(rows.classes))
            ]
            target = min(unplaced, key=lambda k: (wrong[k], k))
            covered = unplaced.pop(target) & step.active
            placed = (*placed, *of_class(step, target))
            following = tuple(rule for rule in step.rules if rule.target in unplaced)
            yield replace(
                step,
                phase="order",
                target=target,
                rules=(*placed, *following),
                covered=covered,
                errors=tuple(wrong),
            )
            step = replace(step, active=step.active & ~covered)
        return replace(step, rules=placed, default=default_class(placed, rows))

    def _reviewed(self, rows: Rows, step: RuleStep) -> Steps:
        """Yield a step for each rule that goes from the list, and one at the end."""
        active, chosen = np.ones_like(step.active), 0
        step = replace(step, phase="review", active=active, growing=active, target=-1)
        while chosen >= 0 and step.rules:
            look()
            errors = errors_without(step.rules, step.default, rows)
            chosen = int(np.argmin(errors)) - 1
            pool, rules = step.rules, step.rules
            if chosen >= 0:
                rules = pool[:chosen] + pool[chosen + 1 :]
            step = replace(step, rules=rules, pool=pool, errors=errors, chosen=chosen)
            step = replace(step, covered=~uncovered(rules, rows))
            yield step
        return step


def is_among(rule: Rule, rules: Sequence[Rule]) -> bool:
    """Return whether there is a rule with the same conditions, in any order, and the same class."""
    key = rule.target, set(rule.conditions)
    n = len(rule.conditions)
    alike = (each for each in rules if len(each.conditions) == n)
    return any((each.target, set(each.conditions)) == key for each in alike)


def of_class(step: RuleStep, target: int) -> tuple[Rule, ...]:
    """Return the rules of one class."""
    return tuple(rule for rule in step.rules if rule.target == target)


def errors_without(rules: Sequence[Rule], default: int, rows: Rows) -> tuple[int, ...]:
    """Return the misclassified training rows of a list of rules, and of it without each rule.

    Examples
    --------
    >>> rows = Rows.read([[1.0], [2.0], [3.0]], ["a", "b", "b"])
    >>> errors_without([Rule((), 0)], 1, rows)
    (2, 1)
    """
    always = np.ones((1, len(rows.X)), bool)
    covers = np.concatenate([np.array([rule.covers(rows.X) for rule in rules]), always])
    is_wrong = np.array([*(rule.target for rule in rules), default])[:, None] != rows.codes
    places = np.arange(len(rows.X))
    first = covers.argmax(axis=0)
    covers[first, places] = False
    covers[-1] = True
    second = covers.argmax(axis=0)  # the rule that decides where the first one is missing
    before, after = is_wrong[first, places], is_wrong[second, places]
    changes = np.bincount(first, after.astype(int) - before.astype(int), len(rules) + 1)[:-1]
    n_wrong = int(before.sum())
    return n_wrong, *(n_wrong + changes).astype(int).tolist()
