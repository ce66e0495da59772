"""The one page body: title and bar, presets and data, the part that plays, and what is below."""

from __future__ import annotations

import secrets
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import streamlit as st

from dashboard.catalogue import ASSETS
from dashboard.courses import stop_of
from dashboard.data.kind import Chosen
from dashboard.form import SEED
from dashboard.parameters import method_of
from dashboard.technique import Technique
from dashboard.text import literal
from dmlib.params import Flag
from ui.bar import bar as show_bar
from ui.bar import has_rooms
from ui.below import below
from ui.drop import drop_zone, refused_file
from ui.navigation import go_on, use_page_list
from ui.play import play
from ui.preset_menu import note_below_title, preset_menu
from ui.progress import finish_long_run
from ui.session import Session, current_session, set_widget_value, widget_value
from ui.stage import class_component
from ui.widgets import WidgetForm, apply_change


def show(technique: Technique) -> None:
    """Show the page of a technique."""
    use_page_list()
    go_on()
    session = current_session()
    session.follow_link(technique)
    form = WidgetForm(session.settings)
    st.html(STYLE)
    if is_projector(form):
        st.html(PROJECTOR)
    if form.is_embedded:
        st.html(EMBEDDED)
    head = st.container(horizontal=True, vertical_alignment="center", gap="small", key="head")
    progress = form.progress = st.empty()
    if form.is_visible("title"):
        head.title(technique.entry.title, anchor=False, width="content")
    with head:
        data = _data(technique, form, session)
        preset_menu(technique, form)
        bar = st.container(width="content", key="bar")
    note_below_title(technique, form)
    stop = stop_of(form, technique.slug)
    refused_file(data.kind)
    session.take(form)
    finish_long_run(progress)
    session.is_whole_run = True
    # While points are drawn every change is one of the data. Fragment and page would take turns,
    # and where the one overtakes the other in Streamlit's queue of messages, the stage is taken
    # away for a moment (Streamlit 1.67).
    part = play if data.source == "draw" else st.fragment(play)
    view = part(technique, data)
    progress.empty()
    form = WidgetForm(session.settings)
    with bar:
        show_bar(view, form)
    drop_zone(data.kind, form)
    if has_rooms(form):
        class_component(session.n_class_calls)
    if form.is_visible("below"):
        below(view, form, stop)
    session.take(form)
    session.remember_first_texts()
    if session.is_used:
        session.tried_page = ""
    session.notices = []
    session.write_link()


def is_projector(form: WidgetForm) -> bool:
    """Return whether the page is shown in a lecture room."""
    return bool(form.peek("projector", Flag(), False))


def _data(technique: Technique, form: WidgetForm, session: Session) -> Chosen:
    """Show the data as one line, with a button that opens the panel to choose others."""
    line = st.container(width="content", key="data-line")
    is_visible = form.is_visible("data")
    names = form.names
    form.names = set()
    with _data_popover(session) if is_visible else nullcontext():
        method = method_of(technique, form)
        data = technique.kind(method).choose(technique, method, form)
        # With the data, and not with the parameters: they are made and sampled with it too.
        _seed(form)
    if session.asks_for_file and (session.upload or session.file):
        session.asks_for_file = False
        session.take(form)
        st.rerun()
    session.shows_data = data.problem is not None
    session.remember_data(form, technique)
    form.names |= names
    if form.is_visible("title"):
        line.caption(literal(data.summary))
    return data


def _data_popover(session: Session) -> AbstractContextManager[Any]:
    """Return the popover of the data; who comes to bring a file finds it open."""
    if not session.asks_for_file:
        return st.popover("Data", icon=":material/table:", key="bar.data")
    if widget_value(OPEN_POPOVER) is None:
        set_widget_value(OPEN_POPOVER, True)
    # Only one that reports to be closed can be opened from here. It would close what is opened
    # from within it, so the usual one takes its place once there is a file: in another block, since
    # the browser would keep it open in the same one.
    return st.container(width="content").popover(
        "Data", icon=":material/table:", key=OPEN_POPOVER, on_change="rerun"
    )


def _seed(form: WidgetForm) -> None:
    """Show the seed as a number, with a die that draws another."""
    if not form.is_visible("seed"):
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        form.control(
            "seed", SEED, 0, label="Seed", help_text="The same seed gives the same random numbers."
        )
        st.button(
            "", key="seed.die", icon=":material/casino:", help="Draw another seed", on_click=_throw
        )


def _throw() -> None:
    """Draw another seed; a callback."""
    seed = str(secrets.randbelow(SEED.high + 1))
    apply_change(lambda settings: settings.with_text("seed", seed))


OPEN_POPOVER = "bar.data.open"
STYLE = ASSETS / "page.css"
HOME_STYLE = ASSETS / "home.css"
"""What home and the courses look like, beside ``STYLE``."""
EMBEDDED = ASSETS / "embedded.css"
"""What a page looks like within another one, beside ``STYLE``."""
# Streamlit sizes everything in rem: one rule on the root enlarges the page. The navigation gives
# the picture room.
PROJECTOR = (
    "<style>html { font-size: 125%; } .stAppHeader { display: none; } "
    ".stMainBlockContainer { padding-top: 0.25rem; --dm-top: 0rem; }</style>"
)
