"""Quadratic and informational losses of an ensemble: on training rows, out of bag, on test rows."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.ensembles.ensemble_step import EnsembleStep
from dmlib.classification.ensembles.voting import VotingClassifier
from dmlib.evaluation.losses import informational_losses, quadratic_losses
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4
from dmlib.problem import Problem

LOSSES = {"error": "Error", "quadratic": "Quadratic loss", "informational": "Informational loss"}


class ProbabilityLoss:
    """A loss of the probabilities that the classifiers of a run predict together.

    Parameters
    ----------
    run : Run
        The run.
    name : {"quadratic", "informational"}
        The loss.
    """

    def __init__(self, run: Run[Problem, VotingClassifier], name: str) -> None:
        self.run, self.name = run, name
        self.n_classes = len(run.problem.classes)
        self.codes = np.asarray(run.problem.training.y)

    def of_rows(self, codes: Any, shares: Floats) -> Floats:
        """Return the loss of each row for its class, shape (n_samples,)."""
        # a class without a training row has no column, and the probability 0
        probabilities = np.zeros((len(shares), self.n_classes))
        probabilities[:, self.run.fitted.classes_] = shares
        losses = quadratic_losses if self.name == "quadratic" else informational_losses
        return losses(codes, probabilities, labels=np.arange(self.n_classes))

    def out_of_bag(self, step: EnsembleStep) -> Floats:
        """Return the loss of each training row out of bag; NaN for rows without a vote."""
        values = np.full(len(self.codes), np.nan)
        judged = step.left_out > 0
        if judged.any():
            values[judged] = self.of_rows(self.codes[judged], step.oob_decision_function[judged])
        return values

    def text(self, mean: float) -> str:
        """Return what a caption says of the mean loss out of bag."""
        unit = " bits" if self.name == "informational" else ""
        loss = "infinite" if np.isinf(mean) else num4(mean) + unit
        return f"the out-of-bag {self.name} loss is {loss}"

    def by_step(self) -> dict[str, Floats]:
        """Return the mean losses after each step, as the error rates are named; NaN at first."""
        steps, testing = self.run.trace.steps[1:], self.run.problem.testing
        losses = {
            "training": [self.of_rows(self.codes, step.votes) for step in steps],
            "out-of-bag": [self.out_of_bag(step) for step in steps],
        }
        if testing is not None:
            totals = accumulate(self.run.fitted.each_predict_proba(testing.data))
            means = (total / number for number, total in enumerate(totals, 1))
            losses["test"] = [self.of_rows(testing.y, shares) for shares in means]
        return {
            name: np.array([np.nan, *(mean_of(each) for each in values)])
            for name, values in losses.items()
        }


def mean_of(losses: Floats) -> float:
    """Return the mean of losses that are known; NaN where none is."""
    known = losses[~np.isnan(losses)]
    return float(known.mean()) if len(known) else np.nan
