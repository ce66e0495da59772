"""Logistic regression against R and published tables."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from dmlib.classification import LogisticRegression, binomial_rows
from tests.classification.logistic_regression.data import (
    BANKS,
    FREE,
    PIMA,
    TELEPHONE,
    all_coef,
    pima,
)

pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning"
)  # many runs are cut short


def test_r_glm():
    X, y = pima()
    model = LogisticRegression(C=np.inf).fit(X, y)
    for result, expected in (
        (all_coef(model), PIMA["coef"]),
        (model.standard_errors_, PIMA["se"]),
        (model.z_values_, PIMA["z"]),
        (model.p_values_, PIMA["p_two_sided_normal"]),
        (model.covariance_, PIMA["vcov"]),
        (model.deviance_, PIMA["deviance"]),
        (model.null_deviance_, PIMA["null_deviance"]),
        (model.log_likelihood_, PIMA["loglik"]),
        (model.predict_proba(X[:5])[:, 1], PIMA["fitted_first5"]),
    ):
        assert_allclose(result, expected, rtol=2e-9)
    assert model.converged_
    assert model.separation_ == "none"
    table = [[int(((y == a) & (model.predict(X) == b)).sum()) for b in (0, 1)] for a in (0, 1)]
    assert table == PIMA["training_confusion_rows_truth_cut_05"]


def test_newton_takes_the_steps_of_r():
    steps = list(FREE.steps(*pima()))
    newton_steps = [step for step in steps if step.phase in ("start", "newton")]
    n = len(PIMA["coef_newton_from_zero_first_6"])
    assert_allclose(
        [step.coef[0] for step in newton_steps[:n]],
        PIMA["coef_newton_from_zero_first_6"][: len(newton_steps)],
        rtol=2e-9,
    )
    assert_allclose(
        [-2 * s.log_likelihood for s in newton_steps],
        PIMA["deviance_newton_from_zero"][: len(newton_steps)],
        rtol=2e-9,
    )


def test_banks():
    rows = np.array(BANKS["rows"])
    model = LogisticRegression(C=np.inf).fit(rows[:, [1]], rows[:, 0])
    assert_allclose(all_coef(model), BANKS["coef"], rtol=1e-8)
    assert_allclose(model.standard_errors_, BANKS["standard_error"], rtol=1e-8)
    assert_allclose(model.log_likelihood_, BANKS["log_likelihood"])
    model.fit(rows[:, [2]], rows[:, 0])
    assert_allclose(all_coef(model), [-9.587, 94.345], rtol=1e-4)


def test_grouped_data():
    rows = np.array(TELEPHONE["rows"], float)
    model = LogisticRegression(C=np.inf).fit(*binomial_rows(rows[:, :3], rows[:, 4], rows[:, 3]))
    assert_allclose(all_coef(model), TELEPHONE["coef"])
    assert_allclose(model.standard_errors_, TELEPHONE["standard_error"])
    assert_allclose(model.odds_ratios_, TELEPHONE["odds"])
    assert_allclose(model.odds_ratio_intervals_, TELEPHONE["odds_95"])
    assert_allclose(
        model.predict_proba(rows[:, :3])[:, 1] * rows[:, 3], TELEPHONE["fitted_adopters"]
    )


def test_counts_are_rows_repeated():
    X, won, tried = np.array([[0.0], [1.0], [2.0]]), [1, 3, 4], [4, 5, 6]
    repeated = np.repeat(np.vstack([X, X]), [1, 3, 4, 3, 2, 2], axis=0), np.repeat([1, 0], [8, 7])
    binomial, of_rows = (
        LogisticRegression(C=2).fit(*binomial_rows(X, won, tried)),
        LogisticRegression(C=2).fit(*repeated),
    )
    assert_allclose(all_coef(binomial), all_coef(of_rows))


def test_counts_in_the_last_column():
    rows = np.array(TELEPHONE["rows"], float)
    X, y, counts = binomial_rows(rows[:, :3], rows[:, 4], rows[:, 3])
    grouped = np.column_stack([X, counts])
    model = LogisticRegression(C=np.inf, grouped=True).fit(grouped, y)
    assert_allclose(all_coef(model), TELEPHONE["coef"])
    assert_allclose(model.standard_errors_, TELEPHONE["standard_error"])
    assert_allclose(
        model.predict_proba(grouped[:8])[:, 1] * rows[:, 3], TELEPHONE["fitted_adopters"]
    )
    *_, last = LogisticRegression(C=np.inf, grouped=True).steps(grouped, y)
    assert_allclose(last.coef[0], TELEPHONE["coef"])


@pytest.mark.parametrize("X", [[[1.0, -1.0], [2.0, 1.0]], [[1.0], [2.0]]])
def test_counts_must_be_there_and_not_negative(X):
    with pytest.raises(ValueError, match="a number from 0"):
        LogisticRegression(grouped=True).fit(X, [0, 1])


@pytest.mark.parametrize(("won", "tried"), [([3], [2]), ([-1], [2]), ([1, 1], [2, 2])])
def test_counts_that_cannot_be(won, tried):
    with pytest.raises(ValueError, match="number of successes from 0 to the trials"):
        binomial_rows([[0.0]], won, tried)


def test_a_table_of_two_by_two():
    # odds 1 / 3 and 3 / 1: the odds ratio is 9, and the variance of its logarithm the sum of the
    # reciprocal counts
    model = LogisticRegression(C=np.inf, tol=1e-8).fit(
        *binomial_rows([[0], [1]], [10, 30], [40, 40])
    )
    assert_allclose(model.odds_ratios_, [1 / 3, 9])
    assert_allclose(model.standard_errors_[1], np.sqrt(1 / 10 + 1 / 30 + 1 / 30 + 1 / 10))
    low, high = np.log(9) + np.array([-1, 1]) * 1.959963984540054 * model.standard_errors_[1]
    assert_allclose(model.confidence_intervals_[1], [low, high])
    assert_allclose(model.odds_ratio_intervals_[1], np.exp([low, high]))
