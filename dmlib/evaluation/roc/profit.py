"""Expected profit at each threshold, and the lines of equal profit in the ROC plane."""

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
    """Benefits and costs of the four outcomes, and the prior of the positive class in use.

    Parameters
    ----------
    benefit_tp : float
        The benefit of a true positive.
    benefit_tn : float
        The benefit of a true negative.
    cost_fp : float
        The cost of a false positive.
    cost_fn : float
        The cost of a false negative.
    prior : float
        The fraction of positive rows, strictly between 0 and 1.

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

        It is (1 - prior)(cost_fp + benefit_tn) / (prior (cost_fn + benefit_tp)): NaN if no decision
        makes a difference, infinite if only those on negative rows do.
        """
        negative = (1 - self.prior) * (self.cost_fp + self.benefit_tn)
        positive = self.prior * (self.cost_fn + self.benefit_tp)
        return float(quotient(negative, positive))

    def profit(self, tpr: Any, fpr: Any) -> Any:
        """Return the expected profit of one row at a point of the ROC plane."""
        positive = tpr * self.benefit_tp - (1 - tpr) * self.cost_fn
        negative = (1 - fpr) * self.benefit_tn - fpr * self.cost_fp
        return self.prior * positive + (1 - self.prior) * negative


@dataclass(frozen=True, eq=False)
class ProfitCurve:
    """The expected profit at each threshold.

    Attributes
    ----------
    thresholds : ndarray of shape (n_thresholds,)
        Infinity, then the distinct scores from the highest.
    depth : ndarray of shape (n_thresholds,)
        The fraction of rows that is predicted positive under the prior.
    profit : ndarray of shape (n_thresholds,)
        The expected profit of one row.
    best : int
        The index of the optimal threshold; of several, the highest.
    payoff : Payoff
        Benefits, costs and prior.
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
    r"""Return the expected profit of one row at each threshold.

    With the prior :math:`\pi` it is :math:`\pi (TPR \, b_{TP} - FNR \, c_{FN}) + (1 - \pi)(TNR \,
    b_{TN} - FPR \, c_{FP})`. A mailing that costs c and brings b for each answer has ``benefit_tp =
    b - c`` and ``cost_fp = c``.

    Benefits, costs and prior are those of :class:`Payoff`; by default the prior is the fraction of
    positive rows. All further parameters are those of :func:`dmlib.evaluation.threshold_counts`.

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
    prior = counts.n_positive / len(counts.order) if prior is None else prior
    payoff = Payoff(benefit_tp, benefit_tn, cost_fp, cost_fn, prior)
    profit = payoff.profit(counts.tpr, counts.fpr)
    depth = prior * counts.tpr + (1 - prior) * counts.fpr
    return ProfitCurve(counts.thresholds, depth, profit, first_best(profit), payoff, counts)
