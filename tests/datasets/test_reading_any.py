"""Many rows, any bytes, and damaged files."""

import contextlib
import gzip
import json

import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dmlib.datasets import ReadOptions, TableError
from dmlib.datasets.reading.bulk import read_bulk
from dmlib.datasets.reading.repairs import Repairs
from tests.datasets.files import PEOPLE, RECORDS, read, workbook, zipped
from tests.datasets.messy.containers import parquet
from tests.datasets.messy.office import ods, xls

BULK = "".join(
    f"{i % 97},{i / 7:.4f},{'' if i % 11 == 0 else i * 2},w{i % 5},{i % 10:02d},"
    f"2024-01-{i % 28 + 1:02d}\n"
    for i in range(4000)
)


@pytest.mark.parametrize(
    "top", ["", "n,x,holes,word,code,day\n", "# made up\nn,x,holes,word,code,day\n"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_many_rows_are_read_as_few_are(monkeypatch, top, end):
    data = (top + BULK).replace("\n", end).encode()
    expected = read(data)
    monkeypatch.setattr("dmlib.datasets.reading.bulk.MIN_BYTES", 0)
    assert read_bulk(data, ReadOptions(), Repairs()) is not None
    table = read(data)
    pd.testing.assert_frame_equal(table.frame, expected.frame)
    assert table.kinds == expected.kinds
    assert table.notes == expected.notes
    assert table.repairs.equals(expected.repairs)


@pytest.mark.parametrize(
    "odd_rows",
    [
        "1,2,3\n",
        '"a",2,3,4,5,6\n',
        ",,,,,\n",
        "1\n",
        "nan,1,1,w,01,x\n",
        "inf,1,1,w,01,x\n",
        f"{10**30},1,,,,\n",
    ],
)
def test_odd_rows_among_many_are_read_with_care(monkeypatch, odd_rows):
    data = ("n,x,holes,word,code,day\n" + BULK + odd_rows + "1,2,3,w,01,2024-01-01\n").encode()
    expected = read(data)
    monkeypatch.setattr("dmlib.datasets.reading.bulk.MIN_BYTES", 0)
    table = read(data)
    pd.testing.assert_frame_equal(table.frame, expected.frame)
    assert table.notes == expected.notes


SOUP = st.lists(
    st.sampled_from([*",;\t|\"'\n\r #=.0159-+eNA?", "é", "\u2028", "inf", "nan", "x", "\n1,2,3"]),
    max_size=60,
)


@settings(deadline=None)
@given(
    st.binary(max_size=300)
    | SOUP.map("".join).map(str.encode)
    | st.text(max_size=100).map(str.encode)
)
@example(b"PK\x03\x04")
@example(b"sep=;\n")
@example(b"\xff\xfe")
@example("a|b\n\ufeff||\xa0".encode())
@example(b'a, "b')
def test_any_bytes_are_a_table_or_a_table_error(data):
    try:
        table = read(data)
    except TableError:
        return
    assert len(table.frame) > 0
    assert table.digest
    assert all(note.text.endswith(".") for note in table.notes)


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_a_damaged_workbook_is_a_table_or_a_table_error(data):
    intact = bytearray(workbook({"A1": "name", "B1": "x", "A2": "u", "B2": 1.5}))
    for _ in range(data.draw(st.integers(1, 4))):
        intact[data.draw(st.integers(0, len(intact) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(TableError):
        read(bytes(intact), "data.xlsx")


VALID = {
    "data.parquet": parquet,
    "data.json": lambda: json.dumps(RECORDS).encode(),
    "data.arff": lambda: (
        b"@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n1,x\n2,y\n"
    ),
    "data.csv.gz": lambda: gzip.compress(PEOPLE.encode()),
    "data.zip": lambda: zipped(people=PEOPLE),
    "data.ods": lambda: ods({"S": [["a", "b"], [1, "x"], [2, "y"]]}),
    "data.xls": lambda: xls([["a", "b"], [1.0, "x"], [2.0, "y"]]),
    "data.csv": lambda: PEOPLE.encode("utf-16"),
}


@pytest.mark.parametrize("name", VALID)
@settings(deadline=None, max_examples=40)
@given(st.data())
def test_a_damaged_file_of_any_format_is_a_table_or_a_table_error(name, data):
    intact = bytearray(VALID[name]())
    for _ in range(data.draw(st.integers(1, 4))):
        intact[data.draw(st.integers(0, len(intact) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(intact)))
    with contextlib.suppress(TableError):
        read(bytes(intact[:cut] if data.draw(st.booleans()) else intact), name)


NESTED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda parts: (
        st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=3), parts, max_size=3)
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(NESTED)
def test_any_json_is_a_table_or_a_table_error(value):
    with contextlib.suppress(TableError):
        assert read(json.dumps(value), "data.json").digest


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.sampled_from(
            ["n,a,b\n", '"1","x",2\n', '2,"y, z",\n', '3,"",4\n', '5,"a\nb",6\n', '"6,c,7\n']
        ),
        min_size=2,
    )
)
def test_quotes_among_many_rows_are_read_as_among_few(rows):
    data = ("n,a,b\n1,w,3\n" + "".join(rows)).encode()
    found = []
    for least in (10**9, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("dmlib.datasets.reading.bulk.MIN_BYTES", least)
            try:
                table = read(data)
                found.append((table.frame.to_csv(), table.kinds, table.notes))
            except TableError as error:
                found.append(str(error))
    assert found[0] == found[1]
