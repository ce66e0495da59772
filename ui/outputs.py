"""Results to download: the reader's own table with new columns, and the fitted model."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard.outputs import Outputs, model_files, offers_outputs, outputs
from dashboard.runs import answering
from dashboard.text import literal
from dashboard.view import View
from dmlib.outputs import settings_table, sheet_refusal, to_excel, to_parquet
from dmlib.spreadsheet import to_csv
from dmlib.trace import OutOfTime
from ui.work import work_of_session

SECONDS = 20.0  # in which all rows of a table are predicted
EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PARQUET = "application/vnd.apache.parquet"


def offer_outputs(view: View) -> None:
    """Offer the data with what the run says of each row, and the model; computed when asked for."""
    if view.run is None:
        return
    if not view.run.trace.complete:  # to fit the model could take far longer than its budget
        st.caption("The run was stopped early, so there are no results to download.")
        return
    with st.container(horizontal=True):
        wants_rows = offers_outputs(view) and st.button(
            "Results for all rows",
            key="outputs.rows",
            icon=":material/table_view:",
            help="The data with the results of the run as new columns: CSV, Excel, Parquet.",
        )
        wants_model = st.button(
            "Fitted model",
            key="outputs.model",
            icon=":material/data_object:",
            help=(
                "As JSON; trees, rules, short ensembles and linear models as Python too, rules and"
                " formulas as text; a network as BIF."
            ),
        )
    try:
        with answering("This result", "Choose a smaller table.", SECONDS), work_of_session():
            if wants_rows:
                _row_files(f"{view.technique.slug}_results", outputs(view))
            if wants_model:
                _model_files(view.technique.slug, model_files(view))
    except (ValueError, OutOfTime) as error:
        st.error(literal(str(error)))


def _model_files(slug: str, files: dict[str, tuple[str, str]]) -> None:
    with st.container(horizontal=True):
        for label, (suffix, text) in files.items():
            _button(label, text, f"{slug}_model{suffix}", "text/plain")


def _row_files(name: str, result: Outputs) -> None:
    """Show what is in the files, and offer them."""
    size = f"{len(result.frame):,} rows and {result.frame.shape[1]:,} columns."
    st.caption(literal(f"{size} {result.sentence}"))
    offer_table(result, name)


def offer_table(result: Outputs, name: str, script: tuple[str, str, str] | None = None) -> None:
    """Offer a table and its settings as files, and perhaps a script: label, code and file."""
    frame, settings = result.frame, result.settings
    refusal = sheet_refusal(frame)
    with st.container(horizontal=True):
        _button("CSV", lambda: to_csv(frame), f"{name}.csv", "text/csv")
        if not refusal:
            _button("Excel", lambda: to_excel(frame, settings), f"{name}.xlsx", EXCEL)
        _button("Parquet", lambda: to_parquet(frame, settings), f"{name}.parquet", PARQUET)
        _button(
            "Settings (CSV)",
            lambda: to_csv(settings_table(settings)),
            f"{name}_settings.csv",
            "text/csv",
        )
        if script:
            _button(*script, "text/x-python")
    if refusal:
        st.caption(literal(refusal))
    st.caption("Excel has the settings on a second sheet, Parquet in its metadata.")


def _button(label: str, data: str | Callable[[], str | bytes], name: str, mime: str) -> None:
    st.download_button(label, data, name, mime, on_click="ignore")
