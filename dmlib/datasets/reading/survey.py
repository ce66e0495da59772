"""What has to be known of the rows of a file before any is kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dmlib.datasets.reading.options import Limits
from dmlib.datasets.reading.progress import report
from dmlib.datasets.table import TableError

_BLOCK = 20_000  # rows between two reports of progress
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
    copy_of : int
        The line of the row among the first ones that has the same fields, or 0.
    """

    line: int
    fields: int
    filled: int
    first: str
    apart: bool
    copy_of: int = 0


def survey(rows: Iterable[tuple[int, list[str]]], limits: Limits) -> list[Row]:
    """Return what has to be known of the rows that are not blank.

    Raises
    ------
    TableError
        If there are more than the limit allows.
    """
    found: list[Row] = []
    top: dict[tuple[str, ...], int] = {}
    firsts: set[str] = set()
    apart = False
    for line, row in rows:
        filled = next(
            (len(row) - i for i, cell in enumerate(reversed(row)) if cell and not cell.isspace()), 0
        )
        if filled:
            first = _first(row)
            fields = tuple(map(str.strip, row)) if len(found) < TOP or first in firsts else ()
            found.append(Row(line, len(row), filled, first, apart, top.get(fields, 0)))
            if len(found) <= TOP:
                top.setdefault(fields, line)
                firsts.add(first)
        if len(found) % _BLOCK == _BLOCK - 1:
            report(f"{len(found):,} rows are counted")
        if len(found) > limits.n_rows + TOP:
            raise TableError(
                "too_many_rows",
                f"The table has more than {limits.n_rows:,} rows, the limit. Take a sample of the"
                " rows.",
            )
        apart = not filled
    return found


def _first(row: list[str]) -> str:
    return next((text for cell in row if (text := cell[:80].strip())), "")
