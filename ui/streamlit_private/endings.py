"""Let a session hear all that a run has said before the next one begins.

Where something is requested while a run's thread is ending, Streamlit 1.67 begins another one at
once, and drops what the first has said and the server's loop has not come to: pictures and parts of
the page that nobody sends again. On a busy machine it was 1 of 200 answers.

Written against Streamlit 1.67. Without it such an answer is lost, and the next change gets one.
"""

from __future__ import annotations

from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner


def patch() -> None:
    """Begin a run when the loop has come to what the one before has said."""
    create = AppSession._create_scriptrunner

    def create_scriptrunner(session: AppSession, request: RerunData) -> None:
        ending = session._scriptrunner
        if ending is None:
            create(session, request)
        else:  # it had said all when it refused: the loop comes to that first
            session._event_loop.call_soon(begin, session, request, ending)

    def begin(session: AppSession, request: RerunData, ending: ScriptRunner) -> None:
        runner = session._scriptrunner
        # Something else was requested just before.
        is_merged = runner not in (None, ending) and runner.request_rerun(request)
        if not is_merged and session._state != AppSessionState.SHUTDOWN_REQUESTED:
            create(session, request)

    AppSession._create_scriptrunner = create_scriptrunner  # type: ignore
