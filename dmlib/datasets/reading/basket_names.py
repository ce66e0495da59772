"""The words and marks of files of baskets: names of columns, yes and no, quantities."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dmlib.datasets.reading.edge_lists import number_of

MAX_NAME = 100
"""Letters of a name that are looked at."""
_YES = {"1", "true", "t", "yes", "y", "x", "\u2713"}
_NO = {"", "0", "false", "f", "no", "n", "?", "-"}
_BASKET = re.compile(
    r"\w*[ -]?(?:id|tid|nr|no|number|transaction|invoice|basket|order|receipt|bill|ticket|member"
    r"|customer)"
    r"(?:[ _-]?(?:id|nr|no|number))?",
    re.IGNORECASE,
)
_ITEM_WORDS = ("item", "product", "article", "description", "sku", "good")
_BEHIND_ITEM = re.compile(r"[ -]?\w*")
_CODE = re.compile(r"id|code|no|nr|number", re.IGNORECASE)
_ITEM_COLUMN = re.compile(r"(?:item|product|article)s?(?:\(s\))?[ _-]*[0-9]*", re.IGNORECASE)
_QUANTITY = {"qty", "quantity", "count", "amount", "units", "pieces", "number", "n"}
_AMOUNT = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_DATE_MARKS = re.compile(r"[0-9][/.-][0-9]{1,2}[/.-][0-9]|[0-9]:[0-9]{2}|[0-9]\u5e74")


def is_mark(cell: str) -> bool:
    """Return whether a cell says yes or no."""
    return cell.lower() in _YES or cell.lower() in _NO


def is_amount(cell: str) -> bool:
    """Return whether a cell is a quantity."""
    return len(cell) <= MAX_NAME and _AMOUNT.fullmatch(cell) is not None


def stands_for_yes(cell: str) -> bool:
    """Return whether a mark or a quantity says that an item is in a basket."""
    return float(cell) > 0 if is_amount(cell) else cell.lower() in _YES


def is_text(cell: str) -> bool:
    """Return whether a cell is no number."""
    return number_of(cell) is None


def is_date(cell: str) -> bool:
    """Return whether a cell is a date or a time: more digits than letters, with marks between.

    Examples
    --------
    >>> dates = "2024/03/01 10:10:00 AM GMT+1", "3/1/2024, 10:10 PM"
    >>> all(map(is_date, dates)), is_date("Excel 2019, R")
    (True, False)
    """
    text = cell[:MAX_NAME]
    n_digits = sum(map(str.isdigit, text))
    return n_digits > sum(map(str.isalpha, text)) and _DATE_MARKS.search(text) is not None


def names_baskets(name: str) -> bool:
    """Return whether a column of this name holds the numbers of baskets.

    Examples
    --------
    >>> names_baskets("InvoiceNo"), names_baskets("Member_number"), names_baskets("tea")
    (True, True, False)
    """
    return len(name) <= MAX_NAME and _BASKET.fullmatch(name) is not None


def names_items(name: str) -> bool:
    """Return whether a column of this name holds items.

    Examples
    --------
    >>> names = "itemDescription", "Product name", "Which products do you buy?"
    >>> tuple(map(names_items, names))
    (True, True, False)
    """
    text = name.lower()
    ends = [text.rfind(word) + len(word) for word in _ITEM_WORDS if word in text]
    return (
        len(name) <= MAX_NAME and bool(ends) and _BEHIND_ITEM.fullmatch(text, max(ends)) is not None
    )


def is_item_column(name: str) -> bool:
    """Return whether a name is one of several columns of items, as "item 2"."""
    return len(name) <= MAX_NAME and _ITEM_COLUMN.fullmatch(name) is not None


def long_columns(names: Sequence[str]) -> tuple[int, int, int | None] | None:
    """Return the columns of basket, item and quantity by their names; None if these say nothing."""
    items = [j for j, name in enumerate(names) if names_items(name)]
    words = [j for j in items if not _CODE.search(names[j])]
    item = next(iter(words or items), None)
    basket = next(
        (j for j, name in enumerate(names) if names_baskets(name) and j not in items), None
    )
    if item is None or basket is None or sum(map(is_item_column, names)) > 1:
        return None
    amounts = (
        j for j, name in enumerate(names) if name.lower() in _QUANTITY and j not in (basket, item)
    )
    return basket, item, next(amounts, None)
