"""Parquet, JSON, ARFF, archives, and files that are something else."""

import io
import json

import pandas as pd

from tests.datasets.messy.case import HEAD, KINDS, ROWS, Case, Loads, Refused, people, unchanged
from tests.datasets.messy.office import zipped

FRAME = pd.DataFrame([[float(a), float(b), int(c), d] for a, b, c, d in ROWS], columns=list(HEAD))
RECORDS = FRAME.to_dict("records")


def parquet(frame: pd.DataFrame = FRAME, **options: object) -> bytes:
    out = io.BytesIO()
    frame.to_parquet(out, **options)
    return out.getvalue()


def arff(rows: str, *attributes: str) -> str:
    head = "".join(f"@attribute {attribute}\n" for attribute in attributes)
    return f"% made by hand\n@relation people\n\n{head}\n@data\n{rows}"


ATTRIBUTES = ("height numeric", "weight REAL", "age integer", "group {A,B,C}")
BODY = people().split("\n", 1)[1]


def encrypted() -> bytes:
    """Return an archive whose only member says that it is encrypted."""
    data = bytearray(zipped({"data.csv": people()}))
    data[6] |= 1
    data[data.find(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


ODD_TYPES = pd.DataFrame(
    {
        "day": pd.to_datetime(["2024-01-31", None, "2024-02-01"]),
        "flag": pd.array([True, None, False], "boolean"),
        "word": pd.Categorical(["a", None, "b"]),
        "whole": pd.array([1, None, 3], "Int64"),
        "list": [[1, 2], None, []],
        "bytes": [b"x", b"\xff", None],
    }
)

CASES = (
    Case("Parquet", parquet, unchanged(silent=True), name="data.parquet"),
    Case("Parquet under another name", parquet, unchanged("format_guessed"), name="data.csv"),
    Case(
        "Parquet with an index",
        lambda: parquet(FRAME.set_index(FRAME.index * 7 % 12)),
        unchanged(),
        name="data.parquet",
    ),
    Case(
        "Parquet with equal rows and holes",
        lambda: parquet(pd.DataFrame({"a": [1.0, None, 1.0], "b": ["x", None, "x"]})),
        Loads(
            (3, 2), ("a", "b"), {"a": "numeric"}, {(1, "a"): None, (1, "b"): None}, "duplicate_rows"
        ),
        name="data.parquet",
    ),
    Case(
        "Parquet with odd types",
        lambda: parquet(ODD_TYPES),
        Loads(
            (3, 6),
            tuple(ODD_TYPES),
            {"day": "date", "whole": "numeric", "word": "nominal", "flag": "nominal"},
            {(0, "day"): "2024-01-31", (1, "day"): None, (1, "whole"): None, (2, "whole"): 3},
        ),
        name="data.parquet",
    ),
    Case(
        "Parquet without rows", lambda: parquet(FRAME[:0]), Refused("no_rows"), name="data.parquet"
    ),
    Case(
        "Parquet without columns",
        lambda: parquet(pd.DataFrame(index=range(3))),
        Refused("no_rows"),
        name="data.parquet",
    ),
    Case(
        "Parquet packed as such",
        lambda: parquet(compression="gzip"),
        unchanged(),
        name="data.parquet",
    ),
    Case(
        "half of a Parquet file", lambda: parquet()[:500], Refused("corrupt"), name="data.parquet"
    ),
    Case(
        "Parquet with a broken footer",
        lambda: parquet()[:-8] + b"\xff" * 4 + b"PAR1",
        Refused("corrupt"),
        name="data.parquet",
    ),
    Case("JSON records", json.dumps(RECORDS), unchanged(silent=True), name="data.json"),
    Case(
        "JSON under another name", json.dumps(RECORDS), unchanged("format_guessed"), name="data.csv"
    ),
    Case(
        "JSON with a mark",
        b"\xef\xbb\xbf" + json.dumps(RECORDS).encode(),
        unchanged(),
        name="data.json",
    ),
    Case("JSON in UTF-16", json.dumps(RECORDS).encode("utf-16"), unchanged(), name="data.json"),
    Case("JSON lines", "\n".join(map(json.dumps, RECORDS)), unchanged(), name="data.jsonl"),
    Case("JSON lines, one alone", json.dumps(RECORDS[0]), Loads((1, 4), HEAD), name="data.jsonl"),
    Case("JSON columns", json.dumps(FRAME.to_dict("list")), unchanged(), name="data.json"),
    Case("JSON columns by row", FRAME.to_json(), unchanged(), name="data.json"),
    Case("JSON split", FRAME.to_json(orient="split"), unchanged(), name="data.json"),
    Case(
        "JSON rows",
        json.dumps([list(HEAD), *map(list, FRAME.itertuples(index=False))]),
        unchanged(),
        name="data.json",
    ),
    Case(
        "JSON rows without names",
        json.dumps([[1, 2], [3, 4], [5, 7]]),
        Loads((3, 2), None, {}, {}),
        name="data.json",
    ),
    Case("JSON wrapped", json.dumps({"data": RECORDS}), unchanged(), name="data.json"),
    Case(
        "JSON wrapped beside remarks",
        json.dumps({"source": "class", "count": 12, "data": RECORDS}),
        unchanged("extra_ignored"),
        name="data.json",
    ),
    Case(
        "JSON with differing records",
        '[{"a": 1, "b": "x"}, {"b": "y"}, {"a": 3, "c": true}]',
        Loads((3, 3), ("a", "b", "c"), {"a": "numeric"}, {(1, "a"): None, (2, "b"): None}),
        name="data.json",
    ),
    Case(
        "JSON with lists in records",
        '[{"a": 1, "b": [1, 2]}, {"a": 2, "b": {"c": "</script>"}}]',
        Loads(
            (2, 3),
            ("a", "b", "b.c"),
            {},
            {(0, "b"): "[1, 2]", (1, "b.c"): "</script>"},
            "flattened",
        ),
        name="data.json",
    ),
    Case(
        "JSON with numbers beyond all",
        '[{"a": 1e999, "b": 1}, {"a": -1e999, "b": 2}, {"a": NaN, "b": 5}]',
        Loads((3, 2), ("a", "b"), {}, {(2, "b"): 5}),
        name="data.json",
    ),
    Case(
        "JSON with a number of ten thousand digits",
        '[{"a": ' + "1" * 10_000 + ', "b": 1}, {"a": 2, "b": 2}]',
        Loads((2, 2), ("a", "b"), {}, {(1, "a"): 2}, "non_finite"),
        name="data.json",
    ),
    Case(
        "JSON with empty and equal names",
        '[{"": 1, "a": 2}, {"": 3, "a": 5}]',
        Loads((2, 2), ("column_1", "a"), {}, {}, "names_changed"),
        name="data.json",
    ),
    Case("deep JSON", "[" * 100_000 + "]" * 100_000, Refused("not_a_table"), name="data.json"),
    Case(
        "deep JSON in a record",
        '[{"a": ' + "[" * 100_000 + "]" * 100_000 + "}]",
        Refused("not_a_table"),
        name="data.json",
    ),
    Case(
        "deep JSON of objects",
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        Refused("not_a_table"),
        name="data.json",
    ),
    Case(
        "JSON that is one object",
        '{"a": 1, "b": {"c": 2}}',
        Refused("not_a_table"),
        name="data.json",
    ),
    Case("JSON that is a number", "[1, 2, 3]", Refused("no_rows"), name="data.json"),
    Case("an empty JSON list", "[]", Refused("no_rows"), name="data.json"),
    Case("an empty JSON object", "{}", Refused("not_a_table"), name="data.json"),
    Case("JSON of empty records", "[{}, {}]", Refused("no_rows"), name="data.json"),
    Case("JSON cut off", json.dumps(RECORDS)[:-20], Refused("corrupt", "line 1"), name="data.json"),
    Case(
        "JSON with a comma too many",
        '[{"a": 1},\n {"a": 2},]',
        Refused("corrupt", "line 2"),
        name="data.json",
    ),
    Case(
        "GeoJSON",
        json.dumps(
            {
                "type": "FeatureCollection",
                "features": [{"type": "Feature", "properties": {"a": i}} for i in range(3)],
            }
        ),
        Loads((3, 2), ("type", "properties.a"), {}, {(2, "properties.a"): 2}),
        name="data.json",
    ),
    Case(
        "JSON with records within records",
        '[{"a": 1, "b": {"c": 2, "d": {"e": 3}}}, {"a": 2, "b": null}, {"a": 4, "b": {"c": 5, "d":'
        " {}}}]",
        Loads(
            (3, 3),
            ("a", "b.c", "b.d.e"),
            {"b.c": "numeric"},
            {(0, "b.d.e"): 3, (1, "b.c"): None},
            "flattened",
        ),
        name="data.json",
    ),
    Case(
        "JSON with a dotted name beside a record within",
        '[{"a.b": 1, "a": {"b": 2}}, {"a.b": 3, "a": {"b": 5}}]',
        Loads(
            (2, 2),
            ("a.b", "a.b_2"),
            {},
            {(1, "a.b"): 3, (1, "a.b_2"): 5},
            "flattened names_changed",
        ),
        name="data.json",
    ),
    Case("ARFF", arff(BODY, *ATTRIBUTES), unchanged(silent=True), name="data.arff"),
    Case(
        "ARFF under another name",
        arff(BODY, *ATTRIBUTES),
        unchanged("format_guessed"),
        name="data.txt",
    ),
    Case(
        "ARFF with holes",
        arff("1,2,?,A\n?,3,4,?\n5,6,7,B\n", *ATTRIBUTES),
        Loads((3, 4), HEAD, KINDS, {(0, "age"): None, (1, "group"): None}),
        name="data.arff",
    ),
    Case(
        "ARFF with quoted names",
        arff("1,x\n2,y\n4,'a, b'\n", "'body height' numeric", '"the group" string'),
        Loads(
            (3, 2),
            ("body height", "the group"),
            {"body height": "numeric"},
            {(2, "the group"): "a, b"},
        ),
        name="data.arff",
    ),
    Case(
        "ARFF with dates",
        arff(
            '1,"2024-01-31"\n2,"2024-02-01"\n4,"2023-12-15"\n', "n numeric", 'day date "yyyy-MM-dd"'
        ),
        Loads((3, 2), ("n", "day"), {"day": "date"}),
        name="data.arff",
    ),
    Case(
        "ARFF, sparse",
        arff("{0 1.5, 3 B}\n{1 2}\n", *ATTRIBUTES),
        Refused("unsupported"),
        name="data.arff",
    ),
    Case("ARFF without data", arff("", *ATTRIBUTES), Refused("no_rows"), name="data.arff"),
    Case(
        "ARFF without attributes",
        "@relation x\n@data\n1,2\n",
        Refused("bad_header"),
        name="data.arff",
    ),
    Case(
        "ARFF with too many fields",
        arff("1,2,3,A,5\n1,2,3,A,5\n", *ATTRIBUTES),
        Refused("ragged"),
        name="data.arff",
    ),
    Case(
        "ARFF with tabs",
        arff(BODY.replace(",", ",\t"), *(each.replace(" ", "\t", 1) for each in ATTRIBUTES)),
        unchanged(),
        name="data.arff",
    ),
    Case(
        "ARFF with weights of rows",
        arff("1,2,3,A,{5}\n1,2,4,A,{5}\n", *ATTRIBUTES),
        Refused("ragged"),
        name="data.arff",
    ),
    Case(
        "LIBSVM",
        "1 1:0.5 3:2\n-1 2:1 # the second\n1 1:0.25 2:3 3:1e1\n-1 5:4\n",
        Loads(
            (4, 6),
            ("label", "x1", "x2", "x3", "x4", "x5"),
            {"label": "nominal", "x1": "numeric", "x5": "numeric"},
            {
                (0, "label"): "1",
                (0, "x1"): 0.5,
                (0, "x2"): 0,
                (1, "x2"): 1,
                (2, "x3"): 10,
                (3, "x5"): 4,
            },
            "format_guessed",
        ),
        name="data.libsvm",
    ),
    Case(
        "LIBSVM of numbers, with queries and a feature 0",
        "0.5 qid:1 0:1 2:2\n2 qid:1 1:1\n1.5 qid:2 0:3\n",
        Loads(
            (3, 5),
            ("label", "query", "x0", "x1", "x2"),
            {"label": "numeric"},
            {(0, "label"): 0.5, (2, "x0"): 3},
        ),
        name="data.txt",
    ),
    Case(
        "LIBSVM that is read as a table",
        "1 1:0.5 3:2\n-1 1:1 2:1\n1 1:0.25 2:3\n",
        Loads(
            (3, 3), None, {"column_1": "numeric", "column_2": "nominal"}, {(0, "column_2"): "1:0.5"}
        ),
        options={"delimiter": " ", "header": False},
    ),
    Case("LIBSVM whose pairs are in no order", "1 3:1 2:1\n-1 1:1\n", Refused("corrupt")),
    Case("LIBSVM with too many features", "1 3:1\n-1 99999999999:1\n", Refused("too_many_columns")),
    Case("LIBSVM that breaks off", "1 3:1\n" * 200 + "1 3:x\n", Refused("corrupt")),
)

RECORDS_AS_ROWS = [list(row) for row in FRAME.itertuples(index=False)]
