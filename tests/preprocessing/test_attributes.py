"""Types of attributes, guessed from values, order and name."""

import numpy as np
import pandas as pd
import pytest

from dmlib.preprocessing import guess_attribute


def column(values, name="x"):
    return pd.Series(values, name=name)


SIZES = pd.Categorical(["small", "large"] * 3, ["small", "medium", "large"], ordered=True)


@pytest.mark.parametrize(
    ("values", "expected", "continuous"),
    [
        (column([1.5, 2.0, 7.25]), "ratio", True),
        (column([1, 2, 7]), "ratio", False),
        (column([-1.5, 2.0, 7.0]), "interval", True),
        (column([1.5, 2.0, 7.0], "temp_max"), "interval", True),
        (column([1.5, 2.0, 7.0], "waterTemperature"), "interval", True),
        (column([1990, 1991, 2003], "Year"), "interval", False),
        (column([1.5, 2.0, 7.0], "attempts"), "ratio", True),
        (column(pd.to_datetime(["2024-01-01", "2024-02-01"])), "interval", True),
        (column(["a", "b", "c"]), "nominal", False),
        (column(SIZES), "ordinal", False),
        (column([True, False, True]), "symmetric binary", False),
        (column([True, False, False]), "asymmetric binary", False),
        (column(["yes", "no", "no"]), "asymmetric binary", False),
        (column(["yes", "no", "yes"]), "symmetric binary", False),
        (column(["male", "female", "male"]), "symmetric binary", False),
        (column([0, 1, 0, 0]), "asymmetric binary", False),
        (column([1, 2, 2]), "symmetric binary", False),
        (column([8, 19, 8]), "ratio", False),
        (column([np.nan, np.nan]), "ratio", True),
        (column(["a", None, None]), "nominal", False),
    ],
    ids=range(20),
)
def test_guess(values, expected, continuous):
    attribute = guess_attribute(values)
    assert (attribute.type, attribute.continuous) == (expected, continuous)
    assert attribute.why


def test_identifiers():
    assert guess_attribute(column(range(5, 25))).identifier
    assert guess_attribute(column([f"row {i}" for i in range(12)])).identifier
    assert not guess_attribute(column(range(1900, 1930), "year")).identifier
    assert not guess_attribute(column([3, 1, 2] * 4)).identifier
    assert not guess_attribute(column(["a", "b"])).identifier


def test_holes_and_infinities_say_nothing():
    assert guess_attribute(column([1.0, np.nan, np.inf, 3.0])).type == "ratio"
    assert not guess_attribute(column([1.0, np.nan, 3.0])).continuous
    assert guess_attribute(column(pd.array([1, None, 3], dtype="Int64"))).type == "ratio"
