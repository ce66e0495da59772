"""The pages without an algorithm have a frame and links in common."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

import streamlit as st

from dashboard.catalogue import CONCEPTS
from dashboard.examples import Example
from dashboard.text import literal
from ui.navigation import go_on, use_page_list
from ui.page import HOME_STYLE, STYLE


def concept_page(slug: str) -> AbstractContextManager[Any]:
    """Return the body of a page, under its title and its sentence."""
    use_page_list()
    go_on()
    st.html(STYLE)
    st.html(HOME_STYLE)
    body = st.container(key="courses")
    body.title(CONCEPTS[slug].title, anchor=False)
    body.markdown(CONCEPTS[slug].summary)
    return body


def example_links(examples: Iterable[Example]) -> None:
    """Show links to pages or presets, side by side."""
    with st.container(horizontal=True, gap="small"):
        for example in examples:
            st.page_link(
                f"pages/{example.entry.slug}.py",
                label=literal(example.title),
                help=example.entry.title if example.preset else "",
                query_params=dict(example.link),
            )
