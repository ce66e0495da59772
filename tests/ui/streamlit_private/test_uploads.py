"""A session's files have a budget, and a new one replaces those before it.

If a newer Streamlit fails this: find where Streamlit keeps what was uploaded, by session and file,
and drop it there; delete the file if it drops by itself what a new file replaces.
"""

from types import SimpleNamespace

from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from tests.visit import session_of, sound, visit
from ui.streamlit_private.uploads import bound_files, forget_older_files


def record(file_id, size=1):
    return UploadedFileRec(file_id, "a.csv", "text/csv", b"x" * size)


def ids(files, session_id="s"):
    return list(files.file_storage.get(session_id, {}))


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
    monkeypatch.setattr("streamlit.runtime.scriptrunner.get_script_run_ctx", lambda: context)
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
