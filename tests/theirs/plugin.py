"""A pytest plugin: scikit-learn's tests are collected with the project's classes in its place."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from dmlib import classification, clustering, decomposition, neural, regression

OURS = {
    "cluster": {
        name: getattr(clustering, name)
        for name in (
            "AgglomerativeClustering",
            "BisectingKMeans",
            "DBSCAN",
            "KMeans",
            "OPTICS",
            "SpectralClustering",
        )
    },
    "cross_decomposition": {"PLSRegression": regression.PLSRegression},
    "decomposition": {"NMF": decomposition.NMF, "PCA": decomposition.PCA},
    "discriminant_analysis": {
        name: getattr(classification, name)
        for name in ("LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis")
    },
    "ensemble": {
        name: getattr(classification, name)
        for name in (
            "AdaBoostClassifier",
            "BaggingClassifier",
            "GradientBoostingClassifier",
            "RandomForestClassifier",
        )
    },
    "linear_model": {
        "LogisticRegression": classification.LogisticRegression,
        "Perceptron": neural.Perceptron,
        **{
            name: getattr(regression, name)
            for name in ("ElasticNet", "Lasso", "LinearRegression", "Ridge")
        },
    },
    "multiclass": {
        name: getattr(classification, name)
        for name in ("OneVsOneClassifier", "OneVsRestClassifier", "OutputCodeClassifier")
    },
    "mixture": {"GaussianMixture": clustering.GaussianMixture},
    "naive_bayes": {"GaussianNB": classification.NaiveBayes},
    "neighbors": {
        "KNeighborsClassifier": classification.KNeighborsClassifier,
        "KNeighborsRegressor": regression.KNeighborsRegressor,
    },
    "neural_network": {name: getattr(neural, name) for name in ("MLPClassifier", "MLPRegressor")},
    "svm": {"SVC": classification.SVC, "NuSVC": classification.NuSVC},
    "tree": {
        "DecisionTreeClassifier": classification.DecisionTreeClassifier,
        "DecisionTreeRegressor": regression.DecisionTreeRegressor,
    },
}
WRAPPED_LATE = ("PCA",)
"""Classes that the tests make, with parameters that ours do not have, already when they are
imported."""
SOLVERS: dict[str, dict[str, dict[str, Any]]] = {
    "KMeans": {"algorithm": dict.fromkeys(("lloyd", "elkan"))},
    "LogisticRegression": {
        "solver": dict.fromkeys(
            ("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga"), "newton"
        )
    },
    "PCA": {"svd_solver": dict.fromkeys(("arpack", "randomized"), "full")},
    "DecisionTreeClassifier": {"splitter": {"best": "binary"}},
    **{key: {"activation": {"logistic": "sigmoid"}} for key in ("MLPClassifier", "MLPRegressor")},
    "RandomForestClassifier": {"criterion": {"log_loss": "entropy"}},
}
"""Other ways to the same answer, and what they are with ours; None where there is one way only."""
RESULTS = "DMLIB_THEIRS"
"""The environment variable that names the file for the outcomes."""

used: set[type] = set()
outcomes: dict[str, dict[str, Any]] = {}


def pytest_configure() -> None:
    """Replace the classes, and note when one of ours is used."""
    # With all estimators: those built on others get scikit-learn's.
    import_module("sklearn.utils.estimator_checks")
    for package, classes in OURS.items():
        module = import_module(f"sklearn.{package}")
        for name, ours in classes.items():
            for method in ("__init__", "fit"):
                setattr(ours, method, _noted(getattr(ours, method)))
            for method in ("__init__", "set_params"):
                setattr(ours, method, _by_our_way(getattr(ours, method), SOLVERS.get(name, {})))
            if name not in WRAPPED_LATE:
                setattr(module, name, ours)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Replace the classes that could not be replaced before."""
    late_classes = {
        name: ours
        for classes in OURS.values()
        for name, ours in classes.items()
        if name in WRAPPED_LATE
    }
    for module in {item.module for item in items if isinstance(item, pytest.Function)}:
        for name in late_classes.keys() & vars(module).keys():
            setattr(module, name, late_classes[name])


def _noted(method: Any) -> Any:
    @wraps(method)
    def noted(*args: Any, **kwargs: Any) -> Any:
        used.add(type(args[0]))
        return method(*args, **kwargs)

    return noted


def _by_our_way(method: Any, solvers: dict[str, dict[str, Any]]) -> Any:
    @wraps(method)
    def call(*args: Any, **settings: Any) -> Any:
        for name in solvers.keys() & settings.keys():
            if isinstance(settings[name], str) and settings[name] in solvers[name]:
                way = solvers[name][settings.pop(name)]
                settings |= {} if way is None else {name: way}
        return method(*args, **settings)

    return call


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Tell of each test whether it used one of our classes."""
    used.clear()
    try:
        return (yield)
    finally:
        item.user_properties.append(("ours", bool(used)))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep the outcome of a test."""
    if report.when == "call" or report.failed:
        why = report.longreprtext.strip().splitlines()[-1:] if report.failed else []
        ours = bool(dict(report.user_properties).get("ours", False))
        outcomes[report.nodeid] = {"outcome": report.outcome, "ours": ours, "why": "".join(why)}


def pytest_sessionfinish() -> None:
    """Write the outcomes; of several processes, the one that collects them does."""
    if "PYTEST_XDIST_WORKER" not in os.environ and RESULTS in os.environ:
        Path(os.environ[RESULTS]).write_text(json.dumps(outcomes))
