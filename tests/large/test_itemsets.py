import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mlxtend.frequent_patterns import apriori as mlxtend_apriori

from dmlib.association import apriori
from dmlib.large import frequent_itemsets
from tests.large.pieces import cut, files, order, places

ITEMS = ["milk", "bread", "beer", "tea", "eggs"]


def baskets(n, seed):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(rng.random((n, 5)) < [0.6, 0.5, 0.3, 0.2, 0.05], columns=ITEMS)


def lists(matrix):
    return [list(matrix.columns[row]) for row in matrix.to_numpy()]


@given(
    places,
    order,
    st.integers(0, 99),
    st.sampled_from([0.02, 0.1, 0.2, 0.25, 0.5, 1.0]),
    st.sampled_from([1, 20, 2000]),
)
@settings(max_examples=40, deadline=None)
def test_son_is_exact(cuts, shuffled, seed, min_support, fewest):
    matrix = baskets(200, seed)
    with pytest.MonkeyPatch.context() as patch:
        # From one basket a part to one part of all.
        patch.setattr("dmlib.large.itemsets.MIN_BASKETS", fewest)
        ours = frequent_itemsets(cut(matrix, cuts, shuffled), min_support)
    theirs = mlxtend_apriori(matrix, min_support=min_support, use_colnames=True)
    assert {frozenset(names): support for names, support in ours.items()} == dict(
        zip(theirs["itemsets"], theirs["support"], strict=True)
    )


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_every_form_of_baskets_gives_the_same(tmp_path, ending):
    matrix = baskets(300, 3)
    texts = pd.DataFrame(
        {"id": np.arange(300), "basket": [";".join(items) for items in lists(matrix)]}
    )
    expected = apriori(lists(matrix), 0.1)
    folder = files(texts, tmp_path, ending)
    assert frequent_itemsets(folder, 0.1, items="basket", separator=";") == pytest.approx(expected)
    assert frequent_itemsets(matrix.astype(int), 0.1) == pytest.approx(expected)
    long = pd.DataFrame({"basket": lists(matrix)})
    if ending == "parquet":
        long.to_parquet(tmp_path / "lists.parquet")
        assert frequent_itemsets(tmp_path / "lists.parquet", 0.1, items="basket") == pytest.approx(
            expected
        )


def test_an_item_counts_once_in_a_basket_and_blanks_are_none():
    frame = pd.DataFrame({"basket": ["tea tea", " tea  milk ", "", None]})
    assert frequent_itemsets(frame, 0.25, items="basket") == {
        ("milk",): 0.25,
        ("tea",): 0.5,
        ("milk", "tea"): 0.25,
    }


def test_nothing_frequent_is_no_item_set():
    assert frequent_itemsets(pd.DataFrame({"a": [1, 0, 0], "b": [0, 0, 0]}), 0.5) == {}
    assert frequent_itemsets(pd.DataFrame({"basket": ["", None]}), 0.5, items="basket") == {}


def test_supports_out_of_bounds_and_too_many_candidates_get_a_sentence():
    with pytest.raises(ValueError, match=r"min_support must be a number from 1e-06 to 1; it was 0"):
        frequent_itemsets(baskets(9, 0), 0)
    everything = pd.DataFrame(np.ones((30, 40), bool)).add_prefix("item ")
    with pytest.raises(ValueError, match=r"candidates.*[Rr]aise|max_length"):
        frequent_itemsets(everything, 0.5)
    assert len(frequent_itemsets(everything, 0.5, max_length=2)) == 40 + 40 * 39 // 2


def test_texts_are_no_items_unless_they_list_them():
    with pytest.raises(
        ValueError, match=r"The column 'a' holds neither numbers nor truth values. Leave it out"
    ):
        frequent_itemsets(pd.DataFrame({"a": ["t", "f"]}), 0.5)
    assert frequent_itemsets(pd.DataFrame({"a": [True, None, False], "b": [None] * 3}), 0.3) == {
        ("a",): 1 / 3
    }
