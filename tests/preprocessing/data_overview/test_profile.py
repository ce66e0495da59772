"""The profile of a table: what it counts, what it allows, what it warns of."""

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


def kinds(told):
    return {(issue.kind, issue.column) for issue in told.issues}


@pytest.mark.parametrize("name", [name for name, entry in LIBRARY.items() if entry.kind == "table"])
def test_numbers_are_those_of_pandas(name):
    frame = load(name).frame
    told = profile(frame)
    assert [column.name for column in told.columns] == list(frame.columns)
    assert told.n_duplicates == frame.duplicated().sum()
    for column in told.columns:
        values = frame[column.name]
        assert (column.n, column.n_missing) == (values.count(), values.isna().sum())
        assert column.n_distinct == values.nunique()
        if column.mode_count:
            assert column.mode_count == values.value_counts().max()
        if column.attribute.arithmetic:
            assert column.summary.mean == pytest.approx(values.mean())
            assert column.summary.variance == pytest.approx(values.var())
    numeric = list(told.numeric)
    np.testing.assert_allclose(told.covariance, frame[numeric].cov(), rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(told.correlation, frame[numeric].corr(), rtol=1e-8, atol=1e-12)
    assert len(told.frame()) == frame.shape[1]


@settings(deadline=None)
@given(ROWS)
def test_any_table_can_be_described(rows):
    frame = pd.DataFrame(rows, columns=["x", "y"])
    told = profile(frame)
    assert told.n_rows == len(rows)
    assert sum(column.n + column.n_missing for column in told.columns) == 2 * len(rows)
    assert all(issue.text.endswith(".") for issue in told.issues)
    assert not told.frame().empty


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
    told = profile(pd.concat([frame, frame.tail(1)]))
    assert {
        ("constant", "same"),
        ("missing", "hole"),
        ("empty", "empty"),
        ("outliers", "far"),
    } <= kinds(told)
    assert ("duplicates", "") in kinds(told)
    assert ("imbalance", "rare") in kinds(told)
    assert ("identifier", "number") in kinds(profile(frame))


def test_columns_that_say_the_same_are_told():
    x = np.arange(10) ** 2.0
    assert ("correlation", "") in kinds(profile(pd.DataFrame({"cm": x, "mm": 10 * x})))


def test_types_decide_what_is_computed():
    frame = pd.DataFrame({"mark": [1, 2, 2, 5], "zip": [8001, 8002, 8001, 8004]})
    told = profile(frame, {"mark": "ordinal", "zip": "nominal"})
    table = told.frame().set_index("column")
    assert table["median"]["mark"] == 2
    assert pd.isna(table["mean"]["mark"])
    assert pd.isna(table["median"]["zip"])
    assert table["mode"]["zip"] == "8001"
    assert told.numeric == ()
    assert told["mark"].attribute.why == "you say so"
    assert profile(frame, continuous={"mark": True})["mark"].attribute.continuous


def test_only_a_ratio_has_a_coefficient_of_variation():
    frame = pd.DataFrame({"t": [60.0, 70.0, 80.0]})
    assert profile(frame).frame()["deviation / mean"][0] == pytest.approx(1 / 7)
    assert pd.isna(profile(frame, {"t": "interval"}).frame()["deviation / mean"][0])


@pytest.mark.parametrize(
    "given", [{"types": {"b": "ratio"}}, {"types": {"a": "metric"}}, {"continuous": {"b": True}}]
)
def test_unknown_columns_and_types_are_refused(given):
    with pytest.raises(ValueError, match=r"\.$"):
        profile(pd.DataFrame({"a": [1, 2]}), **given)


def test_dates_and_ordered_categories_have_a_median():
    days = pd.to_datetime(["2024-01-01", "2024-01-03", "2024-01-11"])
    sizes = pd.Categorical(["s", "l", "l"], ["s", "m", "l"], ordered=True)
    told = profile(pd.DataFrame({"day": days, "size": sizes}))
    assert told["day"].summary.range == 10
    assert (told["size"].attribute.type, told["size"].summary.median) == ("ordinal", 2)


def test_wide_tables_have_covariances_of_their_first_columns():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(12, 80))).add_prefix("c")
    assert len(profile(frame).numeric) == 50


def test_the_table_stays_as_it_is():
    frame = load("airquality").frame
    before = frame.copy()
    told = profile(frame)
    pd.testing.assert_frame_equal(frame, before)
    with pytest.raises(dataclasses.FrozenInstanceError):
        told.n_rows = 1
