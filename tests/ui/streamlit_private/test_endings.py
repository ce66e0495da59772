"""The last words of a run are sent before the next one begins.

If a newer Streamlit fails this: find where a session begins a run beside one that is ending, and
begin it only after the loop has come to what that has said; delete the file if Streamlit waits by
itself.
"""

import asyncio
from functools import partial
from unittest import mock

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

from tests.loops import in_a_loop
from ui.streamlit_private.endings import patch


def session_of(runner, sent):
    """Return a session whose runner is ending; it puts down what it sends."""
    session = mock.MagicMock(_scriptrunner=runner, _state=AppSessionState.APP_IS_RUNNING)
    session._event_loop = asyncio.get_running_loop()
    session._script_event_loop.is_closed.return_value = False
    session._enqueue_forward_msg = sent.append
    for name in (
        "_create_scriptrunner",
        "_call_soon_on_event_loop",
        "_handle_scriptrunner_event_on_event_loop",
    ):
        setattr(session, name, partial(getattr(AppSession, name), session))
    return session


@pytest.fixture
def runners(monkeypatch):
    """Return the runners that sessions begin, which hear each other out."""
    begun = []
    monkeypatch.setattr(
        app_session,
        "ScriptRunner",
        lambda **settings: begun.append(mock.Mock(**settings)) or begun[-1],
    )
    monkeypatch.setattr(AppSession, "_create_scriptrunner", AppSession._create_scriptrunner)
    patch()
    return begun


def test_what_an_ending_run_has_said_is_sent_before_the_next_one_begins(runners):
    ending, sent = mock.Mock(), []
    ending.request_rerun.return_value = False

    async def ask():
        session = session_of(ending, sent)
        message = ForwardMsg(ref_hash="the picture")
        AppSession._on_scriptrunner_event(
            session, ending, ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, forward_msg=message
        )
        for fragment in ("play", "lesson"):
            AppSession.request_rerun(session, ClientState(fragment_id=fragment))
        await asyncio.sleep(0)
        assert session._scriptrunner is runners[0]
        return message

    assert [in_a_loop(ask())] == sent
    (runner,) = runners
    runner.start.assert_called_once_with()
    assert runner.initial_rerun_data.fragment_id == "play"
    (rerun,) = runner.request_rerun.call_args.args
    assert rerun.fragment_id == "lesson"


def test_a_session_that_is_closed_meanwhile_begins_nothing(runners):
    ending = mock.Mock()
    ending.request_rerun.return_value = False

    async def ask():
        session = session_of(ending, [])
        AppSession.request_rerun(session, ClientState(fragment_id="play"))
        session._state = AppSessionState.SHUTDOWN_REQUESTED
        await asyncio.sleep(0)

    in_a_loop(ask())
    assert runners == []
