"""Everything that was left out or changed in a file, so that nothing is lost silently."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

MAX_ENTRIES = 100_000  # entries that are kept; the notes count all
COLUMNS = ("line", "column", "text", "what")


class Repairs:
    """A list of the rows and cells that were repaired or left out.

    Examples
    --------
    >>> repairs = Repairs()
    >>> repairs.row(7, "1,2,3", "left out")
    >>> repairs.cells([8], "age", ["old"], "counts as missing")
    >>> repairs.frame["text"].tolist()
    ['1,2,3', 'old']
    """

    def __init__(self) -> None:
        self._entries: list[tuple[int, str, str, str]] = []

    def row(self, line: int, text: str, what: str) -> None:
        """Add a row that starts in a line of the file."""
        self.cells([line], "", [text], what)

    def cells(self, lines: Iterable[int], column: str, texts: Iterable[str], what: str) -> None:
        """Add cells of a column."""
        room = MAX_ENTRIES - len(self._entries)
        self._entries += [
            (int(line), column, text, what)
            for line, text, _ in zip(lines, texts, range(room), strict=False)
        ]

    def take(self, repairs: Repairs) -> None:
        """Add the entries of another list."""
        self._entries += repairs._entries[: MAX_ENTRIES - len(self._entries)]

    @property
    def frame(self) -> pd.DataFrame:
        """The list as a table: line of the file, column, text as it was, what was done."""
        return pd.DataFrame(self._entries, columns=list(COLUMNS))
