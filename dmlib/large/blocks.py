"""Summaries of the blocks of a large table, merged in the order of the rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import accumulate
from typing import Any, Protocol, Self, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib import engine
from dmlib.large.source import Source
from dmlib.trace import look


class Mergeable(Protocol):
    """A summary of some rows."""

    def merge(self, following: Self) -> Self:
        """Return the summary of these rows and of others that come after them."""


Summary = TypeVar("Summary", bound=Mergeable)
Make = Callable[[pd.DataFrame, int], Summary]
"""Makes the summary of a block of rows; it also gets the number of the first row, where rows are
numbered."""


def summarised(
    source: Source,
    columns: Sequence[str],
    make: Make[Summary],
    *,
    numbered: bool = False,
    progress: engine.Progress | None = None,
) -> Summary:
    """Return the summary of a table: that of each block, merged in the order of the rows.

    Parameters
    ----------
    source : Source
        The table.
    columns : sequence of str
        The columns that are read.
    make : callable
        (block, number of its first row) -> summary. It may have to travel to the workers of a
        cluster.
    numbered : bool
        Whether ``make`` needs the numbers of the rows: where the files do not say how many they
        have, they are counted first.
    progress : callable, optional
        Called with the :class:`~dmlib.engine.Task` of each piece that was read.

    Raises
    ------
    ValueError
        If there is no row, or a file cannot be read.

    Notes
    -----
    The pieces are tasks of :mod:`dmlib.engine`, and a block of each that is under way is in memory.
    The order in which the summaries are merged is that of the rows, so that numbers do not depend
    on who was faster.

    Examples
    --------
    >>> source = Source.of(pd.DataFrame({"a": [1.0, 2.0]}))
    >>> summarised(source, ["a"], lambda block, _: Counted(len(block))).n
    2
    """
    starts = [0] * len(source.pieces)
    if numbered:
        starts = [0, *accumulate(counted(source).piece_rows or [])][:-1]
    parts: Iterator[Summary] = (
        part for part in _parts(source, columns, make, starts, progress) if part is not None
    )
    first = next(parts, None)
    if first is None:
        raise ValueError("The table has no rows.")
    return reduce(lambda merged, following: merged.merge(following), parts, first)


class Counted:
    """A number of rows."""

    def __init__(self, n: int) -> None:
        self.n = n

    def merge(self, following: Counted) -> Counted:
        """Return how many they are together."""
        return Counted(self.n + following.n)


def counted(source: Source) -> Source:
    """Return the table with the number of rows of each piece, counted where it is not known.

    Examples
    --------
    >>> counted(Source.of(pd.DataFrame({"a": [1.0, 2.0]}))).piece_rows
    [2]
    """
    if source.piece_rows is not None:
        return source
    counts = _parts(source, source.columns[:1], _count, [0] * len(source.pieces))
    rows = [count.n if count is not None else 0 for count in counts]
    pieces = (replace(piece, n_rows=n) for piece, n in zip(source.pieces, rows, strict=True))
    return replace(source, pieces=tuple(pieces))


def numbers(frame: pd.DataFrame) -> NDArray[np.float64]:
    """Return a block of numbers; what is not finite is missing, NaN.

    Examples
    --------
    >>> numbers(pd.DataFrame({"a": [1, 2], "b": [0.5, np.inf]})).tolist()
    [[1.0, 0.5], [2.0, nan]]
    """
    matrix = np.array(frame.to_numpy(np.float64, na_value=np.nan))
    matrix[np.isinf(matrix)] = np.nan
    return matrix


def comparable(column: pd.Series[Any]) -> pd.Series[Any]:
    """Return a column whose values can be counted: lists and other objects as texts.

    Examples
    --------
    >>> comparable(pd.Series([[1, 2], None, [1, 2]])).tolist()
    ['[1, 2]', nan, '[1, 2]']
    """
    return column.map(str, na_action="ignore") if column.dtype == object else column


def complete(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rows without a missing value.

    Examples
    --------
    >>> complete(np.array([[1.0, np.nan], [2.0, 3.0]])).tolist()
    [[2.0, 3.0]]
    """
    is_complete = ~np.isnan(matrix).any(axis=1)
    return matrix if is_complete.all() else matrix[is_complete]


def _count(block: pd.DataFrame, _start: int) -> Counted:
    return Counted(len(block))


def _parts(
    source: Source,
    columns: Sequence[str],
    make: Make[Any],
    starts: Sequence[int],
    progress: engine.Progress | None = None,
) -> Iterator[Any]:
    """Yield the summary of each piece, in order; None for one without rows."""
    of_piece = partial(_of_piece, columns=tuple(columns), make=make)
    pieces = zip(source.pieces, starts, strict=True)
    # Threads: Arrow and NumPy leave the interpreter to others.
    return engine.map(of_piece, pieces, progress=progress, prefer="threads", long=True)


def _of_piece(numbered: tuple[Any, int], *, columns: Sequence[str], make: Make[Any]) -> Any:
    """Return the summary of a piece and the number of its first row."""
    piece, start = numbered
    summary: Any = None
    for block in piece.blocks(columns):
        look()
        if len(block):
            part = make(block, start)
            summary = part if summary is None else summary.merge(part)
            start += len(block)
    return summary
