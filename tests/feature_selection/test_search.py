"""Searches against R, mlxtend and scikit-learn, and against all subsets."""

import itertools
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mlxtend.feature_selection import SequentialFeatureSelector as Mlxtend
from sklearn.datasets import load_iris
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from dmlib.feature_selection import (
    RegressorSearch,
    SubsetSearch,
    WrapperSearch,
    backward_elimination,
    best_subset,
    forward_selection,
)
from dmlib.feature_selection.model_score import CLASSIFIERS, REGRESSORS, ModelScore
from dmlib.feature_selection.scores import ClassifierScore, LeastSquaresScore

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def swiss():
    expected = json.loads((ROOT / "golden" / "subsets_swiss.json").read_text("utf-8"))
    table = pd.DataFrame(expected["rows"], columns=expected["columns"])
    names = expected["columns"][1:]
    return expected, names, table[names].to_numpy(), table["Fertility"].to_numpy()


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("aic", "aic_extract"), ("bic", "bic_extract"), ("cp", "cp"), ("adjusted_r2", "adj_r2")],
)
def test_every_subset_has_rs_score(swiss, ours, theirs):
    expected, names, X, y = swiss
    score = LeastSquaresScore(X, y, ours)
    for each in expected["subsets"]:
        subset = tuple(names.index(name) for name in each["variables"])
        assert score(subset) == pytest.approx(each[theirs], rel=1e-8, abs=1e-7)
        assert score.sse(subset) == pytest.approx(each["sse"], rel=1e-8)


def test_leaving_one_out_is_rs_press(swiss):
    expected, names, X, y = swiss
    score = LeastSquaresScore(X, y, "cv", cv=len(y))
    for each in expected["subsets"]:
        subset = tuple(names.index(name) for name in each["variables"])
        assert score(subset) * len(y) == pytest.approx(each["press"], rel=1e-8)


@pytest.mark.parametrize("scoring", ["aic", "bic", "cp", "adjusted_r2"])
def test_best_subset_is_rs(swiss, scoring):
    expected, names, X, y = swiss
    model = best_subset(X, y, scoring=scoring)
    key = "adj_r2" if scoring == "adjusted_r2" else scoring
    assert [names[j] for j in model.get_support(indices=True)] == expected["best_by"][key]
    assert [[names[j] for j in each] for each in model.subsets_[1:]] == expected[
        "best_variables_per_size"
    ]


@pytest.mark.parametrize(
    "case", ["forward_aic", "backward_aic", "both_from_null_aic", "forward_bic", "backward_bic"]
)
def test_steps_are_those_of_rs_step(swiss, case):
    expected, names, X, y = swiss
    way, _, scoring = case.partition("_")
    search = {"both": "bidirectional"}.get(way, way)
    steps = [*SubsetSearch(search=search, scoring=scoring.rpartition("_")[2]).steps(X, y)][:-1]
    theirs = expected[f"step_{case}"]
    signs = {"add": "+", "remove": "-"}
    moves = ["start" if not s.moved else f"{signs[s.phase]} {names[s.moved[0]]}" for s in steps]
    assert moves == theirs["steps"]
    np.testing.assert_allclose([s.value for s in steps], theirs["criterion"], rtol=1e-8)


def data(seed, n=40, p=6):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) @ rng.normal(size=(p, p))
    return X, X @ rng.normal(size=p) * 0.3 + rng.normal(size=n)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10_000), st.integers(2, 8), st.sampled_from(["aic", "bic", "cp", "adjusted_r2"])
)
def test_branch_and_bound_finds_the_best_of_all_sets(seed, p, scoring):
    X, y = data(seed, p=p)
    model, score = best_subset(X, y, scoring=scoring), LeastSquaresScore(X, y, scoring)
    everything = [s for k in range(p + 1) for s in itertools.combinations(range(p), k)]
    best = (max if scoring == "adjusted_r2" else min)(score(s) for s in everything)
    assert model.value_ == pytest.approx(best, rel=1e-9)
    for k, subset in enumerate(model.subsets_):
        assert score.sse(subset) == pytest.approx(
            min(score.sse(s) for s in everything if len(s) == k), rel=1e-8
        )


def test_branch_and_bound_takes_twenty_columns_and_leaves_most_sets_out():
    X, y = data(3, n=80, p=20)
    *_, last = SubsetSearch(search="best").steps(X, y)
    assert last.n_cut > 0.9 * 2**20
    with pytest.raises(ValueError, match="at most 20 columns; there are 21"):
        best_subset(np.column_stack([X, X[:, 0]]), y)


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("k", [1, 3, 5])
def test_given_sizes_are_scikit_learns_and_mlxtends(forward, k):
    X, y = data(5)
    cut = KFold(5, shuffle=True, random_state=0)
    ours = SubsetSearch(
        search="forward" if forward else "backward",
        scoring="cv",
        n_features_to_select=k,
        random_state=0,
    ).fit(X, y)
    # ours weighs rows, theirs folds: 40 rows make equal folds
    kinds = {"scoring": "neg_mean_squared_error", "cv": cut}
    direction = "forward" if forward else "backward"
    theirs = SequentialFeatureSelector(
        LinearRegression(), n_features_to_select=k, direction=direction, **kinds
    )
    assert ours.support_.tolist() == theirs.fit(X, y).support_.tolist()
    mlxtends = Mlxtend(
        LinearRegression(), k_features=k, forward=forward, floating=False, **kinds
    ).fit(X, y)
    assert tuple(ours.get_support(indices=True)) == mlxtends.k_feature_idx_
    assert -ours.value_ == pytest.approx(mlxtends.k_score_)


@pytest.mark.parametrize("seed", range(5))
def test_the_floating_search_is_as_good_as_mlxtends(seed):
    X, y = data(seed, p=7)
    cut = KFold(5, shuffle=True, random_state=0)
    ours = SubsetSearch(
        search="bidirectional", scoring="cv", n_features_to_select=4, random_state=0
    ).fit(X, y)
    theirs = Mlxtend(
        LinearRegression(), k_features=4, floating=True, scoring="neg_mean_squared_error", cv=cut
    ).fit(X, y)
    assert -ours.value_ == pytest.approx(theirs.k_score_)


@pytest.mark.parametrize(
    ("name", "theirs"), [("naive_bayes", GaussianNB()), ("knn", KNeighborsClassifier(5))]
)
def test_the_accuracy_is_scikit_learns(name, theirs):
    rng = np.random.default_rng(0)
    X, y = load_iris(return_X_y=True)
    X = X + rng.normal(scale=1e-3, size=X.shape)  # no ties
    cut = StratifiedKFold(5, shuffle=True, random_state=1)
    score = ClassifierScore(X, y, name, random_state=1)
    for subset in [(0,), (2,), (0, 1), (0, 1, 2, 3)]:
        assert score(subset) == pytest.approx(
            cross_val_score(theirs, X[:, subset], y, cv=cut).mean()
        )
    mlxtends = Mlxtend(theirs, k_features=2, scoring="accuracy", cv=cut).fit(X, y)
    ours = WrapperSearch(classifier=name, n_features_to_select=2, random_state=1).fit(X, y)
    assert ours.value_ == pytest.approx(mlxtends.k_score_)


def test_of_equal_distances_the_earlier_row_votes():
    rng = np.random.default_rng(0)
    X, y = rng.integers(4, size=(60, 2)).astype(float), rng.integers(3, size=60)
    score = ClassifierScore(X, y, "knn", n_neighbors=4, cv=3, random_state=0)
    right = 0
    for train, test in StratifiedKFold(3, shuffle=True, random_state=0).split(X, y):
        for i in test:
            nearest = np.argsort(((X[train] - X[i]) ** 2).sum(axis=1), kind="stable")[:4]
            right += np.bincount(y[train][nearest]).argmax() == y[i]
    assert score((0, 1)) == right / 60


def test_two_useless_columns_are_useful_together():
    rng = np.random.default_rng(0)
    X = rng.choice([-1.0, 1.0], size=(200, 2)) + rng.normal(scale=0.3, size=(200, 2))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    score = WrapperSearch(classifier="knn", random_state=0).scorer(X, y)
    assert max(score((0,)), score((1,))) < 0.62
    assert score((0, 1)) > 0.95


def test_by_hand():
    """Of y = 1, 3, 2, 4 over x = 1, 2, 3, 4 the line leaves an SSE of 1.8 of 5."""
    start, add, done = SubsetSearch().steps([[1.0], [2.0], [3.0], [4.0]], [1.0, 3.0, 2.0, 4.0])
    assert start.value == pytest.approx(4 * np.log(1.25) + 2)
    assert add.value == pytest.approx(4 * np.log(0.45) + 4)
    assert done.support.tolist() == [True]


@pytest.mark.parametrize("search", ["forward", "backward", "bidirectional", "local", "best"])
def test_collinear_and_constant_columns_are_left_out(search):
    X, y = data(1, p=3)
    X = np.column_stack([X, X[:, 0] + X[:, 1], np.full(len(X), 7.0)])
    model = SubsetSearch(search=search, scoring="bic").fit(X, y)
    assert model.n_selected_ <= 3
    assert not model.support_[4]


def test_more_columns_than_rows():
    X, y = data(2, n=8, p=12)
    assert forward_selection(X, y).n_selected_ <= 6
    assert SubsetSearch(search="backward").fit(X, y).n_selected_ <= 6
    with pytest.raises(
        ValueError, match=r"Cp estimates the noise .* more than 13 rows; there are 8\."
    ):
        forward_selection(X, y, scoring="cp")
    with pytest.raises(ValueError, match="All values of the target are equal"):
        forward_selection(X, np.ones(8))


def test_names_and_columns_as_scikit_learn_has_them():
    X, y = data(4)
    frame = pd.DataFrame(X, columns=list("abcdef"))
    model = forward_selection(frame, y, n_features_to_select=2)
    names = model.get_feature_names_out()
    np.testing.assert_array_equal(model.transform(frame), frame[names])


@pytest.mark.parametrize(
    "name", [name for name in CLASSIFIERS if name not in ("gradient_boosting", "adaboost")]
)
def test_every_classifier_can_judge_sets(name):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    search = WrapperSearch(classifier=name, cv=3, random_state=0).fit(X, X[:, 1] > 0)
    assert search.support_[1]
    assert search.value_ > 0.75


@pytest.mark.parametrize("name", REGRESSORS)
def test_every_regression_can_judge_sets(name):
    X = np.random.default_rng(0).normal(size=(60, 2))
    search = RegressorSearch(regressor=name, cv=3, random_state=0).fit(X, 3 * X[:, 1])
    assert search.support_[1]
    assert search.value_ < 9 * X[:, 1].var()


def test_scores_of_any_model_are_those_of_scikit_learn():
    X, y = load_iris(return_X_y=True)
    score = ModelScore(X, y, LinearRegression(), numbers=True, cv=10, seed=3)
    theirs = cross_val_score(
        LinearRegression(), X[:, [0, 2]], y, cv=score.folds, scoring="neg_mean_squared_error"
    )
    assert score((0, 2)) == pytest.approx(-theirs.mean())
    accuracy = ModelScore(X, y, GaussianNB(), cv=10, seed=3)
    assert accuracy((1, 3)) == pytest.approx(
        cross_val_score(GaussianNB(), X[:, [1, 3]], y, cv=accuracy.folds).mean()
    )
    assert accuracy(()) <= 0.4


def test_neighbours_are_no_more_than_a_fold_trains_on():
    assert RegressorSearch(cv=2).fit(np.eye(4), np.arange(4.0)).n_evaluated_ > 0


def test_a_regression_needs_a_target_that_varies():
    with pytest.raises(ValueError, match="All values of the target are equal"):
        RegressorSearch().fit(np.eye(6), np.ones(6))


@pytest.mark.parametrize("noise", [1.0, 1e-3, 1e-6, 0.0])
@pytest.mark.parametrize("order", sorted(set(itertools.permutations("aabbc"))))
def test_of_equal_columns_the_first_ones_are_chosen(order, noise):
    rng = np.random.default_rng(0)
    columns = dict(zip("abc", rng.normal(size=(3, 40)), strict=True))
    X, y = np.column_stack([columns[name] for name in order]), 2 * columns["a"] + columns["b"]
    y = y + noise * rng.normal(size=40)
    expected = sorted([order.index("a"), order.index("b")])
    for search in ("best", "backward", "forward", "bidirectional"):
        model = SubsetSearch(search=search, n_features_to_select=2).fit(X, y)
        assert model.get_support(indices=True).tolist() == expected, search
        assert model.value_ == SubsetSearch(search="best", n_features_to_select=2).fit(X, y).value_
    model = SubsetSearch(search="best", n_features_to_select=1).fit(X, y)
    assert model.get_support(indices=True).tolist() == [order.index("a")]


def test_a_column_that_comes_again_last():
    a, b = np.random.default_rng(1).normal(size=(2, 30))
    X, y = np.column_stack([a, b, a]), 2 * a + b + np.random.default_rng(2).normal(size=30)
    assert best_subset(X, y).subsets_[:3] == ((), (0,), (0, 1))
    assert backward_elimination(X, y).get_support(indices=True).tolist() == [0, 1]


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_the_best_subsets_are_the_first_of_the_best_of_all(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 3))[:, rng.integers(0, 3, 5)]
    X[:, rng.integers(0, 5)] *= 3.0
    y = X @ rng.normal(size=5) + rng.normal(size=30)
    score = LeastSquaresScore(X, y, "aic")
    for subset in best_subset(X, y).subsets_[1:-1]:
        sses = {each: score.sse(each) for each in itertools.combinations(range(5), len(subset))}
        min_sse = min(sses.values())
        assert subset == min(each for each, sse in sses.items() if sse <= min_sse * (1 + 1e-10))
