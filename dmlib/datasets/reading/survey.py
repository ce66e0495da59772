"""Measures of the rows of a file, taken before any is kept."""

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
    """Measures of a row that is not blank.

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
    after_gap : bool
        Whether a blank row stands above it.
    copy_of : int
        The line of the row among the first ones that has the same fields, or 0.
    """

    line: int
    fields: int
    filled: int
    first: str
    after_gap: bool
    copy_of: int = 0


def survey(rows: Iterable[tuple[int, list[str]]], limits: Limits) -> list[Row]:
    """Measure the rows that are not blank.

    Raises
    ------
    TableError
        If there are more than the limit allows.
    """
    measured: list[Row] = []
    top: dict[tuple[str, ...], int] = {}
    firsts: set[str] = set()
    after_gap = False
    for line, row in rows:
        filled = _n_filled(row)
        if filled:
            first = _first(row)
            may_be_copy = len(measured) < TOP or first in firsts
            fields = tuple(map(str.strip, row)) if may_be_copy else ()
            measured.append(Row(line, len(row), filled, first, after_gap, top.get(fields, 0)))
            if len(measured) <= TOP:
                top.setdefault(fields, line)
                firsts.add(first)
        if len(measured) % _BLOCK == _BLOCK - 1:
            report(f"{len(measured):,} rows are counted")
        if len(measured) > limits.n_rows + TOP:
            raise TableError(
                "too_many_rows",
                f"The table has more than {limits.n_rows:,} rows, the limit. Take a sample of the"
                " rows.",
            )
        after_gap = not filled
    return measured


def _n_filled(row: list[str]) -> int:
    """Return how many fields there are up to the last that is not blank."""
    for i, cell in enumerate(reversed(row)):
        if cell and not cell.isspace():
            return len(row) - i
    return 0


def _first(row: list[str]) -> str:
    return next((text for cell in row if (text := cell[:80].strip())), "")
