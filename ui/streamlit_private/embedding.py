"""Whether a link asks for a page within another one: Streamlit keeps ``embed`` to itself.

``st.query_params`` leaves the name out, and ``st.context.is_embedded`` knows ``embed=true`` alone,
with which Streamlit's page also leaves out parts of its own.

Written against Streamlit 1.67. Without it ``embed=1`` is ignored, and ``embed=true`` does the same.
"""

from __future__ import annotations

from urllib.parse import parse_qs

import streamlit as st

from ui.switches import is_on


def is_embedded() -> bool:
    """Return whether the link says ``embed=1`` or ``embed=true``."""
    if not is_on("embedding"):
        return bool(st.context.is_embedded)
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx(suppress_warning=True)
    texts = parse_qs(context.query_string).get("embed", []) if context else []
    return texts[-1:] in (["1"], ["true"])
