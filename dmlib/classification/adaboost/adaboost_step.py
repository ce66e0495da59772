"""One round of AdaBoost, as a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlib.arrays import Floats, Ints

LARGEST = 690.0
"""The exponential of more is no computer number."""


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
        The weight of the rows that it misclassifies; NaN at the start.
    factor : float
        (1 - error) / error; infinite without an error, NaN at the start.
    alpha : float
        Half of its vote: for two classes and a learning rate of 1, half of the logarithm of the
        factor.
    before, weights : ndarray of shape (n_samples,)
        The weights that it was trained with, and the new ones; each sum to 1.
    drawn : ndarray of shape (n_samples,) or None
        By resampling, how often each row was drawn.
    kept : bool
        Whether it votes.
    votes : ndarray of shape (n_samples, n_classes)
        The share of the votes so far that each class has, for the training rows.
    bound : float
        The upper bound of the training error: the product of 2 sqrt(error (1 - error)), or what
        takes its place with another learning rate or many classes.
    estimator_weights, estimator_errors : ndarray of shape (n_kept,)
        The votes and the errors of all classifiers so far.
    """

    phase: str
    estimator: Any
    predicted: Ints
    error: float
    factor: float
    alpha: float
    before: Floats
    weights: Floats
    drawn: Floats | None
    kept: bool
    votes: Floats
    bound: float
    estimator_weights: Floats
    estimator_errors: Floats

    @property
    def growth(self) -> float:
        """By what the weights of misclassified rows are multiplied: the factor, for two classes and the usual vote."""
        return float(np.exp(min(2 * self.alpha, LARGEST)))

    @property
    def said(self) -> Ints:
        """The class codes that all classifiers so far predict for the training rows."""
        winners: Ints = self.votes.argmax(axis=1)
        return winners

    def margins(self, codes: Ints) -> Floats:
        """Return the margins of the training rows: the vote for their class less the largest for another, -1 to 1."""
        rows = np.arange(len(codes))
        own, others = self.votes[rows, codes], self.votes.copy()
        others[rows, codes] = -1.0
        return own - (others.max(axis=1) if others.shape[1] > 1 else 0.0)
