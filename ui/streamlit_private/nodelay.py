"""Let every connection send what is written at once.

asyncio does so for sockets that name their protocol, and Streamlit's does not: the body of an
answer then waits until the browser has acknowledged the head, which takes it 40 ms.
docs/decisions/0017 has numbers.

Written against Streamlit 1.67 with uvicorn 0.54. Without it answers of the live route come up to
40 ms later.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol


def patch() -> None:
    """Set TCP_NODELAY on each connection as it is made."""
    made = AutoHTTPProtocol.connection_made

    def connection_made(protocol: Any, transport: asyncio.Transport) -> None:
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made(protocol, transport)

    AutoHTTPProtocol.connection_made = connection_made  # type: ignore
