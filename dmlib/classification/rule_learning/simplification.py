"""The leaves of a tree as rules, and rules without conditions that help little."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.classification.rule_learning.conditions import Condition, Rule
from dmlib.classification.rule_learning.search import DIGITS, Candidates, Rows
from dmlib.trees.error_based import added_errors
from dmlib.trees.splits import Split
from dmlib.trees.tree import Tree


def pessimistic_error(n_right: int, n_covered: int, confidence: float) -> float:
    """Return the upper limit of a confidence interval for the error rate of a rule.

    It is 1 for a rule that covers no row; see :func:`dmlib.trees.error_based.added_errors`.

    Examples
    --------
    >>> round(pessimistic_error(4, 4, 0.25), 3), round(pessimistic_error(3, 4, 0.25), 3)
    (0.293, 0.543)
    """
    if not n_covered:
        return 1.0
    errors = n_covered - n_right
    added = added_errors(float(n_covered), float(errors), confidence)
    return round((errors + added) / n_covered, DIGITS)


def rules_of_leaves(tree: Tree) -> Iterator[Rule]:
    """Yield the path to each leaf as a rule, from the first branch to the last.

    Examples
    --------
    >>> from dmlib.classification import C45
    >>> tree = C45(min_samples_leaf=1).fit([[1.0], [2.0], [3.0]], ["a", "b", "b"]).tree_
    >>> [(rule.conditions[0].operator, rule.target) for rule in rules_of_leaves(tree)]
    [('≤', 0), ('>', 1)]
    """
    waiting: list[tuple[int, tuple[Condition, ...]]] = [(0, ())]
    while waiting:
        node, path = waiting.pop()
        split = tree.splits.split(node)
        if split is None:
            yield Rule(path, int(tree.predictions[node]))
            continue
        branches = zip(tree.children[node].tolist(), branch_conditions(split), strict=False)
        waiting += [(child, (*path, condition)) for child, condition in branches][::-1]


def branch_conditions(split: Split) -> list[Condition]:
    """Return the condition of each branch of a split at one threshold, or into single values.

    Examples
    --------
    >>> [condition.value for condition in branch_conditions(Split(0, branches=(1, -1, 0)))]
    [2.0, 0.0]
    """
    if split.cut is not None:
        return [Condition(split.column, "≤", split.cut), Condition(split.column, ">", split.cut)]
    values = np.argsort(split.branches, kind="stable")[-split.n_branches :]
    return [Condition(split.column, "=", float(value)) for value in values]


def shorter_rules(rule: Rule, rows: Rows, confidence: float) -> Candidates:
    """Return the conditions of a rule with p, t and pessimistic error of the rule without each.

    Examples
    --------
    >>> rows = Rows.read([[1.0], [2.0], [3.0]], ["a", "b", "b"])
    >>> rule = Rule((Condition(0, ">", 1.5), Condition(0, ">", 2.5)), 1)
    >>> tried = shorter_rules(rule, rows, 0.25)
    >>> tried.right.tolist(), tried.covered.tolist(), tried.scores.round(2).tolist()
    ([1, 2], [1, 2], [0.75, 0.5])
    """
    fails = np.array([~condition.holds(rows.X) for condition in rule.conditions])
    fails = fails.reshape(len(rule.conditions), len(rows.X))
    covers = fails.sum(axis=0) - fails == 0
    right = (covers & (rows.codes == rule.target)).sum(axis=1)
    covered = covers.sum(axis=1)
    pairs = zip(right.tolist(), covered.tolist(), strict=True)
    scores = np.array([pessimistic_error(p, t, confidence) for p, t in pairs])
    return Candidates(rule.conditions, right, covered, scores)
