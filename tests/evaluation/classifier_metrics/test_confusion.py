"""The confusion matrix against R and scikit-learn."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import metrics

from dmlib.evaluation import confusion, confusion_steps
from dmlib.evaluation.counts import FORMULAS

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "golden" / "confusion_multiclass100.json").read_text()
)
labels = st.integers(0, 3)
pairs = st.lists(st.tuples(labels, labels), min_size=1, max_size=40)


@pytest.fixture
def four():
    return confusion(GOLDEN["truth"], GOLDEN["pred"])


@pytest.mark.parametrize("name", ["accuracy", "kappa", "mcc"])
def test_numbers_of_the_whole_matrix(four, name):
    assert_allclose(getattr(four, name), GOLDEN["expected"][name], rtol=1e-8)


@pytest.mark.parametrize("name", ["precision", "recall", "f1"])
def test_one_value_per_class_and_its_macro_mean(four, name):
    expected = GOLDEN["expected"]
    assert_allclose(getattr(four, name), expected[name], rtol=1e-8)
    assert_allclose(
        [getattr(counts, name) for counts in four.one_versus_rest], expected[name], rtol=1e-8
    )
    assert_allclose(four.macro[name], expected[f"macro_{name}"], rtol=1e-8)


def test_further_numbers_of_the_golden_table(four):
    expected = GOLDEN["expected"]
    assert four.labels.tolist() == GOLDEN["classes"]
    assert four.matrix.tolist() == np.asarray(four).tolist() == expected["confusion_rows_truth"]
    assert_allclose(four.weighted_kappa("linear"), expected["kappa_linear_weights"], rtol=1e-8)
    assert_allclose(
        four.weighted_kappa("quadratic"), expected["kappa_quadratic_weights"], rtol=1e-8
    )
    assert_allclose(four.weighted["precision"], expected["weighted_precision"], rtol=1e-8)
    assert_allclose(four.weighted["f1"], expected["weighted_f1"], rtol=1e-8)
    assert_allclose(four.micro["f1"], expected["micro_f1"], rtol=1e-8)
    success = (four.accuracy - four.chance) / (1 - four.chance)
    assert_allclose(success, expected["relative_success_over_chance"], rtol=1e-8)


@given(pairs.filter(lambda rows: len(np.unique(rows)) > 1))
def test_against_scikit_learn(pairs):
    truth, called = np.array(pairs).T
    ours = confusion(truth, called)
    assert_array_equal(ours.matrix, metrics.confusion_matrix(truth, called))
    options = {"average": None, "zero_division": np.nan}
    for name, theirs in ("precision", metrics.precision_score), ("recall", metrics.recall_score):
        assert_allclose(
            np.atleast_1d(confusion_per_class(ours, name)), theirs(truth, called, **options)
        )
        for average in "macro", "micro", "weighted":
            expected = theirs(truth, called, average=average, zero_division=np.nan)
            if not np.isnan(mean := getattr(ours, average)[name]):
                assert_allclose(mean, expected)
    assert_allclose(ours.accuracy, metrics.accuracy_score(truth, called))
    assert_allclose(ours.error, 1 - ours.accuracy, atol=1e-15)
    if not np.isnan(ours.mcc):
        assert_allclose(ours.mcc, metrics.matthews_corrcoef(truth, called), atol=1e-12)
    if not np.isnan(ours.kappa):
        assert_allclose(ours.kappa, metrics.cohen_kappa_score(truth, called), atol=1e-12)


def confusion_per_class(result, name):
    return [getattr(counts, name) for counts in result.one_versus_rest]


@given(pairs, st.integers(1, 7))
def test_rows_enter_one_after_another(pairs, batch):
    truth, called = np.array(pairs).T
    steps = list(confusion_steps(truth, called, batch=batch))
    assert np.concatenate([step.rows for step in steps]).tolist() == list(range(len(truth)))
    for step in steps:
        assert step.matrix.sum() == step.rows[-1] + 1
    assert_array_equal(steps[-1].matrix, confusion(truth, called).matrix)


def test_two_classes_give_numbers_of_the_second():
    result = confusion(["sick", "ill", "ill", "sick"], ["sick", "sick", "ill", "ill"])
    assert result.labels.tolist() == ["ill", "sick"]
    assert (result.tp, result.fp, result.tn, result.fn) == (1, 1, 1, 1)
    assert isinstance(result.precision, float)


def test_a_chosen_positive_class():
    result = confusion([0, 0, 0, 1, 1], [0, 0, 1, 1, 0], pos_label=0)
    assert (result.tp, result.fp, result.tn, result.fn) == (2, 1, 1, 1)
    of_b = confusion(GOLDEN["truth"], GOLDEN["pred"], pos_label="b")
    assert_allclose(of_b.recall, GOLDEN["expected"]["recall"][1])
    assert_allclose(of_b.accuracy, GOLDEN["expected"]["accuracy"])


def test_two_classes_agree_with_the_counts():
    result = confusion([0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1, 0])
    counts = result.one_versus_rest[1]
    for name in FORMULAS:
        assert_allclose(getattr(result, name), getattr(counts, name), err_msg=name)


def test_weights_of_rows():
    truth, called, weight = [0, 1, 1, 0], [0, 1, 0, 1], [1.0, 2.5, 0.5, 3.0]
    result = confusion(truth, called, sample_weight=weight)
    assert_allclose(result.matrix, metrics.confusion_matrix(truth, called, sample_weight=weight))
    assert_allclose(result.precision, 2.5 / 5.5)


def test_labels_choose_and_order():
    truth, called = ["a", "b", "c", "a"], ["a", "c", "c", "b"]
    result = confusion(truth, called, labels=["c", "a"])
    assert_array_equal(result.matrix, metrics.confusion_matrix(truth, called, labels=["c", "a"]))
    wide = confusion([1, 1], [1, 1], labels=[0, 1])
    assert wide.matrix.tolist() == [[0, 0], [0, 2]]
    assert np.isnan(wide.specificity)
    assert "Specificity is undefined: no row is negative." in wide.notes


def test_costs():
    result = confusion([0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 0])
    assert_allclose(result.expected_cost([[0, 1], [10, 0]]), 11 / 6)
    assert_allclose(result.expected_cost(1 - np.eye(2)), result.error)
    # the cost of a matrix with p on the diagonal and q off it is a line in the accuracy
    p, q = 0.5, 3.0
    costs = np.where(np.eye(2) > 0, p, q)
    assert_allclose(result.expected_cost(costs), q - (q - p) * result.accuracy)
    assert_allclose(result.weighted_accuracy(np.ones((2, 2))), result.accuracy)
    assert_allclose(result.weighted_accuracy([[1, 1], [10, 1]]), 4 / (4 + 1 + 10))


def test_a_guess_has_kappa_zero():
    truth = np.repeat([0, 1], [80, 20])
    called = np.tile([0, 0, 0, 0, 1], 20)
    assert_allclose(confusion(truth, called).kappa, 0, atol=1e-12)


def test_undefined_rates_of_many_classes_name_the_class():
    result = confusion(["a", "b", "c"], ["a", "a", "a"])
    assert "b: Precision is undefined: no row was predicted positive." in result.notes
    assert_allclose(result.macro["precision"], 1 / 3)


def test_one_class_alone():
    result = confusion([1, 1], [1, 1])
    assert (result.tp, result.accuracy) == (2, 1.0)
    assert np.isnan(result.kappa)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: confusion([], []), "y_true must be a list of classes"),
        (lambda: confusion([0, 1], [0, 1, 1]), "y_true has 2 rows, but y_pred has 3"),
        (lambda: confusion([0, 1], [0.2, 0.7]), r"y_pred holds measurements \(0.2\), not classes"),
        (lambda: confusion(["a", None], ["a", "b"]), "y_true has missing values"),
        (lambda: confusion(["0", "1"], [0, 1]), "the other numbers"),
        (lambda: confusion(["a", 1], ["a", "b"]), "mixes text and numbers"),
        (
            lambda: confusion([0, 1], [0, 1], pos_label=2),
            "pos_label=2 is not one of the classes 0, 1",
        ),
        (lambda: confusion([0, 1], [0, 1], labels=[7]), "None of the labels is a true class"),
        (lambda: confusion([0, 1], [0, 1], labels=[0, 0]), "names a class twice"),
        (
            lambda: confusion([0, 1], [0, 1], sample_weight=[1]),
            "sample_weight must have one number",
        ),
        (
            lambda: confusion([0, 1], [0, 1]).expected_cost([[1]]),
            "costs must have one row and one column",
        ),
        (
            lambda: confusion([0, 1], [0, 1]).weighted_kappa("cubic"),
            "weights must be linear, quadratic or a matrix",
        ),
    ],
)
def test_refusals_are_sentences(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
