"""Two runs side by side: pin one, and choose what stands beside it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboard.catalogue import CATALOGUE
from dashboard.pairs import rival_link
from dashboard.pin import ON, with_next_seed, with_pin
from dashboard.settings import PIN
from dashboard.traits import SCREEN
from dashboard.view import View
from dmlib.datasets import Table
from ui.session import current_session
from ui.widgets import WidgetForm

HELP = (
    "The pinned run stays at the left, and one player moves both. Two data sets: pin the run, then"
    " choose others under *Data*."
)


def compare(view: View, form: WidgetForm) -> None:
    """Show what can be compared with the run on the screen."""
    technique = view.technique
    st.caption(HELP)
    with form.row():
        label = "Pin this run" if view.pinned is None else "Pin again"
        form.button("compare.pin", label, lambda settings: with_pin(technique, settings, ON))
        form.button(
            "compare.seed", "Another seed", lambda settings: with_next_seed(technique, settings)
        )
        if view.pinned is not None:
            form.button("compare.unpin", "Unpin", lambda settings: settings.without(PIN))
    _methods_link(view)
    rivals, link = technique.rivals(), rival_link(view)
    if not rivals:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = f"{technique.slug}.rival"
        st.selectbox(
            "Compare with", rivals, key=key, format_func=lambda name: CATALOGUE[name].title
        )
        st.button(
            "Show side by side", key="compare.go", type="primary", on_click=_open, args=(key, link)
        )


def _methods_link(view: View) -> None:
    """Show a link to the table of methods, with the data on the screen."""
    table = view.data.table
    if isinstance(table, Table):
        rows = table.name if view.data.source == "library" else SCREEN
        st.page_link(
            "pages/methods.py",
            label="Which method suits these data?",
            icon=":material/rule:",
            help="",
            query_params={"rows": rows},
        )


def _open(key: str, link: Mapping[str, list[str]]) -> None:
    """Open the chosen technique beside the pinned run; a callback.

    A click may come with a choice that no run of the page has seen yet.
    """
    current_session().next_page = st.session_state[key], link
