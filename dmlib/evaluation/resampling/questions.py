"""Questions about resampling: which rows test, the mean error, the training error, the estimate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dmlib.evaluation.resampling.base import Resampling, ResamplingStep
from dmlib.evaluation.resampling.estimates import WEIGHT
from dmlib.evaluation.resampling.splitting import (
    B632,
    BOOTSTRAPS,
    K_FOLD,
    METHOD_LABELS,
    STRATIFIED,
    Rows,
)
from dmlib.pictures.answers import Option, Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import count, num4
from dmlib.problem import Problem

MAX_ROWS = 30  # that are listed in a prompt
MAX_SPLITS = 30
MAX_TERMS = 8  # of a mean that is taken by hand


class Rule(Misconception):
    """Wrong rules of resampling."""

    DRAWN = "The rows that were drawn into the bootstrap sample test the model."
    ONCE = "Rows that were drawn several times test the model too."
    POOLED = "All misclassified rows are divided by all tested rows, whatever their split."
    BEST = "The smallest error of all splits is the estimate."
    SAME = "The training error is as large as the error of the test rows."
    HALF = "The .632 bootstrap takes the mean of the training and the out-of-bag error."
    SWAPPED = "The .632 bootstrap gives the training error the weight 0.632."


def questions(run: Run[Problem, Resampling]) -> Iterator[Question]:
    """Yield the questions that the steps of resampling answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.evaluation.ClassifierResampling` or
        :class:`dmlib.evaluation.RegressorResampling`.

    Yields
    ------
    Question
        Before splits are tested, before the training error, and before errors are combined.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.evaluation import ClassifierResampling
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0, 9.0, 10.0, 11.0], "c": list("uuuvvv")})
    >>> problem = prepare(frame, ["a"], target="c", labelled=True)
    >>> model = ClassifierResampling("naive_bayes", folds=3, random_state=0)
    >>> [question.topic for question in questions(Run.of(problem, model))]
    ['mean error', 'test rows', 'mean error', 'training error']
    """
    author = _Author(run)
    for number in range(1, len(author.steps)):
        step = author.steps[number]
        if step.phase == "fold" and step.index < MAX_SPLITS:
            yield from author.test_rows(number, step)
            yield from author.mean(number, step)
        elif step.phase == "training":
            yield from author.training(number, step)
        elif step.phase == "combine":
            yield from author.combine(number, step)


class _Author:
    """Questions about one estimate."""

    def __init__(self, run: Run[Problem, Resampling]) -> None:
        self.problem, self.model = run.problem, run.model
        self.steps: Sequence[ResamplingStep] = run.trace.steps
        self.folds = [step for step in self.steps if step.phase == "fold"]
        self.n_rows = len(run.problem.trained)

    def _numbers(self, rows: Rows | Sequence[int]) -> list[int]:
        """Return the numbers of rows, as the marks have them."""
        trained = self.problem.trained[np.asarray(rows, np.intp)]
        return [int(row) + 1 for row in self.problem.rows[trained]]

    def _error(self) -> str:
        return "mean squared error" if self.model.NUMBERS else "error rate"

    # --- which rows test ---

    def test_rows(self, number: int, step: ResamplingStep) -> Iterator[Question]:
        """Ask for the test rows of a bootstrap sample, or of the last fold."""
        if self.n_rows > MAX_ROWS or step.split is None:
            return
        is_last_fold = step.index == len(self.steps[0].splits) - 1 and step.index > 0
        if self.model.scheme in BOOTSTRAPS:
            yield self._out_of_bag(number, step)
        elif self.model.scheme in (K_FOLD, STRATIFIED) and is_last_fold:
            tested = [row for fold in self.folds[:-1] if fold.split for row in fold.split.test]
            yield self._test_question(
                number,
                step,
                f"Rows {self._listed(sorted(tested))} have tested the model. Which rows test it in"
                f" split {step.index + 1}, the last one?",
                f"By {METHOD_LABELS[self.model.scheme]}, each row tests once.",
                (),
                "How often does each row test?",
            )

    def _out_of_bag(self, number: int, step: ResamplingStep) -> Question:
        assert step.split is not None
        n_times = np.bincount(step.split.train, minlength=self.n_rows)
        return self._test_question(
            number,
            step,
            f"Sample {step.index + 1} is drawn with replacement:"
            f" {self._listed(sorted(step.split.train))}. Which rows test the model?",
            f"Rows that were not drawn are out of the bag: {self._listed(step.split.test)}.",
            (
                Wrong(Rule.DRAWN, self._numbers(np.flatnonzero(n_times > 0))),
                Wrong(Rule.ONCE, self._numbers(np.flatnonzero(n_times != 1))),
            ),
            "Which rows has the model not seen?",
        )

    def _test_question(
        self,
        number: int,
        step: ResamplingStep,
        prompt: str,
        proof: str,
        wrong: Sequence[Wrong],
        hint: str,
    ) -> Question:
        assert step.split is not None
        return Question(
            number,
            "test rows",
            prompt,
            Pick(
                "row",
                [self._numbers(step.split.test)],
                among=self._numbers(range(self.n_rows)),
                several=True,
            ),
            proof,
            wrong,
            hint,
            hides=("Raster",),
        )

    def _listed(self, rows: Any) -> str:
        return ", ".join(map(str, self._numbers(rows)))

    # --- errors ---

    def mean(self, number: int, step: ResamplingStep) -> Iterator[Question]:
        """Ask for the mean error of the splits so far."""
        folds = self.folds[: step.index + 1]
        if not 1 < len(folds) <= MAX_TERMS or not np.isfinite(step.mean):
            return
        errors = [fold.error for fold in folds]
        n = len(step.losses)
        wrong = [Wrong(Rule.BEST, min(errors))]
        if self.model.NUMBERS:
            outcome = f"In split {step.index + 1} the mean squared error is {num4(step.error)}."
        else:
            n_wrong = int(np.sum(step.losses))
            outcome = f"In split {step.index + 1}, {n_wrong} of {count(n, 'row', 'rows')}"
            outcome += " will be misclassified."
            pooled = sum(float(np.sum(fold.losses)) for fold in folds)
            wrong.insert(0, Wrong(Rule.POOLED, pooled / sum(len(fold.losses) for fold in folds)))
        before = ", ".join(num4(error) for error in errors[:-1])
        verb = " before is" if len(errors) == 2 else "s before are"
        given = f" The {self._error()}{verb} {before}."
        terms = " + ".join(num4(error) for error in errors)
        yield Question(
            number,
            "mean error",
            f"{outcome}{given} What is the mean {self._error()} of the splits so far?",
            Value(step.mean, 0.005 if not self.model.NUMBERS else 0.01 * step.mean),
            f"({terms}) / {len(errors)} = {num4(step.mean)}.",
            wrong,
            "Each split counts once.",
        )

    def training(self, number: int, step: ResamplingStep) -> Iterator[Question]:
        """Ask how large the error of the training rows is."""
        if not np.isfinite(step.mean + step.error):
            return
        mean = num4(step.mean)
        is_same = bool(np.isclose(step.error, step.mean))
        right = 1 if is_same else (0 if step.error < step.mean else 2)
        yield Question(
            number,
            "training error",
            f"The model is trained on all rows and tested on the same rows. Is this {self._error()}"
            f" smaller or larger than {mean}, the mean of the test rows?",
            Option(["smaller", "equal", "larger"], [right]),
            f"It is {num4(step.error)}"
            + (", smaller: the model has seen these rows." if right == 0 else f"; {mean} before."),
            (Wrong(Rule.SAME, 1),),
            "Has the model seen the rows that it is tested on?",
        )

    def combine(self, number: int, step: ResamplingStep) -> Iterator[Question]:
        """Ask for the estimate of a bootstrap."""
        weighted = step.weighted
        if weighted is None or self.model.scheme != B632:
            return
        err, oob, weight = step.error, step.mean, WEIGHT
        yield Question(
            number,
            "estimate",
            f"The training error is {num4(err)}, the mean out-of-bag error {num4(oob)}. What is the"
            " .632 estimate?",
            Value(step.estimate, 0.01 * abs(step.estimate)),
            f"{num4(1 - weight)} · {num4(err)} + {num4(weight)} · {num4(oob)} ="
            f" {num4(step.estimate)}.",
            (
                Wrong(Rule.HALF, (err + oob) / 2),
                Wrong(Rule.SWAPPED, weight * err + (1 - weight) * oob),
            ),
            "A sample holds about 63.2 % of the rows: which error is the pessimistic one?",
        )
