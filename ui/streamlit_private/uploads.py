"""Let a session keep no more uploaded files than it needs.

Streamlit keeps every file that was ever sent for a session as long as that lasts.

Written against Streamlit 1.67. Without it they stay in memory until their session ends.
"""

from __future__ import annotations

from typing import Any

from ui.switches import is_on

# Of a session: the one in use, its successor, and two more that somebody sends by other means
MAX_FILES = 4


def forget_older_files(file_id: str) -> None:
    """Drop the files of this session that came before one, which has replaced them."""
    if not is_on("uploads"):
        return
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx()
    files = context and context.uploaded_file_mgr
    if context is not None and isinstance(files, MemoryUploadedFileManager):
        ids = list(files.file_storage.get(context.session_id, ()))
        for older in ids[: ids.index(file_id)] if file_id in ids else ():
            files.remove_file(context.session_id, older)


def bound_files(files: Any, max_bytes: int, max_files: int = MAX_FILES) -> None:
    """Let no session have more files or bytes than this: the oldest of its files go first."""
    add = files.add_file

    def add_file(session_id: str, file: Any) -> None:
        add(session_id, file)
        stored_files = list(files.file_storage[session_id].values())
        while len(stored_files) > 1 and (
            len(stored_files) > max_files
            or sum(len(each.data) for each in stored_files) > max_bytes
        ):
            files.remove_file(session_id, stored_files.pop(0).file_id)

    files.add_file = add_file


def bound_files_of_server(max_bytes: int) -> None:
    """Let no session of the running server have more files or bytes than it may."""
    if is_on("uploads"):
        from streamlit.runtime import get_instance

        bound_files(get_instance().uploaded_file_mgr, max_bytes)
