"""Reading a visitor's file beside the server, with its progress and a button that stops it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dashboard.text import literal
from dmlib.datasets import TableError
from dmlib.datasets.reading.process import FORK_SERVER as FORK_SERVER  # noqa: PLC0414 -- the server starts and ends it
from dmlib.datasets.reading.process import SECONDS, Reading
from ui.load import TURNS
from ui.session import current_session

PATIENCE = 0.4  # seconds in silence before progress is shown
INTERVAL = 0.1  # seconds between two looks, at which another wish of the visitor ends the wait


@dataclass(frozen=True, eq=False)
class FileReading:
    """The file of a session that is being read; a new run of the page goes on waiting for it.

    Attributes
    ----------
    key : tuple
        The file, and how it is read.
    reading : Reading or None
        None if the visitor has stopped it.
    """

    key: tuple[Any, ...]
    reading: Reading | None


def read_file(reader: str, file: Any, arguments: Mapping[str, Any], place: Any = None) -> Any:
    """Read a file in a process of its own.

    Parameters
    ----------
    reader : str
        The name of a function of `dmlib.datasets`.
    file : UploadedFile or Sample
        The file.
    arguments : mapping of str to object
        Further arguments of the reader.
    place : DeltaGenerator, optional
        An empty element for the progress; by default one where the script stands.

    Raises
    ------
    TableError
        If it cannot be read, or the visitor stops it.
    """
    key = (file.file_id, reader, repr(sorted(arguments.items())))
    session = current_session()
    current = session.reading
    if current is None or current.key != key:
        end_reading()
        current = FileReading(key, Reading(reader, file.getvalue(), file.name, dict(arguments)))
        session.reading = current
    if current.reading is None:
        session.reading = None
        text = (
            f"You stopped reading {file.name!r}. Choose it once more to read it, or choose another"
            " file."
        )
        raise TableError("stopped", text)
    _wait_for(current.reading, file.name, st.empty() if place is None else place)
    session.reading = None
    return current.reading.result()


def end_reading() -> None:
    """End what this session reads."""
    session = current_session()
    if session.reading is not None and session.reading.reading is not None:
        session.reading.reading.end()
    session.reading = None


def _wait_for(reading: Reading, name: str, place: Any) -> None:
    """Wait for the end; after a moment, show how far it is."""
    with TURNS.paused():
        if reading.wait(PATIENCE):
            return
        box = place.container(horizontal=True, vertical_alignment="center")
        box.button("Stop", key="reading.stop", on_click=_stop, icon=":material/stop_circle:")
        message = box.empty()
        while not reading.wait(INTERVAL):
            stage = f" ({reading.progress})" if reading.progress else ""
            message.caption(literal(f"Reading {name}{stage}: at most {SECONDS} s."))
        place.empty()


def _stop() -> None:
    """End the reading and remember that the visitor wanted that; a callback."""
    session = current_session()
    current = session.reading
    if current is not None and current.reading is not None:
        current.reading.end()
        session.reading = FileReading(current.key, None)
