"""Bagging and AdaBoost of other classifiers than trees, against those of scikit-learn."""

import numpy as np
import pytest
from sklearn import ensemble
from sklearn.datasets import make_moons

from dmlib.classification import (
    AdaBoostClassifier,
    BaggingClassifier,
    KNeighborsClassifier,
    LogisticRegression,
    NaiveBayes,
)
from dmlib.classification.adaboost.scene import adaboost_scene
from dmlib.classification.base_learners import check_trees
from dmlib.classification.ensembles.scene import ensembles_scene
from dmlib.datasets import make
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from tests.visit import open_preset

X, Y = make_moons(120, noise=0.4, random_state=0)
CLASSES = {"naive_bayes": NaiveBayes, "knn": KNeighborsClassifier}
each_name = pytest.mark.parametrize("name", ["naive_bayes", "knn", "logistic_regression"])


def table():
    frame = make("moons", n_samples=60).frame
    return prepare(frame, ["x", "y"], target=frame.columns[-1], labelled=True)


@each_name
def test_bagging_averages_classifiers_of_the_same_bags(name):
    learner = {**CLASSES, "logistic_regression": LogisticRegression}[name]
    ours = BaggingClassifier(name, 6, random_state=0).fit(X, Y)
    parts = [learner().fit(X[bag], Y[bag]) for bag in ours.estimators_samples_]
    expected = np.mean([part.predict_proba(X) for part in parts], axis=0)
    np.testing.assert_allclose(ours.predict_proba(X), expected)
    theirs = ensemble.BaggingClassifier(KNeighborsClassifier(), 6, random_state=0).fit(X, Y)
    for own, other in zip(ours.estimators_samples_, theirs.estimators_samples_, strict=True):
        assert own.tolist() == other.tolist()


@pytest.mark.parametrize("learner", [NaiveBayes, LogisticRegression])
def test_boosting_is_that_of_scikit_learn(learner):
    name = {NaiveBayes: "naive_bayes", LogisticRegression: "logistic_regression"}[learner]
    ours = AdaBoostClassifier(name, n_estimators=4).fit(X, Y)
    theirs = ensemble.AdaBoostClassifier(learner(), n_estimators=4).fit(X, Y)
    np.testing.assert_allclose(
        ours.estimator_errors_, theirs.estimator_errors_[: len(ours.estimator_errors_)], atol=1e-9
    )
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-9)


def test_what_takes_no_weights_is_boosted_by_resampling():
    with pytest.raises(ValueError, match="Set resample=True"):
        AdaBoostClassifier("knn").fit(X, Y)
    model = AdaBoostClassifier("knn", resample=True, n_estimators=5, random_state=0).fit(X, Y)
    assert {type(each) for each in model.estimators_} == {KNeighborsClassifier}


def test_a_bag_of_one_class_predicts_it():
    rows, classes = np.arange(8.0)[:, None], np.array([0, 0, 0, 0, 0, 0, 0, 1])
    model = BaggingClassifier("logistic_regression", 10, max_samples=2, random_state=0)
    assert set(model.fit(rows, classes).predict(rows)) <= {0, 1}


@each_name
def test_steps_are_drawn_without_trees(name):
    for model, draw in (
        (BaggingClassifier(name, 3, random_state=0), ensembles_scene),
        (AdaBoostClassifier(name, n_estimators=3, resample=True, random_state=0), adaboost_scene),
    ):
        run = Run.of(table(), model)
        scene = draw(run)
        words = " ".join(frame.caption for frame in scene.frames)
        assert "classifier" in words.lower()
        assert "tree" not in words
        with pytest.raises(ValueError, match="base learner"):
            check_trees(run.model)


def test_numbers_of_the_presets():
    bagged = open_preset("ensembles", "Stable classifiers gain little").run
    testing = bagged.problem.testing
    single = NaiveBayes().fit(bagged.problem.training.X, bagged.problem.training.y)
    for model in (bagged.fitted, single):
        assert (model.predict(testing.X) != testing.y).mean() == pytest.approx(0.217, abs=5e-4)
    boosted = open_preset("adaboost", "Naive Bayes as the base learner").run
    assert len(boosted.fitted.estimators_) == 4
    assert boosted.trace.steps[-1].phase == "stop"


@pytest.mark.parametrize("model", [BaggingClassifier, AdaBoostClassifier])
def test_none_is_a_tree_as_in_scikit_learn(model):
    X, y = make_moons(60, noise=0.2, random_state=0)
    trees = model("tree", n_estimators=5, random_state=0, max_depth=2).fit(X, y)
    unnamed = model(None, n_estimators=5, random_state=0, max_depth=2).fit(X, y)
    np.testing.assert_array_equal(unnamed.predict_proba(X), trees.predict_proba(X))
    check_trees(unnamed)


@pytest.mark.parametrize(
    ("model", "draw"), [(BaggingClassifier, ensembles_scene), (AdaBoostClassifier, adaboost_scene)]
)
def test_the_picture_of_none_is_that_of_trees(model, draw):
    scenes = [
        draw(Run.of(table(), model(base, n_estimators=3, random_state=0)))
        for base in (None, "tree")
    ]
    unnamed, trees = ([frame.caption for frame in scene.frames] for scene in scenes)
    assert unnamed == trees
