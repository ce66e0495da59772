"""Memory of closed tabs: runs go at once, sessions on time."""

from __future__ import annotations

import asyncio
import ctypes
import gc
from contextlib import suppress
from typing import Any

import streamlit as st

from ui.session import KEY as SESSION
from ui.streamlit_private.sessions import tidy_server
from ui.streamlit_private.uploads import bound_files_of_server

INTERVAL = 10.0  # seconds
LARGEST_FILES = 2  # how many of the largest size a session's files may be together


def forget_runs(session: Any) -> bool:
    """Let a session without a connection forget its runs; return whether it had some.

    Runs may be large, and many tabs may be closed within the two minutes that a session waits for
    its browser.
    """
    state = session.session_state
    return SESSION in state and state[SESSION].forget_runs()


def give_back() -> None:
    """Collect garbage, and give free memory back to the system where its allocators keep it."""
    gc.collect()
    with suppress(OSError, AttributeError):  # only glibc has it, and only there it is needed
        ctypes.CDLL(None).malloc_trim(0)


async def keep_tidy(interval: float = INTERVAL) -> None:
    """Tidy up for as long as the server runs."""
    megabytes: int = st.get_option("server.maxUploadSize")
    bound_files_of_server(LARGEST_FILES * megabytes * 2**20)
    while True:
        await asyncio.sleep(interval)
        if tidy_server(forget_runs):
            await asyncio.to_thread(give_back)
