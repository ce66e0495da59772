"""Cells that look empty, and columns of numbers with missing ones in several languages."""

from tests.datasets.messy.case import Case, Loads, column, values

INVISIBLE = ["\u200b", "\u200c", "\u2060", "\ufeff", "\u00ad", " \u200b\u00a0"]

CASES = (
    Case("letters of no width alone", column(["1", *INVISIBLE, "3"]), values(1, *[None] * 6, 3)),
    Case(
        "letters of no width around",
        column(["12\u200b", "\ufeff7", "\u200b3\u2060"]),
        values(12, 7, 3),
    ),
    Case(
        "words of no width",
        column(["Bern", "\u200b", "Chur\u200b", "Chur"]),
        values("Bern", None, "Chur", "Chur", kind="nominal"),
    ),
    Case(
        "percent among German marks",
        column(["12%", "k.A.", "7 %", "n/a", "-", "9%"]),
        values(12, None, 7, None, None, 9, notes="percent na_tokens"),
    ),
    Case(
        "German marks",
        column(
            ["12", "k.A.", "7", "k. A.", "keine Angabe", "entf.", "n.v.", "unbekannt", "fehlt", "9"]
        ),
        values(12, None, 7, *[None] * 6, 9, notes="na_tokens"),
    ),
    Case(
        "marks of amounts",
        column(["5,50 €", "k.A.", "-", "1.234,50 €", "n/a"]),
        values(5.5, None, None, 1234.5, None, notes="currency na_tokens"),
    ),
    Case(
        "a German mark that is a value of words",
        column(["ja", "keine Angabe", "nein"]),
        values("ja", "keine Angabe", "nein", kind="nominal"),
    ),
    Case(
        "percent that sometimes lacks",
        column(["12%", "13", "7%", "n/a", "-", "k.A.", "9%"]),
        Loads((7, 2), ("k", "x"), {"x": "nominal"}, {}, "looks_numeric"),
    ),
    Case(
        "marks of numbers that are read as words",
        column(["12", "n/a", "7.50"]),
        values("12", None, "7.50", kind="nominal"),
        options={"kinds": {"x": "nominal"}},
    ),
)
