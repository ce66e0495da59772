"""The forms in which files hold baskets: rules in their order, each an evidence and a reader."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

from dmlib.datasets.reading.basket_file import WORDS, BasketFile, BasketReading, counted
from dmlib.datasets.reading.basket_items import items_in, without_quantities
from dmlib.datasets.reading.basket_names import (
    is_amount,
    is_date,
    is_item_column,
    is_mark,
    is_text,
    long_columns,
    names_baskets,
    stands_for_yes,
)
from dmlib.datasets.reading.basket_ticks import column_of_choice, lists_in_a_column, ticked_baskets
from dmlib.datasets.table import TableError
from dmlib.trace import look

AMOUNTS = "Quantities are left out: an item is in a basket if its quantity is above 0."


class Rule(NamedTuple):
    """A form, the evidence for it (None where there is none), and the reader of its baskets."""

    form: str
    evidence: Callable[[BasketFile], Any]
    baskets: Callable[[BasketFile, Any], BasketReading]


def read_form(file: BasketFile) -> BasketReading:
    """Return the baskets in the form that is decided, or else the first whose evidence is met.

    Raises
    ------
    TableError
        If the file cannot be read in the form that is decided.
    """
    form = "ticks" if file.options.column is not None else file.options.form
    rules = [rule for rule in (*RULES, *DECIDED) if rule.form == form]
    if form is None:
        rules = list(RULES)
    elif file.options.column is not None:
        rules = [DECIDED[-1]]
    for rule in rules:
        layout = rule.evidence(file)
        if layout is not None:
            return rule.baskets(file, layout)
    raise TableError(
        "not_a_table", f"The file cannot be read as {WORDS[str(form)]}. Choose another form."
    )


# --- one column for each item ---------------------------------------------------------------------


class MarkColumns(NamedTuple):
    """Marks or quantities below the names of items; the first column may name the baskets."""

    names: list[str]
    body: list[list[str]]
    n_before: int


def marks_below_names(file: BasketFile) -> MarkColumns | None:
    """Return the columns where only marks and quantities stand below names that are none."""
    header, names, body = file.options.header, file.head, file.below
    without_names = header is False or (header is None and all(map(is_mark, names)))
    if without_names or not body or file.width < 2 or len(names) < file.width:
        return None
    n_before = int(_is_first_a_name(file))
    numbers_alone = not any(map(is_text, filter(None, names[n_before:])))
    if numbers_alone and file.options.form is None:  # numbers of items, one basket on each line
        return None
    return _of_marks(MarkColumns(names, body, n_before))


def marks_without_names(file: BasketFile) -> MarkColumns | None:
    """Return the columns where all cells are 0 or 1, in rows of the same length."""
    header, body = file.options.header, file.rows
    with_names = header if header is not None else not all(map(is_mark, file.head))
    are_even = len(set(map(len, body))) == 1
    are_marks = {cell for row in body for cell in row} == {"0", "1"}
    if with_names or file.width < 2 or not are_even or not are_marks:
        return None
    return MarkColumns([f"item {j + 1}" for j in range(file.width)], body, 0)


def _of_marks(columns: MarkColumns) -> MarkColumns | None:
    cells = {cell for row in columns.body for cell in row[columns.n_before :]}
    return columns if cells and all(is_mark(cell) or is_amount(cell) for cell in cells) else None


def _is_first_a_name(file: BasketFile) -> bool:
    """Return whether the first column names the baskets.

    It is called so, or its cells are no marks, or count.
    """
    if file.options.numbered is not None:
        return file.options.numbered
    cells = file.column(0)
    if not all(is_mark(cell) or is_amount(cell) for cell in cells) or names_baskets(file.head[0]):
        return True
    return len(cells) > 2 and cells == [str(i + 1) for i in range(len(cells))]


def matrix_baskets(file: BasketFile, columns: MarkColumns) -> BasketReading:
    """Read the items whose cells say yes, or hold a quantity above 0."""
    names, body, start = columns
    baskets = []
    for row in body:
        look()
        cells = zip(names[start:], row[start:], strict=False)
        baskets.append([name for name, cell in cells if stands_for_yes(cell)])
    how = f"one column for each of {file.width - start:,} items"
    if start:
        how += f", behind the number of the basket ({names[0]})"
    texts = {cell for row in body for cell in row[start:]}
    has_amounts = any(is_amount(text) for text in texts - {"0", "1"})
    return BasketReading(baskets, how, (AMOUNTS,) if has_amounts else ())


# --- one item on each line ------------------------------------------------------------------------


class ItemRows(NamedTuple):
    """Rows of a basket and one of its items, perhaps with a quantity: where these stand."""

    basket: int
    item: int
    amount: int | None
    body: list[list[str]]
    named: bool


def columns_named_so(file: BasketFile) -> ItemRows | None:
    """Return the columns that are called basket and item, or the like."""
    decided = file.options.form == "long"
    columns = long_columns(file.head) if file.options.header is not False else None
    if columns is None or file.width < 2 or (file.options.numbered is False and not decided):
        return None
    return ItemRows(*columns, file.below, named=True)


def numbers_that_return(file: BasketFile) -> ItemRows | None:
    """Return the columns of baskets and items whose names say nothing: numbers that recur."""
    widths = set(map(len, file.rows))
    if file.options.numbered is False or len(widths) > 1 or file.width not in (2, 3):
        return None
    pairs = {(row[0], row[1]) for row in file.rows}
    baskets, items = ({*column} for column in zip(*pairs, strict=True))
    has_texts = any(map(is_text, items))
    if file.width == 3 and not (has_texts and all(is_amount(row[2]) for row in file.below)):
        return None
    n_numbers = sum(any(map(str.isdigit, row[0])) for row in file.rows)
    of_two_kinds = baskets.isdisjoint(items) or not has_texts
    recur_with_items = len(baskets) < len(pairs)
    if not (n_numbers > len(file.rows) / 2 and of_two_kinds and recur_with_items):
        return None
    return first_columns(file)


def first_columns(file: BasketFile) -> ItemRows | None:
    """Return the first two columns as basket and item, and a third of three as the quantity."""
    if file.width < 2:
        return None
    first, header = file.head[0], file.options.header
    returns = any(row[0] == first for row in file.below)
    with_names = header if header is not None else not returns and is_text(first)
    amount = 2 if file.width == 3 else None
    return ItemRows(0, 1, amount, file.below if with_names else file.rows, named=False)


def long_baskets(file: BasketFile, rows: ItemRows) -> BasketReading:
    """Read the items of each basket, without those that were returned.

    Where each basket has one row, its item may be a list.
    """
    baskets: dict[str, list[str]] = {}
    for row in rows.body:
        look()
        cells = [*row, *[""] * (file.width - len(row))]
        basket = baskets.setdefault(cells[rows.basket], [])
        amount = cells[rows.amount] if rows.amount is not None else ""
        is_returned = is_amount(amount) and float(amount) <= 0
        if cells[rows.item] and not is_returned:
            basket.append(cells[rows.item])
    how = f"one item on each of {counted(len(rows.body), 'line')}, behind its basket"
    lists = {
        name: [item for text in texts for item in items_in(text)] for name, texts in baskets.items()
    }
    if len(baskets) == len(rows.body) > 1 and lists != baskets:
        how, baskets = "one basket on each line, a list behind its name", lists
    if rows.named:
        how += f" (basket: {file.head[rows.basket]}, item: {file.head[rows.item]})"
    return BasketReading(list(baskets.values()), how, (AMOUNTS,) if rows.amount is not None else ())


# --- one basket on each line ----------------------------------------------------------------------


def any_lines(file: BasketFile) -> list[list[str]]:
    """Return the rows below the names, if the first row names columns of items, or asks."""
    if file.options.header is not None:
        return file.rows[int(file.options.header) :]
    head = file.head
    names_items = len(head) > 1 and sum(map(is_item_column, head)) >= len(head) - 1
    asks = head[-1].endswith("?") and len(file.rows) > 1
    fields = {cell for row in file.below for cell in row}
    return file.below if (names_items or asks) and fields.isdisjoint(head) else file.rows


def line_baskets(file: BasketFile, body: list[list[str]]) -> BasketReading:
    """Read a basket from each line."""
    with_names = len(body) < len(file.rows)
    remarks = ["The first line holds the names of the columns."] if with_names else []
    if _is_first_no_item(file, body, with_names=with_names):
        what = "the number of items" if _counts_items(body) else "the name of the basket"
        if _are_dates(body):
            what = "a date"
        remarks.append(f"The first field is {what}, no item.")
        body = [row[1:] for row in body]
    # Quoted, or with another mark between items than between fields
    if all(len(row) <= 1 for row in body):
        body = [[item for cell in row for item in items_in(cell)] for row in body]
    baskets = [[cell for cell in row if cell] for row in body]
    plain = without_quantities(baskets)
    if plain != baskets:
        remarks.append("The quantities beside the items are left out.")
    return BasketReading(plain, "one basket on each line", tuple(remarks))


def _is_first_no_item(file: BasketFile, body: list[list[str]], *, with_names: bool) -> bool:
    """Return whether the first fields name the baskets, count them or count their items."""
    if file.options.numbered is not None:
        return file.options.numbered
    names = [row[0] for row in body]
    unique_names = with_names and names_baskets(file.head[0]) and len(set(names)) == len(names)
    cells_behind = [cell for row in body for cell in row[1:] if cell]
    has_texts = sum(map(is_text, cells_behind)) > len(cells_behind) / 2
    counts = has_texts and (_counts_items(body) or _counts_lines(names))
    return unique_names or _are_dates(body) or counts


def _are_dates(body: list[list[str]]) -> bool:
    return bool(body) and all(len(row) > 1 and is_date(row[0]) for row in body)


def _counts_items(body: list[list[str]]) -> bool:
    return bool(body) and all(row[0] == str(sum(map(bool, row[1:]))) for row in body)


def _counts_lines(names: list[str]) -> bool:
    """Return whether texts are the same letters, or none, before numbers that go up by one."""
    numbers = [_number_at_end(name) for name in names]
    steps = {after - before for before, after in pairwise(numbers)}
    return len(names) > 1 and numbers[0] >= 0 and steps == {1}


_NUMBERED = re.compile(r"[A-Za-z#_-]{0,12}([0-9]{1,15})")


def _number_at_end(text: str) -> int:
    match = _NUMBERED.fullmatch(text)
    return int(match[1]) if match else -1


# --- what decides ---------------------------------------------------------------------------------

RULES = (
    Rule("matrix", marks_below_names, matrix_baskets),
    Rule("matrix", marks_without_names, matrix_baskets),
    Rule("long", columns_named_so, long_baskets),
    Rule("ticks", lists_in_a_column, ticked_baskets),
    Rule("long", numbers_that_return, long_baskets),
    Rule("lines", any_lines, line_baskets),
)
"""The first rule whose evidence is met says how a file is read."""

DECIDED = (
    Rule("long", first_columns, long_baskets),
    Rule("ticks", column_of_choice, ticked_baskets),
)
"""Further rules where the form is decided and has no evidence."""
