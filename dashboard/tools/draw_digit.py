"""Draw a digit: the cells of a grid on the picture are an option of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.messages import cells_of
from dashboard.settings import Settings
from dashboard.tools.tool import Page, Tool

SIDE = 8
NO_INK = 16 * "0"


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
        text = page.form.value(page.key(self.name), parse_cells, self.start)
        if page.technique.settings[self.flag].value(page):
            key = page.key(self.name)
            page.form.button(
                f"{key}.clear", "Clear the grid", lambda settings: settings.with_text(key, NO_INK)
            )
        return {self.name: f"{int(text, 16):064b}"}

    def change(self, page: Page, message: Mapping[str, Any]) -> Settings | None:
        """Take over the cells of the grid."""
        if message.get("name") != self.name:
            return None
        if cells_of(message.get("cells"), (SIDE, SIDE)) is None:
            return page.settings
        text = f"{int(message['cells'], 2):016x}"
        return page.settings.with_text(page.key(self.name), *([] if text == self.start else [text]))
