"""Several targets: by scikit-learn, by the formula, by each alone, by hand, and on the page."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose
from sklearn import linear_model

from dmlib.datasets import load
from dmlib.pictures.marks import Points
from dmlib.pictures.run import Run
from dmlib.problem import prepare
from dmlib.regression import LeastAbsoluteDeviations, LinearRegression, TargetsStep
from dmlib.regression.linear_regression.scene import linear_regression_scene
from tests.contract.test_lessons import section, text_of
from tests.pictures.examples import at, marks, tables
from tests.visit import open_preset, sound, technique, visit, watched_runs, widgets

X = np.array([[1.0], [2.0], [3.0], [6.0]])
Y = np.array([[2.0, 5.0], [3.0, 2.0], [7.0, 3.0], [8.0, 6.0]])


def random_rows(seed, n=30, p=3, m=3):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, p))
    return rows, rows @ rng.normal(size=(p, m)) + rng.normal(size=(n, m))


@pytest.mark.parametrize("solver", ["normal", "svd", "gd"])
@pytest.mark.parametrize("intercept", [True, False])
def test_scikit_learn_finds_the_same(solver, intercept):
    rows, targets = random_rows(0)
    ours = LinearRegression(solver=solver, fit_intercept=intercept, tol=1e-12, max_iter=5000)
    ours.fit(rows, targets)
    theirs = linear_model.LinearRegression(fit_intercept=intercept).fit(rows, targets)
    assert ours.coef_.shape == (3, 3)
    assert_allclose(ours.coef_, theirs.coef_, atol=1e-8)
    assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-8)
    assert_allclose(ours.predict(rows), theirs.predict(rows), atol=1e-8)
    assert ours.score(rows, targets) == pytest.approx(theirs.score(rows, targets))


def test_weights_are_those_of_scikit_learn():
    rows, targets = random_rows(1)
    weights = np.random.default_rng(2).uniform(0.5, 3, len(rows))
    ours = LinearRegression(weight_column=4).fit(np.column_stack([rows, weights]), targets)
    theirs = linear_model.LinearRegression().fit(rows, targets, sample_weight=weights)
    assert_allclose(ours.coef_, theirs.coef_)
    assert_allclose(ours.intercept_, theirs.intercept_)


@given(arrays(float, (9, 5), elements=st.integers(-5, 5).map(float)))
@settings(max_examples=40, deadline=None)
def test_each_target_is_as_alone(table):
    rows, targets = table[:, :2], table[:, 2:]
    together = LinearRegression().fit(rows, targets)
    for j, target in enumerate(targets.T):
        alone = LinearRegression().fit(rows, target)
        assert_allclose(together.coef_[j], alone.coef_)
        assert together.intercept_[j] == pytest.approx(alone.intercept_)
        assert together.sse_[j] == pytest.approx(alone.sse_)
        assert_allclose(together.r2_[j], alone.r2_)
        assert_allclose(together.standard_errors_[j], alone.standard_errors_)
        assert_allclose(together.p_values_[j], alone.p_values_)
        assert_allclose(together.f_[j], alone.f_)
        assert_allclose(together.adjusted_r2_[j], alone.adjusted_r2_)


@pytest.mark.parametrize("seed", range(4))
def test_the_formula_and_the_residual_covariance(seed):
    rows, targets = random_rows(seed)
    model = LinearRegression().fit(rows, targets)
    A = np.column_stack([np.ones(len(rows)), rows])
    B = np.linalg.inv(A.T @ A) @ A.T @ targets
    assert_allclose(np.vstack([model.intercept_, model.coef_.T]), B)
    E = targets - A @ B
    assert_allclose(model.residual_covariance_, E.T @ E / (len(rows) - 4))
    assert_allclose(model.leverage(rows), np.diag(A @ np.linalg.inv(A.T @ A) @ A.T))
    sigmas = [inference.sigma for inference in model.inferences_]
    assert_allclose(np.sqrt(np.diag(model.residual_covariance_)), sigmas)


def test_steps_are_those_of_each_target():
    rows, targets = random_rows(3)
    for solver in ("normal", "svd"):
        joint = list(LinearRegression(solver=solver).steps(rows, targets))
        assert all(isinstance(step, TargetsStep) for step in joint)
        for j, target in enumerate(targets.T):
            alone = list(LinearRegression(solver=solver).steps(rows, target))
            assert [step.phase for step in joint] == [step.phase for step in alone]
            for step, part in zip(joint, alone, strict=True):
                assert_allclose(step.coef[j], part.coef)
                assert step.sse[j] == pytest.approx(part.sse)


def test_a_descent_that_has_ended_waits_for_the_others():
    rows, targets = random_rows(4, m=2)
    targets[:, 0] = 0.0
    *_, last = steps = list(LinearRegression(solver="gd").steps(rows, targets))
    assert {step.phase for step in steps[1:-1]} == {"gradient"}
    assert steps[3].parts[0].phase == "done"
    assert last.converged
    assert (last.coef[0] == 0).all()


def test_one_column_is_one_target_and_limits_are_of_one():
    rows, targets = random_rows(5)
    single = LinearRegression().fit(rows, targets[:, 0])
    with pytest.warns(UserWarning, match="column-vector"):
        column = LinearRegression().fit(rows, targets[:, :1])
    assert column.coef_.tolist() == single.coef_.tolist()
    assert_allclose(single.residual_covariance_, [[single.inference_.sigma**2]])
    with pytest.raises(ValueError, match="its column alone"):
        LinearRegression().fit(rows, targets).intervals(rows)
    with pytest.raises(ValueError, match="1d array"):
        LeastAbsoluteDeviations().fit(rows, targets)
    few = LinearRegression().fit(rows[:3], targets[:3])
    assert few.inferences_ == ()
    assert np.isnan(few.residual_covariance_).all()
    assert few.standard_errors_.shape == (3, 4)


def test_nominal_columns_and_names_of_targets():
    table = load("wages").frame
    targets = table[["wage", "experience"]]
    model = LinearRegression().fit(table[["education", "gender"]], targets)
    assert model.bases_ == {"gender": "female"}
    alone = LinearRegression().fit(table[["education", "gender"]], table["experience"])
    assert_allclose(model.coef_[1], alone.coef_)
    with pytest.raises(ValueError, match="names such as 'female'"):
        LinearRegression().fit(table[["education"]], table[["wage", "gender"]])


def test_by_hand():
    model = LinearRegression().fit(X, Y)
    text = section(text_of("linear_regression"), "By hand")
    assert_allclose(model.coef_[:, 0], [17 / 14, 6 / 14])
    (_, b), (_, c) = model.residual_covariance_
    for value in (model.coef_[1, 0], model.intercept_[1], model.sse_[1], 2 * b, b, c):
        assert f"**{value:.3f}**".replace("-", "−") in text
    correlation = b / np.sqrt(model.residual_covariance_[0, 0] * c)
    assert f"= **{correlation:.3f}**".replace("-", "−") in text
    assert f"5/√(26 · 10) = **{np.corrcoef(Y.T)[0, 1]:.3f}**" in text


# --- on the page ----------------------------------------------------------------------------------


def run_with(second, **params):
    frame = pd.DataFrame({"x": X[:, 0], "y": Y[:, 0], "z": Y[:, 1], "name": list("abcd")})
    data = prepare(frame, ["x"], target="y", numeric_target=True)
    number = [*frame].index(second) + 1
    return replace(Run.of(data, LinearRegression(**params)), options={"second": number})


def test_the_second_target_stands_in_the_ledger_and_beside_the_picture():
    scene = linear_regression_scene(run_with("z"))
    by_phase = {frame.phase: tables(frame) for frame in scene.frames}
    assert by_phase["matrix"]["X'Y: a column for each target"].rows == [("x", 17, 6)]
    rows = by_phase["done"]["B: a column for each target"].rows
    assert rows[0][1:] == pytest.approx((1.3571, 2.7143), abs=1e-4)
    assert rows[1][1:] == pytest.approx((1.2143, 0.42857), abs=1e-4)
    covariance = by_phase["done"]["Residual covariance E'E / df"].rows
    assert covariance[0][1:] == pytest.approx((2.6786, -1.1429), abs=1e-4)
    formulas = [block.text for block in scene.frames[-1].ledger if hasattr(block, "text")]
    assert formulas[0].endswith("= −0.362329")
    assert formulas[1] == "correlation of the targets: 0.310087"
    (dots,) = marks(scene, Points, panel="beside")
    assert_allclose(np.column_stack([at(dots.x, 0), at(dots.y, 0)]), Y - Y.mean(axis=0), atol=1e-6)
    residuals = Y - LinearRegression().fit(X, Y).predict(X)
    last = len(scene.frames) - 1
    assert_allclose(np.column_stack([at(dots.x, last), at(dots.y, last)]), residuals, atol=1e-6)


@pytest.mark.parametrize("second", ["x", "y", "name"])
def test_what_is_no_second_target_changes_nothing(second):
    scene = linear_regression_scene(run_with(second))
    plain = linear_regression_scene(replace(run_with("z"), options={}))
    assert [frame.ledger for frame in scene.frames] == [frame.ledger for frame in plain.frames]


def test_singular_values_come_one_by_one_for_both():
    frame = pd.DataFrame(random_rows(6, p=2, m=2)[0], columns=["u", "v"])
    frame[["y", "z"]] = random_rows(6, p=2, m=2)[1]
    data = prepare(frame, ["u", "v"], target="y", numeric_target=True)
    run = replace(Run.of(data, LinearRegression(solver="svd")), options={"second": 4})
    scene = linear_regression_scene(run)
    U, s, Vt = np.linalg.svd(frame[["u", "v"]] - frame[["u", "v"]].mean(), full_matrices=False)
    first = next(frame for frame in scene.frames if frame.phase == "component")
    rows = tables(first)["B: a column for each target"].rows
    for j, name in enumerate(("y", "z")):
        assert_allclose(
            [row[1 + j] for row in rows[1:]], Vt[0] * (U[:, 0] @ frame[name]) / s[0], atol=1e-4
        )


def test_a_descent_has_both_at_each_step():
    scene = linear_regression_scene(run_with("z", solver="gd", learning_rate=0.05, max_iter=4))
    A, B = np.column_stack([np.ones(4), X]), np.zeros((2, 2))
    (dots,) = marks(scene, Points, panel="beside")
    for i, frame in enumerate(scene.frames[:5]):
        rows = tables(frame)["B: a column for each target"].rows
        assert_allclose([row[1:] for row in rows], B, atol=1e-4)
        assert_allclose(np.column_stack([at(dots.x, i), at(dots.y, i)]), Y - A @ B, atol=1e-5)
        B = B + 0.05 * A.T @ (Y - A @ B) / 4
    end = tables(scene.frames[-1])
    assert end["B: a column for each target"].rows == rows  # not least squares, which it is far of
    assert "Residual covariance E'E / df" not in end


def test_a_descent_that_ends_has_what_residuals_share():
    scene = linear_regression_scene(run_with("z", solver="gd", learning_rate=0.1))
    end = tables(scene.frames[-1])
    rows = end["Residual covariance E'E / df"].rows
    assert rows[0][1:] == pytest.approx((2.6786, -1.1429), abs=1e-3)


def test_a_second_target_with_missing_values_says_so():
    frame = pd.DataFrame({"x": X[:, 0], "y": Y[:, 0], "z": [5.0, np.nan, 3.0, np.nan]})
    data = prepare(frame, ["x"], target="y", numeric_target=True)
    run = replace(Run.of(data, LinearRegression()), options={"second": 3})
    sentence = (
        "z is no second target: it is missing in 2 training rows, and both targets need the same."
    )
    scene = linear_regression_scene(run)
    assert sentence in scene.notes
    assert "B: a column for each target" not in tables(scene.frames[-1])


def test_two_targets_one_matrix():
    run, scene, look_for = open_preset("linear_regression", "Two targets, one matrix")
    table = load("mtcars").frame
    model = LinearRegression().fit(run.problem.X, table[["mpg", "hp"]])
    slopes = [f"{slope:.4g}".replace("-", "−") for slope in model.coef_[:, 0]]
    assert f"slopes are {slopes[0]} and {slopes[1]}" in look_for
    (a, b), (_, c) = model.residual_covariance_
    assert f"is {b / np.sqrt(a * c):.3f}".replace("-", "−") in look_for
    before = np.corrcoef(table[["mpg", "hp"]].T)[0, 1]
    assert f"targets {before:.4f}".replace("-", "−") in look_for
    assert scene["panels"][-1]["title"] == "Residuals of both targets"
    assert scene["panels"][-1]["y"]["label"] == "residual hp"


def test_the_control_offers_what_is_not_used():
    page = technique("linear_regression")
    link = {"data": "mtcars", "mtcars.features": ["wt"]}
    assert "linear_regression.second" in widgets(sound(visit("linear_regression", **link)))
    method = {"linear_regression.method": "Least mean squares"}
    assert "linear_regression.second" not in widgets(visit("linear_regression", **link, **method))
    with watched_runs() as runs:
        sound(visit("linear_regression", source="draw"))
    assert runs[-1].problem.unused_column("x") is None
    assert page.slug == "linear_regression"
