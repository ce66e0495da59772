"""Dates that are written in several ways, in German, and in other zones than UTC."""

import datetime

import pandas as pd

from tests.datasets.messy.case import Case, Loads, column, values
from tests.datasets.messy.containers import arff, parquet

BERLIN = pd.to_datetime(["2024-03-01 00:00", "2024-07-01 00:00", None]).tz_localize("Europe/Berlin")
AMERICAN = column(["02/01/2024", "03/01/2024", "04/01/2024"])


def _zoned(frame: dict[str, object]) -> bytes:
    return parquet(pd.DataFrame(frame))


CASES = (
    Case(
        "dates written in four ways",
        column(["2024-01-31", "01.02.2024", "3 Mar 2024", "2024/04/05"]),
        values("2024-01-31", "2024-02-01", "2024-03-03", "2024-04-05", kind="date", notes="dates"),
    ),
    Case(
        "a tenth of the dates written in another way",
        column([f"2024-01-{i:02d}" for i in range(1, 20)] + ["20.01.2024"]),
        Loads(
            (20, 2), None, {"x": "date"}, {(0, "x"): "2024-01-01", (19, "x"): "2024-01-20"}, "dates"
        ),
    ),
    Case(
        "the day first and the month first",
        column(["31/01/2024", "13/03/2024", "01/31/2024", "04/05/2024"]),
        values("2024-01-31", "2024-03-13", "2024-01-31", "2024-05-04", kind="date", notes="dates"),
    ),
    Case(
        "points say nothing of strokes",
        column(["01.02.2024", "02/13/2024", "03/01/2024"]),
        values("2024-02-01", "2024-02-13", "2024-03-01", kind="date", notes="dates"),
    ),
    Case(
        "dates that could be either",
        AMERICAN,
        values("2024-01-02", "2024-01-03", "2024-01-04", kind="date"),
    ),
    Case(
        "dates that could be either, when it is said",
        AMERICAN,
        values("2024-02-01", "2024-03-01", "2024-04-01", kind="date"),
        options={"day_first": False},
    ),
    Case(
        "dates with German months",
        column(["31. Januar 2024", "1. März 2024", "3. Dez. 2024", "5. Mai 2024", "6. Okt. 2024"]),
        values(
            "2024-01-31",
            "2024-03-01",
            "2024-12-03",
            "2024-05-05",
            "2024-10-06",
            kind="date",
            notes="dates",
        ),
    ),
    Case(
        "dates that are kept as words",
        AMERICAN,
        Loads((3, 2), None, {"x": "nominal"}, {(0, "x"): "02/01/2024"}),
        options={"kinds": {"x": "nominal"}},
    ),
    Case(
        "midnights of Berlin",
        column(
            ["2024-03-01T00:00:00+01:00", "2024-07-01T00:00:00+02:00", "2024-08-02T00:00:00+02:00"]
        ),
        values(
            "2024-03-01T00:00", "2024-07-01T00:00", "2024-08-02T00:00", kind="date", notes="dates"
        ),
    ),
    Case(
        "times of far zones",
        column(["2024-03-01T00:00:00+09:00", "2024-03-01T00:00:00-05:00"]),
        values("2024-02-29T15:00", "2024-03-01T05:00", kind="date", notes="dates"),
    ),
    Case(
        "midnights of Berlin in Parquet",
        lambda: _zoned({"k": [1, 2, 4], "x": BERLIN}),
        values("2024-03-01T00:00", "2024-07-01T00:00", None, kind="date", notes="dates"),
        name="data.parquet",
    ),
    Case(
        "durations in Parquet",
        lambda: _zoned({"k": [1, 2, 4], "x": pd.to_timedelta(["1h", "90.5s", None])}),
        values(3600, 90.5, None, notes="units"),
        name="data.parquet",
    ),
    Case(
        "days and clock times in Parquet",
        lambda: _zoned(
            {
                "k": [datetime.time(10, 30), datetime.time(0, 0), None],
                "x": [datetime.date(2024, 1, 31)] * 3,
            }
        ),
        Loads((3, 2), ("k", "x"), {"x": "date"}, {(0, "x"): "2024-01-31", (2, "k"): None}),
        name="data.parquet",
    ),
    Case(
        "ARFF with dates in double quotes beside words in single ones",
        arff(
            "1,\"2024-01-31 10:30\",'a, b'\n2,\"2024-02-01 11:00\",'it\\'s'\n4,?,c\n",
            "n numeric",
            "day date",
            "w string",
        ),
        Loads(
            (3, 3),
            ("n", "day", "w"),
            {"day": "date"},
            {(0, "day"): "2024-01-31T10:30", (2, "day"): None, (0, "w"): "a, b", (1, "w"): "it's"},
        ),
        name="data.arff",
    ),
    Case(
        "ARFF whose dates hold commas",
        arff('1,"Jan 31, 2024"\n2,"Feb 1, 2024"\n', "n numeric", 'day date "MMM d, yyyy"'),
        Loads((2, 2), ("n", "day"), {"day": "date"}, {(0, "day"): "2024-01-31"}),
        name="data.arff",
    ),
)
