"""Memory of closed tabs is freed by the clock.

If a newer Streamlit fails this: find where sessions without a connection wait for their browser and
end there those whose time is over; delete the file if the last one of them ends by itself.
"""

from types import SimpleNamespace

import pytest
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

import ui.session
from dashboard.settings import Settings
from ui.memory import forget_runs
from ui.streamlit_private.sessions import tidy


class Session:
    """As much of a Streamlit session as its end concerns."""

    def __init__(self, name, files):
        self.id, self.files = name, files
        self.session_state, self._fragment_storage = {"table": 1}, {"fragment": 1}

    def shutdown(self):
        self.files.remove_session_files(self.id)


class Server:
    """Sessions without a connection, their files, and a clock that is set by hand."""

    def __init__(self, monkeypatch):
        self.time = 0.0
        self.files = MemoryUploadedFileManager("/upload")
        storage = MemorySessionStorage(ttl_seconds=120)
        monkeypatch.setattr(storage._cache, "_timer", lambda: self.time)
        self.sessions = WebsocketSessionManager(
            storage, self.files, SimpleNamespace(clear=lambda: None), None
        )
        self.storage = storage

    def leave(self, name, *sizes):
        """Let a session go that had files of these sizes."""
        session = Session(name, self.files)
        for i, size in enumerate(sizes):
            self.files.add_file(name, record(f"{name}-{i}", size))
        self.storage.save(SessionInfo(client=None, session=session))
        return session


def record(file_id, size=1):
    return UploadedFileRec(file_id, "a.csv", "text/csv", b"x" * size)


def ids(files, session_id="s"):
    return list(files.file_storage.get(session_id, {}))


@pytest.fixture
def server(monkeypatch):
    return Server(monkeypatch)


def test_a_closed_tab_leaves_nothing_though_nobody_comes_after_it(server):
    session = server.leave("gone", 100, 200)
    server.time = 119.0
    assert tidy(server.sessions, server.files, forget_runs) == 0
    assert len(ids(server.files, "gone")) == 2
    server.time = 121.0
    assert tidy(server.sessions, server.files, forget_runs) == 1
    # Though somebody still holds the session.
    assert (session.session_state, session._fragment_storage) == ({}, {})
    assert dict(server.files.file_storage) == {}
    assert tidy(server.sessions, server.files, forget_runs) == 0


def test_the_runs_of_a_closed_tab_go_at_once(server):
    """They may be large, and come again with the next change; what the visitor made stays."""
    session = server.leave("gone", 1)
    visitor = ui.session.Session()
    visitor.memory.keep("key", "large")
    visitor.unfinished = visitor.running = "key", "large"
    visitor.settings = Settings.from_query({"seed": ["3"]})
    session.session_state["session"] = visitor
    assert tidy(server.sessions, server.files, forget_runs) == 1
    assert visitor.memory.traces == {}
    assert visitor.unfinished is visitor.running is None
    assert visitor.settings.text("seed") == "3"
    assert tidy(server.sessions, server.files, forget_runs) == 0
    assert server.storage.get("gone") is not None


def test_a_reload_within_its_time_finds_everything(server):
    server.leave("early", 1)
    server.time = 100.0
    server.leave("late", 1)
    server.time = 130.0
    tidy(server.sessions, server.files, forget_runs)
    assert server.storage.get("late") is not None
    assert list(server.files.file_storage) == ["late"]


def test_files_that_came_after_the_end_of_their_session_are_dropped(server):
    server.files.add_file("nobody", record("late"))
    assert tidy(server.sessions, server.files, forget_runs) == 1
    assert dict(server.files.file_storage) == {}
