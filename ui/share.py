"""The link to what is on the screen: to copy, and as a QR code for the phones of a class."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from dashboard.catalogue import CATALOGUE
from dashboard.practice import N_QUESTIONS, PRACTICE, QUESTIONS, ROUND
from dashboard.rounds import FROM_NAME, SEED_NAME, fixed_link
from ui.embedding import offer_embedding
from ui.session import current_session

MAX_CHARACTERS = 500
"""Of a link that becomes a QR code: the squares of a longer one are too small for the last row of a
lecture room."""
QUIET = 4  # squares of empty rim that a scanner needs


def share(uploaded: bool, assigns: bool) -> None:
    """Show the link, its code, and what the link does not hold.

    Parameters
    ----------
    uploaded : bool
        Whether the data are the reader's own file, which no link contains.
    assigns : bool
        Whether the page has questions, so that they can be assigned.
    """
    link = share_link()
    if svg := qr_code(link):
        with st.container(key="qr"):
            st.image(svg, width="stretch", alt="QR code of this link")
    else:
        st.caption(
            f"The link is too long for a QR code that can be scanned across a room: {len(link)}"
            f" characters, at most {MAX_CHARACTERS}. Drawn data make it long; a generator with a"
            " seed keeps it short."
        )
    st.caption("This link opens the same picture with the same numbers, at the same step.")
    st.code(link, language=None, wrap_lines=True)
    if uploaded:
        st.caption("It does not contain your file: the other person needs the same file.")
    else:
        offer_embedding(link, CATALOGUE[current_session().slug].title)
    if assigns and not uploaded:
        st.caption(
            "Assignment: a round of questions on these settings, for each student on data that"
            " come from their name. The page Marks grades what they save."
        )
        st.code(assignment_link(), language=None, wrap_lines=True)
    st.caption(
        "Add `&hide=` and names to take controls away, for example `hide=data,seed,presets`; "
        "`bar`, `below` and the names of parameters work too."
    )


def share_link() -> str:
    """Return the address of exactly what is on the screen."""
    session = current_session()
    return _address(session.settings.query(session.names))


def assignment_link() -> str:
    """Return the address of a round on these settings, with data by the name of each student."""
    assignment = urlencode({PRACTICE: ROUND, QUESTIONS: N_QUESTIONS, SEED_NAME: FROM_NAME})
    session = current_session()
    link = fixed_link(session.slug, session.settings)
    return f"{page_address()}?{link}{link and '&'}{assignment}"


def _address(link: dict[str, list[str]]) -> str:
    text = urlencode(link, doseq=True)
    return f"{page_address()}?{text}" if text else page_address()


def page_address() -> str:
    """Return the address of the page, without settings."""
    return (st.context.url or "").split("?")[0]


def qr_code(link: str) -> str:
    """Return the QR code of a link as an SVG document; empty if the link is too long.

    Examples
    --------
    >>> qr_code("http://localhost:8501/kmeans")[:4], qr_code("x" * 501)
    ('<svg', '')
    """
    if len(link) > MAX_CHARACTERS:
        return ""
    import segno

    # The lowest level of correction has the largest squares; where there is room, segno raises it
    # by itself.
    code = segno.make_qr(link, error="l")
    svg: str = code.svg_inline(scale=10, border=QUIET, dark="#000", light="#fff")
    return svg
