"""The reductions against scikit-learn's, the theory of codes, and odd data."""

import itertools

import numpy as np
import pandas as pd
import pytest
import sklearn.multiclass
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris, make_blobs
from sklearn.linear_model import Perceptron
from sklearn.utils.estimator_checks import parametrize_with_checks

from dmlib.classification import (
    SVC,
    DecisionTreeClassifier,
    LogisticRegression,
    NaiveBayes,
    OneVsOneClassifier,
    OneVsRestClassifier,
    OutputCodeClassifier,
    QuadraticDiscriminantAnalysis,
)
from dmlib.classification.multiclass.binary import BINARY, binary_classifier
from dmlib.classification.multiclass.binary_step import agreeing, contradictory
from dmlib.classification.multiclass.output_code import exhaustive
from dmlib.trace import run

BLOBS = make_blobs(80, 2, centers=5, cluster_std=2.5, random_state=3)
GRID = np.stack(np.meshgrid(np.linspace(-15, 15, 25), np.linspace(-15, 15, 25)), -1).reshape(-1, 2)
REDUCTIONS = [OneVsRestClassifier, OneVsOneClassifier, OutputCodeClassifier]


def of_library(ours, base):
    params = (
        {"random_state": 0, "code_size": ours.code_size}
        if isinstance(ours, OutputCodeClassifier)
        else {}
    )
    return getattr(sklearn.multiclass, type(ours).__name__)(binary_classifier(base), **params)


def reduction(kind, base, **params):
    return kind(base, **({"random_state": 0} if kind is OutputCodeClassifier else {}), **params)


@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize(
    "base", [*BINARY, DecisionTreeClassifier(max_depth=1), Perceptron()], ids=str
)
@pytest.mark.parametrize("kind", REDUCTIONS)
def test_predictions_are_those_of_scikit_learn(kind, base, n_classes):
    X, y = BLOBS[0], np.array(list("abcde"))[BLOBS[1] % n_classes]
    ours = reduction(kind, base).fit(X, y)
    theirs = of_library(ours, base).fit(X, y)
    # the shares of ten trees make equal distances, of which rounding makes one smaller
    decided = (
        ours.certainty(GRID)[1] > 1e-12
        if base == "bagging" and kind is OutputCodeClassifier
        else slice(None)
    )
    assert ours.predict(GRID)[decided].tolist() == theirs.predict(GRID)[decided].tolist()
    if hasattr(theirs, "decision_function"):
        border = ours.even if n_classes == 2 else 0  # 0 here, also of probabilities
        np.testing.assert_allclose(
            ours.decision_function(GRID), theirs.decision_function(GRID) - border, atol=1e-12
        )
    if hasattr(theirs, "predict_proba"):
        np.testing.assert_allclose(ours.predict_proba(GRID), theirs.predict_proba(GRID))
    if kind is OutputCodeClassifier:
        assert ours.code_book_.tolist() == theirs.code_book_.tolist()
    assert len(ours.estimators_) == len(theirs.estimators_)


@parametrize_with_checks(
    [
        OneVsOneClassifier(NaiveBayes()),
        OneVsRestClassifier(DecisionTreeClassifier(max_depth=1)),
        OutputCodeClassifier(SVC(kernel="linear"), code="exhaustive", decoding="hamming"),
    ]
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


# --- the theory of codes --------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", range(2, 8))
def test_exhaustive_words_differ_in_half_of_the_bits_and_no_two_problems_are_the_same(n_classes):
    signs = exhaustive(n_classes)
    assert signs.shape == (n_classes, 2 ** (n_classes - 1) - 1)
    distances = {int((a != b).sum()) for a, b in itertools.combinations(signs, 2)}
    assert distances == {2 ** (n_classes - 2)}
    columns = {tuple(column * column[0]) for column in signs.T}
    assert len(columns) == signs.shape[1]
    assert (np.abs(signs.sum(axis=0)) < n_classes).all()


@given(st.integers(3, 6), st.data())
@settings(max_examples=50, deadline=None)
def test_wrong_bits_up_to_half_of_the_distance_are_corrected(n_classes, data):
    signs = exhaustive(n_classes)
    max_wrong = (2 ** (n_classes - 2) - 1) // 2
    true = data.draw(st.integers(0, n_classes - 1))
    bits = list(range(signs.shape[1]))
    wrong = data.draw(st.lists(st.sampled_from(bits), unique=True, max_size=max_wrong))
    answer = signs[true].copy()
    answer[wrong] *= -1
    votes = agreeing(signs, answer[None] > 0)
    assert votes.argmax() == true
    assert not contradictory(votes)[0]


@pytest.mark.parametrize("kind", REDUCTIONS)
def test_votes_agree_with_a_count_by_hand(kind):
    model = reduction(kind, "decision_tree").fit(*BLOBS)
    positive = model.answers(GRID)[1]
    counted = [
        [
            sum((s > 0) == is_positive for s, is_positive in zip(code, row, strict=True) if s)
            for code in model.signs
        ]
        for row in positive
    ]
    assert agreeing(model.signs, positive).tolist() == counted


def test_three_pairs_may_go_in_circles_but_not_along_a_line():
    model = OneVsOneClassifier(SVC(kernel="linear", C=np.inf)).fit(
        [[0.0], [4.0], [8.0]], ["A", "B", "C"]
    )
    positive = model.answers(np.linspace(-3, 11, 60)[:, None])[1]
    assert not contradictory(agreeing(model.signs, positive)).any()
    circle = np.array([[False, True, False]])  # A beats B, C beats A, B beats C
    assert agreeing(model.signs, circle).tolist() == [[1, 1, 1]]
    assert contradictory(agreeing(model.signs, circle))[0]


# --- steps ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", REDUCTIONS)
def test_steps_are_the_problems_that_fit_trains(kind):
    model = reduction(kind, "svm").fit(*BLOBS)
    *problems, last = run(reduction(kind, "svm"), *BLOBS).steps
    assert [step.phase for step in (*problems, last)] == ["train"] * len(model.estimators_) + [
        "decode"
    ]
    for i, step in enumerate(problems):
        members = np.flatnonzero(model.signs[BLOBS[1], i])
        assert step.rows.tolist() == members.tolist()
        assert step.positive.tolist() == (model.signs[BLOBS[1][members], i] > 0).tolist()
        assert step.predicted.tolist() == model.answers(BLOBS[0][members])[1][:, i].tolist()


def test_an_estimator_keeps_its_settings_and_is_not_touched():
    tree = DecisionTreeClassifier(max_depth=1)
    model = OneVsRestClassifier(tree).fit(*BLOBS)
    assert not hasattr(tree, "tree_")
    assert {each.tree_.max_depth for each in model.estimators_} == {1}


@pytest.mark.parametrize("kind", REDUCTIONS)
def test_a_kernel_matrix_says_the_same_as_its_kernel(kind):
    X, y = BLOBS
    of_rows = reduction(kind, SVC(kernel="linear")).fit(X, y)
    of_kernel = reduction(kind, SVC(kernel="precomputed")).fit(X @ X.T, y)
    np.testing.assert_allclose(
        of_kernel.answers(GRID @ X.T)[0], of_rows.answers(GRID)[0], atol=1e-6
    )
    assert (
        len(run(reduction(kind, SVC(kernel="precomputed")), X @ X.T, y).steps)
        == len(of_rows.estimators_) + 1
    )


# --- odd data -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", REDUCTIONS)
def test_one_class_is_a_sentence(kind):
    with pytest.raises(ValueError, match="There is only one class, a"):
        kind().fit([[0.0], [1.0]], ["a", "a"])


@pytest.mark.parametrize("kind", REDUCTIONS)
@pytest.mark.parametrize("base", BINARY)
def test_a_class_of_one_row_is_trained(kind, base):
    X, y = load_iris(return_X_y=True)
    X, y = X[49:], y[49:]
    if base == "qda" and kind is not OutputCodeClassifier:
        with pytest.raises(
            ValueError, match=r"only 1 sample in class .*; give it more rows, or pool the matrices"
        ):
            reduction(kind, base).fit(X, y)
        return
    assert reduction(kind, base).fit(X, y).score(X, y) > 0.5


def test_columns_of_names_and_missing_values_reach_the_classifiers_that_take_them():
    frame = pd.DataFrame({"sky": list("sscc" * 3), "wind": [1.0, np.nan, 3.0] * 4})
    y = list("abc" * 4)
    model = OneVsRestClassifier("naive_bayes").fit(frame, y)
    assert model.feature_names_in_.tolist() == ["sky", "wind"]
    assert len(model.predict(frame)) == 12
    with pytest.raises(ValueError, match="the column 'sky' is nominal"):
        OneVsRestClassifier("svm").fit(frame, y)


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (OneVsRestClassifier("forest"), "estimator must be one of logistic_regression"),
        (
            OneVsOneClassifier(sklearn.multiclass.OutputCodeClassifier(LogisticRegression())),
            "neither decision values",
        ),
        (OutputCodeClassifier(code="exhaustive"), "has 1,023 bits"),
        (OutputCodeClassifier(code_size=0), "code_size must be a number"),
    ],
)
def test_what_cannot_be_trained_is_a_sentence(model, sentence):
    X = np.arange(22.0)[:, None]
    with pytest.raises(ValueError, match=sentence):
        model.fit(X, np.repeat(np.arange(11), 2))


@pytest.mark.parametrize("model", [OneVsRestClassifier, OneVsOneClassifier])
def test_what_a_binary_classifier_refuses_names_the_class_and_not_its_side(model):
    X = np.random.default_rng(0).normal(size=(20, 2))
    with pytest.raises(ValueError, match="only 1 sample in class c"):
        model(QuadraticDiscriminantAnalysis()).fit(X, list("a" * 10 + "b" * 9 + "c"))


def test_a_side_of_several_classes_is_a_side():
    X = np.random.default_rng(0).normal(size=(20, 2))
    X[10:] = 1.0
    with pytest.raises(ValueError, match="matrix of the − side is not full rank"):
        OneVsRestClassifier(QuadraticDiscriminantAnalysis()).fit(
            X, list("a" * 10 + "b" * 5 + "c" * 5)
        )


def test_equal_words_leave_a_class_out():
    model = OutputCodeClassifier("naive_bayes", code_size=0.4, random_state=0).fit(*BLOBS)
    assert model.code_book_.shape == (5, 2)
    assert len(np.unique(model.predict(GRID))) <= 4
