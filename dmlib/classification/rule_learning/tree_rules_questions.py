"""Questions about rules of a tree: the condition that is dropped, rules that stay, classes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.classification.rule_learning.learner import RuleLearner, RuleStep
from dmlib.classification.rule_learning.search import DIGITS
from dmlib.classification.rule_learning.simplification import pessimistic_error
from dmlib.classification.rule_learning.tree_rules import C45Rules, of_class
from dmlib.classification.rule_learning.words import Words
from dmlib.pictures.answers import MAX_OPTIONS, Option
from dmlib.pictures.question import Question
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem


def questions_of_tree_rules(
    run: Run[Problem, RuleLearner], model: C45Rules, words: Words
) -> Iterator[Question]:
    """Yield the questions that the steps of C4.5rules answer."""
    steps = run.trace.steps
    for number in range(1, len(steps)):
        step, before = steps[number], steps[number - 1]
        if step.phase in ("drop", "keep", "reject"):
            yield from _condition(model.confidence, number, step, before, words)
        elif step.phase == "select":
            yield from _selection(number, step)
        elif step.phase == "order":
            yield from _class(run, number, step, words)


def _condition(
    confidence: float, number: int, step: RuleStep, before: RuleStep, words: Words
) -> Iterator[Question]:
    tried, rule = step.candidates, before.rule
    if tried is None or rule is None or not 0 < len(tried.scores) < MAX_OPTIONS:
        return
    wrong = tried.covered - tried.right
    texts = [
        f"{words.condition(each)} ({wrong[i]} of {tried.covered[i]})"
        for i, each in enumerate(tried.conditions)
    ]
    e, t = rule.n_covered - rule.n_right, rule.n_covered
    error = num4(pessimistic_error(rule.n_right, t, confidence))
    smallest = tried.scores.min()
    right = np.flatnonzero(tried.scores == smallest).tolist()
    proof = f"Without it U is {num4(smallest)}, at most {error}, and without no other smaller."
    if step.phase != "drop":
        right = [len(texts)]
        proof = f"Without any condition U is {num4(smallest)} or more, above {error}."
    yield Question(
        number,
        "drop",
        f"“{words.rule(rule)}” is wrong for {e} of {t} rows. Which condition is dropped "
        "(wrong rows of all, without it)?",
        Option([*texts, "no condition"], right),
        proof,
        hint="The upper limit of the error rate U counts, and few rows make it large.",
        tie="Without each of these U is the same." if len(right) > 1 else "",
    )


def _selection(number: int, step: RuleStep) -> Iterator[Question]:
    totals = np.round([length.total for length in step.lengths], DIGITS)
    names = ["no rule", *(f"rule {i}" for i in range(1, len(totals)))]
    texts = [
        f"{name} ({num4(length.theory)} + {num4(length.exceptions)} bits)"
        for name, length in zip(names, step.lengths, strict=True)
    ]
    if len(texts) > MAX_OPTIONS:
        return
    right = np.flatnonzero(totals == totals.min()).tolist()
    yield Question(
        number,
        "select",
        "Which rule of the class is removed or returned (bits of the rules + bits of the "
        "exceptions after that)?",
        Option(texts, right),
        f"The shortest description has {num4(totals.min())} bits.",
        hint="Add the bits of the rules and those of the rows that they misclassify.",
        tie="These descriptions have the same length." if len(right) > 1 else "",
    )


def _class(
    run: Run[Problem, RuleLearner], number: int, step: RuleStep, words: Words
) -> Iterator[Question]:
    places = [code for code, errors in enumerate(step.errors) if errors >= 0]
    if not 1 < len(places) <= MAX_OPTIONS:
        return
    X, y = words.X, np.asarray(run.problem.training.y)
    texts, wrong = [], []
    for code in places:
        covers = [rule.covers(X) for rule in of_class(step, code)]
        covered = step.active & np.any(covers, axis=0)
        n_right = int((y[covered] == run.fitted.classes_[code]).sum())
        texts.append(f"{words.classes[code]} (right for {n_right} of {covered.sum()} rows)")
        wrong.append(step.errors[code])
    right = [i for i, errors in enumerate(wrong) if errors == min(wrong)]
    if len(right) == len(places):
        return
    yield Question(
        number,
        "order",
        "Which class is asked about next (rows that its rules cover, of those that no class "
        "before covers)?",
        Option(texts, right),
        f"{words.classes[step.target]} has {min(wrong)} false positives, and none has fewer.",
        hint="False positives are the rows of other classes that the rules cover.",
        tie="These classes have as few false positives." if len(right) > 1 else "",
    )
