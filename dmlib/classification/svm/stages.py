"""Predictions of a support vector machine at each step of its training."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import gen_batches
from sklearn.utils.validation import validate_data

from dmlib.classification.svm.svm_step import SVCStep

MAX_VALUES = 25_000_000
"""Numbers of a kernel matrix that are in memory at once: 200 MB."""


class MachineStages(BaseEstimator):
    """Mixin of support vector classifiers: the predictions of one machine while it is trained."""

    classes_: NDArray[Any]

    def predict_at(self, steps: Sequence[SVCStep], X: Any) -> Iterator[NDArray[Any] | None]:
        """Yield the class of each row at each of these steps.

        None where there is no machine for two classes yet: while all multipliers are 0, and where
        several machines vote or their kernel is a matrix.
        """
        kernel = steps[0].kernel if len(steps) and len(self.classes_) == 2 else None
        if kernel is None:
            yield from [None] * len(steps)
            return
        rows = steps[0].X
        rows_to_predict = validate_data(self, X, reset=False, dtype=np.float64)
        dual = np.array([step.sign * step.alpha for step in steps])
        b = np.array([step.b for step in steps])
        size = max(MAX_VALUES // max(len(rows), len(steps)), 1)
        wins = [
            kernel(rows_to_predict[block], rows) @ dual.T + b >= 0
            for block in gen_batches(len(rows_to_predict), size)
        ]
        for step, winner in zip(steps, np.vstack(wins).T, strict=True):
            yield self.classes_[winner.astype(np.intp)] if step.alpha.any() else None
