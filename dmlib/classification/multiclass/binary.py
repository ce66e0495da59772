"""The binary classifiers of a reduction, by name."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

from dmlib.evaluation.scores import ZERO_R, classifiers
from dmlib.params import Choice, Param

BINARY = (
    "logistic_regression",
    "svm",
    "lda_classifier",
    "qda",
    "perceptron",
    "decision_tree",
    "naive_bayes",
    "knn",
    "adaboost",
    "bagging",
)
"""Their names: those of their pages, and of quadratic discriminants."""

ESTIMATOR: dict[str, Param] = {"estimator": Choice(BINARY)}


def binary_classifiers() -> dict[str, Any]:
    """Return their classes by their names."""
    from dmlib.classification import (
        AdaBoostClassifier,
        BaggingClassifier,
        QuadraticDiscriminantAnalysis,
    )
    from dmlib.neural import Perceptron

    shared = {name: classifier for name, classifier in classifiers().items() if name != ZERO_R}
    return shared | {
        "qda": QuadraticDiscriminantAnalysis,
        "perceptron": Perceptron,
        "adaboost": AdaBoostClassifier,
        "bagging": BaggingClassifier,
    }


def binary_classifier(model: Any) -> Any:
    """Return a new classifier by its name, with a fixed seed if it has one, or a clone of one.

    Examples
    --------
    >>> binary_classifier("bagging")
    BaggingClassifier(random_state=0)
    """
    if not isinstance(model, str):
        return clone(model)
    classifier = binary_classifiers()[model]()
    params = classifier.get_params()
    if "random_state" in params and params["random_state"] is None:
        classifier.set_params(random_state=0)
    return classifier


def binary_name(model: Any) -> str:
    """Return the name of a model in ``BINARY``; of a foreign classifier that of its class."""
    if isinstance(model, str):
        return model
    names = {classifier: name for name, classifier in binary_classifiers().items()}
    return names.get(type(model), type(model).__name__)
