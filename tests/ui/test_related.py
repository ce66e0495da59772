"""The end of a page: the way on in a course, and the pages that are related to it."""

import pytest

from dashboard.courses import courses
from dashboard.relations import lookalikes, prerequisites, successors
from tests.visit import ignored, picture, plain, session_of, sound, usual, visit

SLUG = "kmeans"


def end_of(slug=SLUG, tab="Lesson", **link):
    return sound(visit(slug, {f"{slug}.lesson.due": True, f"{slug}.tab": tab}, **link))


def links(page):
    """Return the pages to which there are links, and what these say; without the lesson's terms."""
    protos = [link.proto for link in page.get("page_link")]
    return [(proto.page, proto.query_string) for proto in protos if proto.page != "glossary"]


def related(slug):
    return [
        (page, "")
        for reasons in (prerequisites(slug), successors(slug), lookalikes(slug))
        for page in reasons
    ]


@pytest.mark.parametrize("tab", ["Lesson", "Data"])
@pytest.mark.parametrize("slug", ["data_overview", SLUG, "mapreduce"])
def test_a_page_ends_in_its_relations_whatever_is_read(slug, tab):
    assert links(end_of(slug, tab)) == related(slug)


def test_relations_wait_for_the_stage_and_are_gone_with_what_is_below():
    assert links(visit(SLUG)) == []
    assert links(end_of(hide="below")) == []
    assert links(end_of(projector="true")) == []


def test_a_page_of_a_course_has_the_way_on():
    here = links(end_of(course="ma429", lecture="6"))
    assert here == [
        ("courses", ""),
        ("missing_values", "course=ma429&lecture=6"),
        ("vector_quantisation", "course=ma429&lecture=6"),
        *related(SLUG),
    ]


def test_the_way_on_leads_into_the_next_lecture_by_its_title():
    page = end_of("dbscan", course="ma429", lecture="6")
    (stop,) = (stop for stop in courses()["ma429"].stops if stop.page == "pca")
    protos = [link.proto for link in page.get("page_link")]
    link = [proto for proto in protos if proto.page != "glossary"][2]
    assert (link.page, link.query_string) == ("pca", "course=ma429&lecture=7")
    assert plain(link.label) == f"{stop.lecture.title}: Principal components"


def test_a_page_of_several_lectures_is_in_the_one_of_the_link_else_in_the_first():
    page_links = {
        lecture: links(end_of("strings", course="basel", lecture=lecture))[1]
        for lecture in ("2", "5", "9")
    }
    assert page_links == {
        "2": ("similarity", "course=basel&lecture=2"),
        "5": ("kernels", "course=basel&lecture=5"),
        "9": ("similarity", "course=basel&lecture=2"),
    }


def test_a_course_has_ends():
    first, second, *_, last = courses()["ma429"].stops
    assert [name for name, _ in links(end_of(first.page, **first.link))][:2] == [
        "courses",
        second.page,
    ]
    assert links(end_of(last.page, **last.link))[2:] == related(last.page)


def test_a_course_changes_nothing_else_and_its_link_stays():
    page = visit(SLUG, course="ma429", lecture="6")
    assert picture(page) == usual(SLUG)
    assert dict(page.query_params) == {"course": "ma429", "lecture": "6"}
    page.menu_button(key=f"{SLUG}.presets").click("Two moons, one straight border")
    adopted = page.run().query_params
    assert (adopted["course"], adopted["lecture"]) == ("ma429", "6")


def test_a_course_ends_where_another_page_is_opened_without_it():
    page = visit(SLUG, course="ma429", lecture="6")
    page.switch_page("pages/dbscan.py")
    page.query_params.clear()
    page.run()
    assert "course" not in session_of(page).settings.texts
    assert "course" not in page.query_params


def test_a_course_that_is_none_is_ignored_with_a_notice():
    page = sound(visit(SLUG, course="no-such-course", lecture="none"))
    assert ignored(page) == {"course", "lecture"}
    assert picture(page) == usual(SLUG)
