"""Middle and spread against pandas, NumPy and SciPy, with holes and with awkward numbers."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from dmlib.preprocessing import ColumnSummary, correlation, covariance, summarise
from dmlib.preprocessing.data_overview.statistics import most_frequent, relations

NUMBERS = st.floats(-1e6, 1e6, allow_subnormal=False)
COLUMNS = arrays(float, st.integers(2, 60), elements=NUMBERS)
TABLES = arrays(
    float, st.tuples(st.integers(3, 30), st.integers(1, 4)), elements=NUMBERS | st.just(np.nan)
)


@settings(deadline=None)
@given(COLUMNS)
def test_a_column_is_described_as_by_pandas_and_scipy(x):
    summary, column = summarise(x), pd.Series(x)
    assert summary.n == len(x)
    assert summary.mean == pytest.approx(column.mean(), rel=1e-9, abs=1e-6)
    assert summary.variance == pytest.approx(column.var(), rel=1e-6, abs=1e-4)
    quantiles = column.quantile([0.1, 0.25, 0.5, 0.75, 0.9])
    np.testing.assert_allclose(summary.percentiles, quantiles, rtol=1e-9, atol=1e-9)
    assert (summary.minimum, summary.maximum) == (column.min(), column.max())
    assert summary.n_distinct == column.nunique()
    iqr = summary.percentiles[3] - summary.percentiles[1]
    assert iqr == pytest.approx(stats.iqr(x), rel=1e-9, abs=1e-9)
    low, high = summary.fences
    assert summary.n_outliers == ((x < low) | (x > high)).sum()


@settings(deadline=None)
@given(arrays(int, st.integers(1, 40), elements=st.integers(0, 5)))
def test_modes_are_those_of_pandas_unless_all_values_are_equally_frequent(x):
    modes, count, n_distinct = most_frequent(x)
    counts = pd.Series(x).value_counts()
    if len(counts) > 1 and counts.min() == counts.max():
        assert (modes, count) == ((), 0)
    else:
        assert (list(modes), count) == (pd.Series(x).mode().tolist(), counts.max())
    assert n_distinct == len(counts)


def test_what_is_not_finite_is_missing():
    assert summarise([1.0, np.nan, 3.0, np.inf, -np.inf]) == summarise([1.0, 3.0])
    empty = summarise([np.nan, np.inf])
    assert empty.n == empty.n_outliers == 0
    assert np.isnan([empty.mean, empty.median, empty.variance, empty.range]).all()


def test_one_value_has_no_variance():
    summary = summarise([5.0])
    assert (summary.mean, summary.median, summary.modes, summary.range) == (5, 5, (5.0,), 0)
    assert np.isnan(summary.variance)


def test_huge_numbers_overflow_without_a_warning():
    assert summarise([1e308, 1e308, -1e308]).n == 3


@settings(deadline=None)
@given(TABLES)
def test_covariances_are_those_of_pandas(X):
    expected = pd.DataFrame(X).cov().to_numpy()
    scale = np.nanmax(np.abs(X), initial=1.0) ** 2
    np.testing.assert_allclose(covariance(X), expected, rtol=1e-8, atol=1e-9 * scale)


def test_correlations_are_those_of_pandas():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(250, 5)) @ rng.normal(size=(5, 5))
    X[rng.random(X.shape) < 0.2] = np.nan
    np.testing.assert_allclose(correlation(X), pd.DataFrame(X).corr(), rtol=1e-10)


def test_a_constant_column_has_no_correlation():
    r = correlation([[1.0, 0.1], [2.0, 0.1], [4.0, 0.1]])
    assert r[0, 0] == 1
    assert np.isnan([r[0, 1], r[1, 1]]).all()


def test_far_from_zero_covariances_keep_their_digits():
    x = np.array([1.0, 2, 3, 4])
    X = np.column_stack([x + 1e9, x**2 - 1e9])
    np.testing.assert_allclose(covariance(X), np.cov(x, x**2), rtol=1e-6)
    np.testing.assert_allclose(correlation(X), np.corrcoef(x, x**2), rtol=1e-6)


def test_large_and_small_units_keep_their_correlation():
    x = np.array([1.0, 2, 3, 5])
    r = correlation(np.column_stack([x * 1e200, x[::-1] * 1e-200]))[0, 1]
    assert r == pytest.approx(np.corrcoef(x, x[::-1])[0, 1])


def test_many_rows_are_summed_in_blocks():
    X = np.random.default_rng(0).normal(5, 1, (250_001, 2))
    np.testing.assert_allclose(covariance(X), np.cov(X.T), rtol=1e-10)


@settings(deadline=None)
@given(TABLES)
def test_relations_are_rows_of_the_matrices(X):
    scale = np.nanmax(np.abs(X), initial=1.0) ** 2
    frame = pd.DataFrame(X)
    for j in range(X.shape[1]):
        np.testing.assert_allclose(relations(X, j)[0], frame.cov()[j], rtol=1e-8, atol=1e-9 * scale)


def test_relations_with_holes_and_a_constant_column():
    X = np.random.default_rng(0).normal(size=(60, 4))
    X[np.random.default_rng(1).random(X.shape) < 0.2] = np.nan
    X[:, 3] = 0.1
    cov, r = relations(X, 1)
    np.testing.assert_allclose(cov, covariance(X)[1], atol=1e-12)
    np.testing.assert_allclose(r, correlation(X)[1], atol=1e-12)
    assert np.isnan(r[3])


# --- far from zero --------------------------------------------------------------------------------


FAR = [1e6, 1e12, 1.7e12, 1e15, -1e15]


def exact_covariance(x, y):
    """Return the covariance of floating-point numbers in exact fractions."""
    a, b = [Fraction(v) for v in x.tolist()], [Fraction(v) for v in y.tolist()]
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    return float(sum((u - mean_a) * (v - mean_b) for u, v in zip(a, b, strict=True)) / (len(a) - 1))


@pytest.mark.parametrize("origin", FAR)
def test_columns_far_from_zero_keep_their_digits(origin):
    X = np.column_stack(
        [
            origin + np.arange(1.0, 5.0),
            2 * np.arange(1.0, 5.0),
            0.1 * np.array([3.0, 1.0, 4.0, 1.0]),
        ]
    )
    expected = [[exact_covariance(x, y) for y in X.T] for x in X.T]
    np.testing.assert_allclose(covariance(X), expected, rtol=1e-13)
    np.testing.assert_allclose(correlation(X)[0, :2], 1.0, rtol=1e-15)
    for j in range(3):
        cov, r = relations(X, j)
        np.testing.assert_allclose(cov, expected[j], rtol=1e-13)
        np.testing.assert_allclose(r, correlation(X)[j], rtol=1e-13)
    assert summarise(X[:, 0]).variance == pytest.approx(5 / 3, rel=1e-14)
    model = ColumnSummary().fit(X)
    np.testing.assert_allclose(model.covariance_, expected, rtol=1e-13)
    assert list(ColumnSummary().steps(X))[-1].correlations[1] == pytest.approx(1.0, rel=1e-15)


@pytest.mark.parametrize("value", [0.1, 1e9 / 7, -2.3e-5])
def test_a_constant_column_has_the_variance_0_and_no_correlation(value):
    X = np.column_stack([np.full(13, value), np.arange(13.0)])
    assert summarise(X[:, 0]).variance == 0
    assert (covariance(X)[0] == 0).all()
    assert np.isnan(correlation(X)[0]).all()
    assert np.isnan(relations(X, 1)[1][0])


def test_a_column_that_is_constant_in_the_rows_that_both_know_has_no_correlation():
    first = np.array([1 / 3, 1 / 3, 1 / 3, 7.0, 9.0, -2.0])
    second = np.array([1.0, 2.0, 4.0, np.nan, np.nan, np.nan])
    X = np.column_stack([first, second])
    assert np.isnan(correlation(X)[0, 1])
    assert covariance(X)[0, 1] == 0
    X[2, 0] += 1e-9  # far from the mean of all rows for what they vary
    expected = exact_covariance(X[:3, 0], X[:3, 1])
    assert covariance(X)[0, 1] == pytest.approx(expected, rel=1e-9)
    assert correlation(X)[1, 0] == pytest.approx(relations(X, 1)[1][0], rel=1e-12)
