"""A change is answered by the whole page where a part of it would not answer all that was said.

If a newer Streamlit fails this: find where a session takes the browser's request for a part, and
ask for the whole page there; delete the file if a request for an unknown part is no longer dropped.
"""

from types import SimpleNamespace

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import Serialized, WStates

from ui.streamlit_private.fragments import patch

LESSON, PLAY = "lesson.slider", "play.slider"


def metadata(name):
    return WidgetMetadata(
        id=name,
        deserializer=lambda value: value,
        serializer=lambda value: value,
        value_type="int_value",
        fragment_id=name.split(".")[0],
    )


def client_state(part, **values):
    """Return what the browser says of widgets, with a request for a part of the page."""
    state = ClientState(fragment_id=part)
    for name, value in values.items():
        widget = state.widget_states.widgets.add()
        widget.id, widget.int_value = name.replace("_", "."), value
    return state


@pytest.fixture
def ask(monkeypatch):
    """Return a function that gives the part that is run of a page with two parts."""
    requests = []
    monkeypatch.setattr(
        AppSession, "request_rerun", lambda _, request: requests.append(request.fragment_id)
    )
    patch()
    state = SessionState()
    heard = client_state("", lesson_slider=1, play_slider=1).widget_states.widgets
    about = {name: metadata(name) for name in (LESSON, PLAY)}
    state._new_widget_state = WStates({widget.id: Serialized(widget) for widget in heard}, about)
    session = SimpleNamespace(session_state=state, has_fragment={"play", "lesson"}.__contains__)

    def request(part, **values):
        AppSession.request_rerun(session, client_state(part, **values))
        return requests[-1]

    return request


def test_what_one_part_says_that_part_answers(ask):
    assert ask("play", play_slider=2, lesson_slider=1) == "play"


def test_what_two_parts_say_the_page_answers(ask):
    assert ask("play", play_slider=2, lesson_slider=2) == ""


def test_a_part_that_the_session_does_not_know_is_answered_by_the_page(ask):
    assert ask("another", play_slider=2) == ""
