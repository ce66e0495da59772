"""Extent of a workbook, in cells and in unpacked bytes, checked before it is read."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from dmlib.datasets.reading.formats import DAMAGED
from dmlib.datasets.reading.options import Limits
from dmlib.datasets.table import TableError

_COLUMN = re.compile(rb"""\sr\s*=\s*["']([A-Z]{1,3})\d""")
_ROW = re.compile(rb"""\sr\s*=\s*["'][A-Z]{0,3}(\d{1,7})["']""")
_TAG = re.compile(rb"[<:](?:(row)|c)[\s>/]")
_UNSAFE = re.compile(rb"""<!DOCTYPE|<!ENTITY|\br\s*=\s*["'][^"']{0,9}&""")
_CHUNK = 2**20
_DENSEST = (
    100  # how many times its size a workbook may unpack to; tables of equal cells reach about 30
)
_SMALL = 50 * 2**20  # bytes to which any workbook may unpack
_ELEMENTS = 3  # of OpenDocument for a cell: itself, its text, and some that only format
_SPARSE = 2_000_000  # cells of an area that may be mostly empty
_UNUSUAL = "The workbook is written in an unusual way. Open it and save it again."
_SHEET = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"


def check_zip(data: bytes, limits: Limits) -> None:
    """Refuse a workbook that unpacks to too much, or whose few cells span a huge area.

    The reader makes a dense array of the area, so one cell in the last corner would cost all
    memory.

    Raises
    ------
    TableError
        If it does, or is damaged.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            _check_bytes(sum(member.file_size for member in members), len(data), limits)
            names = {member.filename for member in members}
            if "xl/workbook.xml" in names:
                for member in members:
                    if member.filename.endswith(".xml"):
                        _check_xlsx(archive, member, limits)
            elif "content.xml" in names:
                if any(
                    _UNSAFE.search(chunk)
                    for chunk in _chunks(archive, archive.getinfo("content.xml"))
                ):
                    raise TableError("unsafe_xml", _UNUSUAL)
                with archive.open("content.xml") as stream:
                    _check_ods(stream, limits)
            else:
                raise TableError(
                    "wrong_format", "The file is a zip archive, not a table. Unpack it first."
                )
    except TableError:
        raise
    except DAMAGED:
        raise TableError("corrupt", "The workbook is damaged. Open it and save it again.") from None


def _check_bytes(unpacked: int, packed: int, limits: Limits) -> None:
    """Refuse a workbook by the sizes that its archive states, the most that is unpacked."""
    if unpacked > limits.n_unpacked:
        raise TableError("bomb", f"The workbook unpacks to more than {limits.n_unpacked >> 20} MB.")
    if unpacked > max(_SMALL, _DENSEST * packed):
        raise TableError(
            "bomb",
            f"The workbook unpacks to {unpacked >> 20} MB, more than {_DENSEST} times its size. "
            "Open it, delete what is empty, and save it again.",
        )


def _check_xlsx(archive: zipfile.ZipFile, member: zipfile.ZipInfo, limits: Limits) -> None:
    """Count rows and cells, and stop unpacking where they are too many."""
    rows = columns = n_rows = n_cells = 0
    for chunk in _chunks(archive, member):
        odd = (b"&" in chunk or b"<!" in chunk) and _UNSAFE.search(chunk)
        if odd or chunk.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise TableError("unsafe_xml", _UNUSUAL)
        tags = _TAG.findall(chunk)
        n_rows += tags.count(b"row")
        n_cells += tags.count(b"")
        rows = max(rows, *map(int, _ROW.findall(chunk)), 0)
        columns = max(columns, *map(_column_number, set(_COLUMN.findall(chunk))), 0)
        check_extent(max(rows, n_rows), columns, limits)
        if n_cells > limits.n_cells:
            raise TableError(
                "too_large",
                f"A sheet has more than {limits.n_cells:,} cells. Keep fewer rows or columns.",
            )
    if rows * columns > max(_SPARSE, 20 * n_cells):
        raise TableError(
            "too_large",
            f"A sheet reaches to row {rows:,} and column {columns:,} but holds only {n_cells:,}"
            " cells. Delete stray cells far from the table.",
        )


def _chunks(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield a member in pieces that end where a tag ends, so that none is cut in two."""
    tail = b""
    with archive.open(member) as stream:
        while chunk := stream.read(_CHUNK):
            end = chunk.rfind(b">") + 1
            if end or len(tail) > _CHUNK:
                yield tail + chunk[:end]
                tail = b""
            tail += chunk[end:]
    yield tail


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _check_ods(stream: Any, limits: Limits) -> None:
    """Add up the repetitions by which OpenDocument abbreviates equal rows and cells."""
    rows = columns = across = n_elements = 0
    filled = False
    try:
        for _, element in ElementTree.iterparse(stream):
            n_elements += 1
            if element.tag == f"{{{_SHEET}}}table-cell":
                across += int(element.get(f"{{{_SHEET}}}number-columns-repeated", 1))
                if element.get(f"{{{_OFFICE}}}value-type"):
                    filled, columns = True, max(columns, across)
            elif element.tag == f"{{{_SHEET}}}table-row":
                rows += int(element.get(f"{{{_SHEET}}}number-rows-repeated", 1)) if filled else 0
                across, filled = 0, False
                element.clear()
                check_extent(rows, columns, limits)
            if n_elements > _ELEMENTS * limits.n_cells:
                raise TableError(
                    "too_large",
                    "A sheet has too many cells. Delete empty cells far from the table.",
                )
    except ElementTree.ParseError:
        raise TableError("corrupt", "The workbook is damaged. Open it and save it again.") from None


def check_extent(rows: int, columns: int, limits: Limits) -> None:
    """Refuse an area that is too large.

    Raises
    ------
    TableError
        If it has too many rows, columns or cells.
    """
    if columns > limits.n_columns:
        raise TableError(
            "too_many_columns",
            f"A sheet reaches to column {columns:,}; the limit is {limits.n_columns:,}. "
            "Delete stray cells to the right.",
        )
    if rows > limits.n_rows + 1 or rows * columns > limits.n_cells:
        raise TableError(
            "too_many_rows",
            f"A sheet reaches to row {rows:,} with {columns:,} columns. Delete stray cells far"
            " below.",
        )
