"""How the server's connections send, and how long they may stay silent."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

from streamlit import net_util
from uvicorn.protocols.http.auto import AutoHTTPProtocol

PATIENCE = 15.0  # seconds in which a connection says what it asks for, and without a further byte of what it sends


def send_at_once() -> None:
    """Let every connection send what is written at once.

    asyncio does so for sockets that name their protocol, and Streamlit's does not: the body of an answer then waits
    until the browser has acknowledged the head, which takes it 40 ms. docs/decisions/0017 has numbers.
    """
    made = AutoHTTPProtocol.connection_made

    def connection_made(protocol: Any, transport: asyncio.Transport) -> None:
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made(protocol, transport)

    AutoHTTPProtocol.connection_made = connection_made  # type: ignore


def ask_no_foreign_host() -> None:
    """Let no visitor make the server ask other hosts for its own addresses.

    Streamlit 1.67 does, with all visitors waiting for seconds, when a connection names an origin that it does not know.
    Pages of the server's own host are allowed without.
    """
    net_util.get_external_ip = net_util.get_internal_ip = lambda: None


def end_silent(patience: float = PATIENCE) -> None:
    """End connections that ask for nothing, or that stop in the middle of what they send, without a word in the log.

    uvicorn 0.54 waits for a first request for ever, and for a request's body too. Its own time limit is for what comes
    after an answer, and one byte ends it.

    Parameters
    ----------
    patience : float
        Seconds after which a connection is looked at; it is ended after twice as many at the latest.
    """
    made, received = AutoHTTPProtocol.connection_made, AutoHTTPProtocol.data_received

    def connection_made(protocol: Any, transport: asyncio.Transport) -> None:
        protocol.n_received = 0
        made(protocol, transport)
        protocol.loop.call_later(patience, look, protocol, _progress(protocol))

    def data_received(protocol: Any, data: bytes) -> None:
        protocol.n_received += len(data)
        received(protocol, data)

    def look(protocol: Any, before: object) -> None:
        transport = protocol.transport
        if transport.is_closing() or transport.get_protocol() is not protocol:  # a websocket has its own time limits
            return
        progress = _progress(protocol)
        if progress is not None and progress == before:
            transport.abort()
        else:
            protocol.loop.call_later(patience, look, protocol, progress)

    AutoHTTPProtocol.connection_made = connection_made  # type: ignore
    AutoHTTPProtocol.data_received = data_received  # type: ignore


def _progress(protocol: Any) -> tuple[object, int] | None:
    """Return how far a connection has come with what it sends; None while it waits for the server."""
    request = protocol.cycle
    if request is None or request.response_complete:  # single bytes of a head that never ends are no progress
        return request, 0
    waits = not request.more_body or protocol.flow.read_paused
    return None if waits else (request, protocol.n_received)
