"""The classifiers that bagging and boosting train, by name."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.dummy import DummyClassifier

from dmlib.evaluation.scores import classifier
from dmlib.params import Choice, Conditions, Spoken, check_params

TREE = "tree"
ESTIMATOR = Choice((TREE, "naive_bayes", "knn", "logistic_regression"), none=True)
NAMES = {
    TREE: "tree",
    "naive_bayes": "naive Bayes",
    "knn": "k-NN",
    "logistic_regression": "logistic",
}
SPOKEN: Spoken = {"estimator": NAMES}
OF_TREES: Conditions = dict.fromkeys(("max_depth", "criterion"), ("estimator", (TREE,)))


def check_base_learner(estimator: Any) -> None:
    """Refuse what is neither a name, a classifier nor None, the tree.

    Raises
    ------
    ValueError
        With the names.

    Examples
    --------
    >>> check_base_learner("knn")
    """
    if not (hasattr(estimator, "fit") and hasattr(estimator, "get_params")):
        check_params({"estimator": ESTIMATOR}, {"estimator": estimator})


def base_learner(estimator: Any, y: ArrayLike) -> Any:
    """Return a new classifier for rows of the classes ``y``, by its name, or a clone of one.

    Where all rows are of one class, a named classifier predicts it everywhere.

    Examples
    --------
    >>> base_learner("knn", ["a", "b"]), base_learner("knn", ["a", "a"])
    (KNeighborsClassifier(), DummyClassifier())
    """
    if not isinstance(estimator, str):
        return clone(estimator)
    return classifier(estimator) if len(np.unique(y)) > 1 else DummyClassifier()


def noun_of(model: Any) -> str:
    """Return the noun for what an ensemble trains: "tree" or "classifier".

    Examples
    --------
    >>> from dmlib.classification import AdaBoostClassifier as AdaBoost
    >>> noun_of(AdaBoost()), noun_of(AdaBoost(None)), noun_of(AdaBoost("knn"))
    ('tree', 'tree', 'classifier')
    """
    is_name = isinstance(model.estimator, str)
    is_tree = model.estimator is None or (is_name and model.estimator == TREE)
    return "tree" if is_tree else "classifier"


def check_trees(model: Any) -> None:
    """Refuse an ensemble of other classifiers than trees.

    Raises
    ------
    ValueError
        With what to choose.

    Examples
    --------
    >>> from dmlib.classification import BaggingClassifier
    >>> check_trees(BaggingClassifier())
    """
    if noun_of(model) != "tree":
        raise ValueError("This figure is about trees. Choose tree as the base learner.")
