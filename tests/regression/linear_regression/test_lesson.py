"""The numbers of the lesson on linear regression, computed again."""

import numpy as np
import pytest

from dmlib.regression import LinearRegression, influence
from tests.contract.test_lessons import section, text_of

X, Y = np.array([[1.0], [2.0], [3.0], [6.0]]), np.array([2.0, 3.0, 7.0, 8.0])
MODEL = LinearRegression().fit(X, Y)
ROWS = influence(MODEL, X, Y)


@pytest.fixture
def by_hand():
    return section(text_of("linear_regression"), "By hand")


def decimals(value):
    return f"{value:.3f}".replace("-", "−")


def test_table(by_hand):
    for name, values in (
        ("fitted", ROWS.fitted),
        ("residual", ROWS.residuals),
        ("leverage", ROWS.leverage),
    ):
        assert f"| {name} | {' | '.join(map(decimals, values))} |" in by_hand


def test_sums(by_hand):
    x, y = X[:, 0] - 3, Y - 5
    assert (x * x).tolist() == [4, 1, 0, 9]
    assert (x * y).tolist() == [6, 2, 0, 9]
    assert "4 + 1 + 0 + 9 = **14**" in by_hand
    assert "6 + 2 + 0 + 9 = **17**" in by_hand
    assert MODEL.coef_[0] == pytest.approx(17 / 14)
    assert f"17/14 = **{decimals(MODEL.coef_[0])}**" in by_hand
    assert f"3 · 1.214 = **{decimals(MODEL.intercept_)}**" in by_hand


def test_squares_and_tests(by_hand):
    inference = MODEL.inference_
    assert f"{' + '.join(map(decimals, ROWS.residuals**2))} = **{decimals(MODEL.sse_)}**" in by_hand
    assert f"R² = **{decimals(MODEL.r2_)}**" in by_hand
    assert f"s² = 5.357/2 = {decimals(inference.sigma**2)}" in by_hand
    error, t, p = (part[1] for part in (inference.standard_errors, inference.t, inference.p))
    assert f"= **{decimals(error)}**, t = **{decimals(t)}**, F = t² = " in by_hand
    assert f"F = t² = **{decimals(inference.f)}**, p = **{decimals(p)}**" in by_hand
    low, high = inference.limits[1]
    assert f"{decimals(low)} to {decimals(high)}" in by_hand


def test_answers():
    doubled = LinearRegression().fit(X, 2 * Y)
    assert doubled.coef_ == pytest.approx(2 * MODEL.coef_)
    assert doubled.standard_errors_ == pytest.approx(2 * MODEL.standard_errors_)
    assert doubled.t_values_ == pytest.approx(MODEL.t_values_)
    raised = LinearRegression().fit(X, np.append(Y[:3], Y[3] + 1))
    assert raised.predict(X)[3] - MODEL.predict(X)[3] == pytest.approx(0.893, abs=5e-4)
    assert ROWS.leverage.argmax() == 3


@pytest.mark.parametrize("seed", range(6))
def test_adjusted_r2_falls_exactly_if_t_is_below_1(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(30, 2)), rng.normal(size=30)
    smaller, larger = LinearRegression().fit(x[:, :1], y), LinearRegression().fit(x, y)
    assert larger.r2_ >= smaller.r2_
    assert (larger.adjusted_r2_ < smaller.adjusted_r2_) == (abs(larger.t_values_[2]) < 1)
