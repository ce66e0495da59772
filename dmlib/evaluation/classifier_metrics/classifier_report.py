"""All measures of a classifier: rows enter the confusion matrix one by one, then the measures are computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.evaluation.classifier_metrics.confusion import (
    Confusion,
    ConfusionStep,
    confusion_steps,
    summary,
    tally,
)
from dmlib.evaluation.counts import FORMULAS
from dmlib.evaluation.losses import informational_losses, quadratic_losses
from dmlib.evaluation.scorer import Scorer, told
from dmlib.evaluation.scores import (
    SCORING,
    Rows,
    ScoreStep,
    classifier,
    score_column,
    squash,
    support,
)
from dmlib.params import Integer, Number, Param
from dmlib.trace import result_of

OVERALL = ("kappa", "weighted_accuracy", "expected_cost")
LOSSES = ("quadratic_loss", "informational_loss")
MEASURES = (*FORMULAS, *OVERALL, *LOSSES)
"""What is computed, in this order."""


@dataclass(frozen=True, eq=False)
class MeasureStep:
    """One measure is computed from the confusion matrix, or from the probabilities.

    Attributes
    ----------
    phase : {"measure", "done"}
        A measure was computed; all are.
    name : str
        One of ``MEASURES``; empty at the end.
    value : float
        The measure; of a rate of two classes (``FORMULAS``), for the positive class. NaN if it is
        undefined.
    matrix : ndarray of shape (n_classes, n_classes)
        The confusion matrix.
    costs : ndarray of shape (n_classes, n_classes)
        The cost of taking the class of the row for the class of the column.
    positive : int
        The index of the positive class.
    """

    phase: str
    name: str
    value: float
    matrix: NDArray[Any]
    costs: Floats
    positive: int


class ClassifierReport(Scorer):
    r"""Compute every measure of a classifier on rows that it was not trained on.

    The rows enter the confusion matrix one after another. Its cells give the rates of the positive
    class, each class being once set against the rest, and accuracy, kappa and cost; the
    probabilities give the two losses.

    Parameters
    ----------
    model : {"naive_bayes", "logistic_regression", "decision_tree", "knn", "svm", "zero_r", "column"} or classifier
        What is measured: a model with its defaults; "zero_r": each class has its share as
        probability, whatever the row; "column": a column is the score of the positive class.
    scoring : {"cross_validation", "held_out", "training"}, default="cross_validation"
        Which rows are classified: each by a model trained on the other folds; a part by a model
        that learned from the rest; all by a model trained on just these rows, which is too kind.
    folds : int, default=5
        The number of folds; at most as many as the smallest class has rows.
    test_size : float, default=0.5
        With "held_out", the share of each class that is classified.
    column : int, default=1
        With "column", the number of the column that holds the scores.
    threshold : float, default=0.5
        Of two classes, a row is predicted positive if its score is at least this: the probability
        of the positive class, or the number in the column. Of more classes, the one with the
        highest score is predicted.
    positive : int, default=0
        The positive class by its number in sorted order, from 1; 0 takes the last one.
    cost_fp : float, default=1.0
        The cost of calling a row positive that is not.
    cost_fn : float, default=1.0
        The cost of missing a positive row. Right answers cost nothing, mistakes among the other
        classes 1.
    random_state : int, RandomState or None, default=None
        The seed of folds, parts and the model.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    confusion_ : Confusion
        The matrix and all rates.
    predictions_ : ndarray of shape (n_samples,)
        The predicted code of each row, an index into ``classes_``; -1 for rows that were not
        scored.
    accuracy_, balanced_accuracy_, mcc_, kappa_, expected_cost_ : float
        The share of right answers, the mean recall of the classes, the correlation of the true with
        the predicted class, Cohen's kappa, the mean cost of a row.
    class_rates_ : ndarray of shape (n_classes, 3)
        Precision, recall and F1 of each class against the rest; NaN where they are 0/0.
    scores_ : ndarray of shape (n_samples,)
        The number that is compared with the threshold: how strongly each row was held to be
        positive; NaN for rows that were not scored.
    probabilities_ : ndarray of shape (n_samples, n_classes)
        What each row was given for each class, NaN for rows that were not scored; None if there are
        no probabilities.
    quadratic_loss_, informational_loss_ : float
        The mean losses, the second in bits; NaN where there are no probabilities.
    model_ : classifier or None
        The model, fitted to all rows; None for a column.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a class is too small to be shared out, or if the model refuses the data.

    Notes
    -----
    A model without probabilities (a support vector machine) is given the threshold on 1 / (1 +
    exp(-decision)), which is no probability: at 0.5 it decides as usual, and the losses stay
    undefined.

    References
    ----------
    I. H. Witten, E. Frank and M. A. Hall (2011), Data mining, chapter 5.
    J. Cohen (1960), A coefficient of agreement for nominal scales.

    Examples
    --------
    >>> report = ClassifierReport("column").fit([[0.9], [0.8], [0.6], [0.1]], ["yes", "no", "yes", "no"])
    >>> report.confusion_.matrix.tolist(), report.accuracy_, report.kappa_
    ([[1, 1], [0, 2]], 0.75, 0.5)
    """

    PARAMS: ClassVar[dict[str, Param]] = SCORING | {
        "threshold": Number(-1e9, 1e9, shown=(0.0, 1.0), step=0.01),
        "positive": Integer(0, 1000, shown=(0, 5)),
        "cost_fp": Number(0.0, 1e6, shown=(0.0, 20.0), step=0.5),
        "cost_fn": Number(0.0, 1e6, shown=(0.0, 20.0), step=0.5),
    }

    def __init__(
        self,
        model: Any = "naive_bayes",
        *,
        scoring: str = "cross_validation",
        folds: int = 5,
        test_size: float = 0.5,
        column: int = 1,
        threshold: float = 0.5,
        positive: int = 0,
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
        random_state: Any = None,
    ) -> None:
        self.model = model
        self.scoring = scoring
        self.folds = folds
        self.test_size = test_size
        self.column = column
        self.threshold = threshold
        self.positive = positive
        self.cost_fp = cost_fp
        self.cost_fn = cost_fn
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Classify the rows of ``X`` and keep the measures."""
        X, classes, codes = self._classes(X, y, remember=True)
        return self._adopt(X, classes, codes, *result_of(self._scored(X, codes, len(classes))))

    def fit_from(
        self, steps: Sequence[ScoreStep | ConfusionStep | MeasureStep], X: Any, y: ArrayLike
    ) -> Self:
        """Learn what ``fit`` would from the steps on the same rows, without scoring again."""
        X, classes, codes = self._classes(X, y, remember=True)
        return self._adopt(X, classes, codes, *told(steps, len(codes), len(classes)))

    def _adopt(self, X: Any, classes: NDArray[Any], codes: Rows, scores: Floats, kind: str) -> Self:
        """Keep the measures of the scores."""
        self.n_features_in_, self.classes_ = X.shape[1], classes
        n_classes, positive = len(classes), self._positive(len(classes))
        known = np.flatnonzero(~np.isnan(scores[:, 0]))
        self.predictions_ = np.full(len(codes), -1, np.intp)
        self.predictions_[known] = self._call(scores[known], kind)
        shown = positive if n_classes == 2 else None
        self.confusion_ = tally(codes[known], self.predictions_[known], self.classes_, shown)
        self.accuracy_, self.balanced_accuracy_ = (
            self.confusion_.accuracy,
            self.confusion_.balanced_accuracy,
        )
        self.mcc_, self.kappa_ = self.confusion_.mcc, self.confusion_.kappa
        self.class_rates_ = np.array(
            [[c.precision, c.recall, c.f1] for c in self.confusion_.one_versus_rest]
        )
        self.expected_cost_ = self.confusion_.expected_cost(self._costs(n_classes))
        self.scores_ = positive_scores(scores, kind, positive)
        self.probabilities_ = probabilities(scores, kind, positive)
        losses = _losses(codes, self.probabilities_)
        self.quadratic_loss_, self.informational_loss_ = (
            losses["quadratic_loss"],
            losses["informational_loss"],
        )
        self._model = (
            None if kind == "column" else classifier(self.model, self.random_state).fit(X, codes)
        )
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the classes of new rows, by the model trained on all rows of ``fit``."""
        check_is_fitted(self)
        X = self._rows(X)
        if self.model_ is None:
            column = score_column(X, self.column)
            scores, kind = np.column_stack([-column, column]), "column"
        else:
            scores, kind = support(self.model_, X, len(self.classes_))
        called: NDArray[Any] = self.classes_[self._call(scores, kind)]
        return called

    def steps(
        self, X: Any, y: ArrayLike | None = None
    ) -> Iterator[ScoreStep | ConfusionStep | MeasureStep]:
        """Yield the scoring of each fold, the rows as they are counted, and the measures."""
        X, classes, codes = self._classes(X, y)
        n_classes = len(classes)
        scores, kind = yield from self._scored(X, codes, n_classes)
        known = np.flatnonzero(~np.isnan(scores[:, 0]))
        called = self._call(scores[known], kind)
        for counted in confusion_steps(codes[known], called, labels=np.arange(n_classes)):
            matrix = counted.matrix
            yield replace(counted, rows=known[counted.rows])
        positive, costs = self._positive(n_classes), self._costs(n_classes)
        whole = summary(matrix, classes, positive if n_classes == 2 else None)
        losses = _losses(codes, probabilities(scores, kind, positive))
        for name in MEASURES:
            yield MeasureStep(
                "measure", name, measure(whole, name, costs, losses), matrix, costs, positive
            )
        yield MeasureStep("done", "", np.nan, matrix, costs, positive)

    def _classes(self, X: Any, y: Any, remember: bool = False) -> tuple[Any, Any, Rows]:
        X, classes, codes = self._check(X, y, remember)
        if len(classes) < 2:
            raise ValueError(f"There is only one class, {classes[0]}. Add rows of a second class.")
        if isinstance(self.model, str) and self.model == "column" and len(classes) > 2:
            raise ValueError(
                f"A column of scores can tell two classes apart, but there are {len(classes)}. "
                "Choose a model, or a class with two values."
            )
        self._positive(len(classes))
        return X, classes, codes

    def _positive(self, n_classes: int) -> int:
        """Return the index of the positive class."""
        if self.positive > n_classes:
            raise ValueError(
                f"positive={self.positive}, but there are only {n_classes} classes. Choose a"
                " smaller one."
            )
        return (self.positive or n_classes) - 1

    def _costs(self, n_classes: int) -> Floats:
        """Return the cost matrix: rows are true classes, columns what they are taken for."""
        costs, positive = 1.0 - np.eye(n_classes), self._positive(n_classes)
        costs[:, positive], costs[positive] = self.cost_fp, self.cost_fn
        costs[positive, positive] = 0.0
        return costs

    def _call(self, scores: Floats, kind: str) -> Rows:
        """Return the code of the class that each row is called."""
        if scores.shape[1] > 2:
            best: Rows = np.argmax(scores, axis=1)
            return best
        positive = self._positive(2)
        return np.where(
            positive_scores(scores, kind, positive) >= self.threshold, positive, 1 - positive
        )


def measure(result: Confusion, name: str, costs: Floats, losses: dict[str, float]) -> float:
    """Return one of ``MEASURES``; of the rates of several classes, the mean over the classes."""
    if name in losses:
        return losses[name]
    if name == "expected_cost":
        return result.expected_cost(costs)
    if name == "weighted_accuracy":
        return result.weighted_accuracy(costs + np.eye(len(costs)))
    value = getattr(result, name)
    return float(value) if np.ndim(value) == 0 else result.macro[name]


def positive_scores(scores: Floats, kind: str, positive: int) -> Floats:
    """Return how strongly each row is held to be positive: what a threshold is compared with."""
    score = scores[:, 1] if kind == "column" else scores[:, positive]
    return squash(score) if kind == "decision" else score


def probabilities(scores: Floats, kind: str, positive: int) -> Floats | None:
    """Return scores as probabilities of the classes, or None if they are none: a column is that of the positive class.

    Examples
    --------
    >>> probabilities(np.array([[-0.75, 0.75]]), "column", 1).tolist()
    [[0.25, 0.75]]
    """
    if kind == "column":
        column = scores[:, 1]
        scores = np.column_stack([1 - column, column] if positive else [column, 1 - column])
    return None if kind == "decision" or (scores < 0).any() or (scores > 1).any() else scores


def _losses(codes: Rows, given: Floats | None) -> dict[str, float]:
    """Return the two mean losses of the rows that were scored; NaN where there are no probabilities."""
    if given is None:
        return dict.fromkeys(LOSSES, np.nan)
    known, labels = ~np.isnan(given[:, 0]), np.arange(given.shape[1])
    return {
        "quadratic_loss": float(quadratic_losses(codes[known], given[known], labels=labels).mean()),
        "informational_loss": float(
            informational_losses(codes[known], given[known], labels=labels).mean()
        ),
    }
