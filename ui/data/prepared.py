"""The table that a page has prepared, taken along to the other pages of the session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from dmlib.datasets import Table
from dmlib.datasets.table import infer_kinds
from ui.text import literal

if TYPE_CHECKING:
    import pandas as pd

NAME = "prepared"
"""Name of the source in a link, and of the table in the session."""
SOURCE = {NAME: "Prepared"}


@dataclass(frozen=True, eq=False)
class Taken:
    """A table that was taken along.

    Attributes
    ----------
    table : Table
        With the name of the source.
    code : str
        Code that makes ``table``: the data it came from, and what was done to them.
    """

    table: Table
    code: str


def offered() -> dict[str, str]:
    """Return the source, if there is a prepared table or a link asks for one."""
    asked = NAME in (st.session_state.get("source"), st.query_params.get("source"))
    return SOURCE if asked or NAME in st.session_state else {}


def take(frame: pd.DataFrame, before: Table, code: str, page: str) -> None:
    """Keep a prepared table for the other pages, and forget what was chosen for the one before.

    Parameters
    ----------
    frame : DataFrame
        The prepared table.
    before : Table
        What it was made of: columns that are still there keep their kinds, and the target stays the
        target.
    code : str
        Code that makes ``frame``, from nothing.
    page : str
        Title of the page that has prepared it.
    """
    for key in [key for key in st.session_state if str(key).startswith(f"{NAME}.")]:
        del st.session_state[key]
    same = [
        name
        for name in frame
        if name in before.kinds and frame[name].dtype == before.frame[name].dtype
    ]
    kinds = dict(infer_kinds(frame)) | {name: before.kinds[name] for name in same}
    target = before.target if before.target in kinds else None
    title = f"{before.title or before.name}, prepared by {page}"
    code += (
        f"\nfrom dmlib.datasets import Table\n\ntable = Table(frame, {kinds!r}, {NAME!r},"
        f" target={target!r})\n"
    )
    st.session_state[NAME] = Taken(Table(frame, kinds, NAME, title=title, target=target), code)
    st.session_state["source"] = NAME


def taken() -> tuple[Table, str]:
    """Return the table that was taken along and the code that makes it.

    Raises
    ------
    ValueError
        If there is none in this session; the sentence says what to do.
    """
    kept: Taken | None = st.session_state.get(NAME)
    if kept is None:
        raise ValueError(
            "No table was prepared in this session: a link does not contain one. Prepare it again"
            " on the page that did so, under “Take along” below the picture, or choose other data."
        )
    st.caption(literal(f"{kept.table.title}."))
    return kept.table, kept.code
