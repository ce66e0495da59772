"""End the sessions of closed tabs on time, and drop their files.

Streamlit 1.67 keeps a disconnected session in a cache whose entries expire, but which looks at its
clock only when it is used: the last one stays until another one comes or goes.

Written against Streamlit 1.67. Without it closed tabs keep their memory until somebody comes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ui.switches import is_on


def tidy(sessions: Any, files: Any, forget: Callable[[Any], bool]) -> int:
    """End sessions whose time without a connection is over, and drop their files.

    Parameters
    ----------
    sessions : WebsocketSessionManager
        The sessions of the server.
    files : MemoryUploadedFileManager
        Their files.
    forget : callable
        Lets a session that still waits for its browser forget what it can make again; returns
        whether there was anything.

    Returns
    -------
    int
        How many sessions and forsaken files there were, and how many have forgotten something.
    """
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
    n_forgetful = sum(forget(session) for session in disconnected if session.id in alive)
    forsaken = [session_id for session_id in list(files.file_storage) if session_id not in alive]
    for session_id in forsaken:
        files.remove_session_files(session_id)
    return len(expired) + n_forgetful + len(forsaken)


def tidy_server(forget: Callable[[Any], bool]) -> int:
    """Tidy up the sessions of the running server."""
    if not is_on("sessions"):
        return 0
    from streamlit.runtime import get_instance

    runtime: Any = get_instance()
    return tidy(runtime._session_mgr, runtime.uploaded_file_mgr, forget)
