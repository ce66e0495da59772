"""The classifiers of the app to which a binary problem can be given, by name."""

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

    others = {name: made for name, made in classifiers().items() if name != ZERO_R}
    return others | {
        "qda": QuadraticDiscriminantAnalysis,
        "perceptron": Perceptron,
        "adaboost": AdaBoostClassifier,
        "bagging": BaggingClassifier,
    }


def binary_classifier(model: Any) -> Any:
    """Return a fresh classifier by its name, with a fixed seed if it has one, or a copy of one.

    Examples
    --------
    >>> binary_classifier("bagging")
    BaggingClassifier(random_state=0)
    """
    if not isinstance(model, str):
        return clone(model)
    made = binary_classifiers()[model]()
    if "random_state" in (params := made.get_params()) and params["random_state"] is None:
        made.set_params(random_state=0)
    return made


def binary_name(model: Any) -> str:
    """Return which of ``BINARY`` a model is, with whatever settings; of other classifiers the name of the class."""
    if isinstance(model, str):
        return model
    return {made: name for name, made in binary_classifiers().items()}.get(
        type(model), type(model).__name__
    )
