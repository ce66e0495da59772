"""The items in a text: in lists with separators, in braces, with their quantities."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from dmlib.datasets.table import TableError

_OPEN, _CLOSE = "([{\uff08", ")]}\uff09"


class Separator(NamedTuple):
    """The separator of the items of a list.

    Attributes
    ----------
    title : str
        For people.
    pattern : re.Pattern
        The separator in its first group, or a bracket.
    """

    title: str
    pattern: re.Pattern[str]

    @classmethod
    def of(cls, title: str, marks: str) -> Separator:
        """Return the separator that an expression describes."""
        return cls(title, re.compile(f"({marks})|[{re.escape(_OPEN + _CLOSE)}]"))


ANY = Separator.of("marks", r"[,;|\n\uff0c\uff1b\u3001]")
SEPARATORS = (
    Separator.of("line breaks", r"\n"),
    Separator.of("semicolons", "[;\uff1b]"),
    Separator.of("vertical bars", r"\|"),
    Separator.of("commas", r",\s|[\uff0c\u3001]"),
    Separator.of("commas", r","),
)
"""Separators of the items in a cell; where several could be, the first is."""
_ENOUGH = 0.5  # of the cells that the best separator parts


def items_in(text: str, separator: Separator = ANY) -> list[str]:
    """Return the items of a list; a separator within brackets parts nothing.

    Notes
    -----
    Where a bracket is not closed, brackets are ordinary letters. Time is linear in the length of
    the text.

    Examples
    --------
    >>> items_in("Python, Excel (pivot, charts)")
    ['Python', 'Excel (pivot, charts)']
    >>> items_in("tea (green, milk")
    ['tea (green', 'milk']
    """
    cuts, all_cuts, depth = [], [], 0
    for mark in separator.pattern.finditer(text):
        if mark[1]:
            all_cuts.append(mark.span())
            if not depth:
                cuts.append(mark.span())
        elif mark[0] in _OPEN:
            depth += 1
        else:
            depth = max(0, depth - 1)
    items, start = [], 0
    for end, next_start in [*(all_cuts if depth else cuts), (len(text), len(text))]:
        items.append(text[start:end].strip())
        start = next_start
    return [item for item in items if item]


def separator_of(texts: Iterable[str]) -> Separator | None:
    """Return what parts the items of some texts, each perhaps a list; None where none is.

    Examples
    --------
    >>> separator_of(["Python;R;", "R;", "SQL (Access, Oracle);R;"]).title
    'semicolons'
    >>> separator_of(["Python", "R"]) is None
    True
    """
    texts = list(texts)
    counts = [sum(len(items_in(text, separator)) > 1 for text in texts) for separator in SEPARATORS]
    min_count = max(1, _ENOUGH * max(counts))
    likely = (each for each, count in zip(SEPARATORS, counts, strict=True) if count >= min_count)
    return next(likely, None)


# --- items in braces ------------------------------------------------------------------------------

_JSON_NAME = re.compile('" ?:')
_BRACES = re.compile(r"\{([^{}]*)\}")
_COMMA, _SEMICOLON = SEPARATORS[4], SEPARATORS[1]


class BracedBaskets(NamedTuple):
    """Baskets whose items stand in braces, and whether the lines hold other text too."""

    baskets: list[list[str]]
    has_other_text: bool


def braced_baskets(text: str) -> BracedBaskets | None:
    r"""Return the baskets of a text that has one in braces on each line, as R's arules writes them.

    Raises
    ------
    TableError
        If the braces hold the item sets of rules or sequences, or item sets with their support.

    Examples
    --------
    >>> braced_baskets('items,transactionID\n"{tea,milk}",1\n"{}",2\n').baskets
    [['tea', 'milk'], []]
    >>> braced_baskets('[{"a": 1}]') is None
    True
    """
    inner = _BRACES.findall(text)
    contents = "\n".join(inner)
    if not inner or _JSON_NAME.search(contents):
        return None
    lines = [line for line in _BRACES.sub("{}", text).splitlines() if line.strip()]
    counts = [line.count("{}") for line in lines]
    _refuse_several_sets(lines, counts)
    if {*counts[1:]} - {1} or counts[0] > 1 or any(map(_has_stray_brace, lines)):
        return None
    if not counts[0] and "support" in lines[0].lower():
        raise TableError(
            "not_a_table",
            "The file holds item sets with their support, no baskets. Save the transactions"
            " themselves.",
        )
    separator = _separator_in_braces(contents)
    rows = lines if counts[0] else lines[1:]
    has_other_text = any(line.strip(" \t\"',;") != "{}" for line in rows)
    return BracedBaskets([_braced_items(each, separator) for each in inner], has_other_text)


def _refuse_several_sets(lines: Sequence[str], counts: Sequence[int]) -> None:
    """Raise an error if lines hold rules, or sequences of sets."""
    if max(counts) == 2 and any("=>" in line for line in lines):
        raise TableError(
            "not_a_table", "The file holds rules, no baskets. Save the transactions themselves."
        )
    if min(counts[1:], default=counts[0]) > 1:
        raise TableError(
            "not_a_table", "Each line holds several sets in braces. Put one basket on each line."
        )


def _separator_in_braces(contents: str) -> Separator:
    return _SEMICOLON if ";" in contents and "," not in contents else _COMMA


def _has_stray_brace(line: str) -> bool:
    return any(brace in line.replace("{}", "") for brace in "{}")


def _braced_items(inner: str, separator: Separator) -> list[str]:
    """Return the items between two braces, which may stand in quotes."""
    line = " ".join(inner.split())
    if '"' not in line:
        items = items_in(line, separator)
    else:
        delimiter = ";" if separator is _SEMICOLON else ","
        items = next(
            csv.reader([line.replace('""', '"')], delimiter=delimiter, skipinitialspace=True)
        )
    return [item for item in map(_unquoted, items) if item]


def _unquoted(item: str) -> str:
    text = item.strip()
    in_quotes = len(text) > 1 and text[0] == text[-1] == "'"
    return text[1:-1] if in_quotes else text


# --- quantities -----------------------------------------------------------------------------------

_TIMES = ":*x\u00d7"
_DIGITS = "0123456789"


def without_quantities(baskets: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the items without the quantities that all of them are written with.

    Examples
    --------
    >>> without_quantities([["tea:2", "milk : 1"]]), without_quantities([["2 x tea"]])
    ([['tea', 'milk']], [['tea']])
    >>> without_quantities([["tea:2", "milk"]])
    [['tea:2', 'milk']]
    """
    for item_of in (_item_before_quantity, _item_behind_quantity, _item_before_brackets):
        items = _items_of_all(baskets, item_of)
        if items:
            return items
    return [list(items) for items in baskets]


def _items_of_all(
    baskets: Sequence[Sequence[str]], item_of: Callable[[str], str]
) -> list[list[str]]:
    """Return the items without their quantities; nothing where one has none."""
    named: list[list[str]] = []
    for basket in baskets:
        named.append([item_of(text) for text in basket])
        if not all(named[-1]):
            return []
    return named if any(named) else []


def _item_before_quantity(text: str) -> str:
    """Return the item of "tea: 2" or "tea x 2"; an empty text where none is."""
    front = text.rstrip(_DIGITS)
    mark = front.rstrip()
    if len(front) == len(text) or not mark or mark[-1] not in _TIMES:
        return ""
    return mark[:-1].rstrip()


def _item_behind_quantity(text: str) -> str:
    """Return the item of "2 x tea"; an empty text where none is."""
    behind = text.lstrip(_DIGITS)
    mark = behind.lstrip()
    if len(behind) == len(text) or not mark or mark[0] not in "x*\u00d7":
        return ""
    return mark[1:].lstrip()


def _item_before_brackets(text: str) -> str:
    """Return the item of "tea (2)"; an empty text where none is."""
    front, bracket, behind = text.rpartition("(")
    if not bracket or not behind.endswith(")") or not behind[:-1].isdecimal():
        return ""
    return front.rstrip()
