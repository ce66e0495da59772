"""Names of columns, and cells, that would do harm if they were taken for anything but data."""

from tests.datasets.messy.case import Case, Loads


def named(*names: str, delimiter: str = ",") -> str:
    quoted = [
        '"' + name.replace('"', '""') + '"' if set(name) & {",", '"', "\n"} else name
        for name in names
    ]
    rows = ([str((7 * i * (j + 2) + j) % 31) for j in range(len(names))] for i in range(1, 9))
    return "\n".join([delimiter.join(quoted), *map(delimiter.join, rows)]) + "\n"


def unchanged_names(*names: str) -> Case:
    """Return a case in which all names must come through as they are."""
    return Case(f"named {names[0][:20]!r}", named(*names), Loads((8, len(names)), names))


HOSTILE = (
    ("<script>alert(1)</script>", "<img src=x onerror=alert(2)>", "<b>c</b>"),
    ("=1+1", "@SUM(A1)", "+2", "-3a", "=cmd|' /C calc'!A0"),
    ("$x^2$", "\\frac{1}{2}", "$$"),
    ("![x](https://example.org/x.png)", "[y](javascript:alert(1))", "**z**", "# head", "`code`"),
    (":red[text]", ":material/home:", ":smile:", "~~s~~"),
    ("{0}", "%s", "%(x)s", "{{7*7}}", "${7*7}", "%{x}", "{x.__class__}"),
    ("'; DROP TABLE t; --", '" or ""="', "a'b", 'c"d'),
    ("__class__", "__init__", "lambda", "None", "True", "import os"),
    ("../../etc/passwd", "C:\\temp\\new", "con", "a\\b\\n"),
    ("index", "level_0", "values", "T", "shape", "name", "size", "columns"),
    ("größe", "高さ", "масса", "ύψος", "גובה", "ارتفاع"),
    ("\u202eevil", "zero\u200bwidth", "e\u0301", "é"),
    ("😀", "👨‍👩‍👧", "🇨🇭"),
    ("a,b", "c\nd", 'e"f'),
    ("Infinity", "null", "nan", "NA"),
    ("x.1", "x", "x_2", "X"),
    ("</textarea><script>x</script>", "<!--", "]]>", "&lt;", "&#60;"),
    ("\x1b[31mred", "\x07bell"),
)

CASES = (
    *(unchanged_names(*names) for names in HOSTILE),
    Case(
        "equal names",
        named("x", "x", "x", "y"),
        Loads((8, 4), ("x", "x_2", "x_3", "y"), {}, {}, "names_changed"),
    ),
    Case(
        "equal names but for blanks",
        named("x", " x", "x "),
        Loads((8, 3), ("x", "x_2", "x_3"), {}, {}, "names_changed"),
    ),
    Case(
        "blank names",
        named("a", "", " ", "d"),
        Loads((8, 4), ("a", "column_2", "column_3", "d"), {}, {}, "names_changed"),
    ),
    Case(
        "a name of 100,000 letters", named("n" * 100_000, "b"), Loads((8, 2), ("n" * 100_000, "b"))
    ),
    Case(
        "names as numbers",
        named("1", "2.5", "03", "1e3", "x"),
        Loads((8, 5), ("1", "2.5", "03", "1e3", "x")),
    ),
    Case(
        "scripts in cells",
        "x,k\n<script>alert(1)</script>,1\n<img src=x onerror=f()>,2\n=1+1,4\n",
        Loads(
            (3, 2),
            ("x", "k"),
            {"x": "nominal"},
            {(0, "x"): "<script>alert(1)</script>", (2, "x"): "=1+1"},
        ),
    ),
    Case(
        "a path as the file's name",
        named("a", "b"),
        Loads((8, 2), ("a", "b")),
        name="../../../etc/passwd",
    ),
    Case(
        "a script as the file's name",
        named("a", "b"),
        Loads((8, 2), ("a", "b")),
        name="<script>x</script>.csv",
    ),
    Case(
        "a file's name with line ends and quotes",
        named("a", "b"),
        Loads((8, 2), ("a", "b")),
        name="a'b\"c\n\r\\d'''.csv",
    ),
    Case("no file's name", named("a", "b"), Loads((8, 2), ("a", "b")), name=""),
)
