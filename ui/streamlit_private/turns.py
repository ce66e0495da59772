"""Let the runs of pages take turns (:mod:`ui.load`, docs/decisions/0009).

A run gets its request when it has its turn, not before: what changes meanwhile is merged by
Streamlit, as it does while a script is at work, so that only the latest values are computed.

Written against Streamlit 1.67. Without it all visitors' runs share the interpreter at once, and
beyond some twenty of them hardly any is finished.
"""

from __future__ import annotations

from streamlit.runtime.scriptrunner_utils.script_requests import (
    ScriptRequest,
    ScriptRequests,
    ScriptRequestType,
)

from dmlib.trace import watch
from ui.load import TURNS, Turns


def patch(turns: Turns = TURNS) -> None:
    """Let each run wait for its turn before it looks at its request."""
    ready = ScriptRequests.on_scriptrunner_ready

    def on_scriptrunner_ready(requests: ScriptRequests) -> ScriptRequest:
        turns.leave()  # of the run before, on this thread
        if requests._state == ScriptRequestType.RERUN:
            turns.take()
            watch(turns.pass_on)
        request = ready(requests)
        if request.type != ScriptRequestType.RERUN:
            turns.leave()
        return request

    ScriptRequests.on_scriptrunner_ready = on_scriptrunner_ready  # type: ignore
