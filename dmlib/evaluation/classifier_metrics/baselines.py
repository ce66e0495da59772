"""Baselines that a classifier must beat: ZeroR and random guessing."""

from __future__ import annotations

import numpy as np

from dmlib.evaluation.classifier_metrics.confusion import Confusion, summary


def zero_r(result: Confusion) -> Confusion:
    """Return the confusion matrix of ZeroR, which predicts the most frequent true class.

    Examples
    --------
    >>> from dmlib.evaluation import confusion
    >>> zero_r(confusion([0, 0, 0, 1, 1], [0, 1, 0, 1, 1])).matrix.tolist()
    [[3, 0], [2, 0]]
    """
    matrix = np.zeros_like(result.matrix)
    true = result.matrix.sum(axis=1)
    matrix[:, true.argmax()] = true
    return summary(matrix, result.labels, None)


def random_guessing(result: Confusion) -> Confusion:
    """Return the expected confusion matrix of as many random predictions; its kappa is 0.

    Examples
    --------
    >>> from dmlib.evaluation import confusion
    >>> random_guessing(confusion([0, 0, 0, 1, 1], [0, 1, 0, 1, 1])).matrix.round(2).tolist()
    [[1.2, 1.8], [0.8, 1.2]]
    """
    true = result.matrix.sum(axis=1)
    predicted = result.matrix.sum(axis=0) / max(float(result.n), 1.0)
    return summary(np.outer(true, predicted), result.labels, None)
