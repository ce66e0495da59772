"""Columns of texts -> columns of numbers, dates and words, with the kind of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.datasets.reading.bounds import without_signs
from dmlib.datasets.reading.cells import Column, matching
from dmlib.datasets.reading.codes import shortened_codes
from dmlib.datasets.reading.dates import are_months, dates
from dmlib.datasets.reading.decimals import Mark, decimal_mark, has_point, may_be_grouped
from dmlib.datasets.reading.durations import durations
from dmlib.datasets.reading.identifiers import are_codes, numbers_rows
from dmlib.datasets.reading.missing import MISSING, MISSING_NUMBER, are_missing
from dmlib.datasets.reading.numbers import MOSTLY, Numbers, Texts, marked_numbers, plain_numbers
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.reading.repairs import Repairs
from dmlib.datasets.table import Kind, Note

_LEADING_ZERO = r"0[0-9]+"
_CODE = r"[A-Z]{2}"
_MARKED = r"[($€£¥+-]*[0-9][0-9.,'\u2019 ]*[^0-9]{0,5}"
# A whole number of which so many digits are left
_LONG_POWER = r"[0-9]\.[0-9]{11,17}[eE]\+?(?:1[5-9]|2[0-9])"

MANY = 50  # different words
_LONG = 40  # letters of a text, on average, that is no name


def typed_column(
    column: Column,
    name: str,
    lines: NDArray[np.int64],
    options: ReadOptions,
    repairs: Repairs,
    comma: bool,
    decimal: Callable[[], Mark | None],
) -> tuple[pd.Series[Any], Kind, list[Note]]:
    """Find out what a column of texts holds.

    Parameters
    ----------
    column : Column
        The texts.
    name : str
        The name of the column.
    lines : ndarray of shape (n_rows,)
        Where each row stands in the file.
    options : ReadOptions
        The texts that stand for missing values, and the decimal mark, if they are known.
    repairs : Repairs
        Takes the cells that are changed to missing.
    comma : bool
        Whether commas separate the fields.
    decimal : callable
        Finds out the decimal mark of the other columns of the file; it is not called where the
        column's own is plain.

    Returns
    -------
    values : Series
        Numbers, dates or words, with NaN for what is missing.
    kind : str
        The kind of the column.
    notes : list of Note
        What was guessed and converted.
    """
    texts, counts = column.texts, column.counts
    holes = are_missing(texts, options.missing, MISSING_NUMBER)
    filled = ~holes & (counts > 0)
    if not filled.any():
        empty = pd.Series(np.nan, range(len(column.codes)), float)
        return empty, "numeric", [Note("empty_column", f"The column {name!r} holds no value.")]
    if options.kinds.get(name) in ("nominal", "text"):
        return _words(column, name, options)
    present, counts = column.having(filled)
    shortened = shortened_codes(present, counts, name)
    if shortened is not None:
        values, _, notes = _words(column, name, options)
        return values, "id", [shortened, *(note for note in notes if note.kind == "na_tokens")]
    missing_notes = _missing_notes(column, holes, name)
    numbers = None
    if not are_months(present):
        numbers = _numbers(present, counts, name, options, comma, decimal)
    if numbers is not None:
        odd = _odd(column, filled, numbers.are, name, "numbers", lines, repairs)
        values, precision = _numeric(column, filled, numbers, name)
        kind, kind_notes = numeric_kind(values, name)
        return values, kind, [*numbers.notes, *odd, *missing_notes, *precision, *kind_notes]
    dated = dates(present, counts, name, options.day_first)
    if dated is not None:
        days, are, note = dated
        odd = _odd(column, filled, are, name, "dates", lines, repairs)
        of_texts = np.full(len(texts), np.datetime64("NaT"), days.dtype)
        of_texts[filled] = days
        return column.spread(of_texts), "date", [note, *odd, *missing_notes]
    return _words(column, name, options)


def _numbers(
    texts: Texts,
    counts: NDArray[np.int64],
    name: str,
    options: ReadOptions,
    comma: bool,
    of_file: Callable[[], Mark | None],
) -> Numbers | None:
    """Return a column of numbers, plain or marked, some perhaps bounds; or of times in seconds."""
    if matching(texts, _LEADING_ZERO).any():
        return None
    plain = plain_numbers(texts)
    if options.decimal != "," and plain.are.all():
        is_known = options.decimal or has_point(plain.values) or not may_be_grouped(texts, ".")
        return plain if is_known else _unbounded(texts, counts, name, options, comma, of_file)
    times = durations(texts, counts, name)
    if times is not None:
        return times
    bounds = without_signs(texts)
    if bounds is None:
        return _unbounded(texts, counts, name, options, comma, of_file)
    numbers = _unbounded(bounds[0], counts, name, options, comma, of_file)
    is_bound = bounds[1] & numbers.are if numbers else bounds[1]
    if numbers is None or not is_bound.any():
        return numbers
    n_bounds = f"{counts[is_bound].sum()} of {counts.sum()} values in {name!r}"
    text = (
        f"{n_bounds} are limits and were read as the limit itself:"
        f" {listed([repr(each) for each in texts[is_bound]])}."
    )
    return replace(numbers, notes=(*numbers.notes, Note("mixed_types", text)))


def _unbounded(
    texts: Texts,
    counts: NDArray[np.int64],
    name: str,
    options: ReadOptions,
    comma: bool,
    of_file: Callable[[], Mark | None],
) -> Numbers | None:
    """Return a column of numbers, plain or with the marks of decimals and thousands."""
    decimal: str | None = options.decimal or decimal_mark(texts, counts)
    of_other_columns = None if decimal else of_file()
    decimal = decimal or of_other_columns
    plain = _mostly_plain(texts, counts) if options.decimal != "," else None
    if plain and not (decimal == "," and may_be_grouped(texts, ".")):
        return plain
    if decimal is None and not comma and matching(texts, r"[+-]?[0-9]+(?:,[0-9]+)?").all():
        decimal = ","
    marked = marked_numbers(texts, counts, name, decimal)
    if marked is None or not of_other_columns:
        return marked or plain
    notes = [_by_other_columns(note, of_other_columns) for note in marked.notes]
    return replace(marked, notes=tuple(notes))


def _mostly_plain(texts: Texts, counts: NDArray[np.int64]) -> Numbers | None:
    """Return the numbers of a column that are written plainly; None if too few are."""
    plain = plain_numbers(texts)
    return plain if counts[plain.are].sum() >= MOSTLY * counts.sum() else None


def _by_other_columns(note: Note, decimal: Mark) -> Note:
    """Return a note on marks of decimals or thousands with the reason: the other columns."""
    if note.kind not in ("thousands", "decimal_comma"):
        return note
    reason = "points" if decimal == "." else "commas"
    return Note(note.kind, f"{note.text[:-1]}, since decimals have {reason} in other columns.")


def _numeric(
    column: Column, filled: NDArray[np.bool_], numbers: Numbers, name: str
) -> tuple[pd.Series[Any], list[Note]]:
    """Return a column of numbers, integers as such, and a note if some exceed double precision."""
    of_texts = np.full(len(column.texts), np.nan)
    of_texts[filled] = numbers.values
    values = column.spread(of_texts)
    texts = column.texts[filled][numbers.are]
    if numbers.notes:
        return values, []
    is_whole = matching(texts, r"[+-]?[0-9]+")
    largest = np.abs(of_texts[~np.isnan(of_texts)]).max()
    too_long = Note(
        "precision", f"Whole numbers in {name!r} are too long to be kept to the last digit."
    )
    if not is_whole.all():
        is_long = largest >= 2**53 and matching(texts[~is_whole], _LONG_POWER).all()
        return values, [too_long] if is_long else []
    if values.isna().any() or largest >= 2**63:
        return values, [too_long] if largest >= 2**53 else []
    integers = np.zeros(len(column.texts), np.int64)
    integers[filled] = [int(text) for text in texts]
    return column.spread(integers), []


def numeric_kind(values: pd.Series[Any], name: str) -> tuple[Kind, list[Note]]:
    """Return the kind of a column of numbers, and what is odd about it."""
    numbers = values.to_numpy()
    present = numbers if numbers.dtype.kind in "iu" else numbers[~np.isnan(numbers)]
    notes = []
    infinite = int(np.isinf(present).sum())
    if infinite:
        values_are = "1 value is" if infinite == 1 else f"{infinite} values are"
        text = f"{values_are} infinite in {name!r}, and left out of the pictures."
        notes.append(Note("non_finite", text))
    if len(present) > 1 and (present == present[0]).all():
        notes.append(Note("constant_column", f"The column {name!r} has a single value."))
    reason = numbers_rows(numbers, name)
    if reason:
        notes.append(Note("id_column", f"The column {name!r} {reason}."))
    return "id" if reason else "numeric", notes


def _words(
    column: Column, name: str, options: ReadOptions
) -> tuple[pd.Series[Any], Kind, list[Note]]:
    texts, counts = column.texts, column.counts
    used = counts > 0
    holes = are_missing(texts, options.missing, MISSING)
    # Among two-letter codes NA is a code (Namibia).
    if options.missing is None and matching(texts[used & (texts != "")], _CODE).all():
        holes = texts == ""
    values = column.spread(np.where(holes, np.nan, texts))
    words, often = column.having(used & ~holes)
    notes = _missing_notes(column, holes, name)
    are_plain = bool(
        matching(words, r"[+-]?[0-9]+(?:\.[0-9]*)?").all()
    )  # numbers, but for zeros or what is declared
    if are_plain and matching(words, _LEADING_ZERO).any():
        text = (
            f"The values of {name!r} start with zeros, so they are kept as codes, not as numbers."
        )
        notes.append(Note("looks_numeric", text))
    elif not are_plain and _mostly_marked(
        *column.having(used & ~are_missing(texts, options.missing, MISSING_NUMBER))
    ):
        text = (
            f"The values of {name!r} look like numbers with different marks or units; they were"
            " read as words."
        )
        notes.append(Note("looks_numeric", text))
    if len(words) == 1 and often.sum() > 1:
        notes.append(Note("constant_column", f"The column {name!r} has a single value."))
    if len(words) > MANY:
        notes.append(
            Note("high_cardinality", f"The column {name!r} has {len(words):,} different values.")
        )
    else:
        notes += _alike(words, name)
    if are_codes(words, len(values), name):
        text = f"The values of {name!r} are all different codes; they say nothing about the rows."
        return values, "id", [*notes, Note("id_column", text)]
    prose = len(words) > len(values) / 2 and sum(map(len, words)) > _LONG * len(words)
    return values, "text" if prose else "nominal", notes


def _mostly_marked(texts: Texts, counts: NDArray[np.int64]) -> bool:
    return len(texts) > 0 and bool(counts[matching(texts, _MARKED)].sum() >= MOSTLY * counts.sum())


def _alike(words: Texts, name: str) -> list[Note]:
    """Return a note on words that differ only in case, blanks or dots."""
    groups: dict[str, list[str]] = {}
    for word in words:
        groups.setdefault(re.sub(r"[\s._-]+", "", word.lower()), []).append(word)
    pairs = [" and ".join(map(repr, group)) for group in groups.values() if len(group) > 1]
    text = f"Some values of {name!r} differ only in case or blanks: {listed(pairs)}."
    return [Note("similar_labels", text)] if pairs else []


def _odd(
    column: Column,
    filled: NDArray[np.bool_],
    are: NDArray[np.bool_],
    name: str,
    what: str,
    lines: NDArray[np.int64],
    repairs: Repairs,
) -> list[Note]:
    """List the values among numbers or dates that are none and count as missing; return a note."""
    odd = filled.copy()
    odd[filled] = ~are
    if not odd.any():
        return []
    at = np.flatnonzero(odd[column.codes])
    repairs.cells(lines[at], name, column.texts[column.codes[at]], "counts as missing")
    number = f"{len(at)} of {len(column.codes)} values in {name!r}"
    text = (
        f"{number} are not {what} and count as missing:"
        f" {listed([repr(text) for text in column.texts[odd]])}."
    )
    return [Note("mixed_types", text)]


def _missing_notes(column: Column, holes: NDArray[np.bool_], name: str) -> list[Note]:
    texts, counts = column.having(holes & (column.texts != "") & (column.counts > 0))
    if not len(texts):
        return []
    marks = Counter(dict(zip(texts, counts.tolist(), strict=True)))
    often = ", ".join(f"{count} x {mark!r}" for mark, count in marks.most_common(5))
    return [Note("na_tokens", f"These count as missing in {name!r}: {often}.")]


def unique_names(names: Iterable[str]) -> list[str]:
    """Return names without blanks and repetitions, in time linear in their number.

    Examples
    --------
    >>> unique_names(["x", "x", "", "x_2"])
    ['x', 'x_3', 'column_3', 'x_2']
    """
    names = [name or f"column_{number}" for number, name in enumerate(names, 1)]
    originals = set(names)
    used: set[str] = set()
    n_copies: Counter[str] = Counter()
    unique = []
    for name in names:
        candidate = name
        while candidate in used or (candidate != name and candidate in originals):
            n_copies[name] += 1
            candidate = f"{name}_{n_copies[name] + 1}"
        used.add(candidate)
        unique.append(candidate)
    return unique


def listed(texts: list[str], max_texts: int = 3) -> str:
    """Return the first of some texts, shortened, and how many more there are."""
    short = [text if len(text) <= 60 else text[:60] + "..." for text in texts[:max_texts]]
    ending = f" and {len(texts) - max_texts} more" if len(texts) > max_texts else ""
    return ", ".join(short) + ending
