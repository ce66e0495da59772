"""What the page of one's data tells of the whole table: the type of each column, its quality, and its cleaning."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dmlib.datasets import Table
from dmlib.params import Choice, Flag
from dmlib.pictures.run import Run
from dmlib.preprocessing import Cleaning, Profile, guess_attribute, profile
from dmlib.preprocessing.attributes import TYPES, AttributeType
from dmlib.preprocessing.cleaning import HOLES, OUTLIERS
from dmlib.spreadsheet import to_csv
from ui.controls import control, section
from ui.data import operator
from ui.sheet import sheet
from ui.text import literal

MOST_TYPED = 30  # columns whose types can be overruled
MOST_ISSUES = 40
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


def columns_report(run: Run) -> None:
    """Show types, which the reader can overrule, what is wrong, and the statistics that each type allows."""
    if run.table is None:
        return
    if run.table.name == operator.NAME:
        operator.whole_table()
    told = _profile(run, run.table)
    holes = sum(column.n_missing for column in told.columns)
    whole = "sample" if run.table.name == operator.NAME else "whole table"
    st.caption(
        f"{told.n_rows:,} rows and {len(told.columns):,} columns; {holes:,} values missing; "
        f"{told.n_duplicates:,} rows equal to an earlier one. These numbers are of the {whole}."
    )
    lines = [f"- {literal(issue.text)}" for issue in told.issues[:MOST_ISSUES]]
    if len(told.issues) > MOST_ISSUES:
        lines.append(f"- and {len(told.issues) - MOST_ISSUES} more")
    st.markdown("\n".join(lines) or "There are no missing, repeated, constant or outlying values.")
    alt = "Type, counts and statistics of each column"
    sheet(told.frame(), "columns.csv", hide_index=True, alt=alt)
    st.caption(
        "A cell is empty where the type does not allow the number: names have no median, an order"
        " has no mean."
    )


def cleaning_report(run: Run) -> None:
    """Let the reader choose what is done to the table, and download it and the code that does it."""
    if run.table is None:
        return
    table, told = run.table, _profile(run, run.table)
    cleaning = _cleaning(told)
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


def _profile(run: Run, table: Table) -> Profile:
    """Return the profile of the whole table with the types that the reader gave, computed once."""
    types: dict[str, AttributeType] = {
        name: "ordinal" for name, kind in table.kinds.items() if kind == "ordinal"
    }
    continuous: dict[str, bool] = {}
    box, parts = section("Overrule the types", "data_overview.types.open", ("types",))
    with box:
        left, right = st.columns(2)
        for i, name in enumerate(list(table.kinds)[:MOST_TYPED]):
            guess = guess_attribute(table.frame[name])
            key, usual = f"{table.name}.type.{i}", types.get(name, guess.type)
            with left:
                given = control(key, Choice(TYPES), usual, label=literal(name), parts=parts)
            with right:
                which = VALUES[guess.continuous]
                values = control(
                    f"{key}.values",
                    Choice(VALUES),
                    which,
                    label=literal(f"{name}: values"),
                    parts=parts,
                )
            if given != guess.type:
                types[name] = given
            if values != which:
                continuous[name] = values == "continuous"
        if len(table.kinds) > MOST_TYPED:
            st.caption(
                f"The other {len(table.kinds) - MOST_TYPED} columns keep the types that were"
                " guessed."
            )
    name = f"profile {table.digest} {sorted(types.items())} {sorted(continuous.items())}"
    with st.spinner("All rows are looked at.", show_time=True):
        told: Profile = run.once(name, lambda: profile(table.frame, types, continuous))
    return told


def _cleaning(told: Profile) -> Cleaning:
    """Let the reader choose what is done; at first nothing is."""
    useless = [column.name for column in told.columns if column.constant or not column.n]
    names = [column.name for column in told.columns if column.attribute.identifier]
    left, right = st.columns(2)
    with left:
        constant = control(
            f"{PREFIX}.constant",
            Flag(),
            False,
            label=f"Leave out constant or empty columns: {len(useless)}",
        )
        ids = control(
            f"{PREFIX}.ids",
            Flag(),
            False,
            label=f"Leave out columns that name or count rows: {len(names)}",
        )
        doubled = control(
            f"{PREFIX}.doubled",
            Flag(),
            False,
            label=f"Leave out repeated rows: {told.n_duplicates}",
        )
    with right:
        outliers = control(
            f"{PREFIX}.outliers", Choice(OUTLIERS), "keep", label="Outliers", names=OUTLIER_NAMES
        )
        holes = control(
            f"{PREFIX}.holes", Choice(HOLES), "keep", label="Missing values", names=HOLE_NAMES
        )
    numeric = tuple(
        column.name
        for column in told.columns
        if column.attribute.arithmetic and column.numeric and column.summary
    )
    columns = (*(useless if constant else ()), *(names if ids else ()))
    return Cleaning(tuple(dict.fromkeys(columns)), doubled, outliers, numeric, holes)


def _difference(before: pd.DataFrame, after: pd.DataFrame) -> str:
    rows, columns = len(before) - len(after), before.shape[1] - after.shape[1]
    holes = int(after.isna().sum().sum())
    return (
        f"{len(after):,} rows and {after.shape[1]:,} columns are left; {rows:,} rows and"
        f" {columns:,} columns are left out; {holes:,} values are missing."
    )
