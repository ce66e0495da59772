"""Steps of algorithms that label rows in rounds, and what these algorithms share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, check_X_y, validate_data

from dmlib.arrays import Floats, Ints
from dmlib.classification.semi_supervised.base_classifier import probabilities, trained
from dmlib.classification.semi_supervised.partly_labeled import (
    Mask,
    PartlyLabeled,
    answers_of,
    partly_labeled,
)
from dmlib.estimator import Staged
from dmlib.params import Param, check_params
from dmlib.trace import look


@dataclass(frozen=True)
class RoundStep:
    """One step of self-training or of active learning.

    Attributes
    ----------
    phase : {"start", "label", "query", "done"}
        The classifier is trained on the known labels; rows got the label that it predicts; the
        true label of a row was asked for; no further row gets a label.
    iteration : int
        The number of the round.
    labels : ndarray of shape (n_samples,)
        The class of each row that has a label after the step, -1 for the others.
    rows : ndarray of shape (n_rows,)
        The rows that got their label in this step, the first to be chosen first.
    proba : ndarray of shape (n_samples, n_classes)
        The probabilities of the classes by the classifier that is trained on these labels.
    error : ndarray of shape (2,)
        How many of the rows without a label at the start are misclassified, and how many these
        are; empty if there are none.
    labeled_iter : ndarray of shape (n_samples,)
        The round in which each row got its label: 0 at the start, -1 never.
    reason : str
        On "done": why it ended, as a sentence.
    """

    phase: Literal["start", "label", "query", "done"]
    iteration: int
    labels: Ints
    rows: Ints
    proba: Floats
    error: Ints
    labeled_iter: Ints
    reason: str = ""

    @property
    def n_labels(self) -> int:
        """How many rows have a label."""
        return int((self.labels >= 0).sum())


class RoundClassifier(ClassifierMixin, Staged, BaseEstimator):
    """Base of classifiers that train a base classifier in rounds, on more labels in each.

    A subclass has :meth:`_rounds`.
    """

    PARAMS: ClassVar[dict[str, Param]]
    estimator: str
    n_neighbors: int
    n_labeled: int | None
    queries: Sequence[int]
    random_state: Any
    classes_: NDArray[Any]
    hidden_: Mask
    X_: Floats
    _classifier: Any

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn from the rows of ``X``, of which some have a label in ``y``."""
        rows, labels = validate_data(self, X, y, dtype=np.float64)
        start = self._start(labels)
        *_, last = self._steps(rows, start)
        return self._adopt(last, rows, start)

    def fit_from(self, steps: Sequence[RoundStep], X: ArrayLike, y: ArrayLike) -> Self:
        """Adopt the result of the steps on the same rows, without training again."""
        rows, labels = validate_data(self, X, y, dtype=np.float64)
        return self._adopt(steps[-1], rows, self._start(labels))

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[RoundStep]:
        """Yield the start, one step for each round, and the end with the result of ``fit``."""
        rows, labels = check_X_y(X, y, dtype=np.float64)
        yield from self._steps(rows, self._start(labels))

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the probabilities of the classes by the last classifier."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        return probabilities(self._classifier, rows, len(self.classes_))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the most probable class of each row by the last classifier."""
        best = self.predict_proba(X).argmax(axis=1)
        predicted: NDArray[Any] = self.classes_[best]
        return predicted

    def proba_at(self, step: RoundStep, rows: Floats, X: Floats) -> Floats:
        """Return the probabilities of the classes of ``X`` at a step of a run on ``rows``."""
        return probabilities(self.classifier(rows, step.labels), X, step.proba.shape[1])

    def classifier(self, X: Floats, labels: Ints) -> Any:
        """Return the base classifier, trained on the rows that have a label."""
        return trained(self.estimator, self.n_neighbors, X, labels)

    @property
    def estimator_(self) -> Any:
        """The base classifier after the last round, of a fitted estimator."""
        return self._classifier

    def start(self, y: ArrayLike) -> PartlyLabeled:
        """Return which rows have a label at the start."""
        return partly_labeled(y, self.n_labeled, self.queries, self.random_state)

    def _rounds(self, X: Floats, start: PartlyLabeled, step: RoundStep) -> Iterator[RoundStep]:
        """Yield the rounds; the last step is "done"."""
        raise NotImplementedError

    def _start(self, y: Any) -> PartlyLabeled:
        params = self.get_params()
        check_params(self.PARAMS, params)
        return self.start(y)

    def _steps(self, X: Floats, start: PartlyLabeled) -> Iterator[RoundStep]:
        labels = start.labels
        labeled_iter = np.where(labels >= 0, 0, -1)
        no_rows = np.empty(0, np.intp)
        step = RoundStep("start", 0, labels, no_rows, np.empty((0, 0)), no_rows, labeled_iter)
        step = self._retrained(X, start, step)
        yield step
        yield from self._rounds(X, start, step)

    def _retrained(self, X: Floats, start: PartlyLabeled, step: RoundStep) -> RoundStep:
        """Return a step with the probabilities by the classifier that its labels train."""
        look()
        proba = probabilities(self.classifier(X, step.labels), X, len(start.classes))
        error = start.error(answers_of(step.labels, proba))
        return replace(step, proba=proba, error=error)

    def _labeled(self, step: RoundStep, phase: Any, rows: Ints, labels: Ints) -> RoundStep:
        """Return the next round, in which rows get labels; its classifier is not trained yet."""
        all_labels, labeled_iter = step.labels.copy(), step.labeled_iter.copy()
        all_labels[rows], labeled_iter[rows] = labels, step.iteration + 1
        return replace(
            step,
            phase=phase,
            iteration=step.iteration + 1,
            labels=all_labels,
            rows=rows,
            labeled_iter=labeled_iter,
        )

    def _learned(self, step: RoundStep) -> Mapping[str, Any]:
        return {"_classifier": self.classifier(self.X_, step.labels)}

    def _adopt(self, last: RoundStep, X: Floats, start: PartlyLabeled) -> Self:
        self.X_, self.classes_, self.hidden_ = X, start.classes, start.hidden
        self._classifier = self.classifier(X, last.labels)
        self.label_distributions_ = last.proba
        self.transduction_ = start.classes[answers_of(last.labels, last.proba)]
        self.labeled_iter_, self.n_iter_ = last.labeled_iter, last.iteration
        self.n_labels_ = last.n_labels
        self.error_ = last.error
        return self
