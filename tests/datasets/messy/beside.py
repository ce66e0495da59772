"""Tables side by side, and blank columns within one table."""

from itertools import zip_longest

from tests.datasets.messy.case import LONG, N_LONG, Case, Loads
from tests.datasets.messy.office import xlsx

TOWNS = [["town", "x", "g"], *([f"n{i}", str(i * 7 % 5 + 0.5), "ab"[i % 2]] for i in range(12))]
PEOPLE = [["city", "people"], *([f"c{i}", str(i * i * 100)] for i in range(5))]
KINDS = {"x": "numeric", "g": "nominal"}
READ = Loads(
    (12, 3), ("town", "x", "g"), KINDS, {(0, "town"): "n0", (11, "x"): 2.5}, "multiple_tables"
)


def rows(
    first_table: list[list[str]], second_table: list[list[str]], gap: int = 1
) -> list[list[str]]:
    pairs = zip_longest(first_table, second_table)
    return [
        [
            *(first or [""] * len(first_table[0])),
            *[""] * gap,
            *(second or [""] * len(second_table[0])),
        ]
        for first, second in pairs
    ]


def side_by_side(
    first_table: list[list[str]], second_table: list[list[str]], delimiter: str = ",", gap: int = 1
) -> str:
    return "".join(delimiter.join(row) + "\n" for row in rows(first_table, second_table, gap))


def trimmed(text: str) -> str:
    return "".join(line.rstrip(",") + "\n" for line in text.splitlines())


EQUAL = [["city", "people"], *([f"c{i}", str(i * i * 100)] for i in range(12))]
REMARKS = [["remark"], *([f"c{i}"] for i in range(5))]
SECOND = [["u", "v"], *([str(i * 3 % 7), str(i * i)] for i in range(12))]
LARGE = [TOWNS[0], *([f"n{i}", f"{i % 5}.5", LONG] for i in range(N_LONG))]
NUMBERED = Loads((12, 5), ("town", "x", "g", "u", "v"), KINDS, {(11, "v"): 121})

CASES = (
    Case("a shorter table beside", side_by_side(TOWNS, PEOPLE), READ),
    Case("a longer table beside, semicolons", side_by_side(PEOPLE, TOWNS, ";", 2), READ),
    Case(
        "a table of the same names beside, tabs",
        side_by_side(TOWNS, TOWNS, "\t").encode("utf-16"),
        READ,
    ),
    Case("a table of as many rows beside", side_by_side(TOWNS, EQUAL), READ),
    Case(
        "tables beside each other below titles",
        "Table A,,,,Table B,\n" + side_by_side(TOWNS, PEOPLE),
        Loads((12, 3), ("town", "x", "g"), KINDS, {}, "multiple_tables"),
    ),
    Case(
        "a shorter table beside, no delimiters behind", trimmed(side_by_side(TOWNS, PEOPLE)), READ
    ),
    Case("a longer table beside, no delimiters behind", trimmed(side_by_side(PEOPLE, TOWNS)), READ),
    Case(
        "tables beside each other in a sheet",
        lambda: xlsx({"S": rows(TOWNS, PEOPLE)}),
        READ,
        name="data.xlsx",
    ),
    Case(
        "a table beside many rows",
        lambda: side_by_side(LARGE, PEOPLE),
        Loads(
            (N_LONG, 3),
            ("town", "x", "g"),
            KINDS,
            {(N_LONG - 1, "x"): (N_LONG - 1) % 5 + 0.5},
            "multiple_tables",
        ),
    ),
    Case(
        "the second table, when it is said",
        side_by_side(TOWNS, PEOPLE),
        Loads(
            (5, 2),
            ("city", "people"),
            {"people": "numeric"},
            {(4, "people"): 1600},
            "multiple_tables",
        ),
        options={"block": 2},
    ),
    Case(
        "tables as one, when it is said",
        side_by_side(TOWNS, PEOPLE),
        Loads((12, 5), ("town", "x", "g", "city", "people"), KINDS, {(11, "city"): None}),
        options={"block": 0},
    ),
    Case("a blank column within a table", side_by_side(TOWNS, SECOND), NUMBERED),
    Case(
        "a column of remarks behind a blank one",
        side_by_side(TOWNS, REMARKS),
        Loads((12, 4), ("town", "x", "g", "remark")),
    ),
)
