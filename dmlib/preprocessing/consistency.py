"""Inconsistent data: spellings of one name, values outside a domain, columns that contradict."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.preprocessing.transformation.formula_transformer import columns_of, expression, values_of
from dmlib.problem.formula import quoted, read_formula

LONGEST_RULES = 400
"""The most characters of all rules."""

MARK = "breaks_a_rule"
"""The column that marks the rows that break a rule."""

OPERATORS: dict[str, Callable[[Floats, Floats], Any]] = {
    "<=": np.less_equal,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    ">": np.greater,
}
_SPLIT = re.compile(r"`(?:[^`]|``)*+`|(<=|>=|==|!=|<|>|=)")
_DOMAIN = re.compile(r"(?:`((?:[^`]|``)++)`|([^\s`<>=]++))\s++in\s++(.*)", re.DOTALL)
_SEPARATOR = re.compile(r"`(?:[^`]|``)*+`|(;)")

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Comparison:
    """A rule that compares formulas, as ``start <= end`` or ``0 <= age <= 120``.

    Attributes
    ----------
    text : str
        As it was typed.
    formulas : tuple of ast.expr
        Two or more, from :func:`dmlib.problem.formula.read_formula`.
    operators : tuple of str
        Those between them, keys of ``OPERATORS``.
    """

    text: str
    formulas: tuple[ast.expr, ...]
    operators: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it names."""
        names = (name for tree in self.formulas for name in columns_of(tree))
        return tuple(dict.fromkeys(names))

    def broken(self, frame: pd.DataFrame) -> Mask:
        """Return which rows break it, shape (n_rows,); none of those that miss a value."""
        is_known = frame[list(self.columns)].notna().all(axis=1).to_numpy(bool)
        known = frame[is_known]
        columns = {name: _numbers(known[name]) for name in self.columns}
        values = [values_of(tree, columns) for tree in self.formulas]
        is_kept = np.ones(len(known), bool)
        for left, sign, right in zip(values[:-1], self.operators, values[1:], strict=True):
            is_kept &= OPERATORS[sign](left, right)
        is_broken = np.zeros(len(frame), bool)
        is_broken[is_known] = ~is_kept
        return is_broken

    def code(self, frame: pd.DataFrame) -> str:
        """Return Python for the rows of ``frame`` that break it."""

        def column(name: str) -> str:
            if pd.api.types.is_datetime64_any_dtype(frame[name]):
                return f"((frame[{name!r}] - pd.Timestamp(0)) / pd.Timedelta(days=1))"
            return f"frame[{name!r}].astype(float)"

        terms = [f"({expression(tree, column, 'np.{}'.format)})" for tree in self.formulas]
        pairs = zip(terms[:-1], self.operators, terms[1:], strict=True)
        kept = " & ".join(f"({left} {sign} {right})" for left, sign, right in pairs)
        return f"~({kept}) & frame[{list(self.columns)!r}].notna().all(axis=1)"


@dataclass(frozen=True)
class Domain:
    """A rule that lists the values of a column, as ``town in Halle, Jena``.

    Attributes
    ----------
    text : str
        As it was typed.
    column : str
        The column.
    values : tuple of str, or of float where the column holds numbers
        All values that it may have.
    """

    text: str
    column: str
    values: tuple[Any, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The column that it names."""
        return (self.column,)

    def broken(self, frame: pd.DataFrame) -> Mask:
        """Return which rows break it, shape (n_rows,); none of those that miss a value."""
        column = frame[self.column]
        texts = column if _holds_numbers(column) else column.astype(str)
        return np.asarray(~texts.isin(self.values) & column.notna(), bool)

    def code(self, frame: pd.DataFrame) -> str:
        """Return Python for the rows of ``frame`` that break it."""
        column = f"frame[{self.column!r}]"
        texts = column if _holds_numbers(frame[self.column]) else f"{column}.astype(str)"
        return f"~{texts}.isin({list(self.values)!r}) & {column}.notna()"


Rule = Comparison | Domain


def read_rules(text: str, frame: pd.DataFrame) -> tuple[Rule, ...]:
    """Read rules that the rows of a table have to keep.

    Parameters
    ----------
    text : str
        Rules with ``;`` between them: formulas of columns with ``<``, ``<=``, ``>``, ``>=``, ``=``
        or ``!=`` between them, or a column, ``in`` and its values with ``,`` between them. Names
        that are no names in Python stand between backticks. The formulas are read, never run.
    frame : DataFrame of shape (n_rows, n_columns)
        The table; formulas may use its numbers and dates, dates as days.

    Returns
    -------
    tuple of Comparison or Domain
        In their order.

    Raises
    ------
    ValueError
        If a rule cannot be read; the sentence quotes it.

    Examples
    --------
    >>> frame = pd.DataFrame({"age": [30.0, -1.0, None], "town": ["Jena", "Gera", "Jena"]})
    >>> age, town = read_rules("0 <= age <= 120; town in Jena, Halle", frame)
    >>> age.broken(frame).tolist(), town.broken(frame).tolist()
    ([False, True, False], [False, True, False])
    """
    rules: list[Rule] = []
    for part in _cut(_SEPARATOR, text)[0]:
        rule = part.strip()
        if not rule:
            continue
        match = _DOMAIN.fullmatch(rule)
        try:
            if match:
                name = (match[1] or "").replace("``", "`") or match[2]
                rules.append(_domain(rule, name, match[3], frame))
            else:
                rules.append(_comparison(rule, frame))
        except ValueError as error:
            raise ValueError(f"The rule {rule} cannot be used. {error}") from None
    return tuple(rules)


def broken_rows(rules: Sequence[Rule], frame: pd.DataFrame) -> Mask:
    """Return which rows break at least one rule, shape (n_rows,).

    Raises
    ------
    ValueError
        If a formula has no value in some row.

    Examples
    --------
    >>> frame = pd.DataFrame({"start": [1, 5, 2], "end": [3, 4, 2]})
    >>> broken_rows(read_rules("start <= end; start < 2", frame), frame).tolist()
    [False, True, True]
    """
    is_broken = np.zeros(len(frame), bool)
    for rule in rules:
        is_broken |= rule.broken(frame)
    return is_broken


def spelling_variants(column: pd.Series[Any]) -> tuple[tuple[str, ...], ...]:
    """Return the names of a column that differ in case or spaces only, group by group.

    Parameters
    ----------
    column : Series
        Where it holds anything but texts, there are none.

    Examples
    --------
    >>> spelling_variants(pd.Series(["Jena", "jena ", "Halle", "Jena"]))
    (('Jena', 'jena '),)
    """
    names = list(dict.fromkeys(column.dropna().tolist()))
    if not all(isinstance(name, str) for name in names):
        return ()
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(" ".join(name.split()).casefold(), []).append(name)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def with_one_spelling(column: pd.Series[Any]) -> pd.Series[Any]:
    """Return a column of texts in which each name has its most frequent spelling.

    Spaces before, after and twice between words are no part of a name; of equally frequent
    spellings the first in the order of characters is taken.

    Examples
    --------
    >>> with_one_spelling(pd.Series(["Jena", "jena ", None, "Jena"])).tolist()
    ['Jena', 'Jena', nan, 'Jena']
    """
    names = column.astype(object).str.split().str.join(" ")
    return names.groupby(names.str.casefold()).transform(lambda spellings: spellings.mode()[0])


def _cut(separator: re.Pattern[str], text: str) -> tuple[list[str], list[str]]:
    """Return the parts of a text between separators outside backticks, and the separators."""
    matches = [match for match in separator.finditer(text) if match[1]]
    starts = [0, *(match.end() for match in matches)]
    ends = [*(match.start() for match in matches), len(text)]
    parts = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    return parts, [match[1] for match in matches]


def _comparison(text: str, frame: pd.DataFrame) -> Comparison:
    parts, signs = _cut(_SPLIT, text)
    if not signs:
        raise ValueError("Put <, <=, >, >=, = or != between two formulas, or list values after in.")
    names = [str(name) for name, column in frame.items() if _is_comparable(column)]
    formulas = tuple(read_formula(part, names) for part in parts)
    rule = Comparison(text, formulas, tuple("==" if sign == "=" else sign for sign in signs))
    if not rule.columns:
        raise ValueError("It names no column.")
    return rule


def _domain(text: str, name: str, listed: str, frame: pd.DataFrame) -> Domain:
    if name not in frame:
        raise ValueError(f"There is no column {name}.")
    values = [value.strip() for value in listed.split(",") if value.strip()]
    if not values:
        raise ValueError(f"List the values of {name}, with a comma between them.")
    if not _holds_numbers(frame[name]):
        return Domain(text, name, tuple(values))
    try:
        return Domain(text, name, tuple(map(float, values)))
    except ValueError:
        low = f"0 <= {quoted(name)} <= 100"
        raise ValueError(f"{name} holds numbers: list numbers, or write {low}.") from None


def _is_comparable(column: pd.Series[Any]) -> bool:
    is_date = pd.api.types.is_datetime64_dtype(column.dtype)  # none with a time zone
    return bool(is_date) or _holds_numbers(column)


def _holds_numbers(column: pd.Series[Any]) -> bool:
    dtype = column.dtype
    is_number = pd.api.types.is_numeric_dtype(dtype)
    return bool(is_number and not pd.api.types.is_bool_dtype(dtype))


def _numbers(column: pd.Series[Any]) -> Floats:
    if pd.api.types.is_datetime64_any_dtype(column):
        return np.asarray((column - pd.Timestamp(0)) / pd.Timedelta(days=1), float)
    return np.asarray(column, float)
