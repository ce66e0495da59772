"""Rows and lines: what stands above, below and between, and rows that are too short or too long."""

from tests.datasets.messy.case import HEAD, ROWS, Case, Loads, Refused, people, unchanged


def lines() -> list[str]:
    return people().splitlines(keepends=True)


def with_line(number: int, text: str) -> str:
    """Return the table with another line before one of its own, counted from 0."""
    found = lines()
    return "".join([*found[:number], text, *found[number:]])


def replaced(changes: dict[int, str]) -> str:
    return "".join(changes.get(i, line) for i, line in enumerate(lines()))


SECOND = "city,mayor\nBern,Alec\nBasel,Beat\nChur,Hans\n"
WIDE_SECOND = "a,b,c,d,e,f\n1,2,3,4,5,6\n7,8,9,1,2,3\n4,5,6,7,8,9\n"

CASES = (
    Case(
        "a table of as many columns below",
        people() + "\nlength,mass,years,kind\n" + "1,2,3,x\n4,5,7,y\n",
        unchanged("multiple_tables"),
    ),
    Case(
        "padded tables below each other",
        people() + ",,,\ncity,people,,\nBern,1,,\nChur,2,,\n",
        unchanged("multiple_tables"),
    ),
    Case(
        "last rows without last cells",
        "a,b,c\n1,2,x\n3,4,y\n\n5,6,\n7,9,\n",
        Loads((4, 3), ("a", "b", "c"), {"b": "numeric"}, {(3, "b"): 9, (3, "c"): None}),
    ),
    Case("nothing", b"", Refused("empty_file")),
    Case("blanks and line ends", " \r\n\t\n   \n", Refused("empty_file")),
    Case("a mark and nothing", b"\xef\xbb\xbf\r\n", Refused("empty_file")),
    Case("only delimiters", ",,,\n,,,\n,,,\n", Refused("empty_file")),
    Case("only a header", ";".join(HEAD) + "\r\n", Refused("no_rows")),
    Case("a header and blank lines", ",".join(HEAD) + "\n\n\n\n", Refused("no_rows")),
    Case("a header and delimiters", ",".join(HEAD) + "\n,,,\n,,,\n", Refused("no_rows")),
    Case("one row", people(rows=ROWS[:1]), Loads((1, 4), HEAD)),
    Case("two rows", people(rows=ROWS[:2]), unchanged(n_rows=2)),
    Case(
        "one column of numbers",
        "x\n1\n2\n5\n",
        Loads((3, 1), ("x",), {"x": "numeric"}, {(2, "x"): 5}),
    ),
    Case(
        "one column of words",
        "town\nBern\nBasel\nChur\n",
        Loads((3, 1), ("town",), {"town": "nominal"}),
    ),
    Case("one number", "7\n", Refused("no_rows")),
    Case(
        "some rows too short",
        replaced({4: "1.5\n", 7: "2.5,3\n"}),
        Loads(
            (12, 4),
            HEAD,
            {},
            {(3, "weight"): None, (6, "age"): None, (6, "weight"): 3},
            "padded_rows",
        ),
    ),
    Case("one row too long", replaced({6: "1,2,3,A,surplus\n"}), unchanged("bad_lines", n_rows=11)),
    Case(
        "half of the rows too long",
        "a,b\n" + "1,2\n" * 6 + "1,2,3\n" * 5,
        Refused("ragged", "Line 8"),
    ),
    Case(
        "every row longer than the header by a blank",
        people().replace("\n", ",\n").replace("group,", "group", 1),
        unchanged(),
    ),
    Case("delimiters at all ends", people(end=";;\n", delimiter=";"), unchanged("delimiter")),
    Case(
        "a name less than columns",
        "a,b\n1,2,3\n4,5,6\n7,8,9\n4,4,4\n",
        Loads((4, 3), None, {}, {(3, "b"): 4}),
    ),
    Case("blank lines between rows", people(end="\n \n"), unchanged()),
    Case("rows of delimiters between rows", with_line(5, ",,,\n"), unchanged("empty_row")),
    Case(
        "comments above", "# one\n# two, with a comma\n#three\n" + people(), unchanged("comments")
    ),
    Case("percent comments above", "% one\n% two, with a comma\n" + people(), unchanged()),
    Case("comments between rows", with_line(5, "# checked until here\n"), unchanged()),
    Case("a title above", "Heights and weights of the class\n" + people(), unchanged("preamble")),
    Case(
        "a title with delimiters", "Heights and weights,,,\n,,,\n" + people(), unchanged("preamble")
    ),
    Case(
        "pairs of words above",
        "Author:,Ann\nDate:,2024-01-31\nPlace:,Bern\n\n" + people(),
        unchanged("preamble"),
    ),
    Case(
        "prose above",
        "Measured in May, by hand.\nSee the notes.\n\n" + people(),
        unchanged("preamble"),
    ),
    Case("a sum below", people() + "\nTotal,12,,\n", unchanged("footer")),
    Case(
        "remarks below",
        people() + "\nSource: the class, 2024\n* by hand\n** estimated\n",
        unchanged("footer"),
    ),
    Case("a remark right below", people() + "Source: the class\n", unchanged("footer")),
    Case("a narrower table below", people() + "\n" + SECOND, unchanged("multiple_tables")),
    Case("a wider table below", people() + "\n" + WIDE_SECOND, unchanged("multiple_tables")),
    Case("a titled table below", people() + "\nMayors\n" + SECOND, unchanged("multiple_tables")),
    Case("the same header again", people() + people(), unchanged("extra_ignored", n_rows=24)),
    Case(
        "baskets",
        "tea\nmilk,tea\nbread,milk,tea,jam\nbread\njam,tea\nmilk\n",
        Refused("not_a_table"),
    ),
    Case(
        "a header with units in a line below",
        "height,weight,age,group\n[cm],[kg],[a],\n" + "".join(lines()[1:]),
        unchanged("units"),
    ),
    Case(
        "numbers without names",
        "1.5,2\n3.5,1\n2.5,7\n",
        Loads((3, 2), ("column_1", "column_2"), {}, {(0, "column_1"): 1.5}, "header_guessed"),
    ),
    Case(
        "rows without names",
        "".join(lines()[1:]),
        Loads((12, 4), None, {}, {(0, "column_1"): 171.2}, "header_guessed"),
    ),
    Case(
        "words without names",
        "red,yes\nblue,no\nred,no\nblue,yes\n",
        Loads((4, 2), ("column_1", "column_2"), {}, {(0, "column_1"): "red"}, "header_guessed"),
    ),
    Case(
        "years as names",
        "town,2021,2022,2023\nBern,1,2,3\nChur,4,5,7\n",
        Loads((2, 4), ("town", "2021", "2022", "2023")),
    ),
    Case(
        "years alone as names",
        "2021,2022,2023\n1.5,2.5,3.5\n4.5,5.5,6.5\n1.25,2,3\n",
        Loads((3, 3), ("2021", "2022", "2023")),
    ),
    Case(
        "numbered columns of pandas",
        "0,1,2\n0.5,1.5,2.5\n4.5,5.5,6.5\n1.25,2.75,3.5\n",
        Loads((3, 3), ("0", "1", "2")),
    ),
    Case(
        "a saved index",
        "".join((f"{i - 1}," if i else ",") + line for i, line in enumerate(lines())),
        Loads(
            (12, 5), None, {"height": "numeric", "column_1": "id"}, {}, "names_changed id_column"
        ),
    ),
    Case(
        "prose",
        "It was the best of times, it was the worst of times.\nWe had everything before us, we had"
        " nothing, we were all going direct the other way.\nIn short, the period was so far like"
        " the present\nperiod, that some of its noisiest authorities insisted, for good, or evil,"
        " on its being received.\nThe end.\n",
        Refused("ragged"),
    ),
    Case(
        "a letter",
        "Dear Ann,\n\nthank you for your file. I could not open it.\n\nYours, Bob\n",
        Refused("no_rows"),
    ),
    Case(
        "a log",
        "INFO start\nINFO read 12 rows\nWARN slow\nINFO done in 3 s\nINFO bye\n",
        Loads((4, 1)),
    ),
    Case(
        "source code",
        "import os\n\n\ndef main(x, y):\n    print(x, y, sep=', ')\n\n\nmain(1, 2)\n",
        Refused("bad_quotes"),
    ),
)
