"""The live route: answers while a control moves, each one picture, sent straight to the stage.

A change that goes through Streamlit makes the browser look at the whole page again, which takes
longer than to compute the picture (docs/decisions/0014). While a control moves the stage therefore
asks here, for the picture that it shows and no other: the view of the settings with the change.
Nothing of the session is changed; the change itself goes through Streamlit once the control rests.
Meanwhile the stage may prefetch what a key is likely to choose next; it is answered while nobody
waits for anything else.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from secrets import token_urlsafe
from typing import Any
from weakref import WeakValueDictionary

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from dashboard.data.fields import Field
from dashboard.data.kind import Chosen
from dashboard.data.points import POINTS, point_fields
from dashboard.data.table import Table
from dashboard.messages import natural_number
from dashboard.pairs import PREFIX
from dashboard.panel import Panel
from dashboard.pinned import moved_pinned
from dashboard.practice import Asking
from dashboard.runs import Memory, UnfinishedRun
from dashboard.settings import Settings
from dashboard.tools.tool import Page
from dashboard.view import View, changed_settings, view
from dmlib.trace import watch
from ui.body import TooLongError, read
from ui.load import TURNS, Preempted
from ui.session import current_session
from ui.streamlit_private.log import logger
from ui.switches import is_on

MAX_QUESTION = 4096  # bytes
TOKEN_BYTES = 16
ALL = Asking(predicts=True)
COLLECTED_CLASSES = 2  # among which a phone chooses for its point
STANDS = ""  # the name of what moves, where it is no parameter of the page


@dataclass(eq=False)
class Live:
    """The page of a session, as it is asked for while a control moves.

    Attributes
    ----------
    token : str
        Known to the session's browser alone.
    page : Page
        The page that is shown.
    panel : Panel
        Its controls.
    data : Chosen
        Its data.
    settings : Settings
        What it is set to.
    memory : Memory
        What the session has computed.
    pinned : View or None
        The run that is pinned.
    """

    token: str
    page: Page
    panel: Panel
    data: Chosen
    settings: Settings
    memory: Memory
    pinned: View | None = None

    def answer(self, message: Mapping[str, Any]) -> bytes | None:
        """Return the picture for what the stage says; None if it is to ask Streamlit.

        A run that is not done in a moment is left to Streamlit, which shows its progress.
        """
        if message.get("asks") is True:
            return self.offer()
        technique, changed = self.page.technique, message.get("changed")
        settings = self.panel.change(self.settings, changed)
        settings = changed_settings(self.page, self.data, settings, message.get("moved"))
        name = str(changed.get("name")) if isinstance(changed, dict) else ""
        moving = name.removeprefix(f"{technique.slug}.")
        pinned, memory = self.pinned, self.memory.copy()
        try:
            if pinned is not None and name.startswith(PREFIX):
                moving_pinned = name.removeprefix(f"{PREFIX}{pinned.technique.slug}.")
                pinned, moving = moved_pinned(pinned, settings, memory, moving_pinned), STANDS
            answer = view(technique, settings, self.data, memory, moving=moving, pinned=pinned)
        except UnfinishedRun:
            return None
        if not answer.fits:
            return None
        number = natural_number(message.get("number")) or 0
        return answer.still(natural_number(message.get("at")), number)

    def offer(self) -> bytes | None:
        """Return what a class can be asked about the run, and what it can collect, as JSON.

        None while the run is not done.
        """
        technique = self.page.technique
        try:
            page_view = view(
                technique, self.settings, self.data, self.memory.copy(), pinned=self.pinned
            )
        except UnfinishedRun:
            return None
        quiz, run = None, page_view.run
        if technique.practice is not None and run is not None:
            quiz = ALL.packed(technique.practice, run, page_view.picture)
        questions = quiz["questions"] if quiz else []
        reader, _ = self.data.kind.with_file(self.settings)
        offer = {
            "questions": questions,
            "points": self._point_fields(),
            "rows": self.data.kind.fields(self.data) if reader else [],
            "reader": reader,
        }
        return json.dumps(offer).encode()

    def _point_fields(self) -> list[Field]:
        """Return the fields of a point that is drawn; none where none are."""
        kind = self.data.kind
        spec = kind.offers(replace(self.data, source="draw"), self.settings).get("edit")
        if not spec or spec["base"] != POINTS:
            return []
        is_labelled = isinstance(kind, Table) and kind.labelled and len(spec["classes"]) > 1
        return point_fields(spec["classes"][:COLLECTED_CLASSES] if is_labelled else [])


_LIVE: WeakValueDictionary[str, Live] = WeakValueDictionary()
"""By token; they live in their sessions."""


def offer(page: Page, panel: Panel, data: Chosen, pinned: View | None) -> str:
    """Let the stage of this session ask; return the token with which it does."""
    if not is_on("live"):
        return ""
    session = current_session()
    token = session.live.token if session.live else token_urlsafe(TOKEN_BYTES)
    live = Live(token, page, panel, data, session.settings, session.memory, pinned)
    session.live = _LIVE[token] = live
    return token


async def respond(request: Request) -> Response:
    """Answer a stage over HTTP: with a picture, or with nothing if it is to ask Streamlit."""
    # What is still to come of a question that is given up is not read: the connection ends.
    close = {"Connection": "close"}
    try:
        question = await read(request, MAX_QUESTION)
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


def _decoded(question: bytes) -> dict[str, Any]:
    """Return the fields of a question; none of what is no question."""
    try:
        message = json.loads(question)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def _in_turn(live: Live, message: Mapping[str, Any]) -> bytes | None:
    is_prefetch = message.get("ahead") is True  # nobody waits for the answer yet
    if not is_prefetch:
        TURNS.take()
    elif not is_on("prefetch") or not TURNS.take_ahead():
        return None
    watch(TURNS.pass_on)
    try:
        return live.answer(message)
    except Preempted:
        return None
    except Exception:
        # Streamlit's own run meets the same error, and tells the reader.
        logger(__name__).debug("No live answer", exc_info=True)
        return None
    finally:
        TURNS.leave()
