"""The dialog on a reader's file: see what was read, and decide what was guessed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboard.data.guesses import (
    DAY_VALUES,
    DAYS,
    DECIMALS,
    DELIMITERS,
    ENCODINGS,
    GUESS,
    HEADER_VALUES,
    HEADERS,
)
from dashboard.text import literal
from dmlib.datasets import Table
from dmlib.spreadsheet import to_csv
from ui.sent import Sample, SentFile, Upload, send
from ui.session import current_session

PREVIEW = 200  # rows
MAX_NOTES = 100


@st.dialog("What was read", width="large", icon=":material/table_view:")
def what_was_read(current: Upload) -> None:
    """Show what was read of a file, or why it could not be, and what can be decided of it."""
    if current.table is None:
        st.warning(literal(current.refusal))
    else:
        _preview(current.table)
    with st.expander("Decide what was guessed", expanded=current.table is None):
        _decisions(current)
    if current.table is not None:
        _downloads(current.table, current)


def _preview(table: Table) -> None:
    frame = table.frame
    st.caption(
        f"{len(frame):,} rows and {frame.shape[1]:,} columns; the first {min(PREVIEW, len(frame))}"
        " rows:"
    )
    days = {
        name: st.column_config.DateColumn()
        for name, kind in table.kinds.items()
        if kind == "date" and _whole_days(frame[name])
    }
    st.dataframe(frame.head(PREVIEW), height=240, hide_index=True, column_config=days)
    notes = [f"- {literal(note.text)}" for note in table.notes[:MAX_NOTES]]
    if len(table.notes) > MAX_NOTES:
        notes.append(f"- and {len(table.notes) - MAX_NOTES} more")
    st.markdown("\n".join(notes) or "Nothing had to be guessed or repaired.")


def _whole_days(column: Any) -> bool:
    return bool((column.dropna() == column.dropna().dt.normalize()).all())


def _decisions(current: Upload) -> None:
    """Let the reader overrule what was found out, and read the file again."""
    options = current.options
    with st.form("file.options", border=False):
        left_column, right_column = st.columns(2)
        encoding = _select(left_column, "Encoding", ENCODINGS, options.get("encoding"))
        delimiter = _select(right_column, "Separated by", DELIMITERS, options.get("delimiter"))
        header = _select(
            left_column, "The first row holds", HEADERS, _key(HEADER_VALUES, options.get("header"))
        )
        decimal = _select(right_column, "Decimal mark", DECIMALS, options.get("decimal"))
        skip = _rows(left_column, "Lines above the table", options.get("skip"))
        skip_footer = _rows(
            right_column, "Rows below the table", options.get("skip_footer"), "Remarks and sums."
        )
        below = _rows(
            left_column,
            "Rows below the names",
            options.get("below_header"),
            "Units, questions of a survey, points possible.",
        )
        day_first = _select(
            right_column, "1/2/2024 is", DAYS, _key(DAY_VALUES, options.get("day_first"))
        )
        missing = left_column.text_input(
            "Marks of missing values",
            " ".join(options.get("missing", ())),
            placeholder=GUESS,
            max_chars=200,
            help="Separated by blanks, for example: ? -999. An empty cell is always missing.",
        )
        sheet = right_column.text_input(
            "Sheet of a workbook", options.get("sheet", ""), placeholder="the first that is filled"
        )
        block = _rows(
            left_column,
            "Table, of several beside each other",
            options.get("block"),
            "0: all of them as one.",
        )
        if st.form_submit_button("Read the file again", type="primary"):
            decided = {
                "encoding": encoding,
                "delimiter": delimiter,
                "header": HEADER_VALUES[header],
                "below_header": below,
                "block": block,
                "decimal": decimal,
                "day_first": DAY_VALUES[day_first],
                "skip": skip,
                "skip_footer": skip_footer,
                "missing": tuple(missing.split()) or None,
                "sheet": sheet,
            }
            options = {name: value for name, value in decided.items() if value not in (None, "")}
            _read_again(current.file, options)
            st.rerun()


def _read_again(file: Any, options: Mapping[str, Any]) -> None:
    session = current_session()
    if isinstance(file, Sample):
        session.file_options = file.file_id, options
        return
    refusal = session.refusal
    settings = session.settings if refusal is None else refusal.settings
    send(SentFile("read_table", file), settings, options)


def _select(place: Any, label: str, options: Mapping[str, str], value: Any) -> str:
    values = list(options)
    chosen: str = place.selectbox(
        label, values, values.index(value or ""), format_func=options.__getitem__
    )
    return chosen


def _key(values: Mapping[str, Any], option_value: Any) -> str:
    return next(key for key, value in values.items() if value == option_value)


def _rows(place: Any, label: str, value: int | None, explanation: str = "") -> int | None:
    """Let the reader say how many rows are left out; nothing means that they are found out."""
    number: int | None = place.number_input(
        label,
        0,
        10_000,
        value,
        placeholder=GUESS,
        help=f"{explanation} Empty: they are found out.".strip(),
    )
    return number


def _downloads(table: Table, current: Upload) -> None:
    with st.container(horizontal=True):
        st.download_button(
            "Cleaned table (CSV)",
            lambda: to_csv(table.frame),
            "cleaned.csv",
            "text/csv",
            on_click="ignore",
        )
        if len(table.repairs):
            st.download_button(
                f"What was left out or changed, {len(table.repairs):,} in all (CSV)",
                lambda: to_csv(table.repairs),
                "repairs.csv",
                "text/csv",
                on_click="ignore",
            )
        code = current.code + 'table.frame.to_csv("cleaned.csv", index=False)\n'
        st.download_button(
            "The cleaning as Python code", code, "cleaning.py", "text/x-python", on_click="ignore"
        )
