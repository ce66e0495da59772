"""The figures of linear regression say what the fit says."""

import numpy as np
import pytest
from scipy import stats

from dmlib.datasets import load
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.regression import LinearRegression, influence
from dmlib.regression.linear_regression.figures.added_variables import (
    added_variables,
    added_variables_data,
)
from dmlib.regression.linear_regression.figures.coefficients import coefficient_rows, coefficients
from dmlib.regression.linear_regression.figures.residuals import (
    leverage_plot,
    normal_quantiles,
    quantiles,
    residuals_against_fitted,
)

FRAME = load("mtcars").frame
PROBLEM = prepare(FRAME, ["wt", "hp", "qsec"], target="mpg", numeric_target=True)
MODEL = LinearRegression().fit(PROBLEM.X, PROBLEM.y)
ROWS = influence(MODEL, PROBLEM.X, PROBLEM.y)


@pytest.fixture
def run():
    return Run.of(PROBLEM, LinearRegression())


def test_residuals(run):
    points = residuals_against_fitted(run).data[0]
    np.testing.assert_allclose(points.x, ROWS.fitted)
    np.testing.assert_allclose(points.y, ROWS.residuals)
    assert points.customdata.tolist() == list(range(1, 33))


def test_quantiles_are_blom_s():
    expected, _ = quantiles(ROWS.standardised)
    np.testing.assert_allclose(expected, stats.norm.ppf((np.arange(1, 33) - 0.375) / 32.25))


def test_normal_quantiles(run):
    points = normal_quantiles(run).data[0]
    np.testing.assert_allclose(points.y, np.sort(ROWS.standardised))
    assert points.customdata.tolist() == (np.argsort(ROWS.standardised) + 1).tolist()


def test_lines_of_equal_cooks_distance(run):
    figure = leverage_plot(run)
    points, *lines = figure.data
    np.testing.assert_allclose(points.x, ROWS.leverage)
    worst = int(ROWS.cooks_distance.argmax())
    assert f"row {worst + 1}: Cook's" in figure.layout.title.text.replace("<br>", " ")
    for line, distance in zip(lines, (0.5, 0.5, 1, 1), strict=True):
        h, r = np.asarray(line.x), np.asarray(line.y)
        finite = ~np.isnan(r)
        np.testing.assert_allclose((r**2 * h / (1 - h) / 4)[finite], distance)


def test_added_variables_have_the_slopes_of_the_model(run):
    data = MODEL.least_squares(PROBLEM.X, PROBLEM.y)
    parts = added_variables_data(data, ["wt", "hp", "qsec"])
    np.testing.assert_allclose([part.slope for part in parts], MODEL.coef_)
    for part in parts:
        np.testing.assert_allclose(part.y - part.slope * part.x, ROWS.residuals, atol=1e-10)
    assert len(added_variables(run).data) == 6


def test_coefficients(run):
    scatter, table = coefficients(run).data
    np.testing.assert_allclose(scatter.x, MODEL.t_values_[1:])
    half = stats.t.ppf(0.975, 28)
    np.testing.assert_allclose(scatter.error_x.array, half)
    assert list(table.cells["values"][0]) == ["intercept", "wt", "hp", "qsec"]
    assert coefficient_rows(MODEL, ["wt", "hp", "qsec"])[2][5] == "4.922"


@pytest.mark.parametrize(
    "figure", [coefficients, residuals_against_fitted, normal_quantiles, leverage_plot]
)
def test_without_inference_a_sentence(figure):
    run = Run.of(PROBLEM, LinearRegression(solver="gd", max_iter=2))
    with pytest.raises(ValueError, match="has not converged to least squares"):
        figure(run)


def test_a_row_that_decides_alone_is_left_out():
    problem = prepare(load("anscombe").frame, ["x4"], target="y4", numeric_target=True)
    run = Run.of(problem, LinearRegression())
    assert len(normal_quantiles(run).data[0].y) == 10
    assert leverage_plot(run).data[0].x[7] == pytest.approx(1)
