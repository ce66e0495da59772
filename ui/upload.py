"""The reader's own file: choose it, and read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from dashboard.form import NO_FILE, NO_FILE_IN_FRAME, Form, TableAndCode
from dashboard.text import literal
from dmlib.datasets import MESSY, TableError
from dmlib.datasets.reading.formats import ENDINGS
from dmlib.datasets.reading.others import title_of
from dmlib.params import Choice
from ui.reading import read_file
from ui.sent import (
    ReadFile,
    Sample,
    Upload,
    forget_file,
    go_back,
    send_chosen,
    sent_file,
    stay_with_it,
)
from ui.session import current_session
from ui.streamlit_private.uploads import forget_older_files
from ui.what_was_read import what_was_read

MAX_NOTES = 20
CONTENT = "A table: CSV, Excel, OpenDocument, Parquet, JSON or ARFF"
PRIVACY = (
    "The file stays in this session and goes with it. Nobody else sees it, and no link contains it."
)


def upload(form: Form, place: Any = None) -> TableAndCode:
    """Show the uploader; return the table and the code that reads it.

    Parameters
    ----------
    form : Form
        The form.
    place : DeltaGenerator, optional
        Where the progress of reading is shown.

    Raises
    ------
    ValueError
        If there is no file yet, or it cannot be read; the sentence says what to do.
    """
    _choose(form, place)
    current = current_session().upload
    if current is None:
        raise ValueError(NO_FILE_IN_FRAME if form.is_embedded else NO_FILE)
    if current.table is None:
        raise ValueError(current.refusal)
    return current.table, current.code


def _choose(form: Form, place: Any) -> None:
    """Take a file of the visitor, or a messy one of the library; read it if it is new."""
    session = current_session()
    if form.is_visible("data"):
        _uploader(CONTENT, ENDINGS, "read_table")
    titles = {"": "none", **MESSY}
    sample = form.control(
        "sample",
        Choice(tuple(titles)),
        "",
        label="Or try a messy one",
        names=titles,
        parts=("data",),
    )
    file: Any = Sample(sample) if sample else sent_file("read_table")
    if file is not None:
        file_id, options = session.file_options
        _read_once(form, file, options if file_id == file.file_id else {}, place)
    elif session.upload is not None and isinstance(session.upload.file, Sample):
        session.upload = None
    current = session.upload
    if current is None or not form.is_visible("data"):
        return
    if st.button("What was read", key="file.what", width="stretch"):
        what_was_read(current)


def _read_once(form: Form, file: Any, options: Mapping[str, Any], place: Any) -> None:
    """Read a file, unless it has been read so; forget what was chosen for the one before."""
    session = current_session()
    current = session.upload
    forget_older_files(file.file_id)
    if current is None or (current.file.file_id, current.options) != (file.file_id, options):
        arguments = {"options": dict(options)} if options else {}
        try:
            table = read_file("read_table", file, arguments, place)
        except TableError as error:
            go_back(str(error), options)
            session.upload = Upload(file, options, None, str(error))
        else:
            session.upload = Upload(file, options, replace(table, title=title_of(file.name)))
        if current is not None:
            names = [name for name in form.settings.texts if name.startswith("upload.")]
            form.settings = form.settings.without(*names)
    stay_with_it()


def read_other_file(
    form: Form,
    reader: str,
    content: str,
    endings: tuple[str, ...],
    decide: Callable[[str], Mapping[str, Any]],
    place: Any = None,
) -> tuple[Any, str]:
    """Show an uploader of other data than tables; return the data and the code that reads them."""
    session = current_session()
    if form.is_visible("data"):
        _uploader(content, endings, reader)
    file = sent_file(reader)
    if file is None:
        session.file = None
        sentence = f"Choose a file. {content}. A link never contains a file."
        raise ValueError(NO_FILE_IN_FRAME if form.is_embedded else sentence)
    forget_older_files(file.file_id)
    notes = st.container()  # what was read stands above what can be decided of it
    options = decide(file.file_id)
    key = (file.file_id, options)
    if session.file is None or session.file.key != key:
        try:
            session.file = ReadFile(key, read_file(reader, file, options, place))
        except TableError as error:
            go_back(str(error), options)
            session.file = ReadFile(key, None, error)
    stay_with_it()
    if session.file.error is not None:
        raise session.file.error
    data = session.file.data
    if data.notes and form.is_visible("data"):
        texts = [f"- {literal(note.text)}" for note in data.notes[:MAX_NOTES]]
        notes.markdown("\n".join(texts))
    name = file.name.rsplit("/", 1)[-1]  # never a path
    arguments = "".join(f", {argument}={value!r}" for argument, value in options.items())
    code = (
        f"from pathlib import Path\n\nfrom dmlib.datasets import {reader}\n\n"
        f"path = Path({name!r})\ndata = {reader}(path.read_bytes(), path.name{arguments})\n"
    )
    return data, code


def _uploader(content: str, endings: tuple[str, ...], reader: str) -> None:
    """Show an uploader, which is empty again when its file was sent, and the file's name."""
    key = f"file.{reader.removeprefix('read_')}.{current_session().n_sent}"
    st.file_uploader(
        content,
        type=[ending.lstrip(".") for ending in endings],
        key=key,
        help=PRIVACY,
        on_change=send_chosen,
        args=(key, reader),
    )
    file = sent_file(reader)
    if file is None:
        st.caption("Or drop a file anywhere on the page.")
        return
    row = st.container(horizontal=True, vertical_alignment="center")
    row.caption(
        literal(f"{title_of(file.name)} is in use. Drop another file anywhere on the page.")
    )
    row.button("Remove", key="file.remove", on_click=forget_file, args=(reader,))
