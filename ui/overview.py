"""Reports on a whole table: the types of its columns, their quality, and the cleaning."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.text import literal
from dmlib.datasets import Table
from dmlib.params import Choice, Flag
from dmlib.pictures.run import AnyRun
from dmlib.preprocessing import Cleaning, Profile, guess_attribute, profile
from dmlib.preprocessing.attributes import TYPES, AttributeType
from dmlib.preprocessing.cleaning import HOLES, OUTLIERS
from dmlib.spreadsheet import to_csv
from ui import operator
from ui.sheet import sheet
from ui.widgets import WidgetForm

MAX_TYPED = 30  # columns whose types can be overruled
MAX_ISSUES = 40
VALUES = ("discrete", "continuous")
PREFIX = "data_overview.clean"
OUTLIER_NAMES = {
    "keep": "keep",
    "clip": "move to the fence",
    "missing": "take for missing",
    "drop": "leave out rows",
}
HOLE_NAMES = {
    "keep": "keep",
    "drop": "leave out rows",
    "median": "fill: median or mode",
    "mean": "fill: mean or mode",
}


def columns_report(run: AnyRun, form: WidgetForm) -> None:
    """Show types, which the reader can overrule, issues, and the statistics of each type."""
    if run.table is None:
        return
    if run.table.name == operator.NAME:
        operator.whole_table()
    table_profile = _profile(run, run.table, form)
    holes = sum(column.n_missing for column in table_profile.columns)
    part = "sample" if run.table.name == operator.NAME else "whole table"
    st.caption(
        f"{table_profile.n_rows:,} rows and {len(table_profile.columns):,} columns;"
        f" {holes:,} values missing; {table_profile.n_duplicates:,} rows equal to an earlier one."
        f" These numbers are of the {part}."
    )
    lines = [f"- {literal(issue.text)}" for issue in table_profile.issues[:MAX_ISSUES]]
    if len(table_profile.issues) > MAX_ISSUES:
        lines.append(f"- and {len(table_profile.issues) - MAX_ISSUES} more")
    st.markdown("\n".join(lines) or "There are no missing, repeated, constant or outlying values.")
    alt = "Type, counts and statistics of each column"
    sheet(table_profile.frame(), "columns.csv", hide_index=True, alt=alt)
    st.caption(
        "A cell is empty where the type does not allow the number: names have no median, an order"
        " has no mean."
    )


def cleaning_report(run: AnyRun, form: WidgetForm) -> None:
    """Let the reader choose the cleaning, and download the table and the code."""
    if run.table is None:
        return
    table, table_profile = run.table, _profile(run, run.table, form)
    cleaning = _cleaning(table_profile, form)
    cleaned = cleaning.clean(table.frame)
    st.caption(_difference(table.frame, cleaned))
    with st.container(horizontal=True):
        st.download_button(
            "Cleaned table (CSV)",
            lambda: to_csv(cleaned),
            "cleaned.csv",
            "text/csv",
            on_click="ignore",
        )
        code = (
            f"{run.table_code}frame = table.frame\n\n{cleaning.code()}frame.to_csv('cleaned.csv',"
            " index=False)\n"
        )
        st.download_button(
            "The cleaning as Python code", code, "cleaning.py", "text/x-python", on_click="ignore"
        )
    st.code(code, language="python")
    st.dataframe(
        cleaned.head(200), height=260, hide_index=True, alt="The cleaned table, at most 200 rows"
    )


def _profile(run: AnyRun, table: Table, form: WidgetForm) -> Profile:
    """Return the profile of the whole table with the types that the reader gave, computed once."""
    types: dict[str, AttributeType] = {
        name: "ordinal" for name, kind in table.kinds.items() if kind == "ordinal"
    }
    continuous: dict[str, bool] = {}
    box, parts = form.section("Overrule the types", "data_overview.types.open", ("types",))
    with box:
        left_column, right_column = st.columns(2)
        for i, name in enumerate(list(table.kinds)[:MAX_TYPED]):
            guess = guess_attribute(table.frame[name])
            key, usual = f"{table.name}.type.{i}", types.get(name, guess.type)
            with left_column:
                chosen_type = form.control(
                    key, Choice(TYPES), usual, label=literal(name), parts=parts
                )
            with right_column:
                which = VALUES[guess.continuous]
                values = form.control(
                    f"{key}.values",
                    Choice(VALUES),
                    which,
                    label=literal(f"{name}: values"),
                    parts=parts,
                )
            if chosen_type != guess.type:
                types[name] = chosen_type
            if values != which:
                continuous[name] = values == "continuous"
        if len(table.kinds) > MAX_TYPED:
            st.caption(
                f"The other {len(table.kinds) - MAX_TYPED} columns keep the types that were"
                " guessed."
            )
    name = f"profile {table.digest} {sorted(types.items())} {sorted(continuous.items())}"
    with st.spinner("All rows are looked at.", show_time=True):
        table_profile: Profile = run.once(name, lambda: profile(table.frame, types, continuous))
    return table_profile


def _cleaning(table_profile: Profile, form: WidgetForm) -> Cleaning:
    """Let the reader choose what is done; at first nothing is."""
    useless = [column.name for column in table_profile.columns if column.constant or not column.n]
    names = [column.name for column in table_profile.columns if column.attribute.identifier]
    left_column, right_column = st.columns(2)
    with left_column:
        constant = form.control(
            f"{PREFIX}.constant",
            Flag(),
            False,
            label=f"Leave out constant or empty columns: {len(useless)}",
        )
        ids = form.control(
            f"{PREFIX}.ids",
            Flag(),
            False,
            label=f"Leave out columns that name or count rows: {len(names)}",
        )
        doubled = form.control(
            f"{PREFIX}.doubled",
            Flag(),
            False,
            label=f"Leave out repeated rows: {table_profile.n_duplicates}",
        )
    with right_column:
        outliers = form.control(
            f"{PREFIX}.outliers", Choice(OUTLIERS), "keep", label="Outliers", names=OUTLIER_NAMES
        )
        holes = form.control(
            f"{PREFIX}.holes", Choice(HOLES), "keep", label="Missing values", names=HOLE_NAMES
        )
    numeric = tuple(
        column.name
        for column in table_profile.columns
        if column.attribute.arithmetic and column.numeric and column.summary
    )
    columns = (*(useless if constant else ()), *(names if ids else ()))
    return Cleaning(tuple(dict.fromkeys(columns)), doubled, outliers, numeric, holes)


def _difference(before: pd.DataFrame, after: pd.DataFrame) -> str:
    rows, columns = len(before) - len(after), before.shape[1] - after.shape[1]
    holes = int(after.isna().sum().sum())
    return (
        f"{len(after):,} rows and {after.shape[1]:,} columns are left_column; {rows:,} rows and"
        f" {columns:,} columns are left_column out; {holes:,} values are missing."
    )
