"""Penalised regression against R, scikit-learn and LARS, by hand, its optimality conditions, and what its page says."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import linear_model
from sklearn.exceptions import ConvergenceWarning

from dmlib.datasets import load
from dmlib.regression import (
    ElasticNet,
    Lasso,
    LinearRegression,
    Ridge,
    coefficient_path,
    cross_validate,
    lasso_path,
    soft_threshold,
)
from dmlib.regression.ridge_lasso.paths import at_prices

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "ridge_lasso_mtcars.json").read_text("utf-8"))
CARS = load("mtcars").frame
MODELS = {"ridge": Ridge, "lasso": Lasso}


def cars(columns, ddof=1):
    X = CARS[list(columns)].to_numpy(float)
    return (X - X.mean(0)) / X.std(0, ddof=ddof), CARS["mpg"].to_numpy(float)


@pytest.mark.parametrize("name", MODELS)
def test_r_gives_the_same(name):
    case = GOLDEN["cases"][name]
    X, y = cars(GOLDEN["columns"], ddof=0)
    for alpha, coef, sse in zip(case["alpha"], case["coef"], case["sse"], strict=True):
        model = MODELS[name](alpha).fit(X, y)
        np.testing.assert_allclose(model.coef_, coef, rtol=1e-6, atol=1e-7)
        assert model.sse_ == pytest.approx(sse, rel=1e-7)
        assert model.intercept_ == pytest.approx(y.mean())
    if name == "lasso":
        assert lasso_path(X, y).alphas[0] == pytest.approx(case["alpha_max"])
        assert [Lasso(a).fit(X, y).objective_ for a in case["alpha"]] == pytest.approx(case["objective"])


@given(st.floats(0.01, 50), st.floats(0, 1), st.integers(0, 20))
def test_scikit_learn_gives_the_same_with_the_price_per_row(alpha, ratio, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(30, 4)) + 5, rng.normal(size=30)
    n, model = 30, ElasticNet(alpha, ratio).fit(X, y)
    price = alpha * ratio / (2 * n) + alpha * (1 - ratio) / n
    theirs = linear_model.ElasticNet(price, l1_ratio=alpha * ratio / (2 * n) / price, tol=1e-14, max_iter=100_000)
    if ratio < 0.01:  # scikit-learn warns of its own small ratios
        theirs = linear_model.Ridge(alpha * (1 - ratio)) if ratio == 0 else None
    if theirs is not None:
        np.testing.assert_allclose(model.coef_, theirs.fit(X, y).coef_, atol=1e-6)


@given(st.floats(0.01, 100), st.floats(0, 1), st.integers(0, 20))
def test_no_coefficient_could_be_better(alpha, ratio, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(25, 5)), 3 * rng.normal(size=25)
    model = ElasticNet(alpha, ratio).fit(X, y)
    left = 2 * X.T @ (y - model.predict(X) - 0) - 2 * alpha * (1 - ratio) * model.coef_
    left -= 2 * X.mean(0) * (y - model.predict(X)).sum()
    paid = alpha * ratio
    there = model.coef_ != 0
    np.testing.assert_allclose(left[there], paid * np.sign(model.coef_[there]), atol=1e-5)
    assert (np.abs(left[~there]) <= paid + 1e-5).all()


@given(st.integers(0, 30), st.sampled_from([Lasso, Ridge]))
def test_the_objective_never_rises_and_a_higher_price_never_lowers_the_sse(seed, algorithm):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(20, 4)), rng.normal(size=20)
    objective = [step.objective for step in algorithm(3.0).steps(X, y)]
    assert (np.diff(objective) <= 1e-9).all()
    sse = [algorithm(alpha).fit(X, y).sse_ for alpha in (0.0, 1.0, 5.0, 20.0)]
    assert (np.diff(sse) >= -1e-9).all()


def test_three_points_by_hand():
    X, y = [[2.0], [4.0], [6.0]], [2.0, 5.0, 8.0]
    assert Lasso(8.0).fit(X, y).coef_.tolist() == [1.0]
    assert Ridge(8.0).fit(X, y).coef_.tolist() == [0.75]
    assert Lasso(24.0).fit(X, y).coef_.tolist() == [0.0]
    steps = list(Lasso(8.0).steps(X, y))
    assert [(s.phase, s.rho, s.square) for s in steps[1:2]] == [("update", 12.0, 8.0)]
    assert soft_threshold(12.0, 4.0) == 8.0


def test_free_of_charge_it_is_least_squares():
    X, y = cars(["hp", "qsec", "wt"])
    np.testing.assert_allclose(Lasso(0.0).fit(X, y).coef_, LinearRegression().fit(X, y).coef_, atol=1e-7)


@pytest.mark.parametrize("seed", range(5))
def test_knots_are_those_of_lars(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 12)) @ rng.normal(size=(12, 12))  # correlated: coefficients come and go
    y = rng.normal(size=60) + X[:, 0]
    path = lasso_path(X, y)
    alphas, _, coefs = linear_model.lars_path(X - X.mean(0), y - y.mean(), method="lasso")
    np.testing.assert_allclose(path.alphas, alphas * 120, rtol=1e-6, atol=1e-6 * path.alphas[0])
    np.testing.assert_allclose(path.coefs, coefs.T, atol=1e-6)


@pytest.mark.parametrize("model", [Lasso(), Ridge(), ElasticNet(l1_ratio=0.4)])
def test_the_path_goes_through_the_fits(model):
    X, y = cars(GOLDEN["columns"])
    data = model.centred(X, y)
    for alpha in (200.0, 20.0, 2.0):
        fitted = type(model)(**model.get_params() | {"alpha": alpha}).fit(X, y)
        np.testing.assert_allclose(at_prices(model, data, np.array([alpha]))[0], fitted.coef_, atol=1e-5)
    path = coefficient_path(model, X, y)
    assert (np.diff(path.alphas) < 0).all()
    assert path.knots is isinstance(model, Lasso)


def test_cross_validation_is_what_fitting_each_fold_gives():
    X, y = cars(["hp", "qsec", "wt"])
    found = cross_validate(Ridge(), X, y, n_splits=4, random_state=3)
    from sklearn.model_selection import KFold

    for i, (train, test) in enumerate(KFold(4, shuffle=True, random_state=3).split(X)):
        theirs = linear_model.Ridge(found.alphas[7]).fit(X[train], y[train])
        assert found.errors[i, 7] == pytest.approx(((y[test] - theirs.predict(X[test])) ** 2).mean())
    assert found.within_one_error <= found.best  # prices fall
    with pytest.raises(ValueError, match="at least 4 rows"):
        cross_validate(Ridge(), X[:3], y[:3])


def test_equal_and_constant_columns_end():
    rng = np.random.default_rng(0)
    x = rng.normal(size=20)
    X = np.column_stack([x, x, np.full(20, 3.0)])
    y = 2 * x
    assert lasso_path(X, y).coefs[-1].sum() == pytest.approx(2)
    assert Lasso(1.0).fit(X, y).coef_[2] == 0
    np.testing.assert_allclose(np.diff(Ridge(1.0).fit(X, y).coef_[:2]), 0, atol=1e-6)
    constant = Lasso().fit(X, np.ones(20))
    assert constant.coef_.tolist() == [0, 0, 0]
    assert np.isnan(constant.r2_)
    assert lasso_path(X, np.ones(20)).alphas.tolist() == [0.0]


def test_what_cannot_be_is_said():
    with pytest.raises(ValueError, match="beyond 1e\\+100"):
        Lasso().fit([[1e200], [0.0]], [0.0, 1.0])
    X, y = cars(["cyl", "disp", "hp", "wt"])
    with pytest.warns(ConvergenceWarning, match="Not converged after 1 pass"):
        Ridge(0.1, max_iter=1).fit(X, y)


def test_what_the_presets_say():
    X, y = cars(["hp", "qsec"])
    assert Lasso(50).fit(X, y).coef_.round(3).tolist() == [-3.871, 0]
    assert lasso_path(X, y).alphas[1] == pytest.approx(28.66, abs=0.005)
    assert Ridge(50).fit(X, y).coef_.round(4).tolist() == [-1.6498, 0.5186]
    six, _ = cars(GOLDEN["columns"])
    model = Lasso(50).fit(six, y)
    assert [name for name, b in zip(GOLDEN["columns"], model.coef_, strict=True) if b] == ["cyl", "hp", "wt"]
    assert round(model.r2_, 4) == 0.8215
    assert round(LinearRegression().fit(six, y).r2_, 4) == 0.8548
    twins, _ = cars(["cyl", "disp"])
    assert Ridge(50).fit(twins, y).coef_.round(3).tolist() == [-1.465, -1.449]
    assert np.corrcoef(twins.T)[0, 1] == pytest.approx(0.90, abs=0.005)
