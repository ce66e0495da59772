"""Runs of the app: what is refused late is refused as what is refused at once."""

from unittest import mock

from streamlit.testing.v1 import AppTest

import ui.compute

PAGE = """
import streamlit as st
from sklearn.base import BaseEstimator
from dmlib.trace import look
from ui.compute import finish_long_run, trace_of


class Late(BaseEstimator):
    def steps(self, X, y=None):
        yield "a step"
        look()
        raise ValueError("There is no such path.")


finish_long_run(st.empty())
try:
    trace_of(Late(), [1, 2])
except ValueError as error:
    st.write(f"Refused: {error}")
"""


def test_a_run_that_is_refused_when_it_has_become_long_is_told_so():
    ticks = iter(range(10**6))
    clock = mock.Mock(return_value=lambda: 0.3 * next(ticks))
    with mock.patch.object(ui.compute, "CLOCK", clock):
        page = AppTest.from_string(PAGE).run(timeout=600)
        assert [error.message for error in page.exception] == []
        assert [text.value for text in page.markdown] == ["Refused: There is no such path."]
        assert ui.compute.RUNNING not in page.session_state  # the steps of its progress are large
        assert [text.value for text in page.run(timeout=600).markdown] == ["Refused: There is no such path."]
