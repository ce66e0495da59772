"""The page for who teaches: what a lecture needs, and courses as paths of pages."""

from __future__ import annotations

import tomllib
from typing import Any

import streamlit as st

from dashboard.catalogue import ASSETS, CATALOGUE
from dashboard.text import literal
from ui.navigation import use_page_list
from ui.page import HOME_STYLE, STYLE
from ui.stage import progress_component

Course = dict[str, Any]
IN_A_LECTURE = """
- **Share what you see:** *Share* has the link and a QR code. It holds data, parameters and the
  step: who opens it has the same picture and the same numbers.
- **Project:** the switch *Projector* makes type and marks larger and leaves fewer controls; F fills
  the screen.
- **Take controls away:** add `hide=` with names to a link, for example `?hide=data,seed,presets`.
- **Ask before you show:** *Predict* beside the player stops before each step that has a question:
  the class answers, *Reveal* plays from the guess to the truth.
- **Set an assignment:** *Share* has a link that gives each student data of their own;
  *Marks* grades the rounds that they save.
- **Hand out:** *Download* has a sheet with the arithmetic of every step, *Save picture* the picture
  and a page that plays offline.
"""


def courses() -> None:
    """Show what helps in a lecture, and the courses."""
    use_page_list()
    st.html(STYLE)
    st.html(HOME_STYLE)
    with st.container(key="courses"):
        st.title("Teach with it", anchor=False)
        st.markdown(IN_A_LECTURE)
        st.page_link("pages/marks.py", label="Marks: grade saved rounds", icon=":material/grading:")
        st.header("Courses, lecture by lecture", anchor=False)
        progress_component({slug: entry.title for slug, entry in CATALOGUE.items()})
        planned, tracks = course_tracks()
        for number, course in enumerate(tracks):
            st.subheader(literal(course["title"]), anchor=f"course-{number + 1}")
            st.caption(literal(course["institution"]))
            with st.container(key=f"path-{number}"):
                for lecture in course["lecture"]:
                    _lecture(lecture, planned)


@st.cache_data(max_entries=1, show_spinner=False)
def course_tracks() -> tuple[dict[str, str], list[Course]]:
    """Return the titles of all techniques, and the courses, as assets/courses.toml lists them."""
    courses_file = tomllib.loads((ASSETS / "courses.toml").read_text(encoding="utf-8"))
    return courses_file["catalogue"], courses_file["course"]


def _lecture(lecture: Course, planned: dict[str, str]) -> None:
    """Show a lecture with its pages, and what is still to come."""
    missing = [planned[slug] for slug in lecture["slugs"] if slug not in CATALOGUE]
    title, pages = st.columns([1, 3], gap="small")
    title.markdown(literal(lecture["title"]))
    with pages.container(horizontal=True, gap="small"):
        for slug in lecture["slugs"]:
            if slug in CATALOGUE:
                st.page_link(f"pages/{slug}.py", label=literal(CATALOGUE[slug].title))
        if missing:
            st.caption(f"To come: {literal(', '.join(missing))}", width="content")
