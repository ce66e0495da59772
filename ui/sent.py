"""The files of a session: what was sent, what was read of it, and the way back if it cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from dashboard.settings import Settings
from dmlib.datasets import Table, TableError, messy_file
from ui.session import current_session, widget_value


@dataclass(frozen=True)
class Sample:
    """A messy file of the library, in the place of one that is uploaded."""

    name: str

    @property
    def file_id(self) -> str:
        """The name, which no other sample has."""
        return self.name

    def getvalue(self) -> bytes:
        """Return its content."""
        return messy_file(self.name)


@dataclass(frozen=True, eq=False)
class Upload:
    """A file of this session and what was read of it.

    Attributes
    ----------
    file : UploadedFile or Sample
        The file, in memory.
    options : mapping of str to object
        What the reader decided.
    table : Table or None
        What was read; None if it could not be.
    refusal : str
        Why not, and what to do.
    """

    file: Any
    options: Mapping[str, Any]
    table: Table | None
    refusal: str = ""

    @property
    def code(self) -> str:
        """Python that reads the table."""
        options = f", options={dict(self.options)!r}" if self.options else ""
        if isinstance(self.file, Sample):
            name = repr(self.file.name)
            imports = "from dmlib.datasets import messy_file, read_table"
            return f"{imports}\n\ntable = read_table(messy_file({name}), {name}{options})\n"
        name = self.file.name.rsplit("/", 1)[-1]  # never a path
        return (
            "from pathlib import Path\n\nfrom dmlib.datasets import read_table\n\n"
            f"path = Path({name!r})\ntable = read_table(path.read_bytes(), path.name{options})\n"
        )


@dataclass(frozen=True, eq=False)
class ReadFile:
    """Other data than a table that were read of a file.

    Attributes
    ----------
    key : tuple
        The file, and how it was read.
    data : object
        What was read; None if it could not be.
    error : TableError or None
        Why not, and what to do.
    """

    key: tuple[Any, ...]
    data: Any
    error: TableError | None = None


@dataclass(frozen=True, eq=False)
class SentFile:
    """The latest file of a session.

    Attributes
    ----------
    reader : str
        The function of `dmlib.datasets` that reads it.
    file : UploadedFile
        The file.
    """

    reader: str
    file: Any


@dataclass(frozen=True, eq=False)
class Refusal:
    """Why a file is not shown.

    Attributes
    ----------
    text : str
        The reason, and what to do.
    sent : SentFile or None
        The file; None if it was not even sent.
    settings : Settings
        Those with which it would be shown.
    options : mapping of str to object
        How it was read.
    """

    text: str
    sent: SentFile | None = None
    settings: Settings = field(default_factory=Settings)
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Before:
    """The state of a page before a file was sent."""

    settings: Settings
    sent: SentFile | None
    file_options: tuple[str, Mapping[str, Any]]


def send(sent: SentFile, settings: Settings, options: Mapping[str, Any] | None = None) -> None:
    """Let a file take the place of the data on the screen, if it can be read."""
    session = current_session()
    if session.shows_data and session.before is None:
        session.before = Before(session.settings, session.sent, session.file_options)
    session.sent, session.settings, session.refusal = sent, settings, None
    session.file_options = sent.file.file_id, options or {}
    session.n_sent += 1


def send_chosen(key: str, reader: str) -> None:
    """Send what was chosen with the uploader of a panel; a callback."""
    file = widget_value(key)
    if file is not None:
        send(SentFile(reader, file), current_session().settings.without("sample"))


def sent_file(reader: str) -> Any:
    """Return the latest file, if it is one for this reader."""
    sent = current_session().sent
    return sent.file if sent is not None and sent.reader == reader else None


def forget_file(reader: str) -> None:
    """Forget the file and what was read of it; a callback."""
    session = current_session()
    session.sent = session.before = session.file = None
    if reader == "read_table":
        session.upload = None


def stay_with_it() -> None:
    """Remember no longer what was shown before: the file was read."""
    current_session().before = None


def go_back(text: str, options: Mapping[str, Any]) -> None:
    """Show again what was shown before the file, if anything was, with the reason."""
    session = current_session()
    before, session.before = session.before, None
    if before is None:
        return
    session.refusal = Refusal(text, session.sent, session.settings, options)
    session.settings, session.sent = before.settings, before.sent
    session.file_options = before.file_options
    st.rerun()
