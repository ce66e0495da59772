"""How the server's connections send, and how long they may stay silent."""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from streamlit import net_util
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from uvicorn.protocols.http.auto import AutoHTTPProtocol

# Seconds in which a connection says what it asks for, and without a further byte of what it sends
PATIENCE = 15.0


def send_at_once() -> None:
    """Let every connection send what is written at once.

    asyncio does so for sockets that name their protocol, and Streamlit's does not: the body of an
    answer then waits until the browser has acknowledged the head, which takes it 40 ms.
    docs/decisions/0017 has numbers.
    """
    made = AutoHTTPProtocol.connection_made

    def connection_made(protocol: Any, transport: asyncio.Transport) -> None:
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        made(protocol, transport)

    AutoHTTPProtocol.connection_made = connection_made  # type: ignore


class Mailbox:
    """Calls of one session for the server's loop, which is woken once for several.

    Parameters
    ----------
    wake : callable
        Lets the loop call a function soon; called from any thread.
    """

    def __init__(self, wake: Callable[[Callable[[], None]], object]) -> None:
        self._wake, self._calls = wake, deque[Callable[[], None]]()
        self._is_due = False

    def put(self, call: Callable[[], None]) -> None:
        """Let the loop make a call after those that were put in before."""
        self._calls.append(call)
        if not self._is_due:
            self._is_due = True
            self._wake(self.empty)

    def empty(self) -> None:
        """Make all calls, in their order; one that fails keeps none of the others back."""
        self._is_due = False  # first, so that what is put in from now on wakes the loop again
        try:
            while self._calls:
                self._calls.popleft()()
        finally:
            if self._calls and not self._is_due:
                self._is_due = True
                self._wake(self.empty)


def send_together() -> None:
    """Let the messages of a run wake the server's loop once, and not each by itself.

    An answer has about ten of them. Streamlit 1.67 wakes the loop twice for each, and each time the
    loop looks at all sessions. docs/decisions/0009 has numbers.
    """
    call_soon, enqueued = AppSession._call_soon_on_event_loop, Runtime._enqueued_some_message

    def call_together(session: Any, call: Callable[[], None]) -> None:
        mailbox = vars(session).get("mailbox")
        if mailbox is None:
            mailbox = session.mailbox = Mailbox(partial(call_soon, session))
        mailbox.put(call)

    def enqueued_some_message(runtime: Any) -> None:
        need = runtime._get_async_objs().need_send_data
        if need.is_set():  # the loop has yet to look, and will see this message too
            return
        if asyncio._get_running_loop() is runtime._get_async_objs().eventloop:
            need.set()
        else:
            enqueued(runtime)

    AppSession._call_soon_on_event_loop = call_together  # type: ignore
    Runtime._enqueued_some_message = enqueued_some_message  # type: ignore


def ask_no_foreign_host() -> None:
    """Let no visitor make the server ask other hosts for its own addresses.

    Streamlit 1.67 does, with all visitors waiting for seconds, when a connection names an origin
    that it does not know. Pages of the server's own host are allowed without.
    """
    net_util.get_external_ip = net_util.get_internal_ip = lambda: None


def end_silent(patience: float = PATIENCE) -> None:
    """End connections that ask for nothing, or stop in the middle, without a line in the log.

    uvicorn 0.54 waits for a first request for ever, and for a request's body too. Its own time
    limit is for what comes after an answer, and one byte ends it.

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
