"""Files of baskets: every form is found out, told, and can be decided otherwise."""

import contextlib
import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.association import apriori
from dmlib.datasets import TableError, read_baskets, read_graph
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
    "long among others": "Date,Member_number,itemDescription\n1.5.,1808,tea\n1.5.,1808,milk\n2.5.,2552,tea\n"
    "3.5.,9,bread\n3.5.,9,milk\n3.5.,9,tea\n",
    "long with quantities": "basket,item,qty\n1,tea,2\n1,milk,1\n2,tea,1\n2,beer,0\n3,tea,1\n3,bread,2\n3,milk,1\n",
    "long with returns": "InvoiceNo,StockCode,Description,Quantity\n53,85A,tea,6\n53,71053,milk,6\n54,71053,milk,-1"
    "\n54,9,tea,1\n7,9,tea,1\n7,8,bread,1\n7,71053,milk,1\n",
    "zeros and ones": "tea,milk,bread\n1,1,0\n1,0,0\n1,1,1\n",
    "yes and no, with names": "name,tea,milk,bread\nAnn,yes,yes,no\nBob,yes,no,no\nCy,yes,yes,yes\n",
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
    assert read_baskets(b"a,1\na,0\n", "x", options={"form": "long", "header": False}).items == ("0", "1")
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
    assert "In 1 basket an item comes again; it counts once." in texts(read_baskets(b"a,b,a\nb\n", "x"))
    assert "All baskets are equal" in texts(read_baskets(b"a,b\na,b\n", "x"))
    assert "read as 2 baskets of 1 different item: one" in texts(read_baskets(b"a\na\n", "x"))
    with pytest.raises(TableError, match="no basket with an item"):
        read_baskets(b"tea,milk\n0,0\n", "x")


def test_many_items():
    content = "".join(f"item {i},item {i + 1},milk\n" for i in range(10_000)).encode()
    baskets = read_baskets(content, "x")
    assert len(baskets.items) == 10_002


cells = st.sampled_from(["0", "1", "x", "", "tea", "milk", "id", "item", "2", "tea:2", "T1", "-1", " "])
lines = st.lists(st.lists(cells, max_size=4).map(",".join), max_size=6).map("\n".join)


@given(lines, st.sampled_from([None, "lines", "long", "matrix"]), st.sampled_from([None, True, False]))
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
    book = xlsx({"Cover": [["Shop"]], "May": [["tea", "milk"], ["tea", "bread"]], "June": [["beer", "milk"], ["beer"]]})
    assert "The sheet 'May' was read" in texts(read_baskets(book, "shop.xlsx"))
    assert read_baskets(book, "shop.xlsx", options={"sheet": "June"}).items == ("beer", "milk")


def test_a_workbook_of_edges_is_a_graph():
    graph = read_graph(xlsx({"S": [["from", "to", "weight"], ["a", "b", 2.5], ["b", "c", 1]]}), "edges.xlsx").graph
    assert sorted(graph.edges(data="weight")) == [("a", "b", 2.5), ("b", "c", 1.0)]


@pytest.mark.parametrize("data", [b"PK\x03\x04 no workbook", xlsx({"S": []})])
def test_a_workbook_without_baskets_is_refused(data):
    with pytest.raises(TableError):
        read_baskets(data, "shop.xlsx")
