"""The profile of a table: its counts, the statistics that types allow, its issues."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dmlib.datasets import LIBRARY, load
from dmlib.preprocessing import profile

ROWS = st.lists(
    st.tuples(st.floats(-1e3, 1e3) | st.none(), st.sampled_from(["a", "b", None])),
    min_size=1,
    max_size=30,
)


def kinds(report):
    return {(issue.kind, issue.column) for issue in report.issues}


@pytest.mark.parametrize("name", [name for name, entry in LIBRARY.items() if entry.kind == "table"])
def test_numbers_are_those_of_pandas(name):
    frame = load(name).frame
    report = profile(frame)
    assert [column.name for column in report.columns] == list(frame.columns)
    assert report.n_duplicates == frame.duplicated().sum()
    for column in report.columns:
        values = frame[column.name]
        assert (column.n, column.n_missing) == (values.count(), values.isna().sum())
        assert column.n_distinct == values.nunique()
        if column.mode_count:
            assert column.mode_count == values.value_counts().max()
        if column.attribute.arithmetic:
            assert column.summary.mean == pytest.approx(values.mean())
            assert column.summary.variance == pytest.approx(values.var())
    numeric = list(report.numeric)
    np.testing.assert_allclose(report.covariance, frame[numeric].cov(), rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(report.correlation, frame[numeric].corr(), rtol=1e-8, atol=1e-12)
    assert len(report.frame()) == frame.shape[1]


@settings(deadline=None)
@given(ROWS)
def test_any_table_can_be_described(rows):
    frame = pd.DataFrame(rows, columns=["x", "y"])
    report = profile(frame)
    assert report.n_rows == len(rows)
    assert sum(column.n + column.n_missing for column in report.columns) == 2 * len(rows)
    assert all(issue.text.endswith(".") for issue in report.issues)
    assert not report.frame().empty


def test_what_is_wrong_is_told():
    n = 20
    frame = pd.DataFrame(
        {
            "number": range(n),
            "same": [1.0] * n,
            "hole": [np.nan, *range(1, n)],
            "empty": [np.nan] * n,
            "far": [*([1.0, 2.0, 3.0, 4.0] * 4), 1.0, 2.0, 3.0, 99.0],
            "rare": ["a"] * (n - 1) + ["b"],
        }
    )
    report = profile(pd.concat([frame, frame.tail(1)]))
    issues = {("constant", "same"), ("missing", "hole"), ("empty", "empty"), ("outliers", "far")}
    assert issues <= kinds(report)
    assert ("duplicates", "") in kinds(report)
    assert ("imbalance", "rare") in kinds(report)
    assert ("identifier", "number") in kinds(profile(frame))


def test_columns_that_say_the_same_are_told():
    x = np.arange(10) ** 2.0
    assert ("correlation", "") in kinds(profile(pd.DataFrame({"cm": x, "mm": 10 * x})))


def test_types_decide_what_is_computed():
    frame = pd.DataFrame({"mark": [1, 2, 2, 5], "zip": [8001, 8002, 8001, 8004]})
    report = profile(frame, {"mark": "ordinal", "zip": "nominal"})
    table = report.frame().set_index("column")
    assert table["median"]["mark"] == 2
    assert pd.isna(table["mean"]["mark"])
    assert pd.isna(table["median"]["zip"])
    assert table["mode"]["zip"] == "8001"
    assert report.numeric == ()
    assert report["mark"].attribute.why == "you say so"
    assert profile(frame, continuous={"mark": True})["mark"].attribute.continuous


def test_only_a_ratio_has_a_coefficient_of_variation():
    frame = pd.DataFrame({"t": [60.0, 70.0, 80.0]})
    assert profile(frame).frame()["deviation / mean"][0] == pytest.approx(1 / 7)
    assert pd.isna(profile(frame, {"t": "interval"}).frame()["deviation / mean"][0])


@pytest.mark.parametrize(
    "params", [{"types": {"b": "ratio"}}, {"types": {"a": "metric"}}, {"continuous": {"b": True}}]
)
def test_unknown_columns_and_types_are_refused(params):
    with pytest.raises(ValueError, match=r"\.$"):
        profile(pd.DataFrame({"a": [1, 2]}), **params)


def test_dates_and_ordered_categories_have_a_median():
    days = pd.to_datetime(["2024-01-01", "2024-01-03", "2024-01-11"])
    sizes = pd.Categorical(["s", "l", "l"], ["s", "m", "l"], ordered=True)
    report = profile(pd.DataFrame({"day": days, "size": sizes}))
    assert report["day"].summary.range == 10
    assert (report["size"].attribute.type, report["size"].summary.median) == ("ordinal", 2)


def test_wide_tables_have_covariances_of_their_first_columns():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(12, 80))).add_prefix("c")
    assert len(profile(frame).numeric) == 50


def test_the_table_stays_as_it_is():
    frame = load("airquality").frame
    before = frame.copy()
    report = profile(frame)
    pd.testing.assert_frame_equal(frame, before)
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.n_rows = 1
