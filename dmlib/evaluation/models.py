"""The models whose error is estimated, their settings to choose among, and what an error is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone

from dmlib import engine
from dmlib.arrays import Floats, take
from dmlib.evaluation.scores import ZERO_R, classifiers

CLASSIFIERS = (
    "knn",
    "naive_bayes",
    "logistic_regression",
    "decision_tree",
    "svm",
    "lda_classifier",
    "qda",
    "adaboost",
    "gradient_boosting",
    "bagging",
    "random_forest",
    "pruned_tree",
    "oblique_tree",
    "pebls",
    "one_vs_rest",
    "perceptron",
    "mlp",
    ZERO_R,
)
REGRESSORS = (
    "regression_tree",
    "model_tree",
    "linear_regression",
    "knn_regression",
    "ridge",
    "lasso",
    "elastic_net",
    "pcr",
    "pls",
    "polynomial",
    "spline",
    "local_regression",
    "mlp_regression",
    "mean",
)
NUMERIC = ("qda", "perceptron", "mlp")
"""Those of them that need numbers and do not say so in a sentence."""
SPOKEN = {
    "knn": "k nearest neighbours",
    "naive_bayes": "naive Bayes",
    "logistic_regression": "logistic regression",
    "decision_tree": "decision tree",
    "svm": "support vector machine",
    "lda_classifier": "discriminant analysis",
    "qda": "quadratic discriminants",
    "adaboost": "AdaBoost",
    "gradient_boosting": "gradient boosting",
    "bagging": "bagged trees",
    "random_forest": "random forest",
    "pruned_tree": "pruned tree",
    "oblique_tree": "oblique tree",
    "pebls": "PEBLS",
    "one_vs_rest": "one-versus-rest",
    "perceptron": "perceptron",
    "mlp": "multilayer perceptron",
    ZERO_R: "ZeroR",
    "regression_tree": "regression tree",
    "model_tree": "model tree (M5)",
    "linear_regression": "linear regression",
    "knn_regression": "k nearest neighbours",
    "ridge": "ridge regression",
    "lasso": "lasso",
    "elastic_net": "elastic net",
    "pcr": "principal component regression",
    "pls": "partial least squares",
    "polynomial": "polynomial",
    "spline": "natural cubic spline",
    "local_regression": "local regression",
    "mlp_regression": "multilayer perceptron",
    "mean": "mean of the target",
}
"""What a reader sees of the models."""
GRIDS: Mapping[str, tuple[dict[str, Any], ...]] = {
    "knn": tuple({"n_neighbors": k} for k in (1, 3, 5, 9, 15)),
    "naive_bayes": tuple({"laplace": value} for value in (0.0, 1.0)),
    "logistic_regression": tuple({"C": C} for C in (0.01, 0.1, 1.0, 10.0)),
    "decision_tree": tuple({"max_depth": depth} for depth in (1, 2, 3, 5)),
    "svm": tuple({"C": C} for C in (0.1, 1.0, 10.0)),
    "regression_tree": tuple({"max_depth": depth} for depth in (1, 2, 3, 5)),
    "knn_regression": tuple({"n_neighbors": k} for k in (1, 3, 5, 9, 15)),
    "model_tree": tuple({"smoothing": k} for k in (0.0, 15.0)),
    "ridge": tuple({"alpha": penalty} for penalty in (0.01, 1.0, 100.0)),
    "lasso": tuple({"alpha": penalty} for penalty in (1.0, 10.0, 50.0)),
    "elastic_net": tuple({"alpha": penalty} for penalty in (1.0, 10.0, 50.0)),
    "polynomial": tuple({"degree": degree} for degree in (1, 3, 5, 9)),
    "spline": tuple({"n_knots": knots} for knots in (3, 5, 8)),
    "local_regression": tuple({"span": span} for span in (0.2, 0.4, 0.8)),
    "pls": tuple({"n_components": k} for k in (1, 2, 3)),
}
"""What the inner folds choose among; other models have one candidate, their defaults."""


def algorithms() -> dict[str, Any]:
    """Return the classes of the models by their names."""
    from sklearn.dummy import DummyRegressor

    from dmlib import classification, neural, regression

    return classifiers() | {
        "qda": classification.QuadraticDiscriminantAnalysis,
        "adaboost": classification.AdaBoostClassifier,
        "gradient_boosting": classification.GradientBoostingClassifier,
        "bagging": classification.BaggingClassifier,
        "random_forest": classification.RandomForestClassifier,
        "pruned_tree": classification.PrunedTreeClassifier,
        "oblique_tree": classification.ObliqueTree,
        "pebls": classification.PEBLS,
        "one_vs_rest": classification.OneVsRestClassifier,
        "perceptron": neural.Perceptron,
        "mlp": neural.MLPClassifier,
        "regression_tree": regression.DecisionTreeRegressor,
        "model_tree": regression.ModelTree,
        "linear_regression": regression.LinearRegression,
        "knn_regression": regression.KNeighborsRegressor,
        "ridge": regression.Ridge,
        "lasso": regression.Lasso,
        "elastic_net": regression.ElasticNet,
        "pcr": regression.PrincipalComponentRegression,
        "pls": regression.PLSRegression,
        "polynomial": regression.PolynomialRegression,
        "spline": regression.NaturalSpline,
        "local_regression": regression.LocalRegression,
        "mlp_regression": neural.MLPRegressor,
        "mean": DummyRegressor,
    }


def made(model: Any, seed: int, settings: Mapping[str, Any] | None = None) -> Any:
    """Return a fresh model by its name, or a copy of one, with these settings.

    Examples
    --------
    >>> made("knn", 0, {"n_neighbors": 3}).n_neighbors
    3
    """
    new = algorithms()[model]() if isinstance(model, str) else clone(model)
    if getattr(new, "random_state", seed) is None:
        new.random_state = seed
    return new.set_params(**(settings or {}))


def name_of(model: Any) -> str:
    """Return which model it is, with whatever settings; of others the name of the class.

    Examples
    --------
    >>> from dmlib.classification import KNeighborsClassifier
    >>> name_of("svm"), name_of(KNeighborsClassifier(15))
    ('svm', 'knn')
    """
    if isinstance(model, str):
        return model
    return {each: name for name, each in algorithms().items()}.get(
        type(model), type(model).__name__
    )


def spoken(model: Any) -> str:
    """Return what a reader sees of a model."""
    return SPOKEN.get(name_of(model), name_of(model))


def candidates(model: Any) -> tuple[dict[str, Any], ...]:
    """Return the settings that the inner folds of a nested validation choose among.

    Examples
    --------
    >>> [settings["max_depth"] for settings in candidates("decision_tree")], candidates("zero_r")
    ([1, 2, 3, 5], ({},))
    """
    return GRIDS.get(name_of(model), ({},))


def written(settings: Mapping[str, Any]) -> str:
    """Return settings as a reader sees them.

    Examples
    --------
    >>> written({"n_neighbors": 3}), written({})
    ('n_neighbors = 3', 'its defaults')
    """
    return ", ".join(f"{name} = {value}" for name, value in settings.items()) or "its defaults"


def losses(truth: Any, predicted: Any, numbers: bool) -> Floats:
    """Return the loss of each row: the squared error of a number, 0 or 1 of a class."""
    if numbers:
        return np.asarray((np.asarray(truth, float) - np.asarray(predicted, float)) ** 2)
    return np.asarray(np.asarray(truth) != np.asarray(predicted), float)


def predictions(model: Any, seed: int, X: Any, y: Any, settings: Any, rows: tuple[Any, Any]) -> Any:
    """Return what a model that has learned from some rows says of others."""
    train, test = rows
    return np.asarray(
        made(model, seed, settings).fit(take(X, train), y[train]).predict(take(X, test))
    )


def predictions_each(
    model: Any, seed: int, X: Any, y: Any, parts: Sequence[tuple[Any, Any]], workers: int | None
) -> Iterator[Any]:
    """Yield the predictions for each pair of training and test rows; decision trees of numbers grow together here."""
    numbers = isinstance(X, np.ndarray) and X.dtype.kind == "f" and np.isfinite(X).all()
    # By its name, with its defaults: others may weigh rows by which of them they learn from.
    if model == "decision_tree" and numbers and workers == 1:
        from dmlib.classification.decision_tree import several

        yield from several.predictions_each(made(model, seed), X, y, parts)
        return
    yield from engine.map(partial(predictions, model, seed, X, y, None), parts, workers=workers)
