"""Benchmarks: folds and scores are scikit-learn's; what cannot be scored says why."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score

from dmlib.classification import (
    DecisionTreeClassifier,
    KNeighborsClassifier,
    LinearDiscriminantAnalysis,
    NaiveBayes,
)
from dmlib.clustering import DBSCAN, KMeans
from dmlib.datasets import load
from dmlib.evaluation import benchmark as module
from dmlib.evaluation.benchmark import FEWER_FOLDS, FOLDS, TOO_LONG, Benchmark
from dmlib.regression import LinearRegression
from dmlib.trace import OutOfTime, limited, look


def iris():
    table = load("iris")
    X = table.frame[list(table.numeric)].to_numpy()
    return X, np.unique(table.frame["species"].astype(str), return_inverse=True)[1]


def test_folds_are_those_of_scikit_learn():
    X, y = iris()
    of_classes = StratifiedKFold(10, shuffle=True, random_state=3).split(X, y)
    for ours, theirs in zip(Benchmark("classes", X, y, seed=3).folds, of_classes, strict=True):
        assert_array_equal(ours[0], theirs[0])
        assert_array_equal(ours[1], theirs[1])
    of_numbers = KFold(10, shuffle=True, random_state=3).split(X)
    folds = Benchmark("number", X, X[:, 0], seed=3).folds
    for ours, theirs in zip(folds, of_numbers, strict=True):
        assert_array_equal(ours[1], theirs[1])


@pytest.mark.parametrize(
    "model", [KNeighborsClassifier(5), NaiveBayes(), DecisionTreeClassifier(random_state=0)]
)
def test_errors_are_those_of_cross_val_score(model):
    X, y = iris()
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    scores = Benchmark("classes", X, y).score(model)
    assert_allclose(scores.repeated["error"], 1 - cross_val_score(model, X, y, cv=folds))
    assert_allclose(scores.measures["error"], 1 - np.mean(model.fit(X, y).predict(X) == y))
    assert_allclose(scores.spread("error"), np.std(scores.repeated["error"], ddof=1))
    assert not scores.reason


def test_regressions_have_rmse_and_r2_of_each_fold():
    X, _ = iris()
    folds = KFold(10, shuffle=True, random_state=0)
    scores = Benchmark("number", X[:, :3], X[:, 3]).score(LinearRegression())
    for name, scoring, sign in (("rmse", "neg_root_mean_squared_error", -1), ("r2", "r2", 1)):
        theirs = cross_val_score(LinearRegression(), X[:, :3], X[:, 3], cv=folds, scoring=scoring)
        assert_allclose(scores.repeated[name], sign * theirs)


def test_clusterings_have_measures_and_their_stability():
    X, y = make_blobs(90, centers=3, cluster_std=0.4, random_state=1)
    scores = Benchmark("clusters", X, y).score(KMeans(3, random_state=0, n_init=5))
    labels = KMeans(3, random_state=0, n_init=5).fit(X).labels_
    assert_allclose(scores.measures["silhouette"], silhouette_score(X, labels))
    assert_allclose(scores.measures["rand"], adjusted_rand_score(y, labels))
    assert scores.measures["n_clusters"] == 3
    assert scores.measures["noise"] == 0
    assert_allclose(scores.repeated["stability"], 1)  # far blobs are there in every sample


def test_noise_belongs_to_no_cluster():
    X = np.array([[0.0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9], [50, 50], [80, 0]])
    scores = Benchmark("clusters", X).score(DBSCAN(eps=2, min_samples=2))
    assert scores.measures["n_clusters"] == 2
    assert scores.measures["noise"] == 2 / 8
    rows = np.arange(6)
    assert_allclose(scores.measures["silhouette"], silhouette_score(X[rows], rows // 3))
    assert "rand" not in scores.measures  # nothing is known of these rows


def test_of_noise_alone_nothing_is_measured():
    scores = Benchmark("clusters", np.arange(8.0)[:, None]).score(DBSCAN(eps=0.1))
    assert dict(scores.measures) == {"n_clusters": 0, "noise": 1}
    assert not scores.repeated
    assert np.isnan(scores.mean("stability"))


def test_one_class_is_refused_in_the_words_of_the_estimator():
    X = np.arange(20.0).reshape(10, 2)
    scores = Benchmark("classes", X, np.zeros(10, int)).score(LinearDiscriminantAnalysis())
    assert "class" in scores.reason
    assert scores.answer is None


def test_three_rows_are_three_folds():
    X, y = np.array([[0.0], [1.0], [9.0]]), np.array([0, 0, 1])
    scores = Benchmark("classes", X, y).score(KNeighborsClassifier(1))
    assert_array_equal(np.sort(scores.repeated["error"]), [0, 0, 1])


def test_what_was_scored_before_a_refusal_is_kept():
    X, y = np.array([[0.0], [1.0], [9.0]]), np.array([0, 0, 1])
    scores = Benchmark("classes", X, y).score(KNeighborsClassifier(3))
    assert_allclose(scores.measures["error"], 1 / 3)
    assert "3" in scores.reason  # two rows that train are fewer than three neighbours
    assert not scores.repeated


def test_one_row_cannot_be_split():
    scores = Benchmark("number", np.ones((1, 1)), np.ones(1)).score(LinearRegression())
    assert scores.reason
    assert not Benchmark("number", np.ones((1, 1)), np.ones(1)).folds


def test_a_constant_column_and_missing_values():
    X, y = iris()
    X = X.copy()
    X[:, 0] = 1.0
    scores = Benchmark("classes", X, y).score(KNeighborsClassifier(5))
    assert len(scores.repeated["error"]) == FOLDS
    X[3, 1] = np.nan
    scores = Benchmark("classes", X, y).score(KNeighborsClassifier(5))
    assert "NaN" in scores.reason or "missing" in scores.reason


def test_many_rows_have_fewer_folds():
    X, y = make_blobs(2000, random_state=0)
    scores = Benchmark("classes", X, y).score(NaiveBayes())
    assert len(scores.repeated["error"]) == FEWER_FOLDS
    assert scores.n_parameters == 3 + 6 + 6


class Slow(ClassifierMixin, BaseEstimator):
    """It looks at the clock for ever once it is fitted to fewer rows than all."""

    def __init__(self, n_rows=0):
        self.n_rows = n_rows

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        while len(X) < self.n_rows:
            look()
        return self

    def predict(self, X):
        return np.zeros(len(X), int)


def test_an_estimator_that_takes_too_long_keeps_what_it_has(monkeypatch):
    monkeypatch.setattr(module, "MAX_SECONDS", 0.05)
    X, y = iris()
    scores = Benchmark("classes", X, y).score(Slow(150))
    assert scores.reason == TOO_LONG
    assert_allclose(scores.measures["error"], 2 / 3)
    assert not scores.repeated


def test_whoever_waits_can_end_it():
    X, y = iris()
    ticks = iter(range(10**6))
    with pytest.raises(OutOfTime, match="Enough"), limited(5, "Enough.", clock=lambda: next(ticks)):
        Benchmark("classes", X, y).score(Slow(150))


def test_predictions_are_asked_for_at_places():
    X, y = iris()
    scores = Benchmark("classes", X, y, places=X[:7]).score(KNeighborsClassifier(1))
    assert_array_equal(scores.surface, y[:7])
