"""Questions about boosting: the error and the vote of a tree, the weights of rows, residuals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dmlib.arrays import Ints
from dmlib.classification.adaboost.adaboost_step import AdaBoostStep
from dmlib.classification.adaboost.algorithm import AdaBoostClassifier
from dmlib.classification.adaboost.gradient import GradientBoostingClassifier
from dmlib.classification.adaboost.gradient_step import GradientBoostingStep
from dmlib.classification.class_questions import best, first_of, is_optional, total
from dmlib.pictures.answers import Option, Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem

MAX_NAMED = 6  # misclassified rows in a prompt
MIN_VOTES = 3
MAX_VOTES = 8  # trees whose votes are added up by hand
TOLERANCE = 0.01


class Rule(Misconception):
    """Wrong rules of AdaBoost."""

    COUNT = "The error of a classifier is the fraction of the rows that it misclassifies."
    ACCURACY = "The vote of a classifier is the weight of the rows that it classifies correctly."
    EQUAL = "Every classifier has one vote."
    KEEP = "The weights of correctly classified rows stay."
    UNDIVIDED = "Weights are multiplied, and not divided by their sum afterwards."
    LARGEST = "The row that weighs most goes on weighing most."


def questions(
    run: Run[Problem, AdaBoostClassifier | GradientBoostingClassifier],
) -> Iterator[Question]:
    """Yield the questions that the rounds of boosting answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.AdaBoostClassifier` or
        :class:`dmlib.classification.GradientBoostingClassifier`.

    Yields
    ------
    Question
        Before each round.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "c": list("xxyyxx")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> run = Run.of(problem, AdaBoostClassifier(n_estimators=3))
    >>> [question.topic for question in questions(run)]
    ['vote', 'error', 'new weight', 'new weight']
    """
    steps = run.trace.steps if run.trace.complete else ()
    if steps and isinstance(steps[0], AdaBoostStep):
        yield from first_of(_of_rounds(run, steps))
    else:
        yield from first_of(_of_residuals(run, steps))


def _of_rounds(run: Run[Problem, Any], steps: Sequence[AdaBoostStep]) -> Iterator[Question]:
    kinds = _vote, _error, _new_weights, _heaviest
    rounds = _Rounds(run, steps)
    for number in range(1, len(steps)):
        if steps[number].phase == "reweight":
            yield from kinds[(number - 1) % len(kinds)](rounds, number)
            yield from _majority(rounds, number)


class _Rounds:
    """The rounds of a run.

    Parameters
    ----------
    run : Run
        The run.
    steps : sequence of AdaBoostStep
        Its steps.
    """

    def __init__(self, run: Run[Problem, Any], steps: Sequence[AdaBoostStep]) -> None:
        self.steps, self.model = steps, run.model
        self.rows = run.problem.rows[run.problem.trained] + 1
        classes, self.codes = np.unique(np.asarray(run.problem.training.y), return_inverse=True)
        self.names = [run.problem.classes[code] for code in classes]

    def misclassified(self, number: int) -> Ints:
        """Return the places of the rows that the classifier of a round misclassifies."""
        places: Ints = np.flatnonzero(self.steps[number].predicted != self.codes)
        return places

    def listing(self, places: Ints, weights: Any = None) -> str:
        """Return the numbers of rows, with their weights."""
        texts = [
            f"{self.rows[i]}{'' if weights is None else f' (weight {num4(weights[i])})'}"
            for i in places
        ]
        noun = "row" if len(texts) == 1 else "rows"
        return f"{noun} {', '.join(texts)}"


def _error(rounds: _Rounds, number: int) -> Iterator[Question]:
    step, places = rounds.steps[number], rounds.misclassified(number)
    if not 1 <= len(places) <= MAX_NAMED:
        return
    yield Question(
        number,
        "error",
        f"The next classifier misclassifies {rounds.listing(places, step.before)}: what is its "
        "error?",
        Value(step.error, TOLERANCE),
        f"ε = {total(step.before[places])} = {num4(step.error)}.",
        [Wrong(Rule.COUNT, len(places) / len(rounds.codes))],
        "The weights of all rows sum to 1.",
        about=rounds.rows[places].tolist(),
    )


def _vote(rounds: _Rounds, number: int) -> Iterator[Question]:
    step, model = rounds.steps[number], rounds.model
    vote = 2 * step.alpha
    if model.learning_rate != 1 or (model.multiclass == "samme" and len(rounds.names) > 2):
        return
    error = num4(step.error)
    yield Question(
        number,
        "vote",
        f"The next classifier has the weighted error {error}. What is its vote, 2α?",
        Value(vote, TOLERANCE * max(1.0, abs(vote))),
        f"ln((1 − ε) / ε) = ln({num4(1 - step.error)} / {error}) = {num4(vote)}.",
        (Wrong(Rule.ACCURACY, 1 - step.error), Wrong(Rule.EQUAL, 1.0)),
        "It is 0 for an error of one half, and grows without bound as the error falls.",
    )


def _new_weights(rounds: _Rounds, number: int) -> Iterator[Question]:
    step, places = rounds.steps[number], rounds.misclassified(number)
    correct = np.setdiff1d(np.arange(len(rounds.codes)), places)
    for among, verb, factor in (
        (places, "misclassifies", step.growth),
        (correct, "classifies correctly", 1.0),
    ):
        if not len(among):
            continue
        i = int(among[np.argmax(step.before[among])])
        old, new = float(step.before[i]), float(step.weights[i])
        yield Question(
            number,
            "new weight",
            f"The next classifier has the weighted error {num4(step.error)} and {verb} row "
            f"{rounds.rows[i]}, which weighs {num4(old)}. What does that row weigh afterwards?",
            Value(new, TOLERANCE * max(new, old)),
            f"{num4(old)} · {num4(factor)} / ({num4(step.error)} · {num4(step.growth)} + "
            f"{num4(1 - step.error)}) = {num4(new)}.",
            (
                Wrong(Rule.KEEP if factor == 1 else Rule.UNDIVIDED, old * factor),
                Wrong(Rule.UNDIVIDED, old * factor),
            ),
            f"Misclassified rows are multiplied by {num4(step.growth)}; all weights sum to 1.",
            about=[int(rounds.rows[i])],
        )


def _heaviest(rounds: _Rounds, number: int) -> Iterator[Question]:
    step, places = rounds.steps[number], rounds.misclassified(number)
    if not 2 <= len(places) <= MAX_NAMED:
        return
    right = rounds.rows[best(step.weights)].tolist()
    first = best(step.weights)[0]
    yield Question(
        number,
        "largest weight",
        f"The next classifier misclassifies {rounds.listing(places)}. Which row weighs most "
        "afterwards?",
        Pick("row", [[row] for row in right]),
        f"The weight of row {rounds.rows[first]} goes from {num4(step.before[first])} to "
        f"{num4(step.weights[first])}.",
        [Wrong(Rule.LARGEST, [int(rounds.rows[step.before.argmax()])])],
        "Which of these rows were misclassified before?",
        "These rows weigh the same." if len(right) > 1 else "",
    )


def _majority(rounds: _Rounds, number: int) -> Iterator[Question]:
    """Yield a question about a row on which classifiers disagree, and most so their votes."""
    voting = [step for step in rounds.steps[1 : number + 1] if step.is_voting]
    if not MIN_VOTES <= len(voting) <= MAX_VOTES or not is_optional(rounds.names):
        return
    n_rows, n_classes = len(rounds.codes), len(rounds.names)
    counts, votes = np.zeros((n_rows, n_classes)), np.zeros((n_rows, n_classes))
    for step in voting:
        counts[np.arange(n_rows), step.predicted] += 1
        votes[np.arange(n_rows), step.predicted] += 2 * step.alpha
    is_strict = (counts == counts.max(axis=1, keepdims=True)).sum(axis=1) == 1
    differs = np.flatnonzero(is_strict & (counts.argmax(axis=1) != votes.argmax(axis=1)))
    if not len(differs):
        return
    i = int(differs[0])
    listing = ", ".join(
        f"{rounds.names[step.predicted[i]]} ({num4(2 * step.alpha)})" for step in voting
    )
    sums = ", ".join(
        f"{num4(vote)} for {name}" for name, vote in zip(rounds.names, votes[i], strict=True)
    )
    yield Question(
        number,
        "prediction",
        f"The classifiers, the next one included, predict for row {rounds.rows[i]}: {listing}. "
        "Which class do they predict together?",
        Option(rounds.names, best(votes[i])),
        f"The votes are {sums}.",
        [Wrong(Rule.EQUAL, int(counts[i].argmax()))],
        "The numbers in brackets are the votes of the classifiers.",
        hides=("Raster",),
        about=[int(rounds.rows[i])],
    )


def _of_residuals(
    run: Run[Problem, Any], steps: Sequence[GradientBoostingStep]
) -> Iterator[Question]:
    rows = run.problem.rows[run.problem.trained] + 1
    for number in range(1, len(steps)):
        step = steps[number]
        if step.residuals.shape[1] != 1:
            return
        r = step.residuals[:, 0]
        i = int(np.abs(r).argmax()) if number % 2 else int(np.abs(r).argmin())
        is_second = r[i] > 0
        probability = (1 if is_second else 0) - float(r[i])
        name = run.problem.classes[run.fitted.classes_[1]]
        belongs = "is of" if is_second else "is not of"
        yield Question(
            number,
            "residual",
            f"Row {rows[i]} {belongs} class {name}, whose probability there is "
            f"{num4(probability)} so far: what is the target of the next tree?",
            Value(float(r[i]), TOLERANCE),
            f"r = y − p = {int(is_second)} − {num4(probability)} = {num4(r[i])}.",
            hint="The tree is fitted to what is left: y − p.",
            about=[int(rows[i])],
        )
