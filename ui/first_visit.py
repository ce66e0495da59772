"""The line under the title: what the technique does, and on the first visit an example to open."""

from __future__ import annotations

import streamlit as st

from dashboard.presets import Preset
from dashboard.technique import Technique
from dashboard.text import literal
from ui.session import current_session
from ui.widgets import WidgetForm, apply_change

# Streamlit makes texts visible again
FADED = "<style>.st-key-example * { visibility: hidden !important; }</style>"


def introduce(technique: Technique, form: WidgetForm) -> None:
    """Say what the technique does, and offer an example until something is changed."""
    example = _example(technique, form)
    has_summary = form.is_visible("about")
    if not (has_summary or example):  # an empty line would take its place too
        return
    with st.container(
        key="introduction", horizontal=True, vertical_alignment="center", gap="small"
    ):
        if has_summary:
            st.caption(literal(technique.entry.summary), width="content")
        if example:
            _offer(technique, example)


def _example(technique: Technique, form: WidgetForm) -> Preset | None:
    """Return the preset to begin with, if one is to be offered: not the one that is open."""
    session = current_session()
    if session.tried_page != technique.slug or not form.is_visible("presets", "note"):
        return None
    return next(preset for preset in technique.presets if preset.slug != technique.opening)


def _offer(technique: Technique, preset: Preset) -> None:
    """Show a button that opens a preset, and one that takes both away."""
    with st.container(
        key="example", horizontal=True, width="content", vertical_alignment="center", gap="xxsmall"
    ):
        st.button(
            f"Open an example: {literal(preset.title)}",
            key="example.open",
            icon=":material/lightbulb:",
            on_click=lambda: apply_change(
                lambda settings: technique.with_preset(settings, preset.slug)
            ),
        )
        st.button(
            "Dismiss",
            key="example.dismiss",
            type="tertiary",
            icon=":material/close:",
            on_click=_dismiss,
        )


def fade_when_used() -> None:
    """Let the offer fade, and keep its place, so that nothing else moves."""
    session = current_session()
    if session.tried_page and session.is_used:
        st.html(FADED)


def _dismiss() -> None:
    """Take the offer away; a callback."""
    current_session().tried_page = ""
