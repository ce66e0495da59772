"""Which columns are nominal, and what their codes are."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from dmlib.classification.columns import UNSEEN, Columns


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (["b", None, "a"], ["a", "b"]),
        ([True, False, None], [False, True]),
        ([True, False, True], [False, True]),
        (
            pd.Categorical(["low", "high", "low"], categories=["low", "high", "never"]),
            ["low", "high", "never"],
        ),
        (pd.Categorical([3, 1, 3]), [1, 3]),
        (["b", 1, "a"], [1, "a", "b"]),
    ],
    ids=[
        "text",
        "boolean and missing",
        "boolean",
        "declared order",
        "categories of numbers",
        "mixed",
    ],
)
def test_what_is_no_number_is_nominal(column, values):
    columns, _ = Columns.read(pd.DataFrame({"a": column, "b": 1.5}))
    assert columns.nominal.tolist() == [True, False]
    assert list(columns.categories[0]) == values


@pytest.mark.parametrize(
    "X",
    [
        [[1.0, None], [2.0, 3.0]],
        np.array([[1, None], [2, 3]], dtype=object),
        pd.DataFrame({"a": pd.array([1, 2], "Int64"), "b": pd.array([None, 3], "Int64")}),
    ],
    ids=["lists", "objects", "nullable"],
)
def test_numbers_with_holes_are_numeric(X):
    columns, matrix = Columns.read(X)
    assert not columns.nominal.any()
    assert_array_equal(matrix, [[1, np.nan], [2, 3]])


def test_lists_and_arrays_of_text_are_nominal():
    for X in ([["sun", 2.0], ["rain", 3.0]], np.array([["sun", 2.0], ["rain", 3.0]], dtype=object)):
        columns, matrix = Columns.read(X)
        assert columns.nominal.tolist() == [True, False]
        assert_array_equal(matrix, [[1, 2], [0, 3]])
    assert Columns.read(np.array([["a"], ["b"]]))[0].nominal.tolist() == [True]


def test_codes_are_those_of_the_first_table():
    columns, _ = Columns.read(pd.DataFrame({"sky": ["sun", "rain"], "wind": [1.0, 2.0]}))
    later = pd.DataFrame({"sky": pd.Categorical(["snow", "sun", None]), "wind": [5.0, None, 7.0]})
    assert_array_equal(columns.encode(later), [[UNSEEN, 5], [1, np.nan], [np.nan, 7]])


def test_repeated_names_are_two_columns():
    frame = pd.DataFrame([["a", "x"], ["b", "y"]], columns=["same", "same"])
    assert_array_equal(Columns.read(frame)[1], [[0, 0], [1, 1]])


def test_text_in_a_numeric_column_is_told():
    columns, _ = Columns.read(pd.DataFrame({"wind": [1.0, 2.0]}))
    with pytest.raises(ValueError, match="'wind' must hold numbers"):
        columns.encode(pd.DataFrame({"wind": ["strong"]}))


@pytest.mark.parametrize(
    "X", [[1.0, 2.0], [["a"], ["b", "c"]], [[np.inf]], np.empty((0, 2)), np.array([[1j]])], ids=str
)
def test_what_is_no_table_is_refused(X):
    with pytest.raises(ValueError, match=r"2D|inhomogeneous|infinity|0 sample|Complex"):
        Columns.read(X)
