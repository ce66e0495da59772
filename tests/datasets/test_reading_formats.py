"""Workbooks, archives, Parquet, JSON, ARFF, limits, and files that are no table."""

import gzip
import json

import pandas as pd
import pytest

from dmlib.datasets import Limits
from tests.datasets.files import (
    PEOPLE,
    RECORDS,
    cell,
    kinds_of_notes,
    opendocument,
    read,
    refused,
    workbook,
    zipped,
)


def test_a_workbook():
    data = workbook({"A1": "name", "B1": "x", "A2": "u", "B2": 1.5, "A3": "v", "B3": 2})
    table = read(data, "data.xlsx")
    assert table.frame.to_dict("list") == {"name": ["u", "v"], "x": [1.5, 2]}
    assert table.notes == ()
    assert kinds_of_notes(read(data, "data.csv")) == ["format_guessed"]


def test_the_first_filled_sheet_is_taken():
    table = read(workbook({}, {"A1": "x", "A2": 1, "A3": 3}), "data.xlsx")
    assert table.frame["x"].tolist() == [1, 3]
    assert kinds_of_notes(table) == ["sheet_chosen"]


def test_an_opendocument_table():
    rows = "".join(
        f"<table:table-row>{cell(a)}{cell(b)}</table:table-row>" for a, b in ("ab", "u1", "v2")
    )
    assert read(opendocument(rows), "data.ods").frame.to_dict("list") == {
        "a": ["u", "v"],
        "b": [1, 2],
    }


def test_cells_far_away_are_refused_before_memory_is_spent():
    assert refused(workbook({"A1": "x", "XFD1048576": 1}), "data.xlsx") == "too_many_columns"
    assert refused(workbook({"A1": "x", "B1048576": 1}), "data.xlsx") == "too_many_rows"
    wide = cell("x", ' table:number-columns-repeated="16384"')
    row = f'<table:table-row table:number-rows-repeated="1048576">{wide}</table:table-row>'
    assert refused(opendocument(row), "data.ods") == "too_many_columns"


def test_an_unpacked_size_over_the_limit_is_refused():
    assert refused(workbook({"A1": "x"}), "data.xlsx", limits=Limits(n_unpacked=100)) == "bomb"


def test_entities_in_a_workbook_are_refused():
    assert refused(workbook({"A1": "x", "&#66;1": 2}), "data.xlsx") == "unsafe_xml"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty_file"),
        (b" \n\t\n", "empty_file"),
        (b"\xef\xbb\xbf\n", "empty_file"),
        (b"\xef\xbb\xbf", "empty_file"),
        (b"a,b\n", "no_rows"),
        (b"a,b\n1,2\n1,2,3\n1,2\n", "ragged"),
        (b'a,b\n1,2\n"3,4\n5,6\n', "bad_quotes"),
        (b'a,b\n"1"x,2\n', "bad_quotes"),
        (b"\x89PNG\r\n\x1a\n\0\0", "binary"),
        (b"a,b\n1,\x00\n", "binary"),
        (bytes(range(256)) * 8, "binary"),
        (b"<!DOCTYPE html><html></html>", "wrong_format"),
        (b'<?xml version="1.0"?><a/>', "wrong_format"),
        (b'[{"a": 1}', "corrupt"),
        (b'{"a": {"b": 1}}', "not_a_table"),
        (b"[]", "no_rows"),
        (b"% weather\n@relation weather\n", "bad_header"),
        (b"@relation r\n@attribute a numeric\n@data\n{0 1}\n", "unsupported"),
        (b"@relation r\n@attribute a numeric\n@data\n", "no_rows"),
        (b"@relation r\n@attribute a numeric\n@data\n1,2\n", "ragged"),
        (b"PAR1....PAR1", "corrupt"),
        (b"\x1f\x8b\x08\0", "corrupt"),
        (b"SQLite format 3\0", "unsupported"),
        (b"PK\x03\x04broken", "corrupt"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "corrupt"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        (b"a," * 3000 + b"a\n1\n", "too_many_columns"),
    ],
)
def test_what_is_no_table_is_refused_with_a_reason(data, reason):
    assert refused(data) == reason


def test_archives_of_one_file_are_unpacked():
    for name, data in (
        ("people.csv.zip", zipped(people=PEOPLE)),
        ("people.csv.gz", gzip.compress(PEOPLE.encode())),
    ):
        assert read(data, name).frame.equals(read(PEOPLE).frame)
        assert kinds_of_notes(read(data, name)) == []
        assert kinds_of_notes(read(data, "people.csv")) == ["format_guessed"]


def test_archives_that_cannot_be_unpacked_are_refused():
    assert refused(zipped(a=PEOPLE, b=PEOPLE), "data.zip") == "wrong_format"
    assert refused(zipped(a=gzip.compress(b"a,b\n1,2\n")), "data.zip") == "wrong_format"
    bomb = Limits(n_unpacked=1000)
    assert refused(zipped(a=b"0" * 2000), "data.zip", limits=bomb) == "bomb"
    assert refused(gzip.compress(b"0" * 2000), "data.gz", limits=bomb) == "bomb"
    assert refused(gzip.compress(PEOPLE.encode())[:-9], "data.gz") == "corrupt"


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"n_rows": 2}, "too_many_rows"),
        ({"n_columns": 2}, "too_many_columns"),
        ({"n_cells": 6}, "too_large"),
        ({"n_bytes": 10}, "too_large"),
    ],
)
def test_limits_are_named(limits, reason):
    assert refused(PEOPLE, limits=Limits(**limits)) == reason


def test_parquet(tmp_path):
    frame = pd.DataFrame(
        {
            "n": [1, 2],
            "x": [1.5, None],
            "word": ["u", None],
            "flag": [True, False],
            "day": pd.to_datetime(["2024-01-10", "2024-01-11"]),
            "list": [[1, 2], None],
        }
    )
    frame.to_parquet(tmp_path / "data.parquet")
    data = (tmp_path / "data.parquet").read_bytes()
    table = read(data, "data.parquet")
    assert table.frame["n"].tolist() == [1, 2]
    assert table.frame["list"][0] == "[1, 2]"
    assert table.frame["word"].isna().tolist() == [False, True]
    assert [table.kinds[name] for name in frame] == [
        "numeric",
        "numeric",
        "nominal",
        "nominal",
        "date",
        "nominal",
    ]
    assert refused(data, "data.parquet", limits=Limits(n_rows=1)) == "too_many_rows"


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(RECORDS),
        "\n".join(map(json.dumps, RECORDS)),
        json.dumps({"rows": RECORDS}),
        json.dumps({"x": [1.5, None, None], "g": ["a", "b", "c"], "h": [None, None, True]}),
    ],
    ids=["list", "lines", "wrapped", "columns"],
)
def test_json(text):
    table = read(text, "data.json")
    assert table.frame["x"].tolist()[0] == 1.5
    assert table.frame["g"].tolist() == ["a", "b", "c"]
    assert table.frame["h"].tolist()[2] == "true"


def test_arff():
    text = """% weather
@RELATION weather
@attribute 'out look' {sunny, 'light rain'}
@attribute windy {0, 1}
@attribute temperature real
@data
sunny, 0, 85.5
'light rain', 1, ?
"""
    table = read(text, "weather.arff")
    assert list(table.frame) == ["out look", "windy", "temperature"]
    assert table.frame["out look"].tolist() == ["sunny", "light rain"]
    assert dict(table.kinds) == {
        "out look": "nominal",
        "windy": "nominal",
        "temperature": "numeric",
    }
    assert table.frame["temperature"].isna().tolist() == [False, True]


def test_a_sheet_can_be_chosen():
    data = workbook({"A1": "x", "A2": 1, "A3": 2}, {"A1": "y", "A2": 3, "A3": 4})
    assert list(read(data, "data.xlsx", sheet="S2").frame) == ["y"]
    assert refused(data, "data.xlsx", sheet="S3") == "wrong_format"
