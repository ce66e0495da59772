"""Memory of closed tabs is freed by the clock; a session's files have a budget."""

import gc
import weakref
from types import SimpleNamespace

import pytest
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

import ui.session
from dashboard.settings import Settings
from tests.visit import session_of, sound, visit
from ui.memory import bound_files, forget_older_files, tidy


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
    assert tidy(server.sessions, server.files) == 0
    assert len(ids(server.files, "gone")) == 2
    server.time = 121.0
    assert tidy(server.sessions, server.files) == 1
    # Though somebody still holds the session.
    assert (session.session_state, session._fragment_storage) == ({}, {})
    assert dict(server.files.file_storage) == {}
    assert tidy(server.sessions, server.files) == 0


def test_the_runs_of_a_closed_tab_go_at_once(server):
    """They may be large, and come again with the next change; what the visitor made stays."""
    session = server.leave("gone", 1)
    visitor = ui.session.Session()
    visitor.memory.keep("key", "large")
    visitor.unfinished = visitor.running = "key", "large"
    visitor.settings = Settings.from_query({"seed": ["3"]})
    session.session_state["session"] = visitor
    assert tidy(server.sessions, server.files) == 1
    assert visitor.memory.traces == {}
    assert visitor.unfinished is visitor.running is None
    assert visitor.settings.text("seed") == "3"
    assert tidy(server.sessions, server.files) == 0
    assert server.storage.get("gone") is not None


def test_a_reload_within_its_time_finds_everything(server):
    server.leave("early", 1)
    server.time = 100.0
    server.leave("late", 1)
    server.time = 130.0
    tidy(server.sessions, server.files)
    assert server.storage.get("late") is not None
    assert list(server.files.file_storage) == ["late"]


def test_files_that_came_after_the_end_of_their_session_are_dropped(server):
    server.files.add_file("nobody", record("late"))
    assert tidy(server.sessions, server.files) == 1
    assert dict(server.files.file_storage) == {}


def test_a_session_has_a_budget_of_bytes_and_of_files():
    files = MemoryUploadedFileManager("/upload")
    bound_files(files, max_bytes=100, max_files=3)
    for i, size in enumerate((40, 40, 40)):
        files.add_file("s", record(str(i), size))
    assert ids(files) == ["1", "2"]  # the oldest went, so that the newest fits
    for i in range(10):
        files.add_file("s", record(f"small {i}"))
    assert ids(files) == ["small 7", "small 8", "small 9"]
    files.add_file("other", record("of another", 90))
    assert len(ids(files)) == 3
    files.add_file("s", record("large", 101))
    assert ids(files) == ["large"]  # its own size is bounded before, by server.maxUploadSize


def test_a_file_that_is_in_use_has_replaced_those_before_it_but_not_its_successor(monkeypatch):
    files = MemoryUploadedFileManager("/upload")
    for file_id in ("old", "in use", "next"):
        files.add_file("s", record(file_id))
    files.add_file("other", record("of another"))
    context = SimpleNamespace(uploaded_file_mgr=files, session_id="s")
    monkeypatch.setattr("ui.memory.get_script_run_ctx", lambda: context)
    forget_older_files("unknown")
    assert ids(files) == ["old", "in use", "next"]
    forget_older_files("in use")
    assert ids(files) == ["in use", "next"]
    assert ids(files, "other") == ["of another"]


def test_a_page_forgets_what_a_new_file_replaces(monkeypatch):
    requests = []
    monkeypatch.setattr("ui.upload.forget_older_files", requests.append)
    page = visit("kmeans", source="upload")
    first, second = b"a,b\n1,2\n3,4\n9,8\n7,7\n", b"c,d\n1,2\n3,5\n9,8\n7,7\n"
    page.file_uploader[0].upload("first.csv", first, "text/csv")
    sound(page.run())
    page.file_uploader[0].upload("second.csv", second, "text/csv")
    sound(page.run())
    sound(page.run())
    assert session_of(page).upload.file.name == "second.csv"
    assert session_of(page).upload.table is not None
    assert requests[-1] == session_of(page).upload.file.file_id


@pytest.mark.parametrize("slug", ["kmeans", "decision_tree", "apriori"])
def test_nothing_else_holds_a_run(slug):
    """Callbacks live as long as the session: a run in one of them would never be freed."""
    page = sound(visit(slug, seed="3"))  # what a page opens with is not its session's own
    trace = weakref.ref(next(iter(session_of(page).memory.traces.values())))
    session_of(page).forget_runs()
    gc.collect()
    assert trace() is None
