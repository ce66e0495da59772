"""Workbooks (.xlsx, .xls, .ods) -> cells."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from dmlib.datasets.reading.cells import Cells
from dmlib.datasets.reading.header import named
from dmlib.datasets.reading.options import Limits, ReadOptions
from dmlib.datasets.reading.repairs import Repairs
from dmlib.datasets.reading.rows import find_rows
from dmlib.datasets.table import Note, TableError

_REFERENCE = re.compile(rb"""\br\s*=\s*["']([A-Z]{0,3})(\d{1,7})["']""")
_UNSAFE = re.compile(rb"""<!DOCTYPE|<!ENTITY|\br\s*=\s*["'][^"']{0,9}&""")
_CHUNK = 2**20
_SHEET = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"


def read_workbook(data: bytes, options: ReadOptions, repairs: Repairs) -> tuple[Cells, list[Note]]:
    """Read a sheet of a workbook: the one that is wanted, or the first that is not empty.

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
    notes : list of Note
        What was guessed and repaired.

    Raises
    ------
    TableError
        If the workbook is damaged, protected, empty or too large.
    """
    import python_calamine

    if data.startswith(b"PK"):
        _check_zip(data, options.limits)
    elif "EncryptedPackage".encode("utf-16-le") in data:
        raise TableError("encrypted", "The workbook is protected by a password. Save it without one.")
    try:
        with python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data)) as book:
            rows, notes = _sheet(book, options)
    except python_calamine.PasswordError:
        raise TableError("encrypted", "The workbook is protected by a password. Save it without one.") from None
    except python_calamine.CalamineError as error:
        raise TableError("corrupt", f"The workbook is damaged ({error}). Open it and save it again.") from None
    cells, told = find_rows(lambda: rows, options, repairs)
    cells, changed = named(cells, options.header)
    return cells, [*notes, *told, *changed]


def _sheet(book: Any, options: ReadOptions) -> tuple[list[tuple[int, list[str]]], list[Note]]:
    """Return the rows of a sheet with their numbers."""
    if options.sheet is not None and options.sheet not in book.sheet_names:
        raise TableError(
            "wrong_format", f"There is no sheet {options.sheet!r}. The sheets are {', '.join(book.sheet_names)}."
        )
    for name in book.sheet_names if options.sheet is None else (options.sheet,):
        sheet = book.get_sheet_by_name(name)
        _check_extent(sheet.height, sheet.width, options.limits)
        top = sheet.start[0] if sheet.start else 0
        rows = [(top + i, [_text(cell) for cell in row]) for i, row in enumerate(sheet.to_python(), 1)]
        if any(any(row) for _, row in rows):
            others = len(book.sheet_names) - 1
            text = f"The sheet {name!r} was read; {others} other sheet{'s were' if others > 1 else ' was'} not."
            return rows, [Note("sheet_chosen", text)] if others and options.sheet is None else []
    raise TableError("empty_file", "No sheet of the workbook holds any cell. Choose a file with a table in it.")


def _text(cell: Any) -> str:
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 2**53 else repr(cell)
    return str(cell)


def _check_zip(data: bytes, limits: Limits) -> None:
    """Refuse a workbook that unpacks to too much, or whose few cells span a huge area.

    The reader makes a dense array of the area, so one cell in the last corner would cost all memory.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if sum(member.file_size for member in members) > limits.n_unpacked:
                raise TableError("bomb", f"The workbook unpacks to more than {limits.n_unpacked >> 20} MB.")
            names = {member.filename for member in members}
            if "xl/workbook.xml" in names:
                for member in members:
                    if member.filename.endswith(".xml"):
                        _check_xlsx(archive, member, limits)
            elif "content.xml" in names:
                with archive.open("content.xml") as stream:
                    _check_ods(stream, limits)
            else:
                raise TableError("wrong_format", "The file is a zip archive, not a table. Unpack it first.")
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        if isinstance(error, TableError):
            raise
        raise TableError("corrupt", "The workbook is damaged. Open it and save it again.") from None


def _check_xlsx(archive: zipfile.ZipFile, member: zipfile.ZipInfo, limits: Limits) -> None:
    rows = columns = 0
    for chunk in _chunks(archive, member):
        if _UNSAFE.search(chunk) or chunk.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise TableError("unsafe_xml", "The workbook is written in an unusual way. Open it and save it again.")
        for letters, number in _REFERENCE.findall(chunk):
            rows, columns = max(rows, int(number)), max(columns, _column_number(letters))
    _check_extent(rows, columns, limits)


def _chunks(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield a member in pieces that overlap, so that nothing is cut in two."""
    tail = b""
    with archive.open(member) as stream:
        while chunk := stream.read(_CHUNK):
            yield tail + chunk
            tail = chunk[-64:]


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _check_ods(stream: Any, limits: Limits) -> None:
    """Add up the repetitions by which OpenDocument abbreviates equal rows and cells."""
    rows = columns = across = 0
    filled = False
    try:
        for _, element in ElementTree.iterparse(stream):
            if element.tag == f"{{{_SHEET}}}table-cell":
                across += int(element.get(f"{{{_SHEET}}}number-columns-repeated", 1))
                if element.get(f"{{{_OFFICE}}}value-type"):
                    filled, columns = True, max(columns, across)
            elif element.tag == f"{{{_SHEET}}}table-row":
                rows += int(element.get(f"{{{_SHEET}}}number-rows-repeated", 1)) if filled else 0
                across, filled = 0, False
                element.clear()
    except ElementTree.ParseError:
        raise TableError("corrupt", "The workbook is damaged. Open it and save it again.") from None
    _check_extent(rows, columns, limits)


def _check_extent(rows: int, columns: int, limits: Limits) -> None:
    if columns > limits.n_columns:
        raise TableError(
            "too_many_columns",
            f"A sheet reaches to column {columns:,}; the limit is {limits.n_columns:,}. "
            "Delete stray cells to the right.",
        )
    if rows > limits.n_rows + 1 or rows * columns > limits.n_cells:
        raise TableError(
            "too_many_rows", f"A sheet reaches to row {rows:,} with {columns:,} columns. Delete stray cells far below."
        )
