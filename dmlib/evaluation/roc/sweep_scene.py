"""A sweep of the threshold for its picture: steps that have a frame, all scores, and curves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.evaluation import (
    LiftCurve,
    PrCurve,
    ProfitCurve,
    RocCurve,
    ScoreStep,
    ThresholdStep,
    lift_curve,
    pr_curve,
    profit_curve,
    roc_curve,
)
from dmlib.evaluation.roc.threshold_sweep import ThresholdSweep
from dmlib.pictures.motion import thin, thinned_note
from dmlib.pictures.run import Run
from dmlib.problem import Problem

MAX_THRESHOLDS = 500  # that have a frame
MAX_CORNERS = 8  # of the convex hull that have a frame besides


@dataclass(frozen=True, eq=False)
class Sweep:
    """A sweep with its curves."""

    folds: list[ScoreStep]
    played_folds: list[ScoreStep]  # those that have a frame: all, or none
    thresholds: list[ThresholdStep]  # those that have a frame; the last is the end
    score: Floats  # (n_samples,): the score of each sample of the problem
    scored: NDArray[np.intp]  # (n_scored,): the samples that the threshold passes
    learned: NDArray[np.intp]  # (n_learned,): the samples of the algorithm's rows
    roc: RocCurve
    pr: PrCurve
    lift: LiftCurve
    profit: ProfitCurve
    note: tuple[str, ...]  # where not every threshold has a frame

    @property
    def probabilities(self) -> bool:
        """Whether the scores are probabilities; a column may hold some."""
        score = self.score[self.scored]
        return self.folds[0].kind != "decision" and bool(((score >= 0) & (score <= 1)).all())


def sweep_of(
    run: Run[Problem, ThresholdSweep], *, prior: float, play_folds: bool, **payoff: float
) -> Sweep | None:
    """Return the sweep of a run; None if it ended before there was a threshold.

    Samples that were not scored get a score from the model of all scored ones; a ``prior`` of 0 is
    the fraction in the data.
    """
    problem, trace = run.problem, run.trace
    folds = [step for step in trace.steps if isinstance(step, ScoreStep)]
    thresholds = [step for step in trace.steps if isinstance(step, ThresholdStep)]
    if not thresholds or problem.y is None:
        return None
    learned = problem.trained
    score = np.full(len(problem.X), np.nan)
    for step in folds:
        score[learned[step.rows]] = step.scores[:, 1]
    is_unscored = np.isnan(score)
    scored = np.flatnonzero(~is_unscored)
    truth, scores = problem.y[scored], score[scored]
    if is_unscored.any():
        score[is_unscored] = scores.min()
        if trace.complete:
            X = problem.table(problem.X[is_unscored])
            score[is_unscored] = run.fitted.decision_function(X)
    roc = roc_curve(truth, scores)
    thresholds, note = _thinned(thresholds, roc)
    return Sweep(
        folds=folds,
        played_folds=folds if play_folds else [],
        thresholds=thresholds,
        score=score,
        scored=scored,
        learned=learned,
        roc=roc,
        pr=pr_curve(truth, scores),
        lift=lift_curve(truth, scores),
        profit=profit_curve(truth, scores, prior=prior or None, **payoff),
        note=note,
    )


def _thinned(
    steps: list[ThresholdStep], roc: RocCurve
) -> tuple[list[ThresholdStep], tuple[str, ...]]:
    """Return the thresholds that have a frame, with corners of the convex hull, and a note.

    They are thinned here and not by the story, so that a caption tells all rows since the last
    frame.
    """
    numbers = thin(len(steps), MAX_THRESHOLDS)
    if len(numbers) == len(steps):
        return steps, ()
    hull = roc.hull[:: -(-len(roc.hull) // MAX_CORNERS)].tolist()
    corners = [i for i in hull if i < len(steps)]
    all_numbers = sorted({*numbers.tolist(), *corners, len(steps) - 2})
    return [steps[i] for i in all_numbers], thinned_note(numbers)
