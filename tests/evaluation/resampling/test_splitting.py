"""Splits and estimates of resampling against scikit-learn, by hand, and what is refused."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes, load_iris
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.utils import check_random_state

from dmlib.classification import DecisionTreeClassifier, NaiveBayes
from dmlib.datasets import load
from dmlib.evaluation import (
    ClassifierResampling,
    RegressorResampling,
    Splitter,
    bootstrap_632,
    bootstrap_632_plus,
    fraction_in_sample,
    no_information,
    splits,
)
from dmlib.evaluation.models import CLASSIFIERS, REGRESSORS, candidates
from dmlib.evaluation.resampling.splitting import BOOTSTRAPS, METHODS
from tests.visit import ROOT

X, Y = load_iris(return_X_y=True)
GOLDEN = json.loads((ROOT / "tests" / "golden" / "bootstrap_632.json").read_text())


def splits_of(method, y, seed, folds=3):
    return splits(
        method, y, folds=folds, n_repeats=4, groups=np.arange(len(y)) // 2, random_state=seed
    )


@given(st.sampled_from(METHODS), st.integers(4, 15), st.integers(0, 99))
def test_no_row_trains_and_tests(method, half, seed):
    y = np.arange(2 * half) % 2
    for split in splits_of(method, y, seed):
        assert len(split.test)
        assert not set(split.train) & set(split.test)
        assert set(split.train) | set(split.test) == set(range(2 * half))
        if method in BOOTSTRAPS:
            assert len(split.train) == 2 * half


@given(
    st.sampled_from(["k_fold", "stratified", "grouped", "leave_one_out", "nested"]),
    st.integers(4, 15),
)
def test_each_row_tests_once(method, half):
    tested = np.concatenate([split.test for split in splits_of(method, np.arange(2 * half) % 2, 0)])
    assert sorted(tested.tolist()) == list(range(2 * half))


def test_groups_are_never_shared_out():
    for split in splits_of("grouped", np.arange(20) % 2, 0):
        assert not set(split.train // 2) & set(split.test // 2)


def test_strata_keep_the_shares_of_the_classes():
    for split in splits("stratified", Y, folds=5, random_state=1):
        assert np.bincount(Y[split.test]).tolist() == [10, 10, 10]


@pytest.mark.parametrize(
    ("method", "y", "settings", "text"),
    [
        ("k_fold", [0, 1, 0], {"folds": 5}, "3 rows, fewer than 5 folds"),
        ("stratified", [0, 0, 0, 1], {"folds": 2}, "A class has a single row"),
        (
            "grouped",
            [0, 1, 0, 1],
            {"folds": 3, "groups": [0, 0, 1, 1]},
            "2 groups, fewer than 3 folds",
        ),
        ("grouped", [0, 1, 0, 1], {}, "need groups"),
        ("grouped", [0, 1, 0, 1], {"groups": [0, 1]}, "groups has 2 entries"),
        ("holdout", [0], {}, "There is one row"),
        ("bootstrap", [0] * 400 + [1], {"n_repeats": 500, "random_state": 3}, ""),
    ],
)
def test_what_cannot_be_shared_out_is_refused_in_a_sentence(method, y, settings, text):
    if not text:
        assert len(splits(method, y, **settings)) == 500
        return
    with pytest.raises(ValueError, match=text):
        splits(method, y, **settings)


def test_golden_share_of_rows_in_a_bootstrap_sample():
    for n, share in GOLDEN["expected"]["fraction_in_sample"].items():
        assert fraction_in_sample(int(n)) == pytest.approx(
            share, abs=1e-10 if n == "10" else GOLDEN["tolerance"]
        )
    assert fraction_in_sample(10**6) == pytest.approx(GOLDEN["expected"]["limit"], abs=1e-6)
    fractions = [
        len(np.unique(split.train)) / 150
        for split in splits("bootstrap", Y, n_repeats=400, random_state=0)
    ]
    assert np.mean(fractions) == pytest.approx(fraction_in_sample(150), abs=0.005)


@pytest.mark.parametrize("method", [method for method in METHODS if method != "nested"])
def test_errors_are_scikit_learns(method):
    model = ClassifierResampling(NaiveBayes(), scheme=method, n_repeats=5, random_state=0).fit(
        X[::3], Y[::3]
    )
    cv = [(split.train, split.test) for split in model.splits_]
    expected = 1 - cross_val_score(NaiveBayes(), X[::3], Y[::3], cv=cv)
    np.testing.assert_allclose(model.errors_, expected, atol=1e-12)
    if method not in ("bootstrap_632", "bootstrap_632_plus"):
        assert model.estimate_ == pytest.approx(expected.mean())


def test_numbers_have_scikit_learns_errors():
    X, y = load_diabetes(return_X_y=True)
    model = RegressorResampling("linear_regression", random_state=0).fit(X, y)
    from sklearn.linear_model import LinearRegression

    cv = [(split.train, split.test) for split in model.splits_]
    expected = -cross_val_score(LinearRegression(), X, y, cv=cv, scoring="neg_mean_squared_error")
    np.testing.assert_allclose(model.errors_, expected, rtol=1e-8)


def test_nested_folds_choose_as_a_grid_search_does():
    rows = np.random.default_rng(0).permutation(150)[:90]
    model = ClassifierResampling("decision_tree", scheme="nested", folds=3, random_state=4).fit(
        X[rows], Y[rows]
    )
    seed = int(check_random_state(4).randint(2**31 - 1))
    for split, chosen, error in zip(model.splits_, model.settings_, model.errors_, strict=True):
        inside = X[rows][split.train], Y[rows][split.train]
        inner_seed = int(check_random_state(seed).randint(2**31 - 1))
        inner = StratifiedKFold(3, shuffle=True, random_state=inner_seed)
        grid = {"max_depth": [each["max_depth"] for each in candidates("decision_tree")]}
        search = GridSearchCV(DecisionTreeClassifier(random_state=seed), grid, cv=inner).fit(
            *inside
        )
        assert search.best_params_ == chosen
        assert 1 - search.score(X[rows][split.test], Y[rows][split.test]) == pytest.approx(error)


def test_a_splitter_is_scikit_learns_cv():
    scores = cross_val_score(NaiveBayes(), X, Y, cv=Splitter("stratified", folds=4, random_state=0))
    model = ClassifierResampling(NaiveBayes(), folds=4, random_state=0)
    assert len(scores) == 4
    assert len(model.fit(X, Y).errors_) == 4
    for method in METHODS:
        cv = Splitter(method, folds=3, n_repeats=4, random_state=0)
        assert cv.get_n_splits(X, Y) == len(list(cv.split(X, Y, groups=np.arange(150))))


def test_weights_of_the_bootstrap_by_hand():
    assert bootstrap_632(0.0, 0.4).estimate == pytest.approx(0.2528)
    error = bootstrap_632_plus(0.0, 0.4, 0.5)
    assert (error.overfitting, error.weight, error.estimate) == pytest.approx(
        (0.8, 0.8957, 0.3583), abs=5e-5
    )
    assert (
        bootstrap_632_plus(0.3, 0.2, 0.5).weight == 0.632
    )  # better out of the bag: no overfitting
    assert bootstrap_632_plus(0.0, 0.9, 0.5).estimate == pytest.approx(0.5)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0.01, 1))
def test_the_estimate_lies_between_both_errors(training, oob, gamma):
    error = bootstrap_632_plus(training, oob, gamma)
    assert 0.632 <= error.weight <= 1 + 1e-12
    low, high = sorted((training, min(oob, gamma)))
    assert low - 1e-12 <= error.estimate <= high + 1e-12


def test_no_information_is_the_mean_loss_of_all_pairs():
    y = np.array([0, 1, 1, 2, 2, 2])
    z = np.array([0, 1, 2, 2, 2, 0])
    assert no_information(y, z, numbers=False) == pytest.approx(np.mean(y[:, None] != z))
    assert no_information(y, z, numbers=True) == pytest.approx(np.mean((y[:, None] - z) ** 2))


def test_leave_one_out_of_the_larger_class_is_always_wrong():
    assert (
        ClassifierResampling("zero_r", scheme="leave_one_out").fit(X[:100], Y[:100]).estimate_
        == 1.0
    )


@pytest.mark.parametrize(
    ("X", "y", "text"), [([["a"]] * 6, [0, 1] * 3, "could not convert|needs numbers")]
)
def test_texts_are_refused(X, y, text):
    with pytest.raises(ValueError, match=text):
        ClassifierResampling("svm").fit(X, y)


def test_a_fold_without_a_second_class_is_refused():
    with pytest.raises(ValueError, match="would train on a single class"):
        ClassifierResampling("knn", scheme="grouped", folds=2).fit(
            np.zeros((6, 1)), [0, 0, 0, 1, 1, 1], [0] * 3 + [1] * 3
        )


def test_a_column_tells_the_groups_and_nothing_else():
    frame = load("penguins").frame.dropna()
    rows, classes = frame[["bill_length_mm", "island", "bill_depth_mm"]], frame["species"]
    model = ClassifierResampling(
        "decision_tree", scheme="grouped", folds=3, group_column=2, random_state=0
    ).fit(rows, classes)
    assert all(len(set(rows["island"].iloc[split.test])) == 1 for split in model.splits_)
    without_column = ClassifierResampling(
        "decision_tree", scheme="grouped", folds=3, random_state=0
    )
    without_column.fit(rows.drop(columns="island"), classes, groups=rows["island"])
    np.testing.assert_array_equal(model.errors_, without_column.errors_)
    assert list(model.learned_from(rows)) == ["bill_length_mm", "bill_depth_mm"]


@pytest.mark.parametrize(("n_columns", "column"), [(2, 3), (1, 1)])
def test_a_group_column_is_one_of_several(n_columns, column):
    model = RegressorResampling("mean", scheme="grouped", folds=2, group_column=column)
    with pytest.raises(ValueError, match="must be one of several columns"):
        model.fit(np.zeros((8, n_columns)), np.arange(8.0))


@pytest.mark.parametrize("name", REGRESSORS)
def test_every_regression_is_judged(name):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(40, 3))
    y = rows @ [1.0, 2.0, 0.0] + rng.normal(size=40)
    for scheme in ("k_fold", "nested"):
        model = RegressorResampling(name, scheme=scheme, folds=4, random_state=0).fit(rows, y)
        assert 0 < model.estimate_ < 8
    assert RegressorResampling(name).fit(rows[:, :1], y).estimate_ > 0


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_classifier_is_judged_or_says_that_it_needs_numbers(name):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(40, 2)), columns=["a", "b"])
    y = np.where(table["a"] + table["b"] > 0, "p", "q")
    assert ClassifierResampling(name, folds=3, random_state=0).fit(table, y).estimate_ <= 0.6
    mixed = ClassifierResampling(name, folds=3, random_state=0)
    try:
        mixed.fit(table.assign(c=list("uv") * 20), y)
    except ValueError as error:
        assert str(error).startswith("This model needs numbers, but the column 'c' is nominal.")  # noqa: PT017
