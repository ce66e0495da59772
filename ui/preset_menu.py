"""Presets: the menu in the title line, and the line below it that says what to look for."""

from __future__ import annotations

import streamlit as st

from dashboard.presets import LOOK_FOR, slug_of
from dashboard.technique import Technique
from dashboard.text import literal
from dmlib.params import Choice
from ui.first_visit import introduce
from ui.session import widget_value
from ui.widgets import WidgetForm, apply_change


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
    by_slug = {preset.slug: preset for preset in technique.presets}
    slug = form.value(f"{technique.slug}.{LOOK_FOR}", Choice(("", *by_slug)).parse, "")
    # It is there in every run: an element that comes and goes above the stage would have it built
    # anew.
    with st.container():
        preset = by_slug.get(slug)
        if preset and form.is_visible("looking"):
            st.container(key="looking").caption(
                f"**{literal(preset.title)}** · {literal(preset.look_for)}"
            )
        elif preset is None:
            introduce(technique, form)
