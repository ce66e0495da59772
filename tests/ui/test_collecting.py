"""Collecting on a page: the fields of a row, and that a room takes what they ask for."""

import json

import numpy as np
import pandas as pd
import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.data.fields import MAX_FIELDS, table_fields
from dmlib.datasets.table import Table, infer_kinds
from rooms.limits import ABOUT_BYTES
from rooms.rows import checked_fields, checked_row
from tests.visit import session_of, visit

LENGTHS = ["sepal_length", "petal_length", "petal_width"]


def offer(slug, **link):
    return json.loads(session_of(visit(slug, **link)).live.offer())


def cell(field):
    """A value that a field takes."""
    return {
        "number": lambda: field["high"],
        "choice": lambda: field["options"][-1],
        "items": lambda: field["options"][:2],
        "text": lambda: "a",
    }[field["kind"]]()


@pytest.mark.parametrize("slug", tuple(CATALOGUE))
def test_what_a_page_offers_a_room_takes(slug):
    offered = offer(slug)
    for fields in filter(None, (offered["points"], offered["rows"])):
        about = {"kind": "rows", "slug": slug, "reader": offered["reader"], "fields": fields}
        assert len(json.dumps(checked_fields(about))) <= ABOUT_BYTES
        row = [cell(field) for field in fields]
        assert json.loads(checked_row(fields, {"row": row})) == row


@pytest.mark.parametrize(
    ("slug", "link", "expected"),
    [
        ("naive_bayes", {}, ["outlook", "temperature", "humidity", "windy", "play"]),
        ("apriori", {}, ["items"]),
        ("strings", {}, ["text"]),
        ("kmeans", {}, []),  # points of a plane
        ("kmeans", {"data": "iris", "iris.features": LENGTHS}, LENGTHS),
        ("knn", {"source": "draw"}, []),
        ("time_series", {}, []),
    ],
)
def test_rows_are_offered_where_they_are_no_points(slug, link, expected):
    assert [field["name"] for field in offer(slug, **link)["rows"]] == expected


def test_a_number_is_bounded_by_what_the_column_has():
    frame = pd.DataFrame({"size": [4.3, 7.9, np.nan], "rest": [-3.0, 5.0, 1.0], "same": 7})
    fields = table_fields(Table(frame, infer_kinds(frame), name="toy"), frame.columns)
    assert [(field["low"], field["high"]) for field in fields] == [(0, 12), (-11, 13), (0, 14)]


def test_columns_of_many_values_are_typed_and_a_wide_table_keeps_its_target():
    columns = {f"column {i}": [f"{i}{j}" for j in range(40)] for i in range(20)}
    levels = pd.Categorical(["mid", "low"] * 20, categories=["low", "mid"], ordered=True)
    frame = pd.DataFrame(columns | {"x" * 80: "a", "level": levels})
    fields = table_fields(Table(frame, infer_kinds(frame), name="toy"), frame.columns)
    assert len(fields) == MAX_FIELDS
    assert {field["kind"] for field in fields[:-1]} == {"text"}
    assert fields[-1] == {"name": "level", "kind": "choice", "options": ["low", "mid"]}
