"""Runs of the app: what is refused late is refused as what is refused at once."""

from unittest import mock

from streamlit.testing.v1 import AppTest

import dashboard.runs
import ui.work
from tests.visit import session_of
from ui.progress import DRAWING

PAGE = """
import streamlit as st
from sklearn.base import BaseEstimator
from dmlib.trace import look
from dashboard.runs import UnfinishedRun, trace_of
from ui.progress import finish_long_run
from ui.session import current_session


class Late(BaseEstimator):
    def steps(self, X, y=None):
        yield "a step"
        look()
        raise ValueError("There is no such path.")


session = current_session()
finish_long_run(st.empty())
try:
    trace_of(session.memory, Late(), [1, 2])
except UnfinishedRun as run:
    session.unfinished = run.key, run.running
    st.rerun()
except ValueError as error:
    st.write(f"Refused: {error}")
"""


def test_a_run_that_is_refused_when_it_has_become_long_is_told_so():
    ticks = iter(range(10**6))
    clock = mock.Mock(return_value=lambda: 0.3 * next(ticks))
    with mock.patch.object(dashboard.runs, "CLOCK", clock):
        page = AppTest.from_string(PAGE).run(timeout=600)
        assert [error.message for error in page.exception] == []
        assert [text.value for text in page.markdown] == ["Refused: There is no such path."]
        assert session_of(page).running is None  # the steps of its progress are large
        assert [text.value for text in page.run(timeout=600).markdown] == [
            "Refused: There is no such path."
        ]


WAITING = """
import streamlit as st
from sklearn.base import BaseEstimator
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
import ui.work
from dmlib.trace import Running, look
from ui.progress import finish_long_run
from ui.session import current_session


class Waiting(BaseEstimator):
    def steps(self, X, y=None):
        yield "a step"
        if not ui.work.LOOKS:  # as a button does
            get_script_run_ctx().script_requests.request_rerun(RerunData())
        for _ in range(100):
            ui.work.LOOKS.append(1)
            look()


if not ui.work.LOOKS:
    current_session().unfinished = "key", Running(Waiting(), [1, 2])
finish_long_run(st.empty())
"""


def test_a_run_that_waits_for_others_can_be_stopped_before_its_first_progress():
    """The clock of its work stands meanwhile, and progress is told by that clock."""
    with mock.patch.object(ui.work, "LOOKS", [], create=True) as looks:
        with mock.patch.object(ui.work, "INTERVAL", -1.0):
            page = AppTest.from_string(WAITING).run(timeout=600)
        assert [error.message for error in page.exception] == []
        assert len(looks) == 1
        _, running = session_of(page).running
        assert running.steps == ["a step"]


def test_the_end_of_a_long_run_says_that_its_picture_is_drawn():
    with mock.patch.object(ui.work, "LOOKS", [], create=True):
        source = WAITING.replace("get_script_run_ctx().", "0 and get_script_run_ctx().")
        page = AppTest.from_string(source).run(timeout=600)
    assert [text.value for text in page.caption] == [DRAWING]
    assert [button.label for button in page.button] == []
