import tomllib
from pathlib import Path

import pytest

from dashboard.catalogue import CONCEPTS
from dashboard.courses import courses as all_courses
from dashboard.examples import example
from dashboard.presets import slug_of

COURSES = tomllib.loads(
    (Path(__file__).parents[2] / "assets" / "courses.toml").read_text(encoding="utf-8")
)
LECTURES = [
    pytest.param(lecture, id=f"{course['institution']}: {lecture['title']}")
    for course in COURSES["course"]
    for lecture in course["lecture"]
]


def test_catalogue_names_pages_as_files_and_addresses_can():
    slugs = COURSES["catalogue"]
    assert len(slugs) == len(set(slugs))
    assert all(slug.isascii() and slug.isidentifier() and slug == slug.lower() for slug in slugs)


def test_every_course_names_its_institution_and_has_lectures():
    courses = COURSES["course"]
    assert len({course["slug"] for course in courses}) == len(courses)
    assert [course["slug"] for course in courses] == [slug_of(each["slug"]) for each in courses]
    assert len(courses) == 5
    for course in courses:
        assert set(course) == {"slug", "title", "institution", "lecture"}
        titles = [lecture["title"] for lecture in course["lecture"]]
        assert titles
        assert len(titles) == len(set(titles))


@pytest.mark.parametrize("lecture", LECTURES)
def test_lecture_leads_to_known_pages_each_once(lecture):
    assert {"title", "slugs"} <= set(lecture) <= {"title", "slugs", "examples"}
    assert 0 < len(lecture["title"]) <= 50
    assert lecture["slugs"]
    assert len(lecture["slugs"]) == len(set(lecture["slugs"]))
    assert set(lecture["slugs"]) <= {*COURSES["catalogue"], *CONCEPTS}


@pytest.mark.parametrize("lecture", LECTURES)
def test_examples_of_a_lecture_are_presets_of_its_pages(lecture):
    names = lecture.get("examples", [])
    assert len(names) == len(set(names))
    for name in names:
        chosen = example(name)
        assert chosen.preset
        assert chosen.entry.slug in lecture["slugs"]


def test_every_page_is_reached_from_some_lecture():
    taught = {
        slug
        for course in COURSES["course"]
        for lecture in course["lecture"]
        for slug in lecture["slugs"]
    }
    assert set(COURSES["catalogue"]) - taught == set()


@pytest.mark.parametrize("course", all_courses().values(), ids=all_courses())
def test_the_way_through_a_course_passes_every_page_of_every_lecture(course):
    stops = [course.stops[0]]
    while following := stops[-1].neighbours[1]:
        assert following.neighbours[0] == stops[-1]
        stops.append(following)
    pages = [page for lecture in course.lectures for page in lecture.pages]
    assert [stop.page for stop in stops] == pages
    assert [stop.lecture.title for stop in stops] == [
        lecture.title for lecture in course.lectures for _ in lecture.pages
    ]
