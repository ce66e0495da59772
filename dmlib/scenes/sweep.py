"""A sweep of the threshold, made ready to be drawn: the steps that are shown, all scores, and the whole curves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.evaluation import (
    LiftCurve,
    Payoff,
    PrCurve,
    RocCurve,
    ScoreStep,
    ThresholdStep,
    lift_curve,
    pr_curve,
    roc_curve,
)
from dmlib.evaluation.thresholds import first_best
from dmlib.problem import Problem
from dmlib.trace import Trace

Floats = NDArray[np.float64]

MOST_THRESHOLDS, MOST_CORNERS = 60, 8  # that are stepped through: of all, and of the convex hull
GROUPS = 10


@dataclass(frozen=True, eq=False)
class Sweep:
    """A sweep with its curves.

    Attributes
    ----------
    scored : list of ScoreStep
        The folds.
    passed : list of ThresholdStep
        The thresholds that are shown; the last one is the end.
    score : ndarray of shape (n_samples,)
        The score of every sample of the problem.
    known : ndarray of shape (n_scored,)
        The samples that the threshold passes.
    learned : ndarray of shape (n_learned,)
        The samples that the algorithm got; what it calls row i is the sample ``learned[i]``.
    roc, pr, lift : RocCurve, PrCurve, LiftCurve
        The whole curves.
    payoff : Payoff
        What the outcomes are worth.
    every : int
        Every how many-th threshold is shown.
    """

    scored: list[ScoreStep]
    passed: list[ThresholdStep]
    score: Floats
    known: NDArray[np.intp]
    learned: NDArray[np.intp]
    roc: RocCurve
    pr: PrCurve
    lift: LiftCurve
    payoff: Payoff
    every: int

    @cached_property
    def profit(self) -> Floats:
        """The expected profit of a row at each threshold."""
        profit: Floats = self.payoff.profit(self.roc.tpr, self.roc.fpr)
        return profit

    @cached_property
    def best(self) -> int:
        """The index of the threshold with the largest profit; of equal ones, the highest."""
        return first_best(self.profit)

    @property
    def probabilities(self) -> bool:
        """Whether the scores are probabilities; a column may hold some."""
        known = self.score[self.known]
        return self.scored[0].kind != "decision" and bool(((known >= 0) & (known <= 1)).all())


def sweep_of(problem: Problem, trace: Trace, fitted: Any, prior: float, payoff: Mapping[str, float]) -> Sweep | None:
    """Return the sweep of a trace; None if it ended before there was a threshold.

    ``fitted`` scores the samples that the sweep has not scored, and a ``prior`` of 0 is the share in the data.
    """
    scored = [step for step in trace.steps if isinstance(step, ScoreStep)]
    passed = [step for step in trace.steps if isinstance(step, ThresholdStep)]
    if not passed or problem.y is None:
        return None
    learned = np.arange(len(problem.X)) if problem.test is None else np.flatnonzero(~problem.test)
    score = np.full(len(problem.X), np.nan)
    for step in scored:
        score[learned[step.rows]] = step.scores[:, 1]
    known = np.flatnonzero(~np.isnan(score))
    truth, scores = problem.y[known], score[known]
    rest = np.isnan(score)
    if rest.any():
        score[rest] = scores.min() if fitted is None else fitted.decision_function(problem.table(problem.X[rest]))
    roc = roc_curve(truth, scores)
    share = prior or roc.counts.n_positive / len(truth)
    lift = lift_curve(truth, scores, groups=min(GROUPS, len(truth)))
    shown, every = _thinned(passed, roc)
    worth = Payoff(**payoff, prior=share)
    return Sweep(scored, shown, score, known, learned, roc, pr_curve(truth, scores), lift, worth, every)


def _thinned(passed: list[ThresholdStep], roc: RocCurve) -> tuple[list[ThresholdStep], int]:
    """Return so many thresholds that the picture stays light: every few, and corners of the convex hull."""
    last = len(passed) - 1
    every = -(-last // MOST_THRESHOLDS)
    if every < 2:
        return passed, 1
    corners = [i for i in roc.hull[:: -(-len(roc.hull) // MOST_CORNERS)].tolist() if i < len(passed)]
    return [passed[i] for i in sorted({*range(0, last, every), *corners, last - 1, last})], every
