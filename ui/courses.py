"""The page for who teaches: what a lecture needs, and courses as paths of pages."""

from __future__ import annotations

import streamlit as st

from dashboard.catalogue import CATALOGUE, CONCEPTS
from dashboard.courses import Course, Stop
from dashboard.courses import courses as all_courses
from dashboard.text import literal
from ui.home import first_concepts
from ui.navigation import use_page_list
from ui.page import HOME_STYLE, STYLE
from ui.stage import progress_component

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
        first_concepts()
        st.page_link("pages/marks.py", label="Marks: grade saved rounds", icon=":material/grading:")
        st.header("Courses, lecture by lecture", anchor=False)
        progress_component({slug: entry.title for slug, entry in CATALOGUE.items()})
        for number, course in enumerate(all_courses().values()):
            st.subheader(literal(course.title), anchor=f"course-{number + 1}")
            st.caption(literal(course.institution))
            with st.container(key=f"path-{number}"):
                for lecture_number in range(1, len(course.lectures) + 1):
                    _lecture(course, lecture_number)


def _lecture(course: Course, number: int) -> None:
    """Show a lecture with its pages, and what is still to come."""
    lecture = course.lectures[number - 1]
    title, pages = st.columns([1, 3], gap="small")
    title.markdown(literal(lecture.title))
    with pages.container(horizontal=True, gap="small"):
        for page in lecture.concepts:
            st.page_link(f"pages/{page}.py", label=literal(CONCEPTS[page].title))
        for page in lecture.pages:
            st.page_link(
                f"pages/{page}.py",
                label=literal(CATALOGUE[page].title),
                query_params=Stop(course, number, page).link,
            )
        if lecture.planned:
            st.caption(f"To come: {literal(', '.join(lecture.planned))}", width="content")
        for chosen in lecture.examples:
            stop = Stop(course, number, chosen.entry.slug)
            st.page_link(
                f"pages/{stop.page}.py",
                label=literal(chosen.preset),
                icon=":material/play_circle:",
                help=chosen.entry.title,
                query_params={**chosen.link, **stop.link},
            )
