"""Read a table that a person uploads: find out its format, read its cells, type its columns."""

from __future__ import annotations

import re

from dmlib.datasets._columns import typed
from dmlib.datasets._limits import MAX_BYTES
from dmlib.datasets._sheets import read_workbook
from dmlib.datasets._text import read_text
from dmlib.datasets.table import Note, Table, TableError, infer_kinds

_ADVICE = "Save the table as CSV or as a workbook (.xlsx, .ods)."
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
_SUFFIXES = (".xlsx", ".xlsm", ".xls", ".ods")
_OTHERS = {
    b"\x1f\x8b": ("wrong_format", "a gzip archive"),
    b"PK\x05\x06": ("wrong_format", "an empty zip archive"),
    b"PAR1": ("unsupported", "a Parquet file"),
    b"SQLite format 3\0": ("unsupported", "a SQLite database"),
    b"%PDF": ("wrong_format", "a PDF document"),
    b"\x89PNG": ("binary", "a picture"),
    b"\xff\xd8\xff": ("binary", "a picture"),
    b"GIF8": ("binary", "a picture"),
}
_MARKUP = {
    rb"<(!doctype\s+html|html|head|body)\b": ("wrong_format", "a web page"),
    rb"<\?xml\b": ("wrong_format", "an XML document"),
    rb"[\[{]\s*[\[{\"]": ("unsupported", "JSON"),
    rb"(%[^\n]*\n\s*)*@relation\b": ("unsupported", "an ARFF file"),
}


def read_table(data: bytes, name: str, *, options: None = None) -> Table:
    r"""Read a table from the bytes of a file: CSV and its kin, or a workbook.

    Parameters
    ----------
    data : bytes
        The content of the file.
    name : str
        The name under which it was sent; it is shown, and its ending is compared with the content. It is never used as
        a path.
    options : None
        There are no options yet.

    Returns
    -------
    Table
        The typed columns; what was guessed, converted and repaired is in ``notes``.

    Raises
    ------
    TableError
        If the file is no such table, or over a limit. ``reason`` is a fixed word, the message a sentence for people.

    Notes
    -----
    The format is taken from the content, not from the name. Time and memory are linear in the size of the file.

    Examples
    --------
    >>> table = read_table(b"height;group\n1,80;A\n1,75;B\n", "people.csv")
    >>> table.frame["height"].tolist()
    [1.8, 1.75]
    >>> [note.kind for note in table.notes]
    ['delimiter', 'decimal_comma']
    """
    if len(data) > MAX_BYTES:
        size = f"{len(data) / 2**20:.0f} MB; the limit is {MAX_BYTES >> 20} MB"
        raise TableError("too_large", f"The file has {size}. Keep fewer rows or columns.")
    start = data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not start and not data.strip():
        raise TableError("empty_file", "The file is empty.")
    for magic, (reason, words) in _OTHERS.items():
        if data.startswith(magic):
            raise TableError(reason, f"The file is {words}, not a table. {_ADVICE}")
    for pattern, (reason, words) in _MARKUP.items():
        if re.match(pattern, start):
            raise TableError(reason, f"The file is {words}, not a table of rows and columns. {_ADVICE}")
    if data.startswith(_WORKBOOKS):
        cells, notes = read_workbook(data)
        delimiter = ","
        if not name.lower().endswith(_SUFFIXES):
            notes.insert(0, Note("format_guessed", "The file is a workbook, whatever its name says."))
    else:
        cells, delimiter, notes = read_text(data)
    frame, more = typed(cells, delimiter)
    if frame.empty:
        raise TableError("no_rows", "The file has a header but no rows below it.")
    return Table(
        frame,
        infer_kinds(frame),
        name="upload",
        title=_title(name),
        description="A file that you brought.",
        source="Your file.",
        licence="Yours.",
        notes=(*notes, *more),
    )


def _title(name: str) -> str:
    return re.split(r"[\\/]", name)[-1][:100] or "Your file"
