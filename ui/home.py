"""The home page: a run that plays by itself, the gallery with a search, and the course tracks."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard.catalogue import CATALOGUE, Entry
from dashboard.living import Living
from dashboard.search import matching
from dashboard.text import literal
from ui.navigation import use_page_list
from ui.page import STYLE
from ui.stage import exhibit

ASSETS = Path(__file__).parent.parent / "assets"
CARD = 19.5  # rem, the least width of a card and the gap to the next
PHONE = 640  # pixels up to which one card stands under the other
MAX_COLUMNS = 6
Course = dict[str, Any]


def home(living: Living) -> None:
    """Show a run that plays, the gallery and the courses."""
    use_page_list()
    st.html(STYLE)
    with st.container(key="first"):
        words, picture = st.columns([3, 2], gap="medium", vertical_alignment="center")
    with words:
        st.title("See data mining", anchor=False)
        st.write(
            "Run, step and question every technique: on library data, on points that you draw, on"
            " your own file. Every number on the screen can be checked by hand."
        )
        st.markdown(f"**{living.entry.title}, live:** {living.sentence}")
        st.page_link(
            f"pages/{living.slug}.py",
            label="Open this run",
            icon=":material/play_circle:",
            query_params=living.link,
        )
    with picture:
        exhibit(_encoded(living.link, living), key=f"{living.slug}.living")
    _list()


@st.cache_resource(max_entries=4, show_spinner=False, scope="session")
def _encoded(link: dict[str, list[str]], _living: Living) -> bytes:
    return _living.encoded()


@st.fragment
def _list() -> None:
    """Show the gallery and the courses. What is typed into the search changes nothing else."""
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


def _gallery(entries: list[Entry]) -> None:
    if not entries:
        st.caption("No technique matches. Try a shorter word.")
        return
    st.html(f"<style>{rows_of(len(entries))}</style>")
    with st.grid("auto", min_column_width=280, key="gallery"):
        for entry in entries:
            _card(entry)


def rows_of(n_cards: int) -> str:
    """Return the style that gives the gallery its number of columns at each width.

    Examples
    --------
    >>> rows_of(19).splitlines()[-2][:40]
    '@media (min-width: 1592px) { .st-key-gal'
    """
    return "\n".join(
        f"@media (min-width: {max(PHONE, round(natural * CARD * 16 + 32))}px) {{ .st-key-gallery "
        f"{{ grid-template-columns: repeat({columns(n_cards, natural)}, minmax(0, 1fr)); }} }}"
        for natural in range(2, MAX_COLUMNS + 1)
    )


def columns(n_cards: int, natural: int) -> int:
    """Return the nearest number of columns that leaves no card alone in the last row.

    Examples
    --------
    >>> [columns(19, natural) for natural in (3, 4, 5)], columns(1, 3)
    ([4, 4, 5], 3)
    """
    return min(
        (count for count in range(2, MAX_COLUMNS + 2) if n_cards % count != 1),
        key=lambda count: (abs(count - natural), -count),
        default=natural,
    )


def _card(entry: Entry) -> None:
    with st.container(border=True, height="stretch"):
        st.image(picture_of(entry.slug), width="stretch", alt=f"The stage of {entry.title}")
        st.caption(entry.family)
        st.page_link(f"pages/{entry.slug}.py", label=f"**{entry.title}**")
        st.caption(entry.summary)


def picture_of(slug: str) -> Path:
    """Return the picture of a page for the theme that is on."""
    dark = st.context.theme.type == "dark"
    return ASSETS / "pages" / slug / ("picture_dark.png" if dark else "picture.png")


@st.cache_data(max_entries=1, show_spinner=False)
def tracks() -> tuple[dict[str, str], list[Course]]:
    """Return the titles of all techniques, and the courses, as assets/courses.toml lists them."""
    courses_file = tomllib.loads((ASSETS / "courses.toml").read_text(encoding="utf-8"))
    return courses_file["catalogue"], courses_file["course"]


def _courses() -> None:
    planned, courses = tracks()
    for course in courses:
        st.subheader(course["title"], anchor=False)
        st.caption(course["institution"])
        for lecture in course["lecture"]:
            _lecture(lecture, planned)


def _lecture(lecture: Course, planned: dict[str, str]) -> None:
    """Show a lecture with its pages, and what is still to come."""
    missing = [planned[slug] for slug in lecture["slugs"] if slug not in CATALOGUE]
    title, pages = st.columns([1, 3], gap="small", vertical_alignment="center")
    title.markdown(literal(lecture["title"]))
    with pages.container(horizontal=True, vertical_alignment="center", gap="small"):
        for slug in lecture["slugs"]:
            if slug in CATALOGUE:
                st.page_link(f"pages/{slug}.py", label=CATALOGUE[slug].title, width="content")
        if missing:
            st.caption(f"To come: {literal(', '.join(missing))}", width="content")
