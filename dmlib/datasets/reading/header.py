"""The names above the columns: whether there are any, and what is left out above and below them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dmlib.datasets.reading.cells import Cells, matching
from dmlib.datasets.reading.columns import some, unique_names
from dmlib.datasets.reading.head import Head, find_head, joined, rows_of_texts
from dmlib.datasets.reading.numbers import PLAIN
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.reading.repairs import Repairs
from dmlib.datasets.table import Kind, Note


def named(cells: Cells, options: ReadOptions, repairs: Repairs) -> tuple[Cells, list[Note]]:
    """Take the names off the top of the cells, with the rows above them and those that describe the columns.

    Parameters
    ----------
    cells : Cells
        All rows of the table.
    options : ReadOptions
        How many rows hold names or describe the columns, if that is known.
    repairs : Repairs
        Takes the rows that are left out.

    Returns
    -------
    cells : Cells
        The rows below, with different names; columns without name and value are gone.
    notes : list of Note
        What was guessed and repaired.
    """
    used = [i for i, column in enumerate(cells.columns) if (column.texts != "").any()]
    cells = replace(cells, columns=tuple(cells.columns[i] for i in used))
    head = find_head(cells, options)
    notes = []
    if options.header is None and head == Head() and not has_header(cells):
        head = Head(0, 0)
        notes.append(Note("header_guessed", "The first line holds values, so the columns are numbered."))
    start, stop = head.above + head.names, head.above + head.names + head.below
    top = rows_of_texts(cells, stop)
    first = joined(top[head.above : start]) if head.names else [""] * len(cells.columns)
    notes += _told(head, cells, top, first, repairs)
    if options.header is None and head == Head() and matching(top[0], PLAIN).all():
        notes.append(Note("header_guessed", "The first line holds numbers such as years, which were taken as names."))
    first[0] = first[0].removeprefix("# ")  # where a program writes the names as a comment
    cells = cells.rows(np.arange(len(cells.lines)) >= stop)
    kept = [i for i, name in enumerate(first) if name or (cells.columns[i].texts != "")[cells.columns[i].codes].any()]
    cells = replace(cells, columns=tuple(cells.columns[i] for i in kept))
    cells, changed = with_names(cells, [first[i] for i in kept])
    return cells, [*notes, *(changed if head.names else [])]


def _told(head: Head, cells: Cells, top: list[list[str]], names: list[str], repairs: Repairs) -> list[Note]:
    """Keep the rows of the head that are left out, and return notes on them."""
    start = head.above + head.names
    for i, row in enumerate(top):
        if i < head.above:
            repairs.row(int(cells.lines[i]), " | ".join(row), "left out: above the names")
        elif i >= start:
            repairs.row(int(cells.lines[i]), " | ".join(row), f"left out: {head.what} below the names")
    notes = []
    if head.above:
        rows = f"{head.above} rows" if head.above > 1 else "1 row"
        notes.append(Note("preamble", f"{rows} above the names {'are' if head.above > 1 else 'is'} left out."))
    if head.names > 1:
        shown = next((name for name in names if not any(name in row for row in top)), names[0])
        notes.append(Note("names_joined", f"The names in {head.names} rows were joined, as in {shown!r}."))
    if head.below:
        rows = f"{head.below} rows below the names hold" if head.below > 1 else "The row below the names holds"
        shown = some([repr(text) for text in top[start] if text])
        are = "are" if head.below > 1 else "is"
        notes.append(
            Note(
                "questions" if head.what == "questions" else "units", f"{rows} {head.what} and {are} left out: {shown}."
            )
        )
    return notes


def with_names(cells: Cells, names: list[str]) -> tuple[Cells, list[Note]]:
    """Name the columns, so that all names differ, and tell which had to be changed."""
    unique = unique_names(names)
    changed = [f"{old!r} is now {new!r}" for old, new in zip(names, unique, strict=True) if old != new]
    names_were = "1 column name was" if len(changed) == 1 else f"{len(changed)} column names were"
    text = f"{names_were} blank or repeated: {some(changed)}."
    kinds: dict[str, Kind] = {unique[0]: "id"} if cells.row_names else {}
    cells = replace(cells, names=tuple(unique), kinds=kinds)
    return cells, [Note("names_changed", text)] if changed else []


def has_header(cells: Cells) -> bool:
    """Return whether the first row holds names: some cell is neither a number nor a value that comes again below."""
    if len(cells.lines) < 2:
        return True
    first, second = rows_of_texts(cells, 2)
    number = matching(first, PLAIN)
    if (number.all() and (_counts(first) and not _counts(second))) or (_are_years(first) and not _are_years(second)):
        return True
    again = np.array([(column.codes[1:] == column.codes[0]).any() for column in cells.columns])
    return not ((number | again).all() and number.any())


def _counts(texts: list[str]) -> bool:
    """Return whether texts are whole numbers that count on, three or more, as in 0, 1, 2 or 2021, 2022, 2023."""
    if len(texts) < 3 or not matching(texts, r"[0-9]{1,9}").all():
        return False
    return bool((np.diff([int(text) for text in texts]) == 1).all())


def _are_years(texts: list[str]) -> bool:
    """Return whether texts are years, two or more, that rise or fall."""
    if len(texts) < 2 or not matching(texts, r"(?:1[89]|20)[0-9]{2}").all():
        return False
    steps = np.diff([int(text) for text in texts])
    return bool((steps > 0).all() or (steps < 0).all())
