"""Back and Forward within a page are known as such, and nothing else is.

If a newer Streamlit fails this: look how a run is told that the browser asked for it by Back or
Forward; delete the file if it is documented by now.
"""

from types import SimpleNamespace

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext

from tests.visit import sound, visit
from ui.streamlit_private.history import is_history_navigation

CONTEXT = "streamlit.runtime.scriptrunner.get_script_run_ctx"


def test_the_browser_says_so_and_a_run_knows():
    assert "is_history_navigation" in ClientState.DESCRIPTOR.fields_by_name
    assert "is_history_navigation" in ScriptRunContext.__dataclass_fields__


@pytest.mark.parametrize("is_back", [True, False])
def test_a_run_is_asked_for_by_back_or_not(is_back, monkeypatch):
    context = SimpleNamespace(is_history_navigation=is_back)
    monkeypatch.setattr(CONTEXT, lambda **_: context)
    assert is_history_navigation() is is_back


def test_without_a_run_nobody_has_gone_back():
    assert not is_history_navigation()


def test_without_it_a_page_has_the_settings_that_it_says(monkeypatch):
    page = sound(visit("kmeans", **{"kmeans.n_clusters": "5"}))
    monkeypatch.setattr("ui.streamlit_private.history.is_on", lambda _: False)
    context = SimpleNamespace(is_history_navigation=True, query_string="")
    monkeypatch.setattr(CONTEXT, lambda **_: context)
    assert not is_history_navigation()
    page.query_params["kmeans.n_clusters"] = "7"
    assert sound(page.run()).query_params["kmeans.n_clusters"] == "5"
