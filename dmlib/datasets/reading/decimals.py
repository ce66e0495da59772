"""Which mark the decimals of a column, or of all columns of a file, are written with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dmlib.datasets.reading.cells import Cells, Column, matching

Mark = Literal[".", ","]

_MOSTLY = 0.9  # share of the values that have to be numbers
_SAMPLE = 50  # texts of which half have to be numbers
_BLANK = "['’ \xa0\u202f]"  # as letters, since Arrow's expressions write them differently
_BEFORE = r"[^0-9.,]{0,8}"  # a sign and a currency
_BEHIND = r"(?:[eE][+-]?[0-9]{1,3})?(?:[.,][-–—]{1,2})?[^0-9.,]{0,24}"
_INTEGER = rf"{_BEFORE}[0-9]+(?:{_BLANK}[0-9]{{3}})*{_BEHIND}"


def _own(mark: str, grouping: str) -> str:
    """Return how numbers are written in which a mark can only be that of decimals."""
    patterns = (
        rf"[0-9]*{mark}[0-9]{{1,2}}",
        rf"[0-9]*{mark}[0-9]{{4,40}}",
        rf"(?:0[0-9]*)?{mark}[0-9]{{3}}",
        rf"[0-9]{{4,40}}{mark}[0-9]{{3}}",
        rf"[0-9]{{1,3}}(?:{grouping}[0-9]{{3}})+{mark}[0-9]+",
        rf"[0-9]{{1,3}}(?:{grouping}[0-9]{{3}}){{2,9}}",
        rf"[0-9]{{1,3}}(?:{_BLANK}[0-9]{{3}})+{mark}[0-9]+",
        rf"[0-9]{{1,12}}{mark}[-–—]{{1,2}}",
        rf"[0-9]{{1,3}}(?:{grouping}[0-9]{{3}})+{mark}[-–—]{{1,2}}",
    )
    return f"{_BEFORE}(?:{'|'.join(patterns)}){_BEHIND}"


_OWN: dict[Mark, str] = {",": _own(",", r"\."), ".": _own(r"\.", ",")}
_GROUPED: dict[Mark, str] = {
    ",": rf"{_BEFORE}[1-9][0-9]{{0,2}}(?:,[0-9]{{3}})+{_BEHIND}",
    ".": rf"{_BEFORE}[1-9][0-9]{{0,2}}(?:\.[0-9]{{3}})+{_BEHIND}",
}
_ANY = "|".join((_INTEGER, *_GROUPED.values(), *_OWN.values()))


def decimal_mark(texts: NDArray[np.object_], counts: NDArray[np.int64]) -> Mark | None:
    """Return the decimal mark of a column of numbers; None if it may be both marks, or neither.

    Three digits behind a mark may be thousands, as in 1.250, but not behind a zero, as in 0,900.

    Examples
    --------
    >>> ones = np.ones(2, int)
    >>> decimal_mark(np.array(["0,900", "1,250"], object), ones)
    ','
    >>> decimal_mark(np.array(["1.250", "3.400"], object), ones) is None
    True
    """
    n_commas, n_points = (max((text.count(mark) for text in texts), default=0) for mark in ",.")
    sample = texts[:: -(-len(texts) // _SAMPLE)] if n_commas or n_points else texts[:0]
    if not len(sample) or matching(sample, _ANY).mean() < 0.5:
        return None
    is_comma = (n_commas > 0 or n_points > 1) and matching(texts, _OWN[","]).any()
    is_point = (n_points > 0 or n_commas > 1) and matching(texts, _OWN["."]).any()
    if is_comma == is_point or counts[matching(texts, _ANY)].sum() < _MOSTLY * counts.sum():
        return None
    return "," if is_comma else "."


def may_be_grouped(texts: NDArray[np.object_], mark: Mark) -> bool:
    """Return whether the mark stands in some of the texts as between thousands."""
    return bool(
        matching(texts[:_SAMPLE], _GROUPED[mark]).any()
        or matching(texts[_SAMPLE:], _GROUPED[mark]).any()
    )


def decimal_mark_of_file(cells: Cells, is_text: bool) -> Mark | None:
    """Return the decimal mark of all columns that show one; None if they differ, or none does.

    Numbers of files that are no text, such as workbooks, are not written with marks.
    """
    if not is_text:
        return None
    marks = {
        decimal_mark(column.texts, column.counts) for column in _texts(cells.columns, cells.numbers)
    }
    if cells.has_points:
        marks.add(".")
    marks.discard(None)
    return marks.pop() if len(marks) == 1 else None


def _texts(columns: Iterable[Column], numbers: Any) -> Iterable[Column]:
    return (column for i, column in enumerate(columns) if i not in numbers)


def has_point(values: NDArray[Any]) -> bool:
    """Return whether numbers were written with a point that cannot stand between thousands.

    Examples
    --------
    >>> [has_point(np.array(values)) for values in ([1.25, 3.4], [0.9, 1.25], [1, 2])]
    [False, True, False]
    """
    if values.dtype.kind != "f":
        return False
    sizes = np.abs(values[np.isfinite(values)])
    sizes = sizes[sizes != np.floor(sizes)]
    thousandths = sizes * 1000
    return bool(
        ((sizes < 1) | (sizes >= 1000) | (np.abs(thousandths - np.rint(thousandths)) > 1e-6)).any()
    )
