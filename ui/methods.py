"""The table of all techniques: what they need, assume, cost, explain and fail at."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from dashboard.catalogue import FAMILIES
from dashboard.text import literal
from dashboard.traits import (
    FILTERS,
    FINDS,
    SCREEN,
    WANTS,
    Advice,
    advice,
    all_traits,
    best,
    listed,
    target_of,
)
from dmlib.datasets import LIBRARY, Table, load
from ui.concepts import concept_page
from ui.session import current_session, widget_value

ROWS = "rows"
"""Name of the data in a link."""
LEVELS = {"low": "1 low", "medium": "2 medium", "high": "3 high"}
"""Numbers before the words, so that a column is sorted by them."""
KEY = "methods.table"
LINE_HEIGHT, MAX_HEIGHT = 66, 640  # pixels; in lower lines texts are not wrapped


def methods() -> None:
    """Show what suits the data, the filters, and the table."""
    with concept_page("methods"):
        places = st.columns(2)
        with places[0]:
            table, name = _data()
        with places[1]:
            families = st.multiselect(
                "Families", FAMILIES, key="methods.families", placeholder="All families"
            )
        suited = _suited(table, name) if table is not None else []
        filters = st.pills(
            "Only techniques that are",
            FILTERS,
            selection_mode="multi",
            key="methods.filters",
            label_visibility="collapsed",
        )
        rows = suited or [Advice(traits, 0, "") for traits in all_traits().values()]
        rows = [
            row
            for row in rows
            if not families or row.traits.entry.family in families
            if all(FILTERS[name](row.traits) for name in filters)
        ]
        _table(rows, _link(table, name))


def _data() -> tuple[Table | None, str]:
    """Let the reader choose data; return them and their name in a link."""
    own = _own_tables()
    library = [name for name, entry in LIBRARY.items() if entry.kind == "table"]
    titles = {name: title for name, (title, _) in own.items()}
    titles |= {name: LIBRARY[name].title for name in library}
    link_name = st.query_params.get(ROWS)
    names = list(titles)
    # Another link is another widget: Back leads to the data before.
    key = f"methods.{ROWS}.{link_name}"
    name = st.selectbox(
        "For the data",
        names,
        index=names.index(link_name) if link_name in titles else None,
        key=key,
        on_change=_choose,
        args=(key,),
        format_func=titles.__getitem__,
        placeholder="Choose a table, and techniques that suit it come first",
    )
    if name is None:
        return None, ""
    return (own[name][1] if name in own else _library_table(name)), name


def _choose(key: str) -> None:
    """Let the link name the data that were chosen; a callback."""
    name = widget_value(key)
    st.query_params.from_dict({ROWS: name} if name else {})


@st.cache_resource(max_entries=4, show_spinner=False)
def _library_table(name: str) -> Table:
    table = load(name)
    assert isinstance(table, Table)
    return table


def _own_tables() -> dict[str, tuple[str, Table]]:
    """Return the tables of the session: the one on the screen, the file, the prepared one."""
    session = current_session()
    run = session.memory.last[1] if session.memory.last else None
    tables = {
        SCREEN: ("the data on the screen", run and run.table),
        "upload": ("your file", session.upload and session.upload.table),
        "prepared": ("the prepared table", session.prepared and session.prepared.table),
    }
    return {
        name: (f"{title}: {table.title or table.name}", table)
        for name, (title, table) in tables.items()
        if isinstance(table, Table)
    }


def _suited(table: Table, name: str) -> list[Advice]:
    """Show the techniques that suit a table best; return all that find what is asked."""
    link_want = st.query_params.get("want", "")
    finds = st.segmented_control(
        "To find",
        WANTS,
        default=link_want if link_want in WANTS else target_of(table),
        required=True,
        format_func=WANTS.__getitem__,
        key=f"methods.want.{name}",
    )
    suited = advice(table, finds or target_of(table))
    with st.container(border=True, key="suited", gap=None):
        for row in best(suited):
            slug = row.traits.slug
            label = f"**{literal(row.traits.entry.title)}.** {literal(row.reason)}"
            st.page_link(f"pages/{slug}.py", label=label, help="", query_params=_link(table, name))
        if not suited:
            st.caption("No technique here takes these columns.")
    return suited


def _link(table: Table | None, name: str) -> dict[str, str]:
    """Return what a link to a technique says of the data; those of the session go along anyway."""
    if table is None or name == SCREEN:
        return {}
    return {"source": name} if name not in LIBRARY else {"source": "library", "data": name}


def _table(rows: list[Advice], link: Mapping[str, str]) -> None:
    """Draw the table; a click on a row opens its page."""
    frame = pd.DataFrame([_row(row) for row in rows])
    n_rows = len(frame)
    st.caption(f"{n_rows} technique{'' if n_rows == 1 else 's'}. Click one to open its page.")
    if not n_rows:
        return
    text = st.column_config.TextColumn
    st.dataframe(
        frame.drop(columns=[] if any(row.reason for row in rows) else ["These data"]),
        hide_index=True,
        row_height=LINE_HEIGHT,
        height=min(LINE_HEIGHT * (n_rows + 1), MAX_HEIGHT),
        column_config={
            "Technique": text(width=170, pinned=True),
            "These data": text(width=260),
            "Assumes": text(width=240),
            "Fails when": text(width=280),
            "Work in detail": text(width=240),
        },
        key=KEY,
        on_select=lambda: _open([row.traits.slug for row in rows], link),
        selection_mode="single-cell",
        alt="Techniques by what they need, assume, cost, explain and fail at",
    )


def _row(row: Advice) -> dict[str, str | bool]:
    traits = row.traits
    return {
        "Technique": traits.entry.title,
        "These data": row.reason,
        "Finds": ", ".join(FINDS[name] for name in traits.finds),
        "Data": traits.data,
        "Nominal": traits.nominal,
        "Missing": traits.holes,
        "Units matter": traits.scaling,
        "Work": LEVELS[traits.cost],
        "Readable": LEVELS[traits.readable],
        "Copes with": listed(traits.strong),
        "Suffers from": listed(traits.weak),
        "Assumes": traits.assumes,
        "Fails when": traits.fails,
        "Work in detail": traits.runtime,
    }


def _open(slugs: list[str], link: Mapping[str, str]) -> None:
    """Open the page of the row that was clicked; a callback."""
    cells = widget_value(KEY).selection.cells
    if cells:
        current_session().next_page = slugs[cells[0][0]], dict(link)
