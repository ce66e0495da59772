"""One-versus-rest: a classifier for each class against all others."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from dmlib.arrays import Floats, Ints
from dmlib.classification.multiclass.binary import ESTIMATOR
from dmlib.classification.multiclass.binary_step import Mask
from dmlib.classification.multiclass.reduction import BinaryReduction
from dmlib.params import Param


def _has_probabilities(model: Any) -> bool:
    return hasattr(model._model, "predict_proba")


class OneVsRestClassifier(BinaryReduction):
    """Train a binary classifier for each class against all others; the largest value wins.

    Parameters
    ----------
    estimator : str or classifier
        The binary classifier: one of this package with its defaults,
        "logistic_regression", "svm", "lda_classifier", "qda", "perceptron", "decision_tree",
        "naive_bayes", "knn", "adaboost" or "bagging", or any that has ``decision_function`` or
        ``predict_proba``.

    Attributes
    ----------
    estimators_ : list of classifiers
        One for each class, in the order of ``classes_``; for two classes a single one, of the
        second class.
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_classes_ : int
        Their number.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if they were columns of a data frame.

    Raises
    ------
    ValueError
        If there is one class only, or the estimator refuses the data.

    Notes
    -----
    k fits for k > 2 classes, each on all rows. Where none or several of the classifiers are
    positive, values of different classifiers are compared, which need not be comparable. Of equal
    values the first class wins.

    References
    ----------
    R. Rifkin and A. Klautau (2004), In defense of one-vs-all classification.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [4.0], [5.0], [8.0], [9.0]], ["a", "a", "b", "b", "c", "c"]
    >>> model = OneVsRestClassifier("naive_bayes").fit(X, y)
    >>> len(model.estimators_), model.predict([[0.5], [8.5]]).tolist()
    (3, ['a', 'c'])
    """

    PARAMS: ClassVar[dict[str, Param]] = {**ESTIMATOR}

    def __init__(self, estimator: Any = "logistic_regression") -> None:
        self.estimator = estimator

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """Return the classifiers' probabilities, divided by their sum, (n_samples, n_classes)."""
        check_is_fitted(self)
        table = self._table(X)
        shares = np.column_stack(
            [estimator.predict_proba(table)[:, 1] for estimator in self.estimators_]
        )
        if len(self.classes_) == 2:
            shares = np.column_stack([1 - shares[:, 0], shares[:, 0]])
        total = shares.sum(axis=1, keepdims=True)
        return np.asarray(shares / np.where(total > 0, total, 1.0))

    def _code(self, n_classes: int) -> Ints:
        if n_classes == 2:
            return np.array([[-1], [1]])
        return 2 * np.eye(n_classes, dtype=np.intp) - 1

    def _scores(self, values: Floats, positive: Mask) -> Floats:
        if len(self.classes_) == 2:
            return np.column_stack([2 * self.even - values[:, 0], values[:, 0]])
        return values

    def _of_two(self, scores: Floats) -> Floats:
        return np.asarray(scores[:, 1] - self.even)
