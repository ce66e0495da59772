"""A line of names that is one name short, as R writes it, and what only looks like it."""

from tests.datasets.messy.case import LONG, N_LONG, Case, Loads

CARS = (
    ("Mazda RX4", 21, 6, "wet"),
    ("Datsun 710", 22.8, 4, "dry"),
    ("Valiant", 18.1, 6, "wet"),
    ("Merc 240D", 24.4, 4, "dry"),
    ("Fiat X1-9", 27.3, 4, "dry"),
)
NAMES = ("column_1", "mpg", "cyl", "tyre")
KINDS = {"column_1": "id", "mpg": "numeric", "cyl": "numeric", "tyre": "nominal"}
CELLS = {(0, "column_1"): "Mazda RX4", (0, "mpg"): 21, (4, "cyl"): 4, (4, "tyre"): "dry"}
READ = Loads((5, 4), NAMES, KINDS, CELLS, "header_guessed")


def cars(delimiter: str, quote: str = '"', end: str = "") -> str:
    """Return the table as `write.table` writes it: no name stands above those of the rows."""
    head = delimiter.join(f"{quote}{name}{quote}" for name in NAMES[1:]) + "\n"
    rows = [
        delimiter.join((f"{quote}{car}{quote}", str(mpg), str(cyl), f"{quote}{tyre}{end}{quote}"))
        + "\n"
        for car, mpg, cyl, tyre in CARS
    ]
    return head + "".join(rows)


def long(delimiter: str, name: str = "{}", n_rows: int = N_LONG) -> str:
    rows = (
        f"{name.format(i)}{delimiter}{i * 37 % 1013}{delimiter}{LONG}{i % 3}\n"
        for i in range(1, n_rows + 1)
    )
    return f"x{delimiter}y\n" + "".join(rows)


def long_read(first: object) -> Loads:
    cells = {(0, "column_1"): first, (0, "x"): 37, (N_LONG - 1, "y"): f"{LONG}0"}
    return Loads((N_LONG, 3), ("column_1", "x", "y"), {"column_1": "id"}, cells, "header_guessed")


CASES = (
    Case("names of rows from R, blanks", cars(" "), READ),
    Case("names of rows from R, tabs", cars("\t"), READ, name="data.tsv"),
    Case("names of rows from R, commas", cars(","), READ),
    Case("names of rows from R, semicolons", cars(";").replace(".", ","), READ),
    Case("names of rows from R without quotes", cars("\t", ""), READ),
    Case("names of rows from R in UTF-16", cars(",").encode("utf-16"), READ),
    Case(
        "names of rows from R, with commas in cells between blanks",
        cars(" ", end=", so"),
        Loads((5, 4), NAMES, KINDS, {(0, "tyre"): "wet, so"}, "header_guessed"),
    ),
    Case(
        "a column alone beside the numbers of the rows",
        '"x"\n' + "".join(f'"{i}" {i * 3 % 7}\n' for i in range(1, 9)),
        Loads(
            (8, 2),
            ("column_1", "x"),
            {"column_1": "id", "x": "numeric"},
            {(0, "x"): 3},
            "header_guessed",
        ),
    ),
    Case(
        "few rows with numbers before them",
        '"x" "y"\n' + "".join(f'"{i}" {i * 3 % 7} {i / 4}\n' for i in range(1, 4)),
        Loads(
            (3, 3), ("column_1", "x", "y"), {"column_1": "id"}, {(2, "y"): 0.75}, "header_guessed"
        ),
    ),
    Case(
        "names of rows in Cyrillic",
        "рост\tвес\nАнна\t160\t55\nБорис\t181\t80\nВера\t169\t62\n".encode("cp1251"),
        Loads(
            (3, 3),
            ("column_1", "рост", "вес"),
            {"column_1": "id"},
            {(1, "рост"): 181},
            "header_guessed",
        ),
    ),
    Case(
        "days in front of the rows",
        "x,y\n" + "".join(f"2024-01-{i:02d},{i * 3 % 7},{i}.5\n" for i in range(1, 9)),
        Loads(
            (8, 3),
            ("column_1", "x", "y"),
            {"column_1": "date"},
            {(7, "x"): 3},
            "header_guessed dates",
        ),
    ),
    Case("numbers before many rows", lambda: long("\t").encode(), long_read(1)),
    Case("names before many rows", lambda: long(",", "row {}").encode(), long_read("row 1")),
    Case("numbers before many rows, blanks between", lambda: long(" ").encode(), long_read(1)),
    Case(
        "names one short, when it is said that they begin with the first column",
        cars(","),
        Loads(
            (5, 4), ("mpg", "cyl", "tyre", "column_4"), {}, {(0, "mpg"): "Mazda RX4"}, "padded_rows"
        ),
        options={"header": True},
    ),
    Case(
        "a name less above many values that come again",
        lambda: "a,b\n" + "".join(f"{i % 99},{i % 7},{LONG}\n" for i in range(N_LONG)),
        Loads((N_LONG, 3), ("a", "b", "column_3"), {"b": "numeric"}, {(3, "b"): 3}, "padded_rows"),
    ),
    Case(
        "a name less above values that come again",
        "a,b\n1,2,3\n4,5,6\n7,8,9\n4,4,4\n",
        Loads((4, 3), ("a", "b", "column_3"), {}, {(3, "b"): 4}, "padded_rows"),
    ),
    Case(
        "a name less above decimals",
        "a,b\n1.5,2,x\n4.5,5,y\n7.25,8,z\n",
        Loads((3, 3), ("a", "b", "column_3"), {}, {(0, "a"): 1.5}, "padded_rows"),
    ),
    Case(
        "a name less behind the names of rows",
        "id,x\n11,2,a\n12,4,b\n15,7,a\n",
        Loads((3, 3), ("id", "x", "column_3"), {}, {(0, "id"): 11}, "padded_rows"),
    ),
)
