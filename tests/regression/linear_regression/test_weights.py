"""Weighted least squares against statsmodels, rows that are repeated, and the page."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from dmlib.datasets import make
from dmlib.regression import LinearRegression, influence
from tests.visit import open_preset


def weighted_rows(seed, n=40):
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(n, 2)), rng.uniform(0.2, 3.0, size=n)
    return X, w, X @ [1.0, 2.0] + 5 + rng.normal(size=n) / np.sqrt(w)


@pytest.mark.parametrize("solver", ["normal", "svd", "gd"])
@pytest.mark.parametrize("fit_intercept", [True, False])
@given(seed=st.integers(0, 20))
def test_fit_and_inference_are_those_of_statsmodels(solver, fit_intercept, seed):
    X, w, y = weighted_rows(seed)
    terms = sm.add_constant(X) if fit_intercept else X
    theirs = sm.WLS(y, terms, weights=w).fit()
    ours = LinearRegression(
        weight_column=2, solver=solver, fit_intercept=fit_intercept, max_iter=100_000, tol=1e-11
    ).fit(np.column_stack([X[:, 0], w, X[:, 1]]), y)
    constant = [ours.intercept_] if fit_intercept else []
    np.testing.assert_allclose([*constant, *ours.coef_], theirs.params, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(ours.standard_errors_, theirs.bse, rtol=1e-7)
    np.testing.assert_allclose(ours.p_values_, theirs.pvalues, rtol=1e-5, atol=1e-12)
    assert ours.r2_ == pytest.approx(theirs.rsquared)
    assert ours.f_ == pytest.approx(theirs.fvalue)


@given(seed=st.integers(0, 20))
def test_limits_and_influence_are_those_of_statsmodels(seed):
    X, w, y = weighted_rows(seed)
    table = np.column_stack([X, w])
    ours = LinearRegression(weight_column=3).fit(table, y)
    terms = sm.add_constant(X)
    limits = sm.WLS(y, terms, weights=w).fit().get_prediction(terms).summary_frame(alpha=0.05)
    np.testing.assert_allclose(
        ours.intervals(table), limits[["mean_ci_lower", "mean_ci_upper"]], rtol=1e-9
    )
    new = sm.WLS(y, terms, weights=w).fit().get_prediction(terms, weights=w).summary_frame()
    np.testing.assert_allclose(
        ours.intervals(table, observation=True), new[["obs_ci_lower", "obs_ci_upper"]], rtol=1e-9
    )
    roots = np.sqrt(w)
    scaled = sm.OLS(y * roots, terms * roots[:, None]).fit().get_influence()
    rows = influence(ours, table, y)
    np.testing.assert_allclose(rows.leverage, scaled.hat_matrix_diag)
    np.testing.assert_allclose(rows.studentised, scaled.resid_studentized_external)
    np.testing.assert_allclose(rows.cooks_distance, scaled.cooks_distance[0])


@given(seed=st.integers(0, 20))
def test_a_whole_weight_counts_a_row_so_often(seed):
    X, _, y = weighted_rows(seed, 15)
    times = np.random.default_rng(seed).integers(1, 5, size=15)
    weighted = LinearRegression(weight_column=3).fit(np.column_stack([X, times]), y)
    repeated = LinearRegression().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(weighted.coef_, repeated.coef_)
    assert weighted.intercept_ == pytest.approx(repeated.intercept_)


@pytest.mark.parametrize(
    ("column", "table", "message"),
    [
        (3, [[1.0, 2.0], [2.0, 1.0], [3.0, 1.0]], "there are 2 columns"),
        (1, [[1.0], [2.0], [3.0]], "only column holds the weights"),
        (2, [[1.0, 2.0], [2.0, 0.0], [3.0, 1.0]], "above 0 in every row"),
    ],
)
def test_what_is_no_column_of_weights_is_refused(column, table, message):
    with pytest.raises(ValueError, match=message):
        LinearRegression(weight_column=column).fit(table, [1.0, 2.0, 4.0])


def test_means_of_groups():
    opened = open_preset("linear_regression", "Means of groups, weighted by their size")
    model = opened.run.fitted
    assert model.owners_ == (0,)
    assert model.coef_[0] == pytest.approx(0.6482, abs=5e-5)
    assert model.standard_errors_[1] == pytest.approx(0.0672, abs=5e-5)
    assert model.inference_.sigma == pytest.approx(4.002, abs=5e-4)
    assert "X'WX" in opened.scene["frames"][1]["caption"]
    frame = make("group_means").frame
    plain = LinearRegression().fit(frame[["x"]], frame.y)
    assert plain.coef_[0] == pytest.approx(0.5232, abs=5e-5)
    assert plain.standard_errors_[1] > 2 * model.standard_errors_[1]
