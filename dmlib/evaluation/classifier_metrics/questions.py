"""Questions about a confusion matrix: the cell of a row, and what measures divide by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from dmlib.evaluation.classifier_metrics.cells_scene import Cells
from dmlib.evaluation.classifier_metrics.classifier_report import ClassifierReport, MeasureStep
from dmlib.evaluation.classifier_metrics.confusion import ConfusionStep
from dmlib.evaluation.classifier_metrics.texts_ledger import counts_of, matrix_of
from dmlib.evaluation.counts import FORMULAS, NEEDS, Counts
from dmlib.pictures.answers import Option, Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem

MAX_CLASSES = 6
MAX_ROWS = 30  # about which questions are asked
ROLES = ("TP", "FP", "TN", "FN")
DENOMINATORS = ("precision", "specificity", "fnr", "npv")
"""Measures whose denominator is picked, cell by cell."""
TOLERANCE = 0.004


class Rule(Misconception):
    """Wrong rules of measures."""

    TRANSPOSED = "A false positive is a positive row that was misclassified."
    EXCHANGED = "Precision divides by the positive rows, recall by the rows predicted positive."
    ALL_ROWS = "Every rate divides by the number of all rows."
    MEAN = "F1 is the arithmetic mean of precision and recall."
    ACCURACY = "The balanced accuracy is the fraction of all rows that are correct."
    DIFFERENCE = "Kappa is the accuracy minus that of chance."


def questions(run: Run[Problem, ClassifierReport]) -> Iterator[Question]:
    """Yield the questions that the steps of a report answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.evaluation.ClassifierReport`.

    Yields
    ------
    Question
        Before rows enter the matrix, and before measures are computed.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"score": [0.9, 0.8, 0.4, 0.1], "ill": ["yes", "no", "yes", "no"]})
    >>> problem = prepare(frame, ["score"], target="ill", labelled=True)
    >>> asked = questions(Run.of(problem, ClassifierReport("column")))
    >>> [question.topic for question in asked][3:7]
    ['cell', 'accuracy', 'denominator', 'recall']
    """
    steps = run.trace.steps
    measured = next((step for step in steps if isinstance(step, MeasureStep)), None)
    if measured is None or len(run.problem.classes) > MAX_CLASSES:
        return
    author = _Author(run, measured)
    n_rows = 0
    for number in range(1, len(steps)):
        step = steps[number]
        if isinstance(step, ConfusionStep) and len(step.rows) == 1 and n_rows < MAX_ROWS:
            n_rows += 1
            yield author.row(number, step)
        elif isinstance(step, MeasureStep):
            yield from author.measure(number, step)


class _Author:
    """Questions about one report."""

    def __init__(self, run: Run[Problem, ClassifierReport], measured: MeasureStep) -> None:
        self.problem = run.problem
        self.classes: Sequence[str] = run.problem.classes
        self.cells = Cells.of(self.classes, measured.positive)
        self.positive = self.classes[measured.positive]
        self.is_binary = len(self.classes) == 2
        self.counts: Counts = counts_of(measured)
        self.result = matrix_of(measured)

    # --- the cell of a row ---

    def row(self, number: int, step: ConfusionStep) -> Question:
        """Ask where a row is counted."""
        i, j = int(step.truth[0]), int(step.predicted[0])
        row = int(self.problem.rows[self.problem.trained[step.rows[0]]]) + 1
        prompt = f"Row {row} is {self.classes[i]} and is predicted {self.classes[j]}."
        proof = f"Its true class {self.classes[i]} is the row of the matrix, the predicted class"
        proof += f" {self.classes[j]} the column"
        if not self.is_binary:
            return Question(
                number,
                "cell",
                f"{prompt} In which cell is it counted?",
                self._pick([self._number(i, j)]),
                f"{proof}.",
                (Wrong(Rule.TRANSPOSED, [self._number(j, i)]),),
                "Rows of the matrix are true classes, columns predicted ones.",
            )
        role, other = self.cells.role(i, j), self.cells.role(j, i)
        return Question(
            number,
            "cell",
            f"{prompt} Which count grows, if {self.positive} is the positive class?",
            Option(ROLES, [ROLES.index(role)]),
            f"It is predicted {'positive' if role[1] == 'P' else 'negative'},"
            f" and this is {'true' if role[0] == 'T' else 'false'}: {role}.",
            (Wrong(Rule.TRANSPOSED, ROLES.index(other)),),
            "The second word is the prediction, the first whether it is correct.",
        )

    def _number(self, i: int, j: int) -> int:
        return i * len(self.classes) + j + 1

    def _pick(self, right: list[int], *, several: bool = False) -> Pick:
        names = {}
        for i, truth in enumerate(self.classes):
            for j, predicted in enumerate(self.classes):
                name = (
                    self.cells.role(i, j) if self.is_binary else f"{truth}, predicted {predicted}"
                )
                names[self._number(i, j)] = name
        return Pick("cell", [right], among=list(names), several=several, names=names)

    # --- measures ---

    def measure(self, number: int, step: MeasureStep) -> Iterator[Question]:
        """Ask for a measure, or for the cells that it divides by."""
        if not np.isfinite(step.value):
            return
        if step.name in ("accuracy", "kappa"):
            yield self._overall(number, step)
        elif self.is_binary and step.name in DENOMINATORS:
            yield self._denominator(number, step)
        elif self.is_binary and step.name in ("recall", "fpr", "f1", "balanced_accuracy"):
            yield self._rate(number, step)

    def _counts_text(self) -> str:
        counts = self.counts
        return f"TP = {counts.tp}, FP = {counts.fp}, TN = {counts.tn}, FN = {counts.fn}"

    def _overall(self, number: int, step: MeasureStep) -> Question:
        n_right, n = int(np.trace(step.matrix)), int(step.matrix.sum())
        if step.name == "accuracy":
            return Question(
                number,
                "accuracy",
                "All rows are counted. What is the accuracy?",
                Value(step.value, TOLERANCE),
                f"{n_right} of {n} rows are on the diagonal: {n_right} / {n} = {num4(step.value)}.",
                hint="Correct predictions are on the diagonal.",
            )
        accuracy, chance = float(self.result.accuracy), self.result.chance
        return Question(
            number,
            "kappa",
            f"The accuracy is {num4(accuracy)}, and random predictions of the same frequencies have"
            f" {num4(chance)}. What is Cohen's kappa?",
            Value(step.value, TOLERANCE),
            f"({num4(accuracy)} − {num4(chance)}) / (1 − {num4(chance)}) = {num4(step.value)}.",
            (Wrong(Rule.DIFFERENCE, accuracy - chance),),
            "Which part of the way from chance to 1 is it?",
        )

    def _denominator(self, number: int, step: MeasureStep) -> Question:
        title, formula = FORMULAS[step.name]
        roles = {self.cells.role(i, j): self._number(i, j) for i in range(2) for j in range(2)}
        wrong = [Wrong(Rule.ALL_ROWS, list(roles.values()))]
        if step.name == "precision":
            wrong.insert(0, Wrong(Rule.EXCHANGED, [roles["TP"], roles["FN"]]))
        right = [roles[role] for role in NEEDS[step.name][0].split(" + ")]
        return Question(
            number,
            "denominator",
            f"Which cells does the {title.lower()} of {self.positive} divide by?",
            self._pick(right, several=True),
            f"{title} = {formula}.",
            wrong,
            "Of which rows is it a fraction?",
        )

    def _rate(self, number: int, step: MeasureStep) -> Question:
        counts = self.counts
        title, formula = FORMULAS[step.name]
        precision, recall = float(counts.precision), float(counts.recall)
        wrong = {
            "recall": [
                Wrong(Rule.EXCHANGED, precision),
                Wrong(Rule.ALL_ROWS, counts.tp / counts.n),
            ],
            "fpr": [Wrong(Rule.ALL_ROWS, counts.fp / counts.n)],
            "f1": [Wrong(Rule.MEAN, (precision + recall) / 2)],
            "balanced_accuracy": [Wrong(Rule.ACCURACY, float(counts.accuracy))],
        }[step.name]
        of = "" if step.name == "balanced_accuracy" else f" of {self.positive}"
        numbers = formula
        for role in ROLES:
            numbers = numbers.replace(role, str(getattr(counts, role.lower())))
        return Question(
            number,
            {"recall": "recall", "fpr": "recall"}.get(step.name, "mean"),
            f"{self._counts_text()}. What is the {title.lower().replace('f1', 'F1')}{of}?",
            Value(step.value, TOLERANCE),
            f"{title} = {numbers} = {num4(step.value)}.",
            [each for each in wrong if np.isfinite(each.answer)],
            {
                "recall": "Of the positive rows, which fraction is predicted positive?",
                "fpr": "Of the negative rows, which fraction is predicted positive?",
                "f1": "It is the harmonic mean of precision and recall.",
            }.get(step.name, "It is the mean of the recalls of both classes."),
        )
