"""AdaBoost beside Weka, scikit-learn and what is proved of it."""

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import ensemble, tree
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_blobs, make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

from dmlib.classification import AdaBoostClassifier, DecisionTreeClassifier
from dmlib.classification.adaboost.weights import log_bound_factor, odds, reweighted
from dmlib.datasets import load
from dmlib.trace import run

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "adaboost.json").read_text("utf-8"))
XOR = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([0, 1, 1, 0])


def tables():
    """Yield tables without equal splits, in single precision as scikit-learn's trees see it."""
    rng = np.random.default_rng(0)
    for X, y in (
        make_moons(150, noise=0.4, random_state=1),
        load_iris(return_X_y=True),
        load_wine(return_X_y=True),
        load_breast_cancer(return_X_y=True),
    ):
        yield (X + 1e-4 * rng.standard_normal(X.shape)).astype(np.float32).astype(float), y


def test_golden_factors_and_alphas():
    golden = GOLDEN["weights"]
    for error, factor, alpha in zip(golden["err"], golden["factor"], golden["alpha"], strict=True):
        assert odds(error) == pytest.approx(factor, abs=1e-12)
        n, wrong = 20, np.arange(20) < round(20 * error)
        new = reweighted(np.full(n, 1 / n), wrong, np.log(factor))
        assert new[wrong].sum() == pytest.approx(0.5)
        assert new[0] / new[-1] == pytest.approx(factor)
        assert np.log(odds(error)) / 2 == pytest.approx(alpha, abs=1e-12)
        assert np.exp(log_bound_factor(error, np.log(factor))) == pytest.approx(
            2 * np.sqrt(error * (1 - error))
        )


def test_weka_has_the_same_ten_rounds():
    frame, golden = load("weather_numeric").frame, GOLDEN["weka"]
    X, y = (
        frame.drop(columns="play"),
        (frame["play"] == "no").astype(int).to_numpy(),
    )  # Weka has yes before no
    model = AdaBoostClassifier(n_estimators=10, criterion="entropy", multiclass="m1").fit(X, y)
    np.testing.assert_allclose(model.estimator_weights_, golden["estimator_weights"], rtol=1e-7)
    assert np.where(model.predict(X) == 0, "yes", "no").tolist() == golden["predicted"]
    for step, expected in zip(run(model, X, y).steps[1:], golden["rounds"], strict=True):
        split = step.estimator.tree_.splits.split(0)
        assert X.columns[split.column] == expected["attribute"]
        assert not split.thresholds or split.thresholds == (expected["split"],)
        assert (np.flatnonzero(step.predicted != y) + 1).tolist() == expected["misclassified"]
        assert step.error == pytest.approx(expected["error"], rel=1e-7)
        np.testing.assert_allclose(step.before, expected["weights_before"], rtol=1e-7, atol=1e-10)


@pytest.mark.parametrize(("learning_rate", "max_depth"), [(1.0, 1), (0.5, 1), (1.0, 2)])
def test_scikit_learn_has_the_same_votes(learning_rate, max_depth):
    shared = {"n_estimators": 15, "learning_rate": learning_rate}
    for X, y in tables():
        weights = np.random.default_rng(1).integers(1, 4, len(y))
        ours = AdaBoostClassifier(max_depth=max_depth, **shared).fit(X, y, weights)
        base = tree.DecisionTreeClassifier(max_depth=max_depth)
        theirs = ensemble.AdaBoostClassifier(base, random_state=0, **shared).fit(X, y, weights)
        n = len(ours.estimators_)
        assert n == len(theirs.estimators_)
        np.testing.assert_allclose(
            ours.estimator_weights_, theirs.estimator_weights_[:n], atol=1e-9
        )
        np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_[:n], atol=1e-12)
        for ours_of_round, theirs_of_round in zip(
            ours.staged_predict_proba(X), theirs.staged_predict_proba(X), strict=True
        ):
            np.testing.assert_allclose(ours_of_round, theirs_of_round, atol=1e-9)
        np.testing.assert_allclose(
            ours.decision_function(X), theirs.decision_function(X), atol=1e-9
        )
        assert list(ours.staged_score(X, y)) == list(theirs.staged_score(X, y))


def test_scikit_learn_has_the_same_importances():
    X, y = load_wine(return_X_y=True)
    ours = AdaBoostClassifier(n_estimators=20).fit(X, y)
    theirs = ensemble.AdaBoostClassifier(n_estimators=20, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)


@given(
    st.integers(0, 10_000),
    st.integers(2, 4),
    st.sampled_from([0.3, 1.0]),
    st.sampled_from(["samme", "m1"]),
)
@settings(max_examples=25, deadline=None)
def test_what_is_proved_holds(seed, n_classes, learning_rate, multiclass):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 6, (30, 2)).astype(float), rng.integers(0, n_classes, 30)
    model = AdaBoostClassifier(n_estimators=12, learning_rate=learning_rate, multiclass=multiclass)
    steps = run(model, X, y).steps
    codes = np.unique(y, return_inverse=True)[1]
    for step in steps[1:]:
        wrong = step.predicted != codes
        assert step.before.sum() == pytest.approx(1)
        assert step.weights.sum() == pytest.approx(1)
        assert step.error == pytest.approx(step.before[wrong].sum())
        assert step.votes.sum(axis=1) == pytest.approx(1)
        assert (step.predictions != codes).mean() <= step.bound + 1e-9
        assert ((step.margins(codes) < -1e-12) <= (step.predictions != codes)).all()
        if step.phase == "reweight" and learning_rate == 1 and len(np.unique(y)) == 2:
            assert step.weights[wrong].sum() == pytest.approx(0.5)


@pytest.mark.parametrize("learning_rate", [2.0, 3.0, 10.0, 100.0])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_large_learning_rate_loses_no_row(learning_rate, n_classes):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(4, 30))
        X, y = rng.integers(0, 4, (n, 2)).astype(float), rng.integers(0, n_classes, n)
        codes = np.unique(y, return_inverse=True)[1]
        for step in AdaBoostClassifier(n_estimators=60, learning_rate=learning_rate).steps(X, y):
            assert (step.predictions != codes).mean() <= step.bound + 1e-9
            assert (step.weights > 0).all()
            assert step.phase != "perfect" or (step.predicted == codes).all()


def test_a_row_without_weight_stays_without():
    assert (
        reweighted(np.array([0.5, 0.5, 0.0]), np.array([True, False, True]), 900.0).tolist()[2]
        == 0.0
    )


# --- ends -----------------------------------------------------------------------------------------


def test_a_tree_without_an_error_ends_the_run_and_votes_with_1():
    X, y = [[0.0], [1.0], [2.0]], ["a", "a", "b"]
    (_, only) = run(AdaBoostClassifier(), X, y).steps
    assert (only.phase, only.error, only.is_voting) == ("perfect", 0.0, True)
    model = AdaBoostClassifier().fit(X, y)
    assert model.estimator_weights_.tolist() == [1.0]
    assert model.estimator_errors_.tolist() == [0.0]


def test_exclusive_or_by_stumps_ends_in_the_first_round():
    *_, last = run(AdaBoostClassifier(), *XOR).steps
    assert (last.phase, last.error, last.is_voting, last.bound) == ("stop", 0.5, True, 1.0)
    assert len(AdaBoostClassifier().fit(*XOR).estimators_) == 1
    assert AdaBoostClassifier(max_depth=2).fit(*XOR).score(*XOR) == 1


def test_m1_ends_at_one_half_and_samme_at_guessing():
    X, y = np.arange(40.0).reshape(-1, 1), np.repeat(np.arange(4), 10)
    (_, m1) = run(AdaBoostClassifier(multiclass="m1"), X, y).steps
    assert m1.error == pytest.approx(0.5)
    assert m1.phase == "stop"
    assert len(AdaBoostClassifier(n_estimators=30).fit(X, y).estimators_) == 30
    X, y = make_blobs(100, centers=5, random_state=3)
    assert AdaBoostClassifier(n_estimators=50, multiclass="m1").fit(X, y).score(X, y) < 0.5
    assert AdaBoostClassifier(n_estimators=50).fit(X, y).score(X, y) > 0.9


def test_one_class_and_a_class_of_one_row():
    single = AdaBoostClassifier().fit([[0.0], [1.0]], ["a", "a"])
    assert single.predict([[5.0]]).tolist() == ["a"]
    assert single.predict_proba([[5.0]]).tolist() == [[1.0]]
    rare = AdaBoostClassifier().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "a", "a"])
    assert rare.predict([[1.0]]).tolist() == ["b"]


# --- what is boosted ------------------------------------------------------------------------------


def test_nominal_columns_and_missing_values():
    frame = load("heart_disease").frame
    X, y = frame.iloc[:, :-1].copy(), frame.iloc[:, -1]
    X.iloc[::7, 0] = np.nan
    model = AdaBoostClassifier(n_estimators=20).fit(X, y)
    assert model.score(X, y) > 0.8
    of_trees = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=20).fit(X, y)
    assert (of_trees.predict(X) == model.predict(X)).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.estimators_[0].predict(X)


def test_any_classifier_can_be_boosted():
    X, y = make_moons(80, noise=0.3, random_state=0)
    model = AdaBoostClassifier(LogisticRegression(), n_estimators=5).fit(X, y)
    theirs = ensemble.AdaBoostClassifier(LogisticRegression(), n_estimators=5).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), theirs.decision_function(X), atol=1e-6)
    with pytest.raises(AttributeError, match="boost trees"):
        _ = model.feature_importances_


def test_what_takes_no_weights_is_resampled():
    X, y = make_moons(80, noise=0.3, random_state=0)
    with pytest.raises(ValueError, match="doesn't support sample_weight"):
        AdaBoostClassifier(KNeighborsClassifier()).fit(X, y)
    model = AdaBoostClassifier(
        KNeighborsClassifier(), n_estimators=5, resample=True, random_state=0
    )
    assert (
        model.fit(pd.DataFrame(X), np.array(["a", "b"])[y]).score(
            pd.DataFrame(X), np.array(["a", "b"])[y]
        )
        > 0.9
    )


def test_resampled_rows_are_as_many_as_there_are():
    X, y = make_moons(80, noise=0.3, random_state=0)
    for step in run(AdaBoostClassifier(n_estimators=5, resample=True, random_state=0), X, y).steps[
        1:
    ]:
        assert step.n_draws.sum() == 80
        assert step.error == pytest.approx(step.before[step.predicted != y].sum())
