"""Merged cells, cells with errors, and long numbers of workbooks in all formats."""

from tests.datasets.messy.case import Case, Loads
from tests.datasets.messy.office import ods, xls, xlsx

MERGES = '<mergeCells count="{}">{}</mergeCells>'
BIRDS = [["species", "length"], ["gull", 5.2], [None, 5.1], [None, 6.3], ["tern", 5.6], [None, 4.4]]
LABELS = {
    (0, "species"): "gull",
    (2, "species"): "gull",
    (3, "species"): "tern",
    (4, "species"): "tern",
}
FILLED = Loads((5, 2), ("species", "length"), {"species": "nominal"}, LABELS, "merged_cells")


def merged(rows: list[list[object]], *areas: str) -> bytes:
    """Return a workbook in which some areas are merged."""
    cells = "".join(f'<mergeCell ref="{area}"/>' for area in areas)
    return xlsx({"S": rows}, attributes=MERGES.format(len(areas), cells))


def spanned(text: str, rows: int = 1, columns: int = 1) -> tuple[str]:
    """Return an OpenDocument cell that spans some others."""
    spans = f'table:number-rows-spanned="{rows}" table:number-columns-spanned="{columns}"'
    return (
        (
            f"<table:table-cell {spans}"
            f' office:value-type="string"><text:p>{text}</text:p></table:table-cell>'
        ),
    )


def open_error(text: str) -> tuple[str]:
    """Return an OpenDocument cell with an error, as LibreOffice writes it."""
    kinds = 'office:value-type="string" office:string-value="" calcext:value-type="error"'
    return (f"<table:table-cell {kinds}><text:p>{text}</text:p></table:table-cell>",)


COVERED = ("<table:covered-table-cell/>",)
RATIOS = Loads(
    (5, 2),
    ("item", "ratio"),
    {"ratio": "numeric"},
    {(0, "ratio"): None, (1, "ratio"): 1.5, (4, "ratio"): None},
    "na_tokens",
)


def ratios(start: object, end: object) -> list[list[object]]:
    """Return rows with an error in the first and in the last."""
    return [["item", "ratio"], ["p", start], ["q", 1.5], ["r", 2.25], ["s", 0.5], ["t", end]]


def error(name: str) -> tuple[str, str]:
    """Return a cell with an error of an .xlsx workbook."""
    return (' t="e"', f"<f>1/B2</f><v>{name}</v>")


CASES = (
    Case(
        "labels merged over rows", lambda: merged(BIRDS, "A2:A4", "A5:A6"), FILLED, name="data.xlsx"
    ),
    Case(
        "labels merged over rows of a sheet that starts elsewhere",
        lambda: xlsx(
            {"S": [[None, None, *row] for row in BIRDS]},
            top=7,
            attributes=MERGES.format(2, '<mergeCell ref="C8:C10"/><mergeCell ref="C11:C12"/>'),
        ),
        FILLED,
        name="data.xlsx",
    ),
    Case(
        "labels merged over rows of an old workbook",
        lambda: xls(BIRDS, merged=[(1, 3, 0, 0), (4, 5, 0, 0)]),
        FILLED,
        name="data.xls",
    ),
    Case(
        "labels merged over rows of OpenDocument",
        lambda: ods(
            {
                "S": [
                    BIRDS[0],
                    [spanned("gull", 3), 5.2],
                    [COVERED, 5.1],
                    [COVERED, 6.3],
                    [spanned("tern", 2), 5.6],
                    [COVERED, 4.4],
                ]
            }
        ),
        FILLED,
        name="data.ods",
    ),
    Case(
        "numbers merged over rows, in the last column",
        lambda: merged(
            [["k", "dose"], ["a", 10], ["b", None], ["c", 20], ["d", None]], "B2:B3", "B4:B5"
        ),
        Loads(
            (4, 2),
            ("k", "dose"),
            {"dose": "numeric"},
            {(1, "dose"): 10, (3, "dose"): 20},
            "merged_cells",
        ),
        name="data.xlsx",
    ),
    Case(
        "a value merged over two of five columns",
        lambda: merged(
            [["k", "a", "b", "c", "d"], ["u", 1, 2, 3, 4], ["v", 5, None, 7, 8], ["w", 2, 6, 4, 1]],
            "B3:C3",
        ),
        Loads(
            (3, 5),
            ("k", "a", "b", "c", "d"),
            {"b": "numeric"},
            {(1, "a"): 5, (1, "b"): 5},
            "merged_cells",
        ),
        name="data.xlsx",
    ),
    Case(
        "names merged across and down above merged labels",
        lambda: merged(
            [["town", "money", None], [None, "in", "out"], ["a", 2, 3], [None, 5, 9], ["b", 1, 4]],
            "A1:A2",
            "B1:C1",
            "A3:A4",
        ),
        Loads(
            (3, 3),
            ("town", "money in", "money out"),
            {},
            {(1, "town"): "a", (2, "money out"): 4},
            "names_joined merged_cells",
        ),
        name="data.xlsx",
    ),
    Case(
        "a title merged across all columns",
        lambda: merged([["Birds of 2024", None], [], *BIRDS], "A1:B1", "A4:A6", "A7:A8"),
        FILLED,
        name="data.xlsx",
    ),
    Case(
        "errors of .xlsx",
        lambda: xlsx({"S": ratios(error("#DIV/0!"), error("#N/A"))}),
        RATIOS,
        name="data.xlsx",
    ),
    Case(
        "errors of .xlsx, of constants and with prefixes",
        lambda: xlsx({"S": ratios((' t="e" s="0"', "<v>#VALUE!</v>"), (" t='e'", "<v>#NUM!</v>"))}),
        RATIOS,
        name="data.xlsx",
    ),
    Case("errors of .xls", lambda: xls(ratios(b"\x07", b"\x2a")), RATIOS, name="data.xls"),
    Case(
        "errors of formulas of .xls",
        lambda: xls(ratios(b"\x0f\0", b"\x17\0")),
        RATIOS,
        name="data.xls",
    ),
    Case(
        "errors of OpenDocument",
        lambda: ods({"S": ratios(open_error("#DIV/0!"), open_error("Err:502"))}),
        RATIOS,
        name="data.ods",
    ),
    Case(
        "errors among words",
        lambda: xlsx(
            {"S": [["k", "grade"], [1, "good"], [3, error("#REF!")], [2, "bad"], [7, "good"]]}
        ),
        Loads((4, 2), ("k", "grade"), {"grade": "nominal"}, {(1, "grade"): None}, "na_tokens"),
        name="data.xlsx",
    ),
    Case(
        "German errors of a text file",
        "k;x\na;1,5\nb;#WERT!\nc;#NV\nd;2,5\n",
        Loads(
            (4, 2),
            ("k", "x"),
            {"x": "numeric"},
            {(1, "x"): None, (2, "x"): None, (3, "x"): 2.5},
            "na_tokens",
        ),
    ),
)
