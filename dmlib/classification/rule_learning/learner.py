"""The base of the rule learners: a generator grows rules, and the first that fires decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats, Ints
from dmlib.classification.columns import Columns, check_columns, new_rows
from dmlib.classification.rule_learning.conditions import Mask, Rule
from dmlib.classification.rule_learning.description_length import DescriptionLength
from dmlib.classification.rule_learning.search import Candidates, Rows
from dmlib.estimator import Staged
from dmlib.params import Param, check_params

Phase = Literal[
    "class",
    "grow",
    "prune",
    "rule",
    "reject",
    "delete",
    "original",
    "replacement",
    "revision",
    "choose",
    "column",
    "leaf",
    "drop",
    "keep",
    "select",
    "order",
    "review",
    "done",
]
VARIANTS: tuple[Phase, ...] = ("original", "replacement", "revision")
DEFAULT = -1  # the number of the default rule


@dataclass(frozen=True)
class Pruning:
    """A rule without its last conditions, judged by the pruning set."""

    rule: Rule
    n_right: int  # p
    n_covered: int  # p + n
    value: float  # (p + N − n) / (P + N), of RIPPER (p − n) / (p + n)


@dataclass(frozen=True)
class Variant:
    """A rule that may stand at a place of the list, and the description length with it."""

    kind: Phase
    rule: Rule
    length: DescriptionLength


@dataclass(frozen=True)
class RuleStep:
    """One step of learning rules.

    Attributes
    ----------
    phase : str
        A "class" is chosen; to "grow", a condition is added to the rule; to "prune" it, its last
        conditions are removed; the "rule" is done, and the rows that it covers are removed;
        "reject": it is not taken; "delete": rules are removed from the list; "original",
        "replacement" and "revision" of a rule, of which one is taken by "choose"; a "column" is
        tried. Of a tree: a "leaf" becomes a rule, "drop" removes one of its conditions, "keep" adds
        it to the rules; "select" removes or returns a rule of a class, "order" places a class,
        "review" removes a rule of the whole list. All rules are learned, "done".
    rules : tuple of Rule
        The rules so far, in the order in which they were learned.
    default : int
        The place of the class of rows that no rule covers.
    target : int
        The place of the class that rules are learned for; -1 for none.
    rule : Rule or None
        The rule that the step is about, with p and t among the rows that it grows on.
    active : ndarray of bool of shape (n_samples,)
        The rows that are not removed.
    growing : ndarray of bool of shape (n_samples,)
        Those that the rule grows on; the others of the active rows prune it.
    covered : ndarray of bool of shape (n_samples,)
        The active rows that it covers; on "rule" those that are removed.
    candidates : Candidates or None
        On "grow": the conditions that could be added; on "drop" and "keep" those that could be
        dropped, with p, t and the pessimistic error of the rule without them.
    chosen : int
        The one that is; on "choose" the variant; on "select" and "review" the place in ``pool``, -1
        if no rule is removed.
    before : Rule or None
        On "grow", "prune", "rule" and "drop" the rule before it was changed.
    prunings : tuple of Pruning
        On "prune", "rule" and "reject": the rule with ever fewer conditions, if it was pruned.
    lengths : tuple of DescriptionLength
        Of RIPPER. On "rule" and "reject" that with the rule, on "delete" those before and after.
        On "select" that of the rules, and that with each rule of ``pool`` removed or returned.
    pool : tuple of Rule
        On "select": all rules of the class; on "review" those of the list before.
    variants : tuple of Variant
        From "original" to "choose": the variants of a rule so far.
    column : int
        On "column" and "done" of 1R: the column.
    errors : tuple of int
        The misclassified rows of the rules of each column so far; on "order" the false positives
        of each class, -1 if it has no place to get; on "review" the errors of the list, and of the
        list without each rule.
    """

    phase: Phase
    rules: tuple[Rule, ...]
    default: int
    active: Mask
    growing: Mask
    covered: Mask
    target: int = -1
    rule: Rule | None = None
    candidates: Candidates | None = None
    chosen: int = -1
    before: Rule | None = None
    prunings: tuple[Pruning, ...] = ()
    lengths: tuple[DescriptionLength, ...] = ()
    pool: tuple[Rule, ...] = ()
    variants: tuple[Variant, ...] = ()
    column: int = -1
    errors: tuple[int, ...] = ()

    @property
    def n_rules(self) -> int:
        """How many rules there are so far."""
        return len(self.rules)

    @property
    def candidate(self) -> Rule | None:
        """The rule that is not yet one of the rules."""
        phases = ("grow", "prune", "reject", "leaf", "drop")
        return self.rule if self.phase in phases else None


class RuleLearner(ClassifierMixin, Staged, BaseEstimator):
    """Base of the rule learners: a subclass learns rules in ``_learn``."""

    PARAMS: ClassVar[dict[str, Param]]
    rules_: tuple[Rule, ...]
    default_: int
    classes_: NDArray[Any]

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Learn rules from the rows of ``X`` and their classes ``y``."""
        check_columns(self, X, y)
        rows = self._read(X, y)
        *_, last = self._learn(rows)
        return self._adopt(last, rows)

    def fit_from(self, steps: Sequence[RuleStep], X: Any, y: ArrayLike) -> Self:
        """Learn what ``fit`` would from the steps on the same rows, without learning again."""
        check_columns(self, X, y)
        return self._adopt(steps[-1], self._read(X, y))

    def steps(self, X: Any, y: Any = None) -> Iterator[RuleStep]:
        """Yield the steps of learning the rules."""
        return self._learn(self._read(X, y))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row, that of the rule that decides."""
        places = self._decisions(X)[1]
        labels: NDArray[Any] = self.classes_[places]
        return labels

    def certainty(self, X: Any) -> tuple[NDArray[Any], Floats]:
        """Return the class of each row, and the accuracy p / t of the rule that decides.

        That of the default rule is the fraction of its class among the rows that no rule covers.
        """
        fired, places = self._decisions(X)
        accuracies = np.array([*(rule.accuracy for rule in self.rules_), self._default_accuracy])
        return self.classes_[places], accuracies[fired]

    def deciding(self, X: Any) -> Ints:
        """Return the number of the rule that decides each row, from 0; -1 for the default rule."""
        return self._decisions(X)[0]

    def firing(self, X: Any) -> Mask:
        """Return which rules cover each row, shape (n_samples, n_rules)."""
        check_is_fitted(self)
        matrix = new_rows(self, self.columns_, X)
        covers = [rule.covers(matrix) for rule in self.rules_]
        return np.array(covers, bool).reshape(len(self.rules_), len(matrix)).T

    def cuts(self, column: int) -> Floats:
        """Return the thresholds of a column, between which no answer changes."""
        conditions = (condition for rule in self.rules_ for condition in rule.conditions)
        return np.unique([each.value for each in conditions if each.column == column])

    def order_of(self, rules: Sequence[Rule]) -> list[int]:
        """Return the rules in the order in which they are asked: that in which they were learned.

        A set of rules has another one.
        """
        return list(range(len(rules)))

    def _decisions(self, X: Any) -> tuple[Ints, Ints]:
        fires = self.firing(X)
        fired = np.full(len(fires), DEFAULT)
        for number in reversed(self.order_of(self.rules_)):
            fired[fires[:, number]] = number
        targets = np.array([*(rule.target for rule in self.rules_), self.default_], np.intp)
        return fired, targets[fired]

    def _learned(self, step: RuleStep) -> Mapping[str, Any]:
        return {"rules_": step.rules, "default_": step.default}

    def _adopt(self, last: RuleStep, rows: Rows) -> Self:
        self.classes_, self.columns_ = rows.classes, rows.columns
        self.n_features_in_ = len(rows.columns.names)
        self.rules_, self.default_ = last.rules, last.default
        self.n_rules_ = len(last.rules)
        self.n_conditions_ = sum(len(rule.conditions) for rule in last.rules)
        codes = rows.codes[uncovered(last.rules, rows)]
        codes = codes if len(codes) else rows.codes
        self._default_accuracy = float((codes == last.default).mean())
        return self

    def _read(self, X: Any, y: Any) -> Rows:
        check_params(self.PARAMS, self.get_params())
        return Rows.read(X, y)

    def _learn(self, rows: Rows) -> Iterator[RuleStep]:
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = tags.input_tags.allow_nan = True
        return tags

    columns_: Columns


def uncovered(rules: Sequence[Rule], rows: Rows) -> Mask:
    """Return which training rows no rule covers."""
    is_covered = np.zeros(len(rows.X), bool)
    for rule in rules:
        is_covered |= rule.covers(rows.X)
    return ~is_covered


def default_class(rules: Sequence[Rule], rows: Rows) -> int:
    """Return the most frequent class of the rows that no rule covers, or else of all.

    Examples
    --------
    >>> rows = Rows.read([[1.0], [2.0], [3.0]], ["a", "b", "b"])
    >>> default_class((), rows)
    1
    """
    return majority(rows, uncovered(rules, rows))


def majority(rows: Rows, is_free: Mask) -> int:
    """Return the most frequent class of some rows, or else of all.

    Examples
    --------
    >>> rows = Rows.read([[1.0], [2.0], [3.0]], ["a", "b", "b"])
    >>> majority(rows, np.array([True, False, False]))
    0
    """
    codes = rows.codes[is_free]
    return int(np.bincount(codes if len(codes) else rows.codes).argmax())


def start(rows: Rows) -> RuleStep:
    """Return the record before anything is learned: all rows, and no rule."""
    every, none = np.ones(len(rows.X), bool), np.zeros(len(rows.X), bool)
    return RuleStep("class", (), default_class((), rows), every, every, none)


def judged(rule: Rule, rows: Rows, among: Mask) -> tuple[Rule, Mask]:
    """Return a rule with p and t among some rows, and which of these it covers."""
    covered = rule.covers(rows.X) & among
    n_right = int((rows.codes[covered] == rule.target).sum())
    return replace(rule, n_right=n_right, n_covered=int(covered.sum())), covered
