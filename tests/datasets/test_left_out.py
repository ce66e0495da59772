"""Rows left out above and below a table are listed, and each guess can be overruled."""

import pytest

from dmlib.datasets import read_table
from dmlib.datasets.reading.bulk import read_bulk
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.reading.repairs import Repairs
from tests.datasets.files import read

HEAD = "town,x,y\n"
ROWS = "Bern,1,2\nChur,3,4\nBasel,5,6\nGenf,2,3\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Report,2024,Bern\nAuthor,Ann,May\n" + HEAD + ROWS, [1, 2]),
        (HEAD + "The name of the town?,How many are x?,How many are y?\n" + ROWS, [2]),
        (HEAD + ",cm,kg\n" + ROWS, [2]),
    ],
    ids=["preamble", "questions", "units"],
)
def test_rows_of_the_head_are_listed(text, lines):
    table = read(text)
    assert len(table.frame) == 4
    assert table.repairs["line"].tolist() == lines
    assert table.repairs["text"].tolist() == [
        text.splitlines()[line - 1].replace(",", " | ") for line in lines
    ]


def test_rows_above_the_names_of_many_are_found(monkeypatch):
    data = ("Report,Q1,Bern\nAuthor,Ann,May\n" + HEAD + ROWS * 2000).encode()
    few = read_table(data, "data.csv")
    monkeypatch.setattr("dmlib.datasets.reading.bulk.MIN_BYTES", 0)
    assert read_bulk(data, ReadOptions(), Repairs()) is not None
    many = read_table(data, "data.csv")
    assert many.frame.equals(few.frame)
    assert many.notes == few.notes
    assert many.repairs.equals(few.repairs)


@pytest.mark.parametrize("name", ["skip", "skip_footer", "header", "below_header"])
def test_numbers_of_rows_are_not_negative(name):
    with pytest.raises(ValueError, match=name):
        ReadOptions(**{name: -1})


@pytest.mark.parametrize("end", ["Total,11,15\n", "Source: the office,in,Bern\n"])
def test_what_stands_below_many_rows_is_found(monkeypatch, end):
    data = (HEAD + ROWS * 2000 + end).encode()
    few = read_table(data, "data.csv")
    assert (len(few.frame), few.repairs["line"].tolist()) == (8000, [8002])
    monkeypatch.setattr("dmlib.datasets.reading.bulk.MIN_BYTES", 0)
    many = read_table(data, "data.csv")
    assert many.frame.equals(few.frame)
    assert many.notes == few.notes
    assert len(read_table(data, "data.csv", options={"skip_footer": 0}).frame) == 8001
