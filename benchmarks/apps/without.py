"""The app of server.py without one thing that the switch does not know, as BENCHMARK_VARIANT says.

Nothing here is a way to run the app: it would be slower.
"""

import gc
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Route

import dashboard.computation
import dashboard.runs
import server
import ui.lesson
import ui.load
import ui.play
from dashboard.runs import Memory, trace_of
from ui.streamlit_private.disconnects import let_go

app = st.App(
    Path(server.__file__).with_name("app.py"),
    lifespan=server.lifespan,
    middleware=[Middleware(let_go), Middleware(server.files)],
    routes=[Route("/live", server.live, methods=["POST"])],
)


def no_memory() -> None:
    """Compute each run and its picture anew."""

    def trace_anew(memory: Memory, *arguments: Any, **named: Any) -> Any:
        memory.traces.clear()
        memory.last = None
        return trace_of(memory, *arguments, **named)

    setattr(dashboard.computation, "trace_of", trace_anew)  # noqa: B010 - mypy forbids the assignment


def no_drafts() -> None:
    """Learn as long as the settings say, and anew for each length."""
    dashboard.runs._draft = lambda *_: {}
    dashboard.runs._shorten = lambda *_: None


def no_opening() -> None:
    """Compute a page's first picture for each visitor."""
    setattr(ui.play, "opening_of", lambda _: None)  # noqa: B010 - mypy forbids the assignment


def no_delay_of_lessons() -> None:
    """Send the lesson together with the stage."""
    setattr(ui.lesson, "after_the_stage", lambda _: True)  # noqa: B010 - mypy forbids the assignment


def no_freeze() -> None:
    """Let the collector look at all that was imported."""
    warm_up = server.warm_up

    def warm_up_and_unfreeze() -> None:
        warm_up()
        gc.unfreeze()

    server.warm_up = warm_up_and_unfreeze


def no_rests() -> None:
    """Let a run work without rests."""
    ui.load.BREATH = math.inf


VARIANTS: dict[str, Callable[[], None]] = {
    "memory": no_memory,
    "drafts": no_drafts,
    "openings": no_opening,
    "late lessons": no_delay_of_lessons,
    "collector": no_freeze,
    "rests": no_rests,
}
VARIANTS[os.environ["BENCHMARK_VARIANT"]]()
