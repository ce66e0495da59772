"""Codes of digits that have lost some, powers of ten, and cells of very many digits."""

from tests.datasets.messy.case import Case, Loads, column, values
from tests.datasets.messy.office import xlsx

PARCELS = ["1439403621518935563", "42286989", "8.26839E+17", "1439403621518935564"]
LONG = [str(1439403621518935563 + 97 * i) for i in range(8)]

CODES = (
    Case(
        "numbers of parcels",
        column(PARCELS, "parcel"),
        Loads(
            (4, 2),
            None,
            {"parcel": "id"},
            {(0, "parcel"): PARCELS[0], (2, "parcel"): PARCELS[2]},
            "precision",
        ),
    ),
    Case(
        "numbers of parcels under another name",
        column(PARCELS),
        values(*PARCELS, kind="id", notes="precision"),
    ),
    Case(
        "shortened bar codes",
        column(["4006381333931", "4.00638E+12", "4006381333948", "5.01234E+12"]),
        values(
            "4006381333931",
            "4.00638E+12",
            "4006381333948",
            "5.01234E+12",
            kind="id",
            notes="precision",
        ),
    ),
    Case(
        "shortened bar codes with decimal commas",
        column(["4006381333931", "4,00638E+12", "4006381333948"]),
        values("4006381333931", "4,00638E+12", "4006381333948", kind="id", notes="precision"),
    ),
    Case(
        "account numbers that are all shortened",
        column(["8.26839E+17", "1.43940E+18", "1.5394E+18"], "account no"),
        Loads((3, 2), None, {"account no": "id"}, {(0, "account no"): "8.26839E+17"}, "precision"),
    ),
    Case(
        "shortened codes, and a hole",
        column([*LONG, "8.26839E+17", "NA"]),
        Loads(
            (10, 2), None, {"x": "id"}, {(0, "x"): LONG[0], (9, "x"): None}, "precision na_tokens"
        ),
    ),
    Case(
        "codes that are numbers, when it is said",
        column(PARCELS),
        Loads((4, 2), None, {"x": "numeric"}),
        options={"kinds": {"x": "numeric"}},
    ),
    Case(
        "telephone numbers of which one is shortened",
        column(["41791234567", "4.17912E+10", "41791234568"]),
        values("41791234567", "4.17912E+10", "41791234568", kind="id", notes="precision"),
    ),
    Case(
        "codes with letters and one that is shortened",
        column(["RB123456785CH", "8.26839E+17", "RC123456785CH"]),
        values("RB123456785CH", "8.26839E+17", "RC123456785CH", kind="id", notes="precision"),
    ),
    Case(
        "powers of ten beside small whole numbers",
        column(["1", "120", "6.02E+23", "3"]),
        values(1, 120, 6.02e23, 3),
    ),
    Case(
        "factorials of a spreadsheet",
        column(["1", "6", "39916800", "6227020800", "1.30767E+12", "2.0923E+13"]),
        values(1, 6, 39916800, 6227020800, 1.30767e12, 2.0923e13),
    ),
    Case(
        "factorials of a workbook",
        lambda: xlsx(
            {
                "S": [
                    ["k", "x"],
                    ["a", 2],
                    ["b", 355687428096000],
                    ["c", ("", "<v>2.43290200817664E+18</v>")],
                ]
            }
        ),
        values(2, 355687428096000, 2.43290200817664e18),
        name="data.xlsx",
    ),
    Case(
        "powers of ten of a workbook",
        lambda: xlsx(
            {
                "S": [
                    ["k", "x"],
                    ["a", ("", "<v>1.5E3</v>")],
                    ["b", ("", "<v>2.5E-05</v>")],
                    ["c", "1.5E+3"],
                ]
            }
        ),
        values(1500, 2.5e-5, 1500),
        name="data.xlsx",
    ),
    Case(
        "long whole numbers of a workbook",
        lambda: xlsx(
            {"S": [["k", "x"], *(["a", ("", f"<v>1.43940362151{i}94E+18</v>")] for i in range(4))]}
        ),
        Loads((4, 2), None, {"x": "numeric"}, {}, "precision"),
        name="data.xlsx",
    ),
    Case(
        "numbers of parcels in a workbook, some as texts",
        lambda: xlsx(
            {"S": [["k", "x"], ["a", LONG[0]], ["b", ("", "<v>8.26839E+17</v>")], ["c", LONG[1]]]}
        ),
        values(LONG[0], "8.26839E+17", LONG[1], kind="id", notes="precision"),
        name="data.xlsx",
    ),
)

DIGITS = (
    Case(
        "thirty thousand digits and a letter",
        f"a,b\n1,2\n{'1' * 30_000}x,3\n",
        Loads((2, 2), ("a", "b"), {"b": "numeric"}, {(0, "a"): "1", (1, "b"): 3}),
    ),
    Case(
        "thirty thousand digits with commas and a letter",
        f"a;b\n1;2\n{'1,' * 15_000}x;3\n",
        Loads((2, 2), ("a", "b"), {"b": "numeric"}, {(0, "a"): "1", (1, "b"): 3}),
    ),
)

CASES = (*CODES, *DIGITS)
