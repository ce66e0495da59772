"""The steps from a column to its statistics."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dmlib.datasets import load
from dmlib.preprocessing import ColumnSummary

FRAME = load("penguins").frame
PHASES = {
    "nominal": ["look", "count", "done"],
    "ordinal": ["look", "count", "sort", "median", "quartiles", "done"],
    "interval": [
        "look",
        "count",
        "sort",
        "median",
        "quartiles",
        "percentiles",
        "outliers",
        "mean",
        "variance",
    ],
}
PHASES["ratio"] = [*PHASES["interval"], "coefficient", "covariance", "done"]
PHASES["interval"] += ["covariance", "done"]


@pytest.mark.parametrize("scale", PHASES)
def test_each_scale_allows_more(scale):
    steps = list(ColumnSummary(3, scale=scale).steps(FRAME))
    assert [step.phase for step in steps] == PHASES[scale]
    assert all(step.scale == scale for step in steps)


@pytest.mark.parametrize("column", range(3, 7))
def test_steps_find_what_fit_finds(column):
    model = ColumnSummary(column).fit(FRAME)
    step = list(ColumnSummary(column).steps(FRAME))[-1]
    j = column - 1
    for name in ("mean", "median", "variance", "range"):
        assert step.statistics[name] == pytest.approx(getattr(model, f"{name}_")[j])
    quantiles = [step.statistics[name] for name in ("tenth", "low", "median", "high", "ninth")]
    assert quantiles == pytest.approx(model.percentiles_[:, j])
    assert step.statistics["n_outliers"] == model.n_outliers_[j]
    np.testing.assert_allclose(step.covariances, model.covariance_[j])
    expected = FRAME.select_dtypes("number").corr()[FRAME.columns[j]].reindex(FRAME.columns)
    np.testing.assert_allclose(step.correlations, expected)


@settings(deadline=None)
@given(arrays(float, st.integers(1, 40), elements=st.floats(-100, 100)))
def test_all_numbers_are_those_of_numpy(x):
    step = list(ColumnSummary(scale="interval").steps(x[:, None]))[-1]
    assert step.statistics["mean"] == pytest.approx(x.mean(), abs=1e-9)
    assert step.statistics["median"] == pytest.approx(np.median(x), abs=1e-9)
    if len(x) > 1:
        assert step.statistics["variance"] == pytest.approx(x.var(ddof=1), abs=1e-9)


def test_an_order_has_values_as_quantiles():
    sizes = pd.Categorical(["s", "m", "l", "l"], ["s", "m", "l"], ordered=True)
    step = list(ColumnSummary(scale="ordinal").steps(pd.DataFrame({"size": sizes})))[-1]
    assert (step.categories, step.statistics["median"], step.statistics["low"]) == (
        ("s", "m", "l"),
        1,
        0,
    )


def test_auto_looks_at_the_values():
    assert next(ColumnSummary(1).steps(FRAME)).scale == "nominal"
    assert next(ColumnSummary().steps([[1.0], [2.0]])).scale == "ratio"
    assert next(ColumnSummary().steps([[1.0], [-2.0]])).scale == "interval"


@pytest.mark.parametrize(
    ("model", "X", "match"),
    [
        (ColumnSummary(3), [[1.0, 2.0]], "There is no column 3"),
        (ColumnSummary(scale="interval"), pd.DataFrame({"a": ["x", "y"]}), "'a' holds names"),
        (ColumnSummary(), [[np.nan, 1.0], [np.nan, 2.0]], "holds no value"),
    ],
    ids=["column", "names", "empty"],
)
def test_what_cannot_be_is_refused(model, X, match):
    with pytest.raises(ValueError, match=match):
        list(model.steps(X))


def test_one_row_has_no_spread():
    phases = [step.phase for step in ColumnSummary().steps([[3.0, 4.0]])]
    assert "variance" not in phases
    assert phases[-1] == "done"
