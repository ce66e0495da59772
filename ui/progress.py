"""A long run with its progress, and a button that stops it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dashboard import runs
from dashboard.pin import HALF
from dashboard.settings import PIN
from dmlib.engine import brief
from dmlib.trace import Trace
from ui.session import current_session
from ui.work import work_of_session

DRAWING = "The run has ended. Its picture is drawn …"


def finish_long_run(slot: Any) -> None:
    """Go on with an unfinished run, with its progress and a button that stops it.

    The button belongs to the whole page: what belongs to a fragment has to wait for the run in
    hand. At the end ``slot`` says that the picture is drawn, which may take as long; the page
    empties it.
    """
    session = current_session()
    if session.unfinished is None:
        return
    (key, running), session.unfinished = session.unfinished, None
    seconds = runs.DEADLINE * (HALF if session.settings.get(PIN) else 1)  # a pair has as much
    deadline = seconds * (1 + running.seconds // seconds)
    box = slot.container(horizontal=True, vertical_alignment="center")
    box.button("Stop", key="stop", on_click=_stop, icon=":material/stop_circle:")
    message = box.empty()
    # Who stops it before its first progress has its steps too.
    session.running = key, running

    def progress(steps: Sequence[Any]) -> None:
        message.caption(
            f"Running: {len(steps)} steps so far. The run stops by itself after {deadline:g}"
            " seconds."
        )

    try:
        with brief(), work_of_session():
            session.memory.keep(key, running.go(deadline, progress=progress, clock=runs.CLOCK()))
    except (
        ValueError
    ) as error:  # refused late: it is refused by who asks, as what is refused at once
        session.memory.keep(key, str(error))
    session.running = None
    slot.caption(DRAWING)


def go_on_with(key: str) -> None:
    """Let the page continue a run that was stopped; a callback."""
    session = current_session()
    trace = session.memory.traces.get(key)
    if isinstance(trace, Trace) and trace.rest is not None:
        session.unfinished = key, trace.rest


def _stop() -> None:
    """Keep the steps that a running algorithm has made so far as its trace; a callback."""
    session = current_session()
    if session.running is None:
        return
    (key, running), session.running = session.running, None
    session.memory.keep(key, running.trace(f"You stopped the run at step {len(running.steps)}."))
