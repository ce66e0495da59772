"""Gradient boosting beside scikit-learn, and its parts beside what defines them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import ensemble
from sklearn.datasets import load_wine, make_moons
from sklearn.tree import DecisionTreeRegressor

from dmlib.classification import GradientBoostingClassifier
from dmlib.classification.adaboost.residual_tree import residual_rows, residual_tree
from dmlib.datasets import load
from dmlib.trace import run
from dmlib.trees.frontier import Table
from dmlib.trees.rules import Rules
from tests.classification.adaboost.test_algorithm import tables


@pytest.mark.parametrize("learning_rate", [0.1, 1.0])
def test_scikit_learn_has_the_same_stumps(learning_rate):
    shared = {"n_estimators": 15, "learning_rate": learning_rate, "max_depth": 1}
    for X, y in tables():
        weights = np.random.default_rng(1).random(len(y))
        ours = GradientBoostingClassifier(**shared).fit(X, y, weights)
        theirs = ensemble.GradientBoostingClassifier(**shared, random_state=0).fit(X, y, weights)
        np.testing.assert_allclose(ours.train_score_, theirs.train_score_, rtol=1e-9)
        for ours_of_round, theirs_of_round in zip(
            ours.staged_decision_function(X), theirs.staged_decision_function(X), strict=True
        ):
            np.testing.assert_allclose(ours_of_round, np.squeeze(theirs_of_round), atol=1e-9)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)


def test_scikit_learn_has_the_same_deeper_trees_and_importances():
    X, y = make_moons(150, noise=0.4, random_state=1)
    X = X.astype(np.float32).astype(float)
    ours = GradientBoostingClassifier(n_estimators=15, max_depth=3).fit(X, y)
    theirs = ensemble.GradientBoostingClassifier(n_estimators=15, max_depth=3, random_state=0).fit(
        X, y
    )
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-9)
    shared = {"n_estimators": 15, "max_depth": 1}
    ours = GradientBoostingClassifier(**shared).fit(X, y)
    theirs = ensemble.GradientBoostingClassifier(**shared, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)


@given(st.integers(0, 10_000), st.integers(1, 3))
@settings(max_examples=25, deadline=None)
def test_the_tree_of_the_residuals_is_the_regression_tree(seed, depth):
    rng = np.random.default_rng(seed)
    X, r, w = rng.random((25, 2)), rng.normal(size=25), rng.random(25) + 0.1
    table = residual_rows(Table(X, np.zeros(25, np.intp), 1, (0, 0)), depth)
    grown, fitted = residual_tree(table, r, np.full(25, 0.25), w, Rules(max_depth=depth), 1.0)
    X32 = X.astype(np.float32)
    library = DecisionTreeRegressor(max_depth=depth, random_state=0).fit(X32, r, w)
    np.testing.assert_allclose(grown.means[grown.tree.apply(X)], library.predict(X32), atol=1e-9)
    np.testing.assert_allclose(fitted, grown.predict(X))
    saved = grown.scale * grown.tree.compute_feature_importances(2, normalize=False).sum()
    assert saved == pytest.approx(library.tree_.compute_feature_importances(normalize=False).sum())


def test_a_round_adds_newton_steps_of_the_residuals():
    X, y = load_wine(return_X_y=True)
    steps = run(GradientBoostingClassifier(n_estimators=3, learning_rate=0.5), X, y).steps
    for before, step in pairwise(steps):
        np.testing.assert_array_equal(step.before, before.raw)
        np.testing.assert_allclose(step.residuals, np.eye(3)[y] - before.probabilities, atol=1e-12)
        for k, tree in enumerate(step.trees):
            leaves, p = tree.tree.apply(X), before.probabilities[:, k]
            for leaf in np.unique(leaves):
                r, curvature = step.residuals[leaves == leaf, k], (p * (1 - p))[leaves == leaf]
                assert tree.values[leaf] == pytest.approx(2 / 3 * r.sum() / curvature.sum())
            np.testing.assert_allclose(
                step.raw[:, k], step.before[:, k] + 0.5 * tree.values[leaves]
            )
    assert (np.diff(steps[-1].train_score) < 0).all()


def test_one_class_nominal_columns_and_missing_values():
    single = GradientBoostingClassifier().fit([[0.0], [1.0]], ["a", "a"])
    assert single.predict([[5.0]]).tolist() == ["a"]
    assert single.predict_proba([[5.0]]).tolist() == [[1.0]]
    frame = load("heart_disease").frame
    X, y = frame.iloc[:, :-1].copy(), frame.iloc[:, -1]
    X.iloc[::7, 0] = np.nan
    model = GradientBoostingClassifier(n_estimators=40).fit(X, y)
    assert model.score(X, y) > 0.8
    assert np.isfinite(model.decision_function(X)).all()
    assert model.feature_importances_.sum() == pytest.approx(1)
