"""A connection that falls silent is ended; one that sends or waits is not.

If a newer Streamlit fails this: look what uvicorn calls the request of a connection and how much of
it has come; delete the file if uvicorn has a time limit for the first request and for a body.
"""

import asyncio
import contextlib
import socket

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import Response
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from tests.loops import in_a_loop
from ui.streamlit_private.disconnects import let_go
from ui.streamlit_private.silence import patch


async def answer(scope, receive, send):
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]}
    )
    await send({"type": "http.response.body", "body": b"ok"})


async def echo(scope, receive, send):
    """Answer with what was sent, once all of it has come."""
    await Response(await Request(scope, receive).body())(scope, receive, send)


@contextlib.asynccontextmanager
async def served(app):
    """Serve an app; give its port."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_level="warning"))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0)
        yield listening.getsockname()[1]
        server.should_exit = True
        await serving


async def remaining(app, *parts):
    """Send parts one after the other; return the response until the server ends the connection."""
    async with served(app) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        body = b""
        with contextlib.suppress(ConnectionError):
            for part in parts:
                writer.write(part)
                await asyncio.sleep(0.01)
            body = await asyncio.wait_for(reader.read(), 60)
        writer.close()
        return body


@pytest.fixture
def impatient(monkeypatch):
    """A server that ends silent connections soon."""
    for name in ("connection_made", "data_received"):
        monkeypatch.setattr(AutoHTTPProtocol, name, getattr(AutoHTTPProtocol, name))
    patch(0.05)


HEAD = b"POST / HTTP/1.1\r\nHost: here\r\n"


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "parts",
    [
        [],
        [b"POST"],
        [HEAD],
        [
            bytes([byte]) for byte in HEAD
        ],  # a head that comes byte by byte does not come to its end either
        [HEAD + b"Content-Length: 5\r\n\r\n"],
        [HEAD + b"Content-Length: 5\r\n\r\n", b"two"],
        [HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"5\r\n"],
    ],
)
def test_a_connection_that_falls_silent_is_ended_without_a_word(parts, capfd):
    assert in_a_loop(remaining(let_go(echo), *parts)) == b""
    assert capfd.readouterr().err == ""


@pytest.mark.usefixtures("impatient")
def test_a_body_that_comes_slowly_is_answered():
    parts = [
        HEAD + b"Content-Length: 40\r\nConnection: close\r\n\r\n",
        *[b"a"] * 40,
    ]  # takes eight times as long
    answer = in_a_loop(remaining(echo, *parts))
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"a" * 40)


@pytest.mark.usefixtures("impatient")
def test_whoever_waits_for_the_server_is_not_ended():
    async def slow(scope, receive, send):
        await asyncio.sleep(0.5)  # ten times as long as silence is borne
        await answer(scope, receive, send)

    request = b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"
    assert in_a_loop(remaining(slow, request)).endswith(b"ok")
