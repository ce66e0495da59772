"""Messages of gestures are checked before they become values."""

from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest

from dashboard.data import Table
from dashboard.data.kind import Chosen
from dashboard.tools import Ask, BuildTree, Drag, PickClass, PickColumn, PlaceCenters, Setting
from dashboard.tools.ask import parse_place
from dashboard.tools.place_centers import format_places, parse_places, placed_centers
from dashboard.view import changed_settings
from dmlib.datasets import decode_points
from dmlib.params import Choice, Flag, Integer, Number
from dmlib.problem import prepare
from tests.gestures import move, page_of


class Method:
    PARAMS: ClassVar = {
        "eps": Number(0.0, 5.0),
        "k": Integer(1, 9),
        "init": Choice(("random", "points")),
    }

    def __init__(self, eps=1.0, k=3, init="random"):
        self.eps, self.k, self.init = eps, k, init


PLACE = PlaceCenters("init", "points", "k", "Place centres", "Click on the picture.")
DRAGS = (Drag("line", sets="eps"), Drag("k"), Drag("cut"), Drag("nothing"))
CUT = Setting("cut", "Cut", Number(0.0, 1.0), 0.5)


def page(*tools):
    """Return a technique with these tools."""
    return SimpleNamespace(
        slug="page",
        methods={"one": Method},
        specs=lambda method: Method.PARAMS,
        defaults=lambda method: {"eps": 1.0, "k": 3, "init": "random"},
        tools=tools,
        settings={tool.name: tool for tool in tools if isinstance(tool, Setting)},
        kind=lambda method: Table(),
    )


@pytest.fixture(scope="module")
def problem():
    frame = pd.DataFrame(
        {"a": [0.0, 4.0, 8.0], "b": [0.0, 2.0, 0.0], "name": list("xyx"), "class": list("uvw")}
    )
    return prepare(frame, ["a", "b", "name"], target="class", labelled=True)


@pytest.fixture(scope="module")
def plane():
    return prepare(pd.DataFrame({"a": [0.0, 4.0, 8.0], "b": [0.0, 2.0, 0.0]}), ["a", "b"])


# --- drag and ask ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "key", "value"),
    [
        ({"name": "line", "x": None, "y": 1.23456789}, "page.eps", "1.235"),
        ({"name": "line", "x": None, "y": 99}, "page.eps", "5.0"),
        ({"name": "line", "x": -3, "y": None}, "page.eps", "0.0"),
        ({"name": "k", "x": 4.6, "y": None}, "page.k", "5"),
        ({"name": "k", "x": -1e29, "y": None}, "page.k", "1"),
        ({"name": "cut", "x": None, "y": 0.25}, "page.cut", "0.25"),
    ],
)
def test_a_line_sets_the_nearest_value_that_is_allowed(message, key, value):
    assert move(message, page(*DRAGS, CUT)) == {key: [value]}


def test_a_place_is_asked_about_and_no_row_any_more():
    link = move({"name": "query", "x": 1.5, "y": -2}, page(Ask()), point="7")
    assert link == {"query": ["1.5,-2"]}


HOSTILE = [
    None,
    "line",
    ["line"],
    {},
    {"name": "line"},
    {"name": "line", "x": "1", "y": True},
    {"name": "line", "y": float("nan")},
    {"name": "line", "y": 1e300},
    {"name": "line", "y": 10**400},
    {"name": "nobody", "y": 1},
    {"name": ["line"], "y": 1},
    {"name": None, "y": 1},
    {"name": "nothing", "y": 1},
    {"name": "query", "x": 1},
    {"name": "query", "x": float("inf"), "y": 1},
    {"name": "query", "x": [1], "y": {}},
    {"name": "split", "x": "left"},
    {"base": "nobody", "points": [[1, 2, 0]]},
    {"base": ["places"], "points": [[1, 2, 0]]},
]


@pytest.mark.parametrize("message", HOSTILE, ids=lambda message: str(message)[:40])
def test_what_is_no_gesture_changes_nothing(message, plane):
    assert move(message, page(*DRAGS, CUT, Ask(), BuildTree("k"), PLACE), plane) == {}


def test_a_page_without_the_tool_takes_nothing(plane):
    for message in (
        {"name": "query", "x": 1, "y": 1},
        {"name": "eps", "y": 1},
        {"name": "split", "y": 1},
        {"base": "places", "points": [[1, 2, 0]]},
    ):
        assert move(message, page(), plane) == {}


@pytest.mark.parametrize("text", ["", "1", "1,2,3", "nan,1", "1,inf", "1e300,0", "a,b", "<script>"])
def test_a_text_that_is_no_place_is_refused(text):
    with pytest.raises(ValueError, match="a place such as"):
        parse_place(text)


def test_a_row_is_asked_about_before_a_place_and_a_place_stays_in_the_picture(plane):
    queried = page_of(page(), problem=plane, query="1e29,0.5")
    assert Ask().query(queried, 2).sample == 2
    x, y = Ask().query(queried, None).x
    assert 8 <= x < 16
    assert y == 0.5
    silent = page_of(page(), problem=plane)
    assert Ask().query(silent, None) is None
    assert Ask(always=True).query(silent, None) is not None


# --- build a tree ---------------------------------------------------------------------------------


def test_the_threshold_of_a_split_is_dragged():
    link = move({"name": "split", "x": None, "y": 2.34567}, page(BuildTree("k")))
    assert link == {"page.threshold": ["2.346"]}


# --- place centres --------------------------------------------------------------------------------


def test_a_centre_on_a_point_is_its_row_and_any_other_a_place(plane):
    points = [[4.001, 2, 0], [1.5, 1, 0]]
    link = move({"base": "places", "points": points, "rev": 3}, page(PLACE), plane)
    assert link == {"places": ["#2;1.5,1"]}
    placed = page_of(page(PLACE), problem=plane, places="#2;1.5,1", **{"page.init": "points"})
    np.testing.assert_array_equal(placed_centers(placed.form, plane), [[4, 2], [1.5, 1]])
    assert PLACE.controls(placed)["k"] == 2
    assert PLACE.decides(placed) == {"k"}
    assert PLACE.refusal(placed) == ""
    assert PLACE.offers(placed)["edit"]["max"] == 3


@pytest.mark.parametrize(
    "points",
    [
        None,
        "x",
        {},
        [],
        [1],
        [[1, 2]],
        [["1", "2", 0]],
        [[float("nan"), 1, 0]],
        [[[1], 2, 0]],
        [None],
    ],
    ids=str,
)
def test_what_is_no_list_of_points_places_none(points, plane):
    link = move({"base": "places", "points": points}, page(PLACE), plane, places="#2")
    assert link == {}
    empty = page_of(page(PLACE), problem=plane, **{"page.init": "points"})
    assert PLACE.refusal(empty) == "Click on the picture."


@pytest.mark.parametrize(
    ("raw", "revision"),
    [
        (None, 0),
        ("x", 0),
        ([], 0),
        ({}, 0),
        (float("nan"), 0),
        (float("inf"), 0),
        (True, 0),
        (3, 3),
    ],
    ids=str,
)
def test_a_revision_that_is_no_number_is_the_first(raw, revision, plane):
    placing = page_of(page(PLACE), problem=plane)
    data = Chosen(Table(), None, plane, "", "")
    message = {"base": "places", "points": [[4, 2, 0]], "rev": raw}
    settings = changed_settings(placing, data, placing.settings, message)
    assert settings.text("places") == "#2"
    assert settings.revisions == {"places": revision}


def test_places_beyond_all_bounds_are_no_more_than_a_link_holds(plane):
    points = [[1e300, 1, 0], *[[4, 2, 0]] * 999]
    link = move({"base": "places", "points": points}, page(PLACE), plane)
    places = parse_places(*link["places"])
    assert len(places) == 256
    assert 1e300 not in np.ravel([place for place in places if isinstance(place, tuple)])


def test_places_return_from_a_link_as_they_went():
    places = (12, (1.5, -2.0), 3)
    assert parse_places(format_places(places)) == places


# --- drawn points ---------------------------------------------------------------------------------


def test_drawn_points_stay_in_the_box_and_in_the_classes():
    link = move({"base": "points", "points": [[-5, 99, 1e9], [1, 2, -3]], "rev": 1}, page())
    (x, y, first_class), (_, _, second_class) = decode_points(*link["points"]).tolist()
    assert (x, y) == (0, 10)
    assert first_class >= 1
    assert second_class == 0


# --- picks and settings ---------------------------------------------------------------------------


def test_a_column_and_a_class_are_chosen_by_name(problem):
    link = {"page.column": "b", "page.positive": "u"}
    chosen = page_of(page(), problem=problem, **link)
    assert PickColumn("column", "Column").controls(chosen) == {"column": 2}
    assert PickClass("positive").controls(chosen) == {"positive": 1}


@pytest.mark.parametrize("unknown", ["nobody", "", "<script>"])
def test_a_name_that_the_data_do_not_have_becomes_the_default(unknown, problem):
    link = {"page.column": unknown, "page.positive": unknown}
    chosen = page_of(page(), problem=problem, **link)
    assert PickColumn("column", "Column").controls(chosen) == {"column": 1}
    assert PickClass("positive").controls(chosen) == {"positive": 0}
    assert chosen.settings.query() == {}


def test_a_setting_belongs_to_its_methods():
    flagged = page_of(page(), **{"page.flag": "true"})
    assert Setting("flag", "Flag", Flag(), False, methods=("other",)).controls(flagged) == {}
    assert Setting("flag", "Flag", Flag(), False, methods=("one",)).controls(flagged) == {
        "flag": True
    }


def test_a_method_may_predict_something_else():
    table = Table(
        "classes", {"source": "generator", "generator": "xor"}, targets={"Regression": "number"}
    )
    assert table.of("Classification") is table
    numbers = table.of("Regression")
    assert numbers.target == "number"
    assert numbers.start == {"source": "generator", "generator": "noisy_curve", "data": "mtcars"}
    assert numbers != table
    assert numbers == table.of("Regression")
