"""Columns that name or count the rows, and whole numbers that go up by one and are measurements."""

import hashlib
import uuid
from random import Random

from tests.datasets.messy.case import Case, Loads

N_ROWS = 24
SHUFFLED = Random(7).sample(range(1, N_ROWS + 1), N_ROWS)
APART = Random(8).sample(range(10_000, 99_999), N_ROWS)


def table(name: str, values: list[object]) -> str:
    """Return a table of a column and a column of numbers that do not count."""
    return f"{name},y\n" + "".join(f"{value},{7 * i % 31}.5\n" for i, value in enumerate(values))


def identifiers(name: str, values: list[object], case: str = "") -> Case:
    """Expect identifiers, and a note that says so."""
    loaded = Loads(
        (len(values), 2), None, {name or "column_1": "id", "y": "numeric"}, {}, "id_column"
    )
    return Case(case or f"identifiers: {name} {values[0]}", table(name, values), loaded)


def measurements(name: str, values: list[object]) -> Case:
    """Expect numbers, and no note."""
    loaded = Loads(
        (len(values), 2), (name, "y"), {name: "numeric"}, {(0, name): values[0]}, silent=True
    )
    return Case(f"measurements: {name} {values[0]}", table(name, values), loaded)


def counted(start: int = 1, n_rows: int = N_ROWS) -> list[object]:
    return list(range(start, start + n_rows))


UUIDS = [uuid.UUID(int=Random(i).getrandbits(128), version=4) for i in range(N_ROWS)]
HASHES = [hashlib.md5(str(i).encode(), usedforsecurity=False).hexdigest() for i in range(N_ROWS)]

CASES = (
    *(
        measurements(name, counted())
        for name in ("x", "week", "day", "dose", "trial", "week_no", "Zeit", "t", "age")
    ),
    measurements("year", counted(2000)),
    measurements("x", counted(0)),
    measurements("Jahr", counted(1990)),
    measurements("x", counted(-5)),
    measurements("NO", APART),
    measurements("income", APART),
    measurements("number of rooms", APART),
    *(
        identifiers(name, counted())
        for name in (
            "id",
            "ID",
            "no",
            "Nr.",
            "index",
            "row",
            "number",
            "lfd. Nr.",
            "case",
            "Subject",
            "rowid",
            "patient",
            "#",
            "№",
            "obs",
            "Unnamed: 0",
            "student_id",
            "序号",
            "numéro",
            "Lp.",
        )
    ),
    identifiers("", counted(0), "a column without a name that counts the rows"),
    Case(
        "years without a name",
        "".join(f"{2000 + i},{7 * i % 31}.5\n" for i in range(N_ROWS)),
        Loads(
            (N_ROWS, 2), ("column_1", "column_2"), {"column_1": "numeric"}, {(0, "column_1"): 2000}
        ),
    ),
    identifiers("", SHUFFLED, "a column without a name that numbers the rows in another order"),
    identifiers("id", SHUFFLED),
    identifiers("subject", SHUFFLED),
    identifiers("id", APART),
    identifiers("customerID", APART),
    identifiers("PassengerId", APART),
    identifiers("order_number", APART),
    identifiers("Kundennummer", APART),
    identifiers("identifier", APART),
    identifiers("id", [f"{i}.0" for i in APART]),
    identifiers("participant", [i for i in counted(101, 26) if i % 7]),
    identifiers("id", [*APART[:-1], ""], "identifiers of which one is missing"),
    identifiers("key", UUIDS, "UUIDs"),
    identifiers("token", [f"{{{each}}}".upper() for each in UUIDS], "UUIDs in braces"),
    identifiers("file", HASHES, "hashes"),
    identifiers("who", [f"user{i * i}@mail.example.org" for i in counted()], "addresses of mail"),
    identifiers("page", [f"https://example.org/{i}" for i in counted()], "addresses of pages"),
    identifiers("sample", [f"A{i:03d}" for i in counted()]),
    identifiers("specimen", [f"S-{i}" for i in SHUFFLED]),
    identifiers("plot", [f"Plot {i}" for i in counted()]),
    identifiers("code", [f"{i:04d}" for i in counted()], "codes with zeros in front that count"),
    identifiers("id", [f"0{i}" for i in APART], "codes with zeros in front under such a name"),
    identifiers("bib", [f"BIB-{i}" for i in APART], "codes with a text in front"),
    identifiers(
        "uuid", [f"{i}-x{i % 3}" for i in APART], "codes written in no way, under such a name"
    ),
    Case(
        "codes that come again",
        table("sample", [f"A{i % 9:03d}" for i in counted()]),
        Loads((N_ROWS, 2), None, {"sample": "nominal"}),
    ),
    Case(
        "names of all different towns",
        table("town", [f"town{'abcdefghijklmnopqrstuvwx'[i]}" for i in range(N_ROWS)]),
        Loads((N_ROWS, 2), None, {"town": "nominal"}),
    ),
    Case(
        "few codes",
        table("sample", [f"A{i:03d}" for i in counted(1, 8)]),
        Loads((8, 2), None, {"sample": "nominal"}),
    ),
    Case("few counted rows", table("id", counted(1, 8)), Loads((8, 2), None, {"id": "numeric"})),
    Case(
        "identifiers that are numbers, when it is said",
        table("id", counted()),
        Loads((N_ROWS, 2), None, {"id": "numeric"}),
        options={"kinds": {"id": "numeric"}},
    ),
)
