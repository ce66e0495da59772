"""All measures of a classifier: the confusion matrix fills row by row, then they are computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

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
    with_cells,
)
from dmlib.evaluation.counts import FORMULAS
from dmlib.evaluation.losses import informational_loss, quadratic_loss
from dmlib.evaluation.scorer import Scorer, collected_scores
from dmlib.evaluation.scores import (
    SCORING,
    Rows,
    ScoreStep,
    classifier,
    column_scores,
    squash,
    support,
)
from dmlib.params import Integer, Number, Param
from dmlib.trace import result_of

OVERALL = ("kappa", "weighted_accuracy", "expected_cost")
LOSSES = ("quadratic_loss", "informational_loss")
MEASURES = (*FORMULAS, *OVERALL, *LOSSES)
"""The measures in the order in which they are computed."""


@dataclass(frozen=True, eq=False)
class MeasureStep:
    """One measure is computed from the confusion matrix, or from the probabilities.

    Attributes
    ----------
    phase : {"measure", "done"}
        A measure was computed; all were.
    name : str
        One of ``MEASURES``; empty at the end.
    value : float
        The measure; of a rate of two classes (``FORMULAS``), for the positive class. NaN if it is
        undefined.
    matrix : ndarray of shape (n_classes, n_classes)
        The confusion matrix.
    costs : ndarray of shape (n_classes, n_classes)
        The cost of predicting the class of the column for that of the row.
    weights : ndarray of shape (n_classes, n_classes)
        The weights of the cells in weighted accuracy.
    positive : int
        The code of the positive class.
    """

    phase: Literal["measure", "done"]
    name: str
    value: float
    matrix: NDArray[Any]
    costs: Floats
    weights: Floats
    positive: int


class ClassifierReport(Scorer):
    r"""Compute all measures of a classifier on rows that it was not trained on.

    The confusion matrix is counted row by row. Its cells give the rates of the positive class, or
    of each class against the rest, and accuracy, kappa and cost; the probabilities give the two
    losses.

    Parameters
    ----------
    model : str or classifier, default="naive_bayes"
        The classifier: one of "naive_bayes", "logistic_regression", "decision_tree", "knn" and
        "svm" with its defaults; "zero_r", whose probabilities are the class frequencies; or
        "column", a column of scores of the positive class; of more than two classes, a column with
        the number of the predicted class, from 1 in sorted order.
    scoring : {"cross_validation", "held_out", "training"}, default="cross_validation"
        How rows are classified: each by a model trained on the remaining folds; a part by a model
        trained on the remaining rows; all by a model trained on the same rows, which is optimistic.
    folds : int, default=5
        The number of folds; at most as many as the smallest class has rows.
    test_size : float, default=0.5
        With "held_out", the fraction of each class that is classified.
    column : int, default=1
        With "column", the number of the column that holds the scores.
    threshold : float, default=0.5
        Of two classes, a row is predicted positive if its score is at least this: the probability
        of the positive class, or the number in the column. Of more classes, the one with the
        highest score is predicted.
    positive : int, default=0
        The positive class by its number in sorted order, from 1; 0 takes the last one.
    cost_fp : float, default=1.0
        The cost of a false positive.
    cost_fn : float, default=1.0
        The cost of a false negative. Correct predictions cost 0, errors among negative classes 1.
    costs : mapping or None, default=None
        The costs of cells that have another one, by pairs (true class, predicted class); a negative
        cost is a benefit.
    weights : mapping or None, default=None
        Likewise the weights of cells in weighted accuracy, where correct predictions have 1 and
        errors their cost.
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
        The fraction of correct predictions, the mean recall of the classes, the correlation of the
        true with the predicted class, Cohen's kappa, the mean cost of a row.
    cost_matrix_ : ndarray of shape (n_classes, n_classes)
        The costs of the cells, true classes in rows.
    class_rates_ : ndarray of shape (n_classes, 3)
        Precision, recall and F1 of each class against the rest; NaN where they are 0/0.
    scores_ : ndarray of shape (n_samples,)
        The score of the positive class, which is compared with the threshold; NaN for rows that
        were not scored.
    probabilities_ : ndarray of shape (n_samples, n_classes)
        The predicted probabilities, NaN for rows that were not scored; None if the model has none.
    quadratic_loss_, informational_loss_ : float
        The mean losses, the second in bits; NaN where there are no probabilities.
    model_ : classifier or None
        The model, fitted to all rows; None for a column.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If a class is too small to be split, if the model refuses the data, or if costs or weights
        are no numbers for pairs of classes.

    Notes
    -----
    Without probabilities (a support vector machine) the threshold is compared with 1 / (1 +
    exp(-decision)), which is no probability: at 0.5 the decision is the usual one, and the losses
    are undefined.

    References
    ----------
    I. H. Witten, E. Frank and M. A. Hall (2011), Data mining, chapter 5.
    J. Cohen (1960), A coefficient of agreement for nominal scales.

    Examples
    --------
    >>> X, y = [[0.9], [0.8], [0.6], [0.1]], ["yes", "no", "yes", "no"]
    >>> report = ClassifierReport("column").fit(X, y)
    >>> report.confusion_.matrix.tolist(), report.accuracy_, report.kappa_
    ([[1, 1], [0, 2]], 0.75, 0.5)
    """

    PARAMS: ClassVar[dict[str, Param]] = {
        **SCORING,
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
        costs: Mapping[tuple[Any, Any], float] | None = None,
        weights: Mapping[tuple[Any, Any], float] | None = None,
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
        self.costs = costs
        self.weights = weights
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Classify the rows of ``X`` and compute the measures."""
        X, classes, codes = self._classes(X, y, remember=True)
        return self._adopt(X, classes, codes, *result_of(self._scored(X, codes, len(classes))))

    def fit_from(
        self, steps: Sequence[ScoreStep | ConfusionStep | MeasureStep], X: Any, y: ArrayLike
    ) -> Self:
        """Become what the steps on the same rows say."""
        X, classes, codes = self._classes(X, y, remember=True)
        return self._adopt(X, classes, codes, *collected_scores(steps, len(codes), len(classes)))

    def _adopt(self, X: Any, classes: NDArray[Any], codes: Rows, scores: Floats, kind: str) -> Self:
        """Set the measures of the scores."""
        n_classes = len(classes)
        positive = self._positive(n_classes)
        scored = np.flatnonzero(~np.isnan(scores[:, 0]))
        self.n_features_in_ = X.shape[1]
        self.classes_ = classes
        self.predictions_ = np.full(len(codes), -1, np.intp)
        self.predictions_[scored] = self._decide(scores[scored], kind)
        of_class = positive if n_classes == 2 else None
        result = tally(codes[scored], self.predictions_[scored], classes, of_class)
        self.confusion_ = result
        self.accuracy_ = result.accuracy
        self.balanced_accuracy_ = result.balanced_accuracy
        self.mcc_ = result.mcc
        self.kappa_ = result.kappa
        self.class_rates_ = np.array(
            [[counts.precision, counts.recall, counts.f1] for counts in result.one_versus_rest]
        )
        self.cost_matrix_ = self._costs(classes)
        self.expected_cost_ = result.expected_cost(self.cost_matrix_)
        self.scores_ = positive_scores(scores, kind, positive)
        self.probabilities_ = probabilities(scores, kind, positive)
        losses = _losses(codes, self.probabilities_)
        self.quadratic_loss_ = losses["quadratic_loss"]
        self.informational_loss_ = losses["informational_loss"]
        self._model = None
        if kind != "column":
            self._model = classifier(self.model, self.random_state).fit(X, codes)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the classes of new rows, by the model trained on all rows of ``fit``."""
        check_is_fitted(self)
        X = self._rows(X)
        if self.model_ is None:
            scores, kind = column_scores(X, self.column, len(self.classes_)), "column"
        else:
            scores, kind = support(self.model_, X, len(self.classes_))
        predicted: NDArray[Any] = self.classes_[self._decide(scores, kind)]
        return predicted

    def steps(
        self, X: Any, y: ArrayLike | None = None
    ) -> Iterator[ScoreStep | ConfusionStep | MeasureStep]:
        """Yield the scoring of each fold, the rows as they are counted, and the measures."""
        X, classes, codes = self._classes(X, y)
        n_classes = len(classes)
        scores, kind = yield from self._scored(X, codes, n_classes)
        scored = np.flatnonzero(~np.isnan(scores[:, 0]))
        predicted = self._decide(scores[scored], kind)
        for step in confusion_steps(codes[scored], predicted, labels=np.arange(n_classes)):
            matrix = step.matrix
            yield replace(step, rows=scored[step.rows])
        positive = self._positive(n_classes)
        costs = self._costs(classes)
        weights = self._weights(classes, costs)
        result = summary(matrix, classes, positive if n_classes == 2 else None)
        losses = _losses(codes, probabilities(scores, kind, positive))
        for name in MEASURES:
            value = measure(result, name, costs, weights, losses)
            yield MeasureStep("measure", name, value, matrix, costs, weights, positive)
        yield MeasureStep("done", "", np.nan, matrix, costs, weights, positive)

    def _classes(self, X: Any, y: Any, remember: bool = False) -> tuple[Any, Any, Rows]:
        X, classes, codes = self._check(X, y, remember)
        if len(classes) < 2:
            raise ValueError(f"There is only one class, {classes[0]}. Add rows of a second class.")
        self._positive(len(classes))
        return X, classes, codes

    def _positive(self, n_classes: int) -> int:
        """Return the code of the positive class."""
        if self.positive > n_classes:
            raise ValueError(
                f"positive={self.positive}, but there are only {n_classes} classes. Choose a"
                " smaller one."
            )
        return (self.positive or n_classes) - 1

    def _costs(self, classes: NDArray[Any]) -> Floats:
        """Return the cost matrix: true classes in rows, predicted classes in columns."""
        positive = self._positive(len(classes))
        costs = 1.0 - np.eye(len(classes))
        costs[:, positive] = self.cost_fp
        costs[positive] = self.cost_fn
        costs[positive, positive] = 0.0
        return with_cells(costs, self.costs, classes, "costs")

    def _weights(self, classes: NDArray[Any], costs: Floats) -> Floats:
        """Return the weights of the cells in weighted accuracy."""
        usual = np.where(np.eye(len(classes), dtype=bool), 1.0, np.maximum(costs, 0.0))
        return with_cells(usual, self.weights, classes, "weights", low=0.0)

    def _decide(self, scores: Floats, kind: str) -> Rows:
        """Return the code of the predicted class of each row."""
        if scores.shape[1] > 2:
            best: Rows = np.argmax(scores, axis=1)
            return best
        positive = self._positive(2)
        is_positive = positive_scores(scores, kind, positive) >= self.threshold
        return np.where(is_positive, positive, 1 - positive)


def measure(
    result: Confusion, name: str, costs: Floats, weights: Floats, losses: dict[str, float]
) -> float:
    """Return one of ``MEASURES``; of the rates of several classes, the mean over the classes."""
    if name in losses:
        return losses[name]
    if name == "expected_cost":
        return result.expected_cost(costs)
    if name == "weighted_accuracy":
        return result.weighted_accuracy(weights)
    value = getattr(result, name)
    return float(value) if np.ndim(value) == 0 else result.macro[name]


def positive_scores(scores: Floats, kind: str, positive: int) -> Floats:
    """Return the scores of the positive class, which are compared with a threshold."""
    is_column = kind == "column" and scores.shape[1] == 2
    score = scores[:, 1] if is_column else scores[:, positive]
    return squash(score) if kind == "decision" else score


def probabilities(scores: Floats, kind: str, positive: int) -> Floats | None:
    """Return scores as probabilities of the classes, or None if they are none.

    A column holds those of the positive class; of more than two classes, it holds decisions.

    Examples
    --------
    >>> probabilities(np.array([[-0.75, 0.75]]), "column", 1).tolist()
    [[0.25, 0.75]]
    """
    if kind == "column" and scores.shape[1] > 2:
        return None
    if kind == "column":
        column = scores[:, 1]
        scores = np.column_stack([1 - column, column] if positive else [column, 1 - column])
    return None if kind == "decision" or (scores < 0).any() or (scores > 1).any() else scores


def _losses(codes: Rows, proba: Floats | None) -> dict[str, float]:
    """Return the mean losses of the rows that were scored; NaN without probabilities."""
    if proba is None:
        return dict.fromkeys(LOSSES, np.nan)
    is_scored = ~np.isnan(proba[:, 0])
    truth, p = codes[is_scored], proba[is_scored]
    labels = np.arange(proba.shape[1])
    return {
        "quadratic_loss": quadratic_loss(truth, p, labels=labels),
        "informational_loss": informational_loss(truth, p, labels=labels),
    }
