"""Rows below the data: remarks, sums, and what only looks like them."""

from tests.datasets.messy.case import Case, Loads
from tests.datasets.messy.office import xlsx

ROWS = "town,x,y\nBern,1,2\nChur,3,4\nBasel,5,6\nGenf,2,9\n"


def loaded(n_rows: int, last: object, notes: str = "") -> Loads:
    return Loads(
        (n_rows, 3),
        ("town", "x", "y"),
        {"x": "numeric", "y": "numeric"},
        {(n_rows - 1, "y"): last},
        notes,
    )


WORDS = (
    "Total",
    "Grand Total",
    "TOTAL:",
    "Sum",
    "Summe",
    "Gesamt",
    "Gesamtsumme",
    "Insgesamt",
    "Total (n=4)",
)
SHEET = [["town", "x", "y"], ["Bern", 1, 2], ["Chur", 3, 4], ["Basel", 5, 7], ["Total", 9, 13]]

CASES = (
    *(
        Case(f"a last row named {word}", f"{ROWS}{word},11,21\n", loaded(4, 9, "footer"))
        for word in WORDS
    ),
    Case("sums and means", ROWS + "Total,11,21\nMean,2.75,5.25\n", loaded(4, 9, "footer")),
    Case(
        "a sum above a remark", ROWS + "Total,11,21\n\nSource: the office\n", loaded(4, 9, "footer")
    ),
    Case("a sum with blanks", ROWS + "Total,,21\n", loaded(4, 9, "footer")),
    Case(
        "a sum named in the second column",
        "no,town,x\n3,Bern,1\n5,Chur,3\n9,Basel,5\n,Gesamt,9\n",
        Loads((3, 3), ("no", "town", "x"), {"no": "numeric"}, {(2, "x"): 5}, "footer"),
    ),
    Case("a sum in a sheet", lambda: xlsx({"S": SHEET}), loaded(3, 7, "footer"), name="data.xlsx"),
    Case(
        "a sum that is kept, when it is said",
        ROWS + "Total,11,21\n",
        loaded(5, 21),
        options={"skip_footer": 0},
    ),
    Case(
        "two rows that are left out, when it is said",
        ROWS,
        loaded(2, 4),
        options={"skip_footer": 2},
    ),
    Case(
        "sums that come again", "sex,x,y\nTotal,3,4\nmen,1,2\nwomen,2,2\nTotal,5,7\n", Loads((4, 3))
    ),
    Case("a town that starts with a sum", ROWS + "Sumvitg,7,8\nTotalp,11,21\n", loaded(6, 21)),
    Case("sums in a table of words", "x\nred\nblue\nTotal\n", Loads((3, 1))),
    Case(
        "a remark with delimiters",
        ROWS + "\nSource: the office, 2024, Bern\n",
        loaded(4, 9, "footer"),
    ),
    Case(
        "a remark with fewer delimiters",
        ROWS + "\nSource: the office, Bern\n* by hand, in May\n",
        loaded(4, 9, "footer"),
    ),
    Case(
        "a remark with more delimiters",
        ROWS + "\nSeen by: Ann, Bob, Cid, Dan, Eve\n",
        loaded(4, 9, "footer"),
    ),
    Case(
        "a remark with delimiters right below",
        ROWS + "Quelle: Amt, 2024, Bern\n",
        loaded(4, 9, "footer"),
    ),
    Case(
        "a sentence with delimiters",
        ROWS + "\nTaken by hand in Bern in May, and June\nChecked, twice\n",
        loaded(4, 9, "footer"),
    ),
    Case(
        "a remark that is kept, when it is said",
        ROWS + "Source: the office,7,8\n",
        loaded(5, 8),
        options={"skip_footer": 0},
    ),
    Case(
        "remarks that are values",
        "who,x\nNote: a,1\nNote: b,2\n\nNote: c,4\n",
        Loads((3, 2), ("who", "x"), {"x": "numeric"}, {(2, "who"): "Note: c"}),
    ),
)
