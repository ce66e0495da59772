"""Counts by decision threshold, of which ROC, precision-recall, lift and profit curves are made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats
from dmlib.evaluation.classes import class_list, positive_code
from dmlib.evaluation.counts import Counts

Phase = Literal["start", "threshold", "done"]


@dataclass(frozen=True, eq=False)
class ThresholdCounts(Counts):
    """TP, FP, TN and FN for each distinct threshold, from the highest; the rates are arrays.

    Parameters
    ----------
    thresholds : ndarray of shape (n_thresholds,)
        Infinity, then the distinct scores from the highest. A row is predicted positive if its
        score is at least the threshold.
    order : ndarray of shape (n_samples,)
        The rows by falling score; rows with equal scores in the order of the table.
    ends : ndarray of shape (n_thresholds,)
        The number of rows of ``order`` that are predicted positive.
    positive : ndarray of shape (n_samples,)
        Whether each row is positive.
    """

    thresholds: Floats
    order: NDArray[np.intp]
    ends: NDArray[np.intp]
    positive: NDArray[np.bool_]

    @property
    def n_positive(self) -> Any:
        """The number (or weight) of positive rows."""
        return self.tp[-1]

    @property
    def n_negative(self) -> Any:
        """The number (or weight) of negative rows."""
        return self.fp[-1]


@dataclass(frozen=True, eq=False)
class ThresholdStep(Counts):
    """The threshold passes one row, or one group of rows with the same score.

    Parameters
    ----------
    phase : {"start", "threshold", "done"}
        Nothing is predicted positive yet; the threshold fell to the next score; it is below all
        scores.
    threshold : float
        The threshold; infinite at the start.
    rows : ndarray of shape (n_rows,)
        The rows that are predicted positive from this threshold on.
    area : float
        The area under the ROC curve so far, in pairs of a positive and a negative row: the pairs in
        which the positive row has the higher score, and half of the ties. Over all pairs it is the
        AUC.
    average_precision : float
        The step-wise area under the precision-recall curve so far.
    """

    phase: Phase
    threshold: float
    rows: NDArray[np.intp]
    area: float
    average_precision: float

    @property
    def auc(self) -> float:
        """The area under the ROC curve so far."""
        return float(self.area / ((self.tp + self.fn) * (self.fp + self.tn)))


def threshold_counts(
    y: ArrayLike, score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> ThresholdCounts:
    """Count TP, FP, TN and FN for each threshold.

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
    ThresholdCounts
        One entry for infinity and for each distinct score.

    Raises
    ------
    ValueError
        If there are not two classes, or not one finite score for each row.

    Notes
    -----
    O(n log n) for sorting. Rows with the same score pass the threshold together.

    References
    ----------
    T. Fawcett (2006), An introduction to ROC analysis, algorithm 1.

    Examples
    --------
    >>> counts = threshold_counts([1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1])
    >>> counts.thresholds.tolist(), counts.tp.tolist(), counts.fp.tolist()
    ([inf, 0.9, 0.8, 0.1], [0, 1, 2, 2], [0, 0, 1, 2])
    """
    positive, scores = two_classes(y, score, pos_label)
    order = np.argsort(-scores, kind="stable")
    ranked = positive[order]
    falling = scores[order]
    last = np.append(np.flatnonzero(falling[1:] != falling[:-1]), len(falling) - 1)
    if sample_weight is None:
        tp = np.cumsum(ranked)[last]
        fp = last + 1 - tp
    else:
        weight = _weights(sample_weight, len(order))[order]
        tp = np.cumsum(weight * ranked)[last]
        fp = np.cumsum(weight * ~ranked)[last]
        if not (tp[-1] and fp[-1]):
            raise ValueError(
                "All rows of one class have the weight 0. Give rows of both classes a weight"
                " above 0."
            )
    tp, fp, ends = (np.concatenate([[0], values]) for values in (tp, fp, last + 1))
    thresholds = np.concatenate([[np.inf], falling[last]])
    return ThresholdCounts(tp, fp, fp[-1] - fp, tp[-1] - tp, thresholds, order, ends, positive)


def threshold_steps(
    y: ArrayLike, score: ArrayLike, *, pos_label: Any = None
) -> Iterator[ThresholdStep]:
    """Let the threshold fall from infinity to the lowest score.

    There is a step for each entry of :func:`threshold_counts`, whose parameters these are.

    Examples
    --------
    >>> for step in threshold_steps([1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1]):
    ...     print(step.threshold, step.tp, step.fp, step.area, round(step.average_precision, 3))
    inf 0 0 0.0 0.0
    0.9 1 0 0.0 0.5
    0.8 2 1 1.5 0.833
    0.1 2 2 3.5 0.833
    """
    counts = threshold_counts(y, score, pos_label=pos_label)
    area = average_precision = 0.0
    tp_before = fp_before = start = 0
    for i, threshold in enumerate(counts.thresholds.tolist()):
        tp, fp, tn, fn = (int(values[i]) for values in (counts.tp, counts.fp, counts.tn, counts.fn))
        area += (fp - fp_before) * (tp_before + tp) / 2
        if tp > tp_before:
            average_precision += (tp - tp_before) / (tp + fn) * tp / (tp + fp)
        end = int(counts.ends[i])
        rows = counts.order[start:end].copy()
        phase: Phase = "threshold" if i else "start"
        yield ThresholdStep(tp, fp, tn, fn, phase, threshold, rows, area, average_precision)
        tp_before, fp_before, start = tp, fp, end


def two_classes(
    y: ArrayLike, score: ArrayLike, pos_label: Any = None
) -> tuple[NDArray[np.bool_], Floats]:
    """Return whether each row is positive, and the scores.

    Raises
    ------
    ValueError
        If there are not two classes, or not one finite score for each row.
    """
    truth = class_list(y, "y")
    try:
        scores: Floats = np.asarray(score, np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            "score must be numbers: the higher, the more positive. Choose a numeric column."
        ) from None
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores[:, 0]
    if scores.shape != truth.shape:
        raise ValueError(
            f"score must be one number for each of the {len(truth)} rows; its shape is"
            f" {scores.shape}."
        )
    if not np.isfinite(scores).all():
        raise ValueError("score has missing or infinite values. Leave these rows out.")
    classes = np.unique(truth)
    if pos_label is None and len(classes) > 2:
        raise ValueError(f"There are {len(classes)} classes. Name the positive one with pos_label.")
    if len(classes) == 1:
        raise ValueError(
            f"There is only one class, {classes[0]}. A curve needs positive and negative rows."
        )
    code = positive_code(classes, pos_label)
    positive: NDArray[np.bool_] = truth == classes[code]
    return positive, scores


def first_best(values: Floats) -> int:
    """Return the index of the largest value; of those that differ only by rounding, the first."""
    top = float(values.max())
    return int(np.argmax(values >= top - 1e-12 * max(abs(top), float(np.ptp(values)))))


def _weights(sample_weight: ArrayLike, n_samples: int) -> Floats:
    weight = np.asarray(sample_weight, np.float64)
    if weight.shape != (n_samples,) or not np.isfinite(weight).all() or (weight < 0).any():
        raise ValueError(
            f"sample_weight must be one number from 0 up for each of the {n_samples} rows."
        )
    return weight
