"""The reader builds a tree: with buttons and controls, by dragging, and by a link."""

from types import SimpleNamespace
from unittest import mock

import pytest

from tests.pages.visit import again, picture, sound, stage, technique, told, visit, watched_runs
from ui import handles
from ui.handles import take_handle

SLUG = "decision_tree"


def phases(page):
    return [frame["phase"] for frame in stage(page)["frames"]]


def press(page, name):
    page.button(key=f"{SLUG}.{name}").click()
    return sound(page.run())


def built(page):
    """Return the splits in the page's link."""
    return "".join(page.query_params[f"{SLUG}.choices"])


def building(**link):
    return sound(visit(SLUG, **{f"{SLUG}.build": "true"}, **link))


def test_the_split_that_is_tried_ends_the_picture():
    page = building()
    assert phases(page) == ["start", "choose"]
    assert [handle["name"] for handle in stage(page)["handles"]] == ["split", "query"]
    assert page.button(key=f"{SLUG}.undo").disabled


def test_split_undo_and_finish():
    page = press(building(), "split")
    assert phases(page)[-1] == "choose"
    assert "Your split of the root" in stage(page)["frames"][-1]["caption"]
    assert built(page).startswith("r_0_")
    assert picture(again(page)) == picture(page)
    assert phases(press(page, "undo")) == ["start", "choose"]
    press(page, "split")
    page = press(page, "finish")
    assert "done" in phases(page)
    assert picture(again(page)) == picture(page)
    titles = [block.get("title") for block in stage(page)["frames"][-1]["ledger"]]
    assert "Your splits and the algorithm's" in titles


def test_another_column_gets_its_own_threshold():
    page = building()
    page.selectbox(key=f"{SLUG}.column").select("petal_width")
    page = sound(page.run())
    slider = page.slider(key=f"{SLUG}.threshold")
    assert 0 < slider.value < 2.5
    assert stage(page)["handles"][0]["kind"] == "y"


def test_values_of_a_nominal_column_are_chosen():
    page = building(data="weather_nominal", source="library", test="0")
    page.multiselect(key=f"{SLUG}.values").set_value(["sunny", "rainy"])
    page = sound(page.run())
    assert picture(again(page)) == picture(page)
    page = press(page, "split")
    assert built(page) == "r_0_in.0.2"


def test_all_values_on_one_side_are_no_split():
    page = building(data="weather_nominal", source="library", test="0")
    page.multiselect(key=f"{SLUG}.values").set_value(["sunny", "overcast", "rainy"])
    assert phases(sound(page.run())) == ["start", "choose"]


def test_a_branch_for_each_value_needs_no_choice():
    page = building(data="weather_nominal", source="library", test="0", **{f"{SLUG}.splitter": "multiway"})
    page = press(page, "split")
    assert built(page) == "r_0"


@pytest.mark.parametrize("text", ["x", "r_", "r_0_nan", "r_0_in", "<script>", "r.x_0"])
def test_hostile_splits_in_a_link_are_ignored(text):
    page = building(**{f"{SLUG}.choices": text})
    assert phases(page) == ["start", "choose"]
    assert any("is ignored" in sentence for sentence in told(page))


def test_splits_that_do_not_fit_are_refused_with_a_sentence():
    page = building(**{f"{SLUG}.choices": "r_9_1.0"})
    assert any("column 9" in sentence for sentence in told(page))
    assert phases(press(page, "undo")) == ["start", "choose"]


def test_other_data_start_anew():
    page = press(building(), "split")
    page.selectbox(key="data").select("penguins")
    page = sound(page.run())
    assert phases(page) == ["start", "choose"]
    assert f"{SLUG}.choices" not in page.query_params


def test_the_line_is_dragged():
    session = {"stage": SimpleNamespace(moved={"name": "split", "x": 2.34567, "y": None})}
    with mock.patch.object(handles.st, "session_state", session):
        take_handle(technique(SLUG), "stage")
    assert session[f"{SLUG}.threshold"] == 2.346


def test_what_was_built_is_exported():
    with watched_runs() as seen:
        page = press(building(), "split")
    page.session_state["bar.code"] = True
    (code,) = page.run().code
    assert f"choices={seen[-1].params['choices']!r}" in code.value
