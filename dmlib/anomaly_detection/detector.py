"""A detector of anomalies: a score for each row, and a threshold above which rows are marked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted, validate_data

from dmlib.anomaly_detection.known import known_anomalies, quality
from dmlib.anomaly_detection.ranges import detector_ranges
from dmlib.arrays import Floats, Ints
from dmlib.params import Decided, Integer, Number, Param, Ranges, check_params
from dmlib.squares import check_squares
from dmlib.trace import look

MAX_BLOCKS = 100  # steps in which rows are scored; of more rows each step scores several


THRESHOLD: dict[str, Param] = {
    "contamination": Number(0.0, 0.5, shown=(0.0, 0.3), step=0.005, names=("auto",)),
    "threshold": Number(0.0, 1e100, shown=(0.0, 10.0), none="by share"),
    "anomaly_class": Integer(0, 1000),
}
LAST = ("scores", "threshold", "anomalies", "n_anomalies", "precision", "recall", "auc")
"""The fields of the last step that all detectors have as attributes."""
"""The parameters that all detectors have."""


@dataclass(frozen=True, kw_only=True)
class DetectorStep:
    """One step of a detector.

    Attributes
    ----------
    phase : str
        What was done; "mark" at the end.
    scores : ndarray of shape (n_samples,)
        The score of each row so far; NaN before it has one.
    rows : ndarray of shape (n_rows,)
        The rows that got their score in this step.
    threshold : float or None
        On "mark": the score above which rows are marked.
    anomalies : ndarray of bool, shape (n_samples,), or None
        On "mark": which rows are marked.
    n_anomalies : int or None
        On "mark": how many these are.
    precision, recall, auc : float or None
        On "mark", where anomalies are known: the share of the marked rows that are known anomalies,
        the share of the known anomalies that are marked, and the area under the ROC curve.
    """

    phase: str
    scores: Floats
    rows: Ints
    threshold: float | None = None
    anomalies: NDArray[np.bool_] | None = None
    n_anomalies: int | None = None
    precision: float | None = None
    recall: float | None = None
    auc: float | None = None


StepT = TypeVar("StepT", bound=DetectorStep)


class Detector(BaseEstimator, ABC, Generic[StepT]):
    """Base of the detectors: a row is an anomaly if its score is above a threshold.

    Attributes
    ----------
    KEPT : tuple of str
        The fields of a step that become fitted attributes beside the scores.
    """

    KEPT: ClassVar[tuple[str, ...]] = ()
    RANGES: ClassVar[Ranges] = staticmethod(detector_ranges)
    DECIDED: ClassVar[Decided] = {"contamination": ("threshold", "The threshold is set by hand.")}
    PARAMS: ClassVar[dict[str, Param]]

    contamination: float | str
    threshold: float | None
    anomaly_class: int
    scores_: Floats
    threshold_: float
    anomalies_: NDArray[np.bool_]
    n_anomalies_: int
    precision_: float | None
    recall_: float | None
    auc_: float | None

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Score the rows of ``X`` and mark those above the threshold.

        ``y`` has class codes from 0; only the known anomalies among them count, and only for
        precision, recall and AUC.
        """
        rows = validate_data(self, X, dtype=np.float64)
        return self._adopt(rows, deque(self._steps(rows, y), maxlen=1)[0])

    def fit_from(self, steps: Sequence[StepT], X: ArrayLike, y: Any = None) -> Self:
        """Learn what ``fit`` would from the steps on the same rows, without scoring again."""
        return self._adopt(validate_data(self, X, dtype=np.float64), steps[-1])

    def steps(self, X: ArrayLike, y: Any = None) -> Iterator[StepT]:
        """Yield what is learned of the rows, their scores, and which rows are marked."""
        yield from self._steps(check_array(X, dtype=np.float64), y)

    def anomaly_score(self, X: ArrayLike) -> Floats:
        """Return the scores of new rows, the higher the more unusual, shape (n_samples,)."""
        check_is_fitted(self)
        return self._scores(validate_data(self, X, dtype=np.float64, reset=False))

    def predict(self, X: ArrayLike) -> Ints:
        """Return -1 for new rows above the threshold, and 1 for the others."""
        return np.where(self.anomaly_score(X) > self.threshold_, -1, 1)

    def _adopt(self, X: Floats, last: StepT) -> Self:
        """Keep what the last step says."""
        for name in (*LAST, *self.KEPT):
            setattr(self, f"{name}_", getattr(last, name))
        self._rows = X
        return self

    def _steps(self, X: Floats, y: Any) -> Iterator[StepT]:
        check_params(self.PARAMS, self.get_params())
        check_squares(X)
        step = yield from self._learn(X)
        threshold = self._threshold(step)
        anomalies = step.scores > threshold
        yield replace(
            step,
            phase="mark",
            rows=np.flatnonzero(anomalies),
            threshold=threshold,
            anomalies=anomalies,
            n_anomalies=int(anomalies.sum()),
            **quality(step.scores, anomalies, known_anomalies(y, self.anomaly_class)),
        )

    @abstractmethod
    def _learn(self, X: Floats) -> Generator[StepT, None, StepT]:
        """Yield the steps up to the last score, and return the last of them."""

    @abstractmethod
    def _scores(self, X: Floats) -> Floats:
        """Return the scores of new rows."""

    @abstractmethod
    def _limit(self, step: StepT) -> float:
        """Return the threshold that the method itself names, after the last score."""

    def _threshold(self, step: StepT) -> float:
        if self.threshold is not None:
            return float(self.threshold)
        if isinstance(self.contamination, str):
            return self._limit(step)
        return float(np.percentile(step.scores, 100 * (1 - self.contamination)))


def score_by_row(step: StepT, scores: Floats) -> Generator[StepT, None, StepT]:
    """Yield a step for each row that gets its score, or for each block of very many rows."""
    for rows in np.array_split(np.arange(len(scores)), min(len(scores), MAX_BLOCKS)):
        look()
        so_far = step.scores.copy()
        so_far[rows] = scores[rows]
        step = replace(step, phase="score", rows=rows, scores=so_far)
        yield step
    return step


def no_scores(X: Floats) -> dict[str, Any]:
    """Return the fields of a step before any row has a score."""
    return {"scores": np.full(len(X), np.nan), "rows": np.empty(0, np.intp)}
