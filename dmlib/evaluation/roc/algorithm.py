"""The ROC curve: true against false positive rate, for every threshold."""

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
        """The largest height above the diagonal, max(TPR - FPR): Youden's J, and the Kolmogorov-Smirnov distance."""
        return float((self.tpr - self.fpr).max())

    @cached_property
    def hull(self) -> NDArray[np.intp]:
        """The thresholds (their indices) at the corners of the upper convex hull; the others are never the best."""
        x, y = self.counts.fp.tolist(), self.counts.tp.tolist()
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
        """Return the index of the threshold that maximises TPR - slope * FPR; of equal ones, the highest.

        Parameters
        ----------
        slope : float, default=1.0
            The slope of the iso-performance lines (see :class:`dmlib.evaluation.Payoff`); 1 gives
            Youden's choice.
        """
        if np.isinf(
            slope
        ):  # a false positive costs everything: as many true ones as there are without any
            return int(np.argmax(np.where(self.fpr == 0, self.tpr, -1.0)))
        return first_best(self.tpr - slope * self.fpr)

    def standard_error(self) -> float:
        """Return the standard error of the AUC, from the placement of each row among the rows of the other class.

        References
        ----------
        E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson (1988), Comparing the areas under two or
        more correlated receiver operating characteristic curves.
        """
        m, n, auc = self.counts.n_positive, self.counts.n_negative, self.auc
        if min(m, n) < 2:
            raise ValueError("The standard error needs at least 2 rows of each class.")
        # a positive row beats the negatives below it and half of those at its height; a negative
        # row likewise
        beaten = 1 - (self.fpr[1:] + self.fpr[:-1]) / 2
        beating = (self.tpr[1:] + self.tpr[:-1]) / 2
        of_positives = np.diff(self.counts.tp) @ (beaten - auc) ** 2 / (m - 1)
        of_negatives = np.diff(self.counts.fp) @ (beating - auc) ** 2 / (n - 1)
        return float(np.sqrt(of_positives / m + of_negatives / n))


def roc_curve(
    y: ArrayLike, score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> RocCurve:
    r"""Return the ROC curve of scores and the area under it.

    The area is the share of the pairs of a positive and a negative row in which the positive one
    has the higher score, a tie counting one half: :math:`AUC = U / (m n)` with the Mann-Whitney
    statistic U.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        The true classes.
    score : array-like of shape (n_samples,)
        The higher, the more positive a row looks.
    pos_label : optional
        The positive class; by default the second of two.
    sample_weight : array-like of shape (n_samples,), optional
        How much each row counts.

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
    fpr, tpr = counts.fpr, counts.tpr
    return RocCurve(fpr, tpr, counts.thresholds, float(np.trapezoid(tpr, fpr)), counts)
