"""What a decision is worth: profit for every threshold, and the lines of equal profit in the ROC plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.evaluation.counts import quotient
from dmlib.evaluation.thresholds import ThresholdCounts, first_best, threshold_counts


@dataclass(frozen=True)
class Payoff:
    """What the four outcomes are worth, and how frequent positive rows are where the classifier is used.

    Parameters
    ----------
    benefit_tp : float
        What a true positive brings.
    benefit_tn : float
        What a true negative brings.
    cost_fp : float
        What a false positive costs.
    cost_fn : float
        What a false negative costs.
    prior : float
        The share of positive rows, strictly between 0 and 1.

    References
    ----------
    F. Provost and T. Fawcett (2001), Robust classification for imprecise environments, equation 1.

    Examples
    --------
    >>> payoff = Payoff(cost_fp=1, cost_fn=4, prior=0.2)
    >>> payoff.slope, payoff.profit(tpr=1.0, fpr=0.25)
    (1.0, -0.2)
    """

    benefit_tp: float = 0.0
    benefit_tn: float = 0.0
    cost_fp: float = 1.0
    cost_fn: float = 1.0
    prior: float = 0.5

    def __post_init__(self) -> None:
        values = (self.benefit_tp, self.benefit_tn, self.cost_fp, self.cost_fn)
        if not np.isfinite(values).all():
            raise ValueError("Benefits and costs must be finite numbers.")
        if not 0 < self.prior < 1:
            raise ValueError(
                f"prior must lie between 0 and 1, both excluded; it was {self.prior!r}."
            )

    @property
    def slope(self) -> float:
        """The slope of the lines of equal profit in the ROC plane.

        It is (1 - prior)(cost_fp + benefit_tn) / (prior (cost_fn + benefit_tp)): NaN if neither
        kind of row makes a difference, infinite if only the negative ones do.
        """
        wrong_alarm = (1 - self.prior) * (self.cost_fp + self.benefit_tn)
        return float(quotient(wrong_alarm, self.prior * (self.cost_fn + self.benefit_tp)))

    def profit(self, tpr: Any, fpr: Any) -> Any:
        """Return the expected profit of one row at a point of the ROC plane."""
        positive = tpr * self.benefit_tp - (1 - tpr) * self.cost_fn
        negative = (1 - fpr) * self.benefit_tn - fpr * self.cost_fp
        return self.prior * positive + (1 - self.prior) * negative


@dataclass(frozen=True, eq=False)
class ProfitCurve:
    """The expected profit at every threshold.

    Attributes
    ----------
    thresholds : ndarray of shape (n_thresholds,)
        Infinity, then the distinct scores from the highest.
    depth : ndarray of shape (n_thresholds,)
        The share of rows that is predicted positive where the prior holds.
    profit : ndarray of shape (n_thresholds,)
        The expected profit of one row.
    best : int
        The index of the best threshold; of equal ones, the highest.
    payoff : Payoff
        What the outcomes are worth.
    counts : ThresholdCounts
        TP, FP, TN, FN and all rates at each threshold.
    """

    thresholds: Floats
    depth: Floats
    profit: Floats
    best: int
    payoff: Payoff
    counts: ThresholdCounts


def profit_curve(
    y: ArrayLike,
    score: ArrayLike,
    *,
    benefit_tp: float = 1.0,
    benefit_tn: float = 0.0,
    cost_fp: float = 1.0,
    cost_fn: float = 0.0,
    prior: float | None = None,
    pos_label: Any = None,
) -> ProfitCurve:
    r"""Return the expected profit of one row for every threshold.

    With the prior :math:`\pi` it is :math:`\pi (TPR \, b_{TP} - FNR \, c_{FN}) + (1 - \pi)(TNR \,
    b_{TN} - FPR \, c_{FP})`. A mailing that costs c and brings b for each answer has ``benefit_tp =
    b - c`` and ``cost_fp = c``.

    Benefits, costs and prior are those of :class:`Payoff`, where by default the prior is the share
    of positive rows; the other parameters are those of :func:`dmlib.evaluation.threshold_counts`.

    References
    ----------
    F. Provost and T. Fawcett (2001), Robust classification for imprecise environments, section 3.

    Examples
    --------
    >>> curve = profit_curve([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1], benefit_tp=2)
    >>> curve.profit.round(3).tolist(), curve.thresholds[curve.best].item()
    ([0.0, 0.333, 0.667, 0.5, 0.833, 0.667, 0.5], 3.0)
    """
    counts = threshold_counts(y, score, pos_label=pos_label)
    share = counts.n_positive / len(counts.order) if prior is None else prior
    payoff = Payoff(benefit_tp, benefit_tn, cost_fp, cost_fn, share)
    tpr, fpr = counts.tpr, counts.fpr
    profit = payoff.profit(tpr, fpr)
    depth = share * tpr + (1 - share) * fpr
    return ProfitCurve(counts.thresholds, depth, profit, first_best(profit), payoff, counts)
