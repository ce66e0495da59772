"""The models whose error is estimated, by name: their classes, titles and candidate settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pkgutil import resolve_name
from typing import Any

import numpy as np
from sklearn.base import clone

from dmlib import engine
from dmlib.arrays import Floats, take
from dmlib.evaluation.scores import ZERO_R


@dataclass(frozen=True)
class Model:
    """An estimator that is evaluated by name.

    Attributes
    ----------
    path : str
        The package that exports the class, and its name; it is imported when it is used.
    title : str
        Its name for a reader.
    grid : mapping of str to sequence
        The values of a parameter among which inner folds choose; without any, the defaults are the
        only candidate.
    """

    path: str
    title: str
    grid: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    @property
    def algorithm(self) -> Any:
        """The class."""
        return resolve_name(self.path)


CLASSIFIERS: Mapping[str, Model] = {
    "knn": Model(
        "dmlib.classification:KNeighborsClassifier",
        "k nearest neighbours",
        {"n_neighbors": (1, 3, 5, 9, 15)},
    ),
    "naive_bayes": Model("dmlib.classification:NaiveBayes", "naive Bayes", {"laplace": (0.0, 1.0)}),
    "tan": Model(
        "dmlib.classification:BayesianNetworkClassifier",
        "Bayesian network (TAN)",
        {"n_bins": (2, 3, 5)},
    ),
    "logistic_regression": Model(
        "dmlib.classification:LogisticRegression",
        "logistic regression",
        {"C": (0.01, 0.1, 1.0, 10.0)},
    ),
    "decision_tree": Model(
        "dmlib.classification:DecisionTreeClassifier", "decision tree", {"max_depth": (1, 2, 3, 5)}
    ),
    "svm": Model("dmlib.classification:SVC", "support vector machine", {"C": (0.1, 1.0, 10.0)}),
    "lda_classifier": Model(
        "dmlib.classification:LinearDiscriminantAnalysis", "discriminant analysis"
    ),
    "qda": Model("dmlib.classification:QuadraticDiscriminantAnalysis", "quadratic discriminants"),
    "adaboost": Model("dmlib.classification:AdaBoostClassifier", "AdaBoost"),
    "gradient_boosting": Model(
        "dmlib.classification:GradientBoostingClassifier", "gradient boosting"
    ),
    "bagging": Model("dmlib.classification:BaggingClassifier", "bagged trees"),
    "random_forest": Model("dmlib.classification:RandomForestClassifier", "random forest"),
    "pruned_tree": Model("dmlib.classification:PrunedTreeClassifier", "pruned tree"),
    "oblique_tree": Model("dmlib.classification:ObliqueTree", "oblique tree"),
    "pebls": Model("dmlib.classification:PEBLS", "PEBLS"),
    "one_vs_rest": Model("dmlib.classification:OneVsRestClassifier", "one-versus-rest"),
    "perceptron": Model("dmlib.neural:Perceptron", "perceptron"),
    "mlp": Model("dmlib.neural:MLPClassifier", "multilayer perceptron"),
    ZERO_R: Model("sklearn.dummy:DummyClassifier", "ZeroR"),
}
REGRESSORS: Mapping[str, Model] = {
    "regression_tree": Model(
        "dmlib.regression:DecisionTreeRegressor", "regression tree", {"max_depth": (1, 2, 3, 5)}
    ),
    "model_tree": Model(
        "dmlib.regression:ModelTree", "model tree (M5)", {"smoothing": (0.0, 15.0)}
    ),
    "bagged_regression_trees": Model(
        "dmlib.regression:BaggingRegressor", "bagged regression trees"
    ),
    "regression_forest": Model("dmlib.regression:RandomForestRegressor", "random forest"),
    "linear_regression": Model("dmlib.regression:LinearRegression", "linear regression"),
    "knn_regression": Model(
        "dmlib.regression:KNeighborsRegressor",
        "k nearest neighbours",
        {"n_neighbors": (1, 3, 5, 9, 15)},
    ),
    "ridge": Model("dmlib.regression:Ridge", "ridge regression", {"alpha": (0.01, 1.0, 100.0)}),
    "lasso": Model("dmlib.regression:Lasso", "lasso", {"alpha": (1.0, 10.0, 50.0)}),
    "elastic_net": Model(
        "dmlib.regression:ElasticNet", "elastic net", {"alpha": (1.0, 10.0, 50.0)}
    ),
    "pcr": Model("dmlib.regression:PrincipalComponentRegression", "principal component regression"),
    "pls": Model(
        "dmlib.regression:PLSRegression", "partial least squares", {"n_components": (1, 2, 3)}
    ),
    "polynomial": Model(
        "dmlib.regression:PolynomialRegression", "polynomial", {"degree": (1, 3, 5, 9)}
    ),
    "spline": Model(
        "dmlib.regression:NaturalSpline", "natural cubic spline", {"n_knots": (3, 5, 8)}
    ),
    "local_regression": Model(
        "dmlib.regression:LocalRegression", "local regression", {"span": (0.2, 0.4, 0.8)}
    ),
    "mlp_regression": Model("dmlib.neural:MLPRegressor", "multilayer perceptron"),
    "mean": Model("sklearn.dummy:DummyRegressor", "mean of the target"),
}
MODELS: Mapping[str, Model] = {**CLASSIFIERS, **REGRESSORS}
TITLES = {name: model.title for name, model in MODELS.items()}
NUMERIC = ("qda", "perceptron", "mlp")
"""Models that need numbers and do not refuse texts themselves."""


def algorithms() -> dict[str, Any]:
    """Return the classes of the models by their names."""
    return {name: model.algorithm for name, model in MODELS.items()}


def fresh_model(model: Any, seed: int, settings: Mapping[str, Any] | None = None) -> Any:
    """Return an unfitted model by its name, or a copy of one, with these settings.

    Examples
    --------
    >>> fresh_model("knn", 0, {"n_neighbors": 3}).n_neighbors
    3
    """
    fresh = MODELS[model].algorithm() if isinstance(model, str) else clone(model)
    if getattr(fresh, "random_state", seed) is None:
        fresh.random_state = seed
    return fresh.set_params(**(settings or {}))


def name_of(model: Any) -> str:
    """Return the name of a model, whatever its settings; of an unknown one, that of its class.

    Examples
    --------
    >>> from dmlib.classification import KNeighborsClassifier
    >>> name_of("svm"), name_of(KNeighborsClassifier(15))
    ('svm', 'knn')
    """
    if isinstance(model, str):
        return model
    names = {algorithm: name for name, algorithm in algorithms().items()}
    return names.get(type(model), type(model).__name__)


def title_of(model: Any) -> str:
    """Return the title of a model."""
    name = name_of(model)
    return TITLES.get(name, name)


def candidates(model: Any) -> tuple[dict[str, Any], ...]:
    """Return the settings that the inner folds of a nested validation choose among.

    Examples
    --------
    >>> [settings["max_depth"] for settings in candidates("decision_tree")], candidates("zero_r")
    ([1, 2, 3, 5], ({},))
    """
    name = name_of(model)
    grid = MODELS[name].grid if name in MODELS else {}
    settings = [{parameter: value} for parameter, values in grid.items() for value in values]
    return tuple(settings) or ({},)


def settings_text(settings: Mapping[str, Any]) -> str:
    """Return settings as text.

    Examples
    --------
    >>> settings_text({"n_neighbors": 3}), settings_text({})
    ('n_neighbors = 3', 'its defaults')
    """
    return ", ".join(f"{name} = {value}" for name, value in settings.items()) or "its defaults"


def losses(truth: Any, predicted: Any, numbers: bool) -> Floats:
    """Return the loss of each row: the squared error of a number, 0 or 1 of a class."""
    if numbers:
        return np.asarray((np.asarray(truth, float) - np.asarray(predicted, float)) ** 2)
    return np.asarray(np.asarray(truth) != np.asarray(predicted), float)


def predictions(model: Any, seed: int, X: Any, y: Any, settings: Any, rows: tuple[Any, Any]) -> Any:
    """Return the predictions for test rows of a model that is fitted to training rows."""
    train, test = rows
    fitted = fresh_model(model, seed, settings).fit(take(X, train), y[train])
    return np.asarray(fitted.predict(take(X, test)))


def predictions_each(
    model: Any, seed: int, X: Any, y: Any, parts: Sequence[tuple[Any, Any]], workers: int | None
) -> Iterator[Any]:
    """Yield the predictions for each pair of training and test rows.

    Decision trees of numbers grow together: all their splits share the sorted columns.
    """
    is_numeric = isinstance(X, np.ndarray) and X.dtype.kind == "f" and np.isfinite(X).all()
    # Only by its name, with its defaults: settings may weigh rows by those that train.
    if model == "decision_tree" and is_numeric and workers == 1:
        from dmlib.classification.decision_tree import several

        yield from several.predictions_each(fresh_model(model, seed), X, y, parts)
        return
    yield from engine.map(partial(predictions, model, seed, X, y, None), parts, workers=workers)
