"""Questions about rule learning: which condition is added, when a rule is done, what comes back."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.classification.class_questions import first_of
from dmlib.classification.rule_learning.conditions import Rule as LearnedRule
from dmlib.classification.rule_learning.learner import RuleLearner, RuleStep
from dmlib.classification.rule_learning.one_rule import OneRule
from dmlib.classification.rule_learning.prism import PRISM
from dmlib.classification.rule_learning.ripper import RIPPER
from dmlib.classification.rule_learning.search import Candidates
from dmlib.classification.rule_learning.tree_rules import C45Rules
from dmlib.classification.rule_learning.tree_rules_questions import questions_of_tree_rules
from dmlib.classification.rule_learning.words import Words
from dmlib.pictures.answers import MAX_OPTIONS, Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4
from dmlib.problem import Problem

NEXT = {
    "grow": "a condition is added to the rule",
    "prune": "the rule is pruned",
    "rule": "the rule is done, and its rows are removed",
    "reject": "the rule is rejected",
    "class": "the next class begins",
}
OF_PRISM = ("grow", "rule", "class")
TOLERANCE = 0.005


class Rule(Misconception):
    """Wrong rules of rule learning."""

    COVERAGE = "The condition that leaves the most rows of the class is added."
    DIFFERENCE = "The condition with the largest surplus of right over wrong rows is added."
    RECALL = "Conditions are compared by the fraction of the rows of the class that they leave."
    MAJORITY = "A rule is done as soon as most of the rows that it covers have its class."
    ONE_RULE = "Each class gets one rule."
    GONE = "Rows that were removed for one class are still gone for the next."


def questions(run: Run[Problem, RuleLearner]) -> Iterator[Question]:
    """Yield the questions that the learning of rules answers.

    Parameters
    ----------
    run : Run
        Steps of one of the rule learners.

    Yields
    ------
    Question
        Before conditions, finished rules, classes and columns.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.classification import PRISM
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "c": list("xxyy")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> [question.topic for question in questions(Run.of(problem, PRISM()))]
    ['next', 'condition', 'precision', 'next', 'back', 'next', 'condition', 'precision', 'next']
    """
    if run.trace.complete:
        yield from first_of(_of_steps(run))


def _of_steps(run: Run[Problem, RuleLearner]) -> Iterator[Question]:
    steps, words = run.trace.steps, Words(run.problem, run.fitted.classes_)
    if isinstance(run.model, C45Rules):
        yield from questions_of_tree_rules(run, run.model, words)
        return
    for number in range(1, len(steps)):
        step, before = steps[number], steps[number - 1]
        if step.phase == "column":
            yield _column(run, number, step, words)
            continue
        if step.phase == "class" and isinstance(run.model, PRISM):
            yield _back(number, step, words)
        elif step.phase in NEXT and not isinstance(run.model, RIPPER):
            yield from _next(run, number, step, before, words)
        if step.phase == "grow":
            yield from _condition(run, number, step, words)
        elif step.phase == "prune":
            yield _value(run, number, step, words)
        elif step.phase == "choose":
            yield from _variant(number, step)


def _next(
    run: Run[Problem, RuleLearner], number: int, step: RuleStep, before: RuleStep, words: Words
) -> Iterator[Question]:
    phases = OF_PRISM if isinstance(run.model, PRISM) else tuple(NEXT)
    if step.phase not in phases:
        return
    options = [NEXT[phase] for phase in phases]
    wrong = []
    name = words.classes[before.target]
    if before.phase == "grow" and before.rule is not None:
        p, t = before.rule.n_right, before.rule.n_covered
        prompt = f"The rule is right for {p} of the {t} rows that it covers: what comes next?"
        proof = f"{p} of {t} is {'all' if p == t else 'not all'}, so {NEXT[step.phase]}."
        if p > t / 2:
            wrong.append(Wrong(Rule.MAJORITY, phases.index("rule")))
    else:
        left = _n_left(run, before)
        rows = count(left, f"row of {name} is", f"rows of {name} are")
        prompt = f"After this step, {rows} not covered: what comes next?"
        proof = f"{rows} left, so {NEXT[step.phase]}."
        if before.phase == "rule":
            wrong.append(Wrong(Rule.ONE_RULE, phases.index("class")))
    yield Question(
        number,
        "next",
        prompt,
        Option(options, [phases.index(step.phase)]),
        proof,
        wrong,
        "A rule grows until it makes no error; a class gets rules until its rows are covered.",
    )


def _n_left(run: Run[Problem, RuleLearner], step: RuleStep) -> int:
    """Return how many rows of the class of a step are not removed."""
    y = np.asarray(run.problem.training.y)
    return int((y[step.active] == run.fitted.classes_[step.target]).sum())


def _condition(
    run: Run[Problem, RuleLearner], number: int, step: RuleStep, words: Words
) -> Iterator[Question]:
    ranked, before = step.candidates, step.before
    if ranked is None or before is None or len(ranked.scores) < 2:
        return
    p, t = ranked.right, ranked.covered
    is_best = (ranked.scores == ranked.scores[step.chosen]) & (p == p[step.chosen])
    right = np.flatnonzero(is_best).tolist()
    rivals = {
        Rule.COVERAGE: int(np.lexsort((ranked.scores, -p))[0]),
        Rule.DIFFERENCE: int(np.lexsort((ranked.scores, t - 2 * p))[0]),
    }
    order = np.lexsort((-p, -ranked.scores)).tolist()
    places = list(dict.fromkeys([*right, *rivals.values(), *order]))[:MAX_OPTIONS]
    listed = sorted(places)
    texts = [_counted(ranked, i, words) for i in listed]
    if len(right) < MAX_OPTIONS and len(set(texts)) == len(texts) > 1:
        yield _of_options(
            run,
            number,
            before,
            texts,
            [listed.index(i) for i in right],
            {rule: listed.index(i) for rule, i in rivals.items() if i in listed},
            words,
            _proof(run, ranked, step, words),
        )
    if isinstance(run.model, PRISM):
        yield _precision(number, step, before, words)


def _of_options(
    run: Run[Problem, RuleLearner],
    number: int,
    before: LearnedRule,
    texts: list[str],
    right: list[int],
    rivals: dict[Rule, int],
    words: Words,
    proof: str,
) -> Question:
    start = f"To “{words.rule(before)}”" if before.conditions else "To a rule without conditions"
    is_prism = isinstance(run.model, PRISM)
    hint = "Divide the right rows by all rows that the condition leaves."
    if not is_prism:
        hint = "The gain counts the right rows, times the bits by which each becomes more certain."
    return Question(
        number,
        "condition",
        f"{start} a condition is added: which one (right rows of all that it leaves)?",
        Option(texts, right),
        proof,
        [Wrong(rule, place) for rule, place in rivals.items()],
        hint,
        tie="These conditions are equally good." if len(right) > 1 else "",
    )


def _counted(ranked: Candidates, i: int, words: Words) -> str:
    return f"{words.condition(ranked.conditions[i])} ({ranked.right[i]} of {ranked.covered[i]})"


def _proof(run: Run[Problem, RuleLearner], ranked: Candidates, step: RuleStep, words: Words) -> str:
    score = num4(ranked.scores[step.chosen])
    p, t = int(ranked.right[step.chosen]), int(ranked.covered[step.chosen])
    measure = f"p/t = {p}/{t} = {score}" if isinstance(run.model, PRISM) else f"gain = {score}"
    text = words.condition(ranked.conditions[step.chosen])
    return f"{text} has {measure}, and none has more."


def _precision(number: int, step: RuleStep, before: LearnedRule, words: Words) -> Question:
    ranked = step.candidates
    assert ranked is not None
    p, t = ranked.right, ranked.covered
    is_clear = (p > 0) & (p < t)
    i = int(np.argmax(np.where(is_clear, ranked.scores, -1.0))) if is_clear.any() else step.chosen
    name = words.classes[before.target]
    return Question(
        number,
        "precision",
        f"Of the {before.n_covered} rows that the rule covers, {before.n_right} are {name}. "
        f"With {words.condition(ranked.conditions[i])} it would cover {t[i]}, of which {p[i]} are "
        f"{name}: by which number is the condition compared with the others?",
        Value(float(p[i] / t[i]), TOLERANCE),
        f"p/t = {p[i]}/{t[i]} = {num4(p[i] / t[i])}.",
        (
            Wrong(Rule.RECALL, float(p[i] / before.n_right)),
            Wrong(Rule.DIFFERENCE, float(2 * p[i] - t[i])),
            Wrong(Rule.COVERAGE, float(p[i])),
        ),
        "It says how pure the rows are that the condition leaves.",
    )


def _back(number: int, step: RuleStep, words: Words) -> Question:
    n, name = len(step.active), words.classes[step.target]
    covered = sum(rule.n_covered for rule in step.rules)
    return Question(
        number,
        "back",
        f"The rules of {words.classes[step.target - 1]} are done. From how many rows are the rules "
        f"for {name} learned?",
        Value(float(n)),
        f"All {n} rows are back: those of other classes must not be covered by the new rules.",
        (Wrong(Rule.GONE, float(n - min(covered, n))),),
        "The rows of the class before are now examples of what the rules must not cover.",
    )


def _value(run: Run[Problem, RuleLearner], number: int, step: RuleStep, words: Words) -> Question:
    whole_rule = step.prunings[0]
    p, n = whole_rule.n_right, whole_rule.n_covered - whole_rule.n_right
    is_pruning = step.active & ~step.growing
    is_target = run.problem.training.y == run.fitted.classes_[step.target]
    P, N = int((is_pruning & is_target).sum()), int((is_pruning & ~is_target).sum())
    proof = f"(p + N − n) / (P + N) = ({p} + {N} − {n}) / {P + N}"
    if isinstance(run.model, RIPPER):
        proof = f"(p − n) / (p + n) = ({p} − {n}) / {p + n}" if p + n else "No row is covered"
    return Question(
        number,
        "value",
        f"The pruning set has P = {P} rows of {words.classes[step.target]} and N = {N} others; the "
        f"whole rule covers p = {p} and n = {n} of them. What is its value?",
        Value(float(whole_rule.value), TOLERANCE),
        f"{proof} = {num4(whole_rule.value)}.",
        (Wrong(Rule.RECALL, p / max(P, 1)),),
        "Right are the rows of the class that it covers, and the others that it does not cover.",
    )


def _variant(number: int, step: RuleStep) -> Iterator[Question]:
    totals = np.array([each.length.total for each in step.variants])
    right = np.flatnonzero(totals == totals.min()).tolist()
    texts = [
        f"{each.kind} ({num4(each.length.theory)} + {num4(each.length.exceptions)} bits)"
        for each in step.variants
    ]
    if len(set(texts)) < len(texts):
        return
    yield Question(
        number,
        "variant",
        "Which variant of the rule stays (bits of the rules + bits of the exceptions)?",
        Option(texts, right),
        f"The {step.variants[step.chosen].kind} has the fewest bits, {num4(totals.min())}.",
        hint="Rules and the rows that they misclassify are described together.",
    )


def _column(run: Run[Problem, RuleLearner], number: int, step: RuleStep, words: Words) -> Question:
    model = run.model
    assert isinstance(model, OneRule)
    name = run.problem.features[step.column]
    counts = ", ".join(f"{rule.n_right} of {rule.n_covered}" for rule in step.rules[:8])
    more = ", …" if len(step.rules) > 8 else ""
    return Question(
        number,
        "column",
        f"The next column is {name}; the most frequent class of its values has {counts}{more} "
        "rows. How many rows do its rules misclassify?",
        Value(float(step.errors[-1])),
        f"All rows that have another class than the rule of their value: {step.errors[-1]}.",
        hint="Each rule misclassifies the rows that do not have its class.",
    )
