"""Questions about searches: the next set, how many are compared, a score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import Any

import numpy as np

from dmlib.feature_selection.scores import LeastSquaresScore, Score, Subset, goodness
from dmlib.feature_selection.search import SearchStep, is_above
from dmlib.feature_selection.subset_search import SCORES
from dmlib.feature_selection.walk import all_sets
from dmlib.pictures.answers import Answer, Option, Pick, Value
from dmlib.pictures.ledger import abridged
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4
from dmlib.problem import Problem

MAX_IN_LATTICE = 6  # columns up to which all sets are in the picture
MAX_CHOICES = 6  # sets whose scores stand in a question
MAX_OPTIONS = 5


class Rule(Misconception):
    """Wrong rules of feature selection."""

    ALONE = "Each candidate is judged alone, whatever is in the set."
    FIT = "A column joins as long as the SSE falls."
    EXHAUSTIVE = "Each step compares all sets of the next size."
    INTERCEPT = "The intercept is not counted as a parameter."


def search_questions(
    run: Run[Problem, Any], number: int, step: SearchStep, before: SearchStep
) -> Iterator[Question]:
    """Yield the questions that a step of a search answers."""
    training = run.problem.training
    score: Any = run.once("score", lambda: run.model.scorer(training.X, training.y))
    score.remember(step.candidates, step.values)
    is_local = run.model.search == "local"
    has_choice = 1 < len(step.candidates) < MAX_CHOICES and not is_local
    if has_choice and not (step.phase == "done" and run.model.n_features_to_select):
        yield _next_set(run, number, step, before, score)
    if not is_local:
        yield _sets_compared(run, number, step, before)
    elif run.model.n_features_to_select is None:
        yield _sets_nearby(run, number, step)
    if isinstance(score, LeastSquaresScore) and score.name in ("aic", "bic"):
        yield from _criterion(run, number, step, score)


def _next_set(
    run: Run[Problem, Any], number: int, step: SearchStep, before: SearchStep, score: Score
) -> Question:
    name = SCORES[score.name].replace("Cross", "cross").replace("Adj", "adj")
    values = [goodness(score, value) for value in step.values]
    equal = [
        each
        for each, value in zip(step.candidates, values, strict=True)
        if step.phase != "done" and not is_above(max(values), value)
    ]
    right = [step.subset, *(each for each in equal if each != step.subset)]
    choices = [before.subset, *step.candidates]
    answer, code = set_answer(run.problem.features, choices, right)
    measures, measure = {each: score(each) for each in choices}, name
    if isinstance(score, LeastSquaresScore) and score.name != "cv":
        measures, measure = {each: score.sse(each) for each in choices}, "SSE"
    changes = ", ".join(
        f"{num4(measures[each])} {_change(run.problem.features, before.subset, each)}"
        for each in step.candidates
    )
    wrong = [Wrong(Rule.ALONE, code(_judged_alone(score, before.subset, step.candidates)))]
    if measure == "SSE":
        best_fit = min(step.candidates, key=lambda each: measures[each])
        wrong.insert(0, Wrong(Rule.FIT, code(best_fit)))
    return Question(
        number,
        "next set",
        f"The {measure} is {num4(measures[before.subset])} now, and {changes}: which set does the"
        f" search by {name} have after this step?",
        answer,
        _comparison(run, step, before, name),
        wrong,
        "If no neighbour has a better score than the present set, the search ends with it.",
        "Several sets have the best score." if len(right) > 1 else "",
        hides=("Texts",) if run.options.get("all", True) else (),
    )


def _comparison(run: Run[Problem, Any], step: SearchStep, before: SearchStep, name: str) -> str:
    """Return the scores that decide, in words."""
    features = run.problem.features
    pairs = zip(step.candidates, step.values, strict=True)
    listing = ", ".join(f"{set_name(features, each)} {num4(value)}" for each, value in pairs)
    if step.phase == "done":
        return (
            f"{set_name(features, before.subset)} has {name} {num4(before.value)}, and no neighbour"
            f" is better: {listing}."
        )
    return (
        f"The values of {name} are: {listing}; before it was {num4(before.value)}, so"
        f" {set_name(features, step.subset)} is the best."
    )


def _judged_alone(score: Score, subset: Subset, candidates: Sequence[Subset]) -> Subset:
    """Return the candidate with the best column by itself, or without the worst."""

    def column_goodness(each: Subset) -> float:
        (column,) = set(each) ^ set(subset)
        value = goodness(score, score((column,)))
        return value if len(each) > len(subset) else -value

    return max(candidates, key=column_goodness)


def set_answer(
    features: Sequence[str], choices: Sequence[Subset], right: Sequence[Subset]
) -> tuple[Answer, Any]:
    """Return the answer that is one of some sets, and what turns a set into such an answer.

    Sets of few columns are in the picture.
    """
    if len(features) <= MAX_IN_LATTICE:
        numbers = {subset: i for i, subset in enumerate(all_sets(len(features)), 1)}
        among = sorted(numbers[each] for each in choices)
        names = {numbers[each]: set_name(features, each) for each in choices}
        answer: Answer = Pick("set", [[numbers[each]] for each in right], among=among, names=names)
        return answer, lambda subset: [numbers[subset]]
    options = sorted([*choices[:MAX_OPTIONS], *right[:1]])
    options = list(dict.fromkeys(options))[:MAX_OPTIONS]
    if right[0] not in options:
        options[-1] = right[0]
    places = {each: i for i, each in enumerate(options)}
    texts = [set_name(features, each) for each in options]
    answer = Option(texts, [places[each] for each in right if each in places])
    return answer, lambda subset: places.get(subset, places[right[0]])


def _sets_compared(
    run: Run[Problem, Any], number: int, step: SearchStep, before: SearchStep
) -> Question:
    p, k = len(run.problem.features), len(before.subset)
    n = len(step.candidates)
    size = len(step.candidates[0])
    verb = "added" if size > k else "removed"
    return Question(
        number,
        "sets compared",
        f"The set has {count(k, 'column', 'columns')} of {p}: how many sets are compared in this"
        " step?",
        Value(n),
        f"One column is {verb}, and {n} can be: {count(n, 'set', 'sets')}."
        if all(len(each) == size for each in step.candidates)
        else f"Each of {n} columns is added to the set or removed from it.",
        (Wrong(Rule.EXHAUSTIVE, comb(p, size), f"There are {comb(p, size)} sets of {size}."),),
        "The search moves from the present set to a neighbour.",
    )


def _sets_nearby(run: Run[Problem, Any], number: int, step: SearchStep) -> Question:
    """Return the question how many sets a local search compares."""
    p, n = len(run.problem.features), len(step.candidates)
    r = min(run.model.n_changes, p)
    ways = [f"{comb(p, i)} with {count(i, 'change', 'changes')}" for i in range(1, r + 1)]
    return Question(
        number,
        "sets compared",
        f"Up to {r} of {count(p, 'column', 'columns')} may change at once: how many sets are"
        " compared in this step?",
        Value(n),
        f"There are {abridged(ways, MAX_CHOICES)} = {n} sets.",
        (),
        "Add the numbers of ways to choose the columns that change.",
    )


def _criterion(
    run: Run[Problem, Any], number: int, step: SearchStep, score: LeastSquaresScore
) -> Iterator[Question]:
    if not np.isfinite(step.values[0]):
        return
    subset, value = step.candidates[0], float(step.values[0])
    k, n, sse, name = len(subset), score.n, num4(score.sse(subset)), score.name.upper()
    weight = 2.0 if score.name == "aic" else float(np.log(n))
    factor = "2" if score.name == "aic" else f"ln {n}"
    yield Question(
        number,
        "score of a set",
        f"{set_name(run.problem.features, subset)} fits the {n} rows with SSE {sse}: what is its"
        f" {name}?",
        Value(value, max(0.01 * abs(value), 0.05)),
        f"{count(k, 'column', 'columns')} and the intercept are {k + 1} parameters: {n} ·"
        f" ln({sse} / {n}) + {factor} · {k + 1} = {num4(value)}.",
        (Wrong(Rule.INTERCEPT, value - weight),),
        f"{name} is n ln(SSE / n) plus {factor} for each parameter.",
    )


def set_name(features: Sequence[str], subset: Subset) -> str:
    """Return what a set of columns is called.

    Examples
    --------
    >>> set_name(["a", "b"], (1,)), set_name(["a", "b"], ())
    ('{b}', 'the empty set')
    """
    return "{" + ", ".join(features[j] for j in subset) + "}" if subset else "the empty set"


def _change(features: Sequence[str], subset: Subset, candidate: Subset) -> str:
    (column,) = set(subset) ^ set(candidate)
    return f"{'with' if len(candidate) > len(subset) else 'without'} {features[column]}"
