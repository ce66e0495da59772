"""Steps of labels that run over a graph, and what label propagation and spreading share."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, check_X_y, validate_data

from dmlib.arrays import Floats, Ints
from dmlib.classification.semi_supervised.graph import affinity
from dmlib.classification.semi_supervised.partly_labeled import (
    UNLABELED,
    Mask,
    PartlyLabeled,
    partly_labeled,
)
from dmlib.estimator import Staged
from dmlib.params import Param, check_params
from dmlib.squares import check_largest, check_squares
from dmlib.trace import look


@dataclass(frozen=True)
class SpreadingStep:
    """One step of label propagation or label spreading.

    Attributes
    ----------
    phase : {"start", "spread", "done"}
        The labels of the start; every row has taken from its neighbours; nothing changes any more.
    iteration : int
        The number of the iteration.
    mass : ndarray of shape (n_samples, n_classes)
        What each row has of each class, F; 0 where no label has arrived.
    change : ndarray of shape (n_samples,)
        By how much the iteration changed each row, added up over the classes.
    error : ndarray of shape (2,)
        How many of the rows without a label at the start are misclassified, and how many these
        are; empty if there are none. A row without any class is misclassified.
    n_labels : int
        How many rows have a label from the start.
    reason : str
        On "done": why it ended, as a sentence.
    """

    phase: Literal["start", "spread", "done"]
    iteration: int
    mass: Floats
    change: Floats
    error: Ints
    n_labels: int
    reason: str = ""

    @property
    def label_distributions(self) -> Floats:
        """The shares of the classes of each row; 0 where no label has arrived."""
        totals = self.mass.sum(axis=1, keepdims=True)
        shares: Floats = self.mass / np.where(totals > 0, totals, 1)
        return shares

    @property
    def answers(self) -> Ints:
        """The class of which each row has most, of equal ones the first; -1 without any."""
        return answers_by_mass(self.mass)


def answers_by_mass(mass: Floats) -> Ints:
    """Return the class of which each row has most, of equal ones the first; -1 without any.

    Examples
    --------
    >>> answers_by_mass(np.array([[0.1, 0.2], [0.0, 0.0]])).tolist()
    [1, -1]
    """
    return np.where(mass.any(axis=1), mass.argmax(axis=1), UNLABELED)


class GraphClassifier(ClassifierMixin, Staged, BaseEstimator):
    """Base of classifiers that spread labels over a graph.

    A subclass has :meth:`transitions` and :meth:`_next`.
    """

    PARAMS: ClassVar[dict[str, Param]]
    kernel: str
    n_neighbors: int
    gamma: float
    max_iter: int
    tol: float
    n_labeled: int | None
    queries: Sequence[int]
    random_state: Any
    label_distributions_: Floats

    @abstractmethod
    def transitions(self, weights: csr_array) -> csr_array:
        """Return what a row takes of each neighbour in an iteration."""

    @abstractmethod
    def _next(self, votes: Floats, start: Floats, is_labeled: Mask) -> Floats:
        """Return the next mass from what all rows take of their neighbours."""

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Spread the labels of some rows of ``X``, which ``y`` has, over the others."""
        rows, labels = validate_data(self, X, y, dtype=np.float64)
        start = self._start(labels)
        return self._adopt(deque(self._steps(rows, start), maxlen=1)[0], rows, start)

    def fit_from(self, steps: Sequence[SpreadingStep], X: ArrayLike, y: ArrayLike) -> Self:
        """Adopt the result of the steps on the same rows, without another iteration."""
        rows, labels = validate_data(self, X, y, dtype=np.float64)
        return self._adopt(steps[-1], rows, self._start(labels))

    def steps(self, X: ArrayLike, y: ArrayLike | None = None) -> Iterator[SpreadingStep]:
        """Yield the start, one step for each iteration, and the end with the result of ``fit``."""
        rows, labels = check_X_y(X, y, dtype=np.float64)
        yield from self._steps(rows, self._start(labels))

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Return the mean of the shares of the training rows, weighted by the kernel.

        For "knn" of the nearest ones; equal shares where no label has arrived.
        """
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        check_largest(rows)
        return self._induced(rows, self.X_, self.label_distributions_)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class with the largest share for each row."""
        best = self.predict_proba(X).argmax(axis=1)
        predicted: NDArray[Any] = self.classes_[best]
        return predicted

    def proba_at(self, step: SpreadingStep, rows: Floats, X: Floats) -> Floats:
        """Return the probabilities of the classes of ``X`` at a step of a run on ``rows``."""
        return self._induced(X, rows, step.label_distributions)

    def start(self, y: ArrayLike) -> PartlyLabeled:
        """Return which rows have a label at the start."""
        return partly_labeled(y, self.n_labeled, self.queries, self.random_state)

    def weights(self, X: Floats) -> csr_array:
        """Return the weights between the rows of ``X``."""
        return affinity(X, self.kernel, self.n_neighbors, self.gamma)

    def _start(self, y: Any) -> PartlyLabeled:
        params = self.get_params()
        check_params(self.PARAMS, params)
        return self.start(y)

    def _steps(self, X: Floats, start: PartlyLabeled) -> Iterator[SpreadingStep]:
        check_squares(X)
        matrix = self.transitions(self.weights(X))
        one_hot = np.eye(len(start.classes))[start.labels]
        mass = first = np.where(start.is_labeled[:, None], one_hot, 0.0)
        step = self._step(start, "start", 0, mass, np.zeros(len(X)))
        yield step
        reason = f"The limit of {self.max_iter} iterations was reached."
        for iteration in range(1, self.max_iter + 1):
            look()
            mass = self._next(matrix @ step.mass, first, start.is_labeled)
            change = np.abs(mass - step.mass).sum(axis=1)
            step = self._step(start, "spread", iteration, mass, change)
            yield step
            if change.sum() < self.tol:
                reason = f"All changes together are less than {self.tol:g}."
                break
        yield replace(step, phase="done", reason=reason)

    def _step(
        self, start: PartlyLabeled, phase: Any, iteration: int, mass: Floats, change: Floats
    ) -> SpreadingStep:
        """Return a step with its error: rows without any class are misclassified."""
        error = start.error(answers_by_mass(mass))
        return SpreadingStep(phase, iteration, mass, change, error, int(start.is_labeled.sum()))

    def _induced(self, X: Floats, rows: Floats, shares: Floats) -> Floats:
        """Return the shares of new rows: weighted means of those of the training rows."""
        if self.kernel == "rbf":
            mass = np.exp(-self.gamma * cdist(X, rows, "sqeuclidean")) @ shares
        else:
            k = min(self.n_neighbors, len(rows))
            mass = shares[KDTree(rows).query(X, [*range(1, k + 1)])[1]].sum(axis=1)
        totals = mass.sum(axis=1, keepdims=True)
        even = np.full_like(mass, 1 / shares.shape[1])
        means: Floats = np.divide(mass, totals, out=even, where=totals > 0)
        return means

    def _learned(self, step: SpreadingStep) -> Mapping[str, Any]:
        return {"label_distributions_": step.label_distributions}

    def _adopt(self, last: SpreadingStep, X: Floats, start: PartlyLabeled) -> Self:
        self.X_, self.classes_, self.hidden_ = X, start.classes, start.hidden
        self.label_distributions_ = last.label_distributions
        self.transduction_ = start.classes[last.mass.argmax(axis=1)]
        self.n_labels_ = last.n_labels
        self.n_iter_, self.error_ = last.iteration, last.error
        return self
