"""A report of a classifier, made ready to be drawn: its folds, the rows as they are counted, its measures."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.evaluation import ConfusionStep, MeasureStep, ScoreStep
from dmlib.evaluation.classifier_metrics.classifier_report import positive_scores, probabilities
from dmlib.problem import Problem
from dmlib.trace import Trace

MAX_DOTS = 10_000  # dots times frames while rows come in
MAX_COUNTED, MIN_COUNTED = 40, 5  # frames of that


@dataclass(frozen=True, eq=False)
class Counted:
    """Rows that enter the matrix together: what one frame counts.

    Attributes
    ----------
    rows : ndarray of int
        The samples that enter.
    matrix : ndarray of shape (n_classes, n_classes)
        The confusion matrix with them.
    phase : str
        Always "count".
    """

    rows: NDArray[np.intp]
    matrix: NDArray[Any]
    phase: str = "count"


@dataclass(frozen=True, eq=False)
class Report:
    """A report, ready to be drawn."""

    scored: list[ScoreStep]  # the folds
    counted: list[Counted]
    measured: list[MeasureStep]  # the measures, and the end
    order: NDArray[np.intp]  # (n_scored,): the samples in the order in which they are counted
    called: NDArray[
        np.intp
    ]  # (n_samples,): the class that each sample is called; -1 for those that are not
    scores: Floats  # (n_samples, n_classes): the support of each class; NaN for samples without
    truth: NDArray[np.intp]  # (n_samples,): the class that each sample has

    @property
    def kind(self) -> str:
        """What the scores are."""
        return self.scored[0].kind

    @property
    def positive(self) -> int:
        """The index of the positive class."""
        return self.measured[0].positive

    @property
    def steps(self) -> list[ScoreStep | Counted | MeasureStep]:
        """All that have a frame."""
        return [*self.scored, *self.counted, *self.measured]

    @cached_property
    def given(self) -> Floats | None:
        """The scores as probabilities, if they are; shaped as ``scores``."""
        return probabilities(self.scores, self.kind, self.positive)

    @property
    def score(self) -> Floats:
        """The number of each sample that is compared with the threshold (two classes)."""
        return positive_scores(self.scores, self.kind, self.positive)


def report_of(problem: Problem, trace: Trace) -> Report | None:
    """Return the report of a trace; None if it ended before anything was measured."""
    scored = [step for step in trace.steps if isinstance(step, ScoreStep)]
    rows = [step for step in trace.steps if isinstance(step, ConfusionStep)]
    measured = [step for step in trace.steps if isinstance(step, MeasureStep)]
    if not measured or problem.y is None:
        return None
    learned = problem.trained
    scores = np.full((len(problem.X), scored[0].scores.shape[1]), np.nan)
    for fold in scored:
        scores[learned[fold.rows]] = fold.scores
    order = learned[np.concatenate([step.rows for step in rows])]
    called = np.full(len(problem.X), -1, np.intp)
    called[order] = np.concatenate([step.called for step in rows])
    n_frames = int(np.clip(MAX_DOTS // len(order), MIN_COUNTED, min(MAX_COUNTED, len(order))))
    ends = np.unique(np.linspace(0, len(rows), n_frames + 1).round().astype(int))[1:]
    counted = [
        Counted(order[start:end], rows[end - 1].matrix) for start, end in pairwise([0, *ends])
    ]
    return Report(scored, counted, measured, order, called, scores, problem.y)
