"""The quiet bar: share, code, download, projector."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard.data.kind import Chosen
from dashboard.export import notebook, script
from dashboard.technique import Technique
from dashboard.view import View
from dmlib.neural.weights import weights_json
from dmlib.params import Flag
from dmlib.pictures.encode import ledger_csv
from dmlib.pictures.run import AnyRun
from dmlib.pictures.scene import Scene
from ui.share import page_address, share
from ui.widgets import WidgetForm
from ui.worksheet import offer_worksheets


def bar(view: View, form: WidgetForm) -> None:
    """Show the bar; what is in its popovers is made when they are opened."""
    if not form.is_visible("bar"):
        return
    technique, run, data = view.technique, view.run, view.data
    with st.container(horizontal=True, width="content", vertical_alignment="center", gap="xsmall"):
        with _popover("Share", ":material/link:") as popover:
            if popover.open:
                is_own = data.source == "upload" and form.settings.text("sample") is None
                share(is_own, technique.practice is not None)
        if form.is_visible("code"):
            with _popover("Code", ":material/code:", disabled=run is None) as popover:
                if popover.open and run is not None:
                    _code(technique, run, data)
        if form.is_visible("download"):
            with _popover("Download", ":material/download:") as popover:
                if popover.open:
                    _download(technique, run, view.scene, data)
                    if technique.practice is not None and run is not None:
                        offer_worksheets(view, page_address())
        form.control("projector", Flag(), False, label="Projector")


def _popover(label: str, icon: str, disabled: bool = False) -> Any:
    return st.popover(
        label,
        icon=icon,
        help=label,
        on_change="rerun",
        key=f"bar.{label.lower()}",
        disabled=disabled,
    )


def _code(technique: Technique, run: AnyRun, data: Chosen) -> None:
    source = script(technique, run, data.code)
    with st.container(horizontal=True):
        st.download_button(
            "Python script", source, f"{technique.slug}.py", "text/x-python", on_click="ignore"
        )
        st.download_button(
            "Notebook",
            notebook(source),
            f"{technique.slug}.ipynb",
            "application/x-ipynb+json",
            on_click="ignore",
        )
    st.code(source, language="python", height=420)


def _download(technique: Technique, run: AnyRun | None, scene: Scene, data: Chosen) -> None:
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
    st.caption(
        "Pictures (PNG, SVG) and a playable page (HTML) are under “Save picture” on the stage."
    )
