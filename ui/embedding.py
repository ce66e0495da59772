"""The stage in a page of somebody else: the line to paste there, and who may show it."""

from __future__ import annotations

from html import escape

import streamlit as st

from ui.headers import VARIABLE, named_origins

FRAME = (
    '<iframe src="{address}" title="{title}" width="100%" height="600" style="border: 0"'
    ' allow="fullscreen"></iframe>'
)
PLACES = {
    "Moodle": (FRAME, "In the editor of a text: Tools, Source code."),
    "Canvas": (FRAME, "In the editor of a page: Insert, Embed."),
    "reveal.js": (
        '<section data-background-iframe="{address}" data-background-interactive></section>',
        "A slide of its own, filled by the stage.",
    ),
    "Quarto": (
        '## {{background-iframe="{address}" background-interactive="true"}}',
        "A slide of its own, filled by the stage. On a page, take the line for Moodle.",
    ),
    "Notion": ("{address}", "Type /embed and paste it."),
}
"""By the place: the line, and where it is pasted."""


def offer_embedding(link: str, title: str) -> None:
    """Offer the line that shows a link's stage in a slide or a page of a course."""
    with st.expander("In a slide or a course page"):
        place = st.segmented_control(
            "Place", [*PLACES], default="Moodle", required=True, label_visibility="collapsed"
        )
        st.code(embedding_line(link, title, place), language=None, wrap_lines=True)
        st.caption(PLACES[place][1])
        st.caption(permission(named_origins()))


def embedding_line(link: str, title: str, place: str) -> str:
    """Return the line that shows a link's stage in a place.

    Examples
    --------
    >>> embedding_line("https://dm.example.edu/svm?seed=4", "SVM", "Notion")
    'https://dm.example.edu/svm?seed=4&embed=1'
    """
    address = f"{link}{'&' if '?' in link else '?'}embed=1"
    line = PLACES[place][0]
    if line.startswith("{"):
        return line.format(address=address)
    return line.format(address=escape(address), title=escape(title))


def permission(origins: list[str]) -> str:
    """Say which sites may show the pages of this server, and who decides it."""
    allowed = f"{', '.join(origins)}" if origins else "no other site"
    return (
        f"This server allows {allowed} to show its pages. Its operator allows more in"
        f" {VARIABLE} (docs/embedding.md)."
    )
