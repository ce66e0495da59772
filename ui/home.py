"""The home page: the gallery by family with a search, and the course tracks."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import streamlit as st

from ui.catalogue import CATALOGUE, FAMILIES, Entry
from ui.navigation import use_page_list

ASSETS = Path(__file__).parent.parent / "assets"


def home() -> None:
    """Show the gallery and the courses."""
    use_page_list()
    st.title("See data mining", anchor=False)
    st.write(
        "Run, step and question every technique: on library data, on points that you draw, on your own file. "
        "Every number on the screen can be checked by hand."
    )
    search = st.text_input(
        "Search",
        placeholder="Search: centroid, elbow, BIC …",
        type="search",
        live=True,
        key="search",
        label_visibility="collapsed",
        width=420,
    )
    gallery, courses = st.tabs(["Techniques", "Courses"])
    with gallery:
        _gallery(matching(search))
    with courses:
        _courses()


def matching(search: str) -> list[Entry]:
    """Return the pages whose texts hold every word of the search."""
    words = search.lower().split()
    texts = {slug: " ".join((e.title, e.family, e.summary, e.words)).lower() for slug, e in CATALOGUE.items()}
    return [entry for slug, entry in CATALOGUE.items() if all(word in texts[slug] for word in words)]


def _gallery(entries: list[Entry]) -> None:
    if not entries:
        st.caption("No technique matches. Try a shorter word.")
    for family in FAMILIES:
        members = [entry for entry in entries if entry.family == family]
        if not members:
            continue
        st.subheader(family, anchor=False)
        with st.grid("auto", min_column_width=280):
            for entry in members:
                _card(entry)


def _card(entry: Entry) -> None:
    with st.container(border=True, height="stretch"):
        picture = ASSETS / "pages" / entry.slug / "picture.png"
        if picture.exists():
            st.image(picture, width="stretch", alt=f"The stage of {entry.title}")
        st.page_link(f"pages/{entry.slug}.py", label=f"**{entry.title}**")
        st.caption(entry.summary)


@st.cache_data(max_entries=1, show_spinner=False)
def courses() -> list[dict[str, Any]]:
    """Return the courses with their lectures, as assets/courses.toml lists them."""
    found: list[dict[str, Any]] = tomllib.loads((ASSETS / "courses.toml").read_text(encoding="utf-8"))["course"]
    return found


def _courses() -> None:
    for course in courses():
        lectures = [
            (lecture["title"], [s for s in lecture["slugs"] if s in CATALOGUE]) for lecture in course["lecture"]
        ]
        lectures = [(title, slugs) for title, slugs in lectures if slugs]
        if not lectures:
            continue
        st.subheader(course["title"], anchor=False)
        st.caption(course["institution"])
        for title, slugs in lectures:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(title, width=340)
                for slug in slugs:
                    st.page_link(f"pages/{slug}.py", label=CATALOGUE[slug].title, width="content")
