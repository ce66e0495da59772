"""The pages of the app, and that it alone decides which there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import Any

import streamlit as st

from dashboard.catalogue import CATALOGUE, CONCEPTS, FAMILIES
from ui.session import current_session


def page_list() -> dict[str, list[Any]]:
    """Return copies of the pages by families: Streamlit marks the one that a run may call."""
    return {family: [copy(page) for page in pages] for family, pages in _pages().items()}


@lru_cache(maxsize=1)
def _pages() -> Mapping[str, Sequence[Any]]:
    """Return the pages by families, made once: each looks for its file."""
    home = st.Page("pages/home.py", title="Home", icon=":material/home:", default=True)
    courses = st.Page("pages/courses.py", title="Courses", visibility="hidden")
    marks = st.Page("pages/marks.py", title="Marks", visibility="hidden")
    concepts = [
        st.Page(f"pages/{e.slug}.py", title=e.title, visibility="hidden") for e in CONCEPTS.values()
    ]
    pages = {"": [home, *concepts, courses, marks]}
    for family in FAMILIES:
        entries = [entry for entry in CATALOGUE.values() if entry.family == family]
        pages[family] = [
            st.Page(f"pages/{e.slug}.py", title=e.title, help=e.summary) for e in entries
        ]
    # A name of its own in the bar would push those of families out of it on a laptop.
    pages["Evaluation"].append(st.Page("pages/failures.py", title="When it fails"))
    return {family: pages_of_family for family, pages_of_family in pages.items() if pages_of_family}


def go_on() -> None:
    """Open the page that a callback has chosen: a run that begins anew would forget the click."""
    session = current_session()
    next_page, session.next_page = session.next_page, None
    if next_page is not None:
        slug, link = next_page
        st.switch_page(f"pages/{slug}.py", query_params=dict(link))


def use_page_list() -> None:
    """Start again through app.py where Streamlit has not.

    A folder called pages/ is Streamlit's old way to list pages. Until the first ``st.navigation``
    of a process it goes that way, so the first visitor of a fresh server who opens a page by its
    link would get the page without app.py.
    """
    if not _pages.cache_info().currsize:
        st.navigation(page_list())
        st.rerun()
