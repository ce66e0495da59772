"""Draw a digit: the cells of a grid on the picture are an option of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ui.data.cells import cells_of
from ui.links import keep, kept
from ui.panel import button
from ui.tools.tool import Page, Tool

SIDE = 8
NONE = 16 * "0"


def parse_cells(text: str) -> str:
    """Check the cells of a link: 64 of them in 16 hexadecimal digits.

    Raises
    ------
    ValueError
        If the text is no such number.

    Examples
    --------
    >>> parse_cells("00183c18181818ff")
    '00183c18181818ff'
    """
    if not re.fullmatch(r"[0-9a-f]{16}", text):
        raise ValueError("16 hexadecimal digits, a row of cells in every two")
    return text


@dataclass(frozen=True)
class DrawDigit(Tool):
    """Cells that the reader switches on and off, while a flag of the picture says so.

    Parameters
    ----------
    name : str
        The option of the picture, and its grid: a string of 64 characters, ``1`` for cells with
        ink.
    flag : str
        The setting of the picture that says whether the drawn cells are looked at.
    start : str
        The cells at first, in 16 hexadecimal digits.
    """

    name: str
    flag: str
    start: str

    def controls(self, page: Page) -> Mapping[str, Any]:
        """Return the cells, and offer to clear them."""
        text = self._cells(page)
        if page.technique.settings[self.flag].value(page):
            button(page.key(f"{self.name}.clear"), "Clear the grid", lambda: self._keep(page, NONE))
        return {self.name: f"{int(text, 16):064b}"}

    def takes(self, page: Page, message: Mapping[str, Any]) -> bool:
        """Take over the cells of the grid."""
        if message.get("name") != self.name:
            return False
        cells = cells_of(message.get("cells"), (SIDE, SIDE))
        if cells is not None:
            self._keep(page, f"{int(message['cells'], 2):016x}")
        return True

    def _cells(self, page: Page) -> str:
        return kept(page.key(self.name), parse_cells, self.start)

    def _keep(self, page: Page, text: str) -> None:
        key = page.key(self.name)
        st.session_state[key] = text
        keep(key, text if text != self.start else None)
