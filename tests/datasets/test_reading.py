"""Delimited text: names, cells, kinds, notes, and what the reader decides."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.datasets import TableError
from dmlib.datasets.reading.columns import unique_names
from tests.datasets.files import PEOPLE, kinds_of_notes, read, refused


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
    assert read("city,x\nZürich,1\nKiev,2\n".encode("utf-16-le")).frame["city"].tolist() == [
        "Zürich",
        "Kiev",
    ]


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
    assert (table.nominal, table.target, table.roles["name"]) == (
        ("name", "height", "group"),
        "group",
        "label",
    )


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
        f"{i},P-{i:03d},{'a remark of some length that nobody will group by '}{i},{i % 3}\n"
        for i in range(60)
    )
    table = read("no,code,remark,g\n" + rows)
    assert [table.kinds[name] for name in ("no", "code", "remark", "g")] == [
        "id",
        "id",
        "text",
        "numeric",
    ]
    assert table.numeric == ("g",)
