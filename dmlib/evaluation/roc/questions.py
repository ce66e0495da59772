"""Questions about a falling threshold: rows that pass it, rates, precision and area."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dmlib.evaluation.roc.curves_scene import UNIT
from dmlib.evaluation.roc.threshold_sweep import ThresholdSweep
from dmlib.evaluation.scores import ScoreStep
from dmlib.evaluation.thresholds import ThresholdStep
from dmlib.pictures.answers import Pick, Place, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.words import count, num4
from dmlib.problem import Problem

MAX_THRESHOLDS = 40
MAX_ROWS = 12  # that pass together and are picked one by one
ROC = Panel("data", Axis("false positive rate", *UNIT), Axis("true positive rate", *UNIT))


class Rule(Misconception):
    """Wrong rules of ROC curves."""

    POSITIVE_NEXT = "The positive rows pass the threshold before the negative ones."
    ONE_BY_ONE = "Rows with the same score pass the threshold one by one."
    SWAPPED = "Positive rows move the ROC curve to the right, negative ones up."
    ALL_ROWS = "True and false positive rate divide by the number of all rows."
    RECALL = "Precision divides the true positives by all positive rows."
    ACCURACY = "Precision is the fraction of rows that are predicted correctly."
    UP = "The area grows where the curve goes up."


def questions(run: Run[Problem, ThresholdSweep]) -> Iterator[Question]:
    """Yield the questions that a falling threshold answers.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.evaluation.ThresholdSweep` on two classes.

    Yields
    ------
    Question
        One or two before each of the first thresholds.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.evaluation import ThresholdSweep
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"score": [0.9, 0.8, 0.4, 0.1], "ill": ["yes", "no", "yes", "no"]})
    >>> problem = prepare(frame, ["score"], target="ill", labelled=True, positive="yes")
    >>> asked = questions(Run.of(problem, ThresholdSweep("column")))
    >>> [question.topic for question in asked]
    ['rows', 'curve', 'precision', 'rows', 'curve', 'area']
    """
    steps = run.trace.steps
    scores = _scores(run)
    n_thresholds = 0
    for number in range(1, len(steps)):
        step, before = steps[number], steps[number - 1]
        if not (isinstance(step, ThresholdStep) and step.phase == "threshold"):
            continue
        n_thresholds += 1
        if n_thresholds > MAX_THRESHOLDS:
            return
        passing = _Passing(run.problem, scores, number, step, before)
        # Other questions outline the rows that pass.
        if n_thresholds % 2:
            yield from passing.rows()
        else:
            yield passing.point()
            yield passing.precision() if n_thresholds % 4 == 2 else passing.area()


def _scores(run: Run[Problem, ThresholdSweep]) -> dict[int, float]:
    """Return the score of each of the algorithm's rows."""
    scores: dict[int, float] = {}
    for step in run.trace.steps:
        if isinstance(step, ScoreStep):
            scores |= zip(step.rows.tolist(), step.scores[:, 1].tolist(), strict=True)
    return scores


@dataclass(frozen=True, eq=False)
class _Passing:
    """The rows that pass a threshold, and what moves with them."""

    problem: Problem
    scores: dict[int, float]
    number: int
    step: ThresholdStep
    before: ThresholdStep

    @property
    def n_true(self) -> int:
        """The positive rows that pass."""
        return int(self.step.tp - self.before.tp)

    @property
    def n_false(self) -> int:
        """The negative rows that pass."""
        return int(self.step.fp - self.before.fp)

    @property
    def totals(self) -> tuple[int, int]:
        """The numbers of positive and of negative rows."""
        return int(self.step.tp + self.step.fn), int(self.step.fp + self.step.tn)

    def _numbers(self, rows: list[int]) -> list[int]:
        """Return the numbers of rows, as the marks have them."""
        numbers: list[int] = (self.problem.rows[self.problem.trained[rows]] + 1).tolist()
        return numbers

    def _is_positive(self, row: int) -> bool:
        y = self.problem.y
        return y is not None and bool(y[self.problem.trained[row]])

    def _passing(self) -> str:
        parts = []
        if self.n_true:
            parts.append(count(self.n_true, "positive row", "positive rows"))
        if self.n_false:
            parts.append(count(self.n_false, "negative row", "negative rows"))
        verb = "passes" if self.n_true + self.n_false == 1 else "pass"
        return f"{' and '.join(parts)} {verb}"

    def rows(self) -> Iterator[Question]:
        """Ask which rows pass the threshold."""
        rows = self.step.rows.tolist()
        if len(rows) > MAX_ROWS:
            return
        following = [row for row, score in self.scores.items() if score <= self.step.threshold]
        positive = [row for row in following if self._is_positive(row)]
        best = max((self.scores[row] for row in positive), default=np.nan)
        first = self._numbers([row for row in positive if self.scores[row] == best])
        proof = f"The highest score left is {num4(self.step.threshold)}, that of "
        proof += count(len(rows), "row", "rows") + "."
        yield Question(
            self.number,
            "rows",
            "Which rows are predicted positive at the next threshold and were not so far?",
            Pick("row", [self._numbers(rows)], several=True),
            proof,
            (
                Wrong(Rule.POSITIVE_NEXT, first, "The threshold knows the scores alone."),
                Wrong(Rule.ONE_BY_ONE, self._numbers(rows[:1]), "Equal scores pass together."),
            ),
            "The threshold falls to the highest score that it has not passed.",
        )

    def point(self) -> Question:
        """Ask where the ROC curve goes."""
        n_positive, n_negative = self.totals
        step, before = self.step, self.before
        n = n_positive + n_negative
        swapped = (before.fpr + self.n_true / n_negative, before.tpr + self.n_false / n_positive)
        shares = (step.fp / n, step.tp / n)
        return Question(
            self.number,
            "curve",
            "Where is the next point of the ROC curve?",
            Place(ROC, [(float(step.fpr), float(step.tpr))]),
            f"{self._passing()}: TPR = {step.tp} / {n_positive} = {num4(step.tpr)},"
            f" FPR = {step.fp} / {n_negative} = {num4(step.fpr)}.",
            [
                Wrong(rule, place)
                for rule, place in ((Rule.SWAPPED, swapped), (Rule.ALL_ROWS, shares))
                if max(place) <= 1  # only there it can be given
            ],
            f"Of the {n} rows {n_positive} are positive and {n_negative} negative: which pass?",
            hides=("Line", "Texts"),
            about=self._about(),
        )

    def precision(self) -> Question:
        """Ask for the precision."""
        step = self.step
        n_predicted = step.tp + step.fp
        return Question(
            self.number,
            "precision",
            "What is the precision at the next threshold?",
            Value(float(step.precision), 0.01),
            f"{self._passing()}: of {n_predicted} rows predicted positive, {step.tp} are,"
            f" {step.tp} / {n_predicted} = {num4(step.precision)}.",
            (Wrong(Rule.RECALL, float(step.recall)), Wrong(Rule.ACCURACY, float(step.accuracy))),
            "How many rows are predicted positive then, and how many of them are positive?",
            hides=("Line", "Texts"),
            about=self._about(),
        )

    def area(self) -> Question:
        """Ask by how much the area grows; where it does not, for the precision."""
        if not self.n_false:
            return self.precision()
        grown = self.step.area - self.before.area
        n_positive, n_negative = self.totals
        height = (
            f"{self.before.tp}" if not self.n_true else f"({self.before.tp} + {self.step.tp}) / 2"
        )
        return Question(
            self.number,
            "area",
            "By how many pairs of a positive and a negative row does the area under the ROC curve"
            f" grow (all {n_positive * n_negative} are an area of 1)?",
            Value(float(grown)),
            f"{self._passing()}, each negative row to the right of {height} positive rows:"
            f" {self.n_false} · {height} = {num4(grown)}.",
            (Wrong(Rule.UP, float(self.n_true * (n_negative - self.step.fp))),),
            "The area grows by the width of the move to the right times the height there.",
            hides=("Line", "Texts"),
            about=self._about(),
        )

    def _about(self) -> list[int]:
        rows = self.step.rows.tolist()
        return self._numbers(rows) if len(rows) <= MAX_ROWS else []
