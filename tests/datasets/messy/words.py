"""Cells that are no numbers: missing values, words, truth values, dates, codes and remarks."""

from tests.datasets.messy.case import Case, Loads, Refused, column, values

CASES = (
    Case(
        "question marks", column(["1", "?", "3", "?"]), values(1, None, 3, None, notes="na_tokens")
    ),
    Case(
        "every spelling of nothing",
        column(
            [
                "1",
                "NA",
                "N/A",
                "n/a",
                "null",
                "NULL",
                "None",
                "nan",
                "NaN",
                "-",
                "--",
                ".",
                "missing",
                "n.a.",
                "#N/A",
                "",
                "#DIV/0!",
                "unknown",
                "(null)",
                "nil",
                "<NA>",
                "\\N",
                "..",
                "*",
                "–",
                "—",
                "#NULL!",
                "n.d.",
                "not available",
                "undefined",
                "4",
            ]
        ),
        values(1, *[None] * 29, 4, notes="na_tokens"),
    ),
    Case("blanks for nothing", column(["1", "  ", "\t", "4"]), values(1, None, None, 4)),
    Case("minus 999 stays", column(["1", "-999", "3", "-999"]), values(1, -999, 3, -999)),
    Case(
        "minus 999 when it is said",
        column(["1", "-999", "3", "-999"]),
        values(1, None, 3, None, notes="na_tokens"),
        options={"missing": ("-999",)},
    ),
    Case(
        "NA among codes",
        "code,x\nNA,1\nCH,2\nDE,3\nNA,4\n",
        Loads((4, 2), ("code", "x"), {}, {(0, "code"): "NA"}),
    ),
    Case(
        "NA among words",
        "town,x\nNA,1\nBern,2\nChur,3\n",
        Loads((3, 2), None, {}, {(0, "town"): None}, "na_tokens"),
    ),
    Case(
        "none is a value of words",
        "lens,x\nnone,1\nsoft,2\nhard,3\n",
        Loads((3, 2), None, {}, {(0, "lens"): "none"}),
    ),
    Case(
        "null in words",
        "town,x\nnull,1\nBern,2\nChur,3\n",
        Loads((3, 2), None, {}, {(0, "town"): None}, "na_tokens"),
    ),
    Case(
        "a column of nothing",
        "a,b,c\n1,,x\n2,,y\n4,,x\n",
        Loads((3, 3), None, {}, {(0, "b"): None}, "empty_column"),
    ),
    Case(
        "a column of question marks",
        "a,b\n1,?\n2,?\n4,?\n",
        Loads((3, 2), None, {}, {(0, "b"): None}, "empty_column"),
    ),
    Case(
        "a word among many numbers",
        column([*map(str, range(1, 40, 2)), "oops"]),
        Loads((21, 2), None, {"x": "numeric"}, {(20, "x"): None}, "mixed_types"),
    ),
    Case(
        "as many words as numbers",
        column(["1", "one", "2", "two"]),
        Loads((4, 2), None, {"x": "nominal"}),
    ),
    Case(
        "errors of a spreadsheet",
        column(["1", "#DIV/0!", "3", "#REF!", "#VALUE!", "#NAME?", "#NUM!", "#N/A"]),
        values(1, None, 3, None, None, None, None, None, notes="na_tokens"),
    ),
    # --- truth
    Case(
        "TRUE and FALSE",
        column(["TRUE", "FALSE", "TRUE"]),
        values("TRUE", "FALSE", "TRUE", kind="nominal"),
    ),
    Case("yes and no", column(["yes", "no", "yes"]), values("yes", "no", "yes", kind="nominal")),
    Case(
        "y, n and nothing", column(["y", "n", "", "y"]), values("y", "n", None, "y", kind="nominal")
    ),
    Case("0 and 1", column(["0", "1", "1"]), values(0, 1, 1)),
    Case(
        "labels that differ in case",
        column(["Yes", "yes", "YES ", "no"]),
        Loads((4, 2), None, {"x": "nominal"}, {}, "similar_labels"),
    ),
    # --- dates
    Case(
        "dates of ISO",
        column(["2024-01-31", "2024-02-01", ""]),
        values("2024-01-31", "2024-02-01", None, kind="date", notes="dates"),
    ),
    Case(
        "dates with points",
        column(["31.01.2024", "1.2.2024", "15.12.2023"]),
        values("2024-01-31", "2024-02-01", "2023-12-15", kind="date", notes="dates"),
    ),
    Case(
        "dates, the month first",
        column(["01/31/2024", "2/1/2024", "12/15/2023"]),
        values("2024-01-31", "2024-02-01", "2023-12-15", kind="date", notes="dates"),
    ),
    Case(
        "dates, the day first",
        column(["31/01/2024", "1/2/2024", "15/12/2023"]),
        values("2024-01-31", "2024-02-01", "2023-12-15", kind="date", notes="dates"),
    ),
    Case(
        "dates with two digits of the year",
        column(["31.01.24", "01.02.24", "15.12.23"]),
        values("2024-01-31", "2024-02-01", "2023-12-15", kind="date", notes="dates"),
    ),
    Case(
        "dates with named months",
        column(["31 Jan 2024", "1 Feb 2024", "15 Dec 2023"]),
        values("2024-01-31", "2024-02-01", "2023-12-15", kind="date", notes="dates"),
    ),
    Case(
        "dates with whole names of months",
        column(["31 January 2024", "1 February 2024", "15 December 2023"]),
        values("2024-01-31", "2024-02-01", "2023-12-15", kind="date", notes="dates"),
    ),
    Case(
        "dates, the named month first",
        column(["Jan 31, 2024", "Feb 1, 2024", "Dec 15, 2023"]),
        values("2024-01-31", "2024-02-01", "2023-12-15", kind="date", notes="dates"),
    ),
    Case(
        "dates with clock times",
        column(["2024-01-31 10:30", "2024-02-01 11:45:30", "2024-02-02T00:00:00Z"]),
        values("2024-01-31", "2024-02-01", "2024-02-02", kind="date", notes="dates"),
    ),
    Case(
        "dates with slashes and clock times",
        column(["31/01/2024 10:30", "01/02/2024 11:45", "15/12/2023 23:59:59"]),
        values("2024-01-31", "2024-02-01", "2023-12-15", kind="date", notes="dates"),
    ),
    Case(
        "dates with hours of zones",
        column(["2024-01-31T10:30:00+02:00", "2024-02-01T11:45:30+00:00"]),
        values("2024-01-31", "2024-02-01", kind="date", notes="dates"),
    ),
    Case(
        "the 31st of February",
        column(["2024-02-31", "2024-02-32", "2024-13-01"]),
        Loads((3, 2), None, {"x": "nominal"}),
    ),
    Case(
        "one wrong date among many",
        column([f"2024-01-{i:02d}" for i in range(1, 21)] + ["2024-02-31"]),
        Loads((21, 2), None, {"x": "date"}, {(20, "x"): None}, "mixed_types"),
    ),
    Case(
        "dates long ago",
        column(["1066-10-14", "1291-08-01", "1789-07-14"]),
        values("1066-10-14", "1291-08-01", "1789-07-14", kind="date"),
    ),
    Case(
        "dates in eight digits",
        column(["20240131", "20240201", "20231215"]),
        Loads((3, 2), None, {}, {(0, "x"): 20240131}),
    ),
    Case("years", column(["2021", "2022", "2024"]), values(2021, 2022, 2024)),
    Case(
        "quarters",
        column(["2024-Q1", "2024-Q2", "2023-Q4"]),
        values("2024-01-01", "2024-04-01", "2023-10-01", kind="date", notes="dates"),
    ),
    Case(
        "months",
        column(["2024-01", "2024-02", "2023-12"]),
        values("2024-01-01", "2024-02-01", "2023-12-01", kind="date", notes="dates"),
    ),
    # --- words
    Case(
        "JSON in cells",
        'x;k\n{"a": 1, "b": [2]};1\n{};2\n[];4\n',
        Loads((3, 2), ("x", "k"), {}, {(1, "x"): "{}"}),
    ),
    Case(
        "many labels",
        "x,k\n" + "".join(f"label {i % 150},{i * 7 % 31}\n" for i in range(300)),
        Loads((300, 2), None, {"x": "nominal"}, {}, "high_cardinality"),
    ),
    Case(
        "codes of the rows",
        "code,k\n" + "".join(f"P{i:04d},{i * 7 % 31}\n" for i in range(80)),
        Loads((80, 2), None, {"code": "id"}, {}, "id_column"),
    ),
    Case(
        "a counter from 0",
        "n,k\n" + "".join(f"{i},{i * 7 % 31}\n" for i in range(80)),
        Loads((80, 2), None, {"n": "id"}, {}, "id_column"),
    ),
    Case(
        "long remarks",
        "remark,k\n"
        + "".join(
            f"remark number {i} is long enough that it is read and not grouped,{i % 3}\n"
            for i in range(30)
        ),
        Loads((30, 2), None, {"remark": "text"}),
    ),
    Case(
        "one value",
        "c,k\n" + "".join(f"7,{i * i}\n" for i in range(9)),
        Loads((9, 2), None, {}, {}, "constant_column"),
    ),
    Case(
        "all rows equal",
        "a,b\n" + "1,2\n" * 30,
        Loads((30, 2), None, {}, {}, "constant_column duplicate_rows"),
    ),
    Case(
        "columns that determine each other",
        "a,b\n1,3\n2,5\n4,9\n7,15\n",
        Loads((4, 2), None, {}, {}, "collinear"),
    ),
    Case(
        "an emoji in cells",
        "x,k\n👩‍👩‍👧,1\n🇨🇭,2\n😀,4\n",
        Loads((3, 2), None, {}, {(1, "x"): "🇨🇭"}),
    ),
    Case(
        "a cell of a megabyte",
        "x,k\n" + "a" * 2**20 + ",1\nb,2\n",
        Loads((2, 2), ("x", "k"), {}, {(1, "x"): "b"}),
    ),
    Case(
        "an undefined encoding of a cell",
        b"x,k\n\x81\x8d\x8f\x90\x9d,1\nb,2\n",
        Loads((2, 2), ("x", "k"), {}, {(1, "x"): "b"}, "encoding"),
    ),
    Case("nothing but text in one line", "just one line", Refused("no_rows")),
)
