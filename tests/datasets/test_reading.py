import contextlib
import datetime
import io
import zipfile

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dmlib.datasets import TableError, read_table
from dmlib.datasets import _limits as limits
from dmlib.datasets._columns import unique_names

PEOPLE = "name,height,group\nAnn,1.62,A\nBob,1.80,B\nCid,,A\n"
XML = "http://schemas.openxmlformats.org"


def read(text, name="data.csv"):
    return read_table(text if isinstance(text, bytes) else text.encode(), name)


def kinds_of_notes(table):
    return [note.kind for note in table.notes]


def refused(data, name="data.csv"):
    with pytest.raises(TableError) as caught:
        read(data, name)
    assert str(caught.value).endswith(".")
    return caught.value.reason


def workbook(*sheets):
    """Return an .xlsx whose sheets are given as dicts from a reference to a number or text."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        numbers = range(1, len(sheets) + 1)
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{XML}/package/2006/content-types">'
            '<Default Extension="xml" ContentType="application/xml"/>'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            "</Types>",
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{XML}/package/2006/relationships"><Relationship Id="r1" '
            f'Type="{XML}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{XML}/spreadsheetml/2006/main" xmlns:r="{XML}/officeDocument/2006/relationships">'
            "<sheets>"
            + "".join(f'<sheet name="S{n}" sheetId="{n}" r:id="r{n}"/>' for n in numbers)
            + "</sheets></workbook>",
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{XML}/package/2006/relationships">'
            + "".join(
                f'<Relationship Id="r{n}" Type="{XML}/officeDocument/2006/relationships/worksheet" '
                f'Target="worksheets/sheet{n}.xml"/>'
                for n in numbers
            )
            + "</Relationships>",
        )
        for n, sheet in zip(numbers, sheets, strict=True):
            rows = "".join(
                f'<row><c r="{place}"><v>{value}</v></c></row>'
                if not isinstance(value, str)
                else f'<row><c r="{place}" t="inlineStr"><is><t>{value}</t></is></c></row>'
                for place, value in sheet.items()
            )
            archive.writestr(
                f"xl/worksheets/sheet{n}.xml",
                f'<worksheet xmlns="{XML}/spreadsheetml/2006/main"><sheetData>{rows}</sheetData></worksheet>',
            )
    return out.getvalue()


def opendocument(rows):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", '<manifest:manifest xmlns:manifest="m"/>')
        names = "urn:oasis:names:tc:opendocument:xmlns"
        archive.writestr(
            "content.xml",
            f'<office:document-content xmlns:office="{names}:office:1.0" xmlns:table="{names}:table:1.0" '
            f'xmlns:text="{names}:text:1.0"><office:body><office:spreadsheet><table:table table:name="S">{rows}'
            "</table:table></office:spreadsheet></office:body></office:document-content>",
        )
    return out.getvalue()


def cell(text, more=""):
    return f'<table:table-cell office:value-type="string"{more}><text:p>{text}</text:p></table:table-cell>'


def test_a_plain_table():
    table = read(PEOPLE)
    assert dict(table.kinds) == {"name": "nominal", "height": "numeric", "group": "nominal"}
    assert table.frame["height"].tolist()[:2] == [1.62, 1.8]
    assert np.isnan(table.frame["height"][2])
    assert (table.name, table.title, table.target, table.notes) == ("upload", "data.csv", None, ())


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters(delimiter):
    table = read(PEOPLE.replace(",", delimiter))
    assert table.frame.equals(read(PEOPLE).frame)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends(end):
    assert read(PEOPLE.replace("\n", end)).frame.equals(read(PEOPLE).frame)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_marked_encodings_need_no_note(encoding):
    table = read("city,x\nZürich,1\nКиев,2\n".encode(encoding))
    assert table.frame["city"].tolist() == ["Zürich", "Киев"]
    assert table.notes == ()


def test_western_european_text_is_read_with_a_note():
    table = read("city,x\nZürich,1\nGenève €,2\n".encode("cp1252"))
    assert table.frame["city"].tolist() == ["Zürich", "Genève €"]
    assert kinds_of_notes(table) == ["encoding"]


def test_a_damaged_place_does_not_change_the_encoding():
    table = read("city,x\nZürich,1\nGenève,2\n".encode() + b"B\xff,3\n")
    assert table.frame["city"].tolist() == ["Zürich", "Genève", "B\ufffd"]
    assert kinds_of_notes(table) == ["bad_bytes"]


def test_decimal_commas_are_read_where_commas_do_not_separate():
    table = read("a;b\n1,5;x\n-2;y\n")
    assert table.frame["a"].tolist() == [1.5, -2]
    assert "decimal_comma" in kinds_of_notes(table)


def test_quotes_hold_delimiters_and_line_ends():
    table = read('note,x\n"a, ""b""\nc",1\nd,2\n')
    assert table.frame["note"].tolist() == ['a, "b"\nc', "d"]


def test_a_table_without_header_gets_numbered_columns():
    table = read("5.1,3.5,a\n4.9,3.0,b\n4.7,3.2,a\n")
    assert list(table.frame) == ["column_1", "column_2", "column_3"]
    assert len(table.frame) == 3
    assert "header_guessed" in kinds_of_notes(table)


def test_years_may_be_names():
    assert list(read("country,2019,2020\nA,1,2\nB,3,4\n").frame) == ["country", "2019", "2020"]


def test_lines_above_the_table_are_left_out_and_told():
    assert kinds_of_notes(read("# made by hand\n" + PEOPLE)) == ["comments"]
    table = read("Our survey\n\n" + PEOPLE)
    assert table.frame.equals(read(PEOPLE).frame)
    assert kinds_of_notes(table) == ["preamble"]


def test_short_rows_are_filled_and_told():
    table = read("a,b,c\n1,2,3\n4\n5,6,7\n")
    assert table.frame["c"].isna().tolist() == [False, True, False]
    assert kinds_of_notes(table) == ["padded_rows"]


def test_missing_marks_are_counted():
    table = read("a,b\n1,x\nNA,?\n-,y\n3,?\n")
    assert table.frame["a"].isna().sum() == 2
    assert table.frame["b"].isna().sum() == 2
    assert [note.text for note in table.notes if note.kind == "na_tokens"] == [
        "These count as missing in 'a': 1 x 'NA', 1 x '-'.",
        "These count as missing in 'b': 2 x '?'.",
    ]


def test_none_and_country_codes_are_values():
    assert read("lens,x\nnone,1\nsoft,2\n").frame["lens"].tolist() == ["none", "soft"]
    assert read("country,x\nNA,1\nCH,2\n").frame["country"].tolist() == ["NA", "CH"]


def test_one_word_among_numbers_counts_as_missing():
    table = read("a\n" + "1\n2\n" * 6 + "oops\n")
    assert table.numeric == ("a",)
    assert kinds_of_notes(table) == ["mixed_types"]
    assert "'oops'" in table.notes[0].text


@pytest.mark.parametrize("value", ["01234", "$5.50", "12%", "13.5 kg", "1'234.50"])
def test_what_only_looks_like_a_number_stays_and_is_told(value):
    table = read(f"k,x\nu,{value}\nv,{value}\n")
    assert table.nominal == ("k", "x")
    assert table.frame["x"][0] == value
    assert "looks_numeric" in kinds_of_notes(table)


def test_numbers_are_read_to_the_last_bit():
    texts = ["0.30000000000000004", "1.7976931348623157e308", "5e-324", "-0.1"]
    assert read("a\n" + "\n".join(texts)).frame["a"].tolist() == [float(text) for text in texts]


def test_odd_numbers_are_told():
    assert "non_finite" in kinds_of_notes(read("a,b\n1,u\ninf,v\n"))
    assert "precision" in kinds_of_notes(read(f"a,b\n1,u\n{10**30},v\n"))
    assert read("a,b\n0x1A,1\n1_000,2\n").nominal == ("a",)


def test_poor_columns_are_told():
    table = read("id,c,e\n" + "".join(f"{i},7,\n" for i in range(1, 13)))
    assert kinds_of_notes(table) == ["id_column", "constant_column", "empty_column"]


def test_blank_and_repeated_names_are_repaired():
    table = read("x,x,,y\n1,2,3,4\n5,6,7,8\n")
    assert list(table.frame) == ["x", "x_2", "column_3", "y"]
    assert "names_changed" in kinds_of_notes(table)


def test_a_trailing_delimiter_makes_no_column():
    assert list(read("a,b,\n1,2,\n3,4,\n").frame) == ["a", "b"]


def test_names_are_kept_as_they_are():
    hostile = ["<img src=x onerror=alert(1)>", "=1+1", "$x^2$", "[a](http://b)", "{0}"]
    assert list(read(",".join(hostile) + "\n1,2,3,4,5\n6,7,8,9,1\n").frame) == hostile


@given(st.lists(st.sampled_from(["x", "x_2", "x_3", "", "column_1", "y"]), max_size=30))
def test_repaired_names_differ(names):
    unique = unique_names(names)
    assert len(set(unique)) == len(names)
    assert all(unique)


def test_repairing_many_equal_names_is_quick():
    # Looking for a free number from the start each time would take 20 thousand million steps.
    assert len(set(unique_names(["v"] * 200_000))) == 200_000


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
    rows = "".join(f"<table:table-row>{cell(a)}{cell(b)}</table:table-row>" for a, b in ("ab", "u1", "v2"))
    assert read(opendocument(rows), "data.ods").frame.to_dict("list") == {"a": ["u", "v"], "b": [1, 2]}


def test_cells_far_away_are_refused_before_memory_is_spent():
    assert refused(workbook({"A1": "x", "XFD1048576": 1}), "data.xlsx") == "too_many_columns"
    assert refused(workbook({"A1": "x", "B1048576": 1}), "data.xlsx") == "too_many_rows"
    wide = cell("x", ' table:number-columns-repeated="16384"')
    row = f'<table:table-row table:number-rows-repeated="1048576">{wide}</table:table-row>'
    assert refused(opendocument(row), "data.ods") == "too_many_columns"


def test_an_unpacked_size_over_the_limit_is_refused(monkeypatch):
    monkeypatch.setattr("dmlib.datasets._sheets.MAX_UNPACKED", 100)
    assert refused(workbook({"A1": "x"}), "data.xlsx") == "bomb"


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
        (b'[{"a": 1}]', "unsupported"),
        (b"% weather\n@relation weather\n", "unsupported"),
        (b"PAR1....PAR1", "unsupported"),
        (b"\x1f\x8b\x08\0", "wrong_format"),
        (b"SQLite format 3\0", "unsupported"),
        (b"PK\x03\x04broken", "corrupt"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "corrupt"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        (b"a," * 3000 + b"a\n1\n", "too_many_columns"),
    ],
)
def test_what_is_no_table_is_refused_with_a_reason(data, reason):
    assert refused(data) == reason


def test_a_zip_archive_is_named():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("data.csv", PEOPLE)
    assert refused(out.getvalue(), "data.zip") == "wrong_format"


@pytest.mark.parametrize(
    ("limit", "value", "reason"),
    [("MAX_ROWS", 2, "too_many_rows"), ("MAX_COLUMNS", 2, "too_many_columns"), ("MAX_CELLS", 6, "too_large")],
)
def test_limits_are_named(monkeypatch, limit, value, reason):
    monkeypatch.setattr(f"dmlib.datasets._text.{limit}", value)
    assert refused(PEOPLE) == reason


def test_too_many_bytes_are_refused():
    assert refused(b"a" * (limits.MAX_BYTES + 1)) == "too_large"


def test_the_ragged_line_is_named():
    with pytest.raises(TableError, match="Line 3 has more fields than the others, which have 2"):
        read("a,b\n1,2\n1,2,3\n1,2\n")


def test_the_name_is_only_a_title():
    assert read(PEOPLE, "../../etc/passwd.csv").title == "passwd.csv"
    assert read(PEOPLE, "").title == "Your file"


def test_dates_in_cells_stay_text():
    today = datetime.date(2024, 1, 10)
    assert read(f"k,day\n1,{today}\n2,{today}\n").nominal == ("day",)


SOUP = st.lists(
    st.sampled_from([*",;\t|\"'\n\r #=.0159-+eNA?", "é", "\u2028", "inf", "nan", "x", "\n1,2,3"]), max_size=60
)


@settings(deadline=None)
@given(st.binary(max_size=300) | SOUP.map("".join).map(str.encode) | st.text(max_size=100).map(str.encode))
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
