"""The part of a page that plays: the parameters, the run, the stage. It reruns by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from dashboard import messages
from dashboard.data.kind import Chosen
from dashboard.opening import FROM_FILES, opening_of
from dashboard.pin import HALF
from dashboard.pinned import pinned_view
from dashboard.practice import PRACTICE, PREDICT
from dashboard.rounds import round_number, with_prediction, with_round
from dashboard.runs import UnfinishedRun
from dashboard.settings import STEP, Settings
from dashboard.technique import Technique
from dashboard.text import literal
from dashboard.tools.ask import POINT, POINTS
from dashboard.view import PRESET, View, changed_settings, view
from ui.first_visit import fade_when_used
from ui.lesson import LESSON
from ui.live import offer
from ui.load import NOTICE, TURNS
from ui.preset_menu import mark_changed_preset
from ui.progress import go_on_with
from ui.session import current_session, widget_value
from ui.stage import stage
from ui.widgets import SessionForm, apply_change

QUIET_TABS = (None, LESSON)
Message = Mapping[str, Any] | None


def play(technique: Technique, data: Chosen) -> View:
    """Show the stage with its controls; return the view.

    To be called as a fragment: a change then sends one element instead of the whole page
    (docs/performance.md). An open tab below depends on the run as well and asks for the whole page;
    so do other data.
    """
    session = current_session()
    is_part = not session.is_whole_run
    session.is_whole_run = False
    if is_part:
        session.follow_link(technique)
        tab = widget_value(f"{technique.slug}.tab")
        if session.unfinished is not None or session.has_other_data or tab not in QUIET_TABS:
            st.rerun()
    # It is there in every run: an element that comes and goes above the stage would have it built
    # anew.
    above = st.container()
    page_view = _view(technique, data)
    if is_part and not page_view.fits:
        st.rerun()  # another method was chosen since the data were
    with above:
        _notices(page_view)
        fade_when_used()
        mark_changed_preset(page_view)
    _stage(page_view)
    notes = page_view.picture.notes
    if notes and page_view.page.form.is_visible("note"):
        st.caption(literal(" ".join(notes)))
    if TURNS.busy:
        st.caption(NOTICE)
    if is_part:
        session.write_link()
    return page_view


def _view(technique: Technique, data: Chosen) -> View:
    """Return the view of the session's settings; a long run is left to the whole page."""
    session, slug = current_session(), technique.slug
    is_shared = session.opens_page and data.source not in FROM_FILES
    try:
        pinned = pinned_view(session.settings, session.memory, SessionForm, session.files)
        page_view = view(
            technique,
            session.settings,
            data,
            session.memory,
            opening=opening_of(slug) if is_shared else None,
            fine_key=session.fine_keys.get(slug, ""),
            pinned=pinned,
            budget=1.0 if pinned is None else HALF,
        )
    except UnfinishedRun as run:
        session.unfinished = run.key, run.running
        st.rerun()
    session.take(page_view.page.form)
    session.run_keys[slug] = page_view.key
    page_view.panel.actions |= {
        PRESET: technique.with_preset,
        PRACTICE: partial(with_round, technique),
        PREDICT: with_prediction,
    }
    return page_view


def _notices(page_view: View) -> None:
    for text in current_session().notices:
        st.warning(literal(text), icon=":material/link_off:")
    if page_view.reason:
        row = st.container(horizontal=True, vertical_alignment="center")
        row.warning(literal(page_view.reason), icon=":material/info:")
        if page_view.continued_key:
            row.button(
                "Continue",
                key="continue",
                on_click=go_on_with,
                args=(page_view.continued_key,),
                icon=":material/resume:",
            )


def _stage(page_view: View) -> None:
    """Mount the stage, and take over what happens on it."""
    session, technique = current_session(), page_view.technique
    key = f"{technique.slug}.stage"
    page, data, panel = page_view.page, page_view.data, page_view.panel
    number = _last_heard(key)
    jump = session.settings.jump
    encoded = page_view.encoded(
        number,
        draft=page_view.run is not None and page_view.run.can_be_finer,
        frame={"at": jump.at, "serial": jump.serial},
        round=round_number(technique, session.settings),
    )
    is_row = technique.selects == "row"
    rows: Sequence[int] = range(POINTS.high)
    if is_row:
        rows = () if data.problem is None else data.problem.rows
    last = len(page_view.picture.frames) - 1

    def on(message: str, change: Callable[[Settings, Any], Settings]) -> Callable[[], None]:
        """Return what changes the settings when the stage sends such a message."""
        return lambda: apply_change(
            lambda settings: change(settings, getattr(widget_value(key), message))
        )

    def handle(settings: Settings, message: Any) -> Settings:
        return changed_settings(page, data, settings, message)

    # What these functions name lives as long as the session, however large it is: not the run, nor
    # its scene.
    stage(
        encoded,
        key=key,
        token=offer(page, panel, data, page_view.pinned),
        on_changed=on("changed", panel.change),
        on_frame=on("frame", lambda settings, message: _at_frame(settings, message, last)),
        on_selected=on("selected", lambda settings, message: _selected(settings, message, rows)),
        on_edited=on("edited", handle),
        on_moved=on("moved", handle),
        on_rest=lambda: _draw_finer(technique.slug),
    )
    _hear_late(key, number, panel.change, handle)


def _hear_late(
    key: str,
    number: int,
    change: Callable[[Settings, Any], Settings],
    handle: Callable[[Settings, Any], Settings],
) -> None:
    """Take over what was sent to a server that was restarted since."""
    latest = _last_heard(key)
    if latest == number:
        return
    sent = widget_value(key)
    if messages.number_of(sent.changed) == latest:
        apply_change(lambda settings: change(settings, sent.changed))
    else:
        apply_change(lambda settings: handle(settings, sent.moved))
    st.rerun()


def _last_heard(key: str) -> int:
    sent = widget_value(key)
    return max(messages.number_of(getattr(sent, name, None)) for name in ("changed", "moved"))


def _at_frame(settings: Settings, message: Message, last: int) -> Settings:
    """Note where the player stands; at the end the link says nothing, since pages open there."""
    frame = messages.value_of(message)
    if frame is None:
        return settings
    return settings.with_text(STEP, *([str(frame)] if frame < last else []))


def _selected(settings: Settings, message: Message, rows: Any) -> Settings:
    index = messages.value_of(message)
    if index is None or index >= len(rows):
        return settings.without(POINT)
    return settings.with_text(POINT, str(int(rows[index]) + 1))


def _draw_finer(slug: str) -> None:
    """Draw the image of this run finer: nothing has moved for a moment. A callback.

    While others wait, it is asked for again.
    """
    session = current_session()
    if not TURNS.busy:
        session.fine_keys[slug] = session.run_keys.get(slug, "")
