"""The names above the columns: whether there are any, and a row of units below them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dmlib.datasets.reading.cells import Cells, Column, matching
from dmlib.datasets.reading.columns import some, unique_names
from dmlib.datasets.reading.numbers import MOSTLY, PLAIN, Texts
from dmlib.datasets.table import Note

_SEEN = 1000  # rows that are looked at
_LONGEST_UNIT = 12
_VALUE = r"[+(-]?[$€£¥]?\.?[0-9].*"  # what starts like a number is no unit
_DECIMAL_COMMA = r"[+-]?[0-9]+,[0-9]+"


def named(cells: Cells, header: bool | None = None) -> tuple[Cells, list[Note]]:
    """Take the names off the top of the cells, and a row of units that stands below them.

    Parameters
    ----------
    cells : Cells
        All rows of the table.
    header : bool, optional
        Whether the first row holds names, if that is known.

    Returns
    -------
    cells : Cells
        The rows below, with different names; columns without name and value are gone.
    notes : list of Note
        What was guessed and repaired.
    """
    notes = []
    first = [column.texts[column.codes[0]] for column in cells.columns]
    if has_header(cells) if header is None else header:
        first[0] = first[0].removeprefix("# ")  # where a program writes the names as a comment
        cells = cells.rows(np.arange(len(cells.lines)) > 0)
        units = _units(cells)
        if units:
            cells = cells.rows(np.arange(len(cells.lines)) > 0)
            notes.append(Note("units", f"The row below the names holds units and is left out: {some(units)}."))
    else:
        first = [""] * len(first)
        if header is None:
            notes.append(Note("header_guessed", "The first line holds values, so the columns are numbered."))
    kept = [i for i, name in enumerate(first) if name or (cells.columns[i].texts != "")[cells.columns[i].codes].any()]
    cells, changed = with_names(Cells(tuple(cells.columns[i] for i in kept), cells.lines), [first[i] for i in kept])
    return cells, [*notes, *changed]


def with_names(cells: Cells, names: list[str]) -> tuple[Cells, list[Note]]:
    """Name the columns, so that all names differ, and tell which had to be changed."""
    unique = unique_names(names)
    changed = [f"{old!r} is now {new!r}" for old, new in zip(names, unique, strict=True) if old != new]
    names_were = "1 column name was" if len(changed) == 1 else f"{len(changed)} column names were"
    text = f"{names_were} blank or repeated: {some(changed)}."
    return replace(cells, names=tuple(unique)), [Note("names_changed", text)] if changed else []


def has_header(cells: Cells) -> bool:
    """Return whether the first row holds names: some cell is neither a number nor a value that comes again below."""
    if len(cells.lines) < 2:
        return True
    number = matching(_row(cells), PLAIN)
    if number.all() and _counts(_row(cells)) and not _counts(_row(cells.rows(np.arange(len(cells.lines)) > 0))):
        return True
    again = np.array([(column.codes[1:] == column.codes[0]).any() for column in cells.columns])
    return not ((number | again).all() and number.any())


def _counts(texts: Texts) -> bool:
    """Return whether texts are whole numbers that count on, three or more, as in 0, 1, 2 or 2021, 2022, 2023."""
    if len(texts) < 3 or not matching(texts, r"[0-9]{1,9}").all():
        return False
    return bool((np.diff([int(text) for text in texts]) == 1).all())


def _row(cells: Cells) -> Texts:
    return np.array([column.texts[column.codes[0]] for column in cells.columns], object)


def _units(cells: Cells) -> list[str]:
    """Return the cells of the first row if they are words and all columns are numbers, or have no unit, below."""
    if len(cells.lines) < 3:
        return []
    units = _row(cells)
    numeric = np.array([_numeric_below(column) for column in cells.columns])
    filled = units != ""
    words = filled & ~matching(units, _VALUE) & np.array([len(unit) <= _LONGEST_UNIT for unit in units])
    again = np.array([(column.codes[1:] == column.codes[0]).any() for column in cells.columns])
    few = (words & numeric).sum() < max(1, numeric.sum() / 2)
    if few or (numeric & filled & ~words).any() or (again & filled).any():
        return []
    return [repr(unit) for unit in units[filled]]


def _numeric_below(column: Column) -> bool:
    below = column.texts[np.unique(column.codes[1 : 1 + _SEEN])]
    filled = below[below != ""]
    numbers = matching(filled, PLAIN) | matching(filled, _DECIMAL_COMMA)
    return len(filled) > 0 and bool(numbers.mean() >= MOSTLY)
