"""One line on what to try, the first time in a session that a page is open and as long as nothing on it is changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from ui.compute import TRACES
from ui.links import WRITTEN, query, shown
from ui.presets import Preset
from ui.technique import Technique
from ui.text import literal

SEEN, TRYING, OPENED = "first.seen", "first.trying", "first.opened"
LASTING = {"hide", "projector", "upload", "prepared", TRACES, SEEN}
"""What a preset leaves alone, in the link and in the session."""
# Streamlit makes texts visible again
USED = "<style>.st-key-trying * { visibility: hidden !important; }</style>"


def arrive(slug: str) -> None:
    """Take note of a page that is opened, before it says anything in its link."""
    if st.session_state.get(WRITTEN, ("",))[0] != slug:
        seen = st.session_state.setdefault(SEEN, set())
        st.session_state[TRYING] = None if slug in seen or _settings(query()) else slug
        st.session_state[OPENED] = None
        seen.add(slug)


def to_try(technique: Technique) -> Preset | None:
    """Return the preset to begin with, if it is to be offered."""
    if used():
        st.session_state[TRYING] = None
    wanted = st.session_state[TRYING] == technique.slug and shown("presets") and shown("note")
    return (
        next((preset for preset in technique.presets if "start" in preset.tags), None)
        if wanted
        else None
    )


def used() -> bool:
    """Return whether anything of the page is not as it opened, the place of the player apart.

    A page may open with settings in its link: the data of the page before.
    """
    page, written = st.session_state.get(WRITTEN, ("", {}))
    if page != st.session_state[TRYING]:
        return False  # it is opening
    if st.session_state[OPENED] is None:
        st.session_state[OPENED] = _settings(written)
    return bool(_settings(query()) != st.session_state[OPENED])


def _settings(link: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {name: values for name, values in link.items() if name not in LASTING | {"step"}}


def offer(preset: Preset, adopt: Callable[[], None]) -> None:
    """Show the line: the preset as a button, its first sentence, and a button that takes the line away."""
    sentence = preset.look_for.split(". ")[0].rstrip(".") + "."
    with st.container(key="trying", horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.button(
            f"Try: {literal(preset.title)}",
            key="trying.adopt",
            type="tertiary",
            icon=":material/lightbulb:",
            on_click=adopt,
        )
        st.caption(literal(sentence), width="content")
        st.button("Dismiss", key="trying.dismiss", type="tertiary", on_click=_dismiss)


def leave_when_used() -> None:
    """Let the line fade, in a run of the part that plays alone: it keeps its place, so that nothing else moves."""
    if st.session_state.get(TRYING) and used():
        st.html(USED)


def _dismiss() -> None:
    st.session_state[TRYING] = None
