"""Positions of the controls beside the picture, and checks of the browser's messages."""

import math
from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from dashboard.form import Form
from dashboard.messages import number_of
from dashboard.panel import PanelForm
from dashboard.positions import POSITIONS, positions
from dashboard.settings import Settings
from dmlib.params import Choice, Flag, Integer, Number
from tests.gestures import settings_of

SPECS = {
    "k": (Integer(1, 9), 3),
    "depth": (Integer(1, 30, none="no limit"), None),
    "eps": (Number(0.0, 5.0), 1.0),
    "C": (Number(0.0, math.inf, shown=(0.01, 100.0), log=True, names=("auto",)), 1.0),
    "init": (Choice(("random", "points")), "random"),
    "flag": (Flag(), False),
}


def form_of(**link):
    """Return a form with one control of each kind."""
    form = PanelForm(settings_of(**link))
    for name, (spec, default) in SPECS.items():
        form.control(name, spec, default, label=name)
    return form


def value_after(name, value):
    """Return the value of a control after the stage has sent one."""
    form = form_of()
    settings = form.panel.change(form.settings, {"name": name, "value": value})
    spec, default = SPECS[name]
    return Form(settings).value(name, spec.parse, default)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
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
def test_a_value_that_is_allowed_is_taken(name, value, expected):
    assert value_after(name, value) == expected


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
    assert value_after(name, value) == SPECS[name][1]


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
    form = form_of()
    assert form.panel.change(form.settings, message) == form.settings


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
    assert number_of(message) == number


def test_a_value_is_in_the_link_and_a_default_is_not():
    assert form_of(k="5", eps="1.0").settings.query() == {"k": ["5"]}


def test_a_control_tells_the_stage_all_that_it_draws():
    controls = {each["name"]: each for each in form_of().panel.controls}
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
    form = PanelForm(Settings())
    form.button("go", "Go", lambda settings: settings.with_text("pressed", "yes"))
    form.note("Nothing to press.")
    for value in (None, "x", {}):
        pressed = form.panel.change(form.settings, {"name": "go", "value": value})
        assert pressed.text("pressed") == "yes"
        assert form.panel.change(form.settings, {"name": "", "value": value}) == form.settings


@pytest.mark.parametrize(
    ("value", "chosen"),
    [(["c", "a"], ("a", "c")), (["d", None, [], {}], ()), ("abc", ()), (None, ()), ({"a": 1}, ())],
)
def test_of_several_options_only_those_that_exist_can_be_chosen(value, chosen):
    form = PanelForm(settings_of(letters="b"))
    options = ["a", "b", "c"]
    assert form.choices("letters", "Letters", options, ["a"]) == ("b",)
    settings = form.panel.change(form.settings, {"name": "letters", "value": value})
    assert Form(settings).choices("letters", "Letters", options, ["a"]) == chosen


def test_parts_of_a_panel_are_collected_apart():
    form = PanelForm(Settings())
    with form.part() as outer:
        with form.part() as inner:
            form.note("inner")
        form.note("outer")
    assert [control["label"] for control in inner.controls] == ["inner"]
    assert [control["label"] for control in outer.controls] == ["outer"]
    assert form.panel.controls == []


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
    form = PanelForm(Settings())
    form.control("layers", Integer(0, 6, stepped=True), 2, label="Hidden layers")
    (stepper,) = form.panel.controls
    assert stepper["kind"] == "stepper"
    assert (stepper["low"], stepper["high"], stepper["value"]) == (0, 6, "2")
    assert "options" not in stepper
