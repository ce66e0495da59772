"""The app without one part of server.py, or with one more, as BENCHMARK_VARIANT says."""

import gc
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from uvicorn.protocols.http.auto import AutoHTTPProtocol

import server

VARIANT = os.environ.get("BENCHMARK_VARIANT", "")


def send_at_once() -> None:
    """Turn Nagle's algorithm off for every connection: no small message waits for another."""
    connection_made = AutoHTTPProtocol.connection_made

    def with_no_delay(self: Any, transport: Any) -> None:
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection_made(self, transport)

    setattr(AutoHTTPProtocol, "connection_made", with_no_delay)  # noqa: B010 - mypy forbids the assignment


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Warm up as server.py does, apart from the variant."""
    server.warm_up()
    if VARIANT == "no freeze":
        gc.unfreeze()
    if VARIANT == "send at once":
        send_at_once()
    yield


app = st.App(Path(server.__file__).with_name("app.py"), lifespan=lifespan)
