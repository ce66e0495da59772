"""The note of a preset: it is marked once something was changed, and there is a way back."""

import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.preset_settings import differs_from_preset
from dashboard.presets import link_of
from dashboard.settings import Settings
from tests.visit import sentences_of, sound, technique, turn, visit

SLUG = "kmeans"
PRESET = next(each for each in technique(SLUG).presets if each.slug == "a-large-group-is-cut-up")


def is_marked(page):
    return any("Changed since" in each.proto.body for each in page.get("html"))


def open_preset_page(**changed):
    return visit(SLUG, **(link_of(SLUG, PRESET) | changed))


@pytest.mark.parametrize("slug", CATALOGUE)
def test_the_note_of_a_preset_is_about_the_settings_that_it_names(slug):
    first, *others = technique(slug).presets
    special = [each for each in others if each.pin or {"step", "point"} & each.settings.keys()]
    links = [{}, *(link_of(slug, preset) for preset in (first, *special))]
    assert not any(is_marked(visit(slug, **link)) for link in links)


def test_the_note_is_marked_once_a_control_was_used_and_no_more_after_the_way_back():
    page = turn(open_preset_page(), "kmeans.n_clusters", "5")
    assert is_marked(page)
    page.button(key="looking.again").click()
    sound(page.run())
    assert not is_marked(page)
    assert page.query_params == visit(SLUG, **link_of(SLUG, PRESET)).query_params


def test_a_value_that_a_link_leaves_out_is_compared_too():
    assert is_marked(open_preset_page(**{"kmeans.n_init": ["1"]}))
    assert is_marked(visit(SLUG, **{f"{SLUG}.look_for": PRESET.slug}))


@pytest.mark.parametrize("link", [{"step": "3"}, {"point": "7"}, {"projector": "true"}])
def test_a_step_and_a_selected_row_are_no_changes(link):
    assert not is_marked(open_preset_page(**link))


def test_settings_of_other_pages_are_not_compared():
    link = open_preset_page().query_params
    opened = Settings({name: (link[name],) for name in link})
    other = opened.with_text("dbscan.eps", "2")
    page, names = technique(SLUG), {*opened.texts}
    assert not differs_from_preset(page, other, names)
    assert differs_from_preset(page, other, {*names, "dbscan.eps"})
    assert not differs_from_preset(page, other.without(f"{SLUG}.look_for"), {"dbscan.eps"})


def test_a_preset_that_does_not_exist_is_ignored_with_a_sentence():
    page = visit(SLUG, **{f"{SLUG}.look_for": ["nothing"]})
    (sentence,) = sentences_of(page)
    assert sentence.endswith("is ignored. This page has no such example. The default is used.")
