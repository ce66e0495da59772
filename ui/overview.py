"""Reports on a whole table: the types of its columns, their quality, and the cleaning."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from dashboard.text import literal
from dmlib.datasets import Table
from dmlib.params import Choice, Flag
from dmlib.pictures.run import AnyRun
from dmlib.pictures.words import count
from dmlib.preprocessing import Cleaning, Profile, guess_attribute, profile
from dmlib.preprocessing.attributes import TYPES, AttributeType
from dmlib.preprocessing.cleaning import HOLES, INCONSISTENT, OUTLIERS
from dmlib.preprocessing.consistency import LONGEST_RULES, Rule, broken_rows, read_rules
from dmlib.spreadsheet import to_csv
from ui import operator
from ui.sheet import sheet
from ui.widgets import WidgetForm

MAX_TYPED = 30  # columns whose types can be overruled
MAX_ISSUES = 40
MAX_BROKEN = 50  # rows that break a rule and are shown
VALUES = ("discrete", "continuous")
PREFIX = "data_overview.clean"
OUTLIER_NAMES = {
    "keep": "keep",
    "clip": "move to the fence",
    "missing": "take for missing",
    "drop": "leave out rows",
}
INCONSISTENT_NAMES = {"keep": "keep", "mark": "mark in a column", "drop": "leave out rows"}
RULES_HINT = (
    "A rule is a domain, `0 <= age <= 120` or `town in Halle, Jena`, or compares columns,"
    " `start <= end`. Put ; between rules, and names with spaces between backticks."
)
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
    cleaning = _cleaning(table_profile, table.frame, form)
    cleaned = cleaning.clean(table.frame)
    if cleaning.rules:
        _inconsistent_rows(cleaning, table.frame)
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
            f"{run.table_code}frame = table.frame\n\n{cleaning.code(table.frame)}"
            "frame.to_csv('cleaned.csv', index=False)\n"
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


def _cleaning(table_profile: Profile, frame: pd.DataFrame, form: WidgetForm) -> Cleaning:
    """Let the reader choose what is done; at first nothing is."""
    useless = [column.name for column in table_profile.columns if column.constant or not column.n]
    names = [column.name for column in table_profile.columns if column.attribute.identifier]
    spelt = tuple(issue.column for issue in table_profile.issues if issue.kind == "spelling")
    n_spelt = count(len(spelt), "column", "columns")
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
        unified = form.control(
            f"{PREFIX}.spellings",
            Flag(),
            False,
            label=f"One spelling of names, whatever case and spaces: {n_spelt}",
        )
    with right_column:
        outliers = form.control(
            f"{PREFIX}.outliers", Choice(OUTLIERS), "keep", label="Outliers", names=OUTLIER_NAMES
        )
        holes = form.control(
            f"{PREFIX}.holes", Choice(HOLES), "keep", label="Missing values", names=HOLE_NAMES
        )
        inconsistent = form.control(
            f"{PREFIX}.inconsistent",
            Choice(INCONSISTENT),
            "keep",
            label="Rows that break a rule",
            names=INCONSISTENT_NAMES,
        )
    rules = _rules(frame, form)
    numeric = tuple(
        column.name
        for column in table_profile.columns
        if column.attribute.arithmetic and column.numeric and column.summary
    )
    columns = (*(useless if constant else ()), *(names if ids else ()))
    columns = tuple(dict.fromkeys(columns))
    spellings = spelt if unified else ()
    return Cleaning(columns, doubled, outliers, numeric, holes, spellings, rules, inconsistent)


def _rules(frame: pd.DataFrame, form: WidgetForm) -> tuple[Rule, ...]:
    """Let the reader type rules; a rule that cannot be used is none, and a sentence says why."""
    text = form.text_field(f"{PREFIX}.rules", "Rules", "", max_chars=LONGEST_RULES, parts=())
    st.caption(RULES_HINT)
    try:
        rules = read_rules(text, frame)
        broken_rows(rules, frame)
    except ValueError as error:
        st.warning(literal(str(error)))
        return ()
    return rules


def _inconsistent_rows(cleaning: Cleaning, table: pd.DataFrame) -> None:
    """Count the rows that break each rule, and show them."""
    frame = cleaning.with_spellings(table)
    broken = {rule.text: rule.broken(frame) for rule in cleaning.rules}
    lines = []
    for text, is_broken in broken.items():
        n = int(is_broken.sum())
        verb = "breaks" if n == 1 else "break"
        lines.append(f"- {n:,} of {len(frame):,} rows {verb} {literal(text)}")
    st.markdown("\n".join(lines))
    places = np.flatnonzero(broken_rows(cleaning.rules, frame))
    if len(places):
        rows = frame.iloc[places[:MAX_BROKEN]]
        st.dataframe(
            rows.set_axis(places[:MAX_BROKEN] + 1).rename_axis("row"),
            alt=f"The rows that break a rule, at most {MAX_BROKEN}",
        )


def _difference(before: pd.DataFrame, after: pd.DataFrame) -> str:
    rows, columns = len(before) - len(after), len(before.columns.difference(after.columns))
    holes = int(after.isna().sum().sum())
    return (
        f"{len(after):,} rows and {after.shape[1]:,} columns are left; {rows:,} rows and"
        f" {columns:,} columns are left out; {holes:,} values are missing."
    )
