"""What a page opens with is made once for all visitors, and nothing else of theirs is shared."""

from unittest import mock

import pytest

from dmlib.clustering import KMeans
from tests.visit import (
    again,
    component,
    picture,
    sound,
    stage,
    turn,
    upload,
    usual,
    visit,
    watched_runs,
)
from ui.catalogue import CATALOGUE
from ui.links import WRITTEN
from ui.opening import shared

POINTS = "a,b\n" + "".join(f"{i % 7},{i % 5}\n" for i in range(40))


def made(slug="kmeans"):
    """Return what is shared of a page."""
    return shared(slug).first


@pytest.mark.parametrize("slug", CATALOGUE)
def test_who_comes_second_sees_the_same(slug):
    first = sound(visit(slug))
    assert made(slug) is not None
    with mock.patch("ui.opening.encode", side_effect=AssertionError("It is there already.")):
        second = sound(visit(slug))
    assert component(second).bytes[:-22] == component(first).bytes[:-22]  # but for the token
    assert second.query_params == first.query_params == {}
    assert picture(first) == usual(slug)


def test_it_is_not_computed_again():
    sound(visit("kmeans"))
    with mock.patch.object(KMeans, "steps", side_effect=AssertionError("It is there already.")):
        sound(visit("kmeans", step="0"))


def test_what_a_visitor_changes_the_next_does_not_see():
    one = visit("kmeans")
    turn(one, "kmeans.n_clusters", "5")
    known = made()
    other = sound(visit("kmeans"))
    assert picture(other) == usual("kmeans") != picture(one)
    turn(other, "kmeans.n_clusters", "5")
    assert picture(other) == picture(one) == picture(again(one))
    assert made() is known


def test_a_run_that_is_shared_is_not_written_to():
    with watched_runs() as runs:
        one, other = visit("kmeans"), visit("kmeans")
    first, second = runs
    assert first is not second
    assert first.made is not second.made
    assert one.session_state["traces"] is not other.session_state["traces"]


@pytest.mark.parametrize(
    "link", [{"kmeans.n_clusters": "4"}, {"seed": "3"}, {"data": "wine"}, {"point": "2"}]
)
def test_a_link_with_settings_is_its_own(link):
    visit("kmeans", **link)
    assert made() is None
    visit("kmeans")
    known = made()
    page = visit("kmeans", **link)
    assert made() is known
    shared.cache_clear()
    assert picture(visit("kmeans", **link)) == picture(page)


@pytest.mark.parametrize("slug", ["kmeans", "naive_bayes", "linear_regression", "dbscan"])
def test_a_row_that_was_selected_on_another_page_is_not_shared(slug):
    """It comes along in the session, and no link says so."""
    session = {"point": 4, WRITTEN: ("another", {"point": ["4"]})}
    page = sound(visit(slug, opened=session))
    assert page.query_params == {}
    assert made(slug) is None
    assert picture(visit(slug)) == usual(slug)
    assert picture(visit(slug, opened=session)) == picture(page) != usual(slug)


def test_a_file_is_never_shared():
    page = upload("kmeans", "points.csv", POINTS)
    assert made() is None
    sound(page)
    visit("kmeans")
    assert picture(upload("kmeans", "points.csv", POINTS)) == picture(page) != usual("kmeans")
    assert len(stage(page)["frames"]) > 1


def test_a_run_that_was_stopped_is_not_shared(clock):
    clock.step = 0.3
    assert visit("kmeans").warning
    assert made() is None
    clock.step = 0.0
    assert picture(visit("kmeans")) == usual("kmeans")
