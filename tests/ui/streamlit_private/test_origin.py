"""The live route answers to the pages that the websocket answers to.

If a newer Streamlit fails this: find the rule by which its websocket accepts an origin, and ask
that; delete the file if it is documented by now.
"""

import pytest
from starlette.requests import Request

from ui.streamlit_private.origin import is_own


def request(origin):
    headers = [(b"host", b"localhost:8501"), (b"origin", origin.encode())]
    return Request({"type": "http", "method": "POST", "headers": headers})


@pytest.mark.parametrize(
    ("origin", "own"),
    [("http://localhost:8501", True), ("http://elsewhere.example", False), ("null", False)],
)
def test_a_page_of_this_server_is_its_own(origin, own, monkeypatch):
    for name in ("get_external_ip", "get_internal_ip"):
        monkeypatch.setattr(f"streamlit.net_util.{name}", lambda: None)
    assert is_own(request(origin)) is own


def test_without_the_rule_no_page_is(monkeypatch):
    monkeypatch.setattr("ui.streamlit_private.origin.is_on", lambda _: False)
    assert not is_own(request("http://localhost:8501"))
