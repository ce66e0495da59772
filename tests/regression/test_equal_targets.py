"""Targets that are all equal leave nothing to explain: R² is undefined, and the page says so."""

import inspect

import numpy as np
import pandas as pd
import pytest

from dmlib import large, regression
from dmlib.neural import MLPRegressor
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.regression.knn_tree_regression.scene import knn_tree_scene
from dmlib.regression.linear_regression.scene import linear_regression_scene
from dmlib.regression.pcr.scene import pcr_scene
from dmlib.regression.polynomial_regression.scene import polynomial_regression_scene
from dmlib.regression.ridge_lasso.scene import ridge_lasso_scene

MODELS = [
    model
    for name in regression.__all__
    if inspect.isclass(model := getattr(regression, name)) and hasattr(model, "fit")
]
SCENES = {
    "knn_tree_regression": knn_tree_scene,
    "linear_regression": linear_regression_scene,
    "pcr": pcr_scene,
    "polynomial_regression": polynomial_regression_scene,
    "ridge_lasso": ridge_lasso_scene,
}
# means of these differ from them by rounding: 1e9 / 7 and -2.3e-5 among them
CONSTANTS = [(10, 0.1), (13, 1e9 / 7), (11, -2.3e-5), (7, 4.0)]


def rows(n):
    return np.random.default_rng(0).normal(size=(n, 3))


@pytest.mark.parametrize(("n", "value"), CONSTANTS)
@pytest.mark.parametrize("model", [*MODELS, MLPRegressor], ids=lambda model: model.__name__)
def test_r_squared_is_not_defined(model, n, value):
    assert np.isnan(model().fit(rows(n), np.full(n, value)).r2_)


@pytest.mark.parametrize(("n", "value"), CONSTANTS)
def test_r_squared_of_a_large_table_is_not_defined(n, value):
    frame = pd.DataFrame(rows(n), columns=list("abc")).assign(y=value)
    assert np.isnan(large.LinearRegression().fit(frame, "y").r2_)


def test_r_squared_of_several_targets_is_not_defined_where_one_of_them_is_constant():
    X = rows(20)
    varied = X @ np.arange(6.0).reshape(3, 2)
    assert np.isfinite(MLPRegressor(random_state=0).fit(X, varied).r2_)
    varied[:, 1] = 0.1
    assert np.isnan(MLPRegressor(random_state=0).fit(X, varied).r2_)


@pytest.mark.parametrize(("n", "value"), CONSTANTS)
@pytest.mark.parametrize("model", [regression.DecisionTreeRegressor, regression.ModelTree])
def test_a_tree_has_one_leaf_with_the_value_itself(model, n, value):
    tree = model().fit(rows(n), np.full(n, value))
    assert tree.n_leaves_ == 1
    assert tree.sse_ == 0
    assert (tree.fitted_ == value).all()


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_the_page_says_why_there_is_none(model):
    technique = model.__module__.split(".")[2]
    frame = pd.DataFrame(rows(13), columns=list("abc")).assign(y=1e9 / 7)
    problem = prepare(frame, list("abc"), target="y", numeric_target=True)
    run = Run.of(problem, model())
    caption = SCENES[technique](run).frames[-1].caption
    assert "R² is not defined, since all targets are equal" in caption
