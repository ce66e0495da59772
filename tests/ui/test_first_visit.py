"""The line under the title: what a technique does; an example, gone once anything was done."""

import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.presets import presets
from dashboard.text import literal
from tests.visit import sound, technique, turn, visit


def offered(page):
    return [button.label for button in page.button if button.key == "example.open"]


def says_what_it_does(page, slug):
    return literal(CATALOGUE[slug].summary) in [caption.value for caption in page.caption]


@pytest.mark.parametrize("slug", CATALOGUE)
def test_the_first_visit_says_what_the_technique_does_and_offers_an_example(slug):
    page = visit(slug)
    assert says_what_it_does(page, slug)
    (label,) = offered(page)
    example = next(each for each in presets(slug) if each.slug != technique(slug).opening)
    assert label == f"Open an example: {literal(example.title)}"
    # It makes no claim about another picture than the one that is there.
    assert not any(example.look_for[:30] in caption.value for caption in page.caption)
    page.button(key="example.open").click()
    sound(page.run())
    assert page.query_params[f"{slug}.look_for"] == example.slug
    assert not offered(page)


@pytest.mark.parametrize("link", [{"hide": "about"}, {"projector": "true"}])
def test_what_it_does_can_be_hidden(link):
    assert not says_what_it_does(visit("kmeans", **link), "kmeans")


def test_what_it_does_stays_when_something_is_changed():
    page = turn(visit("kmeans"), "kmeans.n_clusters", "4")
    assert says_what_it_does(page, "kmeans")
    assert says_what_it_does(visit("kmeans", seed="7"), "kmeans")


def test_it_can_be_dismissed_and_nothing_else_changes():
    page = visit("kmeans")
    page.button(key="example.dismiss").click()
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
