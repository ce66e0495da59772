"""Let the messages of a run wake the server's loop once, and not each by itself.

An answer has about ten of them. Streamlit 1.67 wakes the loop twice for each, and each time the
loop looks at all sessions. docs/decisions/0009 has numbers.

Written against Streamlit 1.67. Without it the server bears fewer visitors.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession


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


def patch() -> None:
    """Give each session a mailbox, and wake the loop for a message only if it sleeps."""
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
