"""The run that a page opens with is computed once for all visitors; nothing else is shared."""

from unittest import mock

import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.opening import opening_of
from dmlib.clustering import KMeans
from tests.visit import (
    component,
    picture,
    reopened,
    session_of,
    sound,
    stage,
    turn,
    upload,
    usual,
    visit,
    watched_runs,
)

POINTS = "a,b\n" + "".join(f"{i % 7},{i % 5}\n" for i in range(40))


def first_run(slug="kmeans"):
    """Return what is shared of a page."""
    return opening_of(slug).first


@pytest.mark.parametrize("slug", CATALOGUE)
def test_who_comes_second_sees_the_same(slug):
    first = sound(visit(slug))
    assert first_run(slug) is not None
    with mock.patch("dashboard.opening.encode", side_effect=AssertionError("It is there already.")):
        second = sound(visit(slug))
    assert component(second).bytes[:-22] == component(first).bytes[:-22]  # but for the token
    assert second.query_params == first.query_params == {}
    assert picture(first) == usual(slug)


def test_it_is_not_computed_again():
    sound(visit("kmeans"))
    with mock.patch.object(KMeans, "steps", side_effect=AssertionError("It is there already.")):
        sound(visit("kmeans", step="0"))


def test_what_a_visitor_changes_the_next_does_not_see():
    first = visit("kmeans")
    turn(first, "kmeans.n_clusters", "5")
    before = first_run()
    second = sound(visit("kmeans"))
    assert picture(second) == usual("kmeans") != picture(first)
    turn(second, "kmeans.n_clusters", "5")
    assert picture(second) == picture(first) == picture(reopened(first))
    assert first_run() is before


def test_a_run_that_is_shared_is_not_written_to():
    with watched_runs() as runs:
        earlier, later = visit("kmeans"), visit("kmeans")
    first, second = runs
    assert first is not second
    assert first.made is not second.made
    assert session_of(earlier).memory.traces is not session_of(later).memory.traces


@pytest.mark.parametrize(
    "link", [{"kmeans.n_clusters": "4"}, {"seed": "3"}, {"data": "wine"}, {"point": "2"}]
)
def test_a_link_with_settings_is_its_own(link):
    visit("kmeans", **link)
    assert first_run() is None
    visit("kmeans")
    before = first_run()
    page = visit("kmeans", **link)
    assert first_run() is before
    opening_of.cache_clear()
    assert picture(visit("kmeans", **link)) == picture(page)


@pytest.mark.parametrize("slug", ["kmeans", "naive_bayes", "linear_regression", "dbscan"])
def test_a_row_that_was_selected_on_another_page_is_not_shared(slug):
    """It comes along in the session."""

    def come_along():
        page = visit("gaussian_mixture", point="4")
        return sound(page.switch_page(f"pages/{slug}.py").run())

    page = come_along()
    assert first_run(slug) is None
    assert picture(visit(slug)) == usual(slug)
    assert picture(come_along()) == picture(page) != usual(slug)


def test_a_file_is_never_shared():
    page = upload("kmeans", "points.csv", POINTS)
    assert first_run() is None
    sound(page)
    visit("kmeans")
    assert picture(upload("kmeans", "points.csv", POINTS)) == picture(page) != usual("kmeans")
    assert len(stage(page)["frames"]) > 1


def test_a_run_that_was_stopped_is_not_shared(clock):
    clock.step = 0.3
    assert visit("gaussian_mixture").warning
    assert first_run("gaussian_mixture") is None
    clock.step = 0.0
    assert picture(visit("gaussian_mixture")) == usual("gaussian_mixture")
