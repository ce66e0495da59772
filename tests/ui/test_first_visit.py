"""The line on what to try: there on the first visit of a page, gone once anything was done."""

import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.presets import presets
from tests.visit import sound, turn, visit


def offered(page):
    return [button.label for button in page.button if button.key == "trying.adopt"]


@pytest.mark.parametrize("slug", CATALOGUE)
def test_the_first_visit_offers_the_preset_to_begin_with_in_one_sentence(slug):
    page = visit(slug)
    (label,) = offered(page)
    assert label.startswith("Try: ")
    page.button(key="trying.adopt").click()
    sound(page.run())
    start = next(preset for preset in presets(slug) if "start" in preset.tags)
    assert page.query_params[f"{slug}.look_for"] == start.slug
    assert not offered(page)


def test_it_can_be_dismissed_and_nothing_else_changes():
    page = visit("kmeans")
    page.button(key="trying.dismiss").click()
    sound(page.run())
    assert not offered(page)
    assert page.query_params == {}


def test_it_is_gone_once_a_control_was_used_and_does_not_come_back():
    page = turn(visit("kmeans"), "kmeans.n_clusters", "4")
    # It fades in its place: nothing moves.
    assert "visibility: hidden" in page.get("html")[-1].proto.body
    assert not offered(page.run())
    assert not offered(turn(page, "kmeans.n_clusters", "3").run())


def test_it_is_there_once_for_each_page_of_a_session():
    page = visit("kmeans")
    assert offered(page.switch_page("pages/dbscan.py").run())
    assert not offered(page.switch_page("pages/kmeans.py").run())
    assert not offered(page.switch_page("pages/dbscan.py").run())


@pytest.mark.parametrize("link", [{"seed": "7"}, {"hide": "presets"}, {"projector": "true"}])
def test_who_comes_by_a_link_that_says_something_is_left_alone(link):
    assert not offered(visit("kmeans", **link))


def test_stepping_leaves_it():
    assert offered(visit("kmeans", step="2"))
