"""Questions about logistic regression: probabilities, residuals, odds, and which row pulls most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from dmlib.arrays import Floats
from dmlib.classification.class_questions import best, first_of
from dmlib.classification.logistic_regression.algorithm import LogisticRegression
from dmlib.classification.logistic_regression.ascent import LogisticRegressionStep
from dmlib.pictures.answers import Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import Problem

MAX_PICKED = 60  # rows among which one is picked
LARGEST = 20.0  # score whose exponential can still be written
CLEAR = 0.05  # by how much the largest residual leads, for eyes that compare
TOLERANCE = 0.01


class Rule(Misconception):
    """Wrong rules of logistic regression."""

    SCORE = "The score is the probability."
    ODDS = "The probability is e to the power of the score."
    ONLY = "Only misclassified rows have a residual."
    NEAREST = "The row nearest to the boundary pulls most on it."
    FARTHEST = "The row farthest from the boundary pulls most on it."
    FACTOR = "One unit more in a column multiplies the odds by its coefficient."


def questions(run: Run[Problem, LogisticRegression]) -> Iterator[Question]:
    """Yield the questions that the steps of logistic regression answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.LogisticRegression`.

    Yields
    ------
    Question
        Before each step, and before the end.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "c": ["no", "yes", "no", "yes"]})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True, positive="yes")
    >>> [question.topic for question in questions(Run.of(problem, LogisticRegression(max_iter=1)))]
    ['probability', 'odds']
    """
    yield from first_of(_of_steps(run))


def _of_steps(run: Run[Problem, LogisticRegression]) -> Iterator[Question]:
    steps = run.trace.steps
    if not steps or steps[0].coef.shape[0] != 1:
        return
    for number in range(1, len(steps)):
        step, before = steps[number], steps[number - 1]
        if step.phase == "done":
            yield from _odds(run, number, step)
        elif not run.model.grouped:
            yield from _probability(run, number, step)
            if before.coef.any() and step.phase != "batch":
                yield from _pull(run, number, before)
                yield from _residual(run, number, before)


@dataclass(frozen=True)
class _Rows:
    """The training rows at some coefficients.

    Attributes
    ----------
    problem : Problem
        The data.
    numbers : ndarray of shape (n_samples,)
        Their numbers.
    y : ndarray of shape (n_samples,)
        1 for rows of the positive class, else 0.
    scores : ndarray of shape (n_samples,)
        Their scores.
    """

    problem: Problem
    numbers: Any
    y: Any
    scores: Floats

    @classmethod
    def at(cls, run: Run[Problem, LogisticRegression], step: LogisticRegressionStep) -> _Rows:
        """Return the rows at the coefficients of a step."""
        training, coef = run.problem.training, step.coef[0]
        n_constant = int(run.model.fit_intercept)
        scores = np.asarray(training.X, float) @ coef[n_constant:]
        if n_constant:
            scores = scores + coef[0]
        y = (np.asarray(training.y) == 1).astype(int)
        return cls(run.problem, training.rows + 1, y, scores)

    @property
    def probabilities(self) -> Floats:
        """Their probabilities of the positive class."""
        return np.asarray(expit(self.scores), float)

    @property
    def name(self) -> str:
        """The positive class."""
        return self.problem.classes[1]

    def of(self, i: int) -> str:
        """Return a row with its class."""
        return f"row {self.numbers[i]}, {self.problem.classes[self.y[i]]},"


def _probability(
    run: Run[Problem, LogisticRegression], number: int, step: LogisticRegressionStep
) -> Iterator[Question]:
    rows = _Rows.at(run, step)
    # A score between 0 and 1 looks like a probability itself.
    i = int(np.abs(np.abs(rows.scores) - 0.6).argmin())
    score, probability = float(rows.scores[i]), float(rows.probabilities[i])
    if abs(score) > LARGEST or not np.isfinite(score):
        return
    yield Question(
        number,
        "probability",
        f"After the next step {rows.of(i)} has the score {num4(score)}: what is its probability of "
        f"{rows.name} then?",
        Value(probability, TOLERANCE),
        f"P = 1 / (1 + e^−s) = 1 / (1 + {num4(np.exp(-score))}) = {num4(probability)}.",
        (Wrong(Rule.SCORE, score), Wrong(Rule.ODDS, float(np.exp(score)))),
        "A score of 0 is a probability of one half; e^score is the odds.",
        about=[int(rows.numbers[i])],
    )


def _pull(
    run: Run[Problem, LogisticRegression], number: int, before: LogisticRegressionStep
) -> Iterator[Question]:
    rows = _Rows.at(run, before)
    residuals = np.abs(rows.y - rows.probabilities)
    if not 2 < len(residuals) <= MAX_PICKED or not np.isfinite(residuals).all():
        return
    largest = best(residuals)
    others = np.delete(residuals, largest)
    if not len(others) or others.max() > residuals.max() - CLEAR:
        return
    i, scores = largest[0], np.abs(rows.scores)
    yield Question(
        number,
        "largest residual",
        "Which row has the largest residual, and pulls most on the boundary in the next step?",
        Pick("row", [[int(rows.numbers[k])] for k in largest]),
        f"Its class counts {rows.y[i]}, and {rows.y[i]} − {num4(rows.probabilities[i])} is larger "
        f"in size than all others, which reach {num4(others.max())}.",
        (
            Wrong(Rule.NEAREST, [int(rows.numbers[scores.argmin()])]),
            Wrong(Rule.FARTHEST, [int(rows.numbers[scores.argmax()])]),
        ),
        "The residual is the class, 1 or 0, less the probability.",
    )


def _residual(
    run: Run[Problem, LogisticRegression], number: int, before: LogisticRegressionStep
) -> Iterator[Question]:
    rows = _Rows.at(run, before)
    residuals = rows.y - rows.probabilities
    # of a row that is classified correctly, though not surely
    correct = np.flatnonzero((np.abs(residuals) < 0.5) & (np.abs(residuals) > CLEAR))
    if not len(correct):
        return
    i = int(correct[np.abs(residuals[correct]).argmax()])
    p = float(rows.probabilities[i])
    yield Question(
        number,
        "residual",
        f"So far {rows.of(i)} has the probability {num4(p)} of {rows.name}: what is its residual "
        "in the next step?",
        Value(float(residuals[i]), TOLERANCE),
        f"Its class counts {rows.y[i]}: {rows.y[i]} − {num4(p)} = {num4(residuals[i])}.",
        [Wrong(Rule.ONLY, 0.0)],
        f"The class counts 1 for {rows.name}, else 0; subtract the probability.",
        about=[int(rows.numbers[i])],
    )


def _odds(
    run: Run[Problem, LogisticRegression], number: int, step: LogisticRegressionStep
) -> Iterator[Question]:
    slopes = step.coef[0, int(run.model.fit_intercept) :]
    j = int(np.abs(np.abs(slopes) - 1).argmin())
    slope, name = float(slopes[j]), run.problem.features[j]
    if abs(slope) > LARGEST or not np.isfinite(slope):
        return
    factor = float(np.exp(slope))
    yield Question(
        number,
        "odds",
        f"The coefficient of {name} is {num4(slope)}: by which factor do the odds of "
        f"{run.problem.classes[1]} change when {name} rises by 1?",
        Value(factor, TOLERANCE * factor),
        f"The score changes by {num4(slope)}, so the odds are multiplied by e^{signed(slope, 4)} = "
        f"{num4(factor)}.",
        [Wrong(Rule.FACTOR, slope)],
        "The logarithm of the odds is linear.",
    )
