import tomllib
from pathlib import Path

import pytest

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
    assert len(courses) == 5
    for course in courses:
        assert set(course) == {"title", "institution", "lecture"}
        titles = [lecture["title"] for lecture in course["lecture"]]
        assert titles
        assert len(titles) == len(set(titles))


@pytest.mark.parametrize("lecture", LECTURES)
def test_lecture_leads_to_known_pages_each_once(lecture):
    assert set(lecture) == {"title", "slugs"}
    assert 0 < len(lecture["title"]) <= 50
    assert lecture["slugs"]
    assert len(lecture["slugs"]) == len(set(lecture["slugs"]))
    assert set(lecture["slugs"]) <= set(COURSES["catalogue"])


def test_every_page_is_reached_from_some_lecture():
    taught = {
        slug
        for course in COURSES["course"]
        for lecture in course["lecture"]
        for slug in lecture["slugs"]
    }
    assert set(COURSES["catalogue"]) - taught == set()
