"""Delimited text: bytes -> characters -> dialect -> cells."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass

import pandas as pd

from dmlib.datasets._limits import MAX_CELLS, MAX_COLUMNS, MAX_ROWS
from dmlib.datasets.table import Note, TableError

_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe\0\0": "utf-32", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_SAMPLE = 20_000
_LONGEST_PREAMBLE = 50


@dataclass(frozen=True)
class Survey:
    """What one pass over the text found.

    Attributes
    ----------
    width : int
        The usual number of fields in a row.
    extent : int
        The largest number of fields; the rows that exceed the width are empty.
    skipped : int
        Lines before the first row of the table.
    comments : bool
        Whether those lines start with a number sign.
    short : int
        Rows with fewer fields than usual.
    """

    width: int
    extent: int
    skipped: int
    comments: bool
    short: int


def read_text(data: bytes) -> tuple[pd.DataFrame, str, list[Note]]:
    """Read delimited text.

    Returns
    -------
    frame : DataFrame
        Every cell as text, the header as the first row.
    delimiter : str
        What separates the cells.
    notes : list of Note
        What was guessed and repaired.

    Raises
    ------
    TableError
        If the bytes are no text, or the text no table.
    """
    text, notes = decode(data)
    text, delimiter, quote, more = _dialect(text)
    survey = _survey(text, delimiter, quote)
    notes += more + _told(survey)
    handle = io.StringIO(text, newline="")
    for _ in range(survey.skipped):
        handle.readline()
    try:
        frame = pd.read_csv(
            handle,
            sep=delimiter,
            quotechar=quote,
            header=None,
            names=range(survey.extent),
            index_col=False,
            dtype="str",
            keep_default_na=False,
            skipinitialspace=True,
        )
    except pd.errors.ParserError as error:
        # The survey has read the same text with the same rules; the two differ only on very odd quotes.
        raise TableError("bad_quotes", f"The rows cannot be told apart ({error}). Check the quotes.") from None
    return frame, delimiter, notes


def decode(data: bytes) -> tuple[str, list[Note]]:
    """Turn bytes into text: by the byte order mark, as UTF-8, or as a Western European code page.

    Raises
    ------
    TableError
        If the bytes are no text.
    """
    name = next((name for mark, name in _MARKS.items() if data.startswith(mark)), "utf-8")
    if name == "utf-8" and b"\0" in data[:4096]:
        raise TableError("binary", "The file is not text. Save the table as CSV or as a workbook (.xlsx, .ods).")
    notes = []
    try:
        text = data.decode(name)
    except UnicodeDecodeError:
        text, note = _forced(data)
        notes.append(note)
    controls = len(_CONTROLS.findall(text[:100_000]))
    if "\0" in text or controls > len(text[:100_000]) / 100:
        raise TableError("binary", "The file is not text. Save the table as CSV or as a workbook (.xlsx, .ods).")
    return text, notes


def _forced(data: bytes) -> tuple[str, Note]:
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    others = len(text) - len(text.encode("ascii", "ignore")) - bad
    if others > bad:
        return text, Note("bad_bytes", f"{bad} places in the text are damaged and are shown as \ufffd.")
    # Windows-1252 leaves five bytes undefined; Latin-1 does not.
    for name, title in (("cp1252", "Windows-1252"), ("latin-1", "Latin-1")):
        try:
            text = data.decode(name)
        except UnicodeDecodeError:
            continue
        return text, Note("encoding", f"The text is not UTF-8 and was read as {title}. Check the accented letters.")
    raise AssertionError("Latin-1 reads any bytes.")


def _dialect(text: str) -> tuple[str, str, str, list[Note]]:
    """Return the text without a separator line, the delimiter, the quote character, and notes."""
    told = re.match(r"sep=(.)\r?\n", text)
    if told and told[1] in _DELIMITERS:
        return text[told.end() :], told[1], '"', []
    sample = text[:_SAMPLE]
    if len(text) > _SAMPLE:
        sample = sample[: sample.rfind("\n") + 1] or sample
    delimiter, quote = _detected(sample)
    common = delimiter in ",\t" or delimiter not in sample
    notes = [] if common else [Note("delimiter", f"The columns are separated by {_DELIMITERS[delimiter]}.")]
    return text, delimiter, quote, notes


def _detected(sample: str) -> tuple[str, str]:
    import clevercsv

    try:
        dialect = clevercsv.Detector().detect(sample, delimiters=list(_DELIMITERS))
    except clevercsv.Error:
        dialect = None
    if dialect is None:
        return ",", '"'
    return dialect.delimiter if dialect.delimiter in _DELIMITERS else ",", "'" if dialect.quotechar == "'" else '"'


def _survey(text: str, delimiter: str, quote: str) -> Survey:
    """Count the fields of every row once, so that limits and ragged rows are known before anything is built."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, quotechar=quote, skipinitialspace=True, strict=True
    )
    widths: Counter[int] = Counter()
    first: dict[int, int] = {}
    top: list[tuple[int, int, bool]] = []
    line = extent = 0
    try:
        for count, row in enumerate(reader, 1):
            _check_size(len(row), count)
            extent = max(extent, len(row))
            if any(cell.strip() for cell in row):
                widths[len(row)] += 1
                first.setdefault(len(row), reader.line_num)
                if len(top) < _LONGEST_PREAMBLE:
                    top.append((len(row), line, row[0].startswith("#")))
            line = reader.line_num
    except csv.Error as error:
        raise TableError(
            "bad_quotes",
            f"The quotes are wrong near line {reader.line_num} ({error}). Correct that line and try again.",
        ) from None
    if not widths:
        raise TableError("empty_file", "The file holds nothing but white space.")
    width = max(widths, key=lambda w: (widths[w], w))
    _check_even(width, first)
    skipped, comments = _preamble(top, width)
    above = sum(line < skipped for _, line, _ in top)
    return Survey(width, extent, skipped, comments, widths.total() - widths[width] - (above if width > 1 else 0))


def _preamble(top: list[tuple[int, int, bool]], width: int) -> tuple[int, bool]:
    """Return how many lines stand above the table: comments, or titles of a single field."""
    above: list[bool] = []
    for fields, line, comment in top:
        if not comment and (fields > 1 or width == 1):
            return (line, all(above)) if above else (0, False)
        above.append(comment)
    return 0, False


def _check_even(width: int, first: dict[int, int]) -> None:
    longer = [line for fields, line in first.items() if fields > width]
    if longer and width == 1:
        raise TableError("not_a_table", "The text has no columns. Save the table as CSV, with one row on each line.")
    if longer:
        raise TableError(
            "ragged",
            f"Line {min(longer)} has more fields than the others, which have {width}. "
            "Put quotes around cells that contain the delimiter.",
        )


def _told(survey: Survey) -> list[Note]:
    notes = []
    if survey.skipped:
        kind = "comments" if survey.comments else "preamble"
        notes.append(Note(kind, f"The first {survey.skipped} lines stand above the table and are left out."))
    if survey.short:
        notes.append(Note("padded_rows", f"{survey.short} rows were too short; their last cells are missing."))
    return notes


def _check_size(width: int, rows: int) -> None:
    if width > MAX_COLUMNS:
        raise TableError(
            "too_many_columns",
            f"The table has {width:,} columns; the limit is {MAX_COLUMNS:,}. Keep the columns that you need.",
        )
    if rows > MAX_ROWS + 1:
        raise TableError(
            "too_many_rows", f"The table has more than {MAX_ROWS:,} rows. Take a sample of the rows, and try again."
        )
    if width * rows > MAX_CELLS:
        raise TableError("too_large", f"The table has more than {MAX_CELLS:,} cells. Keep fewer rows or columns.")
