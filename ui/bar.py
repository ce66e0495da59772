"""The quiet bar: share, code, download, class, projector."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard.export import notebook, source_of
from dashboard.view import View
from dmlib.neural.weights import weights_json
from dmlib.params import Flag
from dmlib.pictures.encode import ledger_csv
from ui.compare import compare
from ui.outputs import offer_outputs
from ui.session import current_session
from ui.share import page_address, share
from ui.switches import is_on
from ui.widgets import WidgetForm
from ui.worksheet import offer_worksheets

ROOMS_NEED = ("component", "live", "origin")
INVITATION = "Open a room: phones follow this page, and answer questions about it."


def bar(view: View, form: WidgetForm) -> None:
    """Show the bar; what is in its popovers is made when they are opened."""
    if not form.is_visible("bar"):
        return
    technique, run, data = view.technique, view.run, view.data
    with st.container(horizontal=True, width="content", vertical_alignment="center", gap="xsmall"):
        if form.is_visible("compare"):
            icon = ":material/compare_arrows:"
            with _popover("Compare", icon, disabled=run is None) as popover:
                if popover.open:
                    compare(view, form)
        with _popover("Share", ":material/link:") as popover:
            if popover.open:
                is_own = data.source == "upload" and form.settings.text("sample") is None
                share(is_own, technique.practice is not None)
        if form.is_visible("code"):
            with _popover("Code", ":material/code:", disabled=run is None) as popover:
                if popover.open and run is not None:
                    _code(technique.slug, source_of(view))
        if form.is_visible("download"):
            with _popover("Download", ":material/download:") as popover:
                if popover.open:
                    _download(view)
                    if technique.practice is not None and run is not None:
                        offer_worksheets(view, page_address())
        _class_button(form)
        form.control("projector", Flag(), False, label="Projector")


def has_rooms(form: WidgetForm) -> bool:
    """Return whether a class can follow this page."""
    return form.is_visible("bar") and form.is_visible("class") and all(map(is_on, ROOMS_NEED))


def _class_button(form: WidgetForm) -> None:
    if has_rooms(form):
        icon = ":material/groups:"
        st.button("Class", key="bar.class", icon=icon, help=INVITATION, on_click=_call_class)


def _call_class() -> None:
    """Have the browser open a room; a callback."""
    current_session().n_class_calls += 1


def _popover(label: str, icon: str, disabled: bool = False) -> Any:
    return st.popover(
        label,
        icon=icon,
        help=label,
        on_change="rerun",
        key=f"bar.{label.lower()}",
        disabled=disabled,
    )


def _code(slug: str, source: str) -> None:
    with st.container(horizontal=True):
        st.download_button(
            "Python script", source, f"{slug}.py", "text/x-python", on_click="ignore"
        )
        st.download_button(
            "Notebook",
            notebook(source),
            f"{slug}.ipynb",
            "application/x-ipynb+json",
            on_click="ignore",
        )
    st.code(source, language="python", height=420)


def _download(view: View) -> None:
    technique, run, scene, data = view.technique, view.run, view.picture, view.data
    st.download_button(
        "Hand-check sheet: the ledger of all steps (CSV)",
        lambda: ledger_csv(scene.frames),
        f"{technique.slug}_ledger.csv",
        "text/csv",
        on_click="ignore",
    )
    if data.table is not None:
        table = data.table
        st.download_button(
            "The data (CSV)",
            lambda: data.kind.csv(table),
            f"{table.name}.csv",
            "text/csv",
            on_click="ignore",
        )
    if technique.weights and run is not None:
        st.download_button(
            "The weights (JSON)",
            weights_json(run.fitted, technique.weights),
            f"{technique.slug}_weights.json",
            "application/json",
            on_click="ignore",
            help="In Python a run starts from them: init=json.loads(...).",
        )
    offer_outputs(view)
    st.caption(
        "Pictures (PNG, SVG), moving ones (GIF, WebM) and a playable page (HTML) are under “Save"
        " picture” on the stage."
    )
