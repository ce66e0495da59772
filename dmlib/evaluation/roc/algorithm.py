"""The ROC curve: true against false positive rate at each threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.evaluation.thresholds import ThresholdCounts, first_best, threshold_counts


@dataclass(frozen=True, eq=False)
class RocCurve:
    """A ROC curve.

    Attributes
    ----------
    fpr : ndarray of shape (n_thresholds,)
        False positive rates, from 0 to 1.
    tpr : ndarray of shape (n_thresholds,)
        True positive rates (recall), from 0 to 1.
    thresholds : ndarray of shape (n_thresholds,)
        Infinity, then the distinct scores from the highest.
    auc : float
        The area under the curve.
    counts : ThresholdCounts
        TP, FP, TN, FN and all rates at each threshold.
    """

    fpr: Floats
    tpr: Floats
    thresholds: Floats
    auc: float
    counts: ThresholdCounts

    @property
    def gini(self) -> float:
        """Twice the area between the curve and the diagonal: 2 AUC - 1."""
        return 2 * self.auc - 1

    @property
    def ks(self) -> float:
        """The largest height above the diagonal, max(TPR - FPR): Youden's J, Kolmogorov-Smirnov."""
        return float((self.tpr - self.fpr).max())

    @cached_property
    def hull(self) -> NDArray[np.intp]:
        """The indices of the thresholds at the corners of the upper convex hull.

        Only they can be optimal, whatever the costs.
        """
        x = self.counts.fp.tolist()
        y = self.counts.tp.tolist()
        corners: list[int] = []
        for i in range(len(x)):
            while len(corners) > 1:
                a, b = corners[-2:]
                if (x[b] - x[a]) * (y[i] - y[a]) < (y[b] - y[a]) * (x[i] - x[a]):
                    break
                corners.pop()
            corners.append(i)
        return np.array(corners, np.intp)

    def best(self, slope: float = 1.0) -> int:
        """Return the index of the highest threshold that maximises TPR - slope * FPR.

        Parameters
        ----------
        slope : float, default=1.0
            The slope of the iso-performance lines (see :class:`dmlib.evaluation.Payoff`); 1 gives
            Youden's choice.
        """
        if np.isinf(slope):  # the largest TPR without any false positive
            return int(np.argmax(np.where(self.fpr == 0, self.tpr, -1.0)))
        return first_best(self.tpr - slope * self.fpr)

    def standard_error(self) -> float:
        """Return the standard error of the AUC, from the rank of each row in the opposite class.

        References
        ----------
        E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson (1988), Comparing the areas under two or
        more correlated receiver operating characteristic curves.
        """
        m, n, auc = self.counts.n_positive, self.counts.n_negative, self.auc
        if min(m, n) < 2:
            raise ValueError("The standard error needs at least 2 rows of each class.")
        # Fractions of the opposite class that rows outrank, ties counting one half
        beaten = 1 - (self.fpr[1:] + self.fpr[:-1]) / 2
        beating = (self.tpr[1:] + self.tpr[:-1]) / 2
        of_positives = np.diff(self.counts.tp) @ (beaten - auc) ** 2 / (m - 1)
        of_negatives = np.diff(self.counts.fp) @ (beating - auc) ** 2 / (n - 1)
        return float(np.sqrt(of_positives / m + of_negatives / n))


def roc_curve(
    y: ArrayLike, score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> RocCurve:
    r"""Return the ROC curve of scores and the area under it.

    The area is the fraction of the pairs of a positive and a negative row in which the positive row
    has the higher score, ties counting one half: :math:`AUC = U / (m n)` with the Mann-Whitney
    statistic U.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        The true classes.
    score : array-like of shape (n_samples,)
        The score of each row: the higher, the more positive.
    pos_label : optional
        The positive class; by default the second of two.
    sample_weight : array-like of shape (n_samples,), optional
        The weights of the rows.

    Returns
    -------
    RocCurve
        The curve; ``fpr``, ``tpr`` and ``thresholds`` are those of scikit-learn with
        ``drop_intermediate=False``.

    Raises
    ------
    ValueError
        If there are not two classes, or not one finite score for each row.

    Notes
    -----
    O(n log n). The first threshold is infinite: no row is predicted positive. Tied rows pass
    together, which draws a slanted piece.

    References
    ----------
    T. Fawcett (2006), An introduction to ROC analysis, algorithms 1 and 3.

    Examples
    --------
    >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.fpr.tolist(), curve.tpr.tolist(), curve.auc
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0], 0.75)
    """
    counts = threshold_counts(y, score, pos_label=pos_label, sample_weight=sample_weight)
    auc = float(np.trapezoid(counts.tpr, counts.fpr))
    return RocCurve(counts.fpr, counts.tpr, counts.thresholds, auc, counts)
