"""The state of one visitor: one object in Streamlit's session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.form import Form
from dashboard.rounds import begin_round
from dashboard.runs import Memory
from dashboard.settings import COURSE, EMBED, LECTURE, NO_SETTINGS, PIN, STEP, Settings, Texts
from ui.streamlit_private.embedding import is_embedded
from ui.streamlit_private.history import is_history_navigation

if TYPE_CHECKING:
    from dashboard.technique import Technique
    from dmlib.trace import Running
    from ui.live import Live
    from ui.prepared import PreparedTable
    from ui.reading import FileReading
    from ui.sent import Before, ReadFile, Refusal, SentFile, Upload

KEY = "session"
"""The name of the object in Streamlit's session."""
PANEL = "panel"
"""Name in a link that opens the panel of the data, for who brings a file."""
NOT_CARRIED = frozenset({STEP, PIN, COURSE, LECTURE})
"""Names in a link that belong to this link alone, and not to the pages that are opened next."""
NOT_COMPARED = NO_SETTINGS | {PANEL}
"""Names in a link that do not make a page one that was used."""


@dataclass(eq=False)
class Session:
    """One visitor.

    Attributes
    ----------
    name : str
        What no other session is called.
    slug : str
        The page that is open; empty before the first.
    settings : Settings
        What it is set to; the truth, of which the link is a copy.
    names : set of str
        The names that the page has in its link.
    notices : list of str
        What is wrong with the link, until it has been said.
    data_texts : mapping
        The settings with which the data on the screen were chosen.
    data_serial : int
        The number of the jump of the settings that chose them; -1 for those of the history.
    memory : Memory
        What was computed, and can be computed again.
    run_keys, fine_keys : dict of str to str
        By page: the run that is shown, and the one whose image of the plane is to be fine.
    is_whole_run : bool
        Whether the page runs as a whole, and not the part that plays alone.
    unfinished : tuple of (str, Running) or None
        The key of a run that is to be continued, and the run.
    running : tuple of (str, Running) or None
        The run that is under way.
    live : Live or None
        What the stage may ask while a control moves.
    upload, file, reading, prepared
        The table that was read of a file, other data of a file, the file that is being read, and
        the table that was taken along.
    file_options : tuple of (str, mapping)
        A file, and how the reader wants it to be read.
    sent : SentFile or None
        The latest file.
    n_sent : int
        How many files were sent: each time the uploaders are new, and empty.
    n_class_calls : int
        How often *Class* was pressed.
    before : Before or None
        What was shown before it, until it has been read.
    refusal : Refusal or None
        Why a file is not shown.
    takes_drops : bool
        Whether a file was dragged over a page, so that an uploader waits for it.
    widget_revisions : dict of str to int
        By setting: how often its value was changed otherwise than by its widget.
    shows_data : bool
        Whether there are data on the screen.
    next_page : tuple of (str, mapping) or None
        The page that is opened next, and what its link says.
    visited : set of str
        The pages that were opened.
    tried_page : str
        The page that offers what to try first.
    asks_for_file : bool
        Whether the page was opened by a link that asks for the reader's own file.
    first_texts : mapping or None
        The settings of that page when it was opened.
    stopped_sweeps : set of str
        The sweeps that were stopped.
    """

    name: str = field(default_factory=token_hex)
    slug: str = ""
    settings: Settings = field(default_factory=Settings)
    names: set[str] = field(default_factory=set)
    notices: list[str] = field(default_factory=list)
    data_texts: Texts = field(default_factory=dict)
    data_serial: int = 0
    memory: Memory = field(default_factory=Memory)
    run_keys: dict[str, str] = field(default_factory=dict)
    fine_keys: dict[str, str] = field(default_factory=dict)
    is_whole_run: bool = False
    unfinished: tuple[str, Running[Any]] | None = None
    running: tuple[str, Running[Any]] | None = None
    live: Live | None = None
    upload: Upload | None = None
    file: ReadFile | None = None
    reading: FileReading | None = None
    prepared: PreparedTable | None = None
    file_options: tuple[str, Mapping[str, Any]] = ("", field(default_factory=dict))
    sent: SentFile | None = None
    n_sent: int = 0
    n_class_calls: int = 0
    before: Before | None = None
    refusal: Refusal | None = None
    takes_drops: bool = False
    widget_revisions: dict[str, int] = field(default_factory=dict)
    shows_data: bool = False
    next_page: tuple[str, Mapping[str, str | list[str]]] | None = None
    visited: set[str] = field(default_factory=set)
    tried_page: str = ""
    asks_for_file: bool = False
    first_texts: Texts | None = None
    stopped_sweeps: set[str] = field(default_factory=set)

    # --- the link -------------------------------------------------------------------------------

    def follow_link(self, technique: Technique) -> None:
        """Read the settings from the link: of a page that is opened, and after Back or Forward."""
        query = link()
        if self.slug != technique.slug:
            self._open(technique, query)
        elif is_history_navigation():
            texts = self.settings.texts
            carried = {name: text for name, text in texts.items() if name not in self.names}
            settings = Settings.from_query(query, technique.opening_link, carried)
            self._replace(settings, moves=settings.get(STEP) != self.settings.get(STEP))
            self.data_serial = -1

    def _open(self, technique: Technique, query: dict[str, list[str]]) -> None:
        texts = self.settings.texts
        carried = {name: text for name, text in texts.items() if name not in NOT_CARRIED}
        settings = Settings.from_query(query, technique.opening_link, carried)
        settings = begin_round(technique, settings)
        self._replace(settings, moves=bool(self.slug))
        self.slug, self.names, self.data_texts = technique.slug, {*query} - {PANEL}, {}
        is_new = technique.slug not in self.visited
        is_plain = not {*query} - NOT_COMPARED
        self.tried_page = technique.slug if is_new and is_plain else ""
        has_file = self.upload is not None or self.file is not None
        self.asks_for_file = query.get(PANEL) == ["data"] and not has_file
        self.first_texts = self.before = self.refusal = None
        self.visited.add(technique.slug)

    def _replace(self, settings: Settings, *, moves: bool) -> None:
        jump = replace(settings.jump, serial=self.settings.jump.serial + moves)
        if not moves and self.slug:
            jump = self.settings.jump
        self.settings = replace(settings, jump=jump, revisions=self.settings.revisions)

    def take(self, form: Form) -> None:
        """Take over what a form has read, and what is wrong with the link."""
        self.settings = form.settings
        self.names |= form.names
        for notice in form.notices.values():
            if notice not in self.notices:
                self.notices.append(notice)

    def write_link(self) -> None:
        """Let the link say what the page is set to."""
        query = self.settings.query(self.names)
        if query != link():
            query.pop(EMBED, None)  # Streamlit keeps it
            st.query_params.from_dict(query)

    # --- the page -------------------------------------------------------------------------------

    @property
    def opens_page(self) -> bool:
        """Whether this is the first run of the first page, without settings in the link."""
        is_first_page = len(self.visited) == 1 and self.slug not in self.run_keys
        return is_first_page and self.settings.is_as_opened

    def widget_key(self, name: str, value: Any) -> str:
        """Return the key of the widget of a setting: another one where its value is not this."""
        revision = self.widget_revisions.get(name, 0)
        key = f"{name}~{revision}" if revision else name
        if key in st.session_state and st.session_state[key] != value:
            self.widget_revisions[name] = revision + 1
            return f"{name}~{revision + 1}"
        return key

    def remember_data(self, form: Form, technique: Technique) -> None:
        """Remember the settings with which data were chosen.

        What belongs to the data before is forgotten; a preset has named what belongs to its own.
        """
        names = form.names - {f"{technique.slug}.method", "projector", "hide"}
        texts = {name: form.settings.get(name) for name in sorted(names)}
        serial = form.settings.jump.serial
        if self.data_texts and self.data_texts != texts:
            self.refusal = None
            if serial == self.data_serial:
                forgotten = [name for tool in technique.tools for name in tool.of_data(technique)]
                form.settings = form.settings.without(*forgotten)
        self.data_texts, self.data_serial = texts, serial

    @property
    def has_other_data(self) -> bool:
        """Whether the settings ask for other data than those on the screen."""
        return any(self.settings.get(name) != texts for name, texts in self.data_texts.items())

    @property
    def is_used(self) -> bool:
        """Whether anything of the page is not as it opened, the place of the player apart."""
        return self.first_texts is not None and self._own_texts() != self.first_texts

    def remember_first_texts(self) -> None:
        """Remember what the page was set to when it had opened."""
        if self.first_texts is None:
            self.first_texts = self._own_texts()

    def _own_texts(self) -> Texts:
        names = self.names - NOT_COMPARED
        return {name: texts for name, texts in self.settings.texts.items() if name in names}

    @property
    def files(self) -> object:
        """The data that no link contains: other ones make another run of the same settings."""
        return self.upload, self.file, self.prepared

    def forget_runs(self) -> bool:
        """Forget what can be computed again; return whether there was anything."""
        memory = self.memory
        runs = (memory.traces, memory.last, memory.pinned)
        parts = (*runs, self.unfinished, self.running, self.live)
        has_some = any(parts)
        self.memory.forget_runs()
        self.unfinished = self.running = self.live = None
        return has_some


def current_session() -> Session:
    """Return the session of the visitor for whom this thread works.

    To look is also to ask whether its visitor is still there: Streamlit ends the run of one who has
    left, or who has asked for something else.
    """
    if KEY not in st.session_state:
        st.session_state[KEY] = Session()
    session: Session = st.session_state[KEY]
    return session


def widget_value(key: str) -> Any:
    """Return the value of a widget, or what a component has sent; None before it is shown."""
    return st.session_state.get(key)


def set_widget_value(key: str, value: Any) -> None:
    """Give a widget a value. To set the one that it has would make the browser draw it anew."""
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value


def link() -> dict[str, list[str]]:
    """Return what the link in the browser says."""
    texts = {name: st.query_params.get_all(name) for name in st.query_params}
    return texts | ({EMBED: ["true"]} if is_embedded() else {})
