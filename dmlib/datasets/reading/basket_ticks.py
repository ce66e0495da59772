"""Baskets in cells that hold several items each, as forms write ticked options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from dmlib.datasets.reading.basket_file import BasketFile, BasketReading, counted
from dmlib.datasets.reading.basket_items import ANY, Separator, items_in, separator_of
from dmlib.datasets.reading.basket_names import is_date, is_text


class ListColumn(NamedTuple):
    """A column whose cells are lists."""

    column: int
    name: str
    cells: list[str]
    separator: Separator
    alike: list[str]
    """Names of other columns of this kind."""


_LISTS = 0.2  # of the cells of such a column, at least
_SHARED = 0.5  # of the items in its lists that stand in other cells too, at least
_LOOKED_AT = 1000  # different cells in which the separator is looked for


def lists_in_a_column(file: BasketFile) -> ListColumn | None:
    """Return the column whose cells hold several items each, which other cells hold too."""
    body = _rows_below_names(file)
    if not body:
        return None
    columns = [[row[j] if j < len(row) else "" for row in body] for j in range(file.width)]
    separators = [_separator_between_ticks(cells) for cells in columns]
    shares = [
        _shared(cells, each) if each else -1.0
        for cells, each in zip(columns, separators, strict=True)
    ]
    best = shares.index(max(shares))
    separator = separators[best]
    enough = 0.0 if any(map(_are_dates, columns)) else _SHARED  # a form, whose rows are no baskets
    if separator is None or shares[best] < enough:
        return None
    names = _names(file, with_names=len(body) < len(file.rows))
    alike = [name for j, name in enumerate(names) if shares[j] >= _SHARED and j != best]
    return ListColumn(best, names[best], columns[best], separator, alike)


def _rows_below_names(file: BasketFile) -> list[list[str]]:
    """Return the rows of a form; None where the first row could be a basket."""
    header, head = file.options.header, file.head
    if header is False or (header is None and any(map(is_date, head))):
        return file.rows
    fields = {cell for row in file.below for cell in row}
    return (
        file.below if header or (fields.isdisjoint(filter(None, head)) and _are_names(head)) else []
    )


def _are_names(head: Sequence[str]) -> bool:
    """Return whether texts are no numbers and no lists; a question may hold commas."""
    lists = (items_in(name) for name in head if not name.endswith(("?", ":", "*")))
    return all(map(is_text, filter(None, head))) and all(len(items) < 2 for items in lists)


def _names(file: BasketFile, *, with_names: bool) -> list[str]:
    names = file.head if with_names else []
    return [*names, *(f"column {j + 1}" for j in range(len(names), file.width))]


def _separator_between_ticks(cells: Sequence[str]) -> Separator | None:
    """Return the separator of the items in enough cells; None where these are no lists."""
    texts = _different(cells)
    separator = separator_of(texts)
    if separator is None or _are_dates(texts):
        return None
    n_lists = sum(len(items_in(text, separator)) > 1 for text in texts)
    return separator if n_lists >= _LISTS * len(texts) else None


def _different(cells: Sequence[str]) -> list[str]:
    return list(islice(dict.fromkeys(filter(None, cells)), _LOOKED_AT))


def _are_dates(cells: Sequence[str]) -> bool:
    texts = _different(cells)
    return sum(map(is_date, texts)) > len(texts) / 2


def _shared(cells: Sequence[str], separator: Separator) -> float:
    """Return which fraction of the items in lists stands in other cells too.

    A comma may stand in a sentence: there the other cell has to be a different one. Other marks
    part lists alone.
    """
    counts = Counter(filter(None, cells))
    items = {cell: set(items_in(cell, separator)) for cell in counts}
    n_cells: Counter[str] = Counter()
    for cell, count in counts.items():
        in_cells = 1 if separator.title == "commas" else count
        n_cells.update(dict.fromkeys(items[cell], in_cells))
    in_lists = [item for each in items.values() if len(each) > 1 for item in each]
    return sum(n_cells[item] > 1 for item in in_lists) / len(in_lists) if in_lists else 0.0


def column_of_choice(file: BasketFile) -> ListColumn | None:
    """Return the column that is decided, or else the one with the largest number of lists."""
    names = _names(file, with_names=file.options.header is not False)
    body = file.rows if file.options.header is False else file.below
    columns = [[row[j] if j < len(row) else "" for row in body] for j in range(file.width)]
    if file.options.column is not None:
        if file.options.column not in names:
            raise ValueError(
                f"There is no column {file.options.column!r}. The columns are"
                f" {', '.join(names)[:200]}."
            )
        best = names.index(file.options.column)
    else:
        n_lists = [sum(len(items_in(cell)) > 1 for cell in cells) for cells in columns]
        best = n_lists.index(max(n_lists))
        if not n_lists[best]:
            return None
    separator = separator_of(filter(None, columns[best])) or ANY
    return ListColumn(best, names[best], columns[best], separator, [])


def ticked_baskets(file: BasketFile, lists: ListColumn) -> BasketReading:
    """Read the items in the cells of a column."""
    baskets = [items_in(cell, lists.separator) for cell in lists.cells]
    how = (
        f"one list of items in each cell of {lists.name[:60]!r}, parted by {lists.separator.title}"
        " outside of brackets"
    )
    remarks = []
    if file.width > 1:
        verb = "is" if file.width == 2 else "are"
        remarks.append(f"{counted(file.width - 1, 'other column')} {verb} left out.")
    if lists.alike:
        names = ", ".join(repr(name[:60]) for name in lists.alike[:3])
        remarks.append(f"Lists of items stand in {names} too.")
    return BasketReading(baskets, how, tuple(remarks))
