"""What the server writes goes out at once, also on the kind of socket that Streamlit binds."""

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest
import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from ui.connections import send_at_once


async def answer(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


async def delays(listening):
    """Serve one request; return whether the server's end of the connection may hold back what is written."""
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
        send_at_once()
        with ThreadPoolExecutor(1) as thread:  # a browser test may have a loop in this one
            assert not thread.submit(lambda: asyncio.run(delays(listening))).result()
