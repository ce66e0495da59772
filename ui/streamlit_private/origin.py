"""Whether a request comes from a page of this server: the websocket's own rule.

The live route answers to the origins that the websocket answers to (``server.allowedHosts``,
``server.corsAllowedOrigins``, docs/security.md); two rules would sooner or later differ.

Written against Streamlit 1.67. Without it the live route answers nobody, and each change goes
through Streamlit.
"""

from __future__ import annotations

from starlette.requests import Request

from ui.switches import is_on


def is_own(request: Request) -> bool:
    """Return whether the page that asks is one of this server."""
    if not is_on("origin"):
        return False
    from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed

    return _is_origin_allowed(request.headers.get("Origin"), request.headers.get("Host"))
