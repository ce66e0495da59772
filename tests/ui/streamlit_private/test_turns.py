"""A run of a page waits for its turn, and then answers the latest change only.

If a newer Streamlit fails this: find where the thread of a run takes the next request and take the
turn just before; the requests that come meanwhile must still be merged.
"""

from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner_utils.script_requests import (
    RerunData,
    ScriptRequests,
    ScriptRequestType,
)

from tests.turns import PATIENCE, start, until
from ui.load import Turns
from ui.streamlit_private.turns import patch


def asking(number):
    states = WidgetStates()
    state = states.widgets.add()
    state.id, state.int_value = "slider", number
    return RerunData(widget_states=states, fragment_id="play")


def test_a_turn_answers_the_latest_change_only(monkeypatch):
    monkeypatch.setattr(
        ScriptRequests, "on_scriptrunner_ready", ScriptRequests.on_scriptrunner_ready
    )
    turns, answered = Turns(1), []
    patch(turns)
    requests = ScriptRequests()

    def run():
        while (request := requests.on_scriptrunner_ready()).type == ScriptRequestType.RERUN:
            answered.append(request.rerun_data.widget_states.widgets[0].int_value)

    turns.take()
    requests.request_rerun(asking(1))
    thread = start(run)
    until(lambda: turns._waiting)
    for number in (2, 3, 4):
        assert requests.request_rerun(asking(number))
    turns.leave()
    thread.join(PATIENCE)
    assert answered == [4]
    assert turns._having == {}  # the last run has left
