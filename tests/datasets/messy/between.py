"""Rows between the rows that are none: remarks, and the names again at each page break."""

from tests.datasets.messy.case import LONG, N_LONG, Case, Loads

BODY = [f"{i / 4};{i * 7 % 11};{'ab'[i % 2]}\n" for i in range(12)]
NAMES = ("x", "y", "g")
KINDS = {"x": "numeric", "y": "numeric", "g": "nominal"}
HEAD = "x;y;g\n"


def pages(*between: str, head: str = HEAD) -> str:
    """Return a table of three pages with the same lines between two of them."""
    text = "".join(between)
    return head + text.join("".join(BODY[i : i + 4]) for i in (0, 4, 8))


def read(notes: str, n_rows: int = 12) -> Loads:
    return Loads(
        (n_rows, 3), NAMES, KINDS, {(0, "x"): 0, (4, "x"): 1, (4, "g"): "a", (11, "y"): 0}, notes
    )


def many(between: str, delimiter: str = ",") -> bytes:
    rows = "".join(
        f"{i / 4}{delimiter}{i % 11}{delimiter}{LONG}{'ab'[i % 2]}\n" for i in range(N_LONG)
    )
    return (HEAD.replace(";", delimiter) + rows + between + rows).encode()


MANY = Loads(
    (2 * N_LONG, 3), NAMES, KINDS, {(N_LONG, "x"): 0, (2 * N_LONG - 1, "y"): (N_LONG - 1) % 11}
)
CASES = (
    Case("remarks as wide as the rows", pages("# checked; by Ann; in May\n"), read("comments")),
    Case("remarks filled up", pages("% checked;;\n"), read("comments")),
    Case(
        "remarks of all widths",
        pages("# checked\n", "% by; Ann\n", "// in; May; or; June\n"),
        read("comments"),
    ),
    Case("remarks with an open quote", pages('#; "checked; by Ann\n'), read("comments")),
    Case(
        "remarks between commas in UTF-16",
        pages("# a;b;c\n").replace(";", ",").encode("utf-16"),
        read("comments"),
    ),
    Case(
        "remarks in a column of numbers",
        "x\n1\n2\n# checked\n4\n",
        Loads((3, 1), ("x",), {"x": "numeric"}, {(2, "x"): 4}),
    ),
    Case("a remark between many rows", lambda: many("# checked,by Ann,in May\n"), MANY),
    Case("a remark of one field between many rows", lambda: many("# checked\n"), MANY),
    Case(
        "words that start with a #",
        "tag,n\nfun,1\n#b,2\n#c,3\nd,4\ne,4\n",
        Loads((5, 2), ("tag", "n"), {"n": "numeric"}, {(1, "tag"): "#b"}),
    ),
    Case("names again", pages(HEAD), read("extra_ignored")),
    Case("names again after a blank line", pages("\n", HEAD), read("extra_ignored")),
    Case(
        "names again on one more page",
        HEAD + "".join(BODY[:6]) + "\n\x0c" + HEAD + "".join(BODY[6:]),
        read("extra_ignored"),
    ),
    Case(
        "names again below the number of the page",
        pages("\n", "Page 2;;\n", HEAD),
        read("extra_ignored"),
    ),
    Case(
        "names and units again",
        pages(HEAD, "cm;kg;\n", head=HEAD + "cm;kg;\n"),
        read("extra_ignored units"),
    ),
    Case(
        "names again between tabs",
        pages(HEAD).replace(";", "\t").encode("utf-16"),
        read("extra_ignored"),
    ),
    Case(
        "years as names again",
        "town,2021,2022\nBern,1,2\nChur,3,4\ntown,2021,2022\nGenf,5,7\n",
        Loads(
            (3, 3), ("town", "2021", "2022"), {"2021": "numeric"}, {(2, "2022"): 7}, "extra_ignored"
        ),
    ),
    Case("names again between many rows", lambda: many(HEAD.replace(";", ",")), MANY),
    Case(
        "names again between many rows and tabs", lambda: many(HEAD.replace(";", "\t"), "\t"), MANY
    ),
    Case(
        "names again, when it is said that there is a line of names",
        pages(HEAD),
        Loads((14, 3), NAMES, {"g": "nominal"}, {(4, "g"): "g"}),
        options={"header": True},
    ),
    Case(
        "a first row that comes again",
        "name,x\nAnn,1\nBob,2\nAnn,1\n",
        Loads((3, 2), ("name", "x"), {"x": "numeric"}, {}, "duplicate_rows"),
    ),
)
