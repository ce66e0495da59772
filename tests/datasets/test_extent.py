"""How much of a workbook is unpacked before it is refused."""

import io
import zipfile

import pytest

from dmlib.datasets import Limits, TableError, read_table
from tests.datasets.messy.office import ods, xlsx, zipped

MB = 2**20


@pytest.fixture
def unpacked(monkeypatch):
    """Count the bytes that are unpacked from zip archives."""
    counts = []
    read = zipfile.ZipExtFile.read

    def counted(self, n=-1):
        data = read(self, n)
        counts.append(len(data))
        return data

    monkeypatch.setattr(zipfile.ZipExtFile, "read", counted)
    monkeypatch.setattr(
        "dmlib.datasets.reading.workbook._reader", None
    )  # the program that reads is never started
    return counts


def with_more(rows):
    """Return a workbook with more XML at the end of its sheet."""
    with zipfile.ZipFile(io.BytesIO(xlsx({"S": [["a", "b"], [1, 2], [3, 5]]}))) as archive:
        members = {name: archive.read(name).decode() for name in archive.namelist()}
    name = next(name for name in members if "sheet1" in name)
    return zipped({**members, name: members[name].replace("</sheetData>", rows + "</sheetData>")})


def refused(data, **limits):
    with pytest.raises(TableError) as caught:
        read_table(data, "data.xlsx", options={"limits": Limits(**limits)})
    return caught.value.reason


@pytest.mark.parametrize(
    "xml", ["<row><c><v>1</v></c></row>", "<!--" + " " * 200 + "-->"], ids=["rows", "blanks"]
)
def test_what_unpacks_to_far_more_is_not_unpacked(unpacked, xml):
    data = with_more(xml * (60 * MB // len(xml)))
    assert len(data) < MB
    unpacked.clear()
    assert refused(data) == "bomb"
    assert sum(unpacked) == 0


@pytest.mark.parametrize(
    "row",
    [
        "<row><c><v>1</v></c></row>",
        '<row r="4"><c r="A4"><v>1</v></c></row>',
        "<x:row><x:c><x:v>1</x:v></x:c></x:row>",
    ],
    ids=["without places", "all in one place", "with a prefix"],
)
def test_unpacking_ends_with_the_rows_that_are_allowed(unpacked, row):
    data = with_more(row * (20 * MB // len(row)))
    unpacked.clear()
    assert refused(data, n_rows=1000) == "too_many_rows"
    assert sum(unpacked) < 3 * MB


def test_unpacking_ends_with_the_cells_that_are_allowed(unpacked):
    data = with_more("<row>" + "<c><v>1</v></c>" * (20 * MB // 15) + "</row>")
    unpacked.clear()
    assert refused(data, n_cells=1000) == "too_large"
    assert sum(unpacked) < 3 * MB


def test_unpacking_an_opendocument_sheet_ends_with_the_rows_that_are_allowed(unpacked):
    data = ods({"S": [["a", "b"], *([i, i] for i in range(40_000))]})
    assert refused(data, n_rows=100) == "too_many_rows"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert (
            sum(unpacked) < 1.3 * archive.getinfo("content.xml").file_size
        )  # once for entities, and a start


def test_rows_are_counted_once_where_pieces_of_a_sheet_meet(monkeypatch):
    data = xlsx({"S": [["a", "b"], *([i, i % 7] for i in range(300))]})
    for chunk in (50, 64, 101):
        monkeypatch.setattr("dmlib.datasets.reading.extent._CHUNK", chunk)
        assert read_table(
            data, "data.xlsx", options={"limits": Limits(n_rows=300, n_cells=602)}
        ).frame.shape == (300, 2)
