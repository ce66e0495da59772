"""A file that is dropped anywhere on a page, and the sentence on one that is not shown."""

from __future__ import annotations

import streamlit as st

from dashboard.data.kind import Kind
from dashboard.form import NO_FILE_IN_FRAME
from dashboard.text import literal
from dmlib.datasets.reading.others import title_of
from ui.sent import Refusal, SentFile, Upload, send
from ui.session import current_session, widget_value
from ui.stage import drop_component
from ui.what_was_read import what_was_read
from ui.widgets import WidgetForm

KEY = "drop"
INVITATION = "Drop the file: it is read here, and not stored."
NO_FILES = "This page takes no file. Its data are made on the page."
PROBLEMS = {
    "folder": "A folder cannot be read. Drop one file.",
    "several": "Several files cannot be read at once. Drop one file.",
    "large": "The file is larger than {megabytes} MB. Drop a sample of its rows.",
}


def drop_zone(kind: Kind, form: WidgetForm) -> None:
    """Take a file that is dropped on the page.

    Only an uploader of Streamlit can send it. The first file that is dragged over a page has one
    mounted, which nobody sees.
    """
    if not (form.is_visible("data") or form.is_embedded):
        return
    session = current_session()
    accepts = not form.is_embedded and bool(kind.with_file(session.settings)[0])
    refusal = NO_FILE_IN_FRAME if form.is_embedded else NO_FILES
    drop_component(
        key=KEY,
        data={
            "sentence": INVITATION if accepts else refusal,
            "accepts": accepts,
            "megabytes": st.get_option("server.maxUploadSize"),
        },
        on_dragged_change=_expect_file,
        on_problem_change=_refuse,
    )
    if session.takes_drops and accepts:
        key = f"dropped.{session.n_sent}"
        st.container(key="dropped").file_uploader(
            "Dropped file", key=key, on_change=_send, args=(key, kind)
        )


def _expect_file() -> None:
    """Mount the uploader; a callback."""
    current_session().takes_drops = True


def _send(key: str, kind: Kind) -> None:
    """Send the file that was dropped; a callback."""
    file = widget_value(key)
    if file is not None:
        reader, settings = kind.with_file(current_session().settings)
        send(SentFile(reader, file), settings)


def _refuse() -> None:
    """Say why nothing was sent; a callback."""
    text = PROBLEMS.get(widget_value(KEY).problem, PROBLEMS["several"])
    megabytes = st.get_option("server.maxUploadSize")
    current_session().refusal = Refusal(text.format(megabytes=megabytes))


def refused_file(kind: Kind) -> None:
    """Say why a file is not shown, and let the reader decide how it is read."""
    # It is there in every run: an element that comes and goes above the stage would have it built
    # anew.
    place = st.container()
    refusal = current_session().refusal
    if refusal is None:
        return
    row = place.container(horizontal=True, vertical_alignment="center", key="refusal")
    name = f"**{literal(title_of(refusal.sent.file.name))}** · " if refusal.sent else ""
    row.warning(name + literal(refusal.text), icon=":material/draft:")
    if refusal.sent is not None and refusal.sent.reader == "read_table":
        if row.button("What was read", key="refusal.what"):
            what_was_read(Upload(refusal.sent.file, refusal.options, None, refusal.text))
    elif refusal.sent is not None and kind.has_decisions:
        row.button("Decide how it is read", key="refusal.decide", on_click=_show_refused)
    row.button("Dismiss", key="refusal.close", on_click=_forget_refusal)


def _show_refused() -> None:
    """Show the file that was refused among the data, where its decisions are; a callback."""
    session = current_session()
    refusal = session.refusal
    if refusal is not None:
        session.sent, session.settings, session.refusal = refusal.sent, refusal.settings, None


def _forget_refusal() -> None:
    """Take the sentence away; a callback."""
    current_session().refusal = None
