"""Delimited text -> cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from dmlib.datasets.reading.cells import Cells
from dmlib.datasets.reading.dialect import Dialect, detect
from dmlib.datasets.reading.encoding import decode
from dmlib.datasets.reading.header import named
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.reading.quotes import with_plain_quotes
from dmlib.datasets.reading.repairs import Repairs
from dmlib.datasets.reading.rows import find_rows
from dmlib.datasets.table import Note, TableError


def read_delimited(
    data: bytes, options: ReadOptions, repairs: Repairs
) -> tuple[Cells, bool, list[Note]]:
    """Read delimited text.

    Parameters
    ----------
    data : bytes
        The content of a file.
    options : ReadOptions
        What is known of it.
    repairs : Repairs
        Takes the rows that are left out or filled up.

    Returns
    -------
    cells : Cells
        The cells below the names.
    comma : bool
        Whether commas separate the fields, so that they hardly mark decimals.
    notes : list of Note
        What was guessed and repaired.

    Raises
    ------
    TableError
        If the bytes are no text, or the text no table.
    """
    text, notes = decode(data, options.encoding)
    text, dialect, dialect_notes = detect(text, options)
    if options.quote is None:
        text, dialect, unquoted = with_plain_quotes(text, dialect)
        dialect_notes = [*dialect_notes, *unquoted]
    try:
        cells, row_notes = find_rows(lambda: rows_of(text, dialect), options, repairs)
    except csv.Error as error:
        raise TableError(
            "bad_quotes",
            f"The quotes are wrong {error}. Correct them, or choose another quote character.",
        ) from None
    cells, changed = named(cells, options, repairs)
    return cells, dialect.delimiter == ",", [*notes, *dialect_notes, *row_notes, *changed]


def rows_of(text: str, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Yield line and fields of each row.

    Raises
    ------
    csv.Error
        If quotes are wrong; the message names the place.
    """
    line = 0
    try:
        for line, row in dialect.rows(io.StringIO(text, newline="")):
            yield line, row
    except csv.Error as error:
        raise csv.Error(f"in the row after line {line} ({error})") from None
