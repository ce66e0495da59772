"""Let a visitor leave while something is being sent, to either side.

Streamlit 1.67 takes what it reads next for a frame of text, and closes the connection that is
closed already: the log got a traceback. It got one as well for each upload that was given up.

Written against Streamlit 1.67. Without it the log has these tracebacks.
"""

from __future__ import annotations

from contextlib import suppress

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnected

from ui.switches import is_on


def let_go(inner: ASGIApp) -> ASGIApp:
    """Take it for no error that a visitor has left."""
    if not is_on("disconnects"):
        return inner

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        with suppress(WebSocketDisconnected, ClientDisconnect):
            await inner(scope, receive, send)

    return answer
