"""Run the whole page where the requested part would not answer all messages.

Streamlit 1.67 drops a request for a part that a session does not know: after a restart of the
server the first change of every open page is such a request, and its controls would wait for the
answer for ever. And what is said in several parts while the browser is busy comes as one message,
which asks for the part that spoke first.

Written against Streamlit 1.67. Without it an open page is to be reloaded after a restart, and a
busy browser may have to say a thing twice.
"""

from __future__ import annotations

from contextlib import suppress

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.state.session_state import Serialized, WStates


def patch() -> None:
    """Ask for the whole page where a part alone would not do."""
    request = AppSession.request_rerun

    def request_rerun(session: AppSession, client_state: ClientState | None) -> None:
        if (
            client_state
            and (part := client_state.fragment_id)
            and (not session.has_fragment(part) or _has_other_messages(session, client_state))
        ):
            client_state.fragment_id = ""
        request(session, client_state)

    AppSession.request_rerun = request_rerun  # type: ignore


def _has_other_messages(session: AppSession, client_state: ClientState) -> bool:
    """Return whether a message is for another part of the page than the requested one."""
    state = session.session_state
    keys = state._key_id_mapper.id_key_mapping
    for widget in client_state.widget_states.widgets:
        about = state._new_widget_state.widget_metadata.get(widget.id)
        if (
            about is None
            or about.fragment_id == client_state.fragment_id
            or about.value_type == "file_uploader_state_value"
        ):
            continue
        sent = WStates({widget.id: Serialized(widget)}, {widget.id: about})
        # Unknown yet, or an error that the run meets too and tells the reader
        with suppress(Exception):
            if sent[widget.id] != state._getitem(widget.id, keys.get(widget.id)):
                return True
    return False
