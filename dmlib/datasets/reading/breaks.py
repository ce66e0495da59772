"""Rows between the rows of data that are none: the names again at each page break, and remarks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.datasets.reading.cells import Cells, matching
from dmlib.datasets.reading.layout import COMMENTS
from dmlib.datasets.reading.numbers import MOSTLY, PLAIN
from dmlib.datasets.reading.repairs import Repairs
from dmlib.datasets.table import Note

MAX_COPIES = 1 / 3
"""Share of the rows that may repeat the names, so that each page has some rows."""

_MAX_COMMENTS = 0.5  # share of the rows
_YEAR = r"(?:1[89]|20)[0-9]{2}"


def without_repeated_names(cells: Cells, repairs: Repairs) -> tuple[Cells, list[Note]]:
    """Leave out rows that repeat the names in the first, and what stands around them.

    Notes
    -----
    The first row holds names if its words come nowhere else in their columns.
    """
    copies = copies_of_first(cells)
    if not 0 < copies.mean() < MAX_COPIES or not _is_unique(cells, copies):
        return cells, []
    lines = cells.lines[copies]
    furniture = copies | _titles_above(cells, copies) | _descriptions_below(cells, copies)
    for i in np.flatnonzero(furniture).tolist():
        repairs.row(int(cells.lines[i]), row_text(cells, i), "left out: the names again")
    rows = f"{len(lines)} rows repeat" if len(lines) > 1 else "1 row repeats"
    are = "are" if furniture.sum() > 1 else "is"
    text = f"{rows} the names, as at page breaks, and {are} left out (line {lines[0]})."
    return cells.rows(~furniture), [Note("extra_ignored", text)]


def without_comments(cells: Cells, repairs: Repairs) -> tuple[Cells, list[Note]]:
    """Leave out remarks that have as many fields as the rows.

    Parameters
    ----------
    cells : Cells
        The rows below the names.
    repairs : Repairs
        Takes the rows that are left out.
    """
    comments = comments_among(cells)
    if not comments.any():
        return cells, []
    for i in np.flatnonzero(comments).tolist():
        repairs.row(int(cells.lines[i]), row_text(cells, i), "left out: a comment")
    count = int(comments.sum())
    rows = (
        f"{count} comments between the rows are" if count > 1 else "1 comment between the rows is"
    )
    return cells.rows(~comments), [
        Note("comments", f"{rows} left out (line {cells.lines[comments][0]}).")
    ]


def copies_of_first(cells: Cells) -> NDArray[np.bool_]:
    """Return which rows are equal to the first, which is not one of them."""
    copies = np.ones(len(cells.lines), bool)
    for column in cells.columns:
        copies &= column.codes == column.codes[0]
    copies[0] = False
    return copies


def comments_among(cells: Cells) -> NDArray[np.bool_]:
    """Return which rows are comments: a mark, then a word among numbers or no other cell."""
    no_rows = np.zeros(len(cells.lines), bool)
    if not cells.columns or 0 in cells.numbers:
        return no_rows
    first = cells.columns[0]
    marked = np.array([str(text).startswith(COMMENTS) for text in first.texts], bool)[first.codes]
    if not marked.any() or marked.mean() >= _MAX_COMMENTS:
        return no_rows
    # A mark alone may stand for a missing number.
    is_bare = np.isin(first.texts, COMMENTS)[first.codes]
    odd = np.zeros(len(marked), bool)
    blank = np.ones(len(marked), bool)
    for i, column in enumerate(cells.columns):
        if i in cells.numbers:
            blank &= np.isnan(cells.numbers[i])
            continue
        filled, numbers = column.texts != "", matching(column.texts, PLAIN)
        counts = np.bincount(column.codes[~marked], minlength=len(column.texts))
        if counts[filled].sum() and counts[numbers].sum() >= MOSTLY * counts[filled].sum():
            odd |= (filled & ~numbers)[column.codes] & (~is_bare | (i > 0))
        if i:
            blank &= ~filled[column.codes]
    return np.asarray(marked & (odd | (blank & ~is_bare & (len(cells.columns) > 1))))


def row_text(cells: Cells, row: int) -> str:
    """Return the texts of a row in one."""
    return " | ".join(str(column.texts[column.codes[row]]) for column in cells.columns)


def _is_unique(cells: Cells, copies: NDArray[np.bool_]) -> bool:
    """Return whether the first row has words that only its copies have, and no number but years."""
    has_words = False
    for column in cells.columns:
        text = column.texts[column.codes[0]]
        if matching([text], PLAIN)[0] or not text:
            if text and not matching([text], _YEAR)[0]:
                return False
            continue
        has_words = True
        if (column.codes == column.codes[0]).sum() > copies.sum() + 1:
            return False
    return has_words and (len(cells.columns) > 1 or _has_numbers(cells, copies))


def _has_numbers(cells: Cells, copies: NDArray[np.bool_]) -> bool:
    """Return whether the only column holds numbers between the copies of its name."""
    column = cells.columns[0]
    texts = column.texts[column.codes[1:][~copies[1:]]]
    return bool(matching(texts, PLAIN).mean() >= MOSTLY) if len(texts) else False


def _titles_above(cells: Cells, copies: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which rows right above the names have a single cell, such as the number of a page."""
    filled = sum((column.texts != "")[column.codes].astype(np.int64) for column in cells.columns)
    single = (filled == 1) & (len(cells.columns) > 2)
    titles = np.zeros(len(copies), bool)
    for copy in np.flatnonzero(copies):
        above = copy - 1
        while above > 0 and single[above]:
            titles[above] = True
            above -= 1
    return titles


def _descriptions_below(cells: Cells, copies: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which rows right below the names repeat the second row, if that has no number."""
    rows = np.flatnonzero(copies) + 1
    rows = rows[rows < len(copies)]
    below = np.zeros(len(copies), bool)
    second = [column.texts[column.codes[1]] for column in cells.columns]
    if not copies[1] and not matching(second, PLAIN).any() and len(rows):
        below[1:] = copies_of_first(cells.rows(np.arange(len(copies)) >= 1))
        below &= np.isin(np.arange(len(copies)), rows)
        below &= bool(below[rows].all())
    return below
