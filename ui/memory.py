"""Memory of closed tabs: runs go at once, sessions on time.

Streamlit forgets a disconnected session only when another one comes or goes, and keeps every file
that was ever sent for a session as long as that lasts.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
from contextlib import suppress
from typing import Any

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager as Files
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from ui.session import KEY as SESSION

INTERVAL = 10.0  # seconds
# Of a session: the one in use, its successor, and two more that somebody sends by other means
MAX_FILES = 4
LARGEST_FILES = 2  # how many of the largest size they may be together


def forget_older_files(file_id: str) -> None:
    """Drop the files of this session that came before one, which has replaced them."""
    context = get_script_run_ctx()
    if context is not None and isinstance(files := context.uploaded_file_mgr, Files):
        ids = list(files.file_storage.get(context.session_id, ()))
        for older in ids[: ids.index(file_id)] if file_id in ids else ():
            files.remove_file(context.session_id, older)


def bound_files(files: Files, max_bytes: int, max_files: int = MAX_FILES) -> None:
    """Let no session have more files or bytes than this: the oldest of its files go first."""
    add = files.add_file

    def add_file(session_id: str, file: UploadedFileRec) -> None:
        add(session_id, file)
        stored_files = list(files.file_storage[session_id].values())
        while len(stored_files) > 1 and (
            len(stored_files) > max_files
            or sum(len(each.data) for each in stored_files) > max_bytes
        ):
            files.remove_file(session_id, stored_files.pop(0).file_id)

    files.add_file = add_file  # type: ignore[method-assign]


def forget_runs(session: Any) -> bool:
    """Let a session without a connection forget its runs; return whether it had some.

    Runs may be large, and many tabs may be closed within the two minutes that a session waits for
    its browser.
    """
    state = session.session_state
    return SESSION in state and state[SESSION].forget_runs()


def tidy(sessions: Any, files: Files) -> int:
    """End sessions whose time without a connection is over, and drop their files.

    Those that still wait for their browser forget their runs.

    Parameters
    ----------
    sessions : WebsocketSessionManager
        The sessions of the server.
    files : MemoryUploadedFileManager
        Their files.

    Returns
    -------
    int
        How many sessions and forsaken files there were, and how many have forgotten their runs.
    """
    # Streamlit 1.67 keeps them in a cache whose entries expire, but which looks at its clock only
    # when it is used.
    stored = sessions._session_storage._cache
    disconnected = [info.session for info in stored._data.values()]
    stored.expire()
    alive = {info.session.id for info in sessions.list_sessions()}
    expired = [session for session in disconnected if session.id not in alive]
    for session in expired:
        session.shutdown()
        # The server's loop may hold on to the last one until somebody comes: what it holds goes
        # now.
        session.session_state.clear()
        session._fragment_storage.clear()
    forgetful = [
        session for session in disconnected if session.id in alive and forget_runs(session)
    ]
    forsaken = [session_id for session_id in list(files.file_storage) if session_id not in alive]
    for session_id in forsaken:
        files.remove_session_files(session_id)
    return len(expired) + len(forgetful) + len(forsaken)


def give_back() -> None:
    """Collect garbage, and give free memory back to the system where its allocators keep it."""
    gc.collect()
    with suppress(OSError, AttributeError):  # only glibc has it, and only there it is needed
        ctypes.CDLL(None).malloc_trim(0)


async def keep_tidy(interval: float = INTERVAL) -> None:
    """Tidy up for as long as the server runs."""
    runtime = st.runtime.get_instance()
    files: Any = runtime.uploaded_file_mgr
    megabytes: int = st.get_option("server.maxUploadSize")
    bound_files(files, LARGEST_FILES * megabytes * 2**20)
    while True:
        await asyncio.sleep(interval)
        if tidy(runtime._session_mgr, files):
            await asyncio.to_thread(give_back)
