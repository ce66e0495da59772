"""Every estimator says in a sentence that it is not fitted, and that there is nothing to fit."""

import contextlib
import importlib
import inspect
import warnings

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from dmlib.association import apriori, fp_growth
from dmlib.classification import WeightedVoteRelationalNeighbor
from dmlib.large import NaiveBayes
from dmlib.neural import GradientDescent
from dmlib.regression import Lasso, Ridge

FAMILIES = (
    "association",
    "classification",
    "clustering",
    "decomposition",
    "evaluation",
    "feature_selection",
    "large",
    "neural",
    "preprocessing",
    "regression",
    "similarity",
)
METHODS = (
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "transform",
    "inverse_transform",
    "score_samples",
    "certainty",
    "apply",
    "kneighbors",
    "reconstruct",
    "free_energy",
    "gibbs",
    "export_rules",
)
ROWS = np.random.default_rng(0).normal(size=(5, 3))
EMPTY = [], [[]], np.empty((0, 3)), np.empty((3, 0)), pd.DataFrame({"a": []}), None, 5


def estimators():
    """Return the estimators that need no argument."""
    names = {}
    for family in FAMILIES:
        package = importlib.import_module(f"dmlib.{family}")
        for name in package.__all__:
            cls = getattr(package, name)
            if inspect.isclass(cls) and hasattr(cls, "fit"):
                required = [
                    p for p in inspect.signature(cls).parameters.values() if p.default is p.empty
                ]
                names |= {} if required else {cls: f"{family}.{name}"}
    return list(names)


@pytest.mark.parametrize(
    "cls", estimators(), ids=lambda cls: f"{cls.__module__.split('.')[1]}.{cls.__name__}"
)
def test_a_model_that_is_not_fitted_says_so(cls):
    for method in METHODS:
        function = getattr(cls(), method, None)  # some have it only with other parameters
        if not callable(function):
            continue
        parameters = inspect.signature(function).parameters.values()
        needed = sum(p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters)
        with pytest.raises(NotFittedError):
            function(*[ROWS, np.arange(5) % 2][:needed])


@pytest.mark.parametrize(
    "cls", estimators(), ids=lambda cls: f"{cls.__module__.split('.')[1]}.{cls.__name__}"
)
def test_nothing_to_fit_is_refused_in_a_sentence(cls):
    is_large = cls.__module__.startswith("dmlib.large")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for data in EMPTY:
            with contextlib.suppress(
                ValueError, TypeError
            ):  # no IndexError, KeyError or AttributeError
                cls().fit(data, "a" if is_large else [])
            with contextlib.suppress(ValueError, TypeError):
                cls().fit(data)


def test_who_did_not_say_that_it_is_not_fitted():
    for model in (WeightedVoteRelationalNeighbor(), NaiveBayes()):
        with pytest.raises(NotFittedError, match="is not fitted yet"):
            model.predict(nx.path_graph(3))


@pytest.mark.parametrize("data", [[], [[1.0, 2.0]], None, np.eye(2)])
def test_a_descent_needs_a_surface(data):
    with pytest.raises(ValueError, match="X must be a surface with domain, value and gradient"):
        GradientDescent().fit(data)


@pytest.mark.parametrize("frequent_sets", [apriori, fp_growth])
@pytest.mark.parametrize("baskets", [[{1, "a"}], [["a", None]], [[["a"], ["b"]]]])
def test_items_that_cannot_be_sorted_are_refused_in_a_sentence(frequent_sets, baskets):
    with pytest.raises(ValueError, match="Write all items as text"):
        frequent_sets(baskets)
    assert frequent_sets([{"1", "a"}], 0.5)


@pytest.mark.parametrize("cls", [Ridge, Lasso])
def test_without_an_intercept_columns_are_divided_by_their_root_mean_square(cls):
    X, y = np.array([[1.0], [2.0], [3.0], [6.0]]), np.array([2.0, 3.0, 7.0, 8.0])
    model = cls(alpha=4.0, fit_intercept=False).fit(X, y)
    assert model.scale_ == pytest.approx([np.sqrt((X**2).mean())])
    assert model.r2_ == pytest.approx(1 - model.sse_ / (y**2).sum())
    assert "without an intercept by the root of their mean square" in " ".join(
        (cls.__doc__ or "").split()
    )
