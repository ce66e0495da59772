"""The precision-recall curve: precision against recall at each threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.evaluation.thresholds import ThresholdCounts, threshold_counts


@dataclass(frozen=True, eq=False)
class PrCurve:
    """A precision-recall curve.

    Attributes
    ----------
    precision : ndarray of shape (n_thresholds + 1,)
        Precision at each threshold, and 1 at the end by convention: nothing is predicted positive
        there.
    recall : ndarray of shape (n_thresholds + 1,)
        Recall at each threshold, and 0 at the end.
    thresholds : ndarray of shape (n_thresholds,)
        The distinct scores, from the lowest.
    average_precision : float
        The sum of the precisions, each weighted by the gain in recall: a step-wise area.
    counts : ThresholdCounts
        TP, FP, TN, FN and all rates, from the highest threshold.
    """

    precision: Floats
    recall: Floats
    thresholds: Floats
    average_precision: float
    counts: ThresholdCounts

    @property
    def base_rate(self) -> float:
        """The fraction of positive rows: the precision if all rows are predicted positive."""
        return float(self.precision[0])

    @property
    def break_even(self) -> float:
        """The value at which precision and recall are equal."""
        n_positive = self.counts.n_positive
        predicted = self.counts.tp + self.counts.fp
        return float(np.interp(n_positive, predicted, self.counts.tp) / n_positive)


def pr_curve(
    y: ArrayLike, score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> PrCurve:
    r"""Return precision and recall at each threshold.

    The average precision is :math:`\sum_k (R_k - R_{k-1}) P_k`. Trapeziums would be too optimistic:
    between two thresholds precision does not run along a straight line.

    The curve is in the order of scikit-learn's ``precision_recall_curve``: from the lowest
    threshold. The parameters are those of :func:`dmlib.evaluation.threshold_counts`.

    References
    ----------
    J. Davis and M. Goadrich (2006), The relationship between precision-recall and ROC curves,
    section 4.

    Examples
    --------
    >>> curve = pr_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.precision.round(3).tolist(), curve.recall.tolist(), round(curve.average_precision, 4)
    ([0.5, 0.667, 0.5, 1.0, 1.0], [1.0, 1.0, 0.5, 0.5, 0.0], 0.8333)
    """
    counts = threshold_counts(y, score, pos_label=pos_label, sample_weight=sample_weight)
    precision = np.append(np.nan_to_num(counts.precision[:0:-1]), 1.0)
    recall = np.append(counts.recall[:0:-1], 0.0)
    average = float(-np.diff(recall) @ precision[:-1])
    return PrCurve(precision, recall, counts.thresholds[:0:-1], average, counts)
