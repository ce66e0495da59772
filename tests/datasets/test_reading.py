import contextlib
import gzip
import io
import json
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dmlib.datasets import Limits, ReadOptions, TableError, read_table
from dmlib.datasets.reading.bulk import read_bulk
from dmlib.datasets.reading.columns import unique_names
from dmlib.datasets.reading.repairs import Repairs
from tests.datasets.messy.containers import parquet
from tests.datasets.messy.office import ods, xls

PEOPLE = "name,height,group\nAnn,1.62,A\nBob,1.80,B\nCid,,A\n"
XML = "http://schemas.openxmlformats.org"


def read(text, name="data.csv", **options):
    return read_table(text if isinstance(text, bytes) else text.encode(), name, options=options)


def kinds_of_notes(table):
    return [note.kind for note in table.notes]


def refused(data, name="data.csv", **options):
    with pytest.raises(TableError) as caught:
        read(data, name, **options)
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


@pytest.mark.parametrize(
    ("texts", "numbers", "kind"),
    [
        (["$1,234.50", "$(12)", "-$3"], None, "looks_numeric"),
        (["$1,234.50", "($12)", "-$3"], [1234.5, -12, -3], "currency"),
        (["1.234,50 €", "99,00 €"], [1234.5, 99], "currency"),
        (["12%", "7.5 %"], [12, 7.5], "percent"),
        (["13.5 kg", "7 kg"], [13.5, 7], "units"),
        (["13.5 kg", "7 lb"], None, "looks_numeric"),
        (["1'234.50", "999"], [1234.5, 999], "thousands"),
        (["1,234,567", "12"], [1234567, 12], "thousands"),
        (["1 234,5", "7,25"], [1234.5, 7.25], "decimal_comma"),
        (["1.234.567", "12"], [1234567, 12], "thousands"),
        (["01234", "98765"], None, "looks_numeric"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_marked_numbers(texts, numbers, kind):
    table = read("k\tx\n" + "".join(f"u{i}\t{text}\n" for i, text in enumerate(texts)))
    assert kind in kinds_of_notes(table)
    if numbers is None:
        assert table.nominal == ("k", "x")
        assert table.frame["x"].tolist() == texts
    else:
        assert table.frame["x"].tolist() == numbers


def test_what_points_mean_is_not_guessed_against_the_reader():
    text = "k\tx\nu\t1.234\nv\t5.678\n"
    assert read(text).frame["x"].tolist() == [1.234, 5.678]
    assert read(text, decimal=",").frame["x"].tolist() == [1234, 5678]


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


def zipped(**members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.csv", data)
    return out.getvalue()


def test_archives_of_one_file_are_unpacked():
    for name, data in (("people.csv.zip", zipped(people=PEOPLE)), ("people.csv.gz", gzip.compress(PEOPLE.encode()))):
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


def test_the_ragged_line_is_named():
    with pytest.raises(TableError, match="Line 3 has 3 fields, and most others have 2"):
        read("a,b\n1,2\n1,2,3\n1,2\n")


def test_the_name_is_only_a_title():
    assert read(PEOPLE, "../../etc/passwd.csv").title == "passwd.csv"
    assert read(PEOPLE, "").title == "Your file"


@pytest.mark.parametrize(
    ("texts", "day"),
    [
        (["2024-01-10", "2024-01-11"], "2024-01-10"),
        (["10.01.2024", "11.01.2024"], "2024-01-10"),
        (["10/01/2024", "31/01/2024"], "2024-01-10"),
        (["01/10/2024", "01/31/2024"], "2024-01-10"),
        (["10-Jan-2024", "11-Feb-2024"], "2024-01-10"),
        (["2024-01-10T12:30:00Z", "2024-01-10 12:30"], "2024-01-10T12:30"),
    ],
)
def test_dates(texts, day):
    table = read("k,day\n1," + texts[0] + "\n2," + texts[1] + "\n3,\n")
    assert table.kinds["day"] == "date"
    assert table.frame["day"][0] == np.datetime64(day)
    assert "dates" in kinds_of_notes(table)
    assert table.with_kinds({"day": "numeric"}).numeric == ("k", "day")


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
    assert [table.kinds[name] for name in frame] == ["numeric", "numeric", "nominal", "nominal", "date", "nominal"]
    assert refused(data, "data.parquet", limits=Limits(n_rows=1)) == "too_many_rows"


RECORDS = [{"x": 1.5, "g": "a"}, {"x": None, "g": "b"}, {"g": "c", "h": True}]


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
    assert dict(table.kinds) == {"out look": "nominal", "windy": "nominal", "temperature": "numeric"}
    assert table.frame["temperature"].isna().tolist() == [False, True]


def test_white_space_and_double_bars_separate():
    assert read("a   b  c\n1.5 x  2\n20  y  3\n").frame.to_dict("list") == {
        "a": [1.5, 20],
        "b": ["x", "y"],
        "c": [2, 3],
    }
    assert read("a||b\n1||x\n2||y\n").frame.to_dict("list") == {"a": [1, 2], "b": ["x", "y"]}


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        ("cp932", "東京 大阪 表示"),
        ("cp1251", "Москва Киев Минск"),
        ("gb18030", "北京 上海 广州"),
        ("cp949", "서울 부산 대구"),
    ],
)
def test_other_alphabets(encoding, words):
    text = "city,x\n" + "".join(f"{word},{i}\n" for i, word in enumerate(words.split() * 5))
    table = read(text.encode(encoding))
    assert table.frame["city"].tolist() == words.split() * 5
    assert "encoding" in kinds_of_notes(table)
    assert read(text.encode(encoding), encoding=encoding).frame.equals(table.frame)


def test_utf_16_without_a_mark():
    assert read("city,x\nZürich,1\nKiev,2\n".encode("utf-16-le")).frame["city"].tolist() == ["Zürich", "Kiev"]


def test_an_encoding_that_does_not_fit_is_refused():
    assert refused("city,x\nZürich,1\n".encode("cp1252"), encoding="utf-8") == "encoding"


def test_options_overrule_what_is_found_out():
    text = "1;2\n3;4\n-9;6\n"
    assert list(read(text, header=True).frame) == ["1", "2"]
    assert len(read(text, header=False).frame) == 3
    assert read(text, header=False, missing=("-9",)).frame["column_1"].isna().sum() == 1
    assert list(read(text, delimiter=",", header=True).frame) == ["1;2"]
    assert read("x,y\nNA,a\nb,c\n", missing=()).frame["x"].tolist() == ["NA", "b"]
    assert read(PEOPLE, skip=1, header=False).frame["column_1"].tolist() == ["Ann", "Bob", "Cid"]
    table = read(PEOPLE, kinds={"height": "nominal"}, roles={"group": "target", "name": "label"})
    assert (table.nominal, table.target, table.roles["name"]) == (("name", "height", "group"), "group", "label")


@pytest.mark.parametrize(
    "options",
    [
        {"colour": "red"},
        {"encoding": "klingon"},
        {"delimiter": ""},
        {"decimal": "x"},
        {"kinds": {"height": "round"}},
        {"kinds": {"nobody": "nominal"}},
        {"roles": {"height": "king"}},
        {"kinds": {"name": "numeric"}},
    ],
    ids=str,
)
def test_options_that_are_none_are_refused(options):
    with pytest.raises(ValueError, match=r"\.$"):
        read(PEOPLE, **options)


def test_a_sheet_can_be_chosen():
    data = workbook({"A1": "x", "A2": 1, "A3": 2}, {"A1": "y", "A2": 3, "A3": 4})
    assert list(read(data, "data.xlsx", sheet="S2").frame) == ["y"]
    assert refused(data, "data.xlsx", sheet="S3") == "wrong_format"


def test_rows_with_too_many_fields_are_left_out_and_kept_in_the_list_of_repairs():
    table = read("a,b\n" + "1,2\n" * 12 + "3,4,5\n6\n")
    assert len(table.frame) == 13
    assert kinds_of_notes(table)[:2] == ["bad_lines", "padded_rows"]
    assert table.repairs["line"].tolist() == [14, 15]
    assert table.repairs["text"].tolist() == ["3 | 4 | 5", "6"]


def test_changed_cells_are_in_the_list_of_repairs():
    table = read("a\n" + "1\n2\n" * 6 + "oops\n")
    assert table.repairs.to_dict("records") == [
        {"line": 14, "column": "a", "text": "oops", "what": "counts as missing"}
    ]


def test_remarks_and_second_tables_below_are_left_out():
    table = read(PEOPLE + "\nSource: office, 2024\nMade by hand\n")
    assert table.frame.equals(read(PEOPLE).frame)
    assert kinds_of_notes(table) == ["footer"]
    table = read(PEOPLE + "\nx,y\n1,2\n3,4\n")
    assert table.frame.equals(read(PEOPLE).frame)
    assert kinds_of_notes(table) == ["multiple_tables"]


def test_a_row_of_units_is_left_out():
    table = read("height,mass,group\ncm,kg,\n180,80,A\n175,70,B\n")
    assert table.numeric == ("height", "mass")
    assert kinds_of_notes(table) == ["units"]


def test_labels_that_differ_in_case_are_told():
    assert "similar_labels" in kinds_of_notes(read("x,y\n1,Yes\n2,yes\n3,no\n"))


def test_columns_that_determine_each_other_are_told():
    table = read("a,b\n1,2.5\n2,4.5\n4,8.5\n")
    assert [note.text for note in table.notes if note.kind == "collinear"] == [
        "The columns 'a' and 'b' determine each other; one of them says nothing new."
    ]


def test_codes_texts_and_counters_are_no_features():
    rows = "".join(
        f"{i},P-{i:03d},{'a remark of some length that nobody will group by '}{i},{i % 3}\n" for i in range(60)
    )
    table = read("no,code,remark,g\n" + rows)
    assert [table.kinds[name] for name in ("no", "code", "remark", "g")] == ["id", "id", "text", "numeric"]
    assert table.numeric == ("g",)


# --- many rows --------------------------------------------------------------------------------------------------------

BULK = "".join(
    f"{i % 97},{i / 7:.4f},{'' if i % 11 == 0 else i * 2},w{i % 5},{i % 10:02d},2024-01-{i % 28 + 1:02d}\n"
    for i in range(4000)
)


@pytest.mark.parametrize("top", ["", "n,x,holes,word,code,day\n", "# made up\nn,x,holes,word,code,day\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_many_rows_are_read_as_few_are(monkeypatch, top, end):
    data = (top + BULK).replace("\n", end).encode()
    expected = read(data)
    monkeypatch.setattr("dmlib.datasets.reading.bulk.LEAST", 0)
    assert read_bulk(data, ReadOptions(), Repairs()) is not None
    table = read(data)
    pd.testing.assert_frame_equal(table.frame, expected.frame)
    assert table.kinds == expected.kinds
    assert table.notes == expected.notes
    assert table.repairs.equals(expected.repairs)


@pytest.mark.parametrize(
    "more",
    ["1,2,3\n", '"a",2,3,4,5,6\n', ",,,,,\n", "1\n", "nan,1,1,w,01,x\n", "inf,1,1,w,01,x\n", f"{10**30},1,,,,\n"],
)
def test_odd_rows_among_many_are_read_with_care(monkeypatch, more):
    data = ("n,x,holes,word,code,day\n" + BULK + more + "1,2,3,w,01,2024-01-01\n").encode()
    expected = read(data)
    monkeypatch.setattr("dmlib.datasets.reading.bulk.LEAST", 0)
    table = read(data)
    pd.testing.assert_frame_equal(table.frame, expected.frame)
    assert table.notes == expected.notes


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


VALID = {
    "data.parquet": parquet,
    "data.json": lambda: json.dumps(RECORDS).encode(),
    "data.arff": lambda: b"@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n1,x\n2,y\n",
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
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(max_size=3), parts, max_size=3),
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
        st.sampled_from(["n,a,b\n", '"1","x",2\n', '2,"y, z",\n', '3,"",4\n', '5,"a\nb",6\n', '"6,c,7\n']), min_size=2
    )
)
def test_quotes_among_many_rows_are_read_as_among_few(rows):
    data = ("n,a,b\n1,w,3\n" + "".join(rows)).encode()
    found = []
    for least in (10**9, 0):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("dmlib.datasets.reading.bulk.LEAST", least)
            try:
                table = read(data)
                found.append((table.frame.to_csv(), table.kinds, table.notes))
            except TableError as error:
                found.append(str(error))
    assert found[0] == found[1]
