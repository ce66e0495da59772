"""Ridge, lasso and elastic net against R, glmnet and scikit-learn, and by hand."""

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import linear_model
from sklearn.exceptions import ConvergenceWarning

from dmlib.datasets import load
from dmlib.regression import (
    ElasticNet,
    Lasso,
    LinearRegression,
    Ridge,
    cross_validated_path,
    regularization_path,
)

GOLDEN = Path(__file__).parents[2] / "golden"
CARS = load("mtcars").frame
COLUMNS = ["cyl", "disp", "hp", "drat", "wt", "qsec"]
X, Y = CARS[COLUMNS].to_numpy(float), CARS["mpg"].to_numpy(float)
HAND = np.array([[1.0], [2.0], [3.0], [6.0]]), np.array([2.0, 3.0, 7.0, 8.0])


def golden(name):
    return json.loads((GOLDEN / f"{name}_mtcars.json").read_text("utf-8"))["expected"]


def random_problem(seed, n=40, p=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) @ rng.normal(size=(p, p)) * 10.0 ** rng.integers(
        -2, 3, p
    ) + rng.normal(size=p)
    return X, X @ rng.normal(size=p) * (rng.random(p) < 0.6).mean() + rng.normal(size=n)


def standardised(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


# --- other people's numbers -----------------------------------------------------------------------


@pytest.mark.parametrize("i", range(5))
def test_lasso_of_glmnet(i):
    expected = golden("lasso")
    model = Lasso(alpha=expected["lambda_unnormalised"][i]).fit(X, Y)
    np.testing.assert_allclose(
        model.coef_, expected["coef_original_scale_by_lambda"][i], rtol=1e-6, atol=1e-8
    )
    np.testing.assert_allclose(
        model.standardized_coef_, expected["coef_standardised_by_lambda"][i], rtol=1e-6, atol=1e-8
    )
    np.testing.assert_allclose(model.intercept_, expected["intercept_by_lambda"][i], rtol=1e-6)
    np.testing.assert_allclose(model.sse_, expected["sse"][i], rtol=1e-8)
    np.testing.assert_allclose(
        model.objective_, expected["objective_unnormalised_value"][i], rtol=1e-8
    )
    assert (
        np.count_nonzero(model.coef_)
        == round(model.degrees_of_freedom_)
        == expected["n_nonzero"][i]
    )
    assert model.glmnet_ == pytest.approx((expected["lambda_glmnet"][i], 1))


def test_largest_lambda_of_glmnet():
    expected = golden("lasso")["lambda_max_unnormalised"]
    assert regularization_path(X, Y).knots[0][:2] == (pytest.approx(expected, rel=1e-8), 4)
    assert not Lasso(alpha=expected * 1.000001).fit(X, Y).coef_.any()
    assert Lasso(alpha=expected * 0.999).fit(X, Y).coef_.any()


@pytest.mark.parametrize("i", range(4))
def test_ridge_of_r(i):
    expected = golden("ridge")
    model = Ridge(alpha=expected["lambda_unnormalised"][i]).fit(X, Y)
    np.testing.assert_allclose(
        model.coef_, expected["coef_original_scale_by_lambda"][i], rtol=1e-7, atol=1e-8
    )
    np.testing.assert_allclose(model.intercept_, expected["intercept_by_lambda"][i], rtol=1e-7)
    np.testing.assert_allclose(model.sse_, expected["sse"][i], rtol=1e-8)
    np.testing.assert_allclose(
        model.degrees_of_freedom_, expected["effective_df_without_intercept"][i], rtol=1e-8
    )
    assert model.glmnet_ == pytest.approx((expected["glmnet_lambda_giving_the_same_model"][i], 0))


@pytest.mark.parametrize("i", range(5))
def test_ridge_of_glmnet_in_its_own_scaling(i):
    expected = golden("ridge")["glmnet_default_call"]
    model = Ridge(alpha=expected["lambda_unnormalised_equivalent"][i]).fit(X, Y)
    np.testing.assert_allclose(model.coef_, expected["coef_original_scale_by_lambda"][i], rtol=1e-5)
    assert model.glmnet_[0] == pytest.approx(expected["lambda_glmnet"][i])


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6), st.floats(-3, 3), st.sampled_from([0.05, 0.3, 0.7, 1.0]), st.booleans()
)
def test_elastic_net_of_scikit_learn(seed, power, ratio, intercept):
    X, y = random_problem(seed)
    model = ElasticNet(
        alpha=10**power, l1_ratio=ratio, standardize=False, fit_intercept=intercept
    ).fit(X, y)
    alpha, share = model.sklearn_
    theirs = linear_model.ElasticNet(
        alpha=alpha, l1_ratio=share, fit_intercept=intercept, tol=1e-12, max_iter=200_000
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        theirs.fit(X, y)
    residuals = y - theirs.predict(X)
    b = theirs.coef_
    objective = residuals @ residuals + 10**power * (
        ratio * np.abs(b).sum() + (1 - ratio) * (b @ b)
    )
    assert model.objective_ <= objective * (1 + 1e-9)
    if theirs.n_iter_ < theirs.max_iter:
        assert objective <= model.objective_ * (1 + 1e-6)


@pytest.mark.parametrize("intercept", [True, False])
def test_ridge_of_scikit_learn(intercept):
    X, y = random_problem(3)
    ours = Ridge(alpha=2.5, standardize=False, fit_intercept=intercept).fit(X, y)
    theirs = linear_model.Ridge(alpha=2.5, fit_intercept=intercept).fit(X, y)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)


def test_knots_are_those_of_least_angle_regression():
    Z = standardised(X)
    theirs, _, coefs = linear_model.lars_path(Z, Y - Y.mean(), method="lasso")
    ours = regularization_path(X, Y, alphas=np.geomspace(500, 0.01, 60)).knots
    np.testing.assert_allclose([knot[0] for knot in ours], 2 * len(Y) * theirs[:-1], rtol=1e-6)
    path = regularization_path(X, Y, alphas=2 * len(Y) * theirs)
    np.testing.assert_allclose(path.coefs, coefs.T, atol=1e-8)


# --- invariants -----------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [Ridge, Lasso, ElasticNet])
def test_without_a_price_it_is_least_squares(model):
    ours, line = model(alpha=0.0).fit(X, Y), LinearRegression().fit(X, Y)
    np.testing.assert_allclose(ours.coef_, line.coef_, rtol=1e-6)
    assert ours.sse_ == pytest.approx(line.sse_)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.floats(-1, 3), st.floats(0, 1))
def test_the_conditions_of_the_minimum_hold(seed, power, ratio):
    X, y = random_problem(seed, n=12, p=20)  # fewer rows than columns
    model = ElasticNet(alpha=10**power, l1_ratio=ratio).fit(X, y)
    problem, b = model.penalised(X, y), model.standardized_coef_
    gradient = problem.moments - problem.gram @ b - problem.l2 * b
    close = 1e-6 * np.abs(problem.moments).max()
    assert (np.abs(gradient) <= problem.l1 + close).all()
    np.testing.assert_allclose(gradient[b != 0], problem.l1 * np.sign(b[b != 0]), atol=close)


def test_the_objective_never_rises_from_step_to_step():
    for model in (Ridge(alpha=3), Lasso(alpha=3), ElasticNet(alpha=3)):
        values = np.array([step.objective for step in model.steps(X, Y)])
        assert (np.diff(values) <= 1e-9 * values[0]).all()


@pytest.mark.parametrize("ratio", [0.0, 0.5, 1.0])
def test_units_do_not_matter_if_columns_are_standardised(ratio):
    usual = ElasticNet(alpha=9, l1_ratio=ratio).fit(X, Y)
    rescaled = ElasticNet(alpha=9, l1_ratio=ratio).fit(X * 1000 - 7, Y)
    np.testing.assert_allclose(usual.predict(X), rescaled.predict(X * 1000 - 7), rtol=1e-9)


def test_by_hand():
    """The numbers of the lesson: s² = 14/4, z'y = 17/s."""
    s = 3.5**0.5
    assert Ridge(alpha=4).fit(*HAND).standardized_coef_[0] == pytest.approx(17 / s / 8)
    assert Lasso(alpha=4).fit(*HAND).standardized_coef_[0] == pytest.approx((17 / s - 2) / 4)
    assert Lasso(alpha=20).fit(*HAND).coef_[0] == 0


def test_correlated_columns_share_in_ridge_and_not_in_the_lasso():
    rng = np.random.default_rng(0)
    x = rng.normal(size=60)
    twins = np.column_stack([x, x])
    y = 4 * x + rng.normal(size=60)
    ridge, lasso = Ridge(alpha=30).fit(twins, y), Lasso(alpha=30).fit(twins, y)
    assert ridge.coef_[0] == pytest.approx(ridge.coef_[1])
    assert np.count_nonzero(lasso.coef_) == 1


# --- choice of λ ----------------------------------------------------------------------------------


@pytest.mark.parametrize("ratio", [0.0, 0.4, 1.0])
def test_cross_validation_is_that_of_a_loop(ratio):
    alphas = [100.0, 10.0, 1.0]
    path = cross_validated_path(X, Y, l1_ratio=ratio, alphas=alphas, cv=5, random_state=1)
    folds = np.random.default_rng(1).permutation(len(Y)) % 5
    errors = []
    for alpha in alphas:
        model = ElasticNet(alpha=alpha, l1_ratio=ratio)
        residuals = [
            Y[folds == k] - model.fit(X[folds != k], Y[folds != k]).predict(X[folds == k])
            for k in range(5)
        ]
        errors.append([np.mean(r**2) for r in residuals])
    np.testing.assert_allclose(path.errors, np.mean(errors, axis=1), rtol=1e-7)
    np.testing.assert_allclose(
        path.standard_errors, np.std(errors, axis=1, ddof=1) / 5**0.5, rtol=1e-6
    )
    limit = path.errors[path.best] + path.standard_errors[path.best]
    assert path.errors[path.one_se] <= limit
    assert (path.errors[: path.one_se] > limit).all()


def test_too_few_rows_for_folds():
    with pytest.raises(ValueError, match="at least three rows"):
        cross_validated_path([[1.0], [2.0]], [1.0, 2.0])


# --- degenerate data ------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [Ridge, Lasso, ElasticNet])
def test_constants(model):
    frame = pd.DataFrame({"flat": [5.0] * 6, "x": range(6)})
    fitted = model(alpha=1).fit(frame, [3.0] * 6)
    assert fitted.coef_.tolist() == [0, 0]
    assert fitted.intercept_ == pytest.approx(3)
    assert np.isnan(fitted.r2_)


@pytest.mark.parametrize("model", [Ridge, Lasso, ElasticNet])
def test_bad_input_is_a_sentence(model):
    with pytest.raises(ValueError, match="infinity"):
        model().fit([[1.0], [np.inf]], [1.0, 2.0])
    with pytest.raises(ValueError, match="cannot be squared"):
        model().fit([[1.0], [1e200]], [1.0, 2.0])
    with pytest.raises(ValueError, match="alpha must be"):
        model(alpha=-1).fit(X, Y)


@pytest.mark.parametrize("ratio", [0.9, 0.5, 0.1])
def test_at_a_knot_a_coefficient_is_0_and_its_price_is_paid(ratio):
    """The product with the residuals is λρ / 2 there, and on either side the sign differs."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(40, 8))
    X[:, 1] = X[:, 0] + 0.1 * X[:, 1]
    y = X @ rng.normal(size=8) + rng.normal(size=40)
    knots = regularization_path(X, y, l1_ratio=ratio).knots
    assert len(knots) >= 8
    for alpha, j, comes in knots:
        above, at, below = (
            ElasticNet(alpha=alpha * factor, l1_ratio=ratio).fit(X, y).standardized_coef_[j]
            for factor in (1 + 1e-5, 1, 1 - 1e-5)
        )
        assert at == pytest.approx(0, abs=1e-6)
        assert (above == 0) == comes != (below == 0)
