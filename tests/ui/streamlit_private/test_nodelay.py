"""The server writes without delay on all kinds of sockets.

If a newer Streamlit fails this: let what accepts connections set TCP_NODELAY instead, or delete the
file if the answer of a socket that names no protocol comes at once by itself.
"""

import asyncio
import socket

import pytest
import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from tests.loops import in_a_loop
from ui.streamlit_private.nodelay import patch


async def answer(scope, receive, send):
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]}
    )
    await send({"type": "http.response.body", "body": b"ok"})


async def delays(listening):
    """Serve one request; return whether the server's socket may delay what is written."""
    server = uvicorn.Server(uvicorn.Config(answer, lifespan="off", log_level="critical"))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        await asyncio.sleep(0)
    reader, writer = await asyncio.open_connection(*listening.getsockname())
    writer.write(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
    (connection,) = server.server_state.connections
    end = connection.transport.get_extra_info("socket")
    delayed = not end.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    writer.close()
    server.should_exit = True
    await serving
    return delayed


@pytest.mark.parametrize("protocol", [0, socket.IPPROTO_TCP])
def test_a_connection_sends_at_once(protocol, monkeypatch):
    monkeypatch.setattr(AutoHTTPProtocol, "connection_made", AutoHTTPProtocol.connection_made)
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, protocol) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        patch()
        assert not in_a_loop(delays(listening))
