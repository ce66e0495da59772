"""Files over a limit: refused with the number, before memory is spent."""

import gzip
import json
import zipfile

import pandas as pd

from dmlib.datasets import Limits
from tests.datasets.messy.case import Case, Refused, people
from tests.datasets.messy.containers import parquet
from tests.datasets.messy.office import ods, xlsx, zipped

ROWS = "1.5,2,a\n"
TEN = {"limits": Limits(n_rows=10)}

CASES = (
    Case(
        "a million and one rows",
        lambda: "a,b,c\n" + ROWS * 1_000_001,
        Refused("too_many_rows", "1,000,000"),
    ),
    Case(
        "two million rows of one letter",
        lambda: "a\n" + "x\n" * 2_000_000,
        Refused("too_many_rows", "1,000,000"),
    ),
    Case(
        "a million rows with quotes and one more",
        lambda: 'a,b\n"1",2\n' * 500_003,
        Refused("too_many_rows"),
    ),
    Case(
        "2,001 columns",
        lambda: ",".join(f"c{i}" for i in range(2001)) + "\n" + "1," * 2000 + "1\n",
        Refused("too_many_columns", "2,001"),
    ),
    Case(
        "50,000 equal names",
        lambda: ",".join(["v"] * 50_000) + "\n" + ",".join("1" * 50_000) + "\n",
        Refused("too_many_columns", "50,000"),
    ),
    Case(
        "50,000 blank names",
        lambda: "," * 49_999 + "\n" + ",".join("1" * 50_000) + "\n",
        Refused("too_many_columns", "50,000"),
    ),
    Case("a million commas", lambda: "a" + "," * 1_000_000 + "b\n", Refused("too_many_columns")),
    Case(
        "a row of two million fields below",
        lambda: "a,b\n1,2\n" + "1," * 2_000_000 + "1\n",
        Refused("ragged"),
    ),
    Case(
        "30 million cells",
        lambda: (",".join(f"c{i}" for i in range(1500)) + "\n") + ("1," * 1499 + "1\n") * 20_001,
        Refused("too_large", "30,001,500"),
    ),
    Case("too many bytes", people, Refused("too_large"), options={"limits": Limits(n_bytes=100)}),
    Case(
        "too many JSON records",
        lambda: json.dumps([{"a": i} for i in range(11)]),
        Refused("too_many_rows", "10"),
        name="data.json",
        options=TEN,
    ),
    Case(
        "too many JSON columns",
        lambda: json.dumps([{f"c{i}": i} for i in range(3000)]),
        Refused("too_many_columns"),
        name="data.json",
    ),
    Case(
        "too many rows of ARFF",
        lambda: "@relation r\n@attribute a real\n@data\n" + "1\n" * 300,
        Refused("too_many_rows"),
        name="data.arff",
        options=TEN,
    ),
    Case(
        "too many rows of Parquet",
        lambda: parquet(pd.DataFrame({"a": range(1_000_001)})),
        Refused("too_many_rows", "1,000,001"),
        name="data.parquet",
    ),
    Case(
        "too many columns of Parquet",
        lambda: parquet(pd.DataFrame([[1.0] * 2001]).add_prefix("c")),
        Refused("too_many_columns", "2,001"),
        name="data.parquet",
    ),
    Case(
        "Parquet that unpacks to more",
        lambda: parquet(pd.DataFrame({"a": ["x" * 3000] * 3000}), use_dictionary=False),
        Refused("bomb"),
        name="data.parquet",
        options={"limits": Limits(n_unpacked=1_000_000)},
    ),
    Case(
        "too many rows of a sheet",
        lambda: xlsx({"S": [["a"], *([i] for i in range(30))]}),
        Refused("too_many_rows"),
        name="data.xlsx",
        options=TEN,
    ),
    Case(
        "too many rows of an OpenDocument sheet",
        lambda: ods({"S": [["a"], *([i] for i in range(30))]}),
        Refused("too_many_rows"),
        name="data.ods",
        options=TEN,
    ),
    Case(
        "a gzip bomb",
        lambda: gzip.compress(bytes(2**20) * 8),
        Refused("bomb", "1 MB"),
        name="data.csv.gz",
        options={"limits": Limits(n_unpacked=2**20)},
    ),
    Case(
        "a zip bomb",
        lambda: zipped({"data.csv": "0" * 2**23}),
        Refused("bomb", "1 MB"),
        name="data.zip",
        options={"limits": Limits(n_unpacked=2**20)},
    ),
    Case(
        "a bomb in a workbook",
        lambda: zipped({"xl/workbook.xml": "<workbook/>", "xl/media/a.bin": bytes(2**23)}),
        Refused("bomb", "1 MB"),
        name="data.xlsx",
        options={"limits": Limits(n_unpacked=2**20)},
    ),
    Case(
        "a bomb beside the table",
        lambda: zipped({"data.csv": people(), "bomb.csv": "0" * 2**23}),
        Refused("wrong_format"),
        name="data.zip",
    ),
    Case(
        "a bomb that is stored twice",
        lambda: zipped({"a.csv": "1" * 2**22}, zipfile.ZIP_BZIP2),
        Refused("bomb", "1 MB"),
        name="data.zip",
        options={"limits": Limits(n_unpacked=2**20)},
    ),
)
