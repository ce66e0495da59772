"""Pick a cell of a matrix, by a click on its picture or a drag of the mark on the cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard import messages
from dashboard.settings import Settings
from dashboard.tools.ask import POINT
from dashboard.tools.tool import Page, Tool

Cell = tuple[int, int]
NO_CELL: Cell | None = None
MAX_INDEX = 10_000  # along each side of a matrix


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
        cell = page.form.value(self.handle, parse_cell, NO_CELL)
        return {} if cell is None else {self.handle: cell}

    def change(self, page: Page, message: Mapping[str, Any]) -> Settings | None:
        """Pick the cell that was clicked or dragged to; no row is selected any more."""
        if message.get("name") != self.handle:
            return None
        place = messages.place(message)
        if place is None:
            return page.settings
        text = ",".join(str(min(max(round(value), 0), MAX_INDEX)) for value in place)
        return page.settings.with_text(self.handle, text).without(POINT)
