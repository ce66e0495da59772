"""Tables that stand side by side, with blank columns between them."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from dmlib.datasets.reading.cells import Cells, matching
from dmlib.datasets.reading.columns import listed
from dmlib.datasets.reading.numbers import PLAIN
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.reading.repairs import Repairs
from dmlib.datasets.table import Note

_MIN_KEYS = 3  # rows whose names differ


def largest_table(cells: Cells, options: ReadOptions, repairs: Repairs) -> tuple[Cells, list[Note]]:
    """Return the largest of the tables that stand side by side, the first of equals.

    Parameters
    ----------
    cells : Cells
        All rows, the names on top.
    options : ReadOptions
        Which table is read, if that is known.
    repairs : Repairs
        Takes the rows of the other tables.

    Returns
    -------
    cells : Cells
        The columns of one table, without the rows below its end; all cells if it is the only one.
    notes : list of Note
        Which tables are left out.

    Notes
    -----
    Columns on both sides of a blank one are tables of their own if there are two or more on each
    side, with names, and they end in different rows, share a name, or have different words in each
    row of their first columns.
    """
    blocks = _blocks(cells)
    if len(blocks) < 2 or options.block == 0:
        return cells, []
    if options.block is not None:
        chosen = blocks[min(options.block, len(blocks)) - 1]
    elif _are_tables(blocks):
        chosen = max(blocks, key=lambda block: block.size)
    else:
        return cells, []
    left_out = [block for block in blocks if block is not chosen]
    for block in left_out:
        for row in np.flatnonzero(block.filled).tolist():
            text = " | ".join(block.texts(row))
            repairs.row(int(cells.lines[row]), text, "left out: another table")
    names = listed([", ".join(name for name in block.names if name) for block in left_out])
    text = (
        f"{len(blocks)} tables stand side by side; one was read. Save the others as files of their"
        f" own: {names}."
    )
    columns = tuple(cells.columns[i] for i in chosen.columns)
    row_names = cells.row_names and chosen.columns[0] == 0
    cells = replace(cells, columns=columns, row_names=row_names).rows(chosen.filled)
    return cells, [Note("multiple_tables", text)]


def _blocks(cells: Cells) -> list[_Block]:
    """Return the blocks of columns between blank ones."""
    is_used = [bool((column.texts != "")[column.codes].any()) for column in cells.columns]
    groups = groupby(range(len(is_used)), key=is_used.__getitem__)
    return [_Block(cells, list(columns)) for used, columns in groups if used]


class _Block:
    """Neighbouring columns, which may be a table.

    Attributes
    ----------
    columns : list of int
        Their positions.
    filled : ndarray of bool, shape (n_rows,)
        In which rows one of them has a value.
    """

    def __init__(self, cells: Cells, columns: list[int]) -> None:
        self._cells, self.columns = cells, columns
        self.filled: NDArray[np.bool_] = np.zeros(len(cells.lines), bool)
        for i in columns:
            self.filled |= (cells.columns[i].texts != "")[cells.columns[i].codes]
        self._rows = np.flatnonzero(self.filled)

    def texts(self, row: int) -> list[str]:
        """Return the cells of a row."""
        return [
            self._cells.columns[i].texts[self._cells.columns[i].codes[row]] for i in self.columns
        ]

    @property
    def size(self) -> int:
        return len(self._rows) * len(self.columns)

    @property
    def end(self) -> int:
        return int(self._rows[-1])

    @property
    def names(self) -> list[str]:
        """The first row with two words, below a title."""
        rows = [self.texts(row) for row in self._rows[:2]]
        return next((row for row in rows if sum(map(bool, row)) > 1), rows[0])

    @property
    def is_table(self) -> bool:
        """Whether there are columns with names, over rows without a gap."""
        words = [name for name in self.names if name and not matching([name], PLAIN)[0]]
        is_gapless = self.end + 1 - self._rows[0] == len(self._rows) > 2
        return len(self.columns) > 1 and bool(words) and is_gapless

    @property
    def has_keys(self) -> bool:
        """Whether the first column holds different words."""
        column = self._cells.columns[self.columns[0]]
        texts = column.texts[column.codes[self._rows[1:]]]
        differ = len(set(texts)) == len(texts) >= _MIN_KEYS and "" not in texts
        return differ and not matching(texts, PLAIN).any()


def _are_tables(blocks: list[_Block]) -> bool:
    if not all(block.is_table for block in blocks):
        return False
    names = [{name.lower() for name in block.names if name} for block in blocks]
    share_names = any(first & second for first, second in pairwise(names))
    end_apart = len({block.end for block in blocks}) > 1
    return end_apart or share_names or all(block.has_keys for block in blocks)
