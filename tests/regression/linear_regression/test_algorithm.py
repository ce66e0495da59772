"""Linear regression against R, statsmodels and scikit-learn, by hand, and on degenerate data."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import linear_model
from sklearn.exceptions import ConvergenceWarning

from dmlib import large
from dmlib.datasets import load
from dmlib.regression import LinearRegression, influence

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "golden" / "linear_regression.json").read_text("utf-8")
)
SOLVERS = ("normal", "svd")


def random_problem(n=40, p=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * 10.0 ** rng.integers(-2, 3, p) + rng.normal(size=p)
    return X, X @ rng.normal(size=p) + rng.normal(size=n)


def agrees(ours, theirs, rtol=1e-8):
    np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=1e-9)


# --- other people's numbers -----------------------------------------------------------------------


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("number", "1234")
def test_anscombe(number, solver):
    data, expected = GOLDEN["anscombe"]["input"], GOLDEN["anscombe"]["expected"][number]
    x = np.array(data["x4" if number == "4" else "x123"], float)[:, None]
    model = LinearRegression(solver=solver).fit(x, data["y"][int(number) - 1])
    agrees(
        [model.intercept_, model.coef_[0], model.r2_],
        [expected["intercept"], expected["slope"], expected["r2"]],
    )
    for ours, theirs in (
        (model.standard_errors_, "se"),
        (model.t_values_, "t"),
        (model.p_values_, "p"),
    ):
        agrees(ours, expected[theirs])
    agrees(model.f_, expected["F"])


def r_case(name):
    case = GOLDEN[name]
    frame = load("anscombe" if name == "anscombe1" else "mtcars").frame
    columns = case.get("columns", ["x1"])
    X, y = (
        frame[columns].to_numpy(float),
        frame["y1" if name == "anscombe1" else "mpg"].to_numpy(float),
    )
    return (
        X,
        y,
        np.column_stack([case["new_points"][c] for c in case["new_points"]]),
        case["expected"],
    )


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", ["mtcars", "anscombe1"])
def test_r(name, solver):
    X, y, new, expected = r_case(name)
    model = LinearRegression(solver=solver).fit(X, y)
    inference = model.inference_
    agrees([model.intercept_, *model.coef_], expected["coef"])
    agrees(inference.standard_errors, expected["se"])
    agrees(inference.t, expected["t"])
    agrees(inference.p, expected["p"])
    agrees(inference.limits.T, [expected["ci95_lower"], expected["ci95_upper"]])
    agrees(
        [model.sse_, model.r2_, model.adjusted_r2_],
        [expected["sse"], expected["r2"], expected["adj_r2"]],
    )
    agrees([inference.sigma, inference.df_resid], [expected["sigma"], expected["df_residual"]])
    agrees(
        [inference.f, inference.df_model, inference.df_resid, inference.f_p],
        [expected["F"], *expected["F_df"], expected["F_p"]],
    )
    agrees(inference.vif, expected["vif"] or [1.0])
    prediction = expected["prediction"]
    agrees(model.predict(new), prediction["fit"])
    agrees(model.intervals(new).T, [prediction["confidence_lower"], prediction["confidence_upper"]])
    limits = model.intervals(new, observation=True).T
    agrees(limits, [prediction["prediction_lower"], prediction["prediction_upper"]])


@pytest.mark.parametrize("name", ["mtcars", "anscombe1"])
def test_influence_in_r(name):
    X, y, _, expected = r_case(name)
    rows = influence(LinearRegression().fit(X, y), X, y)
    for ours, theirs in (
        (rows.fitted, "fitted"),
        (rows.residuals, "residuals"),
        (rows.leverage, "leverage"),
        (rows.standardised, "standardised_residuals"),
        (rows.studentised, "studentised_deleted_residuals"),
        (rows.cooks_distance, "cooks_distance"),
    ):
        agrees(ours[:5], expected[f"{theirs}_first5"])
    agrees(((rows.residuals / (1 - rows.leverage)) ** 2).sum(), expected["press"])


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("solver", SOLVERS)
def test_statsmodels(solver, intercept):
    X, y = random_problem()
    model = LinearRegression(solver=solver, fit_intercept=intercept, confidence_level=0.9).fit(X, y)
    design = sm.add_constant(X) if intercept else X
    theirs = sm.OLS(y, design).fit()
    agrees([model.intercept_, *model.coef_] if intercept else model.coef_, theirs.params)
    agrees(model.standard_errors_, theirs.bse)
    agrees(model.p_values_, theirs.pvalues)
    agrees(model.inference_.covariance, theirs.cov_params())
    agrees(model.inference_.limits, theirs.conf_int(0.1))
    agrees(
        [model.r2_, model.adjusted_r2_, model.f_, model.f_p_],
        [theirs.rsquared, theirs.rsquared_adj, theirs.fvalue, theirs.f_pvalue],
    )
    expected = theirs.get_prediction(design[:7]).summary_frame(0.1)
    agrees(model.intervals(X[:7]), expected[["mean_ci_lower", "mean_ci_upper"]])
    agrees(model.intervals(X[:7], observation=True), expected[["obs_ci_lower", "obs_ci_upper"]])
    on_others = [
        sm.OLS(X[:, j], np.delete(design, j + intercept, axis=1)).fit().rsquared for j in range(4)
    ]
    agrees(model.inference_.vif, 1 / (1 - np.array(on_others)))


def test_longley_is_accurate():
    # Certified by the National Institute of Standards and Technology, for employed in thousands of
    # persons.
    frame = load("longley").frame
    columns = ["deflator", "gnp", "unemployed", "armed_forces", "population", "year"]
    theirs = sm.OLS(frame["employed"], sm.add_constant(frame[columns])).fit()
    for solver in SOLVERS:
        model = LinearRegression(solver=solver).fit(
            frame[columns].to_numpy(float), frame["employed"]
        )
        np.testing.assert_allclose(model.coef_, theirs.params[1:], rtol=1e-7)
        np.testing.assert_allclose(model.standard_errors_, theirs.bse, rtol=1e-7)


@pytest.mark.parametrize("solver", SOLVERS)
def test_nominal_columns_are_contrasts_with_the_first_level(solver):
    frame = load("wages").frame[["education", "occupation", "gender"]]
    y = load("wages").frame["wage"]
    theirs = sm.OLS.from_formula(
        "wage ~ education + occupation + gender", frame.assign(wage=y)
    ).fit()
    model = LinearRegression(solver=solver).fit(frame, y)
    assert model.bases_ == {name: min(frame[name]) for name in ("occupation", "gender")}
    for term, ours, error in zip(
        model.terms_, model.coef_, model.standard_errors_[1:], strict=True
    ):
        name, _, level = term.partition(" = ")
        key = f"{name}[T.{level}]" if level else name
        agrees([ours, error], [theirs.params[key], theirs.bse[key]])


# --- steps ----------------------------------------------------------------------------------------


def test_normal_equations_by_hand():
    X, y = [[1.0], [2.0], [3.0], [6.0]], [2.0, 3.0, 7.0, 8.0]
    sums, matrix, solve, done = LinearRegression().steps(X, y)
    assert [step.phase for step in (sums, matrix, solve, done)] == [
        "sums",
        "matrix",
        "solve",
        "done",
    ]
    assert (sums.intercept, sums.coef.tolist(), sums.sse) == (5.0, [0.0], 26.0)
    assert (matrix.gram.tolist(), matrix.moments.tolist()) == ([[14.0]], [17.0])
    assert solve.coef[0] == pytest.approx(17 / 14)
    assert solve.intercept == pytest.approx(5 - 3 * 17 / 14)
    assert done.sse == pytest.approx(26 - 17**2 / 14)
    assert done.r2 == pytest.approx(17**2 / 14 / 26)


def test_singular_values_come_one_by_one_and_never_raise_the_sse():
    X, y = random_problem()
    steps = list(LinearRegression(solver="svd").steps(X, y))
    assert [step.phase for step in steps] == ["decompose", *["component"] * 4, "done"]
    sse = [step.sse for step in steps]
    assert sse == sorted(sse, reverse=True)
    agrees(steps[0].singular, np.linalg.svd(X - X.mean(axis=0))[1])
    agrees(steps[-1].coef, linear_model.LinearRegression().fit(X, y).coef_)


def test_gradient_descent_steps_against_the_gradient():
    X, y = np.array([[0.0], [1.0]]), np.array([0.0, 2.0])
    start, first, *_ = LinearRegression(solver="gd", learning_rate=0.5).steps(X, y)
    assert start.gradient.tolist() == [-1.0, -1.0]
    assert (first.intercept, first.coef.tolist()) == (0.5, [0.5])
    assert first.sse == pytest.approx(0.25 + 1)
    step = 1e-6
    for j in (0, 1):
        moved = np.zeros(2)
        moved[j] = step
        up, down = (
            ((y - sign * moved[0] - X[:, 0] * sign * moved[1]) ** 2).sum() / 4 for sign in (1, -1)
        )
        assert start.gradient[j] == pytest.approx((up - down) / (2 * step))


def test_gradient_descent_converges_below_the_largest_step_and_diverges_above():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(50, 2))
    y = X @ [1.0, -2.0] + 3 + rng.normal(size=50)
    A = np.column_stack([np.ones(50), X])
    largest = 2 / np.linalg.eigvalsh(A.T @ A / 50).max()
    fine = LinearRegression(solver="gd", learning_rate=0.98 * largest, tol=1e-9, max_iter=5000).fit(
        X, y
    )
    agrees([fine.intercept_, *fine.coef_], sm.OLS(y, A).fit().params, rtol=1e-6)
    agrees(fine.standard_errors_, sm.OLS(y, A).fit().bse, rtol=1e-6)
    with pytest.warns(ConvergenceWarning, match=re.escape(f"2/λmax = {largest:.4g}")):
        wild = LinearRegression(solver="gd", learning_rate=1.02 * largest, max_iter=5000).fit(X, y)
    assert not wild.converged_
    assert wild.inference_ is None
    assert np.isnan(wild.standard_errors_).all()


def test_gradient_descent_says_that_it_stopped_early():
    X, y = random_problem()
    with pytest.warns(ConvergenceWarning, match="limit of 3 iterations"):
        model = LinearRegression(solver="gd", learning_rate=1e-6, max_iter=3).fit(X, y)
    with pytest.raises(ValueError, match="has not converged to least squares"):
        model.intervals(X)


# --- invariants -----------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(6, 40),
    p=st.integers(1, 4),
    solver=st.sampled_from(SOLVERS),
    shift=st.sampled_from([0.0, 1e3, 1e6]),
    factor=st.sampled_from([1e-6, 1.0, 1e6]),
)
def test_units_and_origins_change_nothing_that_matters(seed, n, p, solver, shift, factor):
    X, y = random_problem(n, p, seed)
    model = LinearRegression(solver=solver).fit(X, y)
    moved = LinearRegression(solver=solver).fit(factor * (X + shift), y)
    np.testing.assert_allclose(factor * moved.coef_, model.coef_, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(
        moved.predict(factor * (X + shift)), model.predict(X), rtol=1e-5, atol=1e-5
    )
    rows = influence(model, X, y)
    assert rows.leverage.sum() == pytest.approx(p + 1)
    np.testing.assert_allclose(
        model.design(X).T @ rows.residuals, 0, atol=1e-8 * np.abs(X).max() * n * np.abs(y).max()
    )
    assert rows.residuals.sum() == pytest.approx(0, abs=1e-7 * np.abs(y).max())
    assert (model.intervals(X)[:, 0] >= model.intervals(X, observation=True)[:, 0]).all()


def test_a_left_out_row_moves_the_fit_by_its_cooks_distance():
    X, y = random_problem(20, 2)
    model = LinearRegression().fit(X, y)
    rows = influence(model, X, y)
    for i in range(3):
        other_rows = np.delete(np.arange(20), i)
        without = LinearRegression().fit(X[other_rows], y[other_rows])
        moved = ((without.predict(X) - rows.fitted) ** 2).sum() / (3 * model.inference_.sigma**2)
        assert rows.cooks_distance[i] == pytest.approx(moved)
        deleted = (y[i] - rows.fitted[i]) / (
            without.inference_.sigma * np.sqrt(1 - rows.leverage[i])
        )
        assert rows.studentised[i] == pytest.approx(deleted)


# --- degenerate -----------------------------------------------------------------------------------


def test_dependent_terms_are_held_at_zero_or_shared():
    X, y = random_problem(30, 2)
    X = np.column_stack([X, X[:, 0] + X[:, 1], np.full(30, 7.0)])
    normal, svd = (LinearRegression(solver=solver).fit(X, y) for solver in SOLVERS)
    assert normal.coef_[2:].tolist() == [0.0, 0.0]
    assert np.isnan(normal.standard_errors_).tolist() == [False, False, False, True, True]
    agrees(normal.predict(X), svd.predict(X))
    agrees(svd.coef_, linear_model.LinearRegression().fit(X, y).coef_)
    assert np.isnan(svd.standard_errors_[1:]).all()
    assert normal.inference_.df_resid == svd.inference_.df_resid == 27
    assert list(LinearRegression().steps(X, y))[-1].aliased == (2, 3)


A = np.arange(1.0, 6.0)
MARKS = np.array([1.0, 2.0, 2.0, 4.0, 5.0])


@pytest.mark.parametrize("added", [2 * A, np.full(5, 7.0)], ids=["collinear", "constant"])
@pytest.mark.parametrize("solver", SOLVERS)
def test_the_intercept_beside_a_column_that_says_nothing_new_has_its_error(solver, added):
    """R: coef(summary(lm(y ~ a + added))) is that of lm(y ~ a), with 0.541603 for the intercept."""
    model = LinearRegression(solver=solver).fit(np.column_stack([A, added]), MARKS)
    without_it = LinearRegression().fit(A[:, None], MARKS)
    assert model.standard_errors_[0] == pytest.approx(0.541603, abs=5e-7)
    assert model.p_values_[0] == pytest.approx(without_it.p_values_[0])
    assert model.intercept_ == pytest.approx(without_it.intercept_)


def test_an_intercept_that_moves_with_undetermined_coefficients_has_no_error():
    X = np.column_stack([A, 2 * A + 3])
    assert np.isnan(LinearRegression(solver="svd").fit(X, MARKS).standard_errors_).all()
    normal = LinearRegression().fit(X, MARKS)  # the second is left out, as in R
    assert np.isnan(normal.standard_errors_).tolist() == [False, False, True]
    assert normal.standard_errors_[:2] == pytest.approx([0.541603, 0.163299], abs=5e-7)


def test_the_mean_alone_has_its_standard_error():
    """R: coef(summary(lm(y ~ 1))) has sd(y) / sqrt(5) = 0.7348469."""
    frame = pd.DataFrame({"x": 7.0, "y": MARKS})
    for model in (
        LinearRegression().fit(frame[["x"]], MARKS),
        large.LinearRegression().fit(frame, "y"),
    ):
        assert model.intercept_ == pytest.approx(2.8)
        assert model.standard_errors_[0] == pytest.approx(0.7348469)
        assert np.isnan(model.standard_errors_[1])
        assert np.isnan(model.f_)


def test_independent_terms_after_a_dependent_one_are_kept():
    X = np.array([[0, 0, 1], [1, 1, 0], [2, 2, 5]], float)
    assert LinearRegression().least_squares(X, [1, 2, 3]).independent().tolist() == [
        True,
        False,
        True,
    ]


@pytest.mark.parametrize("solver", SOLVERS)
def test_no_degree_of_freedom_is_left(solver):
    model = LinearRegression(solver=solver).fit([[0.0], [1.0]], [1.0, 3.0])
    assert (model.intercept_, model.coef_.tolist()) == (pytest.approx(1.0), [pytest.approx(2.0)])
    assert model.inference_ is None
    with pytest.raises(ValueError, match="no residual degree of freedom"):
        influence(model, [[0.0], [1.0]], [1.0, 3.0])


def test_equal_targets_have_no_r2():
    model = LinearRegression().fit([[0.0], [1.0], [3.0]], [0.1, 0.1, 0.1])
    assert np.isnan(model.r2_)
    assert model.coef_.tolist() == [0.0]


def test_far_columns_keep_their_digits():
    x = 1.7e9 + np.arange(12.0)
    model = LinearRegression().fit(x[:, None], -1e12 + 3 * np.arange(12.0))
    assert model.coef_[0] == pytest.approx(3, abs=1e-4)


def test_refusals():
    frame = pd.DataFrame({"sky": ["sun", "rain", "sun"]})
    model = LinearRegression().fit(frame, [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="'sky' has a level that it did not have"):
        model.predict(pd.DataFrame({"sky": ["snow"]}))
    with pytest.raises(ValueError, match="No column has two different values"):
        LinearRegression().fit(pd.DataFrame({"sky": ["sun"] * 3}), [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="cannot be squared"):
        LinearRegression().fit([[1e200], [2e200]], [1.0, 2.0])
    with pytest.raises(ValueError, match="requires y to be passed"):
        LinearRegression().fit([[1.0], [2.0]], None)
