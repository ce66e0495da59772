"""Questions about association rules: which are confident, where they are, lift, and pruning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.association.association_rules.generation import ROUNDING, RuleStep
from dmlib.association.itemsets import braces
from dmlib.pictures.answers import Option, Pick, Place, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.words import num4
from dmlib.problem import BasketsProblem

MAX_STEPS = 40  # about which questions are asked
MAX_CONSEQUENTS = 6  # that are picked by name
UP = Axis("confidence", 0.0, 1.05)


class Rule(Misconception):
    """Wrong rules about association rules."""

    CONSEQUENT = "The confidence divides by the number of baskets with the consequent."
    SUPPORT = "The confidence divides by the number of all baskets."
    SYMMETRIC = "If A → B is a rule, then B → A is one too."
    STRICT = "The confidence of a rule must be above the minimum."
    ALL_TESTED = "All larger consequents are tested, whatever the smaller ones were."
    ANTECEDENT = "The lift divides the confidence by the support of the antecedent."
    MOST_CONFIDENT = "The rule with the highest confidence has the highest lift."


def questions(run: Run[BasketsProblem, Any]) -> Iterator[Question]:
    """Yield the questions that the generation of rules answers.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.association.AssociationRules` or
        :class:`dmlib.association.MultipleSupportApriori` on baskets.

    Yields
    ------
    Question
        Before the tests of the item sets, before larger consequents are joined, and at the end.

    Examples
    --------
    >>> from dmlib.association import AssociationRules
    >>> from dmlib.problem import prepare_baskets
    >>> problem = prepare_baskets([{"tea", "milk"}, {"tea"}, {"tea", "milk", "jam"}])
    >>> [question.topic for question in questions(Run.of(problem, AssociationRules(0.5)))]
    ['confidence']
    """
    steps = run.trace.steps
    if not steps or steps[-1].phase != "done":
        return
    author = _Author(run)
    n_steps = 0
    for number in range(1, len(steps)):
        step = steps[number]
        if step.phase == "done":
            yield from author.best(number)
        elif isinstance(step, RuleStep) and n_steps < MAX_STEPS:
            n_steps += 1
            yield from author.itemset(number, step)


class _Author:
    """Questions about the rules of one run."""

    def __init__(self, run: Run[BasketsProblem, Any]) -> None:
        self.run, self.n = run, len(run.problem.matrix)
        self.steps: Sequence[Any] = run.trace.steps
        tests = [step for step in self.steps if isinstance(step, RuleStep)]
        top = max((step.count / self.n for step in tests), default=0.0)
        self.panel = Panel("data", Axis("support", 0.0, min(1.1, 1.2 * top)), UP)
        self.minimum = float(run.model.min_confidence)

    def _name(self, items: Iterable[int]) -> str:
        return braces(self.run.problem.items, items)

    def _antecedent(self, step: RuleStep, at: int) -> list[int]:
        consequent = step.consequents[at].tolist()
        return [item for item in step.itemset if item not in consequent]

    def _text(self, step: RuleStep, at: int) -> str:
        consequent = self._name(step.consequents[at].tolist())
        return f"{self._name(self._antecedent(step, at))} → {consequent}"

    def _first(self, number: int) -> int:
        """Return the number of the first rule of a step, as the marks have it."""
        step = self.steps[number]
        return int(step.n_tested) - len(step.consequents) + 1

    def itemset(self, number: int, step: RuleStep) -> Iterator[Question]:
        """Ask about the consequents of one size of an item set."""
        n = len(step.consequents)
        if step.phase == "join":
            yield from self._join(number, step)
        elif 0 < n <= MAX_CONSEQUENTS:
            kinds = (self._confident, self._place, self._lift)
            yield kinds[(number - 1) % 3 if n == 2 else 0](number, step)

    def _confident(self, number: int, step: RuleStep) -> Question:
        n, counts = len(step.consequents), step.antecedent_counts
        first = self._first(number)

        def numbers(flags: NDArray[np.bool_]) -> list[int]:
            return [first + at for at in np.flatnonzero(flags).tolist()]

        confidence = step.count / counts
        reverse = step.count / step.consequent_counts
        wrong = [
            Wrong(Rule.CONSEQUENT, numbers(reverse >= self.minimum - ROUNDING)),
            Wrong(Rule.SUPPORT, numbers(np.full(n, step.count / self.n >= self.minimum))),
            Wrong(Rule.STRICT, numbers(confidence > self.minimum + ROUNDING)),
        ]
        if n == 2 and step.confident.any():
            wrong.insert(0, Wrong(Rule.SYMMETRIC, numbers(np.ones(2, bool))))
        sets = {self._name(step.consequents[at]): step.consequent_counts[at] for at in range(n)}
        sets |= {self._name(self._antecedent(step, at)): counts[at] for at in range(n)}
        listing = ", ".join(f"{name} in {int(k)}" for name, k in sets.items())
        proof = ", ".join(
            f"{self._text(step, at)}: {int(step.count)} / {int(counts[at])} ="
            f" {num4(confidence[at])}"
            for at in range(n)
        )
        return Question(
            number,
            "confidence",
            f"Of {self.n} baskets, {self._name(step.itemset)} is in {int(step.count)}, {listing}."
            f" Which of its rules have a confidence of at least {num4(self.minimum)}?",
            Pick(
                "rule",
                [numbers(step.confident)],
                among=[first + at for at in range(n)],
                several=True,
                names={first + at: self._text(step, at) for at in range(n)},
            ),
            f"{proof}.",
            wrong,
            "Of the baskets with the antecedent, how many hold the consequent too?",
        )

    def _counts(self, step: RuleStep) -> str:
        """Return the counts of the first rule of a step, as a sentence."""
        a, b = self._name(self._antecedent(step, 0)), self._name(step.consequents[0])
        return (
            f"Of {self.n} baskets, {int(step.antecedent_counts[0])} hold {a},"
            f" {int(step.consequent_counts[0])} hold {b} and {int(step.count)} both."
        )

    def _place(self, number: int, step: RuleStep) -> Question:
        joint, a, b = step.count, step.antecedent_counts[0], step.consequent_counts[0]
        support = float(joint / self.n)
        return Question(
            number,
            "place",
            f"{self._counts(step)} Where is the point of {self._text(step, 0)}?",
            Place(self.panel, [(support, float(joint / a))]),
            f"Its support is {int(joint)} / {self.n} = {num4(support)}, its confidence"
            f" {int(joint)} / {int(a)} = {num4(joint / a)}.",
            (
                Wrong(Rule.CONSEQUENT, (support, float(joint / b))),
                Wrong(Rule.SUPPORT, (support, support)),
            ),
            "Support and confidence have the same numerator: what do they divide by?",
        )

    def _lift(self, number: int, step: RuleStep) -> Question:
        joint, a, b = step.count, step.antecedent_counts[0], step.consequent_counts[0]
        confidence = joint / a
        lift = float(confidence * self.n / b)
        return Question(
            number,
            "lift",
            f"{self._counts(step)} What is the lift of {self._text(step, 0)}?",
            Value(lift, 0.01 * lift),
            f"The confidence is {int(joint)} / {int(a)} = {num4(confidence)}, the support of the"
            f" consequent {int(b)} / {self.n} = {num4(b / self.n)}:"
            f" {num4(confidence)} / {num4(b / self.n)} = {num4(lift)}.",
            (
                Wrong(Rule.ANTECEDENT, float(confidence * self.n / a)),
                Wrong(Rule.SUPPORT, float(joint / b), "This leaves the antecedent out."),
            ),
            "How many times more often is the consequent in baskets with the antecedent than in"
            " all?",
        )

    def _join(self, number: int, step: RuleStep) -> Iterator[Question]:
        size = step.consequents.shape[1]
        before = self.steps[number - 1]
        sets = list(combinations(step.itemset, size))
        if not isinstance(before, RuleStep) or not 1 < len(sets) <= MAX_CONSEQUENTS:
            return
        tested = {tuple(items) for items in step.consequents.tolist()}
        failed = [self._name(items) for items in before.consequents[~before.confident]]
        reason = f"{', '.join(failed)} failed, so no consequent with it is tested"
        if not failed:
            reason = "All smaller consequents have enough confidence"
        confident = [self._name(items) for items in before.consequents[before.confident]]
        yield Question(
            number,
            "consequents",
            f"Of the consequents of {self._name(step.itemset)}, {', '.join(confident) or 'none'}"
            f" had enough confidence. Which of {size} items are tested now?",
            Pick(
                "consequent",
                [[i for i, items in enumerate(sets) if items in tested]],
                among=range(len(sets)),
                several=True,
                names={i: self._name(items) for i, items in enumerate(sets)},
            ),
            f"{reason}: a larger consequent has at most the confidence of a smaller one.",
            (Wrong(Rule.ALL_TESTED, list(range(len(sets)))),),
            "Can the confidence rise if an item moves from the antecedent to the consequent?",
        )

    def best(self, number: int) -> Iterator[Question]:
        """Ask which of some rules has the highest lift."""
        rules = self._compared()
        lifts = [lift for _, _, lift in rules]
        right = [i for i, lift in enumerate(lifts) if np.isclose(lift, max(lifts))]
        if len(rules) < 3 or len(right) == len(rules):
            return
        confidences = [confidence for _, confidence, _ in rules]
        highest = [i for i, c in enumerate(confidences) if np.isclose(c, max(confidences))]
        listing = ", ".join(
            f"{num4(confidence)} / {num4(confidence / lift)} = {num4(lift)}"
            for _, confidence, lift in rules
        )
        yield Question(
            number,
            "highest lift",
            "Which of these rules has the highest lift?",
            Option([text for text, _, _ in rules], right),
            f"Confidence divided by the support of the consequent: {listing}.",
            [Wrong(Rule.MOST_CONFIDENT, highest[0])] if len(highest) == 1 else (),
            f"All are of {self.n} baskets; how frequent is the consequent without the antecedent?",
            "Several of them have the same lift." if len(right) > 1 else "",
        )

    def _compared(self) -> list[tuple[str, float, float]]:
        """Return some rules of different lift and confidence, in the order of their tests."""
        rules = list(self._rules())
        if not rules:
            return []
        confident = max(rules, key=lambda rule: (round(rule[1], 9), -rule[2]))
        surprising = [
            rule
            for rule in rules
            if rule[1] < confident[1] - 1e-9 and rule[2] > confident[2] + 1e-9
        ]
        best = max(surprising or rules, key=lambda rule: rule[2])
        others = [rule for rule in rules if rule[1] < confident[1] and rule[2] < best[2]]
        chosen = {confident, best, *others[:: max(1, len(others) // 2)][:2]}
        return [rule for rule in rules if rule in chosen]

    def _rules(self) -> Iterator[tuple[str, float, float]]:
        """Yield the text, the confidence and the lift of each rule that passes."""
        for step in self.steps:
            if not isinstance(step, RuleStep):
                continue
            for at in np.flatnonzero(step.confident).tolist():
                a, b = step.antecedent_counts[at], step.consequent_counts[at]
                consequent = self._name(step.consequents[at])
                text = (
                    f"{self._text(step, at)}: {int(step.count)} of {int(a)} baskets;"
                    f" {consequent} is in {int(b)} of all"
                )
                yield text, float(step.count / a), float(step.count / a * self.n / b)
