"""Bagged regressions against scikit-learn on the same bags, by hand, and on the page."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import BaggingRegressor as TheirBagging
from sklearn.tree import DecisionTreeRegressor as TheirTree
from sklearn.utils.estimator_checks import parametrize_with_checks

from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.regression import (
    BaggingRegressor,
    DecisionTreeRegressor,
    LinearRegression,
    RandomForestRegressor,
)
from dmlib.regression.knn_tree_regression.questions import questions
from dmlib.regression.knn_tree_regression.scene import knn_tree_scene
from tests.regression.knn_tree_regression.test_knn_tree_regression import random_data
from tests.rounds import step_of
from tests.visit import open_preset

each_ensemble = pytest.mark.parametrize("ensemble", [BaggingRegressor, RandomForestRegressor])


@parametrize_with_checks([BaggingRegressor(n_estimators=3), RandomForestRegressor(3)])
def test_conventions_of_scikit_learn(estimator, check):
    check(estimator)


@given(seed=st.integers(0, 50), bootstrap=st.booleans())
def test_bagging_is_the_mean_of_trees_of_scikit_learn_on_the_same_bags(seed, bootstrap):
    """One column, so that no two columns cut a node equally well."""
    X, y = random_data(seed, p=1)
    size = 1.0 if bootstrap else 0.6
    ours = BaggingRegressor(None, 7, max_samples=size, bootstrap=bootstrap, random_state=seed)
    bags = ours.fit(X, y).estimators_samples_
    trees = [TheirTree().fit(X[bag], y[bag]) for bag in bags]
    places = np.linspace(-3, 3, 50)[:, None]
    expected = np.mean([tree.predict(places) for tree in trees], axis=0)
    np.testing.assert_allclose(ours.predict(places), expected, atol=1e-10)
    theirs = TheirBagging(
        TheirTree(), 7, max_samples=size, bootstrap=bootstrap, random_state=seed
    ).fit(X, y)
    for own, other in zip(bags, theirs.estimators_samples_, strict=True):
        assert own.tolist() == other.tolist()


@given(seed=st.integers(0, 50))
def test_out_of_bag_predictions_are_those_of_scikit_learn(seed):
    X, y = random_data(seed, p=1)
    ours = BaggingRegressor(None, 25, random_state=seed).fit(X, y)
    theirs = TheirBagging(TheirTree(), 25, oob_score=True, random_state=seed).fit(X, y)
    is_judged = ~np.isnan(ours.oob_prediction_)
    np.testing.assert_allclose(
        ours.oob_prediction_[is_judged], theirs.oob_prediction_[is_judged], atol=1e-10
    )
    error = ((y - theirs.oob_prediction_)[is_judged] ** 2).mean()
    assert ours.oob_error_ == pytest.approx(error)


@each_ensemble
@given(seed=st.integers(0, 20))
def test_errors_of_each_step_are_those_of_the_first_trees(ensemble, seed):
    X, y = random_data(seed)
    model = ensemble(n_estimators=6, random_state=seed)
    steps = list(model.steps(X, y))
    trees = [step.estimator for step in steps[1:]]
    for k in range(1, 7):
        each = np.array([tree.predict(X) for tree in trees[:k]])
        outside = np.array([np.bincount(step.bag, minlength=len(y)) == 0 for step in steps[1:]][:k])
        judged = outside.any(axis=0)
        oob = (each * outside).sum(axis=0)[judged] / outside.sum(axis=0)[judged]
        assert steps[k].training_error == pytest.approx(((each.mean(axis=0) - y) ** 2).mean())
        assert steps[k].oob_error == pytest.approx(((oob - y[judged]) ** 2).mean())
        # Krogh and Vedelsby (1995): the error of the mean is the mean error less the ambiguity.
        mean = each.mean(axis=0)
        ambiguity = ((each - mean) ** 2).mean()
        assert steps[k].training_error == pytest.approx(((each - y) ** 2).mean() - ambiguity)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
@given(seed=st.integers(0, 20))
def test_each_node_tests_one_of_the_drawn_columns(criterion, seed):
    """Of six columns, five of which are constant, all nodes draw the one that varies."""
    X, y = random_data(seed, p=6)
    X[:, :5] = 1.0
    params = {"max_depth": 3, "criterion": criterion}
    alone = DecisionTreeRegressor(**params).fit(X[:, 5:], y)
    drawn = DecisionTreeRegressor(max_features=1, random_state=seed, **params).fit(X, y)
    np.testing.assert_array_equal(drawn.tree_.threshold, alone.tree_.threshold)
    assert set(drawn.tree_.feature[~drawn.tree_.is_leaf]) == {5}


def test_a_forest_draws_every_column_about_as_often():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 4)), rng.normal(size=30)
    forest = RandomForestRegressor(200, max_features=1, max_depth=1, random_state=0).fit(X, y)
    roots = np.bincount([tree.tree_.feature[0] for tree in forest.estimators_], minlength=4)
    assert roots.min() > 30


def test_a_forest_that_draws_all_columns_is_bagging():
    X, y = random_data(3)
    forest = RandomForestRegressor(5, max_features=None, random_state=1).fit(X, y)
    bagging = BaggingRegressor(None, 5, random_state=1).fit(X, y)
    np.testing.assert_allclose(forest.predict(X), bagging.predict(X))


def test_any_regressor_may_be_bagged():
    X, y = random_data(0)
    ours = BaggingRegressor(LinearRegression(), 8, random_state=0).fit(X, y)
    lines = [LinearRegression().fit(X[bag], y[bag]) for bag in ours.estimators_samples_]
    np.testing.assert_allclose(ours.predict(X), np.mean([line.predict(X) for line in lines], 0))


def test_more_rows_than_there_are_cannot_be_drawn_without_replacement():
    X, y = random_data(0, n=5)
    with pytest.raises(ValueError, match="lower it, or set bootstrap=True"):
        BaggingRegressor(max_samples=6, bootstrap=False).fit(X, y)


def test_four_rows_by_hand():
    opened = open_preset("knn_tree_regression", "Four rows, three bags")
    steps = opened.run.trace.steps
    bags = [sorted((step.bag + 1).tolist()) for step in steps[1:]]
    assert bags == [[1, 1, 3, 4], [1, 2, 4, 4], [2, 2, 3, 4]]
    assert [step.oob_error for step in steps[1:]] == pytest.approx([0, 8, 16 / 3])
    assert steps[-1].fitted[2] == pytest.approx(11 / 3)
    asked = {question.topic: question for question in questions(opened.run)}
    assert set(asked) == {"mean", "out of bag"}
    step, _ = step_of(opened.run, asked["out of bag"])
    out_of_bag = step.oob_prediction[asked["out of bag"].about[0] - 1]
    assert judge(asked["out of bag"], float(out_of_bag)).is_right
    trees = [step.estimator for step in steps[1 : asked["mean"].step + 1]]
    mean = np.mean([tree.predict([opened.run.current_query.x])[0] for tree in trees])
    assert judge(asked["mean"], float(mean)).is_right


def test_numbers_of_the_presets():
    opened = open_preset("knn_tree_regression", "Thirty trees and their mean")
    assert opened.run.fitted.oob_error_ == pytest.approx(0.908, abs=1e-3)
    testing = opened.run.problem.testing
    rmse = np.sqrt(((opened.run.fitted.predict(testing.X) - testing.y) ** 2).mean())
    assert rmse == pytest.approx(0.765, abs=1e-3)
    forest = open_preset("knn_tree_regression", "Cars by a forest")
    assert forest.run.fitted.oob_error_ == pytest.approx(5.48, abs=5e-3)
    bagged = open_preset("knn_tree_regression", "Cars by a forest", max_features=None)
    assert bagged.run.fitted.oob_error_ == pytest.approx(6.74, abs=5e-3)


@each_ensemble
def test_the_ledger_adds_up(ensemble):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"x": rng.uniform(size=20), "z": rng.uniform(size=20)})
    frame["y"] = frame.x + rng.normal(size=20)
    problem = prepare(frame, ["x", "z"], target="y", numeric_target=True)
    run = Run.of(problem, ensemble(n_estimators=4, random_state=0))
    frames = list(knn_tree_scene(run).frames)
    assert [frame.phase for frame in frames] == ["start", *["join"] * 4]
    for step, drawn in zip(run.trace.steps[1:], frames[1:], strict=True):
        assert f"out-of-bag MSE {step.oob_error:.4g}" in drawn.caption
