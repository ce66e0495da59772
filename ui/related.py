"""The end of a page: the way on in a course, and the pages that are related to this one."""

from __future__ import annotations

import streamlit as st

from dashboard.catalogue import CATALOGUE
from dashboard.courses import Stop
from dashboard.relations import Reasons, lookalikes, prerequisites, successors
from dashboard.text import literal


def related(slug: str, stop: Stop | None) -> None:
    """Show the stops before and after in the course, and what the page needs and leads to."""
    lists = {
        "Needs": prerequisites(slug),
        "Leads to": successors(slug),
        "Often confused with": lookalikes(slug),
    }
    with st.container(key="related"):
        if stop:
            _way_on(stop)
        # As many columns on every page, so that a list is found where it always is.
        for column, (title, reasons) in zip(st.columns(3), lists.items(), strict=True):
            if reasons:
                with column:
                    _list(title, reasons)


def _list(title: str, reasons: Reasons) -> None:
    st.subheader(title, anchor=False)
    for page, reason in reasons.items():
        label = f"**{literal(CATALOGUE[page].title)}** {literal(reason)}"
        st.page_link(f"pages/{page}.py", label=label, help="", width="stretch")


def _way_on(stop: Stop) -> None:
    """Show the lecture, and links to the pages before and after in the course."""
    before, after = stop.neighbours
    with st.container(key="way-on", horizontal=True, vertical_alignment="center"):
        st.page_link(
            "pages/courses.py",
            label=literal(f"{stop.course.title} · {stop.lecture.title}"),
            icon=":material/school:",
            help="All lectures",
        )
        if before:
            _step(before, stop, "arrow_back")
        if after:
            _step(after, stop, "arrow_forward")


def _step(target: Stop, stop: Stop, icon: str) -> None:
    """Show a link to a neighbour in the course; a lecture of its own is named."""
    title = CATALOGUE[target.page].title
    is_same_lecture = target.number == stop.number
    st.page_link(
        f"pages/{target.page}.py",
        label=literal(title if is_same_lecture else f"{target.lecture.title}: {title}"),
        icon=f":material/{icon}:",
        help="",
        query_params=target.link,
    )
