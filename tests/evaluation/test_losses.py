"""Quadratic and informational loss."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from sklearn import metrics

from dmlib.evaluation import (
    informational_loss,
    informational_losses,
    quadratic_loss,
    quadratic_losses,
)

TRUTH = np.array(["a", "c", "b", "a"])
PROBA = np.array([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6], [0.2, 0.5, 0.3], [0.25, 0.25, 0.5]])


def test_by_hand():
    assert_allclose(quadratic_losses(TRUTH, PROBA)[0], 0.3**2 + 0.2**2 + 0.1**2)
    assert_allclose(informational_losses(TRUTH, PROBA)[3], 2)


def test_against_scikit_learn():
    assert_allclose(informational_loss(TRUTH, PROBA) * np.log(2), metrics.log_loss(TRUTH, PROBA))
    assert_allclose(quadratic_loss(TRUTH, PROBA), metrics.brier_score_loss(TRUTH, PROBA))
    binary, p = [0, 1, 1, 0], [0.1, 0.8, 0.4, 0.5]
    assert_allclose(quadratic_loss(binary, p) / 2, metrics.brier_score_loss(binary, p))
    assert_allclose(informational_loss(binary, p) * np.log(2), metrics.log_loss(binary, p))


@given(arrays(float, 3, elements=st.floats(0.01, 1)), arrays(float, 3, elements=st.floats(0.01, 1)))
def test_no_forecast_is_better_than_the_truth(truth, forecast):
    truth, forecast = truth / truth.sum(), forecast / forecast.sum()
    classes = np.arange(3)
    for losses, minimum in (
        (quadratic_losses, 1 - truth @ truth),
        (informational_losses, -truth @ np.log2(truth)),
    ):
        honest = truth @ losses(classes, np.tile(truth, (3, 1)))
        assert_allclose(honest, minimum, atol=1e-9)
        assert truth @ losses(classes, np.tile(forecast, (3, 1))) >= honest - 1e-9


def test_what_was_held_to_be_impossible_costs_without_limit():
    assert informational_loss([0, 1], [0.0, 0.0]) == np.inf
    assert quadratic_loss([0, 1], [1.0, 0.0]) == 2


def test_a_class_that_does_not_occur():
    assert quadratic_loss([1, 1], [1.0, 1.0]) == 0
    assert quadratic_loss(["a"], [[0.0, 1.0]], labels=["b", "a"]) == 0


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: quadratic_loss([0, 1], [0.5, 1.5]), "between 0 and 1"),
        (lambda: quadratic_loss([0, 1], [[0.5, 0.1], [0.5, 0.5]]), "sum to 1"),
        (
            lambda: quadratic_loss(TRUTH, PROBA[:, :2]),
            r"proba has shape \(4, 2\), but 4 rows of 3 classes",
        ),
        (lambda: quadratic_loss(TRUTH, PROBA, labels=["a", "b", "d"]), "class c has no column"),
        (lambda: informational_loss([0, 1], [0.5, np.nan]), "NaN"),
    ],
)
def test_refusals_are_sentences(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
