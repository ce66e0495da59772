"""The one page body: title and bar, presets and data, the part that plays, and what is below."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import streamlit as st

from dmlib.params import Flag
from ui.bar import bar as show_bar
from ui.below import below
from ui.compute import finish_long_run
from ui.controls import control, peek
from ui.data.baskets import TICKS
from ui.data.graph import GRAPH
from ui.data.kind import Chosen
from ui.data.points import POINTS
from ui.data.surface import FORMULA
from ui.first_visit import LASTING, offer, to_try
from ui.links import NOTICES, follow_history, remember_link, shown
from ui.navigation import use_page_list
from ui.play import WHOLE, jump, play
from ui.presets import Preset
from ui.technique import Technique
from ui.text import literal
from ui.tools.place_centers import PLACES
from ui.tools.tool import LAST_FRAME, SEED


def show(technique: Technique) -> None:
    """Show the page of a technique."""
    use_page_list()
    follow_history(technique.slug)
    st.html(STYLE)
    if peek("projector", Flag(), False):
        st.html(PROJECTOR)
    head = st.container(horizontal=True, vertical_alignment="center", gap="small", key="head")
    head.title(technique.entry.title, anchor=False, width="content")
    with head:
        chosen = _data(technique)
        _presets(technique)
        bar = st.container(width="content", key="bar")
    _look_for(technique)
    finish_long_run(st.empty())
    st.session_state[WHOLE] = True
    # While points are drawn every change is one of the data. Fragment and page would take turns, and where the one
    # overtakes the other in Streamlit's queue of messages, the stage is taken away for a moment (Streamlit 1.67).
    part = play if chosen.source == "draw" else st.fragment(play)
    run, scene = part(technique, chosen)
    with bar:
        show_bar(technique, run, scene, chosen)
    if shown("below"):
        below(technique, run)
    st.session_state[NOTICES] = []
    remember_link(technique.slug)


def _data(technique: Technique) -> Chosen:
    """Show the data as one line, with a button that opens the panel to choose others."""
    line = st.container(width="content", key="data-line")
    with st.popover("Data", icon=":material/table:", key="bar.data") if shown("data") else nullcontext():
        chosen = technique.data.panel(technique)
        # With the data, and not with the parameters: they are made and sampled with it too.
        control("seed", SEED, 0, label="Seed", help_text="The same seed gives the same random numbers.")
    line.caption(literal(chosen.summary))
    return chosen


def _presets(technique: Technique) -> None:
    """Offer the presets."""
    if technique.presets and shown("presets"):
        st.menu_button(
            "Try this",
            [preset.title for preset in technique.presets],
            key=f"{technique.slug}.presets",
            icon=":material/lightbulb:",
            on_click=_adopt_chosen,
            args=(technique,),
        )


def _look_for(technique: Technique) -> None:
    """Say in one line what to look for in the preset that is on; at first, what to try."""
    first = to_try(technique)
    title = st.session_state.get(f"{technique.slug}.looking")
    looking = next((preset for preset in technique.presets if preset.title == title), None)
    # It is there in every run: an element that comes and goes above the stage would have it built anew.
    with st.container():
        if looking:
            st.container(key="looking").caption(f"**{literal(looking.title)}** · {literal(looking.look_for)}")
        elif first:
            offer(first, lambda: _adopt(technique, first))


def _adopt_chosen(technique: Technique) -> None:
    title = st.session_state[f"{technique.slug}.presets"]
    _adopt(technique, next(preset for preset in technique.presets if preset.title == title))


def _adopt(technique: Technique, preset: Preset) -> None:
    """Do what opening the preset's link would do: all that it does not name gets its default. A callback."""
    for key in [str(key) for key in st.session_state]:
        if key not in LASTING and not key.endswith(LASTING_ENDS):
            del st.session_state[key]
    link = {name: st.query_params.get_all(name) for name in st.query_params if name in LASTING}
    st.query_params.from_dict(link | link_of(technique.slug, preset))
    st.session_state[f"{technique.slug}.looking"] = preset.title
    jump(technique, LAST_FRAME)


def link_of(slug: str, preset: Preset) -> dict[str, list[str]]:
    """Return what the preset's link says, under the names that settings have in a link.

    Examples
    --------
    >>> link_of("kmeans", Preset("", "", {"data": "wine", "n_clusters": 3, "wine.features": ["hue", "ash"]}))
    {'data': ['wine'], 'kmeans.n_clusters': ['3'], 'wine.features': ['hue', 'ash']}
    """
    return {
        name if "." in name or name in SHARED else f"{slug}.{name}": [
            str(part) for part in (value if isinstance(value, list) else [value])
        ]
        for name, value in preset.settings.items()
    }


STYLE = Path(__file__).parent.parent / "assets" / "page.css"
# Streamlit sizes everything in rem: one rule on the root enlarges the page. The navigation gives the picture room.
PROJECTOR = (
    "<style>html { font-size: 125%; } .stAppHeader { display: none; } "
    ".stMainBlockContainer { padding-top: 0.25rem; --dm-top: 0rem; }</style>"
)
MADE = {PLACES, POINTS, GRAPH, TICKS, FORMULA}
SHARED = {"source", "data", "generator", "scaling", "seed", "test", "query", "point", *MADE}
"""Names that a link has on every page."""
LASTING_ENDS = (".stage", ".tab", ".open", ".serial", ".rev", ".presets")
"""What a preset leaves alone too, in the session."""
