import numpy as np
import pytest

from dmlib.classification import LogisticRegression, binomial_rows
from dmlib.classification.logistic_regression.figures.odds_ratios import (
    MAX_COLUMNS,
    odds_data,
    plot_odds_ratios,
)

pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning"
)  # many runs are cut short

RNG = np.random.default_rng(0)


def fitted(n_columns=3, **params):
    X = RNG.normal(size=(120, n_columns))
    y = (X[:, 0] - 0.5 * X[:, 1] + RNG.logistic(size=120) > 0).astype(int)
    return LogisticRegression(**params).fit(X, y)


def words(figure):
    return figure.layout.title.text.replace("<br>", " ").replace(
        '</span> <span style="font-size:12px">', " "
    )


def test_odds_and_limits_are_those_of_the_model():
    for constant in True, False:
        model = fitted(C=np.inf, fit_intercept=constant)
        data = odds_data(model, ["a", "b", "c"], "yes")
        np.testing.assert_allclose(data.odds, np.exp(model.coef_[0]))
        np.testing.assert_array_equal(
            np.column_stack([data.low, data.high]), model.odds_ratio_intervals_[-3:]
        )


@pytest.mark.parametrize(
    "params", [{"C": 1.0}, {"C": np.inf, "max_iter": 1}], ids=["penalty", "not at the top"]
)
def test_without_a_maximum_there_are_no_limits(params):
    data = odds_data(fitted(**params), ["a", "b", "c"], "yes")
    assert data.low is None
    assert "There are no confidence limits" in words(plot_odds_ratios(data))


def test_the_strongest_column_is_named_and_clear_ones_are_counted():
    model = LogisticRegression(C=np.inf).fit(
        *binomial_rows([[0, 0], [1, 0], [0, 1]], [10, 30, 11], [40, 40, 40])
    )
    figure = plot_odds_ratios(odds_data(model, ["<treated>", "other"], "healed"))
    assert "One unit more of &lt;treated&gt; multiplies the odds of healed by 9." in words(figure)
    assert "1 of 2 columns have both 95 % limits on one side of 1" in words(figure)
    (trace,) = figure.data
    np.testing.assert_allclose(trace.x + trace.error_x.array, model.odds_ratio_intervals_[1:, 1])
    np.testing.assert_allclose(
        trace.x - trace.error_x.arrayminus, model.odds_ratio_intervals_[1:, 0]
    )


def test_many_columns_are_cut():
    data = odds_data(fitted(40), [f"c{j}" for j in range(40)], "yes")
    assert len(data.names) == len(data.odds) == MAX_COLUMNS
