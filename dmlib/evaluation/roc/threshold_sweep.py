"""The ROC curve of a classifier: out-of-sample scores, then a threshold that falls through them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats
from dmlib.evaluation.roc.algorithm import roc_curve
from dmlib.evaluation.roc.precision_recall import pr_curve
from dmlib.evaluation.scorer import Scorer, collected_scores
from dmlib.evaluation.scores import COLUMN, SCORING, ScoreStep, classifier, score_column, support
from dmlib.evaluation.thresholds import ThresholdStep, threshold_steps
from dmlib.params import Param
from dmlib.trace import result_of


class ThresholdSweep(Scorer):
    r"""Score rows out of sample, and let a decision threshold fall through the sorted scores.

    Every row whose score is at least the threshold is predicted positive. Each score that the
    threshold passes moves the counts TP, FP, TN and FN, and with them the points of the ROC,
    precision-recall, gains and profit curves.

    Parameters
    ----------
    model : str or classifier, default="naive_bayes"
        The classifier that scores: one of "naive_bayes", "logistic_regression", "decision_tree",
        "knn" and "svm" with its defaults; "zero_r", whose score is the fraction of the class; or
        "column", a column of scores. The score is the probability of the positive class, or the
        value of the decision function where there is none.
    scoring : {"cross_validation", "held_out", "training"}, default="cross_validation"
        How rows are scored: each by a model trained on the remaining folds; a part by a model
        trained on the remaining rows; all by a model trained on the same rows, which is optimistic.
    folds : int, default=5
        The number of folds; at most as many as the smaller class has rows.
    test_size : float, default=0.5
        With "held_out", the fraction of each class that is scored.
    column : int, default=1
        With "column", the number of the column that holds the scores.
    pos_label : optional
        The positive class, by default the last one; all remaining classes are negative.
    random_state : int, RandomState or None, default=None
        The seed of folds, parts and the model.

    Attributes
    ----------
    pos_label_ : object
        The positive class.
    scores_ : ndarray of shape (n_samples,)
        The scores; NaN for rows that were not scored.
    positive_ : ndarray of bool of shape (n_samples,)
        Whether each row is positive.
    fpr_, tpr_, thresholds_ : ndarray of shape (n_thresholds,)
        The ROC curve.
    auc_ : float
        The area under it.
    average_precision_ : float
        The step-wise area under the precision-recall curve.
    model_ : classifier or None
        The model, fitted to all rows; None for a column.
    n_features_in_ : int
        The number of columns seen by ``fit``.

    Raises
    ------
    ValueError
        If there is a single class, if a class is too small to be split, or if the model refuses the
        data.

    Notes
    -----
    Rows with the same score pass together. Scores of different folds come from different models,
    yet are sorted together; this can lower the curve a little.

    References
    ----------
    T. Fawcett (2006), An introduction to ROC analysis.
    F. Provost and T. Fawcett (2001), Robust classification for imprecise environments.

    Examples
    --------
    >>> sweep = ThresholdSweep("column").fit([[0.9], [0.8], [0.8], [0.1]], [1, 0, 1, 0])
    >>> sweep.auc_, sweep.thresholds_.tolist()
    (0.875, [inf, 0.9, 0.8, 0.1])
    """

    PARAMS: ClassVar[dict[str, Param]] = SCORING

    def __init__(
        self,
        model: Any = "naive_bayes",
        *,
        scoring: str = "cross_validation",
        folds: int = 5,
        test_size: float = 0.5,
        column: int = 1,
        pos_label: Any = None,
        random_state: Any = None,
    ) -> None:
        self.model = model
        self.scoring = scoring
        self.folds = folds
        self.test_size = test_size
        self.column = column
        self.pos_label = pos_label
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Score the rows of ``X`` and compute the curves."""
        X, label, positive = self._two_classes(X, y, remember=True)
        scores, _ = result_of(self._scored(X, positive.astype(np.intp), 2))
        return self._adopt(X, label, positive, scores)

    def fit_from(self, steps: Sequence[ScoreStep | ThresholdStep], X: Any, y: ArrayLike) -> Self:
        """Become what the steps on the same rows say."""
        X, label, positive = self._two_classes(X, y, remember=True)
        scores, _ = collected_scores(steps, len(positive), 2)
        return self._adopt(X, label, positive, scores)

    def _adopt(self, X: Any, label: Any, positive: Any, scores: Floats) -> Self:
        """Set the scores and the curves that follow from them."""
        codes = positive.astype(np.intp)
        self.n_features_in_ = X.shape[1]
        self.pos_label_ = label
        self.positive_ = positive
        self.scores_ = scores[:, 1]
        is_scored = ~np.isnan(self.scores_)
        truth, score = codes[is_scored], self.scores_[is_scored]
        curve = roc_curve(truth, score)
        self.fpr_ = curve.fpr
        self.tpr_ = curve.tpr
        self.thresholds_ = curve.thresholds
        self.auc_ = curve.auc
        self.average_precision_ = pr_curve(truth, score).average_precision
        is_column = isinstance(self.model, str) and self.model == COLUMN
        self._model = None if is_column else classifier(self.model, self.random_state).fit(X, codes)
        return self

    def decision_function(self, X: Any) -> Floats:
        """Return the scores of new rows, by the model trained on all rows of ``fit``."""
        check_is_fitted(self)
        X = self._rows(X)
        if self.model_ is None:
            return score_column(X, self.column)
        scores, _ = support(self.model_, X, 2)
        return scores[:, 1]

    def steps(self, X: Any, y: ArrayLike | None = None) -> Iterator[ScoreStep | ThresholdStep]:
        """Yield the scoring of each fold, then the thresholds from the highest."""
        X, _, positive = self._two_classes(X, y)
        codes = positive.astype(np.intp)
        scores, _ = yield from self._scored(X, codes, 2)
        score = scores[:, 1]
        scored = np.flatnonzero(~np.isnan(score))
        for step in threshold_steps(codes[scored], score[scored]):
            last = replace(step, rows=scored[step.rows])
            yield last
        yield replace(last, phase="done", rows=np.empty(0, np.intp))

    def _two_classes(self, X: Any, y: Any, remember: bool = False) -> tuple[Any, Any, Any]:
        X, classes, codes = self._check(X, y, remember)
        if len(classes) < 2:
            raise ValueError(
                f"There is only one class, {classes[0]}. A curve needs positive and negative rows."
            )
        label = classes[-1] if self.pos_label is None else self.pos_label
        if label not in classes.tolist():
            raise ValueError(
                f"pos_label={label!r} is not one of the classes {', '.join(map(str, classes))}."
            )
        return X, label, np.asarray(classes[codes] == label)
