"""Questions about simulated annealing: the chance of a worse set, what is done, the answer."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from typing import Any

from dmlib.feature_selection.scores import Subset
from dmlib.feature_selection.search import SearchStep
from dmlib.feature_selection.search_questions import set_answer, set_name
from dmlib.feature_selection.subset_search import SCORES
from dmlib.pictures.answers import Option, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem

MIN_CHANCE = 0.03  # that a worse set is accepted or not: others are not asked about
MAX_SETS = 4  # among which the answer is found


class AnnealingRule(Misconception):
    """Wrong rules of simulated annealing."""

    DESCENT = "Only a better set is accepted."
    WALK = "As long as the temperature is above 0, every proposal is accepted."
    SIGN = "The exponent is plus the loss divided by the temperature."
    CHANCE = "A better set too is accepted only by chance."
    LAST = "The set at which the search stops is the answer."


def annealing_questions(
    run: Run[Problem, Any], number: int, step: SearchStep, before: SearchStep
) -> Iterator[Question]:
    """Yield the questions that a proposal of simulated annealing answers, or its end.

    Parameters
    ----------
    run : Run
        Steps of a search by simulated annealing.
    number : int
        The number of the step.
    step, before : SearchStep
        The step, and the one that is shown while it is asked.

    Yields
    ------
    Question
        Before a proposal is accepted or rejected, and before the end.
    """
    if step.phase == "done":
        yield from _answer(run, number, step, before)
        return
    (proposal,), (value,) = step.candidates, step.values
    name, loss = set_name(run.problem.features, proposal), abs(value - before.value)
    heat, draw = num4(step.temperature), num4(step.draw)
    is_better = step.chance == 1
    score = (
        SCORES.get(getattr(run.model, "scoring", ""), "score")
        .replace("Cross", "cross")
        .replace("Adj", "adj")
    )
    situation = (
        f"The {score} is {num4(before.value)}, that of the proposal {name} is"
        f" {'better' if is_better else 'worse'}, {num4(value)}, and the temperature is {heat}"
    )
    prompt = f"{situation}; the number drawn from 0 to 1 is {draw}: what is done?"
    options = ["the proposal is accepted", "the set stays"]
    if is_better and step.temperature and step.draw >= exp(-loss / step.temperature):
        yield Question(
            number,
            "better proposal",
            prompt,
            Option(options, [0]),
            "What is no worse is accepted whatever number is drawn: its probability is 1.",
            (Wrong(AnnealingRule.CHANCE, 1),),
            "Chance decides about proposals of one kind only.",
        )
    if not MIN_CHANCE < step.chance < 1 - MIN_CHANCE:
        return
    chance = num4(step.chance)
    proof = f"exp(−{num4(loss)} / {heat}) = {chance}"
    if number % 2:  # one question about a step: its answer would give the other one away
        opposite = exp(min(loss / step.temperature, 50.0))
        yield Question(
            number,
            "probability",
            f"{situation}: with which probability is it accepted?",
            Value(step.chance, 0.01),
            f"It is worse by {num4(loss)}, and {proof}.",
            (
                Wrong(AnnealingRule.DESCENT, 0.0),
                Wrong(AnnealingRule.WALK, 1.0),
                Wrong(AnnealingRule.SIGN, opposite, f"A probability is not {num4(opposite)}."),
            ),
            "Metropolis' rule: the loss is divided by the temperature.",
        )
        return
    is_rejected = step.phase == "reject"
    rule = AnnealingRule.WALK if is_rejected else AnnealingRule.DESCENT
    yield Question(
        number,
        "proposal",
        prompt,
        Option(options, [int(is_rejected)]),
        f"The probability is {proof}, and {draw} is {'not below' if is_rejected else 'below'} it.",
        (Wrong(rule, int(not is_rejected)),),
        "Work out the probability, and compare the number with it.",
    )


def _answer(
    run: Run[Problem, Any], number: int, step: SearchStep, before: SearchStep
) -> Iterator[Question]:
    """Ask for the set that the search answers with, where it has left that set."""
    if step.subset == before.subset:
        return
    features = run.problem.features
    values: dict[Subset, float] = {}
    for each in reversed(run.trace.steps[:number]):
        values.setdefault(each.subset, each.value)
    visited = [each for each in values if each not in (step.subset, before.subset)]
    choices = sorted([step.subset, before.subset, *visited[: MAX_SETS - 2]])
    equal = [each for each in choices if each != step.subset and values[each] == step.value]
    answer, code = set_answer(features, choices, [step.subset, *equal])
    last, best = (f"{set_name(features, each)}" for each in (before.subset, step.subset))
    listing = ", ".join(f"{set_name(features, each)} {num4(values[each])}" for each in choices)
    yield Question(
        number,
        "answer",
        f"All proposals are made, and the set is {last}; among those seen are {listing}: which set"
        " is the answer?",
        answer,
        f"{best[0].upper()}{best[1:]} has the best score that was seen, {num4(step.value)};"
        f" {last} has {num4(before.value)}.",
        (Wrong(AnnealingRule.LAST, code(before.subset)),),
        "The search remembers more than the set it is at.",
        hides=("Texts",) if run.options.get("all", True) else (),
    )
