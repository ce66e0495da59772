"""The page of the words of the field: by letter, by search, and one that a link names."""

from __future__ import annotations

import streamlit as st

from dashboard.examples import Example
from dashboard.glossary import Term, terms, terms_about
from dashboard.text import literal
from ui.concepts import concept_page, example_links

MAX_LETTERS = 80  # of a search
MAX_TERMS = 40  # that are found


def glossary() -> None:
    """Show the search, the letters, and the terms of one of them."""
    by_slug = {term.slug: term for term in terms()}
    with concept_page("glossary"):
        named = by_slug.get(st.query_params.get("term", ""))
        search = st.text_input(
            "Search the glossary",
            placeholder=f"Search {len(by_slug)} terms: sensitivity, OOB, feature …",
            type="search",
            live=True,
            key="glossary.search",
            label_visibility="collapsed",
            max_chars=MAX_LETTERS,
            width=480,
        )
        if search and search.strip():
            _matches(search)
            return
        letters = sorted({term.letter for term in by_slug.values()})
        letter = st.pills(
            "Terms by their first letter",
            letters,
            default=named.letter if named else letters[0],
            required=True,
            key="letter",
            bind="query-params",
            label_visibility="collapsed",
            on_change=_forget_named,
        )
        if named is not None:
            with st.container(border=True, key="named"):
                _term(named)
        with st.container(key="terms"):
            for term in by_slug.values():
                if term.letter == letter and term != named:
                    _term(term)


def _forget_named() -> None:
    """Let go of the term that the link names: another letter was chosen. A callback."""
    st.query_params.pop("term", None)


def _matches(search: str) -> None:
    matches = terms_about(search)
    if not matches:
        st.caption(f"No term matches “{literal(search.strip())}”. Try a shorter word.")
    with st.container(key="terms"):
        for term in matches[:MAX_TERMS]:
            _term(term)


def _term(term: Term) -> None:
    """Show a term: its names, its sentence, what differs, and its pages."""
    with st.container(gap=None):
        st.subheader(literal(term.name), anchor=term.slug)
        if term.also:
            st.caption(literal(f"Also: {', '.join(term.also)}"))
        st.markdown(literal(term.text))
        if term.differs:
            st.markdown(f"**Mind:** {literal(term.differs)}")
        example_links(map(Example, term.entries))
