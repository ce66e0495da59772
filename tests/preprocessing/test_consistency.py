"""Inconsistent data: domains, rules between columns and spellings, by hand and by pandas."""

import ast
import re
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.datasets import load
from dmlib.preprocessing import Cleaning, profile
from dmlib.preprocessing.consistency import (
    MARK,
    broken_rows,
    read_rules,
    spelling_variants,
    with_one_spelling,
)

FRAME = pd.DataFrame(
    {
        "age": [30.0, -1.0, np.nan, 121.0],
        "in €": [1, 5, 2, 3],
        "out": [3, 4, 2, 9],
        "town": ["Jena", "Gera", None, "jena"],
        "born": pd.to_datetime(["1990-01-01", "2024-06-01", None, "1990-01-05"]),
        "died": pd.to_datetime(["2020-01-01", "2024-05-01", "2020-01-01", "1990-01-05"]),
        "level": [1, 2, 3, 4],
        "ill": [True, False, True, False],
    }
)
RULES = {
    "age >= 0": [False, True, False, False],
    "0 <= age <= 120": [False, True, False, True],
    "`in €` <= out": [False, True, False, False],
    "`in €` = out": [True, True, False, True],
    "out != `in €`": [False, False, True, False],
    "out - `in €` < 2 * pi": [False] * 4,
    "2 * (out - 1) > sqrt(`in €`) ^ 2": [False, False, True, False],
    "born <= died": [False, True, False, False],
    "died - born > 3": [False, True, False, True],
    "town in Jena, Gera": [False, False, False, True],
    "town in Jena": [False, True, False, True],
    "level in 1, 2,4.0": [False, False, True, False],
    "`town` in Jena ; level < 2": [False, True, True, True],
    "ill in True": [False, True, False, True],
    "": [False] * 4,
    " ; ": [False] * 4,
}


@pytest.mark.parametrize("text", RULES)
def test_rows_that_break_a_rule_by_hand(text):
    assert broken_rows(read_rules(text, FRAME), FRAME).tolist() == RULES[text]


@pytest.mark.parametrize("text", RULES)
@pytest.mark.parametrize("inconsistent", ["keep", "mark", "drop"])
def test_the_code_does_what_was_done(text, inconsistent):
    frame = pd.concat([FRAME, FRAME.head(2)])  # with repeated labels of rows
    cleaning = Cleaning(
        ("level",),
        spellings=("town",),
        rules=read_rules(text, frame),
        inconsistent=inconsistent,
        duplicates=True,
    )
    names = {"frame": frame}
    exec(cleaning.code(frame), names)
    pd.testing.assert_frame_equal(names["frame"], cleaning.clean(frame))


def test_rows_are_marked_or_left_out():
    rules = read_rules("age >= 0", FRAME)
    marked = Cleaning(rules=rules, inconsistent="mark").clean(FRAME)
    assert marked[MARK].tolist() == [False, True, False, False]
    assert Cleaning(rules=rules, inconsistent="drop").clean(FRAME).index.tolist() == [0, 2, 3]
    pd.testing.assert_frame_equal(Cleaning(rules=rules).clean(FRAME), FRAME)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("age", "Put <, <=,"),
        ("age <", "The formula cannot be read. Write it with age, `in €`, out"),
        ("age < weight", "may not use 'weight'"),
        ("town < 3", "may not use 'town'"),
        ("ill < 3", "may not use 'ill'"),
        ("1 < 2", "It names no column"),
        ("age in", "Put <, <="),
        ("age in ,", "List the values of age"),
        ("age in young, old", "age holds numbers: list numbers, or write 0 <= age <= 100"),
        ("`in €` in x", "or write 0 <= `in €` <= 100"),
        ("city in Jena", "There is no column city"),
        ("__import__('os') < age", "may not use"),
        ("age < out; out <", "out < cannot be used"),
        ("age < (out", "cannot be read"),
        ("age < `out", "cannot be read"),
    ],
)
def test_a_bad_rule_is_refused_in_a_sentence(text, sentence):
    with pytest.raises(ValueError, match=f"^The rule .*{re.escape(sentence.split('. ')[-1])}"):
        read_rules(text, FRAME)


def test_a_formula_without_a_value_is_refused_in_a_sentence():
    frame = pd.DataFrame({"a": [1.0, 0.0]})
    with pytest.raises(ValueError, match="cannot be divided by 0"):
        broken_rows(read_rules("1 / a > 0", frame), frame)


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=1, max_size=8))
def test_a_chain_holds_where_all_its_parts_hold(pairs):
    frame = pd.DataFrame(pairs, columns=["a", "b"])
    chain = broken_rows(read_rules("-2 <= a < b != 3", frame), frame)
    assert chain.tolist() == [not -2 <= a < b != 3 for a, b in pairs]


def test_tables_without_rows_break_nothing():
    frame = FRAME.head(0)
    assert broken_rows(read_rules("age >= 0; town in Jena", frame), frame).shape == (0,)


@given(st.text(max_size=40))
def test_whatever_is_typed_is_read_or_refused(text):
    with suppress(ValueError):
        assert all(ast.parse(rule.code(FRAME)) for rule in read_rules(text, FRAME))


def test_spellings_by_hand():
    towns = pd.Series(["Jena", " jena", "JENA", "Bad  Berka", "Bad Berka", "Gera", None, "Jena"])
    assert spelling_variants(towns) == (("Jena", " jena", "JENA"), ("Bad  Berka", "Bad Berka"))
    unified = with_one_spelling(towns)
    assert unified.dropna().tolist() == ["Jena"] * 3 + ["Bad Berka"] * 2 + ["Gera", "Jena"]
    assert unified.isna().tolist() == towns.isna().tolist()
    assert spelling_variants(unified) == ()


def test_numbers_have_no_spellings():
    assert spelling_variants(pd.Series([1, 1.0, 2])) == ()
    assert spelling_variants(pd.Series([None, None])) == ()
    assert spelling_variants(pd.Series(["a", 1, "A"], dtype=object)) == ()


def test_the_profile_reports_spellings_and_nothing_else_is_new():
    issues = [
        issue for issue in profile(load("admissions").frame).issues if issue.kind == "spelling"
    ]
    assert [(issue.column, issue.text) for issue in issues] == [
        ("town", "Values of 'town' differ in case or spaces only, as 'Jena' and 'jena'.")
    ]
    for name in ("penguins", "titanic", "mtcars", "automobile"):
        assert not [i for i in profile(load(name).frame).issues if i.kind == "spelling"]
