"""One line on what to try, on the first visit of a page until something is changed."""

from __future__ import annotations

import streamlit as st

from dashboard.presets import Preset
from dashboard.technique import Technique
from dashboard.text import literal
from ui.session import current_session
from ui.widgets import WidgetForm, apply_change

# Streamlit makes texts visible again
FADED = "<style>.st-key-trying * { visibility: hidden !important; }</style>"


def preset_to_try(technique: Technique, form: WidgetForm) -> Preset | None:
    """Return the preset to begin with, if it is to be offered."""
    session = current_session()
    if session.tried_page != technique.slug or not form.is_visible("presets", "note"):
        return None
    return next((preset for preset in technique.presets if "start" in preset.tags), None)


def offer_preset(technique: Technique, preset: Preset) -> None:
    """Show the preset as a button, its first sentence, and a button that takes the line away."""
    sentence = preset.look_for.split(". ")[0].rstrip(".") + "."
    with st.container(key="trying", horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.button(
            f"Try: {literal(preset.title)}",
            key="trying.adopt",
            type="tertiary",
            icon=":material/lightbulb:",
            on_click=lambda: apply_change(
                lambda settings: technique.with_preset(settings, preset.slug)
            ),
        )
        st.caption(literal(sentence), width="content")
        st.button("Dismiss", key="trying.dismiss", type="tertiary", on_click=_dismiss)


def leave_when_used() -> None:
    """Let the line fade, and keep its place, so that nothing else moves."""
    session = current_session()
    if session.tried_page and session.is_used:
        st.html(FADED)


def _dismiss() -> None:
    """Take the line away; a callback."""
    current_session().tried_page = ""
