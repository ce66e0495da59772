"""What a closed tab leaves: its runs go at once, its session on time, and the system gets its memory.

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

from ui.compute import LAST, LONG, RUNNING, TRACES
from ui.live import KEY as LIVE

EVERY = 10.0  # seconds
# Of a session: the one in use, its successor, and two more that somebody sends by other means
MOST_FILES = 4
RUNS = (TRACES, LAST, LONG, RUNNING, LIVE)  # in the session: what can be computed again
LARGEST_FILES = 2  # how many of the largest size they may be together


def forget_older_files(file_id: str) -> None:
    """Drop the files of this session that came before one: it has replaced them. A later one is not yet in use."""
    context = get_script_run_ctx()
    if context is not None and isinstance(files := context.uploaded_file_mgr, Files):
        ids = list(files.file_storage.get(context.session_id, ()))
        for older in ids[: ids.index(file_id)] if file_id in ids else ():
            files.remove_file(context.session_id, older)


def bound_files(files: Files, most_bytes: int, most_files: int = MOST_FILES) -> None:
    """Let no session have more files or bytes than this: the oldest of its files go first."""
    add = files.add_file

    def add_file(session_id: str, file: UploadedFileRec) -> None:
        add(session_id, file)
        kept = list(files.file_storage[session_id].values())
        while len(kept) > 1 and (
            len(kept) > most_files or sum(len(each.data) for each in kept) > most_bytes
        ):
            files.remove_file(session_id, kept.pop(0).file_id)

    files.add_file = add_file  # type: ignore[method-assign]


def forget_runs(session: Any) -> bool:
    """Let a session without a connection forget what it can compute again; return whether there was anything.

    Runs may be large, and many tabs may be closed within the two minutes that a session waits for
    its browser.
    """
    state = session.session_state
    known = [name for name in RUNS if name in state]
    for name in known:
        del state[name]
    return bool(known)


def tidy(sessions: Any, files: Files) -> int:
    """End the sessions whose time without a connection is over, and drop the files of sessions that are no more.

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


async def keep_tidy(every: float = EVERY) -> None:
    """Tidy up for as long as the server runs."""
    runtime = st.runtime.get_instance()
    files: Any = runtime.uploaded_file_mgr
    megabytes: int = st.get_option("server.maxUploadSize")
    bound_files(files, LARGEST_FILES * megabytes * 2**20)
    while True:
        await asyncio.sleep(every)
        if tidy(runtime._session_mgr, files):
            await asyncio.to_thread(give_back)
