"""Rows of a label and index:value pairs."""

import pytest

from dmlib.datasets import read_table
from dmlib.datasets.reading.svmlight import MAX_LINE, is_svmlight


@pytest.mark.parametrize(
    "text",
    [
        "1 1:0.5 3:2\n-1 2:1\n",
        "# remark\n\n+1 qid:3 1:.5 2:1e-3 # doc 7\n0 qid:4 1:1.\n",
        "\ufeff1 1:1\n2 1:2\n"[1:],
        "2.5\t1:1  2:2 \r\n1\n3 7:1\n",
    ],
)
def test_rows_of_pairs(text):
    assert is_svmlight(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "1 2 3\n4 5 6\n",
        "1\n2 1:1\n3\n",
        "a 1:1\nb 1:2\n",
        "1 1:1 qid:3\n",
        "10:20\n11:30\n",
        "",
        "1 "
        + " ".join(f"{i}:11111111" for i in range(99))
        + " x",  # each number fits in eight ways, or in one
        "1 " + "7" * 100_000 + "x",
        "1 1:" + "7" * 100_000,
        "1" + " " * 100_000 + "x",
        "1 " + "1:1 " * (MAX_LINE // 4),
    ],
)
def test_rows_that_are_none(text):
    assert not is_svmlight(text.encode())


def test_digits_in_remarks_are_no_features():
    table = read_table(b"1 1:2 # doc 12:3\n0 2:5 #" + b"9" * 50_000 + b"\n", "x.svm")
    assert list(table.frame) == ["label", "x1", "x2"]
    assert table.frame["x2"].tolist() == [0, 5]
