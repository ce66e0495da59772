"""The ledger: the arithmetic of a step, as tables and formulas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Cell = str | int | float | None
FLOATS = (float, np.floating)


@dataclass(frozen=True)
class LedgerTable:
    """A small table of numbers.

    Parameters
    ----------
    head : sequence of str
        Column names.
    rows : sequence of sequences
        Cells: text, whole numbers, floats (shown with six significant digits) or None for nothing.
    title : str
        What the table shows.
    emphasis : sequence of int
        Rows that the step is about.
    classes : bool
        Whether row i belongs to class i and carries its symbol and number (from 1); it answers to
        the marks of that class in the picture.
    by : str
        What the rows are about: they answer to the marks that are ``of`` this and have their
        number; empty for nothing. It is the column with these numbers, unless ``numbers`` has them.
    numbers : sequence of int or None
        The number of each row where no column has it: the rows are told by their names. None for a
        row about nothing.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    emphasis: Sequence[int] = ()
    classes: bool = False
    by: str = ""
    numbers: Sequence[int | None] = ()


@dataclass(frozen=True)
class Formula:
    """One line of arithmetic with the numbers put in, as plain text."""

    text: str


MAX_LINES = 30


def short_table(
    head: Sequence[str],
    rows: Sequence[Sequence[Any]],
    title: str = "",
    emphasis: Sequence[int] = (),
    *,
    max_rows: int = MAX_LINES,
    of: str = "",
    classes: bool = False,
    by: str = "",
    numbers: Sequence[int | None] = (),
) -> LedgerTable:
    """Return a table, cut where it would be too long.

    Parameters
    ----------
    head, rows, title, emphasis
        Those of :class:`LedgerTable`.
    max_rows : int
        How many rows it may have.
    of : str
        What the rows are.
    classes, by, numbers
        Those of :class:`LedgerTable`.

    Examples
    --------
    >>> short_table(("x",), [(1,), (2,), (3,)], "Centres", max_rows=2).title
    'Centres (the first 2 of 3)'
    """
    if len(rows) > max_rows:
        title += f" (the first {max_rows} of {len(rows)}{f' {of}' if of else ''})"
    return LedgerTable(
        head,
        rows[:max_rows],
        title,
        [i for i in emphasis if i < max_rows],
        classes,
        by,
        numbers[:max_rows],
    )


def class_table(
    head: Sequence[str], rows: Sequence[Sequence[Any]], title: str, emphasis: Sequence[int] = ()
) -> LedgerTable:
    """Return a table with a row for each class or cluster, cut where it would be too long."""
    return short_table(head, rows, title, emphasis, classes=True)


def numbered_table(
    head: Sequence[str],
    rows: Sequence[Sequence[Any]],
    title: str,
    emphasis: Sequence[int] = (),
    *,
    by: str = "row",
    max_rows: int = MAX_LINES,
) -> LedgerTable:
    """Return a table of numbered rows, by default rows of the data, cut to a length.

    Examples
    --------
    >>> numbered_table(("row", "distance"), [(7, 0.5), (2, 0.75)], "The nearest rows").by
    'row'
    """
    return short_table(head, rows, title, emphasis, max_rows=max_rows, by=by)


def abridged(terms: Sequence[str], max_terms: int, between: str = " + ") -> str:
    """Return terms in a row, an ellipsis for those that are too many.

    Examples
    --------
    >>> abridged(["1", "2", "3"], 2)
    '1 + 2 + …'
    """
    return between.join([*terms[:max_terms], *(["…"] if len(terms) > max_terms else [])])


Blocks = list[LedgerTable | Formula]


def number(value: Cell) -> Cell:
    """Round a float to six significant digits; leave everything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, FLOATS):
        return float(f"{value:.6g}") if math.isfinite(value) else str(float(value))
    return int(value) if isinstance(value, np.integer) else value
