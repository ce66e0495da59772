"""The home page: what this is, a run that plays by itself, a search, and all pages as cards."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import streamlit as st

from dashboard.catalogue import ASSETS, CATALOGUE, CONCEPTS, FAMILIES
from dashboard.examples import Example
from dashboard.failures import failing_runs
from dashboard.glossary import terms_named
from dashboard.living import Living
from dashboard.search import absent, matching, matching_causes, nearest
from dashboard.text import literal
from ui.navigation import use_page_list
from ui.page import HOME_STYLE, STYLE
from ui.session import PANEL
from ui.stage import exhibit, progress_component

MAX_LETTERS = 80  # of a search
MAX_TERMS = 3  # of the glossary, below the pages that are found


def home(living: Living) -> None:
    """Show what this is for, a run that plays, the search and the cards of all pages."""
    use_page_list()
    st.html(STYLE)
    st.html(HOME_STYLE)
    with st.container(key="welcome"):
        st.title("See data mining", anchor=False)
        st.markdown(
            f"{len(CATALOGUE)} techniques, step by step with the arithmetic of every number: for"
            " teachers, for students, for your own file; free and open source."
        )
        ways, picture = st.columns([1, 2], gap="medium")
    with ways:
        _search()
        first_concepts()
        _doors()
    with picture:
        exhibit(_encoded(living.link, living), key=f"{living.slug}.living")
        with st.container(key="run", horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"**{living.entry.title}, live:** {living.sentence}", width="content")
            st.page_link(
                f"pages/{living.slug}.py",
                label="Open this run",
                icon=":material/play_circle:",
                help="",
                query_params=living.link,
            )
    _gallery()


@st.cache_resource(max_entries=4, show_spinner=False, scope="session")
def _encoded(link: dict[str, list[str]], _living: Living) -> bytes:
    return _living.encoded()


def _doors() -> None:
    """Show the ways on: to the techniques, their failures, the courses, one's own file."""
    with _door("learn"):
        st.markdown("[Learn a technique](#techniques)")
        st.caption("Drag, step, and check every number by hand; each page has a lesson.")
    with _door("fail"):
        st.page_link("pages/failures.py", label="See it fail", icon="")
        st.caption(f"{len(failing_runs())} runs, each beside what works instead.")
    with _door("teach"):
        st.page_link("pages/courses.py", label="Teach with it", icon="")
        st.caption("Courses lecture by lecture; a link holds all that you show.")
    with _door("bring"):
        st.page_link(
            "pages/data_overview.py",
            label="Bring your data",
            help="",
            query_params={"source": "upload", PANEL: "data"},
        )
        st.caption("CSV, Excel and more, however messy. The file stays in your session.")


def _door(name: str) -> AbstractContextManager[Any]:
    return st.container(border=True, key=f"door-{name}", gap=None)


@st.fragment
def _search() -> None:
    """Show the search, and what it finds as one types. Nothing else changes."""
    with st.container(key="searching", gap=None):
        search = st.text_input(
            "Search",
            placeholder="Search: random forest, p-value, elbow …",
            type="search",
            live=True,
            key="search",
            label_visibility="collapsed",
            max_chars=MAX_LETTERS,
        )
        if search.strip():
            with st.container(key="found", gap=None):
                _results(search)


def _results(search: str) -> None:
    """Show failures, pages and terms that match, or what is nearest to what has none."""
    entries, name = matching(search), absent(search)
    causes, named = matching_causes(search), terms_named(search)[:MAX_TERMS]
    for cause in causes:
        st.page_link(
            "pages/failures.py",
            label=f"**When it fails: {cause}** Runs that go wrong, and what works instead.",
            help="",
            width="stretch",
            query_params={"cause": cause},
        )
    if name:
        st.caption(f"{literal(name)} is not here. Nearest:")
    elif not entries and not causes and not named:
        entries = nearest(search)
        hint = "Nearest:" if entries else "Try a shorter word."
        st.caption(f"No technique matches “{literal(search.strip())}”. {hint}")
    for entry in entries:
        st.page_link(
            f"pages/{entry.slug}.py",
            label=f"**{literal(entry.title)}** {literal(entry.summary)}",
            help="",
            width="stretch",
        )
    for term in named:
        st.page_link(
            "pages/glossary.py",
            label=f"**{literal(term.name)}: what it means** {literal(term.text)}",
            help="",
            width="stretch",
            query_params={"term": term.slug},
        )


def _gallery() -> None:
    """Show a card of each page, under the headings of their families."""
    with st.container(key="techniques"):
        st.header("Techniques", anchor="techniques")
        progress_component({slug: entry.title for slug, entry in CATALOGUE.items()})
        for family in FAMILIES:
            name = family.lower().replace(" ", "-")
            st.subheader(family, anchor=name)
            with st.container(key=f"gallery-{name}"):
                for entry in CATALOGUE.values():
                    if entry.family == family:
                        card(Example(entry))


def first_concepts() -> None:
    """Show links to the pages without an algorithm."""
    with st.container(horizontal=True, gap="medium", key="concepts"):
        for slug, entry in CONCEPTS.items():
            st.page_link(f"pages/{slug}.py", label=entry.title)


def card(example: Example) -> None:
    """Show a page, or one of its presets, as a card that opens it."""
    entry = example.entry
    with st.container(border=True, key=f"card-{entry.slug}", gap=None):
        st.image(picture_of(entry.slug), width="stretch", alt="")
        st.page_link(
            f"pages/{entry.slug}.py",
            label=f"**{literal(entry.title)}**",
            help="",
            query_params=dict(example.link),
        )
        st.caption(literal(f"Example: {example.preset}") if example.preset else entry.summary)


def picture_of(slug: str) -> Path:
    """Return the picture of a page for the theme that is on."""
    dark = st.context.theme.type == "dark"
    return ASSETS / "pages" / slug / ("picture_dark.png" if dark else "picture.png")
