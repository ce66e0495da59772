"""Write the cells of a workbook as lines of JSON: a program of its own, started by `workbook`.

The reader of workbooks is written in Rust. A damaged file can make it ask for memory that no
machine has, which ends the whole process; here it ends this one. It imports nothing of dmlib, so
that it starts in a moment.

Usage: ``python -P sheets.py N_ROWS N_COLUMNS N_CELLS < workbook``. The first line holds the names
of the sheets, those that are hidden last. Then come, for each, a line with its name, the row it
starts in, its height, its width and its merged cells, and its rows, unless it is larger than the
limits. An object instead of a list tells what is wrong.
"""

from __future__ import annotations

import io
import json
import re
import struct
import sys
import zipfile
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

MEMORY = 2**31  # bytes
SECONDS = 60  # of computing
_SPARSE = 2_000_000
_CELL = 6  # bytes that a cell takes in an .xls file at least
_OLE = b"\xd0\xcf\x11\xe0"
_ODF = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}p"
_ERROR_TYPE = re.compile(rb"""\bt=["']e["']""")
_PLACE = re.compile(rb"""\br=["']([A-Z]{1,3})([0-9]{1,7})["']""")
_ERROR = re.compile(rb"<(?:[A-Za-z0-9]{1,9}:)?v>([^<>]{1,40})<")
_CODES = {
    0: "#NULL!",
    7: "#DIV/0!",
    15: "#VALUE!",
    23: "#REF!",
    29: "#NAME?",
    36: "#NUM!",
    42: "#N/A",
    43: "#N/A",
}
_CODED = re.compile(rb"\x05\x02\x08\x00.{7}\x01|\x06\x00.{8}\x02.{5}\xff\xff", re.DOTALL)
_CHUNK = 2**20
_REACH = 10_000  # bytes in which the error of a cell stands behind its type
_BOUNDSHEET, _FORMULA, _BOOLEAN_OR_ERROR = 0x0085, 0x0006, 0x0205  # records of an .xls file

Places = dict[tuple[int, int], str]
Areas = list[tuple[int, int, int, int]]


def lines(data: bytes, n_rows: int, n_columns: int, n_cells: int) -> Iterator[Any]:
    """Yield what is written, line by line."""
    import python_calamine as calamine

    try:
        with calamine.CalamineWorkbook.from_filelike(io.BytesIO(data)) as book:
            names = _visible_first(book, calamine.SheetVisibleEnum.Visible)
            yield names
            errors, areas = marks(data)
            for name in names:
                sheet = book.get_sheet_by_name(name)
                top, first_column = sheet.start or (0, 0)
                merged = _merged(sheet) or areas.get(name, [])
                moved = [_moved(area, top, first_column) for area in merged]
                yield [name, top, sheet.height, sheet.width, moved]
                n_in_sheet = sheet.height * sheet.width
                is_large = sheet.height > n_rows + 1 or sheet.width > n_columns
                if is_large or n_in_sheet > n_cells or _is_sparse(data, n_in_sheet):
                    return
                rows = ([_text(cell) for cell in row] for row in sheet.to_python())
                places = errors.get(name, {}).items()
                yield from _with_errors(
                    rows, {(i - top, j - first_column): text for (i, j), text in places}
                )
    except calamine.PasswordError:
        yield {"wrong": "password"}
    except calamine.CalamineError as error:
        yield {"wrong": str(error)}


def _visible_first(book: Any, visible: Any) -> list[str]:
    """Return the names of the sheets, those that are hidden last."""
    hidden = {each.name for each in book.sheets_metadata if each.visible != visible}
    return sorted(book.sheet_names, key=hidden.__contains__)


def _merged(sheet: Any) -> Areas:
    """Return the merged cells of a sheet; none where the format does not say."""
    ranges: Any = getattr(sheet, "merged_cell_ranges", None) or ()
    return [(*start, *stop) for start, stop in ranges]


def _is_sparse(data: bytes, n_cells: int) -> bool:
    """Return whether an .xls file is too small for its cells: most of them are blank."""
    return data.startswith(_OLE) and n_cells > max(_SPARSE, 20 * len(data) / _CELL)


def _moved(area: tuple[int, int, int, int], first_row: int, first_column: int) -> list[int]:
    return [
        area[0] - first_row,
        area[1] - first_column,
        area[2] - first_row,
        area[3] - first_column,
    ]


def _with_errors(rows: Iterator[list[str]], errors: Places) -> Iterator[list[str]]:
    """Yield rows with the names of errors, for which the reader of workbooks has no text."""
    in_rows: dict[int, dict[int, str]] = {}
    for (i, column), error in errors.items():
        in_rows.setdefault(i, {})[column] = error
    for i, row in enumerate(rows):
        for column, error in in_rows.get(i, {}).items():
            if 0 <= column < len(row) and not row[column]:
                row[column] = error
        yield row


def _text(cell: Any) -> str:
    if isinstance(cell, float):
        if not cell.is_integer():
            return repr(cell)
        # As a spreadsheet shows it
        return str(int(cell)) if abs(cell) < 2**53 else repr(cell).upper()
    return str(cell)


def marks(data: bytes) -> tuple[dict[str, Places], dict[str, Areas]]:
    """Return the cells with errors and, for OpenDocument, the merged cells of each sheet.

    Rows and columns count from 0. What is damaged has no marks: the reader of workbooks tells what
    is wrong with it.
    """
    try:
        if data.startswith(_OLE):
            return _xls_errors(_workbook_stream(data)), {}
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if "content.xml" in archive.namelist():
                marked = any(
                    b"-spanned" in piece or b'"error"' in piece
                    for piece in _pieces(archive, "content.xml")
                )
                with archive.open("content.xml") as content:
                    return _ods_marks(content) if marked else ({}, {})
            parts = _xlsx_parts(archive)
            return {name: _xlsx_errors(_pieces(archive, part)) for name, part in parts.items()}, {}
    except (
        zipfile.BadZipFile,
        ElementTree.ParseError,
        KeyError,
        IndexError,
        ValueError,
        struct.error,
    ):
        return {}, {}


def _xlsx_parts(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return where each sheet of an .xlsx workbook is."""
    relations = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
    targets = {relation.get("Id"): str(relation.get("Target")) for relation in relations}
    book = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    sheets = [element for element in book.iter() if element.tag.endswith("}sheet")]
    # The space of names of relations differs between the two kinds of .xlsx workbooks.
    keys = [
        next((value for key, value in sheet.items() if key.endswith("}id")), "") for sheet in sheets
    ]
    parts = {
        str(sheet.get("name")): targets.get(key, "")
        for sheet, key in zip(sheets, keys, strict=True)
    }
    paths = {
        name: part.lstrip("/") if part.startswith("/") else f"xl/{part}"
        for name, part in parts.items()
    }
    return {name: path for name, path in paths.items() if path in archive.namelist()}


def _pieces(archive: zipfile.ZipFile, part: str) -> Iterator[bytes]:
    """Yield a part in pieces, each with the end of the one before."""
    end = b""
    with archive.open(part) as stream:
        while chunk := stream.read(_CHUNK):
            piece = end + chunk
            yield piece
            end = piece[-2 * _REACH :]


def _xlsx_errors(pieces: Iterator[bytes]) -> Places:
    errors = {}
    for piece in pieces:
        for match in _ERROR_TYPE.finditer(piece):
            start = piece.rfind(b"<", max(0, match.start() - 200), match.start())
            stop = piece.find(b">", max(0, start), match.end() + 200)
            place = _PLACE.search(piece, max(0, start), max(0, stop))
            error = _ERROR.search(piece, match.end(), match.end() + _REACH)
            if 0 <= start < match.start() < stop and place and error:
                row_and_column = int(place[2]) - 1, _column_number(place[1])
                errors[row_and_column] = error[1].decode("utf-8", "replace")
    return errors


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number - 1


def _ods_marks(content: Any) -> tuple[dict[str, Places], dict[str, Areas]]:
    errors: dict[str, Places] = {}
    areas: dict[str, Areas] = {}
    name, row, column = "", 0, 0
    for event, element in ElementTree.iterparse(content, ("start", "end")):
        if event == "start":
            if element.tag == f"{_ODF}table":
                name, row = str(element.get(f"{_ODF}name")), 0
            elif element.tag == f"{_ODF}table-row":
                column = 0
        elif element.tag == f"{_ODF}table-row":
            row += int(element.get(f"{_ODF}number-rows-repeated", 1))
            element.clear()
        elif element.tag in (f"{_ODF}table-cell", f"{_ODF}covered-table-cell"):
            if any(
                key.endswith("}value-type") and value == "error"
                for key, value in element.attrib.items()
            ):
                errors.setdefault(name, {})[row, column] = element.findtext(_TEXT) or "#VALUE!"
            height = int(element.get(f"{_ODF}number-rows-spanned", 1))
            width = int(element.get(f"{_ODF}number-columns-spanned", 1))
            if height > 1 or width > 1:
                areas.setdefault(name, []).append(
                    (row, column, row + height - 1, column + width - 1)
                )
            column += int(element.get(f"{_ODF}number-columns-repeated", 1))
    return errors, areas


def _workbook_stream(data: bytes) -> bytes:
    """Return the records of an .xls workbook from its container."""
    size, small = 1 << min(16, data[30]), 1 << min(16, data[32])
    cutoff = struct.unpack_from("<I", data, 56)[0]

    def sector(number: int) -> bytes:
        return data[(number + 1) * size : (number + 2) * size]

    def chain(start: int, table: list[int]) -> list[int]:
        numbers: list[int] = []
        while start < len(table) and len(numbers) <= len(table):
            numbers.append(start)
            start = table[start]
        return numbers

    def numbers_in(content: bytes) -> list[int]:
        return list(struct.unpack(f"<{len(content) // 4}I", content[: len(content) // 4 * 4]))

    tables = numbers_in(data[76:512])
    following, n_following = struct.unpack_from("<II", data, 68)
    for _ in range(min(n_following, len(data) // size)):
        *further, following = numbers_in(sector(following))
        tables += further
    table = [
        number for each in tables if each < len(data) // size for number in numbers_in(sector(each))
    ]
    directory = b"".join(map(sector, chain(struct.unpack_from("<I", data, 48)[0], table)))
    entries = [directory[at : at + 128] for at in range(0, len(directory) - 127, 128)]
    names = [entry[: max(0, entry[64] - 2)].decode("utf-16-le", "replace") for entry in entries]
    book = entries[next(i for i, name in enumerate(names) if name in ("Workbook", "Book"))]
    start, length = struct.unpack_from("<II", book, 116)
    if length >= cutoff:
        return b"".join(map(sector, chain(start, table)))[:length]
    container = b"".join(map(sector, chain(struct.unpack_from("<I", entries[0], 116)[0], table)))
    start_of_small = struct.unpack_from("<I", data, 60)[0]
    small_table = numbers_in(b"".join(map(sector, chain(start_of_small, table))))
    blocks = (
        container[number * small : (number + 1) * small] for number in chain(start, small_table)
    )
    return b"".join(blocks)[:length]


def _xls_errors(stream: bytes) -> dict[str, Places]:
    """Return the errors among the records of an .xls workbook."""
    names: dict[int, str] = {}
    errors: dict[str, Places] = {}
    if not _CODED.search(stream):
        return errors
    at, name = 0, ""
    while at + 4 <= len(stream):
        kind, length = struct.unpack_from("<HH", stream, at)
        name = names.get(at, name)
        content = stream[at + 4 : at + 4 + length]
        if kind == _BOUNDSHEET and length > 8:
            wide = content[7] & 1
            letters = content[8 : 8 + content[6] * (1 + wide)]
            names[struct.unpack_from("<I", content)[0]] = letters.decode(
                "utf-16-le" if wide else "latin-1"
            )
        code = None
        if kind == _BOOLEAN_OR_ERROR and length >= 8 and content[7] == 1:
            code = content[6]
        elif (
            kind == _FORMULA and length >= 14 and content[6] == 2 and content[12:14] == b"\xff\xff"
        ):
            code = content[8]
        if code is not None and name:
            row, column = struct.unpack_from("<HH", content)
            errors.setdefault(name, {})[row, column] = _CODES.get(code, "#VALUE!")
        at += 4 + length
    return errors


def _limit() -> None:
    """Bound memory and time, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for what, bound in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, SECONDS)):
        hard = resource.getrlimit(what)[1]
        soft = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(what, (soft, hard))


if __name__ == "__main__":
    _limit()
    for line in lines(sys.stdin.buffer.read(), *map(int, sys.argv[1:])):
        sys.stdout.write(json.dumps(line) + "\n")
