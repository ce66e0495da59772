"""Answers while a control moves: one picture, sent straight to the stage.

A change that goes through Streamlit makes the browser look at the whole page again, which takes
longer than to compute the picture (docs/decisions/0014). While a control moves the stage therefore
asks here, for the picture that it shows and no other. Nothing of the session is changed: what is
asked is computed on a copy of its state. The change itself goes through Streamlit once the control
rests. Meanwhile the stage may ask ahead, for what a key is likely to choose next; it is answered
while nobody waits for anything else.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from secrets import token_urlsafe
from typing import Any
from weakref import WeakValueDictionary

import streamlit as st
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from streamlit.logger import get_logger
from streamlit.runtime.scriptrunner import add_script_run_ctx, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.scriptrunner_utils.script_run_context_attr import (
    SCRIPT_RUN_CONTEXT_ATTR_NAME as CONTEXT,
)
from streamlit.runtime.scriptrunner_utils.shared_run_state import SharedRunState
from streamlit.runtime.state import SafeSessionState, SessionState

from dmlib.trace import watch
from ui.links import query
from ui.load import TURNS, GaveWay

KEY = "live"  # in the session
LONGEST = 4096  # bytes of a question
PATIENCE = 10.0  # seconds in which it must have come
TOKEN_BYTES = 16
Answer = Callable[[Mapping[str, Any]], bytes | None]


@dataclass(eq=False)
class Live:
    """What one session is asked while a control moves.

    Attributes
    ----------
    token : str
        Known to the session's browser alone.
    answer : callable
        Returns the picture for what the stage says; None if it is to ask Streamlit.
    context : ScriptRunContext
        Of the session's last run.
    state, link : dict
        The session as that run has left it, and its link.
    """

    token: str
    answer: Answer
    context: ScriptRunContext
    state: dict[str, Any]
    link: dict[str, list[str]]

    def ask(self, message: Mapping[str, Any]) -> bytes | None:
        """Return the picture for what the stage says; None if it is to ask Streamlit. Changes nothing."""
        thread = threading.current_thread()
        before = getattr(thread, CONTEXT, None)
        add_script_run_ctx(thread, self._apart())
        try:
            for name, value in self.state.items():
                st.session_state[name] = _copied(value)
            st.query_params.from_dict(self.link)
            return self.answer(message)
        finally:
            setattr(thread, CONTEXT, before)

    def _apart(self) -> ScriptRunContext:
        """Return a context with a state of its own, whose messages go nowhere."""
        state = SafeSessionState(SessionState(), lambda: None)
        return replace(
            self.context,
            session_state=state,
            _enqueue=lambda _: None,
            script_requests=None,
            shared=SharedRunState(),
            cursors={},
        )


def _copied(value: Any) -> Any:
    """Return a copy of what grows.

    It is built anew: Streamlit's own copy of what a component has said writes into the session that
    it came from.
    """
    return next((kind(value) for kind in (dict, set, list) if isinstance(value, kind)), value)


_LIVE: WeakValueDictionary[str, Live] = WeakValueDictionary()
"""By token; they live in their sessions."""


def offer(answer: Answer) -> str:
    """Let the stage of this session ask; return the token with which it does."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return ""
    known: Live | None = st.session_state.get(KEY)
    state = {name: value for name, value in st.session_state.to_dict().items() if name != KEY}
    live = Live(
        known.token if known else token_urlsafe(TOKEN_BYTES), answer, context, state, query()
    )
    st.session_state[KEY] = _LIVE[live.token] = live
    return live.token


class TooLongError(Exception):
    """A question is longer than any stage asks."""


async def respond(request: Request) -> Response:
    """Answer a stage over HTTP: with a picture, or with nothing if it is to ask Streamlit."""
    # What is still to come of a question that is given up is not read: the connection ends.
    close = {"Connection": "close"}
    try:
        question = await _question(request)
    except TooLongError:
        return Response(status_code=413, headers=close)
    except (TimeoutError, ClientDisconnect):
        return Response(status_code=204, headers=close)
    message = _decoded(question)
    token = message.get("token")
    live = _LIVE.get(token) if isinstance(token, str) else None
    if live is None:
        return Response(status_code=204)
    return Response(
        await asyncio.to_thread(_in_turn, live, message) or b"",
        media_type="application/octet-stream",
    )


async def _question(request: Request) -> bytes:
    """Return what a stage has sent; no more than a question's length is ever read."""
    length = request.headers.get("Content-Length", "")
    if length.isdecimal() and int(length) > LONGEST:
        raise TooLongError
    question = b""
    async with asyncio.timeout(PATIENCE):
        async for part in request.stream():
            question += part
            if len(question) > LONGEST:
                raise TooLongError
    return question


def _decoded(question: bytes) -> dict[str, Any]:
    """Return the fields of a question; none of what is no question."""
    try:
        message = json.loads(question)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def _in_turn(live: Live, message: Mapping[str, Any]) -> bytes | None:
    ahead = message.get("ahead") is True  # nobody waits for the answer yet
    if not ahead:
        TURNS.take()
    elif not TURNS.take_ahead():
        return None
    watch(TURNS.pass_on)
    try:
        return live.ask(message)
    except GaveWay:
        return None
    except Exception:
        # Streamlit's own run meets the same error, and tells the reader.
        get_logger(__name__).debug("No live answer", exc_info=True)
        return None
    finally:
        TURNS.leave()
