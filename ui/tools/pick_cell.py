"""Pick a cell of a matrix: a click on its picture, or a drag of the mark that stands on the cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ui.links import keep, kept
from ui.tools.drag import finite
from ui.tools.tool import Page, Tool

Cell = tuple[int, int]
FURTHEST = 10_000  # places along each side of a matrix


def parse_cell(text: str) -> Cell:
    """Read a cell from a link: its column and its row, as the panel counts them from 0.

    Raises
    ------
    ValueError
        If the text is no cell.

    Examples
    --------
    >>> parse_cell("3,12")
    (3, 12)
    """
    parts = text.split(",")
    if len(parts) != 2 or not all(part.isdecimal() and len(part) < 6 for part in parts):
        raise ValueError("a cell such as 3,12")
    across, up = map(int, parts)
    return across, up


@dataclass(frozen=True)
class PickCell(Tool):
    """A handle of the scene that stands on a cell, and comes to where its panel is clicked.

    Parameters
    ----------
    handle : str
        Its name, and that of the setting of the picture.
    """

    handle: str

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Tell the picture which cell was picked, if one was."""
        nothing: Cell | None = None
        cell = kept(self.handle, parse_cell, nothing)
        return {} if cell is None else {self.handle: cell}

    def takes(self, page: Page, message: Mapping[str, Any]) -> bool:
        """Pick the cell that was clicked or dragged to; a row that was selected before is no longer."""
        if message.get("name") != self.handle:
            return False
        x, y = (finite(message.get(axis)) for axis in "xy")
        if x is not None and y is not None:
            text = ",".join(str(min(max(round(value), 0), FURTHEST)) for value in (x, y))
            st.session_state[self.handle] = parse_cell(text)
            st.session_state["point"] = 0
            keep(self.handle, text)
            keep("point", None)
        return True
