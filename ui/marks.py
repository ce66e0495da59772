"""The page for who marks: rounds that were handed in are graded anew, and nothing is kept."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard.handins import MAX_FILES, Class, mark_all
from dashboard.text import literal
from ui.navigation import use_page_list
from ui.page import HOME_STYLE, STYLE

WHAT_TO_DO = """
A round of practice can be saved at its end. Drop the files of your class here: each is graded anew
from its data and its answers, so that a score that was edited is worth nothing. Nothing is kept on
the server.

To set one: on any page choose data and parameters, and take the link under *Share* → *Assignment*.
Each student then has data of their own, which come from the name that they type.
"""
CSV = "text/csv"


def marks() -> None:
    """Show the table of a class, what it got wrong most, and files for gradebooks."""
    use_page_list()
    st.html(STYLE)
    st.html(HOME_STYLE)
    with st.container(key="courses"):
        st.title("Marks", anchor=False)
        st.markdown(WHAT_TO_DO)
        files = st.file_uploader(
            f"Saved rounds, at most {MAX_FILES}",
            type="json",
            accept_multiple_files=True,
            key="marks.files",
        )
        if not files:
            return
        with st.spinner("Grading"):
            results = _graded(tuple((file.name, file.getvalue()) for file in files))
        _results(results)


@st.cache_resource(max_entries=2, show_spinner=False, scope="session")
def _graded(files: tuple[tuple[str, bytes], ...]) -> Class:
    return mark_all(files)


def _results(results: Class) -> None:
    if results.refused:
        lines = "\n".join(f"- {literal(name)}: {literal(why)}" for name, why in results.refused)
        st.warning(f"Not graded:\n{lines}", icon=":material/unknown_document:")
    if not results.marked:
        return
    _table("Everybody", results.table())
    with st.container(horizontal=True):
        _download("For Moodle (CSV)", results.moodle(), "marks_moodle.csv")
        _download("For Canvas (CSV)", results.canvas("dmlib"), "marks_canvas.csv")
    rules = results.misconceptions()
    if len(rules):
        _table("What was misunderstood, and by how many", rules)
    _table("Right answers by topic, in percent", results.topics())


def _table(title: str, table: Any) -> None:
    st.header(title, anchor=False)
    st.dataframe(table, hide_index=True)


def _download(label: str, content: str, name: str) -> None:
    st.download_button(label, content, name, CSV, on_click="ignore")
