"""Whether the visitor has gone back or forward: only the browser knows.

A link that differs from what the app wrote last may as well be one that the browser sent before it
had heard of that: to follow it would undo a change of the visitor.

Written against Streamlit 1.67. Without it Back and Forward lead from page to page, and within a
page to the settings that it has already.
"""

from __future__ import annotations

from ui.switches import is_on


def is_history_navigation() -> bool:
    """Return whether this run of the page was asked for by Back or Forward."""
    if not is_on("history"):
        return False
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation
