"""The lift curve: how many more positive rows the best scored rows hold than randomly drawn rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats
from dmlib.evaluation.counts import quotient
from dmlib.evaluation.thresholds import ThresholdCounts, threshold_counts

GROUPS = 10


@dataclass(frozen=True, eq=False)
class LiftTable:
    """The rows cut into groups of equal size, the highest scores first.

    Attributes
    ----------
    n : ndarray of shape (n_groups,)
        The rows of each group.
    cum_n : ndarray of shape (n_groups,)
        The rows of this group and those before it.
    cum_positives : ndarray of shape (n_groups,)
        The positive rows among them. Where a border cuts a group of tied scores, the mean over all
        orders of the ties.
    tied : ndarray of shape (n_groups,)
        Whether the border after the group cuts tied scores.
    gain : ndarray of shape (n_groups,)
        The share of all positive rows that is found so far.
    lift : ndarray of shape (n_groups,)
        The gain over the share of rows: the share of positive rows so far over their share in all
        rows.
    group_lift : ndarray of shape (n_groups,)
        The same of this group alone.
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
        The share of the rows that is predicted positive, from 0 to 1.
    gain : ndarray of shape (n_thresholds,)
        The share of the positive rows that is found (recall).
    lift : ndarray of shape (n_thresholds,)
        Gain over depth; NaN where no row is predicted positive.
    thresholds : ndarray of shape (n_thresholds,)
        Infinity, then the distinct scores from the highest.
    base_rate : float
        The share of positive rows in all rows.
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
    """Return cumulative gains and lift, at every threshold and for groups of equal size.

    The table has so many groups, by default ten, or one for each row if there are fewer. If the
    rows cannot be shared out evenly, the first k groups together hold k shares, rounded up. The
    other parameters are those of
    :func:`dmlib.evaluation.threshold_counts`.

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
    groups = min(GROUPS, n_samples) if groups is None else groups
    if not 1 <= groups <= n_samples:
        raise ValueError(
            f"groups must be a whole number from 1 to the number of rows, {n_samples}; it was"
            f" {groups}."
        )
    depth = counts.ends / n_samples
    gain = counts.tp / n_positive
    return LiftCurve(
        depth,
        gain,
        quotient(gain, depth),
        counts.thresholds,
        n_positive / n_samples,
        _table(counts, int(groups)),
        counts,
    )


def _table(counts: ThresholdCounts, groups: int) -> LiftTable:
    n_samples, n_positive = len(counts.order), counts.n_positive
    cum_n = -(-np.arange(1, groups + 1) * n_samples // groups)
    n = np.diff(cum_n, prepend=0)
    found = np.interp(cum_n, counts.ends, counts.tp)
    gain = found / n_positive
    return LiftTable(
        n,
        cum_n,
        found,
        ~np.isin(cum_n, counts.ends),
        gain,
        gain * n_samples / cum_n,
        np.diff(found, prepend=0.0) / n_positive * n_samples / n,
    )
