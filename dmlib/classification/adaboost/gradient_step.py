"""One round of gradient boosting, as a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.classification.adaboost.residual_tree import ResidualTree

Phase = Literal["start", "boost"]


@dataclass(frozen=True)
class GradientBoostingStep:
    """The start, or one round.

    Attributes
    ----------
    phase : {"start", "boost"}
        All rows have the decision values of the prior; trees of the residuals were added.
    trees : tuple of ResidualTree
        The trees of the round: one for two classes, else one for each class; none at the start.
    residuals : ndarray of shape (n_samples, n_trees)
        Their targets: 1 or 0 for the class, less its probability.
    before, raw : ndarray of shape (n_samples, n_trees)
        The decision values before and after the round.
    probabilities : ndarray of shape (n_samples, n_classes)
        The probabilities of the classes after it.
    train_score : ndarray of shape (n_rounds,)
        The loss after each round so far.
    init_score : ndarray of shape (n_trees,)
        The decision values of the start.
    """

    phase: Phase
    trees: tuple[ResidualTree, ...]
    residuals: Floats
    before: Floats
    raw: Floats
    probabilities: Floats
    train_score: Floats
    init_score: Floats

    @property
    def n_rounds(self) -> int:
        """The number of rounds so far."""
        return len(self.train_score)

    @property
    def predictions(self) -> NDArray[np.intp]:
        """The class codes that are predicted so far for the training rows."""
        if self.raw.shape[1] == 1 and self.probabilities.shape[1] == 2:
            return (self.raw[:, 0] > 0).astype(np.intp)
        winners: NDArray[np.intp] = self.probabilities.argmax(axis=1)
        return winners

    def margins(self, codes: NDArray[np.intp]) -> Floats:
        """Return the probability of each row's class less the largest of another, from -1 to 1."""
        rows = np.arange(len(codes))
        own, rivals = self.probabilities[rows, codes], self.probabilities.copy()
        rivals[rows, codes] = -1.0
        return own - (rivals.max(axis=1) if rivals.shape[1] > 1 else 0.0)
