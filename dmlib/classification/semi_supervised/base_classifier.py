"""The classifier that self-training and active learning train again and again."""

from __future__ import annotations

from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import ConvergenceWarning

from dmlib.arrays import Floats, Ints
from dmlib.evaluation.scores import classifier, support
from dmlib.params import Choice, Conditions, Integer, Param

VAR_SMOOTHING = 0.1  # of the largest variance of a column: a single row of a class has none
ESTIMATORS = ("knn", "naive_bayes", "logistic_regression")
BASE: dict[str, Param] = {
    "estimator": Choice(ESTIMATORS),
    "n_neighbors": Integer(1, 1_000_000, shown=(1, 15)),
}
APPLIES: Conditions = {"n_neighbors": ("estimator", ("knn",))}


def trained(estimator: str, n_neighbors: int, X: Floats, labels: Ints) -> Any:
    """Return the classifier, trained on the rows that have a label.

    Where there are fewer of them than neighbours, all are neighbours. A single class is predicted
    everywhere.

    Examples
    --------
    >>> model = trained("knn", 3, np.array([[0.0], [4.0], [1.0]]), np.array([0, 1, -1]))
    >>> model.predict_proba([[1.0]]).tolist()
    [[0.75, 0.25]]
    """
    is_labeled = labels >= 0
    if len(np.unique(labels[is_labeled])) == 1:
        return DummyClassifier(strategy="prior").fit(X[is_labeled], labels[is_labeled])
    model = classifier(estimator)
    if estimator == "knn":
        model.set_params(n_neighbors=min(n_neighbors, int(is_labeled.sum())), weights="distance")
    if estimator == "naive_bayes":
        model.set_params(ddof=0, var_smoothing=VAR_SMOOTHING)
    with catch_warnings():
        simplefilter("ignore", ConvergenceWarning)
        return model.fit(X[is_labeled], labels[is_labeled])


def probabilities(model: Any, X: Floats, n_classes: int) -> Floats:
    """Return the probability of each class, shape (n_samples, n_classes)."""
    return support(model, X, n_classes)[0]
