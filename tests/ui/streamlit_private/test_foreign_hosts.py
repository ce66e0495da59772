"""A connection of an unknown origin makes the server ask no other host.

If a newer Streamlit fails this: find what asks for the server's own addresses now and let it find
none; delete the file if nothing asks.
"""

from streamlit import net_util
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed

from ui.streamlit_private.foreign_hosts import patch


def test_an_unknown_origin_makes_the_server_ask_nobody(monkeypatch):
    requests = []
    for name in ("get_external_ip", "get_internal_ip"):
        monkeypatch.setattr(net_util, name, getattr(net_util, name))
    monkeypatch.setattr(
        net_util, "_make_blocking_http_get", lambda *_args, **_settings: requests.append(1)
    )
    monkeypatch.setattr(net_util, "_external_ip", None)
    foreign = "https://elsewhere.example", "localhost:8501"
    assert not _is_origin_allowed(*foreign)
    assert requests  # else nothing need be done about it
    requests.clear()
    patch()
    assert not _is_origin_allowed(*foreign)
    assert requests == []
