"""Files of baskets: every form is found out, told, and can be decided otherwise."""

import contextlib
import csv
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.association import apriori
from dmlib.datasets import TableError, read_baskets, read_graph
from dmlib.datasets.reading.basket_items import items_in
from tests.datasets.messy.office import ods, xlsx

SHOP = [["milk", "tea"], ["tea"], ["bread", "milk", "tea"]]
FORMS = {
    "one a line": "tea,milk\ntea\nbread,milk,tea\n",
    "blanks": "tea milk\ntea\nbread milk tea\n",
    "numbered lines": "T1,tea,milk\nT2,tea\nT3,bread,milk,tea\n",
    "counted items": "Item(s),Item 1,Item 2,Item 3\n2,tea,milk,\n1,tea,,\n3,bread,milk,tea\n",
    "item columns": "id,item1,item2,item3\n7,tea,milk,\n8,tea,,\n9,tea,milk,bread\n",
    "lists": 'id,items\n1,"tea, milk"\n2,tea\n3,"bread,milk,tea"\n',
    "quantities in lines": "tea:2,milk:1\ntea:1\nbread:1,milk:3,tea:1\n",
    "quantities before": "2 x tea;1 x milk\n1 x tea\n1 x bread;3 x milk;1 x tea\n",
    "long": "1,tea\n1,milk\n2,tea\n3,bread\n3,milk\n3,tea\n",
    "long with names": "order;product\nA1;tea\nA1;milk\nB7;tea\nC;bread\nC;milk\nC;tea\n",
    "long among others": (
        "Date,Member_number,itemDescription\n1.5.,1808,tea\n1.5.,1808,milk\n2.5.,2552,tea\n"
        "3.5.,9,bread\n3.5.,9,milk\n3.5.,9,tea\n"
    ),
    "long with quantities": (
        "basket,item,qty\n1,tea,2\n1,milk,1\n2,tea,1\n2,beer,0\n3,tea,1\n3,bread,2\n3,milk,1\n"
    ),
    "long with returns": (
        "InvoiceNo,StockCode,Description,Quantity\n53,85A,tea,6\n53,71053,milk,6\n54,71053,milk,-1"
        "\n54,9,tea,1\n7,9,tea,1\n7,8,bread,1\n7,71053,milk,1\n"
    ),
    "zeros and ones": "tea,milk,bread\n1,1,0\n1,0,0\n1,1,1\n",
    "yes and no, with names": (
        "name,tea,milk,bread\nAnn,yes,yes,no\nBob,yes,no,no\nCy,yes,yes,yes\n"
    ),
    "crosses": "tea;milk;bread\nx;x;\nx;;\nx;x;x\n",
    "numbered matrix": "tid,tea,milk,bread\n1,1,1,0\n2,1,0,0\n3,1,1,1\n",
    "matrix of quantities": "tea\tmilk\tbread\n2\t1\t0\n1\t0\t0\n1\t3\t1\n",
}


def texts(baskets):
    return " ".join(note.text for note in baskets.notes)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_baskets_and_is_told(form):
    baskets = read_baskets(FORMS[form].encode(), "shop.csv")
    assert list(map(sorted, baskets.transactions)) == SHOP
    assert "The file was read as 3 baskets of 3 different items: one " in texts(baskets)
    assert ("uantities" in texts(baskets)) == ("quantities" in form or "returns" in form)


@pytest.mark.parametrize(
    ("text", "n_baskets"),
    [("1 2 3\n1 5\n2 7 8\n", 3), ("bread,milk\nbread,butter\nmilk,butter\n", 3), ("a,b\na,b\n", 2)],
)
def test_what_only_looks_like_another_form_is_read_line_by_line(text, n_baskets):
    baskets = read_baskets(text.encode(), "x")
    assert len(baskets.transactions) == n_baskets
    assert "one basket on each line" in texts(baskets)


def test_a_form_can_be_decided_otherwise():
    text = b"1,2\n1,5\n2,7\n"
    assert len(read_baskets(text, "x").transactions) == 2
    assert len(read_baskets(text, "x", options={"form": "lines"}).transactions) == 3
    numbered = read_baskets(b"9,tea,milk\n4,tea\n", "x", options={"numbered": True})
    assert list(map(sorted, numbered.transactions)) == [["milk", "tea"], ["tea"]]
    kept = read_baskets(b"T1,tea\nT2,milk\n", "x", options={"numbered": False})
    assert sorted(kept.items) == ["T1", "T2", "milk", "tea"]
    assert read_baskets(b"a,1\na,0\n", "x", options={"form": "long", "header": False}).items == (
        "0",
        "1",
    )
    with pytest.raises(TableError, match="cannot be read as one column for each item"):
        read_baskets(b"tea,milk\nbread,tea\n", "x", options={"form": "matrix"})
    with pytest.raises(ValueError, match="The form must be one of lines, long, matrix"):
        read_baskets(text, "x", options={"form": "cube"})


def test_empty_baskets_count_and_are_told():
    baskets = read_baskets(b"tea,milk\n1,0\n0,0\n1,1\n0,0\n", "x")
    assert list(map(sorted, baskets.transactions)) == [["tea"], [], ["milk", "tea"], []]
    assert "2 baskets without an item count in every support." in texts(baskets)
    assert apriori(baskets.transactions, 0.5) == {("tea",): 0.5}


def test_what_is_remarkable_is_told():
    assert "In 1 basket an item comes again; it counts once." in texts(
        read_baskets(b"a,b,a\nb\n", "x")
    )
    assert "All baskets are equal" in texts(read_baskets(b"a,b\na,b\n", "x"))
    assert "read as 2 baskets of 1 different item: one" in texts(read_baskets(b"a\na\n", "x"))
    with pytest.raises(TableError, match="no basket with an item"):
        read_baskets(b"tea,milk\n0,0\n", "x")


def test_many_items():
    content = "".join(f"item {i},item {i + 1},milk\n" for i in range(10_000)).encode()
    baskets = read_baskets(content, "x")
    assert len(baskets.items) == 10_002


cells = st.sampled_from(
    ["0", "1", "x", "", "tea", "milk", "id", "item", "2", "tea:2", "T1", "-1", " "]
)
lines = st.lists(st.lists(cells, max_size=4).map(",".join), max_size=6).map("\n".join)


@given(
    lines, st.sampled_from([None, "lines", "long", "matrix"]), st.sampled_from([None, True, False])
)
def test_any_file_is_read_or_refused(text, form, numbered):
    with contextlib.suppress(TableError):
        baskets = read_baskets(text.encode(), "x", options={"form": form, "numbered": numbered})
        assert baskets.items
        assert "" not in baskets.items


def in_cells(text):
    """Return a file of text as the rows of a sheet, whole numbers as numbers."""
    delimiter = next(mark for mark in "\t;, " if mark in text)
    rows = csv.reader(text.splitlines(), delimiter=delimiter)
    return [[int(cell) if cell.isdecimal() else cell for cell in row] for row in rows]


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("write", [xlsx, ods])
def test_a_workbook_is_read_as_the_text_with_its_cells(text, write):
    baskets = read_baskets(write({"Baskets": in_cells(text)}), "shop.xlsx")
    assert baskets.transactions == read_baskets(text.encode(), "shop.csv").transactions


def test_the_sheet_can_be_chosen():
    book = xlsx(
        {
            "Cover": [["Shop"]],
            "May": [["tea", "milk"], ["tea", "bread"]],
            "June": [["beer", "milk"], ["beer"]],
        }
    )
    assert "The sheet 'May' was read" in texts(read_baskets(book, "shop.xlsx"))
    assert read_baskets(book, "shop.xlsx", options={"sheet": "June"}).items == ("beer", "milk")


def test_a_workbook_of_edges_is_a_graph():
    graph = read_graph(
        xlsx({"S": [["from", "to", "weight"], ["a", "b", 2.5], ["b", "c", 1]]}), "edges.xlsx"
    ).graph
    assert sorted(graph.edges(data="weight")) == [("a", "b", 2.5), ("b", "c", 1.0)]


@pytest.mark.parametrize("data", [b"PK\x03\x04 no workbook", xlsx({"S": []})])
def test_a_workbook_without_baskets_is_refused(data):
    with pytest.raises(TableError):
        read_baskets(data, "shop.xlsx")


TICKED = [["Python", "R"], ["R"], ["Python", "SQL (a, b)"], ["SQL (a, b)"], []]
TICKS = {
    "commas": (
        'when,Which tools?,Years\n{0},"Python, R",1\n{1},R,2\n{2},"Python, SQL (a, b)",3\n'
        '{3},"SQL (a, b)",4\n{4},,1\n'
    ),
    "semicolons": (
        'ID,Start time,Tools used\n1,{0},Python;R;\n2,{1},R;\n3,{2},"Python;SQL (a, b);"\n'
        '4,{3},"SQL (a, b);"\n5,{4},\n'
    ),
    "line breaks": (
        'Zeit;Werkzeuge;Größe\n{0};"Python\nR";1\n{1};R;2\n{2};"Python\nSQL (a, b)";3\n'
        "{3};SQL (a, b);4\n{4};;5\n"
    ),
    "tabs": "when\t工具\n{0}\tPython, R\n{1}\tR\n{2}\tPython, SQL (a, b)\n{3}\tSQL (a, b)\n{4}\t\n",
    "full-width commas": (
        "when;工具\n{0};Python、R\n{1};R\n{2};Python、SQL (a, b)\n{3};SQL (a, b)\n{4};\n"
    ),
    "vertical bars": (
        'who,tools\nAnn,Python | R\nBo,R\nCy,"Python | SQL (a, b)"\nDi,"SQL (a, b)"\nEd,\n'
    ),
    "a question alone": (
        'name,"Which, if any, do you use?"\nAnn,"Python, R"\nBo,"R"\nCy,"Python, SQL (a, b)"\n'
        'Di,"SQL (a, b)"\nEd,\n'
    ),
    "no names": (
        '{0},"Python, R",1\n{1},R,2\n{2},"Python, SQL (a, b)",3\n{3},"SQL (a, b)",4\n{4},,1\n'
    ),
    "sentences beside": (
        'when,remark,tools\n{0},"Nice, but long","Python, R"\n{1},,R\n{2},"Well, it works",'
        '"Python, SQL (a, b)"\n{3},"No, thanks","SQL (a, b)"\n{4},,\n'
    ),
}
TIMES = {
    "Google": [f"2024/03/0{i} 10:1{i}:00 AM GMT+1" for i in range(1, 6)],
    "German": [f"0{i}.03.2024 10:00" for i in range(1, 6)],
    "equal days": ["2024-03-01"] * 5,
}


@pytest.mark.parametrize("text", TICKS.values(), ids=TICKS)
@pytest.mark.parametrize("times", TIMES.values(), ids=TIMES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_options_that_were_ticked_are_a_basket(text, times, encoding):
    baskets = read_baskets(text.format(*times).encode(encoding), "form.csv")
    assert list(map(sorted, baskets.transactions)) == TICKED
    assert "list of items in each cell of" in texts(baskets)
    assert "left out" in texts(baskets)


@pytest.mark.parametrize("write", [xlsx, ods])
def test_ticks_in_a_workbook(write):
    rows = [
        ["when", "tools"],
        ["2024-03-01", "Python;R;"],
        ["2024-03-02", "R;"],
        ["2024-03-03", "Python;SQL;"],
    ]
    baskets = read_baskets(write({"S": rows}), "form.xlsx")
    assert list(map(sorted, baskets.transactions)) == [["Python", "R"], ["R"], ["Python", "SQL"]]


def test_what_was_ticked_by_nobody_else_is_a_basket_too():
    text = (
        'Timestamp,Which?\n2024/03/01 10:10,"A, B"\n2024/03/01 10:11,"C, D"\n2024/03/01 10:12,"A,'
        ' B"\n'
    )
    baskets = read_baskets(text.encode(), "form.csv")
    assert list(map(sorted, baskets.transactions)) == [["A", "B"], ["C", "D"], ["A", "B"]]


@pytest.mark.parametrize("times", [times for name, times in TIMES.items() if name != "equal days"])
def test_times_before_items_are_none(times):
    baskets = read_baskets("".join(f"{time},tea,milk\n" for time in times).encode(), "x")
    assert baskets.items == ("milk", "tea")
    assert "The first field is a date, no item." in texts(baskets)


def test_a_column_alone_below_its_question():
    for text in (
        '"Which tools?"\n"Python, R"\n"R, SQL"\n"Python"\n',
        "Which tools?\nPython,R\nR,SQL\nPython\n",
    ):
        baskets = read_baskets(text.encode(), "form.csv")
        assert list(map(sorted, baskets.transactions)) == [
            ["Python", "R"],
            ["R", "SQL"],
            ["Python"],
        ]


def test_of_several_columns_with_ticks_another_can_be_chosen():
    text = b'day,Tools,Spoken\nMo,"a, b","de, en"\nTu,"b, c","en, fr"\nWe,"a, c","de, fr"\n'
    assert read_baskets(text, "form.csv").items == ("a", "b", "c")
    assert "Lists of items stand in 'Spoken' too." in texts(read_baskets(text, "form.csv"))
    assert read_baskets(text, "form.csv", options={"column": "Spoken"}).items == ("de", "en", "fr")
    assert len(read_baskets(text, "form.csv", options={"form": "lines"}).transactions) == 4
    assert read_baskets(text, "form.csv", options={"form": "ticks", "column": "day"}).items == (
        "Mo",
        "Tu",
        "We",
    )
    with pytest.raises(
        ValueError, match=r"There is no column 'Who'\. The columns are day, Tools, Spoken"
    ):
        read_baskets(text, "form.csv", options={"column": "Who"})
    with pytest.raises(ValueError, match="A column of items"):
        read_baskets(text, "form.csv", options={"form": "long", "column": "Tools"})
    with pytest.raises(TableError, match="cannot be read as several items in a cell"):
        read_baskets(b"a,b\nc,d\n", "x", options={"form": "ticks"})


@pytest.mark.parametrize(
    "text",
    [
        'tea,"milk, fresh",bread\ntea,"milk, fresh"\nbread,tea\n',
        'city,"Bern, CH"\n"Rome, IT",rum\ncity,rum\n',
        'T1,"tea, milk"\nT2,tea\nT3,"bread,milk,tea"\n',
    ],
)
def test_items_with_commas_are_no_ticks(text):
    assert "one basket on each line" in texts(read_baskets(text.encode(), "x"))


BRACES = {
    "alone": "{tea,milk}\n{tea}\n{}\n{bread,milk,tea}\n",
    "arules": "items\n{tea,milk}\n{tea}\n{}\n{bread,milk,tea}\n",
    "row names": '"","items"\n"1","{tea,milk}"\n"2","{tea}"\n"3","{}"\n"4","{bread,milk,tea}"\n',
    "write.table": '"items"\n"1" "{tea,milk}"\n"2" "{tea}"\n"3" "{}"\n"4" "{bread,milk,tea}"\n',
    "transactionID": (
        '"items","transactionID"\n"{tea,milk}","7"\n"{tea}","8"\n"{}","9"\n"{bread,milk,tea}","10"\n'
    ),
    "semicolons": "nr;items\n1;{tea,milk}\n2;{tea}\n3;{}\n4;{bread,milk,tea}\n",
    "semicolons inside": "{tea;milk}\n{tea}\n{}\n{bread;milk;tea}\n",
    "inspect": (
        "    items\n[1] {tea,\n     milk}\n[2] {tea}\n[3] {}\n[4] {bread,\n     milk,\n     tea}\n"
    ),
    "quotes": '{"tea", "milk"}\n{"tea"}\n{}\n{"bread", "milk", "tea"}\n',
    "quoted quotes": (
        'n,set\n1,"{""tea"",""milk""}"\n2,"{""tea""}"\n3,{}\n4,"{""bread"",""milk"",""tea""}"\n'
    ),
    "Python's sets": "{'tea', 'milk'}\n{'tea'}\n{}\n{'bread', 'milk', 'tea'}\n",
    "an empty one first": "{}\n{tea,milk}\n{tea}\n{bread,milk,tea}\n",
}


@pytest.mark.parametrize("text", BRACES.values(), ids=BRACES)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_baskets_in_braces(text, encoding):
    baskets = read_baskets(text.encode(encoding), "transactions.csv")
    assert sorted(map(sorted, baskets.transactions)) == [
        [],
        ["bread", "milk", "tea"],
        ["milk", "tea"],
        ["tea"],
    ]
    assert "items in braces" in texts(baskets)


def test_braces_in_a_workbook_and_items_with_commas():
    rows = [["items", "id"], ["{tea,milk}", 1], ["{tea (green, black)}", 2], ["{}", 3]]
    baskets = read_baskets(xlsx({"S": rows}), "t.xlsx")
    assert list(map(sorted, baskets.transactions)) == [["milk", "tea"], ["tea (green, black)"], []]
    assert read_baskets(b'{"tea, green","milk"}\n{"milk"}\n', "t.txt").items == (
        "milk",
        "tea, green",
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('"rules","support"\n"{a} => {b}",0.1\n"{} => {b}",0.2\n', "holds rules"),
        ('"items","support","count"\n"{a}",0.1,3\n"{a,b}",0.1,3\n', "item sets with their support"),
        ('{"a": 1}\n{"a": 2}\n', "no plain text"),
        ("lhs,rhs,lift\n{a},{b},1.1\n{},{b},1.2\n", "several sets"),
        ("<{a,b},{c}>\n<{a},{b}>\n", "several sets"),
    ],
)
def test_what_else_stands_in_braces_is_refused(text, sentence):
    with pytest.raises(TableError, match=sentence):
        read_baskets(text.encode(), "x")


@pytest.mark.parametrize("blank", ["\u202f", " ", "\u3000"])
@pytest.mark.parametrize(
    "form",
    [
        "{0}",
        "{0},tea:2",
        'id,item\n1,"{0}"\n2,b\n',
        'a,b\n"{0}, x","{0}"\n"{0}, y",z\n',
        "item{0}\n1",
    ],
)
def test_many_blanks_in_an_item_are_read(blank, form):
    item = "a" + blank * 40_000 + "b"
    baskets = read_baskets("\n".join([form.format(item)] * 2).encode(), "x")
    assert len(baskets.transactions) >= 2


@given(st.text(alphabet="()[]{},; \nab", max_size=40))
def test_items_of_a_list_are_parts_of_it(text):
    items = items_in(text)
    assert all(item and item == item.strip() and item in text for item in items)
    if not set("()[]{}") & set(text):
        assert items == [part.strip() for part in re.split(r"[,;\n]", text) if part.strip()]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("a, b (c, d), e", ["a", "b (c, d)", "e"]),
        ("a (b, c", ["a (b", "c"]),
        ("a) b, c", ["a) b", "c"]),
        ("a [b; (c, d)], e", ["a [b; (c, d)]", "e"]),
        ("a（b，c）、d", ["a（b，c）", "d"]),
        (" , ;\n", []),
    ],
)
def test_a_comma_in_brackets_parts_nothing(text, items):
    assert items_in(text) == items
