"""Rows of a table as baskets: each value is an item, a number that of its interval."""

import numpy as np
import pandas as pd
import pytest

from dmlib.association import table_items
from dmlib.datasets import load


@pytest.mark.parametrize("rule", ["equal_frequency", "natural", "sturges"])
@pytest.mark.parametrize("bins", [2, 3, 5])
def test_each_number_is_in_one_interval_of_its_column(rule, bins):
    table = load("iris")
    baskets = table_items(table.frame, table.kinds, bins=bins, rule=rule)
    assert {len(basket) for basket in baskets.transactions} == {5}
    for row, basket in zip(table.frame.to_dict("records"), baskets.transactions, strict=True):
        for item in basket:
            if "=" in item:
                assert item == f"species={row['species']}"
                continue
            expression = item.replace("≤", "<=").replace("<==", "<=")
            assert eval(expression, {}, row), (item, row)


def test_missing_values_have_no_item_and_what_says_nothing_is_left_out():
    frame = pd.DataFrame(
        {"a": [1.0, np.nan, 3.0], "b": ["x", None, "y"], "id": ["p", "q", "r"], "none": [None] * 3}
    )
    kinds = {"a": "numeric", "b": "nominal", "id": "id", "none": "nominal"}
    baskets = table_items(frame, kinds, bins=2)
    assert [sorted(basket) for basket in baskets.transactions] == [
        ["a≤2", "b=x"],
        [],
        ["a>2", "b=y"],
    ]
    assert baskets.notes == (
        "a is cut at 2, by equal frequency.",
        "id is left out.",
        "none is left out.",
    )


def test_a_constant_column_is_one_item():
    baskets = table_items(pd.DataFrame({"a": [5, 5]}))
    assert (baskets.transactions, baskets.notes) == (({"a=any"}, {"a=any"}), ("a has one value.",))


def test_cuts_that_are_close_keep_their_digits():
    baskets = table_items(pd.DataFrame({"a": [1000001.0, 1000002.0, 1000003.0]}), bins=3)
    assert len({item for basket in baskets.transactions for item in basket}) == 3
