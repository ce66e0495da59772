"""RIPPER: a list of rules that is shortened and optimised by its description length."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state

from dmlib.classification.rule_learning.conditions import Mask, Rule
from dmlib.classification.rule_learning.description import Description
from dmlib.classification.rule_learning.learner import (
    VARIANTS,
    Phase,
    RuleStep,
    Variant,
    default_class,
    start,
)
from dmlib.classification.rule_learning.search import Rows
from dmlib.classification.rule_learning.sequential_covering import (
    SequentialCovering,
    Value,
    accepted,
    of_class,
    pruned,
    rejected,
)
from dmlib.params import Integer, Param
from dmlib.trace import look

MAX_EXCESS = 64.0  # bits beyond the smallest description length at which rules end (Cohen's d)
MAX_PASSES = 100


def right_minus_wrong(p: int, n: int, P: int, N: int) -> float:
    """Return the value of a rule on the pruning set, (p − n) / (p + n).

    Examples
    --------
    >>> right_minus_wrong(3, 1, 4, 6)
    0.5
    """
    return (p - n) / (p + n) if p + n else 0.0


class RIPPER(SequentialCovering):
    r"""Learn a list of rules, and optimise it by its description length.

    Rules are grown and pruned one by one; a rule is pruned by :math:`(p - n)/(p + n)`. They end
    where the description length exceeds the smallest one so far by 64 bits; then those go whose
    absence shortens it. In each of ``k`` passes, every rule has two rivals: its *replacement* is
    grown anew, its *revision* from the rule itself; both are pruned for the smallest error of the
    whole list. The variant with the smallest description length stays, and new rules cover what the
    list leaves.

    Parameters
    ----------
    k : int, default=2
        The number of passes of optimisation.
    class_order : {"rare", "frequent", "name"}, default="rare"
        Which class comes first: the rarest, the most frequent, or the first by name. The last one
        is the default.
    prune_fraction : float, default=0.33
        The fraction of the rows of each class that prune a rule.
    max_conditions : int or None, default=None
        The largest number of conditions of a rule; None for as many as it needs.
    random_state : int, RandomState or None, default=0
        Which rows prune; they are drawn anew for each rule and its variants.

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
    A condition costs O(n d) for n rows and d columns; each pass costs about twice as much as the
    list. The description length is the sum of :func:`theory_bits` of all rules of the class and
    :func:`exception_bits` of the rows that no rule of an earlier class covers. A variant is judged
    with the list that remains once rules whose absence shortens the description are out. It grows
    on rows that no rule before it covers, as in JRip of Weka. New rules after a pass stay only if
    the description gets shorter: so no pass makes it longer.

    References
    ----------
    W. W. Cohen (1995), Fast effective rule induction, sections 2 and 3. J. R. Quinlan (1995), MDL
    and categorical theories (continued).

    Examples
    --------
    >>> from dmlib.datasets import load
    >>> iris = load("iris").frame
    >>> model = RIPPER().fit(iris.drop(columns="species"), iris["species"])
    >>> model.n_rules_, str(model.classes_[model.default_])
    (2, 'virginica')
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        "k": Integer(0, MAX_PASSES, shown=(0, 5)),
        **{name: param for name, param in SequentialCovering.PARAMS.items() if name != "pruning"},
    }
    pruning = True

    def __init__(
        self,
        *,
        k: int = 2,
        class_order: str = "rare",
        prune_fraction: float = 0.33,
        max_conditions: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.k = k
        self.class_order = class_order
        self.prune_fraction = prune_fraction
        self.max_conditions = max_conditions
        self.random_state = random_state

    def _learn(self, rows: Rows) -> Iterator[RuleStep]:
        rng, step = check_random_state(self.random_state), start(rows)
        for target in self._order(rows)[:-1]:
            step = of_class(step, target)
            yield step
            task = Description(rows, step.active, target)
            step = yield from self._build(task, step, rng)
            for _ in range(self.k):
                step = yield from self._optimise(task, step, rng)
                step = yield from self._build(task, step, rng)
        yield replace(start(rows), phase="done", rules=step.rules, default=step.default)

    def _build(
        self, task: Description, step: RuleStep, rng: np.random.RandomState
    ) -> Generator[RuleStep, None, RuleStep]:
        """Yield the steps of rules for the rows of the class that none covers."""
        rows, present = task.rows, rules_of_class(step)
        step = replace(step, active=task.domain & ~task.covered(present))
        smallest = task.length(present).total
        while (rows.codes[step.active] == task.target).any():
            step = yield from self._rule(rows, step, rng)
            rule = step.rule or Rule((), task.target)
            length = task.length((*rules_of_class(step), rule))
            is_taken = rule.conditions and length.total <= smallest + MAX_EXCESS
            step = (accepted if is_taken else rejected)(rule, rows, step)
            yield replace(step, lengths=(length,))
            if not is_taken:
                break
            smallest = min(smallest, length.total)
        rules = rules_of_class(step)
        shorter = min(
            (task.shortened(present), task.shortened(rules)),
            key=lambda each: task.length(each).total,
        )
        if shorter != rules:
            step = with_rules(task, step, shorter, "delete")
            yield replace(step, rule=None, lengths=(task.length(rules), task.length(shorter)))
        active = task.domain & ~task.covered(shorter)
        return replace(step, active=active, growing=active, rule=None, prunings=())

    def _optimise(
        self, task: Description, step: RuleStep, rng: np.random.RandomState
    ) -> Generator[RuleStep, None, RuleStep]:
        """Yield the variants of each rule, and the choice among them."""
        step = replace(step, active=task.domain, candidates=None, before=None)
        for number in range(len(rules_of_class(step))):
            look()
            rules = rules_of_class(step)
            is_pruning = self._pruning_rows(task.rows, step, rng)
            preceding, following = rules[:number], rules[number + 1 :]
            judges = is_pruning & ~task.covered(preceding + following)
            growing = task.domain & ~is_pruning & ~task.covered(preceding)
            step = replace(step, growing=growing, variants=(), chosen=-1)
            for kind in VARIANTS:
                rule: Rule | None = rules[number]
                if kind != "original":
                    begin = Rule((), task.target) if kind == "replacement" else rules[number]
                    rule = self._variant(task.rows, step, begin, judges)
                if rule is None:
                    continue
                changed = (*preceding, rule, *following)
                length = task.length(task.shortened(changed))
                step = with_rules(task, step, changed, kind)
                rule = rules_of_class(step)[number]
                variants = (*step.variants, Variant(kind, rule, length))
                step = replace(step, rule=rule, covered=rule.covers(task.rows.X) & task.domain)
                step = replace(step, variants=variants)
                yield step
            totals = [each.length.total for each in step.variants]
            chosen = int(np.argmin(totals))
            rule = step.variants[chosen].rule
            step = with_rules(task, step, (*preceding, rule, *following), "choose")
            covered = rule.covers(task.rows.X) & task.domain
            step = replace(step, rule=rule, covered=covered, chosen=chosen)
            yield step
        return replace(step, variants=(), chosen=-1)

    @property
    def _value(self) -> Value:
        """The value of a new rule on the pruning set."""
        return right_minus_wrong

    def _variant(self, rows: Rows, step: RuleStep, begin: Rule, judges: Mask) -> Rule | None:
        """Return a rule grown from another one, and pruned by rows that no other rule covers.

        What the other rules do with the remaining rows is the same, however short the rule is: so
        the error of the whole list is smallest where that of these rows is.
        """
        grown = begin
        for each in self._grow(rows, step, begin):
            grown = each.rule or grown
        if not grown.conditions:
            return None
        return max(pruned(grown, rows, judges), key=lambda each: each.value).rule


def rules_of_class(step: RuleStep) -> tuple[Rule, ...]:
    """Return the rules of the class of a step."""
    return tuple(rule for rule in step.rules if rule.target == step.target)


def with_rules(
    task: Description, step: RuleStep, rules: tuple[Rule, ...], phase: Phase
) -> RuleStep:
    """Return a step whose class has these rules, counted on the rows that reach them."""
    earlier = tuple(rule for rule in step.rules if rule.target != step.target)
    counted = (*earlier, *task.counted(rules))
    default = default_class(counted, task.rows)
    return replace(step, phase=phase, rules=counted, default=default)
