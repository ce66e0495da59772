"""Cumulative gains and lift of the best scored rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats
from dmlib.evaluation.counts import quotient
from dmlib.evaluation.thresholds import ThresholdCounts, threshold_counts

N_GROUPS = 10


@dataclass(frozen=True, eq=False)
class LiftTable:
    """Gains and lift of groups of equal size, the highest scores first.

    Attributes
    ----------
    n : ndarray of shape (n_groups,)
        The number of rows of each group.
    cum_n : ndarray of shape (n_groups,)
        The number of rows up to each group.
    cum_positives : ndarray of shape (n_groups,)
        The number of positive rows among them. Where a border cuts tied scores, the mean over all
        orders of the ties.
    tied : ndarray of shape (n_groups,)
        Whether the border after the group cuts tied scores.
    gain : ndarray of shape (n_groups,)
        The fraction of all positive rows up to each group.
    lift : ndarray of shape (n_groups,)
        The gain divided by the fraction of the rows.
    group_lift : ndarray of shape (n_groups,)
        The lift of each group alone.
    """

    n: NDArray[np.intp]
    cum_n: NDArray[np.intp]
    cum_positives: Floats
    tied: NDArray[np.bool_]
    gain: Floats
    lift: Floats
    group_lift: Floats


@dataclass(frozen=True, eq=False)
class LiftCurve:
    """A cumulative gains curve and its lift.

    Attributes
    ----------
    depth : ndarray of shape (n_thresholds,)
        The fraction of the rows that is predicted positive, from 0 to 1.
    gain : ndarray of shape (n_thresholds,)
        The fraction of the positive rows that is predicted positive (recall).
    lift : ndarray of shape (n_thresholds,)
        Gain over depth; NaN where no row is predicted positive.
    thresholds : ndarray of shape (n_thresholds,)
        Infinity, then the distinct scores from the highest.
    base_rate : float
        The fraction of positive rows.
    table : LiftTable
        The same for groups of equal size (ten: deciles).
    counts : ThresholdCounts
        TP, FP, TN, FN and all rates at each threshold.
    """

    depth: Floats
    gain: Floats
    lift: Floats
    thresholds: Floats
    base_rate: float
    table: LiftTable
    counts: ThresholdCounts


def lift_curve(
    y: ArrayLike, score: ArrayLike, *, groups: int | None = None, pos_label: Any = None
) -> LiftCurve:
    """Return cumulative gains and lift, at each threshold and for groups of equal size.

    The table has by default ten groups, or one for each row if there are fewer. If the rows cannot
    be divided evenly, the first k groups together have k / groups of the rows, rounded up. All
    further parameters are those of :func:`dmlib.evaluation.threshold_counts`.

    References
    ----------
    I. H. Witten, E. Frank and M. A. Hall (2011), Data mining, section 5.7 (lift charts).

    Examples
    --------
    >>> curve = lift_curve([1, 1, 0, 1, 0, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1], groups=4)
    >>> curve.table.cum_positives.tolist(), curve.table.lift.round(3).tolist()
    ([2.0, 3.0, 3.0, 3.0], [2.667, 2.0, 1.333, 1.0])
    """
    counts = threshold_counts(y, score, pos_label=pos_label)
    n_samples, n_positive = len(counts.order), counts.n_positive
    groups = min(N_GROUPS, n_samples) if groups is None else groups
    if not 1 <= groups <= n_samples:
        raise ValueError(
            f"groups must be a whole number from 1 to the number of rows, {n_samples}; it was"
            f" {groups}."
        )
    depth = counts.ends / n_samples
    gain = counts.tp / n_positive
    return LiftCurve(
        depth=depth,
        gain=gain,
        lift=quotient(gain, depth),
        thresholds=counts.thresholds,
        base_rate=n_positive / n_samples,
        table=_table(counts, int(groups)),
        counts=counts,
    )


def _table(counts: ThresholdCounts, groups: int) -> LiftTable:
    n_samples, n_positive = len(counts.order), counts.n_positive
    cum_n = -(-np.arange(1, groups + 1) * n_samples // groups)
    n = np.diff(cum_n, prepend=0)
    cum_positives = np.interp(cum_n, counts.ends, counts.tp)
    gain = cum_positives / n_positive
    return LiftTable(
        n=n,
        cum_n=cum_n,
        cum_positives=cum_positives,
        tied=~np.isin(cum_n, counts.ends),
        gain=gain,
        lift=gain * n_samples / cum_n,
        group_lift=np.diff(cum_positives, prepend=0.0) / n_positive * n_samples / n,
    )
