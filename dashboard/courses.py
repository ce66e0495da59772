"""Courses as paths of pages, from assets/courses.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache

from dashboard.catalogue import ASSETS, CATALOGUE, CONCEPTS, ENTRIES
from dashboard.examples import Example, example
from dashboard.form import Form
from dashboard.settings import COURSE, LECTURE
from dmlib.params import Choice, Integer


@dataclass(frozen=True)
class Lecture:
    """A lecture.

    Attributes
    ----------
    title : str
        Its title.
    pages, concepts : tuple of str
        Its pages of techniques, and those without an algorithm.
    planned : tuple of str
        The titles of pages that are still to come.
    examples : tuple of Example
        Presets, in the order of the notes.
    """

    title: str
    pages: tuple[str, ...]
    concepts: tuple[str, ...] = ()
    planned: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True)
class Course:
    """A course: its name in links, its title, who gives it, and its lectures."""

    slug: str
    title: str
    institution: str
    lectures: tuple[Lecture, ...]

    @property
    def stops(self) -> list[Stop]:
        """The pages of all lectures, in order."""
        return [
            Stop(self, number, page)
            for number, lecture in enumerate(self.lectures, 1)
            for page in lecture.pages
        ]


@dataclass(frozen=True)
class Stop:
    """A page in the lecture of a course; lectures are counted from 1."""

    course: Course
    number: int
    page: str

    @property
    def lecture(self) -> Lecture:
        """Its lecture."""
        return self.course.lectures[self.number - 1]

    @property
    def link(self) -> dict[str, str]:
        """Return what a link to it says beside the page."""
        return {COURSE: self.course.slug, LECTURE: str(self.number)}

    @property
    def neighbours(self) -> tuple[Stop | None, Stop | None]:
        """The stop before and the one after; None at the ends of the course."""
        stops = [None, *self.course.stops, None]
        index = stops.index(self)
        return stops[index - 1], stops[index + 1]


@lru_cache(maxsize=1)
def courses() -> dict[str, Course]:
    """Return the courses by their names in links."""
    content = tomllib.loads((ASSETS / "courses.toml").read_text("utf-8"))
    titles = content["catalogue"]
    return {
        course["slug"]: Course(
            course["slug"],
            course["title"],
            course["institution"],
            tuple(
                Lecture(
                    lecture["title"],
                    tuple(slug for slug in lecture["slugs"] if slug in CATALOGUE),
                    tuple(slug for slug in lecture["slugs"] if slug in CONCEPTS),
                    tuple(titles[slug] for slug in lecture["slugs"] if slug not in ENTRIES),
                    tuple(map(example, lecture.get("examples", ()))),
                )
                for lecture in course["lecture"]
            ),
        )
        for course in content["course"]
    }


def stop_of(form: Form, page: str) -> Stop | None:
    """Return where a page stands in the course of its link; None where it is in none.

    A page that several lectures have is in the one that the link names, else in the first.
    """
    slug = form.value(COURSE, Choice(tuple(courses())).parse, "")
    number = form.value(LECTURE, Integer(1, 99).parse, 1)
    stops = [stop for stop in courses()[slug].stops if stop.page == page] if slug else []
    return min(stops, key=lambda stop: stop.number != number, default=None)
