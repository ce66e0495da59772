"""Presets: the menu in the title line, and the line below it that says what to look for."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard.preset_settings import differs_from_preset
from dashboard.presets import LOOK_FOR, Preset, slug_of
from dashboard.technique import Technique
from dashboard.text import literal
from dashboard.view import View
from ui.first_visit import introduce
from ui.session import current_session, widget_value
from ui.widgets import WidgetForm, apply_change

# The note stands outside of what reruns while something is changed: a style reaches it.
CHANGED = (
    "<style>.st-key-looking [data-testid=stCaptionContainer] { opacity: 0.7; } "
    '.st-key-looking [data-testid=stCaptionContainer] p::before { content: "Changed since: "; } '
    ".stApp .st-key-looking-again { display: flex; visibility: visible; }</style>"
)


def preset_menu(technique: Technique, form: WidgetForm) -> None:
    """Offer the presets."""
    if technique.presets and form.is_visible("presets"):
        key = f"{technique.slug}.presets"
        st.menu_button(
            "Try this",
            [preset.title for preset in technique.presets],
            key=key,
            icon=":material/lightbulb:",
            on_click=lambda: _adopt(technique, widget_value(key)),
        )


def _adopt(technique: Technique, title: str) -> None:
    """Adopt the preset of a title; a callback."""
    apply_change(lambda settings: technique.with_preset(settings, slug_of(title)))


def note_below_title(technique: Technique, form: WidgetForm) -> None:
    """Say what to look for in the preset that is on; without one, what the technique does."""
    preset = form.value(f"{technique.slug}.{LOOK_FOR}", partial(_preset_of, technique), None)
    # It is there in every run: an element that comes and goes above the stage would have it built
    # anew.
    with st.container():
        if preset and form.is_visible("looking"):
            _say_what_to_look_for(technique, preset)
        elif preset is None:
            introduce(technique, form)


def _preset_of(technique: Technique, slug: str) -> Preset:
    """Return the preset that a link names."""
    preset = next((preset for preset in technique.presets if preset.slug == slug), None)
    if preset is None:
        raise ValueError("This page has no such example.")
    return preset


def _say_what_to_look_for(technique: Technique, preset: Preset) -> None:
    """Show the note of a preset, and a button that adopts it again, hidden until it is needed."""
    with st.container(key="looking", horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(f"**{literal(preset.title)}** · {literal(preset.look_for)}", width="content")
        st.button(
            "Back to it",
            key="looking.again",
            type="tertiary",
            icon=":material/undo:",
            on_click=_adopt,
            args=(technique, preset.title),
        )


def mark_changed_preset(view: View) -> None:
    """Say beside the note of a preset that something was changed since, and offer the way back."""
    if differs_from_preset(view.technique, view.settings, current_session().names):
        st.html(CHANGED)
