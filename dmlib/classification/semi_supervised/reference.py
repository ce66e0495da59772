"""Semi-supervised learning by scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats, Ints
from dmlib.classification.semi_supervised.active_learning import ActiveLearner
from dmlib.classification.semi_supervised.graph_classifier import GraphClassifier
from dmlib.classification.semi_supervised.self_training import SelfTrainingClassifier
from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def shown_labels(model: Any, y: Ints) -> Ints:
    """Return the classes of the rows that the model was shown, -1 for the others."""
    return np.where(model.hidden_, -1, np.asarray(y))


def base_classifier(estimator: str, n_neighbors: int, n_labels: int) -> Any:
    """Return scikit-learn's classifier; with few labels, all are neighbours."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    if estimator == "naive_bayes":
        return GaussianNB(var_smoothing=0.1)
    if estimator == "logistic_regression":
        return LogisticRegression(tol=1e-10, max_iter=10_000)
    return KNeighborsClassifier(min(n_neighbors, n_labels), weights="distance")


def fit_self_training(
    X: Floats,
    y: Ints,
    model: Any,
    estimator: str,
    n_neighbors: int,
    criterion: str,
    threshold: float,
    k_best: int,
    max_iter: int,
) -> Any:
    """Fit scikit-learn's SelfTrainingClassifier to the labels that are shown."""
    import warnings

    from sklearn.semi_supervised import SelfTrainingClassifier

    labels = shown_labels(model, y)
    base = base_classifier(estimator, n_neighbors, int((labels >= 0).sum()))
    reference = SelfTrainingClassifier(
        base, criterion=criterion, threshold=threshold, k_best=k_best, max_iter=max_iter
    )
    with warnings.catch_warnings():  # k_best may be more than there are
        warnings.simplefilter("ignore", UserWarning)
        reference.fit(X, labels)
    reference.label_distributions_ = reference.predict_proba(X)
    return reference


def fit_spreading(
    X: Floats, y: Ints, model: Any, name: str, max_iter: int, tol: float, alpha: float
) -> Any:
    """Fit scikit-learn's LabelPropagation or LabelSpreading to the same graph."""
    import warnings

    from sklearn import semi_supervised

    weights = model.weights(X).toarray()
    params = {"kernel": lambda A, B: weights, "max_iter": max_iter, "tol": tol}
    if name == "LabelSpreading":
        params["alpha"] = alpha
    reference = getattr(semi_supervised, name)(**params)
    with warnings.catch_warnings():  # at the limit of iterations
        warnings.simplefilter("ignore", UserWarning)
        return reference.fit(X, shown_labels(model, y))


def fit_queried(X: Floats, y: Ints, model: Any, estimator: str, n_neighbors: int) -> Answers:
    """Train scikit-learn's classifier on the labels of the start and of all queries."""
    from dmlib.comparison import Answers

    is_labeled = model.labeled_iter_ >= 0
    base = base_classifier(estimator, n_neighbors, int(is_labeled.sum()))
    base.fit(X[is_labeled], np.asarray(y)[is_labeled])
    return Answers(
        f"sklearn's {type(base).__name__}",
        {"label_distributions_": base.predict_proba(X)},
        "The order of the queries is ours: scikit-learn has no active learning.",
    )


def semi_supervised_reference(run: Run[Problem, Any]) -> Reference:
    """Return the same run by scikit-learn.

    Raises
    ------
    Incomparable
        If the library refuses the parameters or the labels.
    """
    model, fitted = run.model, run.fitted
    is_labeled = ~fitted.hidden_
    classes = np.unique(np.asarray(run.problem.training.y)[is_labeled])
    if len(classes) < len(fitted.classes_):
        raise Incomparable("scikit-learn does not know a class of which no row has a label.")
    if isinstance(model, GraphClassifier):
        alpha = getattr(model, "alpha", 0.5)
        if not 0 < alpha < 1:
            raise Incomparable("scikit-learn's LabelSpreading takes an alpha between 0 and 1.")
        return Reference(
            fit_spreading,
            "X",
            "y",
            "model",
            helpers=(shown_labels,),
            name=type(model).__name__,
            max_iter=model.max_iter,
            tol=model.tol,
            alpha=alpha,
        )
    base = {"estimator": model.estimator, "n_neighbors": model.n_neighbors}
    if isinstance(model, ActiveLearner):
        return Reference(fit_queried, "X", "y", "model", helpers=(base_classifier,), **base)
    assert isinstance(model, SelfTrainingClassifier)
    if not is_labeled.all() and model.criterion == "threshold" and model.threshold == 1:
        raise Incomparable("scikit-learn takes a threshold below 1.")
    return Reference(
        fit_self_training,
        "X",
        "y",
        "model",
        helpers=(shown_labels, base_classifier),
        **base,
        criterion=model.criterion,
        threshold=model.threshold,
        k_best=model.k_best,
        max_iter=model.max_iter,
    )
