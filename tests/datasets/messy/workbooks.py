"""Workbooks with odd sheets, cells and sizes."""

from tests.datasets.messy.case import HEAD, ROWS, Case, Loads, Refused, unchanged
from tests.datasets.messy.office import ods, ole2, xls, xlsx, zipped

TYPED = [[*map(float, row[:3]), row[3]] for row in ROWS]
SHEET = [list(HEAD), *TYPED]
DATE = ' s="1"'


def pair(*column: object, name: str = "x") -> list[list[object]]:
    """Return rows of a column of words and a column of other cells."""
    return [["k", name], *([f"u{i % 4}", value] for i, value in enumerate(column))]


def column_of(cells: dict, shape: tuple[int, int], kind: str, notes: str = "") -> Loads:
    return Loads(shape, ("k", "x"), {"x": kind}, cells, notes)


def _with_cell(place: str) -> bytes:
    """Return a workbook with a cell in an odd place."""
    return xlsx({"S": [["a", "b"], [1, 2], [3, (f' r="{place}"', "<v>7</v>")]]})


def _huge() -> bytes:
    """Return an old workbook whose container says that its sectors are of 2^40 bytes."""
    data = bytearray(xls(SHEET))
    data[30] = 40
    return bytes(data)


CASES = (
    Case("a workbook", lambda: xlsx({"S": SHEET}), unchanged(silent=True), name="data.xlsx"),
    Case(
        "a workbook under another name",
        lambda: xlsx({"S": SHEET}),
        unchanged("format_guessed"),
        name="data.csv",
    ),
    Case(
        "a workbook named as an old one", lambda: xlsx({"S": SHEET}), unchanged(), name="data.xls"
    ),
    Case(
        "an OpenDocument workbook",
        lambda: ods({"S": SHEET}),
        unchanged(silent=True),
        name="data.ods",
    ),
    Case("an old workbook", lambda: xls(SHEET), unchanged(silent=True), name="data.xls"),
    Case("an old workbook under a new name", lambda: xls(SHEET), unchanged(), name="data.xlsx"),
    Case(
        "an old container without a workbook",
        lambda: ole2("WordDocument", b"text"),
        Refused("corrupt"),
        name="data.xls",
    ),
    Case(
        "a workbook with a password",
        lambda: ole2("EncryptedPackage", b"\1" * 5000),
        Refused("encrypted"),
        name="data.xlsx",
    ),
    Case(
        "half of a workbook", lambda: xlsx({"S": SHEET})[:900], Refused("corrupt"), name="data.xlsx"
    ),
    Case("an old workbook cut off", lambda: xls(SHEET)[:1800], Refused("corrupt"), name="data.xls"),
    Case("an empty workbook", lambda: xlsx({"S": []}), Refused("empty_file"), name="data.xlsx"),
    Case(
        "an empty OpenDocument workbook",
        lambda: ods({"S": []}),
        Refused("empty_file"),
        name="data.ods",
    ),
    Case(
        "a workbook with names alone",
        lambda: xlsx({"S": [list(HEAD)]}),
        Refused("no_rows"),
        name="data.xlsx",
    ),
    Case(
        "an empty first sheet",
        lambda: xlsx({"Cover": [], "Data": SHEET}),
        unchanged("sheet_chosen"),
        name="data.xlsx",
    ),
    Case(
        "an empty first sheet of OpenDocument",
        lambda: ods({"Cover": [], "Data": SHEET}),
        unchanged("sheet_chosen"),
        name="data.ods",
    ),
    Case(
        "a chosen sheet",
        lambda: xlsx({"One": pair(1, 2, 5), "Two": SHEET}),
        unchanged(silent=True),
        name="data.xlsx",
        options={"sheet": "Two"},
    ),
    Case(
        "a sheet that is not there",
        lambda: xlsx({"One": SHEET}),
        Refused("wrong_format", "One"),
        name="data.xlsx",
        options={"sheet": "Two"},
    ),
    Case(
        "a hidden sheet before the table",
        lambda: xlsx({"Lists": pair("a", "b"), "Data": SHEET}, hidden="Lists"),
        unchanged("sheet_chosen"),
        name="data.xlsx",
    ),
    Case(
        "a cover sheet of words",
        lambda: xlsx({"Read me": [["Made by Ann"], ["in 2024"]], "Data": SHEET}),
        unchanged("sheet_chosen"),
        name="data.xlsx",
    ),
    Case(
        "a sheet's name of markup",
        lambda: xlsx({"<b>&\"'": SHEET, "T": []}),
        unchanged("sheet_chosen"),
        name="data.xlsx",
    ),
    Case(
        "a title above a sheet",
        lambda: xlsx({"S": [["Our class"], [], *SHEET]}),
        unchanged("preamble"),
        name="data.xlsx",
    ),
    Case(
        "a sheet that starts far below",
        lambda: xlsx({"S": SHEET}, top=40),
        unchanged(),
        name="data.xlsx",
    ),
    Case(
        "a sheet that starts to the right",
        lambda: xlsx({"S": [[None, None, *row] for row in SHEET]}),
        unchanged(),
        name="data.xlsx",
    ),
    Case(
        "empty rows in a sheet",
        lambda: xlsx({"S": [*SHEET[:5], [], [], *SHEET[5:]]}),
        unchanged(),
        name="data.xlsx",
    ),
    Case(
        "a sum below a sheet",
        lambda: xlsx({"S": [*SHEET, [], ["Total", 2097.6]]}),
        unchanged("footer"),
        name="data.xlsx",
    ),
    Case(
        "two tables below each other",
        lambda: xlsx({"S": [*SHEET, [], ["a", "b"], [1, 2], [3, 4], [5, 7]]}),
        unchanged("multiple_tables"),
        name="data.xlsx",
    ),
    Case(
        "merged cells",
        lambda: xlsx(
            {"S": [["group", "x", "y"], ["A", 1, 2], [None, 3, 4], ["B", 5, 7]]},
            attributes='<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>',
        ),
        Loads((3, 3), ("group", "x", "y"), {}, {(1, "group"): "A", (1, "x"): 3}, "merged_cells"),
        name="data.xlsx",
    ),
    Case(
        "dates in cells",
        lambda: xlsx({"S": pair(*[(DATE, f"<v>{45292 + i}</v>") for i in range(3)])}),
        column_of({(0, "x"): "2024-01-01", (2, "x"): "2024-01-03"}, (3, 2), "date"),
        name="data.xlsx",
    ),
    Case(
        "dates with times in cells",
        lambda: xlsx({"S": pair(*[(DATE, f"<v>{45292.5 + i}</v>") for i in range(3)])}),
        column_of({(0, "x"): "2024-01-01T12"}, (3, 2), "date"),
        name="data.xlsx",
    ),
    Case(
        "truth values in cells",
        lambda: xlsx({"S": pair(True, False, True)}),
        column_of({}, (3, 2), "nominal"),
        name="data.xlsx",
    ),
    Case(
        "errors in cells",
        lambda: xlsx(
            {"S": pair(1, (' t="e"', "<v>#DIV/0!</v>"), 3, (' t="e"', "<v>#REF!</v>"), 8)}
        ),
        column_of(
            {(0, "x"): 1, (1, "x"): None, (3, "x"): None, (4, "x"): 8},
            (5, 2),
            "numeric",
            "na_tokens",
        ),
        name="data.xlsx",
    ),
    Case(
        "formulas without values",
        lambda: xlsx({"S": pair(1, ("", "<f>B2*2</f>"), 3, 8)}),
        column_of({(0, "x"): 1, (1, "x"): None, (3, "x"): 8}, (4, 2), "numeric"),
        name="data.xlsx",
    ),
    Case(
        "formulas with values",
        lambda: xlsx({"S": pair(1, ("", "<f>B2*2</f><v>2</v>"), 3, 8)}),
        column_of({(1, "x"): 2}, (4, 2), "numeric"),
        name="data.xlsx",
    ),
    Case(
        "a formula that gives text",
        lambda: xlsx({"S": pair("a", (' t="str"', '<f>"b"</f><v>b</v>'), "c")}),
        column_of({(1, "x"): "b"}, (3, 2), "nominal"),
        name="data.xlsx",
    ),
    Case(
        "numbers as texts",
        lambda: xlsx({"S": pair("1", "2.5", "-3")}),
        column_of({(1, "x"): 2.5}, (3, 2), "numeric"),
        name="data.xlsx",
    ),
    Case(
        "decimal commas as texts",
        lambda: xlsx({"S": pair("1,5", "2,25", "-3")}),
        column_of({}, (3, 2), "numeric", "decimal_comma"),
        name="data.xlsx",
    ),
    Case(
        "codes as texts",
        lambda: xlsx({"S": pair("007", "012", "100")}),
        column_of({(0, "x"): "007"}, (3, 2), "nominal"),
        name="data.xlsx",
    ),
    Case(
        "line ends and markup in cells",
        lambda: xlsx({"S": pair("a\nb", "<b>&", "=1+1")}),
        column_of({(0, "x"): "a\nb", (1, "x"): "<b>&", (2, "x"): "=1+1"}, (3, 2), "nominal"),
        name="data.xlsx",
    ),
    Case(
        "rows of differing lengths",
        lambda: xlsx({"S": [["a", "b", "c"], [1], [1, 2, 3], [4, 5], [7, 8, 8]]}),
        Loads((4, 3), ("a", "b", "c"), {}, {(0, "b"): None, (2, "c"): None}),
        name="data.xlsx",
    ),
    Case(
        "equal and empty names in a sheet",
        lambda: xlsx({"S": [["a", "a", None], [1, 2, 3], [4, 5, 9]]}),
        Loads((2, 3), ("a", "a_2", "column_3"), {}, {}, "names_changed"),
        name="data.xlsx",
    ),
    Case(
        "numbers as names in a sheet",
        lambda: xlsx({"S": [["town", 2021, 2022], ["a", 2, 3], ["b", 5, 9]]}),
        Loads((2, 3), ("town", "2021", "2022")),
        name="data.xlsx",
    ),
    Case(
        "merged names",
        lambda: xlsx(
            {"S": [["town", "money", None], [None, "in", "out"], ["a", 2, 3], ["b", 5, 9]]},
            attributes='<mergeCells count="1"><mergeCell ref="B1:C1"/></mergeCells>',
        ),
        Loads((2, 3), ("town", "money in", "money out"), {}, {(1, "money out"): 9}, "names_joined"),
        name="data.xlsx",
    ),
    Case(
        "a cell in the last corner",
        lambda: _with_cell("XFD1048576"),
        Refused("too_many_columns"),
        name="data.xlsx",
    ),
    Case(
        "a cell far below",
        lambda: _with_cell("B1048576"),
        Refused("too_many_rows"),
        name="data.xlsx",
    ),
    Case(
        "a cell in the last corner of an old sheet",
        lambda: xls(SHEET, (65535, 255)),
        Refused("too_large"),
        name="data.xls",
    ),
    Case("an old workbook that asks for all memory", _huge, Refused("corrupt"), name="data.xls"),
    Case(
        "a cell far to the right",
        lambda: _with_cell("XFD3"),
        Refused("too_many_columns"),
        name="data.xlsx",
    ),
    Case(
        "an area of ten thousand by two thousand and one cell",
        lambda: _with_cell("BXX10001"),
        Refused("too_many_rows"),
        name="data.xlsx",
    ),
    Case(
        "OpenDocument rows repeated to the end",
        lambda: ods(
            {"S": SHEET},
            after=(
                '<table:table-row table:number-rows-repeated="1048000"><table:table-cell'
                ' table:number-columns-repeated="16384"/></table:table-row>'
            ),
        ),
        unchanged(),
        name="data.ods",
    ),
    Case(
        "OpenDocument cells repeated to the end",
        lambda: ods(
            {"S": SHEET},
            after=(
                '<table:table-row table:number-rows-repeated="1048000"><table:table-cell'
                ' office:value-type="float" office:value="1"'
                ' table:number-columns-repeated="16384"/></table:table-row>'
            ),
        ),
        Refused("too_many_columns"),
        name="data.ods",
    ),
    Case(
        "OpenDocument dates",
        lambda: ods(
            {
                "S": pair(
                    *[
                        (
                            (
                                '<table:table-cell office:value-type="date"'
                                f' office:date-value="2024-01-0{i}"/>'
                            ),
                        )
                        for i in (1, 2, 3)
                    ]
                )
            }
        ),
        column_of({(0, "x"): "2024-01-01"}, (3, 2), "date"),
        name="data.ods",
    ),
    Case(
        "OpenDocument percent and money",
        lambda: ods(
            {
                "S": pair(
                    *[
                        (f'<table:table-cell office:value-type="{kind}" office:value="0.{i}"/>',)
                        for i, kind in enumerate(("percentage", "currency", "float"), 1)
                    ]
                )
            }
        ),
        column_of({(0, "x"): 0.1}, (3, 2), "numeric"),
        name="data.ods",
    ),
    Case(
        "an entity in a workbook",
        lambda: zipped({"xl/workbook.xml": '<!DOCTYPE w [<!ENTITY a "b">]><workbook/>'}),
        Refused("unsafe_xml"),
        name="data.xlsx",
    ),
    Case(
        "an entity in an OpenDocument workbook",
        lambda: zipped(
            {"content.xml": '<!DOCTYPE w [<!ENTITY a "b"><!ENTITY c "&a;&a;&a;">]><w>&c;</w>'}
        ),
        Refused("unsafe_xml"),
        name="data.ods",
    ),
    Case(
        "a workbook without sheets",
        lambda: zipped({"xl/workbook.xml": "<workbook/>"}),
        Refused("corrupt"),
        name="data.xlsx",
    ),
    Case(
        "a workbook that is stored and not packed",
        lambda: xlsx({"S": SHEET}),
        unchanged(),
        name="DATA.XLSX",
    ),
    Case(
        "a Word document",
        lambda: zipped({"word/document.xml": "<w/>", "[Content_Types].xml": "<t/>"}),
        Refused("wrong_format"),
        name="data.docx",
    ),
)
