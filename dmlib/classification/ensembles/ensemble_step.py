"""One tree that joins an ensemble, as a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from dmlib.arrays import Floats, Ints


@dataclass(frozen=True)
class EnsembleStep:
    """The empty ensemble of the start, or one that has grown by a classifier.

    Attributes
    ----------
    phase : {"start", "join"}
        There is no classifier yet; one was trained on its bag and votes.
    estimator : object or None
        The classifier that joined, fitted; None at the start.
    bag : ndarray of shape (n_drawn,)
        The rows that were drawn for it, in the order of the draws; empty at the start.
    columns : ndarray of shape (n_columns,)
        Its columns.
    votes : ndarray of shape (n_samples, n_classes)
        The mean class probabilities of each training row over all classifiers so far.
    oob_decision_function : ndarray of shape (n_samples, n_classes)
        The mean over those that were trained without the row; NaN where there is none.
    left_out : ndarray of shape (n_samples,)
        The number of classifiers so far that were trained without the row.
    feature_importances : ndarray of shape (n_features,)
        The mean importance of the columns so far; 0 where the classifiers have none.
    """

    phase: Literal["start", "join"]
    estimator: Any
    bag: Ints
    columns: Ints
    votes: Floats
    oob_decision_function: Floats
    left_out: Ints
    feature_importances: Floats

    @property
    def predictions(self) -> Ints:
        """The class codes that all classifiers so far predict for the training rows."""
        winners: Ints = self.votes.argmax(axis=1)
        return winners

    def error(self, codes: Ints) -> float:
        """Return the training error; NaN at the start."""
        return float((self.predictions != codes).mean()) if self.phase == "join" else np.nan

    def oob_error(self, codes: Ints) -> float:
        """Return the out-of-bag error; NaN where every row is in every bag."""
        judged = self.left_out > 0
        if not judged.any():
            return np.nan
        return float((self.oob_decision_function[judged].argmax(axis=1) != codes[judged]).mean())
