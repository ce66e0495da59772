"""The page of linear regression: presets show what they say, and points can be dragged."""

import warnings as python_warnings
from functools import partial

import numpy as np
import pytest
from sklearn.base import clone

from dmlib.datasets import decode_points, encode_points, load
from dmlib.regression import LeastAbsoluteDeviations, LeastMeanSquares, LinearRegression, influence
from tests.gestures import move
from tests.visit import open_preset, sound, stage, technique, visit, watched_runs, widgets

SLUG = "linear_regression"
PRESETS = {preset.title: preset for preset in technique(SLUG).presets}

open_slug = partial(open_preset, SLUG)


def test_drag_a_point():
    run, scene, look_for = open_slug("Drag a point")
    points = decode_points(PRESETS["Drag a point"].settings["points"])
    assert len(scene["edit"]["points"]) == len(points) == 12
    assert len(scene["edit"]["classes"]) == 1  # a height has no class

    def slope(row, height):
        y = points[:, 1].copy()
        y[row] = height
        return LinearRegression().fit(points[:, :1], y).coef_[0]

    assert run.fitted.coef_[0] == pytest.approx(0.84, abs=5e-3)
    assert slope(points[:, 0].argmax(), 1) == pytest.approx(0.39, abs=5e-3)
    middle = np.abs(points[:, 0] - points[:, 0].mean()).argmin()
    assert slope(middle, 10) < 0.92
    assert slope(5, 10) == pytest.approx(0.80, abs=5e-3)
    assert "from 0.84 to 0.39" in look_for
    assert "0.80" in look_for


def test_a_dragged_point_moves_the_line():
    settings = PRESETS["Drag a point"].settings
    points = decode_points(settings["points"])
    points[-1, 1] = 1
    message = {"base": "points", "rev": 1, "points": points.tolist()}
    link = move(message, technique(SLUG))
    assert link["points"] == [encode_points(points)]
    with watched_runs() as runs:
        sound(visit(SLUG, source="draw", **link))
    assert runs[-1].fitted.coef_[0] == pytest.approx(
        LinearRegression().fit(points[:, :1], points[:, 1]).coef_[0]
    )


def test_by_hand():
    run, scene, look_for = open_slug("Four points by hand")
    assert run.fitted.coef_[0] == pytest.approx(17 / 14)
    assert "17/14 = 1.214" in look_for
    assert scene["frames"][-1]["caption"].endswith("with p = 0.109.")


@pytest.mark.parametrize("number", "123")
def test_anscombe(number):
    column = {"anscombe.response": f"y{number}", "anscombe.features": [f"x{number}"]}
    run, _, look_for = open_slug("Anscombe: same line, other points", **column)
    model = run.fitted
    line = f"Intercept {model.intercept_:.2f}, slope {model.coef_[0]:.2f}, R² = {model.r2_:.2f}"
    assert line in look_for


def test_one_row_decides():
    run, scene, look_for = open_slug("One row decides alone")
    rows = influence(run.fitted, run.problem.X, run.problem.y)
    assert rows.leverage.argmax() == 7
    assert rows.leverage[7] == pytest.approx(1)
    assert scene["selected"] == 7
    assert f"R² is {run.fitted.r2_:.2f}" in look_for
    assert len(set(np.delete(run.problem.X[:, 0], 7))) == 1


def test_extrapolation():
    run, scene, look_for = open_slug("Extrapolation")
    low, high = run.fitted.intervals([[9.0]], observation=True)[0]
    truth = 8 * (1 - np.exp(-9 / 3))
    x, y = run.problem.X[:, 0], run.problem.y
    np.testing.assert_allclose(y, 8 * (1 - np.exp(-x / 3)), atol=2e-3)
    assert x.max() <= 4
    assert f"{low:.1f} to {high:.1f}" in look_for
    assert f"at {truth:.1f} there" in look_for
    assert f"R² = {run.fitted.r2_:.2f}" in look_for
    assert truth < low
    assert scene["panels"][0]["x"]["high"] == 10


def test_correlation_is_not_causation():
    run, _, look_for = open_slug("Correlation is not causation")
    with_species, _, _ = open_slug(
        "Correlation is not causation", **{"penguins.features": ["bill_depth_mm", "species"]}
    )
    assert f"{run.fitted.coef_[0]:.1f}".replace("-", "−") in look_for
    assert f"+{with_species.fitted.coef_[0]:.1f}" in look_for


def test_contrasts():
    run, scene, look_for = open_slug("Nominal columns as contrasts")
    coef = dict(zip(run.fitted.term_names(run.problem.features), run.fitted.coef_, strict=True))
    assert f"${coef['gender = male']:.2f}" in look_for
    assert run.fitted.bases_ == {"gender": "female", "union": "no"}
    assert scene["panels"][0]["x"]["label"] == "gender"


def test_columns_that_say_the_same():
    run, _, look_for = open_slug("Columns that say the same")
    inference = run.fitted.inference_
    gnp = run.problem.features.index("gnp")
    assert f"R² = {run.fitted.r2_:.3f}" in look_for
    assert f"p of gnp is {inference.p[gnp + 1]:.2f}" in look_for
    assert f"factor is {inference.vif[gnp]:.0f}" in look_for


def test_singular_values():
    run, _, look_for = open_slug("One singular value at a time")
    start, *components, _ = run.trace.steps
    sse = [step.sse for step in components]
    assert f"from {start.sse:.0f} to {sse[0]:.1f}, {sse[1]:.1f} and {sse[2]:.1f}" in look_for
    moves = [
        np.abs(b.coef - a.coef).max() for a, b in zip(run.trace.steps, components, strict=False)
    ]
    assert np.argmax(moves) == 2
    assert f"{components[0].singular[2]:.4g}" in look_for


def test_divergence():
    run, scene, look_for = open_slug("Gradient descent diverges")
    assert "2/λmax = 0.1639" in scene["frames"][-1]["caption"]
    assert "2/λmax = 0.1639" in look_for
    frame = load("mtcars").frame
    X, y = frame[["wt"]].to_numpy(float), frame["mpg"]
    with python_warnings.catch_warnings():
        python_warnings.simplefilter("error")
        assert (
            f"{clone(run.model).set_params(learning_rate=0.16).fit(X, y).n_iter_} iterations"
            in look_for
        )
        scaled = (
            clone(run.model).set_params(learning_rate=1.0).fit((X - X.mean()) / X.std(ddof=1), y)
        )
    assert look_for.endswith(f"rate 1, {scaled.n_iter_}.")


def test_funnel():
    run, _, look_for = open_slug("A funnel")
    x, y = run.problem.X, run.problem.y
    residuals = influence(run.fitted, x, y).residuals
    for part in (residuals[x[:, 0] < 5], residuals[x[:, 0] >= 5]):
        assert f"{part.std():.2f}" in look_for


def test_the_column_that_is_shown_can_be_chosen():
    link = {"data": "mtcars", "mtcars.features": ["wt", "hp"]}
    page = sound(visit(SLUG, **link))
    assert f"{SLUG}.column" in widgets(page)
    assert stage(page)["panels"][0]["x"]["label"] == "fitted mpg"
    page = sound(visit(SLUG, **link, **{f"{SLUG}.column": "2"}))
    assert stage(page)["panels"][0]["x"]["label"] == "hp"
    assert f"{SLUG}.column" not in widgets(visit(SLUG))


def test_scaling_changes_the_coefficients_and_not_the_fit():
    link = {"data": "mtcars", "mtcars.features": ["wt", "hp"]}
    with watched_runs() as runs:
        sound(visit(SLUG, **link))
        sound(visit(SLUG, scaling="z-score", **link))
    plain, scaled = (run.fitted for run in runs)
    assert scaled.r2_ == pytest.approx(plain.r2_)
    spread = load("mtcars").frame[["wt", "hp"]].std().to_numpy()
    assert scaled.coef_ == pytest.approx(plain.coef_ * spread)


def test_headline_numbers():
    results = {result["label"]: result["text"] for result in stage(visit(SLUG))["results"][-1]}
    assert results == {"Training RMSE": "2.95", "Training MAE": "2.34", "R²": "0.753"}


def test_one_outlier_two_criteria():
    run, _, look_for = open_slug("One outlier, two criteria")
    squares = LinearRegression().fit(run.problem.X, run.problem.y)
    residuals = np.abs(run.problem.y - squares.predict(run.problem.X))
    assert (
        f"Σ|e| = {run.fitted.sae_:.4g}, that of least squares is {residuals.sum():.4g}" in look_for
    )
    assert f"RMSE is {squares.rmse_:.3g} there and {run.fitted.rmse_:.3g} at the right" in look_for
    off_line = np.abs(run.problem.y - run.fitted.predict(run.problem.X)) > 0.05
    assert np.flatnonzero(off_line).tolist() == [residuals.argmax()]


def test_an_outlier_in_x():
    run, _, look_for = open_slug("An outlier in x")
    x, y = run.problem.X, run.problem.y
    assert set(run.fitted.support_) == {3, 8}
    weights = np.abs(x[:, 0] - x[3, 0])
    assert f"is {weights[8]:.1f}, that of all others together {weights[:8].sum():.1f}" in look_for
    moved = np.vstack([x[:8], [[3.0]]])
    slope = LeastAbsoluteDeviations().fit(moved, np.append(y[:8], 1.0)).coef_[0]
    without = LeastAbsoluteDeviations().fit(x[:8], y[:8]).coef_[0]
    assert slope == pytest.approx(without)
    assert f"the slope would be {slope:.4g}" in look_for
    lower = LeastAbsoluteDeviations().fit(x, np.append(y[:8], 0.5))
    assert 8 in lower.support_


def test_four_rows_by_the_lms_rule():
    run, scene, look_for = open_slug("Four rows by the LMS rule")
    steps = run.trace.steps[1:-1]
    errors = [f"{step.error:.4g}" for step in steps]
    assert f"has the error {errors[0]}" in look_for
    assert f"are {errors[1]}, {errors[2]} and {errors[3]}" in look_for
    slopes = [f"{step.coef[0]:.4g}" for step in steps]
    assert f"the slope {slopes[1]}, {slopes[2]} and {slopes[3]}" in look_for
    assert scene["frames"][-2]["caption"].endswith("its correction leaves −0.8148 of it.")


def test_lms_follows_what_drifts():
    run, _, look_for = open_slug("LMS follows what drifts")
    model = LinearRegression().fit(run.problem.X, run.problem.y)
    squares = (run.problem.y - model.predict(run.problem.X))[-25:] ** 2
    assert f"has the slope {model.coef_[0]:.3g}" in look_for
    recent = run.trace.steps[-1].recent
    assert f"squared error is {recent:.4g}, that of least squares {squares.mean():.3g}" in look_for
    slow, _, _ = open_slug("LMS follows what drifts", **{f"{SLUG}.learning_rate": "0.01"})
    assert f"it lags behind ({slow.trace.steps[-1].recent:.4g})" in look_for
    assert run.problem.features == ("x",)


def test_the_column_of_the_true_slope_is_not_offered_at_first():
    with watched_runs() as runs:
        sound(visit(SLUG, source="generator", generator="drift"))
    assert runs[-1].problem.features == ("x",)


def test_lms_around_least_squares():
    run, _, look_for = open_slug("LMS around least squares")
    model = LinearRegression().fit(run.problem.X, run.problem.y)
    assert f"RMSE {run.fitted.rmse_:.4g}, that of least squares is {model.rmse_:.4g}" in look_for
    left = clone(run.model).set_params(learning_rate=0.2).fit(run.problem.X, run.problem.y)
    assert f"RMSE {left.rmse_:.2g}." in look_for
    assert {step.phase for step in run.trace.steps} == {"start", "correct", "pass", "done"}


def test_the_lms_rule_diverges():
    run, _, look_for = open_slug("The LMS rule diverges")
    last = run.trace.steps[-1]
    assert not last.converged
    assert (
        f"2/max‖x‖² = {last.safe_step:.4g} and above 2/λmax = {last.largest_step:.4g}" in look_for
    )
    scaled = (run.problem.X - run.problem.X.mean()) / run.problem.X.std(ddof=1)
    assert LeastMeanSquares(learning_rate=0.2).fit(scaled, run.problem.y).converged_
