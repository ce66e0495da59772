"""Questions about a genetic search: a child, the next best set, how often nothing mutates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dmlib.feature_selection.genetic_ledger import best_child
from dmlib.feature_selection.genetic_search import crossed
from dmlib.feature_selection.scores import Score, goodness
from dmlib.feature_selection.search import Child, SearchStep, is_above
from dmlib.feature_selection.search_questions import set_answer, set_name
from dmlib.feature_selection.subset_search import SCORES
from dmlib.pictures.answers import Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4, upper_first
from dmlib.problem import Problem


class GeneticRule(Misconception):
    """Wrong rules of a genetic search."""

    SWAPPED = "The columns before the cut are those of the second parent."
    UNION = "A child has all columns of both parents."
    REPLACED = "Children take the place of all sets, the best one included."
    KEPT = "The best set stays the best, whatever its children are."
    ADDED = "The probability that no column mutates is 1 less the sum of theirs."


def genetic_questions(
    run: Run[Problem, Any], number: int, step: SearchStep, before: SearchStep
) -> Iterator[Question]:
    """Yield the questions that a generation answers.

    Parameters
    ----------
    run : Run
        Steps of a genetic search.
    number : int
        The number of the step.
    step, before : SearchStep
        The step, and the one that is shown while it is asked.

    Yields
    ------
    Question
        Before each generation.
    """
    if step.phase == "done":
        return
    features = run.problem.features
    telling = [child for child in step.children if _is_telling(child)]
    if telling:
        yield _crossover(run, number, telling[0])
    training = run.problem.training
    score: Any = run.once("score", lambda: run.model.scorer(training.X, training.y))
    score.remember(step.candidates, step.values)
    yield from _survivor(run, number, step, before, score)
    if number == 1:
        yield _untouched(number, len(features), run.model.mutation)


def _is_telling(child: Child) -> bool:
    """Return whether a child, before it mutates, is neither a parent nor all their columns."""
    first, second = child.parents
    start = crossed(first, second, child.cut)
    union = tuple(sorted({*first, *second}))
    return start not in (first, second, union, crossed(second, first, child.cut))


def _crossover(run: Run[Problem, Any], number: int, child: Child) -> Question:
    features = run.problem.features
    first, second = child.parents
    start, swapped = crossed(first, second, child.cut), crossed(second, first, child.cut)
    union = tuple(sorted({*first, *second}))
    choices = list(dict.fromkeys([start, swapped, union, first, second]))
    answer, code = set_answer(features, choices, [start])
    before, after = (
        set_name(features, tuple(j for j in start if (j < child.cut) is is_before))
        for is_before in (True, False)
    )
    return Question(
        number,
        "child",
        f"{upper_first(set_name(features, first))} and {set_name(features, second)} are crossed"
        f" after {features[child.cut - 1]}, in the order {', '.join(features)}: which set is their"
        " child before it mutates?",
        answer,
        f"Up to {features[child.cut - 1]} the first parent gives {before}, after it the second"
        f" gives {after}.",
        (Wrong(GeneticRule.SWAPPED, code(swapped)), Wrong(GeneticRule.UNION, code(union))),
        "Read the order of the columns from left to right, and change the parent at the cut.",
        hides=("Texts",) if run.options.get("all", True) else (),
    )


def _survivor(
    run: Run[Problem, Any], number: int, step: SearchStep, before: SearchStep, score: Score
) -> Iterator[Question]:
    """Ask which set is the best of the next generation."""
    child = best_child(score, step).subset
    value = score(child)
    goods = [goodness(score, each) for each in (before.value, value)]
    if child == before.subset or not (is_above(*goods) or is_above(*reversed(goods))):
        return
    is_better = is_above(goods[1], goods[0])
    features, name = run.problem.features, SCORES.get(getattr(run.model, "scoring", ""), "score")
    names = [set_name(features, each) for each in (before.subset, child)]
    yield Question(
        number,
        "best set",
        f"{upper_first(names[0])} is the best with {name} {num4(before.value)}; of its next"
        f" {count(len(step.children), 'child', 'children')} {names[1]} is the best with"
        f" {num4(value)}: which is the best set of the next generation?",
        Option(names, [int(is_better)]),
        f"{upper_first(names[1])} is better."
        if is_better
        else f"The best set stays in the population, and {names[1]} is worse.",
        (Wrong(GeneticRule.KEPT if is_better else GeneticRule.REPLACED, int(not is_better)),),
        "The best set and its children make the next population.",
    )


def _untouched(number: int, p: int, mutation: float | None) -> Question:
    """Return the question how likely no column of a child mutates."""
    rate = 1 / p if mutation is None else mutation
    chance = (1 - rate) ** p
    return Question(
        number,
        "no mutation",
        f"Each of {count(p, 'column', 'columns')} of a child mutates with probability"
        f" {num4(rate)}: with which probability does none?",
        Value(chance, 0.01),
        f"(1 − {num4(rate)}) to the power of {p} is {num4(chance)}.",
        (Wrong(GeneticRule.ADDED, max(1 - p * rate, 0.0)),),
        "The columns mutate independently of each other.",
    )
