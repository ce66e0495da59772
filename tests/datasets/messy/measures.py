"""Numbers whose marks other columns explain, prices, and limits of what could be measured."""

from tests.datasets.messy.case import Case, Loads, column, values
from tests.datasets.messy.office import xlsx


def two_columns(x: list[str], y: list[str], delimiter: str = ";") -> str:
    """Return a table of words and two columns, quoted where they hold the delimiter."""
    rows = zip(x, y, strict=True)
    quoted = ([f'"{text}"' if delimiter in text else text for text in row] for row in rows)
    lines = (delimiter.join((f"u{i % 4}", *row)) for i, row in enumerate(quoted))
    return "\n".join((delimiter.join(("k", "x", "y")), *lines)) + "\n"


def loaded(*numbers: object, notes: str = "", kind: str = "numeric") -> Loads:
    """Expect these values in the first column of `beside`."""
    cells = {(i, "x"): number for i, number in enumerate(numbers)}
    return Loads((len(numbers), 3), ("k", "x", "y"), {"x": kind}, cells, notes)


GERMAN = ["12,5", "8,75", "9,1", "11,0"]
ENGLISH = ["12.5", "8.75", "9.1", "11.0"]
POINTS = ["1.250", "3.400", "10.300", "999"]
COMMAS = ["1,250", "3,400", "10,300", "999"]
THOUSANDS = loaded(1250, 3400, 10300, 999, notes="thousands")

MARKS = (
    Case("points beside decimal commas", two_columns(POINTS, GERMAN), THOUSANDS),
    Case("points beside decimal commas, tabs", two_columns(POINTS, GERMAN, "\t"), THOUSANDS),
    Case("points beside decimal commas in quotes", two_columns(POINTS, GERMAN, ","), THOUSANDS),
    Case(
        "points beside percentages with commas",
        two_columns(POINTS, ["12,5 %", "8 %", "9,1 %", "7 %"]),
        THOUSANDS,
    ),
    Case(
        "points beside amounts with commas",
        two_columns([f"{text} €" for text in POINTS], ["1.234,50", "12,5", "3", "4,25"]),
        loaded(1250, 3400, 10300, 999, notes="thousands currency"),
    ),
    Case(
        "points beside commas and negative",
        two_columns(["-1.250", "3.400", "-10.300", "1"], GERMAN),
        loaded(-1250, 3400, -10300, 1, notes="thousands"),
    ),
    Case("commas beside decimal points, semicolons", two_columns(COMMAS, ENGLISH), THOUSANDS),
    Case("commas beside decimal points, tabs", two_columns(COMMAS, ENGLISH, "\t"), THOUSANDS),
    Case(
        "commas beside decimal commas in quotes",
        two_columns(COMMAS[:3], GERMAN[:3], ","),
        loaded(1.25, 3.4, 10.3, notes="decimal_comma"),
    ),
    Case(
        "no thousands begin with a zero",
        two_columns(["0,900", "1,000", "1,234", "2,050"], ["1", "2", "5", "9"], ","),
        loaded(0.9, 1, 1.234, 2.05, notes="decimal_comma"),
    ),
    Case(
        "no thousands begin with a zero, with a sign",
        two_columns(["-0,125", "1,000", "2,050"], ["1", "2", "5"], ","),
        loaded(-0.125, 1, 2.05, notes="decimal_comma"),
    ),
    Case(
        "no thousands begin with a zero, with points",
        two_columns(["0.900", "1.000", "1.234", "2.050"], GERMAN),
        loaded(0.9, 1, 1.234, 2.05),
    ),
    Case(
        "a million decides for its column",
        two_columns(["1.250", "3.400", "1.000.000"] + ["2.500"] * 17, ["7"] * 20),
        loaded(1250, 3400, 1e6, *[2500] * 17, notes="thousands"),
    ),
    Case("points alone", two_columns(POINTS[:3], ["1", "2", "5"]), loaded(1.25, 3.4, 10.3)),
    Case(
        "points beside commas in other numbers",
        two_columns(POINTS[:3], ["1,5", "2.25", "3,125"]),
        loaded(1.25, 3.4, 10.3),
    ),
    Case(
        "points beside both marks",
        "x;y;z\n1.250;12,5;3.25\n3.400;8,75;4.5\n",
        Loads((2, 3), None, {}, {(0, "x"): 1.25}),
    ),
    Case(
        "points beside decimal commas, when it is said",
        two_columns(POINTS[:3], GERMAN[:3]),
        loaded(1.25, 3.4, 10.3),
        options={"decimal": "."},
    ),
    Case(
        "numbers of a workbook beside a text with a comma",
        lambda: xlsx(
            {"S": [["k", "x", "y"], ["a", 1.25, "12,5"], ["b", 3.405, "8,75"], ["c", 1.234, "1,5"]]}
        ),
        loaded(1.25, 3.405, 1.234),
        name="data.xlsx",
    ),
)

PRICES = (
    Case(
        "Swiss prices",
        column(["CHF 1'234.-", "CHF 987.-", "CHF 12'000.-"]),
        values(1234, 987, 12000, notes="currency thousands"),
    ),
    Case(
        "Swiss prices with long dashes",
        column(["1'234.–", "987.–", "12.50"]),
        values(1234, 987, 12.5, notes="currency thousands"),
    ),
    Case(
        "Swiss prices with two dashes",
        column(["Fr. 1’234.--", "Fr. 987.--", "Fr. 12.50"]),
        values(1234, 987, 12.5, notes="currency"),
    ),
    Case(
        "Swiss prices with an em dash behind",
        column(["12.— CHF", "1'000.— CHF", "45.50 CHF"]),
        values(12, 1000, 45.5, notes="currency"),
    ),
    Case(
        "German round prices",
        column(["12,- €", "1.250,- €", "45,50 €"]),
        values(12, 1250, 45.5, notes="currency"),
    ),
    Case(
        "Dutch round prices",
        column(["€ 12,--", "€ 1.250,--", "€ 45,50"]),
        values(12, 1250, 45.5, notes="currency"),
    ),
    Case(
        "German round prices of a thousand and more",
        column(["12,–€", "1.250,–€"]),
        values(12, 1250, notes="currency thousands"),
    ),
    Case(
        "Swedish round prices",
        column(["12:-", "1 250:-", "45:-"]),
        values(12, 1250, 45, notes="currency"),
    ),
    Case(
        "Norwegian round prices",
        column(["12,-", "1 250,-", "45,50"]),
        values(12, 1250, 45.5, notes="currency"),
    ),
    Case(
        "Swiss cents",
        column(["-.50", "12.-", "-.80", "1.20"]),
        values(0.5, 12, 0.8, 1.2, notes="currency"),
    ),
    Case(
        "negative round prices",
        column(["CHF -12.-", "-CHF 7.-", "CHF 5.-"]),
        values(-12, -7, 5, notes="currency"),
    ),
    Case(
        "a minus behind decimals",
        column(["120,50-", "3,25", "7,00-"]),
        values(-120.5, 3.25, -7, notes="decimal_comma"),
    ),
    Case(
        "a minus behind an amount",
        column(["120,50- €", "3,25 €", "7,00 €"]),
        values(-120.5, 3.25, 7),
    ),
)

LIMITS = (
    Case(
        "limits of a laboratory",
        column(["<0.5", "1.25", "0.75", "<0.5", "2.5"]),
        values(0.5, 1.25, 0.75, 0.5, 2.5, notes="mixed_types"),
    ),
    Case(
        "limits on both sides",
        column(["<0.5", "1.25", "0.75", "3", "> 100"]),
        values(0.5, 1.25, 0.75, 3, 100, notes="mixed_types"),
    ),
    Case(
        "limits with decimal commas",
        column(["< 0,5", "1,25", "0,75", "≤0,1", "2,5"]),
        values(0.5, 1.25, 0.75, 0.1, 2.5, notes="mixed_types decimal_comma"),
    ),
    Case(
        "limits with units",
        column(["<0.5 mg/l", "1.25 mg/l", "0.75 mg/l", ">=9 mg/l"]),
        Loads((4, 2), None, {"x": "nominal"}),
    ),
    Case(
        "limits with units, fewer",
        column(["<0.5 mg/l", "1.25 mg/l", "0.75 mg/l", "3 mg/l"]),
        values(0.5, 1.25, 0.75, 3, notes="mixed_types units"),
    ),
    Case(
        "the same limit in most rows",
        column(["<0.01"] * 12 + ["0.02", "0.05", "0.4"]),
        Loads((15, 2), None, {"x": "numeric"}, {(0, "x"): 0.01, (14, "x"): 0.4}, "mixed_types"),
    ),
    Case(
        "limits and a word",
        column(["<5", *map(str, range(7, 39, 2)), "lost"]),
        Loads((18, 2), None, {"x": "numeric"}, {(0, "x"): 5, (17, "x"): None}, "mixed_types"),
    ),
    Case(
        "classes of income",
        column(["<=50K", ">50K", "<=50K"]),
        Loads((3, 2), None, {"x": "nominal"}),
    ),
    Case(
        "classes of age",
        column(["<18", "18-30", "31-60", ">60"]),
        Loads((4, 2), None, {"x": "nominal"}),
    ),
    Case(
        "limits that are kept as words",
        column(["<5", "7", "8"]),
        Loads((3, 2), None, {}, {(0, "x"): "<5"}),
        options={"kinds": {"x": "nominal"}},
    ),
)

CASES = (*MARKS, *PRICES, *LIMITS)
