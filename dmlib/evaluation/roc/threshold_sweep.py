"""The ROC curve of a classifier: scores for rows that it has not seen, then a threshold that passes them."""

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
from dmlib.evaluation.scorer import Scorer, told
from dmlib.evaluation.scores import COLUMN, SCORING, ScoreStep, classifier, score_column, support
from dmlib.evaluation.thresholds import ThresholdStep, threshold_steps
from dmlib.params import Param
from dmlib.trace import result_of


class ThresholdSweep(Scorer):
    r"""Score rows by a model that has not seen them, and let a threshold fall through the sorted scores.

    Every row whose score is at least the threshold is predicted positive. Each score that the
    threshold passes moves the counts TP, FP, TN and FN, and with them the points of the ROC,
    precision-recall, gains and profit curves.

    Parameters
    ----------
    model : {"naive_bayes", "logistic_regression", "decision_tree", "knn", "svm", "zero_r", "column"} or classifier
        What gives the scores: a model with its defaults; "zero_r": the share of the class, whatever
        the row; "column": a column is the score. The score is the probability of the positive
        class, or the value of the decision function where there is none.
    scoring : {"cross_validation", "held_out", "training"}, default="cross_validation"
        Which rows are scored: each by a model trained on the other folds; a part by a model trained
        on the rest; all by a model trained on just these rows, which is too kind.
    folds : int, default=5
        The number of folds; at most as many as the smaller class has rows.
    test_size : float, default=0.5
        With "held_out", the share of each class that is scored.
    column : int, default=1
        With "column", the number of the column that holds the scores.
    pos_label : optional
        The positive class, by default the last one; all other classes together are the negative
        one.
    random_state : int, RandomState or None, default=None
        The seed of folds, parts and the model.

    Attributes
    ----------
    pos_label_ : object
        The positive class.
    scores_ : ndarray of shape (n_samples,)
        The scores; NaN for rows that were not scored.
    positive_ : ndarray of bool of shape (n_samples,)
        Which rows are positive.
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
        If there is a single class, if a class is too small to be shared out, or if the model
        refuses the data.

    Notes
    -----
    Rows with the same score pass together. Scores of different folds come from different models and
    are compared all the same; this can cost the curve a little.

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
        """Score the rows of ``X`` and keep the curves."""
        X, label, positive = self._two_classes(X, y, remember=True)
        return self._adopt(
            X, label, positive, result_of(self._scored(X, positive.astype(np.intp), 2))[0]
        )

    def fit_from(self, steps: Sequence[ScoreStep | ThresholdStep], X: Any, y: ArrayLike) -> Self:
        """Learn what ``fit`` would from the steps on the same rows, without scoring again."""
        X, label, positive = self._two_classes(X, y, remember=True)
        return self._adopt(X, label, positive, told(steps, len(positive), 2)[0])

    def _adopt(self, X: Any, label: Any, positive: Any, scores: Floats) -> Self:
        """Keep the scores and the curves that they give."""
        self.n_features_in_, self.pos_label_, self.positive_ = X.shape[1], label, positive
        self.scores_, codes = scores[:, 1], positive.astype(np.intp)
        known = ~np.isnan(self.scores_)
        curve = roc_curve(codes[known], self.scores_[known])
        self.fpr_, self.tpr_, self.thresholds_, self.auc_ = (
            curve.fpr,
            curve.tpr,
            curve.thresholds,
            curve.auc,
        )
        self.average_precision_ = pr_curve(codes[known], self.scores_[known]).average_precision
        column = isinstance(self.model, str) and self.model == COLUMN
        self._model = None if column else classifier(self.model, self.random_state).fit(X, codes)
        return self

    def decision_function(self, X: Any) -> Floats:
        """Return the scores of new rows, by the model trained on all rows of ``fit``."""
        check_is_fitted(self)
        X = self._rows(X)
        if self.model_ is None:
            return score_column(X, self.column)
        scores: Floats = support(self.model_, X, 2)[0][:, 1]
        return scores

    def steps(self, X: Any, y: ArrayLike | None = None) -> Iterator[ScoreStep | ThresholdStep]:
        """Yield the scoring of each fold, then the fall of the threshold."""
        X, _, positive = self._two_classes(X, y)
        codes = positive.astype(np.intp)
        scores = (yield from self._scored(X, codes, 2))[0][:, 1]
        known = np.flatnonzero(~np.isnan(scores))
        for passed in threshold_steps(codes[known], scores[known]):
            last = replace(passed, rows=known[passed.rows])
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
