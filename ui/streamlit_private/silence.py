"""End connections that ask for nothing, or stop in the middle, without a line in the log.

uvicorn 0.54, which Streamlit starts, waits for a first request for ever, and for a request's body
too. Its own time limit is for what comes after an answer, and one byte ends it.

Written against Streamlit 1.67 with uvicorn 0.54. Without it such a connection stays until its other
end goes.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

# Seconds in which a connection says what it asks for, and without a further byte of what it sends
PATIENCE = 15.0


def patch(patience: float = PATIENCE) -> None:
    """Look at each connection from time to time.

    Parameters
    ----------
    patience : float
        Seconds after which a connection is looked at; it is ended after twice as many at the
        latest.
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
        if (
            transport.is_closing() or transport.get_protocol() is not protocol
        ):  # a websocket has its own time limits
            return
        progress = _progress(protocol)
        if progress is not None and progress == before:
            transport.abort()
        else:
            protocol.loop.call_later(patience, look, protocol, progress)

    AutoHTTPProtocol.connection_made = connection_made  # type: ignore
    AutoHTTPProtocol.data_received = data_received  # type: ignore


def _progress(protocol: Any) -> tuple[object, int] | None:
    """Return how far a connection has come with sending; None while it waits for the server."""
    request = protocol.cycle
    if (
        request is None or request.response_complete
    ):  # single bytes of a head that never ends are no progress
        return request, 0
    waits = not request.more_body or protocol.flow.read_paused
    return None if waits else (request, protocol.n_received)
