"""The rates of four counts: formulas, names, and what is undefined."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics

from dmlib.evaluation import Counts
from dmlib.evaluation.counts import EMPTY, FORMULAS, NEEDS, quotient

COUNTS = Counts(tp=40, fp=15, tn=120, fn=25)
TRUTH = np.repeat([1, 0, 0, 1], [40, 15, 120, 25])
CALLED = np.repeat([1, 1, 0, 0], [40, 15, 120, 25])


def by_formula(name, counts):
    """Evaluate the formula that a person reads."""
    source = FORMULAS[name][1].replace("·", "*").replace("−", "-").replace("√", "np.sqrt")
    return eval(
        source, {"np": np, "TP": counts.tp, "FP": counts.fp, "TN": counts.tn, "FN": counts.fn}
    )


@pytest.mark.parametrize("name", FORMULAS)
def test_each_rate_is_what_its_formula_says(name):
    assert_allclose(getattr(COUNTS, name), by_formula(name, COUNTS))


@pytest.mark.parametrize("name", FORMULAS)
def test_numbers_put_in_give_the_value(name):
    text = COUNTS.put_in(name)
    assert not re.search(r"TP|FP|TN|FN", text.split(" = ")[2])
    assert_allclose(float(text.rsplit(" = ", 1)[1]), getattr(COUNTS, name), rtol=1e-5)


def test_against_scikit_learn():
    assert_allclose(COUNTS.accuracy, metrics.accuracy_score(TRUTH, CALLED))
    assert_allclose(COUNTS.precision, metrics.precision_score(TRUTH, CALLED))
    assert_allclose(COUNTS.recall, metrics.recall_score(TRUTH, CALLED))
    assert_allclose(COUNTS.specificity, metrics.recall_score(TRUTH, CALLED, pos_label=0))
    assert_allclose(COUNTS.npv, metrics.precision_score(TRUTH, CALLED, pos_label=0))
    assert_allclose(COUNTS.f1, metrics.f1_score(TRUTH, CALLED))
    assert_allclose(COUNTS.f_beta(2), metrics.fbeta_score(TRUTH, CALLED, beta=2))
    assert_allclose(COUNTS.balanced_accuracy, metrics.balanced_accuracy_score(TRUTH, CALLED))
    assert_allclose(COUNTS.mcc, metrics.matthews_corrcoef(TRUTH, CALLED))
    assert_allclose(
        (COUNTS.lr_positive, COUNTS.lr_negative), metrics.class_likelihood_ratios(TRUTH, CALLED)
    )


def test_false_positives_are_negative_rows():
    counts = Counts(tp=0, fp=3, tn=7, fn=0)
    assert counts.fpr == 0.3
    assert np.isnan(counts.recall)


def test_other_names():
    assert COUNTS.sensitivity == COUNTS.tpr == COUNTS.recall
    assert COUNTS.tnr == COUNTS.specificity
    assert COUNTS.ppv == COUNTS.precision == 1 - COUNTS.fdr


@pytest.mark.parametrize(
    "counts", [(0, 0, 5, 1), (0, 0, 5, 0), (3, 0, 0, 0), (0, 4, 0, 0), (0, 0, 0, 0), (2, 0, 0, 3)]
)
def test_each_undefined_rate_has_its_sentence(counts):
    counts = Counts(*counts)
    undefined = [name for name in FORMULAS if np.isnan(getattr(counts, name))]
    assert undefined
    assert [note.split(" is undefined: ")[0] for note in counts.notes] == [
        FORMULAS[name][0] for name in undefined
    ]
    for name in undefined:
        note = counts.undefined(name)
        assert note.endswith(".")
        reasons = [EMPTY[need] for need in NEEDS.get(name, ()) if by_need(need, counts) == 0]
        assert all(reason in note for reason in reasons)
        assert counts.put_in(name).endswith("= undefined")
    assert all(not counts.undefined(name) for name in FORMULAS if name not in undefined)


def by_need(need, counts):
    return sum(getattr(counts, part.lower()) for part in need.split(" + "))


def test_no_false_alarm_makes_an_infinite_ratio():
    assert Counts(3, 0, 5, 1).lr_positive == np.inf
    assert Counts(3, 0, 5, 1).notes == ()


def test_arrays_of_counts_give_arrays_of_rates():
    counts = Counts(*np.array([[1, 0], [1, 0], [2, 3], [4, 0]]))
    assert_allclose(counts.precision, [0.5, np.nan])
    assert_allclose(counts.accuracy, [3 / 8, 1])


def test_large_counts_do_not_overflow():
    counts = Counts(*(np.int64(10) ** 6 * np.array([5, 1, 7, 2])))
    assert_allclose(counts.mcc, Counts(5, 1, 7, 2).mcc)


def test_quotient_of_arrays():
    assert_allclose(quotient([1, 0, 2], [2, 0, 0]), [0.5, np.nan, np.inf])
