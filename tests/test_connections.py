"""The server writes without delay on all kinds of sockets; silent clients are disconnected."""

import asyncio
import contextlib
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
import uvicorn
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from streamlit import net_util
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from server import let_go
from ui.connections import Mailbox, ask_no_foreign_host, end_silent, send_at_once


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
        send_at_once()
        with ThreadPoolExecutor(1) as thread:  # a browser test may have a loop in this one
            assert not thread.submit(lambda: asyncio.run(delays(listening))).result()


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
    end_silent(0.05)


def in_a_loop(work):
    with ThreadPoolExecutor(1) as thread:  # a browser test may have a loop in this one
        return thread.submit(lambda: asyncio.run(work)).result()


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


def test_a_body_that_is_given_up_would_be_an_error():
    async def abandoned():
        async def receive():
            return {"type": "http.disconnect"}

        scope = {"type": "http", "method": "POST", "headers": []}
        with pytest.raises(ClientDisconnect):  # else nothing need be done about it
            await echo(scope, receive, None)
        await let_go(echo)(scope, receive, None)

    in_a_loop(abandoned())


def test_an_unknown_origin_makes_the_server_ask_nobody(monkeypatch):
    requests = []
    for name in ("get_external_ip", "get_internal_ip"):
        monkeypatch.setattr(net_util, name, getattr(net_util, name))
    monkeypatch.setattr(
        net_util, "_make_blocking_http_get", lambda *_args, **_settings: requests.append(1)
    )
    monkeypatch.setattr(net_util, "_external_ip", None)
    foreign = "https://elsewhere.example", "localhost:8501"
    assert not _is_origin_allowed(*foreign)
    assert requests  # else nothing need be done about it
    requests.clear()
    ask_no_foreign_host()
    assert not _is_origin_allowed(*foreign)
    assert requests == []


# Messages of a run


def test_several_calls_wake_the_loop_once_and_keep_their_order():
    woken, calls = [], []
    mailbox = Mailbox(woken.append)
    for i in range(10):
        mailbox.put(partial(calls.append, i))
    assert (len(woken), calls) == (1, [])
    woken.pop()()
    assert calls == list(range(10))


def test_a_call_that_puts_in_another_has_it_made_too():
    woken, calls = [], []
    mailbox = Mailbox(woken.append)
    mailbox.put(lambda: mailbox.put(partial(calls.append, "second")))
    for wake in woken:  # grows meanwhile
        wake()
    assert calls == ["second"]


def test_a_call_that_fails_keeps_none_back():
    woken, calls = [], []
    mailbox = Mailbox(woken.append)
    mailbox.put(lambda: 1 / 0)
    mailbox.put(partial(calls.append, "second"))
    with pytest.raises(ZeroDivisionError):
        woken.pop()()
    woken.pop()()
    assert calls == ["second"]


def test_calls_from_many_threads_are_all_made():
    async def count():
        loop, calls = asyncio.get_running_loop(), []
        mailbox = Mailbox(loop.call_soon_threadsafe)

        def put(thread):
            for i in range(500):
                mailbox.put(partial(calls.append, (thread, i)))

        with ThreadPoolExecutor(8) as pool:
            await asyncio.gather(*(loop.run_in_executor(pool, put, thread) for thread in range(8)))
        while len(calls) < 4000:
            await asyncio.sleep(0)
        return calls

    calls = asyncio.run(count())
    for thread in range(8):
        assert [i for caller, i in calls if caller == thread] == list(range(500))
