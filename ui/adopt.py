"""Adopting a preset: from the menu in the title line, or from a link in the lesson; the link of the page follows."""

from __future__ import annotations

import streamlit as st

from dmlib.params import Choice
from ui.data.baskets import TICKS
from ui.data.graph import GRAPH
from ui.data.patterns import PATTERNS
from ui.data.points import POINTS
from ui.data.series_pair import CURVES
from ui.data.surface import FORMULA
from ui.data.words import WORDS
from ui.first_visit import LASTING, offer, to_try
from ui.links import kept, shown
from ui.presets import Preset, slug_of
from ui.stage import jump
from ui.technique import Technique
from ui.text import literal
from ui.tools.place_centers import PLACES
from ui.tools.tool import LAST_FRAME

STEP = "step"
"""Name in the link of the frame that is shown; a preset whose claim is not seen at the end names
one."""
MADE = {PLACES, POINTS, GRAPH, CURVES, TICKS, FORMULA, PATTERNS, WORDS}
SHARED = {
    "source",
    "data",
    "generator",
    "task",
    "scaling",
    "seed",
    "test",
    "known",
    "query",
    "point",
    STEP,
    *MADE,
}
"""Names that a link has on every page."""
LASTING_ENDS = (".stage", ".tab", ".open", ".serial", ".rev", ".presets")
"""What a preset leaves alone too, in the session."""
LOOK_FOR = "look_for"
"""Name in the link of the preset whose note is shown."""
ADOPTED = "adopted"
"""In the session until the whole page was made with a preset: the data change with it."""


def preset_menu(technique: Technique) -> None:
    """Offer the presets."""
    if technique.presets and shown("presets"):
        key = f"{technique.slug}.presets"
        st.menu_button(
            "Try this",
            [preset.title for preset in technique.presets],
            key=key,
            icon=":material/lightbulb:",
            on_click=lambda: adopt(technique, slug_of(st.session_state[key])),
        )


def look_for(technique: Technique) -> None:
    """Say in one line what to look for in the preset that is on; at first, what to try."""
    first = to_try(technique)
    by_slug = {preset.slug: preset for preset in technique.presets}
    slug = kept(f"{technique.slug}.{LOOK_FOR}", Choice(("", *by_slug)).parse, "")
    # It is there in every run: an element that comes and goes above the stage would have it built
    # anew.
    with st.container():
        if preset := by_slug.get(slug):
            st.container(key="looking").caption(
                f"**{literal(preset.title)}** · {literal(preset.look_for)}"
            )
        elif first:
            offer(first, lambda: adopt(technique, first.slug))


def adopt(technique: Technique, slug: object) -> None:
    """Do what opening the preset's link would do: all that it does not name gets its default. A callback.

    What the browser sends is not trusted: a preset that is not there changes nothing.
    """
    preset = next((preset for preset in technique.presets if preset.slug == slug), None)
    if preset is None:
        return
    for key in [str(key) for key in st.session_state]:
        if key not in LASTING and not key.endswith(LASTING_ENDS):
            del st.session_state[key]
    link = {name: st.query_params.get_all(name) for name in st.query_params if name in LASTING}
    st.query_params.from_dict(link | link_of(technique.slug, preset))
    st.session_state[ADOPTED] = True
    jump(technique.slug, preset.settings.get(STEP, LAST_FRAME))


def opens_with(technique: Technique) -> dict[str, list[str]]:
    """Return what a link would say of that with which a page opens; nothing if it opens with its defaults."""
    preset = next(
        (preset for preset in technique.presets if preset.slug == technique.opening), None
    )
    return link_of(technique.slug, Preset("", "", preset.settings)) if preset else {}


def link_of(slug: str, preset: Preset) -> dict[str, list[str]]:
    """Return what the preset's link says, under the names that settings have in a link.

    Examples
    --------
    >>> link_of("kmeans", Preset("Wine", "", {"data": "wine", "n_clusters": 3}))
    {'data': ['wine'], 'kmeans.n_clusters': ['3'], 'kmeans.look_for': ['wine']}
    """
    settings = dict(preset.settings) | ({LOOK_FOR: preset.slug} if preset.slug else {})
    return {
        name if "." in name or name in SHARED else f"{slug}.{name}": [
            str(part) for part in (value if isinstance(value, list) else [value])
        ]
        for name, value in settings.items()
    }
