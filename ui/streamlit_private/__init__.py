"""Streamlit's insides: all that the app uses or replaces of them, each in a file of its own.

No other file of the app imports a name that Streamlit does not document. Each file says why it is
there, against which version it was written and what the app is without it; ``DMLIB_WITHOUT`` leaves
it out (:mod:`ui.switches`). Each has a test of the same name that says what to do when a newer
Streamlit has changed what it rests on. docs/streamlit_private.md has the list.
"""

from __future__ import annotations

from importlib import import_module

from ui.switches import is_on

PATCHES = ("nodelay", "silence", "foreign_hosts", "turns", "fragments", "endings")
"""Files that replace something of the running server, in the order in which they do."""


def patch() -> None:
    """Replace what the files replace; once, before the first visitor."""
    for name in PATCHES:
        if is_on(name):
            import_module(f"{__name__}.{name}").patch()
