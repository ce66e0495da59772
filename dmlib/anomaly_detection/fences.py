"""The fences of box plots: how far a value lies outside the middle half of its column."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from dmlib.anomaly_detection.detector import (
    THRESHOLD,
    Detector,
    DetectorStep,
    no_scores,
    score_by_row,
)
from dmlib.arrays import Floats
from dmlib.params import Param
from dmlib.trace import look

FENCE = 1.5  # interquartile ranges beyond a quartile


@dataclass(frozen=True, kw_only=True)
class FencesStep(DetectorStep):
    """One step of box-plot fences.

    Attributes
    ----------
    phase : {"quartiles", "score", "mark"}
        The box of one column was found; rows were scored; rows were marked.
    column : int or None
        On "quartiles": the column.
    quartiles : ndarray of shape (2, n_features)
        The lower and the upper quartile of each column so far; NaN before it has them.
    """

    column: int | None = None
    quartiles: Floats


class BoxPlotFences(Detector[FencesStep]):
    r"""Mark rows with a value outside the fences of its column's box plot.

    The box of a column reaches from its lower quartile :math:`Q_1` to its upper :math:`Q_3`, and
    its length is the interquartile range, IQR. A value scores how many IQRs it lies outside the
    box, a row the largest score of its values. The fences are where the score is the threshold.

    Parameters
    ----------
    contamination : float or "auto", default="auto"
        The share of the rows that are marked, those with the highest scores. "auto": those beyond
        1.5 IQRs, Tukey's inner fences.
    threshold : float or None, default=None
        The score above which rows are marked; it overrides the share.
    anomaly_class : int, default=0
        The number of the class of known anomalies, from 1: the code plus 1. The scores do not
        depend on it; 0 for none.

    Attributes
    ----------
    scores_ : ndarray of shape (n_samples,)
        The score of each row, in IQRs.
    threshold_ : float
        The score above which rows are marked.
    anomalies_ : ndarray of bool, shape (n_samples,)
        Which rows are marked.
    n_anomalies_ : int
        How many these are.
    precision_, recall_, auc_ : float or None
        Of the marked rows, the share of known anomalies; of these, the share that is marked; and
        the area under the ROC curve of the scores. None where nothing is known.
    quartiles_ : ndarray of shape (2, n_features)
        The lower and the upper quartile of each column.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a parameter is out of bounds.

    Notes
    -----
    O(n d). Quartiles are interpolated as NumPy does by default (Hyndman and Fan's definition 7).
    A column whose quartiles are equal has no unit to measure with, and adds nothing to a score.
    Each column is looked at alone: a row that is unusual only as a combination is not seen.

    References
    ----------
    J. W. Tukey (1977), Exploratory data analysis, chapter 2.

    Examples
    --------
    >>> model = BoxPlotFences().fit([[1.0], [2.0], [3.0], [4.0], [9.0]])
    >>> model.quartiles_.ravel().tolist(), model.scores_.tolist(), model.anomalies_.tolist()
    ([2.0, 4.0], [0.5, 0.0, 0.0, 0.0, 2.5], [False, False, False, False, True])
    """

    KEPT: ClassVar[tuple[str, ...]] = ("quartiles",)
    PARAMS: ClassVar[dict[str, Param]] = THRESHOLD

    quartiles_: Floats

    def __init__(
        self,
        *,
        contamination: float | str = "auto",
        threshold: float | None = None,
        anomaly_class: int = 0,
    ) -> None:
        self.contamination = contamination
        self.threshold = threshold
        self.anomaly_class = anomaly_class

    def _learn(self, X: Floats) -> Generator[FencesStep, None, FencesStep]:
        step = FencesStep(phase="", quartiles=np.full((2, X.shape[1]), np.nan), **no_scores(X))
        for column in range(X.shape[1]):
            look()
            quartiles = step.quartiles.copy()
            quartiles[:, column] = np.percentile(X[:, column], (25, 75))
            step = replace(step, phase="quartiles", column=column, quartiles=quartiles)
            yield step
        step = replace(step, column=None)
        return (yield from score_by_row(step, excesses(X, step.quartiles).max(axis=1)))

    def _scores(self, X: Floats) -> Floats:
        return np.asarray(excesses(X, self.quartiles_).max(axis=1))

    def _limit(self, step: FencesStep) -> float:
        return FENCE


def excesses(X: Floats, quartiles: Floats) -> Floats:
    """Return how many IQRs each value lies outside the box of its column, 0 inside.

    Examples
    --------
    >>> excesses(np.array([[0.0], [3.0], [9.0]]), np.array([[2.0], [4.0]])).ravel().tolist()
    [1.0, 0.0, 2.5]
    """
    low, high = quartiles
    outside = np.maximum(np.maximum(low - X, X - high), 0.0)
    lengths = high - low
    return np.asarray(np.where(lengths > 0, outside / np.where(lengths > 0, lengths, 1.0), 0.0))
