"""The base of sums of trees, which predict from a decision value, round by round."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.classification.columns import Columns, new_rows

LAST = {"stop", "perfect"}  # phases after which there are no more rounds
MAX_DRAFT_ROWS = 3_000  # times rounds of a draft
MIN_ROUNDS = 5  # of a draft


class StagedClassifier(ClassifierMixin, BaseEstimator):
    """Predict from a sum of trees, after all rounds or after each.

    A subclass has ``classes_``, ``_columns`` and :meth:`_stages`.
    """

    LENGTH: ClassVar[str] = "n_estimators"
    n_estimators: int
    classes_: NDArray[Any]
    _columns: Columns
    _steepness = 1.0  # the factor of decision values in the softmax of several classes

    def _stages(self, X: Any, matrix: Floats) -> Iterator[Floats]:
        """Yield the decision values of rows, as given and as a matrix, after each round."""
        raise NotImplementedError

    def draft(self, X: Any, y: Any = None) -> dict[str, int]:
        """Return the number of rounds while a control moves."""
        return {"n_estimators": min(self.n_estimators, max(MIN_ROUNDS, MAX_DRAFT_ROWS // len(X)))}

    def shortened(self, steps: Sequence[Any], X: Any, y: Any = None) -> tuple[Any, ...] | None:
        """Return the first steps of more rounds; None if there are too few."""
        n_steps = self.n_estimators + 1
        ended = bool(steps) and steps[-1].phase in LAST
        return tuple(steps[:n_steps]) if ended or len(steps) >= n_steps else None

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Yield the decision values after each round, see :meth:`decision_function`."""
        check_is_fitted(self)
        yield from self._stages(X, new_rows(self, self._columns, X))

    def decision_function(self, X: Any) -> Floats:
        """Return the decision values: one a row for two classes, else one for each class."""
        return deque(self.staged_decision_function(X), maxlen=1)[0]

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Yield the class of each row after each round."""
        for decision in self.staged_decision_function(X):
            yield self.classes_[self._winners(decision)]

    def predict_at(self, steps: Sequence[Any], X: Any) -> Iterator[NDArray[Any] | None]:
        """Yield the class of each row after the rounds up to each of these steps."""
        stages = [None, *self.staged_predict(X)]
        for step in steps:
            yield stages[step.n_rounds]

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row."""
        decision = self.decision_function(X)
        labels: NDArray[Any] = self.classes_[self._winners(decision)]
        return labels

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Yield the probability of each class, shape (n_samples, n_classes), after each round."""
        for decision in self.staged_decision_function(X):
            yield self._probabilities(decision)

    def predict_proba(self, X: Any) -> Floats:
        """Return the class probabilities of each row, shape (n_samples, n_classes)."""
        return self._probabilities(self.decision_function(X))

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the probabilities, shape (n_samples, n_classes)."""
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(self.predict_proba(X))
        return logs

    def staged_score(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Iterator[float]:
        """Yield the accuracy after each round."""
        for labels in self.staged_predict(X):
            yield float(accuracy_score(y, labels, sample_weight=sample_weight))

    def _winners(self, decision: Floats) -> NDArray[np.intp]:
        if len(self.classes_) == 2:
            return (decision > 0).astype(np.intp)
        return np.zeros(len(decision), np.intp) if decision.ndim == 1 else decision.argmax(axis=1)

    def _probabilities(self, decision: Floats) -> Floats:
        n_classes = len(self.classes_)
        if n_classes == 1:
            return np.ones((len(decision), 1))
        if n_classes == 2:
            second = expit(decision)
            return np.column_stack([1 - second, second])
        shares: Floats = softmax(decision * self._steepness, axis=1)
        return shares

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags
