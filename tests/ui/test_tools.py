"""What the browser says of a gesture is checked before it becomes a value."""

from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest

from dmlib.datasets import load
from dmlib.params import Choice, Flag, Integer, Number
from dmlib.problem import prepare
from tests.gestures import move, page_of, visitor
from ui.data import Table
from ui.panel import collected
from ui.play import take
from ui.tools import Ask, BuildTree, Drag, PickClass, PickColumn, PlaceCenters, Setting
from ui.tools.ask import parse_place
from ui.tools.place_centers import format_places, parse_places, placed_centers


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
        data=Table(),
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
        ({"name": "line", "x": None, "y": 1.23456789}, "page.eps", 1.235),
        ({"name": "line", "x": None, "y": 99}, "page.eps", 5.0),
        ({"name": "line", "x": -3, "y": None}, "page.eps", 0.0),
        ({"name": "k", "x": 4.6, "y": None}, "page.k", 5),
        ({"name": "k", "x": -1e29, "y": None}, "page.k", 1),
        ({"name": "cut", "x": None, "y": 0.25}, "page.cut", 0.25),
    ],
)
def test_a_line_sets_the_nearest_value_that_is_allowed(message, key, value):
    assert move(message, page(*DRAGS, CUT)) == ({key: value}, {})


def test_a_place_is_asked_about_and_no_row_any_more():
    with visitor({"point": 7}, point="7") as (session, link):
        take(page_of(page(Ask())), {"name": "query", "x": 1.5, "y": -2})
    assert session == {"query": (1.5, -2.0), "point": 0}
    assert link == {"query": "1.5,-2"}


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
    assert move(message, page(*DRAGS, CUT, Ask(), BuildTree("k"), PLACE), plane) == ({}, {})


def test_a_page_without_the_tool_takes_nothing(plane):
    for message in (
        {"name": "query", "x": 1, "y": 1},
        {"name": "eps", "y": 1},
        {"name": "split", "y": 1},
        {"base": "places", "points": [[1, 2, 0]]},
    ):
        assert move(message, page(), plane) == ({}, {})


@pytest.mark.parametrize("text", ["", "1", "1,2,3", "nan,1", "1,inf", "1e300,0", "a,b", "<script>"])
def test_a_text_that_is_no_place_is_refused(text):
    with pytest.raises(ValueError, match="a place such as"):
        parse_place(text)


def test_a_row_is_asked_about_before_a_place_and_a_place_stays_in_the_picture(plane):
    with visitor({"query": (1e29, 0.5)}):
        assert Ask().query(page_of(page(), problem=plane), 2).sample == 2
        x, y = Ask().query(page_of(page(), problem=plane), None).x
        assert 8 <= x < 16
        assert y == 0.5
    with visitor():
        assert Ask().query(page_of(page(), problem=plane), None) is None
        assert Ask(always=True).query(page_of(page(), problem=plane), None) is not None


# --- build a tree ---------------------------------------------------------------------------------


def test_the_threshold_of_a_split_is_dragged():
    assert move({"name": "split", "x": None, "y": 2.34567}, page(BuildTree("k"))) == (
        {"page.threshold": 2.346},
        {},
    )


# --- place centres --------------------------------------------------------------------------------


def test_a_centre_on_a_point_is_its_row_and_any_other_a_place(plane):
    points = [[4.001, 2, 0], [1.5, 1, 0]]
    session, link = move({"base": "places", "points": points, "rev": 3}, page(PLACE), plane)
    assert session == {"places": (2, (1.5, 1.0)), "places.rev": 3}
    assert link == {"places": "#2;1.5,1"}
    with visitor({"places": session["places"], "page.init": "points"}):
        here = page_of(page(PLACE), problem=plane)
        np.testing.assert_array_equal(placed_centers(plane), [[4, 2], [1.5, 1]])
        assert PLACE.controls(here)["k"] == 2
        assert PLACE.decides(here) == {"k"}
        assert PLACE.refusal(here) == ""
        assert PLACE.offers(here)["edit"]["max"] == 3


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
    assert move({"base": "places", "points": points}, page(PLACE), plane) == (
        {"places": (), "places.rev": 0},
        {},
    )
    with visitor({"places": (), "page.init": "points"}):
        assert PLACE.refusal(page_of(page(PLACE), problem=plane)) == "Click on the picture."


@pytest.mark.parametrize("rev", [None, "x", [], {}, float("nan"), float("inf"), True], ids=str)
def test_a_revision_that_is_no_number_is_the_first(rev, plane):
    session, _ = move({"base": "places", "points": [[4, 2, 0]], "rev": rev}, page(PLACE), plane)
    assert session == {"places": (2,), "places.rev": 0}


def test_places_beyond_all_bounds_are_no_more_than_a_link_holds(plane):
    session, link = move(
        {"base": "places", "points": [[1e300, 1, 0], *[[4, 2, 0]] * 999]}, page(PLACE), plane
    )
    assert len(session["places"]) == 256
    assert parse_places(link["places"]) == session["places"]
    assert 1e300 not in np.ravel([place for place in session["places"] if isinstance(place, tuple)])


def test_places_return_from_a_link_as_they_went():
    places = (12, (1.5, -2.0), 3)
    assert parse_places(format_places(places)) == places


# --- drawn points ---------------------------------------------------------------------------------


def test_drawn_points_stay_in_the_box_and_in_the_classes():
    session, link = move(
        {"base": "points", "points": [[-5, 99, 1e9], [1, 2, -3]], "rev": 1}, page()
    )
    (x, y, k), (_, _, least) = session["points"].tolist()
    assert (x, y) == (0, 10)
    assert k >= 1
    assert least == 0
    assert link["points"]
    assert session["points.rev"] == 1


# --- picks and settings ---------------------------------------------------------------------------


def test_a_column_and_a_class_are_chosen_by_name(problem):
    here = page_of(page(), problem=problem)
    with visitor({"page.column": "b", "page.positive": "u"}), collected():
        assert PickColumn("column", "Column").controls(here) == {"column": 2}
        assert PickClass("positive").controls(here) == {"positive": 1}


@pytest.mark.parametrize("nobody", ["nobody", "", "<script>"])
def test_a_name_that_the_data_do_not_have_becomes_the_default(nobody, problem):
    here = page_of(page(), problem=problem)
    with visitor({"page.column": nobody, "page.positive": nobody}) as (session, link), collected():
        assert PickColumn("column", "Column").controls(here) == {"column": 1}
        assert PickClass("positive").controls(here) == {"positive": 0}
    assert (session["page.column"], session["page.positive"], link) == ("a", "w", {})


def test_a_setting_belongs_to_its_methods():
    here = page_of(page())
    with visitor({"page.flag": True}), collected():
        assert Setting("flag", "Flag", Flag(), False, methods=("other",)).controls(here) == {}
        assert Setting("flag", "Flag", Flag(), False, methods=("one",)).controls(here) == {
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
    classes = prepare(load("iris").frame, ["petal_length"], target="species", labelled=True)
    assert table.fits("Classification", classes)
    assert not table.fits("Regression", classes)
    assert table.fits("Regression", None)
