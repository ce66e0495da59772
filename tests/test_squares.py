"""Columns far from zero, or constant but for rounding, in all that standardises."""

import numpy as np
import pandas as pd
import pytest

from dmlib.classification import KNeighborsClassifier
from dmlib.evaluation.resampling.table_leakage import _scaled
from dmlib.feature_selection import filter_scores
from dmlib.feature_selection.selector import standardised
from dmlib.neural import MLPRegressor
from dmlib.preprocessing import Aggregator
from dmlib.problem import prepare
from dmlib.regression import PLSRegression, PrincipalComponentRegression
from dmlib.similarity import pearson
from dmlib.similarity.measures.algorithm import Space
from dmlib.squares import centred, deviations, standard_deviations

CONSTANTS = [(10, 0.1), (13, 1e9 / 7), (11, -2.3e-5)]  # the mean of most is not the number itself
FAR = [1e9, 1e12, -1e13]


def table(n, value):
    return np.column_stack([np.full(n, value), np.arange(float(n)) % 4])


@pytest.mark.parametrize(("n", "value"), CONSTANTS)
def test_a_constant_column_is_its_mean_and_does_not_vary(n, value):
    mean, away = centred(np.full(n, value))
    assert mean == value
    assert not away.any()
    assert standard_deviations(table(n, value))[0] == 0


@pytest.mark.parametrize(("n", "value"), CONSTANTS)
def test_a_constant_column_is_not_blown_up_by_its_standard_deviation(n, value):
    X = table(n, value)
    y = np.arange(n) % 2
    frame = pd.DataFrame(X, columns=["a", "b"])
    assert not prepare(frame, ["a", "b"], scaling="z-score").X[:, 0].any()
    assert not standardised(X)[:, 0].any()
    assert not _scaled(X, y, X)[:, 0].any()
    assert filter_scores(X, method="variance")[0] == 0
    assert not Space(X, "mahalanobis", 2.0).white[0].any()
    lost = [Aggregator(by="order", size=3).fit(columns).loss_ for columns in (X, X[:, 1:])]
    assert lost[0] == pytest.approx(lost[1])
    assert MLPRegressor().targets(np.full(n, value)).unit == 1


@pytest.mark.parametrize(("n", "value"), CONSTANTS)
def test_a_constant_column_has_no_mahalanobis_distances(n, value):
    with pytest.raises(ValueError, match="a column is constant"):
        KNeighborsClassifier(3, metric="mahalanobis").fit(table(n, value), np.arange(n) % 2)


@pytest.mark.parametrize(("n", "value"), CONSTANTS)
def test_a_row_of_equal_numbers_correlates_with_none(n, value):
    assert pearson(np.full(n, value), np.arange(float(n))) == 0


@pytest.mark.parametrize("origin", FAR)
def test_columns_far_from_zero_are_standardised_as_near_ones(origin):
    X = np.array([[1.0, 5.0], [2.0, 3.0], [3.0, 8.0], [4.0, 1.0], [7.0, 2.0]])
    shifted = X + origin
    y = X @ [1.0, 2.0] + [0.5, -0.25, 0.125, 0.0, 0.25]
    np.testing.assert_array_equal(deviations(shifted), deviations(X))
    np.testing.assert_allclose(standardised(shifted), standardised(X), rtol=1e-12)
    np.testing.assert_allclose(filter_scores(shifted, y), filter_scores(X, y), rtol=1e-12)
    assert pearson(shifted[:, 0], shifted[:, 1]) == pytest.approx(
        pearson(X[:, 0], X[:, 1]), rel=1e-12
    )
    for model in (PLSRegression, PrincipalComponentRegression):
        np.testing.assert_allclose(
            model(1).fit(shifted, y).coef_, model(1).fit(X, y).coef_, rtol=1e-9
        )
