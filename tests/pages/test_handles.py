"""What the browser says of a dragged handle is checked before it becomes a value."""

from types import SimpleNamespace
from typing import ClassVar
from unittest import mock

import pytest

from dmlib.params import Integer, Number
from ui import Option, handles
from ui.handles import parse_place, take_handle


class Method:
    PARAMS: ClassVar = {"eps": Number(0.0, 5.0), "k": Integer(1, 9)}


TECHNIQUE = SimpleNamespace(
    slug="page",
    query="asked",
    algorithms={"one": Method},
    specs=lambda method: Method.PARAMS,
    options={"cut": Option("Cut", Number(0.0, 1.0), 0.5)},
    handles={"line": "eps", "count": "k", "cut": "cut"},
)


def move(message, technique=TECHNIQUE):
    """Return what the session holds after a message from the stage, and what went into the link."""
    session = {"stage": SimpleNamespace(moved=message)}
    link = {}
    with (
        mock.patch.object(handles.st, "session_state", session),
        mock.patch.object(handles, "keep", link.__setitem__),
    ):
        take_handle(technique, "stage")
    session.pop("stage")
    return session, link


@pytest.mark.parametrize(
    ("message", "key", "value"),
    [
        ({"name": "line", "x": None, "y": 1.23456789}, "page.eps", 1.235),
        ({"name": "line", "x": None, "y": 99}, "page.eps", 5.0),
        ({"name": "line", "x": -3, "y": None}, "page.eps", 0.0),
        ({"name": "count", "x": 4.6, "y": None}, "page.k", 5),
        ({"name": "cut", "x": None, "y": 0.25}, "page.cut", 0.25),
    ],
)
def test_a_line_sets_the_nearest_value_that_is_allowed(message, key, value):
    assert move(message) == ({key: value}, {})


def test_a_place_is_asked_about_and_no_row_any_more():
    session, link = move({"name": "query", "x": 1.5, "y": -2})
    assert session == {"query": (1.5, -2.0), "point": 0}
    assert link == {"query": "1.5,-2", "point": None}


@pytest.mark.parametrize(
    "message",
    [
        None,
        "line",
        {},
        {"name": "line"},
        {"name": "line", "x": "1", "y": True},
        {"name": "line", "y": float("nan")},
        {"name": "line", "y": 1e300},
        {"name": "nobody", "y": 1},
        {"name": ["line"], "y": 1},
        {"name": "query", "x": 1},
        {"name": "query", "x": float("inf"), "y": 1},
    ],
    ids=str,
)
def test_what_is_no_move_changes_nothing(message):
    assert move(message) == ({}, {})


def test_a_page_without_a_query_takes_none():
    assert move({"name": "query", "x": 1, "y": 1}, SimpleNamespace(**{**vars(TECHNIQUE), "query": "none"})) == ({}, {})


@pytest.mark.parametrize("text", ["", "1", "1,2,3", "nan,1", "1,inf", "1e300,0", "a,b", "<script>"])
def test_a_text_that_is_no_place_is_refused(text):
    with pytest.raises(ValueError, match="a place such as"):
        parse_place(text)
