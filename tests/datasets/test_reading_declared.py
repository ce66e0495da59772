"""Kinds, roles and undone guesses that `read_table` hands on, beyond the catalogue of odd files."""

import pandas as pd
import pytest

from dmlib.datasets import read_table
from tests.datasets.files import kinds_of_notes, read
from tests.datasets.messy import beside, between, declared, grades, row_names, sniffed, unnamed
from tests.datasets.messy.declared import LINES, flowers
from tests.datasets.messy.row_names import cars

ROLES = {"name": "label", "iris": "target", "code": "ignore"}


@pytest.mark.parametrize(
    "text",
    [flowers(*LINES), flowers("C#size D#colour mS#name cD#iris iD#code")],
    ids=["three lines", "prefixes"],
)
def test_the_class_and_the_roles_are_those_that_orange_declares(text):
    table = read(text, "flowers.tab")
    assert table.target == "iris"
    assert dict(table.roles) == ROLES


def test_a_role_that_is_decided_replaces_those_of_the_file():
    table = read(flowers(*LINES), "flowers.tab", roles={"colour": "target"})
    assert table.target == "colour"
    assert dict(table.roles) == {"colour": "target"}


def test_a_kind_that_is_decided_goes_before_that_of_the_file():
    table = read(flowers(*LINES), "flowers.tab", kinds={"code": "numeric"})
    assert table.kinds["code"] == "numeric"
    assert table.kinds["iris"] == "nominal"


def test_a_declared_number_that_is_a_word_stays_one():
    table = read("C#x,cD#y\na,u\nb,v\na,u\n")
    assert dict(table.kinds) == {"x": "nominal", "y": "nominal"}


def test_lines_that_are_left_out_are_among_the_repairs():
    repairs = read(flowers(*LINES), "flowers.tab").repairs
    assert repairs["line"].tolist() == [2, 3]
    repairs = read("x,y\n1,2\nx,y\n3,5\n").repairs
    assert repairs[["line", "text"]].to_numpy().tolist() == [[3, "x | y"]]


def test_rows_of_a_table_beside_are_among_the_repairs():
    text = "a,b,,c,d\n1,u,,5,v\n2,u,,6,w\n4,v,,,\n"
    repairs = read(text).repairs
    assert repairs["text"].tolist() == ["c | d", "5 | v", "6 | w"]


def test_the_names_of_rows_are_no_feature():
    table = read(cars(" "))
    assert table.kinds["column_1"] == "id"
    assert table.comparable == ("mpg", "cyl", "tyre")


def test_quotes_that_enclose_nothing_are_read_as_if_it_was_said():
    text = 'k\tt\n"a\t"b" c\nd\t"e\n'
    assert kinds_of_notes(read(text)).count("format_guessed") == 1
    assert "format_guessed" not in kinds_of_notes(read(text, quote=""))
    assert read(text).frame.equals(read(text, quote="").frame)


CASES = [
    case
    for part in (beside, between, declared, grades, row_names, sniffed, unnamed)
    for case in part.CASES
]


@pytest.mark.parametrize(
    "case", [case for case in CASES if not callable(case.make)], ids=lambda case: case.id
)
def test_large_files_are_read_as_small_ones(monkeypatch, case):
    expected = read_table(case.data, case.name, options=case.options)
    monkeypatch.setattr("dmlib.datasets.reading.bulk.MIN_BYTES", 0)
    table = read_table(case.data, case.name, options=case.options)
    pd.testing.assert_frame_equal(table.frame, expected.frame)
    assert (table.kinds, table.notes, table.target) == (
        expected.kinds,
        expected.notes,
        expected.target,
    )
    assert table.repairs.equals(expected.repairs)
