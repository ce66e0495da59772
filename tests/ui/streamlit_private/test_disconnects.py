"""Who leaves while something is sent, to either side, leaves no traceback.

If a newer Streamlit fails this: look which exception the log has now where a visitor leaves, and
let that go; delete the file if it has none.
"""

import asyncio
from types import SimpleNamespace

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.websockets import WebSocket, WebSocketDisconnected
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.web.server.starlette.starlette_websocket import create_websocket_handler

from tests.loops import in_a_loop
from ui.streamlit_private.disconnects import let_go


def test_a_body_that_is_given_up_would_be_an_error():
    async def read(scope, receive, _send):
        await Request(scope, receive).body()

    async def abandoned():
        async def receive():
            return {"type": "http.disconnect"}

        scope = {"type": "http", "method": "POST", "headers": []}
        with pytest.raises(ClientDisconnect):  # else nothing need be done about it
            await read(scope, receive, None)
        await let_go(read)(scope, receive, None)

    in_a_loop(abandoned())


async def _leaves_while_something_is_sent(scope, _receive, _send):
    """Streamlit's end of a connection of which the other end is gone when a message is sent."""
    clients, kinds = [], iter(["websocket.connect", "websocket.receive", "websocket.receive"])

    async def receive():
        kind = next(kinds)
        if clients:
            clients[0].write_forward_msg(ForwardMsg())
            await asyncio.sleep(0)  # the message is on its way
        return {"type": kind, "bytes": b""}

    async def send(message):
        if message["type"] == "websocket.send":
            raise OSError

    def connect(client, **_settings):
        clients.append(client)
        return "session"

    runtime = SimpleNamespace(
        connect_session=connect,
        handle_backmsg=lambda *_args, **_settings: None,
        disconnect_session=lambda *_args, **_settings: None,
    )
    await create_websocket_handler(runtime)(WebSocket(scope, receive, send))


def test_who_leaves_while_something_is_sent_leaves_no_traceback():
    scope = {
        "type": "websocket",
        "headers": [(b"host", b"localhost")],
        "path": "/_stcore/stream",
        "query_string": b"",
    }

    with pytest.raises(WebSocketDisconnected):  # else nothing need be done about it
        in_a_loop(_leaves_while_something_is_sent(scope, None, None))
    in_a_loop(let_go(_leaves_while_something_is_sent)(scope, None, None))
