"""A report of a classifier for its picture: folds, counted rows and measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.evaluation import ConfusionStep, MeasureStep, ScoreStep
from dmlib.evaluation.classifier_metrics.classifier_report import positive_scores, probabilities
from dmlib.problem import Problem
from dmlib.trace import Trace

MAX_DOTS = 10_000  # dots times frames while rows are counted
MIN_COUNTED, MAX_COUNTED = 5, 40  # frames in which rows are counted


@dataclass(frozen=True, eq=False)
class Counted:
    """Rows that enter the matrix together, in one frame.

    Attributes
    ----------
    rows : ndarray of int
        The samples.
    matrix : ndarray of shape (n_classes, n_classes)
        The confusion matrix with them.
    step : ConfusionStep
        The step in which the last of them enters.
    phase : str
        Always "count".
    """

    rows: NDArray[np.intp]
    matrix: NDArray[Any]
    step: ConfusionStep
    phase: Literal["count"] = "count"


@dataclass(frozen=True, eq=False)
class Report:
    """A report with the classes and scores of the samples."""

    folds: list[ScoreStep]
    counted: list[Counted]
    measured: list[MeasureStep]  # the measures, and the end
    order: NDArray[np.intp]  # (n_scored,): the samples in the order in which they are counted
    predicted: NDArray[np.intp]  # (n_samples,): predicted classes; -1 for samples not counted
    scores: Floats  # (n_samples, n_classes): support of each class; NaN for samples without
    truth: NDArray[np.intp]  # (n_samples,): true classes

    @property
    def kind(self) -> str:
        """The kind of the scores."""
        return self.folds[0].kind

    @property
    def positive(self) -> int:
        """The code of the positive class."""
        return self.measured[0].positive

    @property
    def steps(self) -> list[ScoreStep | Counted | MeasureStep]:
        """The steps that have a frame."""
        return [*self.folds, *self.counted, *self.measured]

    @cached_property
    def probabilities(self) -> Floats | None:
        """The scores as probabilities, if they are; shaped as ``scores``."""
        return probabilities(self.scores, self.kind, self.positive)

    @property
    def score(self) -> Floats:
        """The score of each sample that is compared with the threshold (two classes)."""
        return positive_scores(self.scores, self.kind, self.positive)


def report_of(problem: Problem, trace: Trace[Any]) -> Report | None:
    """Return the report of a trace; None if it ended before a measure was computed."""
    folds = [step for step in trace.steps if isinstance(step, ScoreStep)]
    rows = [step for step in trace.steps if isinstance(step, ConfusionStep)]
    measured = [step for step in trace.steps if isinstance(step, MeasureStep)]
    if not measured or problem.y is None:
        return None
    learned = problem.trained
    scores = np.full((len(problem.X), folds[0].scores.shape[1]), np.nan)
    for fold in folds:
        scores[learned[fold.rows]] = fold.scores
    order = learned[np.concatenate([step.rows for step in rows])]
    predicted = np.full(len(problem.X), -1, np.intp)
    predicted[order] = np.concatenate([step.predicted for step in rows])
    return Report(folds, _counted(order, rows), measured, order, predicted, scores, problem.y)


def _counted(order: NDArray[np.intp], steps: Sequence[ConfusionStep]) -> list[Counted]:
    """Return the rows that are counted in each frame."""
    n_frames = int(np.clip(MAX_DOTS // len(order), MIN_COUNTED, min(MAX_COUNTED, len(order))))
    ends = np.unique(np.linspace(0, len(steps), n_frames + 1).round().astype(int))
    return [
        Counted(order[start:end], steps[end - 1].matrix, steps[end - 1])
        for start, end in pairwise(ends)
    ]
