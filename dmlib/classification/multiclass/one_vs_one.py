"""One-versus-one: a classifier for each pair of classes, and a vote of all."""

from __future__ import annotations

from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.multiclass.binary import ESTIMATOR
from dmlib.classification.multiclass.binary_step import Mask, agreeing
from dmlib.classification.multiclass.reduction import BinaryReduction
from dmlib.params import Param


class OneVsOneClassifier(BinaryReduction):
    """Train a binary classifier for each pair of classes; the class with the most votes wins.

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
        One for each pair, in the order (first, second), (first, third), ...; the later class is the
        positive one.
    pairwise_indices_ : list of ndarray or None
        The training rows of each pair, if the estimator takes a matrix of kernel values or
        distances between rows.
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
    k (k - 1) / 2 fits, each on the rows of two classes. Equal votes are decided by the sum s of the
    values of a class's problems, with its sign, scaled to s / (3 (1 + size of s)), less than half a
    vote; then the first class wins. As in scikit-learn, probabilities are summed without
    subtracting 1/2; but from the decision value of two classes by probabilities 1/2 is subtracted,
    so that it is above 0 for the second.

    References
    ----------
    J. H. Friedman (1996), Another approach to polychotomous classification.
    T. Hastie and R. Tibshirani (1998), Classification by pairwise coupling.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [4.0], [5.0], [8.0], [9.0]], ["a", "a", "b", "b", "c", "c"]
    >>> model = OneVsOneClassifier("naive_bayes").fit(X, y)
    >>> len(model.estimators_), model.predict([[0.5], [4.5], [8.5]]).tolist()
    (3, ['a', 'b', 'c'])
    """

    PARAMS: ClassVar[dict[str, Param]] = {**ESTIMATOR}

    def __init__(self, estimator: Any = "logistic_regression") -> None:
        self.estimator = estimator

    @property
    def pairwise_indices_(self) -> list[Ints] | None:
        """The training rows of each problem, if the estimator takes a matrix between rows."""
        return self._members

    def _code(self, n_classes: int) -> Ints:
        signs = np.zeros((n_classes, n_classes * (n_classes - 1) // 2), np.intp)
        for column, (i, j) in zip(signs.T, combinations(range(n_classes), 2), strict=True):
            column[i], column[j] = -1, 1
        return signs

    def _scores(self, values: Floats, positive: Mask) -> Floats:
        return np.asarray(agreeing(self.signs, positive) + squeezed(values @ self.signs.T))

    def _of_two(self, scores: Floats) -> Floats:
        return np.asarray(scores[:, 1] - self.even)


def squeezed(sums: Floats) -> Floats:
    """Return sums of values as less than half a vote, in the same order.

    Examples
    --------
    >>> squeezed(np.array([-2.0, 0.0, 1.0])).round(4).tolist()
    [-0.2222, 0.0, 0.1667]
    """
    return np.asarray(sums / (3 * (np.abs(sums) + 1)))
