"""A sweep of the threshold, made ready to be drawn: the steps that are shown, all scores, and the whole curves."""

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
from dmlib.pictures.motion import thin, thinned_note
from dmlib.pictures.run import Run

MAX_THRESHOLDS, MAX_CORNERS = 500, 8  # that are stepped through: of all, and of the convex hull
GROUPS = 10


@dataclass(frozen=True, eq=False)
class Sweep:
    """A sweep with its curves."""

    scored: list[ScoreStep]  # the folds
    played: list[ScoreStep]  # those that have a frame: all, or none
    passed: list[ThresholdStep]  # the thresholds that are shown; the last one is the end
    score: Floats  # (n_samples,): the score of every sample of the problem
    known: NDArray[np.intp]  # (n_scored,): the samples that the threshold passes
    # (n_learned,): the samples that the algorithm got; what it calls row i is the sample
    # ``learned[i]``
    learned: NDArray[np.intp]
    # the whole curves
    roc: RocCurve
    pr: PrCurve
    lift: LiftCurve
    profit: ProfitCurve
    thinned: tuple[str, ...]  # a note where not every threshold is shown

    @property
    def probabilities(self) -> bool:
        """Whether the scores are probabilities; a column may hold some."""
        known = self.score[self.known]
        return self.scored[0].kind != "decision" and bool(((known >= 0) & (known <= 1)).all())


def sweep_of(run: Run, *, prior: float, play_folds: bool, **payoff: float) -> Sweep | None:
    """Return the sweep of a run; None if it ended before there was a threshold.

    The samples that it has not scored get a score from the model of all others; a ``prior`` of 0 is
    the share in the data.
    """
    problem, trace = run.problem, run.trace
    scored = [step for step in trace.steps if isinstance(step, ScoreStep)]
    passed = [step for step in trace.steps if isinstance(step, ThresholdStep)]
    if not passed or problem.y is None:
        return None
    learned = problem.trained
    score = np.full(len(problem.X), np.nan)
    for step in scored:
        score[learned[step.rows]] = step.scores[:, 1]
    known = np.flatnonzero(~np.isnan(score))
    truth, scores = problem.y[known], score[known]
    unscored = np.isnan(score)
    if unscored.any():
        score[unscored] = scores.min()
        if trace.complete:
            score[unscored] = run.fitted.decision_function(problem.table(problem.X[unscored]))
    roc = roc_curve(truth, scores)
    lift = lift_curve(truth, scores, groups=min(GROUPS, len(truth)))
    shown, thinned = _thinned(passed, roc)
    profit = profit_curve(truth, scores, prior=prior or None, **payoff)
    played = scored if play_folds else []
    return Sweep(
        scored,
        played,
        shown,
        score,
        known,
        learned,
        roc,
        pr_curve(truth, scores),
        lift,
        profit,
        thinned,
    )


def _thinned(
    passed: list[ThresholdStep], roc: RocCurve
) -> tuple[list[ThresholdStep], tuple[str, ...]]:
    """Return so many thresholds that the picture stays light, corners of the convex hull among them, and a note."""
    shown = thin(len(passed), MAX_THRESHOLDS)
    if len(shown) == len(passed):
        return passed, ()
    corners = [i for i in roc.hull[:: -(-len(roc.hull) // MAX_CORNERS)].tolist() if i < len(passed)]
    return [passed[i] for i in sorted({*shown.tolist(), *corners, len(passed) - 2})], thinned_note(
        shown
    )
