"""Separators and quotes that other marks in the cells compete with."""

from tests.datasets.messy.case import Case, Loads

URL = "https://e.org/a?x={}&y=b;c"
PAIRS = tuple((f"Doe{i}, Jo", URL.format(i % 5)) for i in range(12))
INCHES = tuple((f'"{i}"" pipe"', "he said, ok" if i % 2 else "no") for i in range(5))


def table(delimiter: str, rows: tuple[tuple[str, ...], ...], names: str = "who what") -> str:
    return "".join(delimiter.join(row) + "\n" for row in (tuple(names.split()), *rows))


def cells(rows: tuple[tuple[str, str], ...]) -> Loads:
    found = {
        (i, name): row[j] for i, row in enumerate(rows) for j, name in enumerate(("who", "what"))
    }
    return Loads((len(rows), 2), ("who", "what"), {}, found)


CASES = (
    Case("tabs around commas and semicolons in each cell", table("\t", PAIRS), cells(PAIRS)),
    Case("bars around commas and semicolons in each cell", table("|", PAIRS), cells(PAIRS)),
    Case(
        "commas around a semicolon in each cell",
        table(",", tuple((f"n{i}", row[1]) for i, row in enumerate(PAIRS))),
        cells(tuple((f"n{i}", row[1]) for i, row in enumerate(PAIRS))),
    ),
    Case(
        "semicolons around commas and doubled quotes",
        table(";", INCHES),
        Loads((5, 2), ("who", "what"), {}, {(0, "who"): '0" pipe', (1, "what"): "he said, ok"}),
    ),
    Case(
        "bars around empty fields",
        table("|", tuple((f"{i}.5", "", f"k{i % 3}") for i in range(12)), "x y k"),
        Loads(
            (12, 3),
            ("x", "y", "k"),
            {"x": "numeric"},
            {(2, "x"): 2.5, (2, "y"): None, (2, "k"): "k2"},
            "delimiter",
        ),
    ),
    Case(
        "apostrophes in doubled quotes",
        table("\t", tuple((f"a,b{i}", '"he said ""O\'Neill"" then"') for i in range(8))),
        Loads(
            (8, 2),
            ("who", "what"),
            {},
            {(0, "who"): "a,b0", (7, "what"): 'he said "O\'Neill" then'},
        ),
    ),
    Case(
        "an apostrophe that starts a cell",
        table("\t", tuple((URL.format(i), ("plain", "d'Arcy", "'tis")[i % 3]) for i in range(8))),
        Loads((8, 2), ("who", "what"), {}, {(2, "what"): "'tis", (3, "what"): "plain"}),
    ),
)
