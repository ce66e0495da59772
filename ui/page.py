"""The one page body: title and bar, presets and data, the part that plays, and what is below."""

from __future__ import annotations

import streamlit as st

from dmlib.params import Flag
from ui.bar import bar
from ui.below import below
from ui.compute import TRACES, finish_long_run
from ui.controls import control, peek
from ui.data_panel import SEED, data_panel
from ui.drawing import PLACES, POINTS
from ui.links import NOTICES, follow_history, remember_link, shown
from ui.navigation import use_page_list
from ui.play import WHOLE, jump, play
from ui.technique import Technique


def show(technique: Technique) -> None:
    """Show the page of a technique."""
    use_page_list()
    follow_history(technique.slug)
    if peek("projector", Flag(), False):
        # Streamlit sizes everything in rem: one rule on the root enlarges the whole page.
        st.html("<style>html { font-size: 125%; }</style>")
    head = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")
    head.title(technique.entry.title, anchor=False, width="content")
    picture, side = st.columns([3.4, 1], gap="medium")
    with side:
        _presets(technique)
        chosen = data_panel(technique)
        # Not with the parameters: data are made and sampled with it too, so that it concerns the whole page.
        control("seed", SEED, 0, label="Seed", help_text="The same seed gives the same random numbers.")
    finish_long_run(picture.empty())
    st.session_state[WHOLE] = True
    # While points are drawn every change is one of the data. Fragment and page would take turns, and where the one
    # overtakes the other in Streamlit's queue of messages, the stage is taken away for a moment (Streamlit 1.67).
    part = play if chosen.source == "draw" else st.fragment(play)
    run, scene = part(technique, chosen, picture, side.container())
    with head:
        bar(technique, run, scene, chosen)
    if shown("below"):
        below(technique, run)
    st.session_state[NOTICES] = []
    remember_link(technique.slug)


def _presets(technique: Technique) -> None:
    """Offer the presets, and say what to look for in the one that is on."""
    if not technique.presets or not shown("presets"):
        return
    st.menu_button(
        "Try this",
        [preset.title for preset in technique.presets],
        key=f"{technique.slug}.presets",
        icon=":material/lightbulb:",
        width="stretch",
        on_click=_adopt_preset,
        args=(technique,),
    )
    title = st.session_state.get(f"{technique.slug}.looking")
    for preset in technique.presets:
        if preset.title == title:
            st.info(preset.look_for, title=preset.title)


def _adopt_preset(technique: Technique) -> None:
    """Do what opening the preset's link would do: all that it does not name gets its default. A callback."""
    title = st.session_state[f"{technique.slug}.presets"]
    preset = next(preset for preset in technique.presets if preset.title == title)
    for key in [str(key) for key in st.session_state]:
        if key not in LASTING and not key.endswith(LASTING_ENDS):
            del st.session_state[key]
    link = {name: st.query_params.get_all(name) for name in st.query_params if name in LASTING}
    for name, value in preset.settings.items():
        key = name if "." in name or name in SHARED else f"{technique.slug}.{name}"
        link[key] = [str(part) for part in value] if isinstance(value, list) else [str(value)]
    st.query_params.from_dict(link)
    st.session_state[f"{technique.slug}.looking"] = title
    jump(technique, 0)


SHARED = {"source", "data", "generator", "scaling", "seed", "test", "query", "point", PLACES, POINTS}
"""Names that a link has on every page."""
LASTING = {"hide", "projector", "upload", TRACES}
LASTING_ENDS = (".stage", ".tab", ".open", ".serial", ".rev", ".presets")
"""What a preset leaves alone."""
