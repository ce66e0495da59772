"""What is reached without knowing anything: the least that a classifier must beat."""

from __future__ import annotations

import numpy as np

from dmlib.evaluation.classifier_metrics.confusion import Confusion, summary


def zero_r(result: Confusion) -> Confusion:
    """Return the confusion matrix of ZeroR: every row is called the most frequent of the true classes.

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


def by_lot(result: Confusion) -> Confusion:
    """Return the confusion matrix that is expected if each class is called as often, but at random; its kappa is 0.

    Examples
    --------
    >>> from dmlib.evaluation import confusion
    >>> by_lot(confusion([0, 0, 0, 1, 1], [0, 1, 0, 1, 1])).matrix.round(2).tolist()
    [[1.2, 1.8], [0.8, 1.2]]
    """
    true, called = result.matrix.sum(axis=1), result.matrix.sum(axis=0)
    return summary(np.outer(true, called / max(float(result.n), 1.0)), result.labels, None)
