"""Positions of sliders: few, with that of the state, each with what the app shows there."""

import zlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.settings import Settings
from dashboard.technique import technique_of
from dmlib.pictures.encode import decode
from edition import content
from edition.packing import archive
from edition.sliders import (
    N_POSITIONS,
    bare,
    bare_still,
    computed,
    controls,
    last_step,
    paired,
    positions,
)
from edition.states import State, finished_view, states

KMEANS = technique_of("kmeans")


@given(st.integers(1, 500), st.data())
def test_positions_have_both_ends_and_their_own(n_options, data):
    own = data.draw(st.integers(0, n_options - 1))
    places = positions(n_options, own)
    assert {0, own, n_options - 1} <= set(places) <= set(range(n_options))
    assert len(places) <= max(N_POSITIONS, 1)
    assert places == sorted(set(places))


def of_kmeans(n_clusters, n_init=1):
    """A state of k-means on little data."""
    texts = {
        "data": ["iris"],
        "kmeans.n_clusters": [str(n_clusters)],
        "kmeans.n_init": [str(n_init)],
    }
    settings = Settings.from_query(texts, KMEANS.opening_link)
    return State("small", "Small", "", KMEANS, settings)


def test_each_position_shows_what_the_app_shows_there():
    state = of_kmeans(3)
    view = state.view()
    control = controls(view)[0]
    assert control["name"] == "kmeans.n_clusters"
    slider = computed(state, view, control)
    place = [value for value, _ in slider.control["options"]].index("5")
    scene = slider.scenes[slider.places[place]]
    assert scene == bare(of_kmeans(5).view())
    assert decode(scene)["results"] == decode(of_kmeans(5).view().encoded(0))["results"]


def test_without_steps_each_position_shows_its_last_step(monkeypatch):
    state = of_kmeans(3)
    view = state.view()
    slider = computed(state, view, controls(view)[0])
    ended = slider.without_steps()
    assert ended.control == slider.control
    assert not ended.has_steps
    for place, end in zip(slider.places, ended.places, strict=True):
        whole, last = decode(slider.scenes[place]), decode(ended.scenes[end])
        assert last["frames"] == whole["frames"][-1:]
        assert last["results"] == whole["results"][-1:]
        assert "still" not in last
    monkeypatch.setattr(content, "MAX_BYTES", len(archive(ended.scenes)))
    first, _ = content._sliders(state, view)
    assert (first.has_steps, first.places) == (False, ended.places)
    assert first.scenes == ended.scenes
    assert not first.halved().has_steps


def test_two_runs_side_by_side_end_together():
    preset = next(each for each in states(KMEANS) if "pin" in each.settings.query())
    view = preset.view()
    scene = decode(bare(last_step(view)))
    assert len(scene["frames"]) == 1
    assert scene["pair"]
    captions = [decode(bare(run))["frames"][-1]["caption"] for run in (view.pinned, view)]
    shown = str(scene)
    assert all(caption in shown for caption in captions)


def test_a_slider_with_fewer_positions_has_its_own():
    state = of_kmeans(3)
    view = state.view()
    slider = computed(state, view, controls(view)[0])
    fewer = slider.halved()
    options = [value for value, _ in fewer.control["options"]]
    assert "3" in options
    assert len(options) in (len(slider.places) // 2, (len(slider.places) + 1) // 2)
    scene = fewer.scenes[fewer.places[options.index("3")]]
    assert scene == slider.scenes[slider.places[2]] == bare(view)


def test_equal_pictures_are_there_once():
    """Beyond the size of the largest frequent item set, a larger maximum changes nothing."""
    state = next(states(technique_of("apriori")))
    view = state.view()
    lengths = next(each for each in controls(view) if each["name"] == "apriori.max_length")
    slider = computed(state, view, lengths)
    assert len(slider.scenes) == len(set(slider.scenes)) < len(slider.places)


def test_a_picture_without_controls_is_stored_as_zlib_does():
    scene = bare(finished_view(KMEANS, of_kmeans(3).settings))
    assert decode(scene)["controls"] == []
    assert len(zlib.decompress(scene)) <= len(scene)


@pytest.fixture(scope="module")
def sliders():
    """A state with its view and its two sliders."""
    state = of_kmeans(3)
    view = state.view()
    return state, view, [computed(state, view, control) for control in controls(view)]


def test_each_pair_shows_what_the_app_shows_there(sliders):
    pairs = paired(*sliders)
    rows, columns = pairs.positions
    assert len(pairs.places) == len(rows) * len(columns)
    n_clusters, n_init = (
        slider.control["options"][places[-1]][0]
        for slider, places in zip(sliders[2], pairs.positions, strict=True)
    )
    assert n_clusters != "3"
    assert pairs.scenes[pairs.places[-1]] == bare(of_kmeans(n_clusters, n_init).view())


def test_fewer_pairs_are_those_at_the_ends(sliders):
    pairs = paired(*sliders)
    fewer = pairs.fewer()
    assert fewer.positions == tuple([places[0], places[-1]] for places in pairs.positions)
    assert fewer.scenes[fewer.places[-1]] == pairs.scenes[pairs.places[-1]]
    assert fewer.fewer() is None


def test_what_cannot_be_chosen_together_has_no_pairs(sliders):
    state, view, (first, second) = sliders
    refused = {**second.control, "options": [["1", "1"], ["-5", "-5"], ["-6", "-6"]]}
    assert paired(state, view, [first]) is None
    assert paired(state, view, [first, replace(second, control=refused)]) is None


def test_a_still_is_the_frame_at_which_a_state_opens():
    view = of_kmeans(3).view()
    picture = decode(bare_still(view, 1))
    assert picture["still"] == {"frame": 1, "frames": len(view.scene.frames)}
    assert [frame["caption"] for frame in picture["frames"]] == [view.scene.frames[1].caption]
    assert picture["controls"] == []
