"""Worksheets to print: questions about a run with its pictures, and the key on other pages."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlencode

import streamlit as st

from dashboard.catalogue import ASSETS
from dashboard.form import SEED
from dashboard.opening import FROM_FILES
from dashboard.practice import MAX_QUESTIONS, MIN_QUESTIONS, N_QUESTIONS, OWN, PRACTICE, QUESTIONS
from dashboard.rounds import SEED_NAME, chosen_seed, practice_settings, round_link, view_of
from dashboard.runs import Memory, UnfinishedRun
from dashboard.settings import NO_SETTINGS, PIN, Settings
from dashboard.view import View, view
from ui.share import qr_code

PAPERS = ("A4", "Letter")
MAX_VERSIONS = 30


def versions(
    page_view: View, n_versions: int, size: int, *, small: bool
) -> Iterator[tuple[View, Settings]]:
    """Yield the views that worksheets are about, each with its settings and the next seed.

    Parameters
    ----------
    page_view : View
        What is on the screen: the first version, unless the data are to be small.
    n_versions : int
        How many.
    size : int
        The number of questions of each.
    small : bool
        Whether they are about the data with which the page lets learners practise.
    """
    technique, settings = page_view.technique, page_view.settings
    seed, link = int(settings.text(SEED_NAME) or 0), round_link(technique, settings)
    for _ in range(n_versions):
        if small:
            seed = chosen_seed(technique.slug, seed, link)
            settings = practice_settings(technique, seed, link)
        settings = settings.without(PIN, *NO_SETTINGS).with_text(SEED_NAME, str(seed))
        asks = settings.with_text(PRACTICE, OWN).with_text(QUESTIONS, str(size))
        version = _version(page_view, asks)
        if version is not None and version.run is not None:
            yield version, settings
        seed = (seed + 1) % (SEED.high + 1)


def _version(page_view: View, settings: Settings) -> View | None:
    if page_view.data.source not in FROM_FILES:
        return view_of(page_view.technique, settings)
    try:
        return view(page_view.technique, settings, page_view.data, Memory())
    except UnfinishedRun:
        return None


def worksheet(
    page_view: View, address: str, n_versions: int, size: int, paper: str, *, small: bool
) -> str:
    """Return worksheets as one HTML document, which needs no network to be printed.

    Parameters
    ----------
    page_view : View
        What is on the screen.
    address : str
        That of the page, without settings.
    n_versions, size, small
        Those of :func:`versions`.
    paper : {"A4", "Letter"}
        The size of the pages.
    """
    sheets = [
        _sheet(version, settings, address)
        for version, settings in versions(page_view, n_versions, size, small=small)
    ]
    script = base64.b64encode((ASSETS / "stage.min.js").read_bytes()).decode()
    css, style = ((ASSETS / name).read_text("utf-8") for name in ("stage.css", "worksheet.css"))
    title = html.escape(page_view.technique.entry.title)
    # Names of the reader's own columns may contain what would end a script.
    data = json.dumps(sheets).replace("<", "\\u003c")
    return f"""<!doctype html><html lang="en"><meta charset="utf-8">
<title>{title}: worksheet</title>
<style>{css}{style}@page {{ size: {paper}; margin: 14mm; }}</style><main></main>
<script type="module">
import {{ writeSheets }} from "data:text/javascript;base64,{script}";
writeSheets(document.querySelector("main"), {data});
</script></html>"""


def offer_worksheets(page_view: View, address: str) -> None:
    """Show what decides about worksheets, and the button that downloads them."""
    st.markdown("**Worksheets**, with the key on pages of their own: open the file and print it.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        size = st.number_input(
            "Questions", MIN_QUESTIONS, MAX_QUESTIONS, N_QUESTIONS, key="sheet.questions"
        )
        n = st.number_input("Versions", 1, MAX_VERSIONS, 1, key="sheet.versions")
        paper = st.selectbox("Paper", PAPERS, key="sheet.paper")
    small = st.toggle(
        "Few data, of another seed each",
        value=True,
        key="sheet.small",
        help="Otherwise the first version is about what is on the screen.",
    )
    st.download_button(
        "Worksheets (HTML)",
        lambda: worksheet(page_view, address, n, size, str(paper), small=small),
        f"{page_view.technique.slug}_worksheets.html",
        "text/html",
        on_click="ignore",
    )


def _sheet(version: View, settings: Settings, address: str) -> dict[str, str]:
    link = f"{address}?{urlencode(settings.query(), doseq=True)}"
    # A page is printed on white, at rest, and without what would be moved.
    scene = replace(version.scene, handles=())
    return {
        "title": version.technique.entry.title,
        "data": version.data.summary,
        "seed": settings.text(SEED_NAME) or "0",
        "link": link,
        "qr": qr_code(link),
        "scene": base64.b64encode(replace(version, scene=scene).encoded(0)).decode(),
    }
