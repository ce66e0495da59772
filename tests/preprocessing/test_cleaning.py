"""The cleaned table, and code that does the same."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from dmlib.datasets import load
from dmlib.preprocessing import Cleaning, summarise
from dmlib.preprocessing.cleaning import HOLES, OUTLIERS

NUMERIC = ("ozone", "wind")


def by_code(cleaning, frame):
    names = {"frame": frame}
    exec(cleaning.code(), names)
    return names["frame"]


@pytest.mark.parametrize(
    ("outliers", "holes", "duplicates"), list(product(OUTLIERS, HOLES, (False, True)))
)
def test_the_code_does_what_was_done(outliers, holes, duplicates):
    frame = load("airquality").frame
    frame = pd.concat([frame, frame.tail(3)], ignore_index=True)
    before = frame.copy()
    cleaning = Cleaning(("day",), duplicates, outliers, NUMERIC, holes)
    cleaned = cleaning.clean(frame)
    pd.testing.assert_frame_equal(cleaned, by_code(cleaning, frame))
    pd.testing.assert_frame_equal(frame, before)
    assert "day" not in cleaned
    assert cleaned.duplicated().any() != duplicates or holes != "keep" or outliers != "keep"
    if holes != "keep":
        assert cleaned.notna().all(axis=None)


def test_outliers():
    x = [1.0, 2.0, 3.0, 4.0, 100.0]
    frame = pd.DataFrame({"x": x, "y": x})
    high = summarise(x).fences[1]
    clipped = Cleaning(outliers="clip", numeric=("x",)).clean(frame)
    assert clipped["x"].tolist() == [1, 2, 3, 4, high]
    assert clipped["y"].tolist() == x
    assert Cleaning(outliers="missing", numeric=("x",)).clean(frame)["x"].isna().sum() == 1
    assert Cleaning(outliers="drop", numeric=("x",)).clean(frame)["y"].tolist() == [1, 2, 3, 4]


def test_holes_in_names_get_the_mode():
    frame = load("penguins").frame
    filled = Cleaning(holes="median").clean(frame)
    assert filled.notna().all(axis=None)
    assert (filled["sex"][frame["sex"].isna()] == frame["sex"].mode()[0]).all()
    assert (
        filled["body_mass_g"][frame["body_mass_g"].isna()].unique() == frame["body_mass_g"].median()
    )


def test_an_empty_column_stays_empty():
    frame = pd.DataFrame({"a": [np.nan, np.nan], "b": [1.0, np.nan], "c": [None, None]})
    for how in ("mean", "median"):
        cleaning = Cleaning(holes=how)
        assert cleaning.clean(frame)[["a", "c"]].isna().all(axis=None)
        pd.testing.assert_frame_equal(cleaning.clean(frame), by_code(cleaning, frame))


def test_hostile_names_are_data_in_the_code():
    name = '\'); import os; os.abort() #\n""" {x}'
    frame = pd.DataFrame({name: [1.0, 2.0, 3.0, 4.0, 100.0], "b": [1, 1, 1, 1, 1]})
    cleaning = Cleaning(("b",), outliers="missing", numeric=(name,), holes="mean")
    pd.testing.assert_frame_equal(cleaning.clean(frame), by_code(cleaning, frame))


def test_infinite_numbers_count_as_missing():
    frame = pd.DataFrame({"x": [1.0, np.inf, 3.0, -np.inf, 5.0]})
    for how in OUTLIERS:
        cleaning = Cleaning(outliers=how, numeric=("x",), holes="mean")
        assert cleaning.clean(frame)["x"].tolist() == [1, 3, 3, 3, 5]
        pd.testing.assert_frame_equal(cleaning.clean(frame), by_code(cleaning, frame))


def test_wide_tables_are_filled_in_one_go():
    frame = pd.DataFrame(np.arange(600.0).reshape(3, 200)).add_prefix("c")
    frame.iloc[1] = np.nan
    cleaning = Cleaning(numeric=tuple(frame.columns), outliers="clip", holes="median")
    pd.testing.assert_frame_equal(cleaning.clean(frame), by_code(cleaning, frame))
