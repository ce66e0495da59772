"""What has to be known of the rows of a file before any is kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dmlib.datasets.reading.options import Limits
from dmlib.datasets.table import TableError

TOP = 50
"""Rows that may stand above the table."""


@dataclass(frozen=True, slots=True)
class Row:
    """What has to be known of a row that is not blank before it is kept.

    Attributes
    ----------
    line : int
        The line of the file in which it starts, from 1.
    fields : int
        How many fields it has.
    filled : int
        How many there are up to the last that is not blank.
    first : str
        The start of the first field that is not blank.
    apart : bool
        Whether a blank row stands above it.
    """

    line: int
    fields: int
    filled: int
    first: str
    apart: bool


def survey(rows: Iterable[tuple[int, list[str]]], limits: Limits) -> list[Row]:
    """Return what has to be known of the rows that are not blank.

    Raises
    ------
    TableError
        If there are more than the limit allows.
    """
    found: list[Row] = []
    apart = False
    for line, row in rows:
        filled = next((len(row) - i for i, cell in enumerate(reversed(row)) if cell and not cell.isspace()), 0)
        if filled:
            found.append(Row(line, len(row), filled, _first(row), apart))
        if len(found) > limits.n_rows + TOP:
            raise TableError(
                "too_many_rows",
                f"The table has more than {limits.n_rows:,} rows, the limit. Take a sample of the rows.",
            )
        apart = not filled
    return found


def _first(row: list[str]) -> str:
    return next((text for cell in row if (text := cell[:80].strip())), "")
