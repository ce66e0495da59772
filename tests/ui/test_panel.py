"""The controls beside the picture: their positions, and what the browser says of them is checked."""

import math
from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from dmlib.params import Choice, Flag, Integer, Number
from tests.gestures import visitor
from ui.controls import control
from ui.panel import POSITIONS, button, collected, note, panel, positions, several

SPECS = {
    "k": (Integer(1, 9), 3),
    "depth": (Integer(1, 30, none="no limit"), None),
    "eps": (Number(0.0, 5.0), 1.0),
    "C": (Number(0.0, math.inf, shown=(0.01, 100.0), log=True, names=("auto",)), 1.0),
    "init": (Choice(("random", "points")), "random"),
    "flag": (Flag(), False),
}


def shown():
    """Collect one control of each kind."""
    with collected() as found:
        for name, (spec, default) in SPECS.items():
            control(name, spec, default, label=name)
    return found


def told(name, value):
    """Return what the session has of a control after the stage has told a value."""
    with visitor() as (session, _):
        shown().take({"name": name, "value": value})
        return session[name]


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("k", "7", 7),
        ("k", 7, 7),
        ("depth", "None", None),
        ("depth", "4", 4),
        ("eps", "0.5", 0.5),
        ("C", "inf", math.inf),
        ("C", "auto", "auto"),
        ("init", "points", "points"),
        ("flag", True, True),
        ("flag", "true", True),
    ],
)
def test_a_value_that_is_allowed_is_taken(name, value, kept):
    assert told(name, value) == kept


HOSTILE = (
    "nan",
    "-1",
    "1e400",
    "9" * 5000,
    "<script>",
    "",
    [],
    {"value": 1},
    [1],
    b"1",
    math.nan,
    -math.inf,
    10**400,
)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (name, value)
        for name in SPECS
        for value in HOSTILE
        if name != "C" or value not in (HOSTILE[2], HOSTILE[3], 10**400)
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_value_that_is_not_allowed_changes_nothing(name, value):
    assert told(name, value) == SPECS[name][1]


@pytest.mark.parametrize(
    "message",
    [
        None,
        "k",
        ["k"],
        {},
        {"name": "k"},
        {"name": ["k"], "value": 1},
        {"name": "nobody", "value": 1},
    ],
    ids=str,
)
def test_what_is_no_message_changes_nothing(message):
    with visitor() as (session, link):
        found = shown()
        before = dict(session)
        found.take(message)
        assert (session, link) == (before, {})


@pytest.mark.parametrize(
    ("message", "number"),
    [
        (None, 0),
        ("x", 0),
        ({}, 0),
        ({"number": "1"}, 0),
        ({"number": [1]}, 0),
        ({"number": math.nan}, 0),
        ({"number": 5}, 5),
    ],
)
def test_the_number_of_a_message_is_a_whole_number(message, number):
    assert shown_without_session().heard(message) == number


def shown_without_session():
    with visitor():
        return shown()


def test_a_value_of_the_session_is_kept_in_the_link_and_the_default_is_not():
    with visitor({"k": 5, "eps": 1.0}) as (_, link):
        shown()
    assert link == {"k": "5"}


def test_a_control_tells_the_stage_all_that_it_draws():
    controls = {each["name"]: each for each in shown_without_session().controls}
    assert list(controls) == list(SPECS)
    assert {name: each["kind"] for name, each in controls.items()} == {
        "k": "slider",
        "depth": "slider",
        "eps": "slider",
        "C": "slider",
        "init": "choice",
        "flag": "flag",
    }
    assert controls["depth"]["value"] == controls["depth"]["options"][-1][0] == "None"
    assert controls["depth"]["options"][-1][1] == "no limit"
    assert controls["C"]["options"][0][0] == "auto"
    assert controls["C"]["options"][-1] == ["inf", "∞"]
    for each in controls.values():
        assert each["kind"] == "flag" or each["value"] in {value for value, _ in each["options"]}


def test_a_button_acts_whatever_comes_with_it_and_a_note_never():
    pressed = []
    with collected() as found:
        button("go", "Go", pressed.append, "gone")
        note("Nothing to press.")
    for value in (None, "x", {}):
        found.take({"name": "go", "value": value})
        found.take({"name": "", "value": value})
    assert pressed == ["gone"] * 3


@pytest.mark.parametrize(
    ("value", "left"),
    [(["c", "a"], ["a", "c"]), (["d", None, [], {}], []), ("abc", []), (None, []), ({"a": 1}, [])],
)
def test_of_several_options_only_those_that_there_are_can_be_chosen(value, left):
    with visitor({"some": ["b"]}) as (session, _), collected() as found:
        several("some", "Some", ["a", "b", "c"])
        found.take({"name": "some", "value": value})
        assert session["some"] == left


def test_outside_of_a_collection_there_is_no_panel():
    assert panel() is None
    with collected() as outer:
        with collected() as inner:
            assert panel() is inner
        assert panel() is outer
    assert panel() is None


finite = st.floats(-1e6, 1e6, allow_subnormal=False)


@given(low=finite, width=st.floats(1e-3, 1e6), share=st.floats(0, 1))
@example(low=0.0, width=1.0, share=1 / 3)
def test_a_slider_that_adds_goes_evenly_from_end_to_end(low, width, share):
    high, value = low + width, low + share * width
    places = positions(Number(low, high), value)
    assert places == sorted(set(places))
    assert value in places
    assert places[-1] == max(high, value)
    assert places[0] == pytest.approx(low, abs=width / 100)
    steps = [b - a for a, b in pairwise(places)]
    assert len(places) <= POSITIONS + 3
    assert max(steps) <= width / 50


@given(low=st.floats(1e-9, 1e3), factor=st.floats(10, 1e9))
def test_a_slider_that_multiplies_has_even_ratios(low, factor):
    high = low * factor
    assume(math.isfinite(high))
    places = positions(Number(0.0, math.inf, shown=(low, high), log=True, names=("auto",)), low)
    assert (places[0], places[-1]) == ("auto", math.inf)
    numbers = places[1:-1]
    assert numbers == sorted(set(numbers))
    ratios = [b / a for a, b in pairwise(numbers)]
    assert max(ratios) <= 10 ** (1 / 20) * 1.02


@given(low=st.integers(-100, 100), width=st.integers(1, 100_000), share=st.floats(0, 1))
def test_a_slider_of_whole_numbers_has_both_ends_and_the_value(low, width, share):
    value = low + round(share * width)
    places = positions(Integer(low, low + width), value)
    assert places == sorted(set(places))
    assert {low, low + width, value} <= set(places)
    assert all(isinstance(place, int) for place in places)
    assert len(places) <= 2 * POSITIONS + 3


def test_a_stepped_number_has_bounds_and_no_positions():
    with visitor(), collected() as found:
        control("layers", Integer(0, 6, stepped=True), 2, label="Hidden layers")
    (stepper,) = found.controls
    assert stepper["kind"] == "stepper"
    assert (stepper["low"], stepper["high"], stepper["value"]) == (0, 6, "2")
    assert "options" not in stepper
