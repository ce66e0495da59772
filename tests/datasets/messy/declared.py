"""Kinds and roles that Orange writes below or in front of the names, and lookalikes."""

from tests.datasets.messy.case import LONG, N_LONG, Case, Loads

NAMES = ("size", "colour", "name", "iris", "code")
KINDS = {
    "size": "numeric",
    "colour": "nominal",
    "name": "text",
    "iris": "nominal",
    "code": "nominal",
}
CELLS = {(0, "size"): 5, (11, "colour"): "b", (2, "iris"): "c", (1, "code"): "1"}
READ = Loads((12, 5), NAMES, KINDS, CELLS, "format_guessed")


def flowers(*lines: str, delimiter: str = "\t", n_rows: int = 12, end: str = "") -> str:
    """Return a table below some lines, with fields between blanks; _ stands for none."""
    head = "".join(
        delimiter.join(field.strip("_") for field in line.split(" ")) + "\n" for line in lines
    )
    rows = (
        (f"{5 + i / 10}", "rb"[i % 2], f"n{i}{end}", "abc"[i % 3], str(i % 2))
        for i in range(n_rows)
    )
    return head + "".join(delimiter.join(row) + "\n" for row in rows)


PLAIN = "size colour name iris code"
LINES = (PLAIN, "c d s d d", "_ _ m c i")
WORDS = (PLAIN, "continuous discrete string a|b|c discrete", "_ _ meta class ignore")
MANY = Loads((N_LONG, 5), NAMES, KINDS, CELLS | {(N_LONG - 1, "code"): "1"}, "format_guessed")

CASES = (
    Case("three lines of Orange", flowers(*LINES), READ, name="flowers.tab"),
    Case("three lines of Orange in whole words", flowers(*WORDS), READ, name="flowers.tab"),
    Case("three lines of Orange with commas", flowers(*LINES, delimiter=","), READ),
    Case(
        "three lines of Orange with semicolons in UTF-16",
        flowers(*LINES, delimiter=";").encode("utf-16"),
        READ,
    ),
    Case(
        "three lines of Orange, none a role",
        flowers(*LINES[:2], "_ _ _ _ _"),
        READ,
        name="flowers.tab",
    ),
    Case(
        "three lines of Orange, the third blank", flowers(*LINES[:2], "_"), READ, name="flowers.tab"
    ),
    Case(
        "three lines of Orange above many rows",
        lambda: flowers(*LINES, n_rows=N_LONG, end=LONG),
        MANY,
    ),
    Case(
        "prefixes of Orange",
        flowers("C#size D#colour mS#name cD#iris iD#code"),
        READ,
        name="flowers.tab",
    ),
    Case(
        "prefixes of Orange at some names",
        flowers("size colour mS#name cD#iris D#code", delimiter=","),
        READ,
    ),
    Case(
        "prefixes of Orange that are roles alone",
        flowers("size colour m#name c#iris i#code"),
        Loads((12, 5), NAMES, {"size": "numeric", "iris": "nominal"}, {}, "format_guessed"),
    ),
    Case(
        "prefixes of Orange above many rows",
        lambda: flowers("C#size D#colour mS#name cD#iris D#code", n_rows=N_LONG, end=LONG),
        MANY,
    ),
    Case(
        "three lines of Orange, when it is said that nothing stands below the names",
        flowers(*LINES),
        Loads((14, 5), NAMES, {}, {(0, "colour"): "d", (1, "name"): "m"}),
        options={"below_header": 0},
    ),
    Case(
        "languages with a #",
        "C#;Java;F#\n1;2;3\n2;3;4\n5;4;4\n",
        Loads((3, 3), ("C#", "Java", "F#")),
    ),
    Case(
        "notes of music", "C#4;D#4;F#4\n1;2;3\n2;3;4\n5;4;4\n", Loads((3, 3), ("C#4", "D#4", "F#4"))
    ),
    Case(
        "letters of types as values",
        "x,kind\nc,class\nd,meta\nc,class\n",
        Loads((3, 2), ("x", "kind")),
    ),
)
