"""One round of AdaBoost, as a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from dmlib.arrays import Floats, Ints

LARGEST = 690.0
"""The exponential of larger numbers overflows."""


Phase = Literal["start", "reweight", "perfect", "stop"]


@dataclass(frozen=True)
class AdaBoostStep:
    """The start, or one round.

    Attributes
    ----------
    phase : {"start", "reweight", "perfect", "stop"}
        All rows weigh alike; a classifier was trained and the rows have new weights; it makes no
        error, which ends the run; it is no better than guessing, which ends the run.
    estimator : object or None
        The classifier of the round, fitted; None at the start.
    predicted : ndarray of shape (n_samples,)
        The class codes that it predicts for the training rows; empty at the start.
    error : float
        Its weighted error; NaN at the start.
    factor : float
        (1 - error) / error; infinite without an error, NaN at the start.
    alpha : float
        Half of its vote: for two classes and a learning rate of 1, half of the logarithm of the
        factor.
    before, weights : ndarray of shape (n_samples,)
        The weights that it was trained with, and the new ones; each sum to 1.
    n_draws : ndarray of shape (n_samples,) or None
        By resampling, how often each row was drawn.
    is_voting : bool
        Whether it votes.
    votes : ndarray of shape (n_samples, n_classes)
        The fraction of the votes so far for each class.
    bound : float
        The upper bound of the training error: the product of 2 sqrt(error (1 - error)), or its
        generalisation to other learning rates and many classes.
    estimator_weights, estimator_errors : ndarray of shape (n_kept,)
        The votes and the errors of all classifiers so far.
    """

    phase: Phase
    estimator: Any
    predicted: Ints
    error: float
    factor: float
    alpha: float
    before: Floats
    weights: Floats
    n_draws: Floats | None
    is_voting: bool
    votes: Floats
    bound: float
    estimator_weights: Floats
    estimator_errors: Floats

    @property
    def growth(self) -> float:
        """The factor of the weights of misclassified rows, with learning rate and classes."""
        return float(np.exp(min(2 * self.alpha, LARGEST)))

    @property
    def n_rounds(self) -> int:
        """The number of classifiers that vote."""
        return len(self.estimator_weights)

    @property
    def predictions(self) -> Ints:
        """The class codes that all classifiers so far predict for the training rows."""
        winners: Ints = self.votes.argmax(axis=1)
        return winners

    def margins(self, codes: Ints) -> Floats:
        """Return the margins: the vote for the class less the largest for another, -1 to 1."""
        rows = np.arange(len(codes))
        own, rivals = self.votes[rows, codes], self.votes.copy()
        rivals[rows, codes] = -1.0
        return own - (rivals.max(axis=1) if rivals.shape[1] > 1 else 0.0)
