"""Quotes that enclose no field: in remarks, and in texts where they open or close anywhere."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

from dmlib.datasets.reading.dialect import DELIMITERS, Dialect
from dmlib.datasets.table import Note

_MIN_LINES = 2  # with a quote that encloses no field; in one line it is a slip, which is refused
_REMARK = re.compile(r"^[ \t]*(?:#|%|//)[^\r\n]*", re.MULTILINE)
_END_OF_LINE = re.compile(r"\r\n|\r|\n")


def with_plain_quotes(text: str, dialect: Dialect) -> tuple[str, Dialect, list[Note]]:
    """Take quotes for ordinary characters where they enclose no fields.

    Parameters
    ----------
    text : str
        A table as delimited text.
    dialect : Dialect
        How its fields are told apart, with a quote character that was guessed.

    Returns
    -------
    text : str
        The table, without quotes in remarks if they would enclose the rows below.
    dialect : Dialect
        Without a quote character if quotes are ordinary characters.
    notes : list of Note
        What was found out.

    Notes
    -----
    Quotes are ordinary characters if they do not close at the ends of fields although the delimiter
    parts all lines into the same number of fields. Time is linear in the length of the text.
    """
    if not dialect.quote or dialect.quote not in text or dialect.delimiter not in DELIMITERS:
        return text, dialect, []
    if _close(text, dialect):
        return text, dialect, []
    without_quotes = _REMARK.sub(lambda remark: remark[0].replace(dialect.quote, ""), text)
    if without_quotes != text and _close(without_quotes, dialect):
        return without_quotes, dialect, []
    lines = [line for line in _END_OF_LINE.split(text) if line.strip()]
    rows = [line.split(dialect.delimiter) for line in lines]
    widths = {len(row) for row in rows}
    if len(widths) > 1 or widths == {1} or _n_stray(rows, dialect.quote) < _MIN_LINES:
        return text, dialect, []
    note = Note(
        "format_guessed",
        "The quotes do not close at the ends of cells; they are ordinary characters.",
    )
    return text, replace(dialect, quote="", escape=""), [note]


def _close(text: str, dialect: Dialect) -> bool:
    """Return whether all quotes close, and no cell holds several lines with a tab between tabs."""
    try:
        for _, row in dialect.rows(io.StringIO(text, newline="")):
            if dialect.delimiter == "\t" and any("\n" in field and "\t" in field for field in row):
                return False
    except csv.Error:
        return False
    return True


def _n_stray(rows: list[list[str]], quote: str) -> int:
    """Return how many rows have a field with a quote that does not enclose it."""
    return sum(any(_is_stray(field.strip(), quote) for field in row) for row in rows)


def _is_stray(field: str, quote: str) -> bool:
    """Return whether a quote in a field does not enclose it."""
    inner = field[1:-1] if len(field) > 1 and field[0] == field[-1] == quote else field
    return quote in inner.replace(quote * 2, "")
