"""Take a prepared table along to another page, or as a file with its code."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.catalogue import CATALOGUE
from dashboard.export import own_part
from dashboard.outputs import prepared_table
from dashboard.text import literal
from dashboard.view import View
from dmlib.datasets import Table
from dmlib.pictures.run import AnyRun
from ui import prepared
from ui.outputs import offer_table
from ui.session import current_session

TITLE = "Take along"
PREVIEW = 200  # rows
NEXT = (
    "data_overview",
    "missing_values",
    "transformation",
    "discretisation",
    "similarity",
    "pca",
    "kmeans",
    "hierarchical",
    "dbscan",
    "decision_tree",
    "naive_bayes",
    "knn",
    "svm",
    "linear_regression",
)
"""Where one goes on; all other pages that take tables have it under their data."""


def _take(frame: pd.DataFrame, before: Table, code: str, page: str, to: str) -> None:
    """Take the table along. A callback: a run that begins anew would forget the click."""
    prepared.take(frame, before, code, page)
    current_session().next_page = to, {"source": prepared.NAME}


def take_along(view: View, run: AnyRun) -> None:
    """Show the prepared table, and let the reader go on with it."""
    technique, chosen, handed_on = view.technique, view.data, view.technique.prepared
    if handed_on is None or chosen.table is None:
        return
    if not isinstance(chosen.table, Table):
        st.caption("These data are no table, so there is none to take along.")
        return
    table = chosen.table
    result = prepared_table(view)
    frame = result.frame
    title = f'"""The table as {technique.entry.title} prepares it."""'
    code = (
        f"{own_part(title, run, chosen.code)}\n\n# The prepared"
        f" table\n{handed_on.code(run).strip()}\n"
    )
    st.caption(
        f"The whole table as it is prepared now: {len(frame):,} rows and {frame.shape[1]:,}"
        " columns."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pages = [slug for slug in NEXT if slug != technique.slug]
        to = st.selectbox(
            "To the page",
            pages,
            key="taken.to",
            format_func=lambda slug: CATALOGUE[slug].title,
            width=240,
        )
        st.button(
            "Take the prepared table along",
            key="taken.go",
            type="primary",
            icon=":material/arrow_forward:",
            on_click=_take,
            args=(frame, table, code, technique.entry.title, to),
        )
    script = code + 'frame.to_csv("prepared.csv", index=False)\n'
    offer_table(result, "prepared", ("The code that makes it", script, "prepare.py"))
    if note := frame.attrs.get("note"):
        st.caption(note)
    same = [
        name
        for name in table.kinds
        if name in frame and name not in run.problem.features and name != table.target
    ]
    if same:
        st.caption(literal(f"Not prepared, only taken along: {', '.join(same)}."))
    if table.target:
        st.caption(literal(f"The column {table.target!r} stays what is predicted."))
    st.dataframe(
        frame.head(PREVIEW), height=300, hide_index=True, alt="The first rows of the prepared table"
    )
