"""Market baskets in files: one basket on each line, one item on each line, or one column for each item."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dmlib.datasets.containers import Baskets
from dmlib.datasets.reading.numbers import PLAIN
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.reading.others import OWN, Rows, delimited_rows, title_of
from dmlib.datasets.table import Note, TableError
from dmlib.trace import look

FORMS = ("lines", "long", "matrix")
_NUMBERS = re.compile(r"(?:\w*[ _-]?)?(?:id|tid|nr|no|number|transaction|invoice|basket|order|receipt|bill|ticket"
                      r"|member|customer)(?:[ _-]?(?:id|nr|no|number))?", re.I)  # fmt: skip
_ITEM = re.compile(r".*(?:item|product|article|description|sku|goods?)(?:[ _-]?\w*)?", re.I)
_COLUMN = re.compile(r"(?:item|product|article)s?(?:\(s\))?[ _-]*\d*", re.I)
_QUANTITY = re.compile(r"qty|quantity|count|amount|units|pieces|number|n", re.I)
_YES, _NO = {"1", "true", "t", "yes", "y", "x", "✓"}, {"", "0", "false", "f", "no", "n", "?", "-"}
_TIMES = tuple(
    re.compile(pattern)
    for pattern in (r"(?P<item>.+?)\s*[:*x×]\s*\d+", r"\d+\s*[x*×]\s*(?P<item>.+)", r"(?P<item>.+?)\s*\(\d+\)")
)
"""How quantities are written with items."""

_INNER = re.compile(r"\s*[,;|]\s*")


@dataclass(frozen=True)
class BasketOptions(ReadOptions):
    """What is decided of a file of baskets; None stands for "find out".

    Parameters
    ----------
    form : {"lines", "long", "matrix"}, optional
        One basket on each line; one item on each line, behind its basket; one column for each item.
    numbered : bool, optional
        Whether the first field names the basket and is no item.

    Raises
    ------
    ValueError
        If an option is none of these.
    """

    form: str | None = None
    numbered: bool | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.form not in (None, *FORMS):
            raise ValueError(f"The form must be one of {', '.join(FORMS)}; it was {self.form!r}.")


@dataclass(frozen=True)
class _Found:
    """Baskets as they were read, and in words how."""

    baskets: list[list[str]]
    how: str
    more: tuple[str, ...] = ()


def read_baskets(data: bytes, name: str, *, options: ReadOptions | Mapping[str, Any] | None = None) -> Baskets:
    r"""Read market baskets from delimited text or a sheet of a workbook.

    Parameters
    ----------
    data : bytes
        The content of the file.
    name : str
        The name under which it was sent; only shown.
    options : ReadOptions or mapping, optional
        What is decided and not found out: ``form`` ("lines", "long", "matrix"), ``numbered`` (whether the first field
        names the basket), ``header`` (whether the first row holds names), ``delimiter``, ``encoding``, ``sheet``.

    Returns
    -------
    Baskets
        The baskets in the order of the file; an item that comes again in a basket counts once. ``notes`` say how the
        file was read.

    Raises
    ------
    TableError
        If there are no baskets, or too many rows.
    ValueError
        If an option is none.

    Notes
    -----
    A file is a *matrix* if below names all cells are marks (0 and 1, yes and no, x) or quantities. It is *long* if its
    columns are called so, or if all lines have two fields (or three with a number) and the first ones come again. Else
    each line is a basket.

    Examples
    --------
    >>> read_baskets(b"tea,milk\ntea\n", "shop.csv").transactions == (frozenset({"tea", "milk"}), frozenset({"tea"}))
    True
    >>> read_baskets(b"id,item\n1,tea\n1,milk\n2,tea\n", "shop.csv").items
    ('milk', 'tea')
    >>> read_baskets(b"tea,milk\n1,1\n1,0\n0,0\n", "shop.csv").transactions[1:]
    (frozenset({'tea'}), frozenset())
    """
    if not isinstance(options, BasketOptions):
        given = vars(options) if isinstance(options, ReadOptions) else options
        options = BasketOptions.of(given)
    assert isinstance(options, BasketOptions)
    rows, notes = delimited_rows(data, name, options)
    found = _read(rows, options)
    transactions = tuple(frozenset(items) for items in found.baskets)
    if not any(transactions):
        raise TableError("no_rows", "The file holds no basket with an item. Put the items of one basket on each line.")
    n_items = len(frozenset().union(*transactions))
    size = f"{_n(len(transactions), 'basket')} of {_n(n_items, 'different item')}"
    notes = [*notes, Note("format_guessed", f"The file was read as {size}: {found.how}.")]
    notes += [Note("format_guessed", sentence) for sentence in (*found.more, *_peculiar(found.baskets))]
    return Baskets(transactions, name="upload", title=title_of(name), notes=tuple(notes), **OWN)


def _peculiar(baskets: Sequence[Sequence[str]]) -> list[str]:
    """Return what is remarkable of the baskets, one sentence each."""
    again = sum(len(set(items)) < len(items) for items in baskets)
    empty = sum(not items for items in baskets)
    told = []
    if again:
        told.append(f"In {_n(again, 'basket')} an item comes again; it counts once.")
    if empty:
        told.append(f"{_n(empty, 'basket')} without an item {'counts' if empty == 1 else 'count'} in every support.")
    if len(baskets) > 1 and len({frozenset(items) for items in baskets}) == 1:
        told.append("All baskets are equal, so every item set in them has the support 1.")
    return told


def _read(rows: Rows, options: BasketOptions) -> _Found:
    """Return the baskets, in the form that is decided or else the first that fits."""
    readers: dict[str, Callable[[Rows, BasketOptions], _Found | None]] = {
        "matrix": _matrix, "long": _long, "lines": _lines,
    }  # fmt: skip
    if options.form:
        found = readers[options.form](rows, options)
        if found is None:
            raise TableError("not_a_table", f"The file cannot be read as {WORDS[options.form]}. Choose another form.")
        return found
    return next(found for read in readers.values() if (found := read(rows, options)))


WORDS = {
    "lines": "one basket on each line",
    "long": "one item on each line behind its basket",
    "matrix": "one column for each item",
}
"""The forms, for people."""


# --- one column for each item -----------------------------------------------------------------------------------------


def _matrix(rows: Rows, options: BasketOptions) -> _Found | None:
    """Read marks or quantities below the names of the items."""
    head, cells = rows[0][1], [row for _, row in rows]
    bare = options.header is False or (options.header is None and all(c.lower() in _YES | _NO for c in head))
    width = max(map(len, cells))
    names = [f"item {j + 1}" for j in range(width)] if bare else head
    body = cells if bare else cells[1:]
    if not body or width < 2 or len(names) < width or (bare and not _plain_marks(body)):
        return None
    first = _numbered(names[0], [row[0] if row else "" for row in body], options) and not bare
    values = {cell.lower() for row in body for cell in row[first:]}
    if not values or not all(value in _YES | _NO or _is_amount(value) for value in values):
        return None
    if options.form is None and not bare and all(re.fullmatch(PLAIN, field) or not field for field in names[first:]):
        return None  # numbers of items, one basket on each line
    baskets = [[name for name, cell in zip(names[first:], row[first:], strict=False) if _is_in(cell)] for row in body]
    how = f"one column for each of {width - first:,} items" + (
        f", behind the number of the basket ({names[0]})" * first
    )
    amounts = any(_is_amount(value) and value not in {"0", "1"} for value in values)
    return _Found(baskets, how, (AMOUNTS,) * amounts)


AMOUNTS = "Quantities are left out: an item is in a basket if its quantity is above 0."


def _plain_marks(body: Sequence[Sequence[str]]) -> bool:
    """Return whether cells without names can only be marks."""
    same = len({len(row) for row in body}) == 1
    return same and {cell for row in body for cell in row} == {"0", "1"}


def _is_amount(value: str) -> bool:
    return bool(re.fullmatch(r"-?\d+(?:\.\d+)?", value))


def _is_in(cell: str) -> bool:
    """Return whether a mark or a quantity says that an item is in a basket."""
    return float(cell) > 0 if _is_amount(cell) else cell.lower() in _YES


def _numbered(name: str, values: Sequence[str], options: BasketOptions) -> bool:
    """Return whether the first column names the baskets."""
    if options.numbered is not None:
        return options.numbered
    if any(value.lower() not in _YES | _NO and not _is_amount(value) for value in values):
        return True
    return bool(_NUMBERS.fullmatch(name)) or (len(values) > 2 and values == [str(i + 1) for i in range(len(values))])


# --- one item on each line --------------------------------------------------------------------------------------------


def _long(rows: Rows, options: BasketOptions) -> _Found | None:
    """Read items behind their baskets, perhaps with quantities."""
    head, width = rows[0][1], max(len(row) for _, row in rows)
    named = _long_columns(head) if options.header is not False else None
    if width < 2 or (options.form is None and (options.numbered is False or not (named or _comes_again(rows)))):
        return None
    basket, item, amount = named or (0, 1, 2 if width == 3 else None)
    body = rows[1:] if (named or _is_head(rows) if options.header is None else options.header) else rows
    baskets: dict[str, list[str]] = {}
    for _, row in body:
        look()
        cells = [*row, *[""] * (width - len(row))]
        items = baskets.setdefault(cells[basket], [])
        returned = amount is not None and _is_amount(cells[amount]) and float(cells[amount]) <= 0
        items += [cells[item]] if cells[item] and not returned else []
    how = f"one item on each of {_n(len(body), 'line')}, behind its basket"
    if len(baskets) == len(body) > 1 and any(_INNER.search(field) for items in baskets.values() for field in items):
        how = "one basket on each line, a list behind its name"
        baskets = {key: [part for field in items for part in _INNER.split(field)] for key, items in baskets.items()}
    if named:
        how += f" (basket: {head[basket]}, item: {head[item]})"
    return _Found(list(baskets.values()), how, (AMOUNTS,) * (amount is not None))


def _comes_again(rows: Rows) -> bool:
    """Return whether rows without telling names are items behind their baskets: numbers that come again with others."""
    cells = [row for _, row in rows]
    width, ids = len(cells[0]), {row[0] for row in cells}
    if any(len(row) != width for row in cells) or width not in (2, 3):
        return False
    items = {row[1] for row in cells}
    if width == 3 and not (all(_is_amount(row[2]) for row in cells[1:]) and any(map(_is_text, items))):
        return False
    numbers = sum(any(c.isdigit() for c in row[0]) for row in cells) > len(cells) / 2
    apart = not ids & items or not any(map(_is_text, items))
    return numbers and apart and len(ids) < len({(row[0], row[1]) for row in cells})


def _is_text(field: str) -> bool:
    return not re.fullmatch(PLAIN, field)


def _long_columns(head: Sequence[str]) -> tuple[int, int, int | None] | None:
    """Return the columns of the basket, the item and the quantity, by their names; None if they say nothing."""

    def first(pattern: re.Pattern[str], taken: Iterable[int | None] = ()) -> int | None:
        fits = (j for j, name in enumerate(head) if pattern.fullmatch(name) and j not in taken)
        return next(fits, None)

    items = [j for j, name in enumerate(head) if _ITEM.fullmatch(name)]
    words = [j for j in items if not re.search(r"id|code|no|nr|number", head[j], re.I)]
    item = next(iter(words or items), None)
    basket = first(_NUMBERS, items)
    if item is None or basket is None or sum(bool(_COLUMN.fullmatch(name)) for name in head) > 1:
        return None
    return basket, item, first(_QUANTITY, (basket, item))


def _is_head(rows: Rows) -> bool:
    """Return whether the first row of a long file names its columns: its basket has no other item."""
    first = rows[0][1][0]
    return sum(row[0] == first for _, row in rows) == 1 and not re.fullmatch(PLAIN, first)


# --- one basket on each line ------------------------------------------------------------------------------------------


def _lines(rows: Rows, options: BasketOptions) -> _Found:
    """Read a basket from each line; item columns with names are the same below them."""
    head = rows[0][1]
    columns = len(head) > 1 and sum(bool(_COLUMN.fullmatch(name)) for name in head) >= len(head) - 1
    columns = columns and set(head).isdisjoint(field for _, row in rows[1:] for field in row)
    with_names = columns if options.header is None else bool(options.header)
    body = [row for _, row in rows[with_names:]]
    more = ["The first line holds the names of the columns."] * with_names
    firsts = [row[0] for row in body]
    counts = bool(body) and all(first == str(sum(map(bool, row[1:]))) for first, row in zip(firsts, body, strict=True))
    if options.numbered or (options.numbered is None and (_counting(body) or (with_names and _keys(head[0], firsts)))):
        body = [row[1:] for row in body]
        what = "the number of items" if counts else "the name of the basket"
        more.append(f"The first field is {what}, no item.")
    lists = all(len(row) <= 1 for row in body)  # quoted, or with another mark between items than between fields
    fields = [[part for field in row for part in _INNER.split(field)] for row in body] if lists else body
    items = [list(filter(None, row)) for row in fields]
    plain = _without_amounts(items)
    if plain != items:
        more.append("The quantities beside the items are left out.")
    return _Found(plain, "one basket on each line", tuple(more))


def _counting(body: Sequence[Sequence[str]]) -> bool:
    """Return whether the first fields count the lines or the items, while items are no numbers."""
    firsts = [row[0] for row in body]
    rest = [field for row in body for field in row[1:] if field]
    texts = bool(rest) and sum(not re.fullmatch(PLAIN, field) for field in rest) > len(rest) / 2
    counts = all(first == str(sum(map(bool, row[1:]))) for first, row in zip(firsts, body, strict=True))
    start = _number(firsts[0]) if firsts else 0
    lines = len(body) > 1 and all(
        re.fullmatch(rf"[A-Za-z#_-]{{0,12}}0*{i}", first) for i, first in enumerate(firsts, start=start)
    )
    return texts and (counts or lines)


def _number(text: str) -> int:
    digits = re.search(r"\d{1,15}$", text)
    return int(digits[0]) if digits else -1


def _keys(name: str, values: Sequence[str]) -> bool:
    return bool(_NUMBERS.fullmatch(name)) and len(set(values)) == len(values)


def _without_amounts(baskets: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the items without the quantities that all of them are written with, as in "tea:2" or "2 x tea"."""
    for pattern in _TIMES:
        found = [[pattern.fullmatch(item) for item in items] for items in baskets]
        if any(found) and all(match for items in found for match in items):
            return [[match["item"] for match in items if match] for items in found]
    return [list(items) for items in baskets]


def _n(n: int, one: str) -> str:
    return f"{n:,} {one}{'s' * (n != 1)}"
