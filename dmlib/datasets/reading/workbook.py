"""Workbooks (.xlsx, .xls, .ods) -> cells."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any, NamedTuple

from dmlib.datasets.reading.cells import Cells
from dmlib.datasets.reading.extent import check_extent, check_zip
from dmlib.datasets.reading.header import named
from dmlib.datasets.reading.options import Limits, ReadOptions
from dmlib.datasets.reading.repairs import Repairs
from dmlib.datasets.reading.rows import find_rows
from dmlib.datasets.table import Note, TableError

Rows = list[tuple[int, list[str]]]
_WIDE = (
    0.5  # share of the columns from which on a merged cell is a heading or a remark, not a value
)
_PROGRAM = Path(__file__).with_name("sheets.py")
_LOCKED = "The workbook is protected by a password. Save it without one."


class Sheet(NamedTuple):
    """A sheet of a workbook: numbered rows of texts, and the merged cells.

    A merged area is its first row, first column, last row and last column, as positions from 0.
    """

    name: str
    rows: Rows
    merged: list[tuple[int, int, int, int]]


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
    sheet, notes = _chosen_sheet(data, options)
    changes = Repairs()
    cells, table_notes = _table_of(sheet, options, changes)
    filled = (
        _fill_merged(sheet, int(cells.lines[0]), int(cells.lines[-1])) if len(cells.lines) else []
    )
    if filled:
        changes = Repairs()
        cells, table_notes = _table_of(sheet, options, changes)
        for line, value in filled:
            changes.row(line, value, "filled into an empty part of merged cells")
        n_cells = (
            f"{len(filled)} empty cells that are" if len(filled) > 1 else "1 empty cell that is"
        )
        text = (
            f"The values of merged cells were filled down: {n_cells} part of them hold the same"
            " value."
        )
        table_notes.append(Note("merged_cells", text))
    repairs.take(changes)
    return cells, [*notes, *table_notes]


def _fill_merged(sheet: Sheet, first_line: int, last_line: int) -> list[tuple[int, str]]:
    """Fill the merged cells between two lines with their value; return line and value of each."""
    filled = []
    room = len(sheet.rows) * len(sheet.rows[0][1])
    for top, start, bottom, stop in sheet.merged:
        line, row = sheet.rows[top] if 0 <= top < len(sheet.rows) else (0, [])
        is_value = first_line <= line <= last_line and 0 <= start < len(row) and row[start]
        room -= (bottom - top + 1) * (stop - start + 1)
        if not is_value or room < 0 or stop - start + 1 > max(1, _WIDE * len(row)):
            continue
        for below, cells in sheet.rows[top : bottom + 1]:
            for column in range(start, min(stop + 1, len(cells))):
                if below <= last_line and not cells[column]:
                    cells[column] = row[start]
                    filled.append((below, row[start]))
    return filled


def _table_of(sheet: Sheet, options: ReadOptions, repairs: Repairs) -> tuple[Cells, list[Note]]:
    cells, notes = find_rows(lambda: sheet.rows, options, repairs)
    cells, changed = named(cells, options, repairs)
    return cells, [*notes, *changed]


def sheet_rows(data: bytes, options: ReadOptions) -> tuple[Rows, list[Note]]:
    """Return the numbered rows of the sheet that :func:`read_workbook` chooses, as texts."""
    sheet, notes = _chosen_sheet(data, options)
    return sheet.rows, notes


def _chosen_sheet(data: bytes, options: ReadOptions) -> tuple[Sheet, list[Note]]:
    if data.startswith(b"PK"):
        check_zip(data, options.limits)
    elif "EncryptedPackage".encode("utf-16-le") in data:
        raise TableError("encrypted", _LOCKED)
    with _reader(data, options.limits) as lines:
        return _sheet(lines, options)


@contextlib.contextmanager
def _reader(data: bytes, limits: Limits) -> Iterator[Iterator[Any]]:
    """Start the program that reads workbooks; give what it writes, line by line, and end it."""
    command = [
        sys.executable,
        "-P",
        str(_PROGRAM),
        *map(str, (limits.n_rows, limits.n_columns, limits.n_cells)),
    ]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL) as process:
        try:
            yield _lines(process, data)
        finally:
            process.kill()


def _lines(process: subprocess.Popen[bytes], data: bytes) -> Iterator[Any]:
    """Yield what the program writes about a workbook.

    Raises
    ------
    TableError
        If it cannot read it, or fails.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    with (
        contextlib.suppress(BrokenPipeError),
        process.stdin as stdin,
    ):  # it reads all before it writes
        stdin.write(data)
    for line in process.stdout:
        value = json.loads(line)
        if isinstance(value, dict):
            locked, why = value["wrong"] == "password", " ".join(value["wrong"].split())[:100]
            damaged = f"The workbook is damaged ({why}). Open it and save it again."
            raise TableError("encrypted" if locked else "corrupt", _LOCKED if locked else damaged)
        yield value
    if process.wait():
        raise TableError("corrupt", "The workbook is damaged. Open it and save it again.")


def _sheet(lines: Iterator[Any], options: ReadOptions) -> tuple[Sheet, list[Note]]:
    names = next(lines)
    if options.sheet is not None and options.sheet not in names:
        raise TableError(
            "wrong_format",
            f"There is no sheet {options.sheet!r}. The sheets are {', '.join(names)}.",
        )
    sheets = _filled(lines, options)
    first = next(sheets, None)
    if first is None:
        raise TableError(
            "empty_file",
            "No sheet of the workbook holds any cell. Choose a file with a table in it.",
        )
    # A sheet of a single row or column before the table is a cover.
    sheet = first if _is_table(first) else next(filter(_is_table, sheets), first)
    n_unread = len(names) - 1
    text = (
        f"The sheet {sheet.name!r} was read; {n_unread} other"
        f" sheet{'s were' if n_unread > 1 else ' was'} not."
    )
    return sheet, [Note("sheet_chosen", text)] if n_unread and options.sheet is None else []


def _filled(lines: Iterator[Any], options: ReadOptions) -> Iterator[Sheet]:
    """Yield the sheets that hold a cell, hidden ones last, or the one that is wanted."""
    for name, top, height, width, merged in lines:
        check_extent(height, width, options.limits)
        rows = [(top + i, row) for i, row in enumerate(islice(lines, height), 1)]
        if len(rows) < height:
            raise TableError(
                "too_large",
                f"The cells of the sheet {name!r} lie too far apart. Delete stray cells.",
            )
        if any(any(row) for _, row in rows) and options.sheet in (None, name):
            yield Sheet(name, rows, merged)


def _is_table(sheet: Sheet) -> bool:
    return sum(any(row) for _, row in sheet.rows) > 1 and len(sheet.rows[0][1]) > 1
