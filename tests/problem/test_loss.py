"""The loss of a model with two coefficients: its derivatives, its minimum, and what is refused."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime
from sklearn.linear_model import LinearRegression, LogisticRegression

from dmlib.datasets import load
from dmlib.problem import prepare_loss, prepare_surface

PLACES = np.random.default_rng(0).uniform(-2, 2, (10, 2))


def loss_of(name):
    data = load(name)
    return prepare_loss(data.rows, data.loss, data.domain, name=name)


@pytest.mark.parametrize("name", ["geyser_line", "geyser_line_standardised", "heart_logistic"])
def test_derivatives_are_those_of_differences(name):
    surface = loss_of(name)
    for place in PLACES:
        assert_allclose(
            surface.gradient(place), approx_fprime(place, surface.value, 1e-7), rtol=1e-4, atol=1e-4
        )
        columns = approx_fprime(place, surface.gradient, 1e-7)
        assert_allclose(surface.hessian(place), columns, rtol=1e-4, atol=1e-4)


def test_the_minimum_of_the_squared_loss_is_least_squares():
    surface = loss_of("geyser_line")
    best = LinearRegression().fit(surface.x[:, None], surface.y)
    place = np.append(best.intercept_, best.coef_)
    assert_allclose(surface.gradient(place), 0, atol=1e-9)
    assert surface.value(place) == pytest.approx(
        np.mean((best.predict(surface.x[:, None]) - surface.y) ** 2) / 2
    )


def test_the_minimum_of_the_log_loss_is_logistic_regression():
    surface = loss_of("heart_logistic")
    best = LogisticRegression(C=np.inf, tol=1e-10).fit(surface.x[:, None], surface.y)
    assert_allclose(surface.gradient(np.append(best.intercept_, best.coef_)), 0, atol=1e-6)


def test_the_gradient_of_all_batches_is_that_of_all_rows():
    surface = loss_of("heart_logistic")
    parts = np.array_split(np.random.default_rng(0).permutation(surface.n_rows), 3)
    mean = sum(len(part) * surface.gradient(PLACES, part) for part in parts) / surface.n_rows
    assert_allclose(mean, surface.gradient(PLACES))


def test_standardised_columns_make_a_round_bowl():
    assert_allclose(loss_of("geyser_line_standardised").hessian([0.3, -0.7]), np.eye(2), atol=1e-12)


def test_far_away_there_is_no_number_rather_than_infinity():
    assert np.isnan(loss_of("geyser_line").value([1e200, 0.0]))


@pytest.mark.parametrize(
    ("rows", "loss", "message"),
    [
        (np.empty((0, 2)), "squared", "needs rows"),
        ([[0.0, np.nan]], "squared", "needs rows"),
        ([[0.0, 2.0]], "logistic", "must be 0 or 1"),
        ([[0.0, 1.0]], "hinge", "squared, logistic"),
    ],
)
def test_what_is_refused(rows, loss, message):
    with pytest.raises(ValueError, match=message):
        prepare_loss(rows, loss, (-1, 1, -1, 1))


@pytest.mark.parametrize(
    "formula", ["(1 - x)^2 + 100*(y - x^2)^2", "exp(x)*sin(y) + x*y", "x^2 + y^2"]
)
def test_second_derivatives_of_a_formula(formula):
    surface = prepare_surface(formula)
    expected = [approx_fprime(place, surface.gradient, 1e-7) for place in PLACES]
    assert_allclose(surface.hessian(PLACES), expected, rtol=1e-4, atol=1e-3)
