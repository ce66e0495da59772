"""Columns of large files, read in another way than small ones, and damaged files."""

import io
import struct

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from dmlib.datasets import TableError, read_table
from dmlib.datasets.reading import bulk
from dmlib.datasets.reading.cells import matching
from dmlib.datasets.reading.numbers import plain_numbers
from tests.datasets.messy import identifiers, long_codes, measures, times

TEXTS = [
    case
    for part in (measures, times, long_codes, identifiers)
    for case in part.CASES
    if case.name == "data.csv"
]


@pytest.mark.parametrize("case", TEXTS, ids=lambda case: case.id)
def test_large_files_are_read_as_small_ones(case, monkeypatch):
    small = read_table(case.data, case.name, options=case.options)
    monkeypatch.setattr(bulk, "MIN_BYTES", 1)
    large = read_table(case.data, case.name, options=case.options)
    pd.testing.assert_frame_equal(large.frame, small.frame, check_dtype=False)
    assert large.kinds == small.kinds
    assert {note.kind for note in large.notes} == {note.kind for note in small.notes}


@pytest.mark.parametrize(
    ("head", "row", "column", "expected"),
    [
        (
            "branch;sales;margin",
            "Branch number {0};{1}.250;{2},5",
            "sales",
            lambda i: 1000 * (i % 9 + 1) + 250,
        ),
        (
            "branch;sales;margin",
            "Branch number {0};{1},250;{2}.5",
            "sales",
            lambda i: 1000 * (i % 9 + 1) + 250,
        ),
        (
            "item;price;n",
            "Item number {0};CHF {1}'250.-;{2}",
            "price",
            lambda i: 1000 * (i % 9 + 1) + 250,
        ),
        ("sample;value;n", "Sample number {0};<0.{1};{2}", None, None),
        ("run;time;n", "Run number {0};{1}:30:05;{2}", "time", lambda i: 3600 * (i % 9 + 1) + 1805),
    ],
    ids=["points", "commas", "prices", "limits alone", "times"],
)
def test_a_hundred_thousand_rows(head, row, column, expected):
    lines = [row.format(i % 7, i % 9 + 1, i % 90) for i in range(100_000)]
    table = read_table(("\n".join([head, *lines]) + "\n").encode(), "large.csv")
    assert table.frame.shape == (100_000, 3)
    if column is None:
        assert table.kinds["value"] == "nominal"
    else:
        assert table.frame[column].tolist() == [expected(i) for i in range(100_000)]


def promising(n_rows, place):
    """Return a Parquet file of 12 rows that promises another number in one place."""
    out = io.BytesIO()
    parquet.write_table(pa.table({"a": pa.array(range(12), pa.int64())}), out)
    data = out.getvalue()
    size = struct.unpack("<I", data[-8:-4])[0]
    body, description = data[: -8 - size], data[-8 - size : -8]
    places = [
        i for i in range(len(description)) if description[i : i + 2] == b"\x16\x18"
    ]  # 12, as Thrift packs it
    at = places[place]
    description = description[: at + 1] + packed(n_rows) + description[at + 2 :]
    return body + description + struct.pack("<I", len(description)) + b"PAR1"


def packed(number):
    number *= 2
    digits = []
    while number > 127:
        digits.append(number % 128 + 128)
        number //= 128
    return bytes([*digits, number])


@pytest.mark.parametrize("place", [0, -1], ids=["of the file", "of its part"])
@pytest.mark.parametrize("n_rows", [11, 13, 1000, 900_000, 10**9, 10**15])
def test_a_parquet_file_that_promises_other_rows_than_it_holds(n_rows, place):
    with pytest.raises(TableError, match=r"rows.*\.$") as caught:
        read_table(promising(n_rows, place), "data.parquet")
    assert caught.value.reason in ("corrupt", "too_many_rows")
    assert f"{n_rows:,}" in str(caught.value)


def test_long_digits_are_numbers_without_an_expression():
    texts = np.array(["1" * 400, "1" * 400 + "x", "1" * 210, "²" * 300], object)
    assert plain_numbers(texts).are.tolist() == [True, False, True, False]
    assert plain_numbers(texts).values[2] == float("1" * 210)
    assert not matching(texts, "[0-9]+x").any()


def test_a_cell_that_was_read_as_its_limit_can_be_kept_as_words():
    data = b"k,x\na,<0.5\nb,1.25\nc,0.75\n"
    assert read_table(data, "data.csv").frame["x"].tolist() == [0.5, 1.25, 0.75]
    assert (
        read_table(data, "data.csv", options={"kinds": {"x": "nominal"}}).frame["x"].tolist()[0]
        == "<0.5"
    )
