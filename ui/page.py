"""The one page body: title and bar, presets and data, the part that plays, and what is below."""

from __future__ import annotations

import secrets
from contextlib import nullcontext
from pathlib import Path

import streamlit as st

from dmlib.params import Flag
from ui.adopt import look_for, opens_with, preset_menu
from ui.bar import bar as show_bar
from ui.below import below
from ui.compute import finish_long_run
from ui.controls import control, peek
from ui.data.kind import Chosen
from ui.first_visit import arrive
from ui.links import NOTICES, OPENING, follow_history, remember_link, shown
from ui.navigation import use_page_list
from ui.play import WHOLE, play
from ui.take_along import go_on
from ui.technique import Technique
from ui.text import literal
from ui.tools.tool import SEED


def show(technique: Technique) -> None:
    """Show the page of a technique."""
    use_page_list()
    go_on()
    st.session_state[OPENING] = opens_with(technique)
    follow_history(technique.slug)
    arrive(technique.slug)
    st.html(STYLE)
    if peek("projector", Flag(), False):
        st.html(PROJECTOR)
    head = st.container(horizontal=True, vertical_alignment="center", gap="small", key="head")
    head.title(technique.entry.title, anchor=False, width="content")
    with head:
        chosen = _data(technique)
        preset_menu(technique)
        bar = st.container(width="content", key="bar")
    look_for(technique)
    progress = st.empty()
    finish_long_run(progress)
    st.session_state[WHOLE] = True
    # While points are drawn every change is one of the data. Fragment and page would take turns,
    # and where the one overtakes the other in Streamlit's queue of messages, the stage is taken
    # away for a moment (Streamlit 1.67).
    part = play if chosen.source == "draw" else st.fragment(play)
    run, scene = part(technique, chosen)
    progress.empty()
    with bar:
        show_bar(technique, run, scene, chosen)
    if shown("below"):
        below(technique, run, chosen)
    st.session_state[NOTICES] = []
    remember_link(technique.slug)


def _data(technique: Technique) -> Chosen:
    """Show the data as one line, with a button that opens the panel to choose others."""
    line = st.container(width="content", key="data-line")
    with (
        st.popover("Data", icon=":material/table:", key="bar.data")
        if shown("data")
        else nullcontext()
    ):
        chosen = technique.data.panel(technique)
        # With the data, and not with the parameters: they are made and sampled with it too.
        _seed()
    line.caption(literal(chosen.summary))
    return chosen


def _seed() -> None:
    """Show the seed as a number, with a die that draws another."""
    if not shown("seed"):
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        control(
            "seed", SEED, 0, label="Seed", help_text="The same seed gives the same random numbers."
        )
        st.button(
            "", key="seed.die", icon=":material/casino:", help="Draw another seed", on_click=_throw
        )


def _throw() -> None:
    """Draw another seed; a callback."""
    st.session_state["seed"] = secrets.randbelow(SEED.high + 1)


STYLE = Path(__file__).parent.parent / "assets" / "page.css"
# Streamlit sizes everything in rem: one rule on the root enlarges the page. The navigation gives
# the picture room.
PROJECTOR = (
    "<style>html { font-size: 125%; } .stAppHeader { display: none; } "
    ".stMainBlockContainer { padding-top: 0.25rem; --dm-top: 0rem; }</style>"
)
