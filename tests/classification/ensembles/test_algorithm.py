"""Bagging and random forests beside scikit-learn, and what is proved of their bags and votes."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import ensemble, tree
from sklearn.base import clone
from sklearn.datasets import (
    load_breast_cancer,
    load_iris,
    load_wine,
    make_classification,
    make_moons,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.utils import get_tags

from dmlib.classification import (
    BaggingClassifier,
    DecisionTreeClassifier,
    LogisticRegression,
    RandomForestClassifier,
)
from dmlib.classification.ensembles.bags import never_drawn
from dmlib.datasets import load
from dmlib.trace import run

TABLES = {
    "moons": make_moons(150, noise=0.4, random_state=1),
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "cancer": load_breast_cancer(return_X_y=True),
}
DRAWS = [{}, {"max_samples": 0.5}, {"max_samples": 30}, {"bootstrap": False, "max_samples": 0.6}]


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("draws", DRAWS, ids=str)
@pytest.mark.parametrize("max_features", [None, 1])
def test_scikit_learns_bagging_of_the_same_trees_says_the_same(name, draws, max_features):
    X, y = TABLES[name]
    ours = BaggingClassifier(
        n_estimators=12, random_state=3, max_features=max_features, max_depth=4, **draws
    ).fit(X, y)
    theirs = ensemble.BaggingClassifier(
        DecisionTreeClassifier(max_depth=4),
        12,
        max_features=max_features or 1.0,
        random_state=3,
        **draws,
    ).fit(X, y)
    for ours_of_one, theirs_of_one in zip(
        ours.estimators_samples_, theirs.estimators_samples_, strict=True
    ):
        np.testing.assert_array_equal(ours_of_one, theirs_of_one)
    for ours_of_one, theirs_of_one in zip(
        ours.estimators_features_, theirs.estimators_features_, strict=True
    ):
        np.testing.assert_array_equal(ours_of_one, np.sort(theirs_of_one))
    np.testing.assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))


@pytest.mark.parametrize("name", TABLES)
def test_out_of_bag_is_what_scikit_learn_has_where_every_row_is_left_out(name):
    X, y = TABLES[name]
    for ours in (BaggingClassifier(n_estimators=40), RandomForestClassifier(40)):
        ours.set_params(oob_score=True, random_state=0).fit(X, y)
        base = DecisionTreeClassifier(
            max_features="sqrt" if isinstance(ours, RandomForestClassifier) else None
        )
        theirs = ensemble.BaggingClassifier(base, 40, oob_score=True, random_state=0).fit(X, y)
        np.testing.assert_allclose(
            ours.oob_decision_function_, theirs.oob_decision_function_, atol=1e-12
        )
        assert ours.oob_score_ == theirs.oob_score_


def test_scikit_learns_own_trees_say_the_same_where_no_splits_are_equal():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3)).astype(np.float32).astype(float)
    y = (X[:, 0] + 0.3 * X[:, 1] + 0.2 * rng.normal(size=400) > 0).astype(int)
    ours = BaggingClassifier(n_estimators=10, max_depth=2, random_state=0).fit(X, y)
    theirs = ensemble.BaggingClassifier(
        tree.DecisionTreeClassifier(max_depth=2), 10, random_state=0
    ).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)
    importances = np.mean([each.feature_importances_ for each in theirs.estimators_], axis=0)
    np.testing.assert_allclose(ours.feature_importances_, importances, atol=1e-12)


@pytest.mark.parametrize("name", ["wine", "cancer"])
def test_a_forest_errs_as_often_as_scikit_learns(name):
    X, y = TABLES[name]
    ours = [
        RandomForestClassifier(60, oob_score=True, random_state=s).fit(X, y).oob_score_
        for s in range(4)
    ]
    theirs = [
        ensemble.RandomForestClassifier(60, oob_score=True, random_state=s).fit(X, y).oob_score_
        for s in range(4)
    ]
    assert np.mean(ours) == pytest.approx(np.mean(theirs), abs=0.02)


def test_a_forest_is_bagging_of_trees_that_draw_columns():
    X, y = TABLES["wine"]
    forest = RandomForestClassifier(15, max_features=3, random_state=5).fit(X, y)
    bagged = BaggingClassifier(DecisionTreeClassifier(max_features=3), 15, random_state=5).fit(X, y)
    np.testing.assert_array_equal(forest.predict_proba(X), bagged.predict_proba(X))


@pytest.mark.parametrize(
    "model", [BaggingClassifier(n_estimators=9), RandomForestClassifier(9, max_leaf_nodes=6)]
)
def test_a_tree_of_the_ensemble_is_the_tree_of_its_bag(model):
    X, y = TABLES["iris"]
    model = clone(model).set_params(random_state=1).fit(X, y)
    for member, bag in zip(model.estimators_, model.estimators_samples_, strict=True):
        single = clone(member).fit(X, y, np.bincount(bag, minlength=len(X)))
        for name in ("feature", "threshold", "value", "children", "numbers"):
            np.testing.assert_array_equal(getattr(single.tree_, name), getattr(member.tree_, name))


@given(st.integers(0, 10_000), st.integers(2, 60), st.booleans(), st.sampled_from([0.3, 0.7, 1.0]))
@settings(max_examples=30, deadline=None)
def test_what_is_proved_of_bags_and_votes_holds(seed, n, bootstrap, max_samples):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 5, (n, 3)).astype(float), rng.integers(0, 3, n)
    model = RandomForestClassifier(
        6, bootstrap=bootstrap, max_samples=max_samples, random_state=seed
    )
    codes = np.unique(y, return_inverse=True)[1]
    *_, last = steps = run(model, X, y).steps
    assert len(steps) == 7
    for step in steps[1:]:
        assert len(step.bag) == max(1, int(max_samples * n))
        assert bootstrap or len(np.unique(step.bag)) == len(step.bag)
        assert step.votes.sum(axis=1) == pytest.approx(1)
        assert (np.isnan(step.oob_decision_function[:, 0]) == (step.left_out == 0)).all()
    fitted = model.fit(X, y)
    np.testing.assert_allclose(last.votes, fitted.predict_proba(X), atol=1e-12)
    shares_of_row = [np.array(list(fitted.each_predict_proba(X)))[:, i] for i in range(n)]
    outside = [[i not in bag for bag in fitted.estimators_samples_] for i in range(n)]
    for i in range(n):  # by the definition, row by row
        if any(outside[i]):
            np.testing.assert_allclose(
                last.oob_decision_function[i], shares_of_row[i][outside[i]].mean(axis=0), atol=1e-12
            )
    assert np.isnan(last.oob_error(codes)) == (not np.any(outside))


@pytest.mark.parametrize(("n", "bootstrap"), [(20, True), (10, True), (12, False)])
def test_a_row_is_left_out_as_often_as_it_should_be(n, bootstrap):
    X, y = np.arange(20.0)[:, None], np.repeat([0, 1], 10)
    model = BaggingClassifier(
        n_estimators=1000, max_samples=n, bootstrap=bootstrap, max_depth=1, random_state=0
    )
    left_out = np.mean(
        [np.bincount(bag, minlength=20) == 0 for bag in model.fit(X, y).estimators_samples_]
    )
    assert left_out == pytest.approx(never_drawn(20, n, bootstrap), abs=0.008)


def test_weights_are_the_chances_of_being_drawn():
    X, y = np.arange(10.0)[:, None], np.repeat([0, 1], 5)
    weights = np.array([0, 0, 1, 1, 6, 6, 1, 1, 0, 0.0])
    model = BaggingClassifier(n_estimators=400, max_samples=20, random_state=0).fit(X, y, weights)
    counts = np.bincount(np.concatenate(model.estimators_samples_), minlength=10)
    np.testing.assert_allclose(counts / counts.sum(), weights / weights.sum(), atol=0.02)
    with pytest.raises(ValueError, match="non-zero number"):
        model.fit(X, y, np.zeros(10))


# --- what is bagged -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "base",
    [LogisticRegression(), KNeighborsClassifier(3), LinearSVC()],
    ids=lambda b: type(b).__name__,
)
def test_any_classifier_can_be_bagged(base):
    X, y = TABLES["moons"]
    ours = BaggingClassifier(base, 5, random_state=0, oob_score=True, max_samples=40).fit(X, y)
    theirs = ensemble.BaggingClassifier(base, 5, random_state=0, max_samples=40).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-6)
    names = np.array(["no", "yes"])[y]
    frame = pd.DataFrame(X, columns=["a", "b"])
    assert (np.unique(names)[ours.predict(X)] == clone(ours).fit(frame, names).predict(frame)).all()
    with pytest.raises(AttributeError, match="trees have"):
        _ = ours.feature_importances_
    with pytest.raises(AttributeError, match="no leaves"):
        ours.apply(X)


def test_nominal_columns_and_missing_values():
    frame = load("heart_disease").frame
    X, y = frame.iloc[:, :-1].copy(), frame.iloc[:, -1]
    X.iloc[::7, 0] = np.nan
    for model in (
        BaggingClassifier(n_estimators=25),
        RandomForestClassifier(25),
        BaggingClassifier(n_estimators=25, max_features=5),
    ):
        model.set_params(n_estimators=25, random_state=0, oob_score=True).fit(X, y)
        assert model.score(X, y) > 0.85
        assert model.oob_score_ > 0.7
        assert model.estimators_[0].feature_names_in_.tolist() == list(
            X.columns[model.estimators_features_[0]]
        )


# --- bad input ------------------------------------------------------------------------------------


def test_one_class_a_class_of_one_row_and_constant_columns():
    for model in (BaggingClassifier(random_state=0), RandomForestClassifier(10, random_state=0)):
        assert clone(model).fit([[0.0], [1.0]], ["a", "a"]).predict_proba([[5.0]]).tolist() == [
            [1.0]
        ]
        rare = clone(model).fit([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "a", "a"])
        assert rare.predict_proba([[1.0]]).shape == (1, 2)
        flat = clone(model).fit(np.ones((6, 3)), list("aababb"))
        assert np.isfinite(flat.predict_proba(np.ones((1, 3)))).all()


def test_more_columns_than_rows():
    X, y = make_classification(12, 60, n_informative=5, random_state=0)
    model = RandomForestClassifier(30, oob_score=True, random_state=0).fit(X, y)
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert model.score(X, y) == 1


def test_importances_are_those_of_trees_that_have_a_split():
    X, y = make_classification(15, 20, n_informative=3, n_classes=3, random_state=1)
    model = RandomForestClassifier(60, min_samples_leaf=5, random_state=0).fit(X, y)
    assert any(tree.tree_.node_count == 1 for tree in model.estimators_)
    assert model.feature_importances_.sum() == pytest.approx(1)
    *_, last = model.steps(X, y)
    np.testing.assert_array_equal(last.feature_importances, model.feature_importances_)
    without_splits = RandomForestClassifier(3, min_samples_leaf=15, random_state=0).fit(X, y)
    assert (without_splits.feature_importances_ == 0).all()


def test_what_is_bagged_says_whether_values_may_be_missing():
    assert get_tags(BaggingClassifier()).input_tags.allow_nan
    assert not get_tags(BaggingClassifier(LogisticRegression())).input_tags.allow_nan


def test_rows_that_are_in_every_bag_have_no_out_of_bag_score():
    X, y = TABLES["moons"]
    with pytest.warns(UserWarning, match="in the bag of every estimator"):
        model = BaggingClassifier(bootstrap=False, oob_score=True, random_state=0).fit(X, y)
    assert np.isnan(model.oob_score_)
    assert np.isnan(model.oob_decision_function_).all()


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"max_samples": 0.0}, "max_samples must be"),
        ({"max_samples": True}, "max_samples must be"),
        ({"max_samples": 151, "bootstrap": False}, "no more than the 150 rows"),
        ({"max_features": 0}, "max_features must be"),
        ({"n_estimators": 0}, "n_estimators must be"),
        ({"criterion": "quest"}, "criterion must be"),
    ],
)
@pytest.mark.parametrize("algorithm", [BaggingClassifier, RandomForestClassifier])
def test_nonsense_is_refused(algorithm, params, sentence):
    with pytest.raises(ValueError, match=sentence):
        algorithm(**params).fit(*TABLES["moons"])
