"""One model that joins an ensemble of regressors, as a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from dmlib.arrays import Floats, Ints

Phase = Literal["start", "join"]


@dataclass(frozen=True)
class BagStep:
    """The empty ensemble of the start, or one that has grown by a model.

    Attributes
    ----------
    phase : {"start", "join"}
        There is no model yet; one was trained on its bag and is averaged with the models before it.
    estimator : object or None
        The model that joined, fitted; None at the start.
    bag : ndarray of shape (n_drawn,)
        The rows that were drawn for it, in the order of the draws; empty at the start.
    fitted : ndarray of shape (n_samples,)
        The mean prediction of each training row; at the start the mean of the targets.
    oob_prediction : ndarray of shape (n_samples,)
        The mean over the models whose bag lacks the row; NaN where there is none.
    left_out : ndarray of shape (n_samples,)
        The number of these models.
    training_error, oob_error : float
        The mean squared errors of both; NaN as long as no row was left out.
    """

    phase: Phase
    estimator: Any
    bag: Ints
    fitted: Floats
    oob_prediction: Floats
    left_out: Ints
    training_error: float
    oob_error: float

    @classmethod
    def of(
        cls,
        phase: Phase,
        estimator: Any,
        bag: Ints,
        fitted: Floats,
        oob_deviations: Floats,
        left_out: Ints,
        y: Floats,
    ) -> BagStep:
        """Return a step with its errors, of sums of out-of-bag predictions minus ``y``."""
        is_judged = left_out > 0
        oob = np.full(len(y), np.nan)
        # from the target: the mean of predictions that are equal to it is exact
        oob[is_judged] = y[is_judged] + oob_deviations[is_judged] / left_out[is_judged]
        oob_error = float(((y - oob)[is_judged] ** 2).mean()) if is_judged.any() else float("nan")
        error = float(((y - fitted) ** 2).mean())
        return cls(phase, estimator, bag, fitted, oob, left_out, error, oob_error)
