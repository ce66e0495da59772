"""The table that a page has prepared, taken along to the other pages of the session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dmlib.datasets import Table
from dmlib.datasets.table import infer_kinds
from ui.session import current_session

if TYPE_CHECKING:
    import pandas as pd

NAME = "prepared"
"""Name of the source in a link, and of the table in the session."""
SOURCE = {NAME: "Prepared"}


@dataclass(frozen=True, eq=False)
class PreparedTable:
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
    session = current_session()
    names = [name for name in session.settings.texts if name.startswith(f"{NAME}.")]
    session.settings = session.settings.without(*names).with_text("source", NAME)
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
    session.prepared = PreparedTable(Table(frame, kinds, NAME, title=title, target=target), code)
