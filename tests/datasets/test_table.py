import numpy as np
import pandas as pd
import pytest

from dmlib.datasets import Baskets, Note, Table
from dmlib.datasets.table import infer_kinds


def table(frame, **kinds):
    return Table(frame, {**infer_kinds(frame), **kinds}, name="test")


def test_kinds_are_inferred_and_listed():
    frame = pd.DataFrame(
        {
            "size": [1.5, np.nan],
            "count": [1, 2],
            "colour": ["red", None],
            "open": [True, False],
            "grade": pd.Categorical(["low", "high"], ["low", "high"], ordered=True),
        }
    )
    t = table(frame)
    assert t.numeric == ("size", "count")
    assert t.nominal == ("colour", "open")
    assert t.kinds["grade"] == "ordinal"


@pytest.mark.parametrize("kinds", [{}, {"b": "numeric"}, {"a": "round"}])
def test_kinds_must_fit_the_columns(kinds):
    with pytest.raises(ValueError, match="kind"):
        Table(pd.DataFrame({"a": [1]}), kinds, name="test")


def test_repeated_names_and_unknown_targets_are_refused():
    with pytest.raises(ValueError, match="names"):
        Table(pd.DataFrame([[1, 2]], columns=["a", "a"]), {"a": "numeric"}, name="test")
    with pytest.raises(ValueError, match="'b'"):
        Table(pd.DataFrame({"a": [1]}), {"a": "numeric"}, name="test", target="b")


def test_words_to_numbers_counts_what_cannot_be_read():
    t = table(pd.DataFrame({"a": ["1", "2.5", "oops", None]})).with_kinds({"a": "numeric"})
    assert t.numeric == ("a",)
    assert t.frame["a"].fillna(-1).tolist() == [1, 2.5, -1, -1]
    assert t.notes == (
        Note("mixed_types", "1 of 4 values of 'a' are not numbers and count as missing."),
    )


def test_a_column_without_numbers_cannot_be_numeric():
    with pytest.raises(ValueError, match="holds no numbers"):
        table(pd.DataFrame({"a": ["x", "y"]})).with_kinds({"a": "numeric"})


def test_numbers_to_words_and_back():
    frame = pd.DataFrame({"a": [3.0, 1.5, np.nan]})
    words = table(frame).with_kinds({"a": "nominal"})
    assert words.frame["a"].tolist()[:2] == ["3", "1.5"]
    assert words.frame["a"].isna().tolist() == [False, False, True]
    pd.testing.assert_frame_equal(words.with_kinds({"a": "numeric"}).frame, frame)


def test_the_original_is_not_changed():
    t = table(pd.DataFrame({"a": [1, 2]}))
    t.with_kinds({"a": "nominal"})
    assert t.frame["a"].tolist() == [1, 2]
    assert t.kinds == {"a": "numeric"}


def test_ordinal_keeps_numbers_and_orders_words():
    t = table(pd.DataFrame({"scale": [2, 1], "text": ["b", "a"], "digits": ["10", "9"]}))
    t = t.with_kinds(dict.fromkeys(t.kinds, "ordinal"))
    assert t.frame["scale"].tolist() == [2, 1]
    assert t.frame["text"].cat.ordered
    assert t.frame["text"].cat.categories.tolist() == ["a", "b"]
    assert t.frame["digits"].tolist() == [10, 9]


def test_declared_levels_give_the_order_and_the_ranks():
    levels = pd.Categorical(["high", "low", None], ["low", "mid", "high"])
    ordinal = table(pd.DataFrame({"a": levels})).with_kinds({"a": "ordinal"})
    assert ordinal.frame["a"].max() == "high"
    ranks = ordinal.with_kinds({"a": "numeric"})
    assert ranks.frame["a"].fillna(0).tolist() == [3, 1, 0]
    assert ranks.notes[-1].kind == "ranks"


def test_an_order_of_words_can_be_written():
    words = table(pd.DataFrame({"a": ["b", "a", None, "c"], "n": [1, 2, 3, 4]}))
    t = words.with_kinds({"a": "ordinal", "n": "ordinal"})
    written = t.with_orders({"a": ["c", "z", "a", "c"]})
    assert written.frame["a"].cat.categories.tolist() == ["c", "a", "b"]
    assert written.frame["a"].cat.ordered
    assert written.frame["a"].astype(object).equals(t.frame["a"].astype(object))
    assert written.digest != t.digest
    assert [note.text for note in written.notes if note.kind == "ordered"] == [
        "The values of 'a' are taken in this order: c, a, b."
    ]
    for name in ("n", "nowhere"):
        with pytest.raises(ValueError, match="is no ordinal column of words"):
            t.with_orders({name: ["1"]})


def test_unknown_columns_and_kinds_are_named():
    t = table(pd.DataFrame({"a": [1]}))
    with pytest.raises(ValueError, match="no column 'b'"):
        t.with_kinds({"b": "numeric"})
    with pytest.raises(ValueError, match="'round'"):
        t.with_kinds({"a": "round"})


def test_dates_are_read_and_counted():
    t = table(pd.DataFrame({"day": ["1970-01-02", "soon", "1970-01-11"]})).with_kinds(
        {"day": "date"}
    )
    assert t.kinds == {"day": "date"}
    assert [note.kind for note in t.notes] == ["mixed_types"]
    assert t.with_kinds({"day": "numeric"}).frame["day"].tolist()[::2] == [1, 10]
    with pytest.raises(ValueError, match="no dates"):
        table(pd.DataFrame({"a": ["x"]})).with_kinds({"a": "date"})


def test_columns_that_only_name_rows_are_not_compared():
    t = table(pd.DataFrame({"a": [1, 2], "b": ["u", "v"]}))
    assert t.comparable == ("a", "b")
    named = t.with_kinds({"a": "id", "b": "text"})
    assert named.comparable == ()
    assert named.frame["a"].tolist() == [1, 2]


def test_digest_is_of_the_content():
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", None]})
    assert table(frame).digest == table(frame.copy()).digest
    assert len(table(frame).digest) == 64


@pytest.mark.parametrize(
    "changed",
    [
        pd.DataFrame({"a": [1.0, 3.0], "b": ["x", "y"]}),
        pd.DataFrame({"a": [2.0, 1.0], "b": ["x", "y"]}),
        pd.DataFrame({"a": [1.0, 2.0], "b": ["x", None]}),
        pd.DataFrame({"a": [1.0, 2.0], "b": ["xy", ""]}),
        pd.DataFrame({"a": [1.0, 2.0], "c": ["x", "y"]}),
        pd.DataFrame({"b": ["x", "y"], "a": [1.0, 2.0]}),
        pd.DataFrame({"a": [1.0, 2.0], "b": pd.Categorical(["x", "y"])}),
        pd.DataFrame({"a": [1.0, 2.0], "b": pd.Categorical(["x", "y"], ["y", "x"])}),
    ],
)
def test_digest_sees_every_difference(changed):
    assert table(pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]})).digest != table(changed).digest


def test_digest_sees_the_kinds():
    frame = pd.DataFrame({"a": [1, 2]})
    assert table(frame).digest != table(frame, a="ordinal").digest


def test_digest_samples_nothing():
    values = np.zeros(600_000)
    one = table(pd.DataFrame({"a": values})).digest
    values = values.copy()
    values[345_678] = 1e-300
    assert table(pd.DataFrame({"a": values})).digest != one


def test_digest_of_baskets_sees_where_one_ends():
    one = Baskets((frozenset({"a"}), frozenset({"b"})), name="one")
    two = Baskets((frozenset({"a", "b"}),), name="two")
    assert one.digest != two.digest
    assert one.digest == Baskets(one.transactions, name="again").digest


def test_columns_without_a_value_are_blank():
    t = table(
        pd.DataFrame(
            {"a": [1.0, np.nan], "b": [np.nan, np.nan], "c": [None, None], "d": ["x", None]}
        )
    )
    assert t.blank == {"b", "c"}
