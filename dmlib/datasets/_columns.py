"""Columns of text -> names, numbers, missing values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from dmlib.datasets.table import Note

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_INFINITY = r"[+-]?(?:inf|infinity)"
_DECIMAL_COMMA = r"[+-]?\d+(?:,\d+)?"
_LEADING_ZERO = r"0\d+"
_CODE = r"[A-Z]{2}"
_MARKED_NUMBER = r"[($€£¥+-]*\d[\d.,'\u2019 ]*\D{0,5}"

_MISSING = {"", "?", "na", "n/a", "nan", "null", "#n/a"}
# In a column of words these may be values ("none" is a kind of lens); among numbers they cannot be.
_MISSING_NUMBER = _MISSING | {
    "none",
    "-",
    "--",
    ".",
    "missing",
    "n.a.",
    "#div/0!",
    "#value!",
    "#ref!",
    "#null!",
    "#num!",
}
_MOSTLY = 0.9
_WIDE = 200
_MANY = 50


def typed(cells: pd.DataFrame, delimiter: str) -> tuple[pd.DataFrame, list[Note]]:
    """Turn cells of text into named columns of numbers and words.

    Parameters
    ----------
    cells : DataFrame
        Every cell as text, the header (if there is one) as the first row.
    delimiter : str
        What separated the cells; where it is not a comma, commas may be decimal.

    Returns
    -------
    frame : DataFrame
        Numeric columns and columns of words, with NaN for what is missing; it may have no rows.
    notes : list of Note
        What was guessed and converted.
    """
    cells = cells.apply(lambda column: column.fillna("").str.strip())
    blank = (cells == "").all(axis=1)
    notes = [Note("empty_row", f"{int(blank.sum())} empty rows are left out.")] if blank.any() else []
    cells = cells[~blank].reset_index(drop=True)
    if cells.empty:
        return cells, notes
    if has_header(cells):
        header = [str(name) for name in cells.iloc[0]]
        cells = cells.iloc[1:].reset_index(drop=True)
    else:
        header = [""] * cells.shape[1]
        notes.append(Note("header_guessed", "The first line holds values, so the columns are numbered."))
    kept = [i for i, name in enumerate(header) if name or (cells.iloc[:, i] != "").any()]
    header = [header[i] for i in kept]
    names = unique_names(header)
    changed = [f"{old!r} is now {new!r}" for old, new in zip(header, names, strict=True) if old != new]
    if changed:
        notes.append(Note("names_changed", f"{len(changed)} column names were blank or repeated: {_some(changed)}."))
    columns = {}
    for position, name in zip(kept, names, strict=True):
        columns[name], told = _column(cells.iloc[:, position].rename(name), comma=delimiter != ",")
        notes += told
    if len(names) > _WIDE:
        notes.append(Note("wide", f"The table has {len(names):,} columns. Choose the ones that you need."))
    return pd.DataFrame(columns), notes


def has_header(cells: pd.DataFrame) -> bool:
    """Return whether the first row holds names: some cell is neither a number nor a value that comes again below.

    Examples
    --------
    >>> has_header(pd.DataFrame([["5.1", "setosa"], ["4.9", "setosa"]]))
    False
    """
    if len(cells) < 2:
        return True
    number = cells.iloc[0].str.fullmatch(_NUMBER)
    known = [number.iloc[i] or (cells.iloc[1:, i] == cells.iloc[0, i]).any() for i in range(cells.shape[1])]
    return not (all(known) and number.any())


def unique_names(names: Iterable[str]) -> list[str]:
    """Return names without blanks and repetitions, in time linear in their number.

    Examples
    --------
    >>> unique_names(["x", "x", "", "x_2"])
    ['x', 'x_3', 'column_3', 'x_2']
    """
    given = [name or f"column_{number}" for number, name in enumerate(names, 1)]
    taken = set(given)
    seen: set[str] = set()
    last: Counter[str] = Counter()
    unique = []
    for name in given:
        candidate = name
        while candidate in seen or (candidate != name and candidate in taken):
            last[name] += 1
            candidate = f"{name}_{last[name] + 1}"
        seen.add(candidate)
        unique.append(candidate)
    return unique


def _column(texts: pd.Series[Any], *, comma: bool) -> tuple[pd.Series[Any], list[Note]]:
    name = texts.name
    lower = texts.str.lower()
    holes = lower.isin(_MISSING_NUMBER)
    if holes.all():
        return pd.Series(np.nan, texts.index, float), [Note("empty_column", f"The column {name!r} holds no value.")]
    filled = texts[~holes]
    notes = []
    if comma and filled.str.fullmatch(_DECIMAL_COMMA).all() and filled.str.contains(",").any():
        filled = filled.str.replace(",", ".", regex=False)
        notes.append(Note("decimal_comma", f"The commas in {name!r} were read as decimal points."))
    plain = filled.str.fullmatch(_NUMBER) | lower[filled.index].str.fullmatch(_INFINITY)
    padded = filled.str.fullmatch(_LEADING_ZERO)
    if plain.mean() < _MOSTLY or padded.any():
        return _words(texts, numbers=bool(plain.all()))
    if not plain.all():
        odd = [repr(text) for text in filled[~plain].unique()]
        count = f"{int((~plain).sum())} of {len(texts)} values in {name!r}"
        notes.append(Note("mixed_types", f"{count} are not numbers and count as missing: {_some(odd)}."))
    numbers = _numbers(filled[plain]).reindex(texts.index)
    return numbers, notes + _told_holes(texts, holes) + _told_numbers(numbers, filled[plain])


def _words(texts: pd.Series[Any], *, numbers: bool) -> tuple[pd.Series[Any], list[Note]]:
    holes = texts.str.lower().isin(_MISSING)
    # Among two-letter codes NA is a code (Namibia).
    if texts[texts != ""].str.fullmatch(_CODE).all():
        holes = texts == ""
    words = texts.astype(object).where(~holes, np.nan)
    notes = _told_holes(texts, holes)
    if numbers:
        text = f"The values of {texts.name!r} start with zeros, so they are kept as codes, not as numbers."
        notes.append(Note("looks_numeric", text))
    elif texts[~holes].str.fullmatch(_MARKED_NUMBER).mean() >= _MOSTLY:
        text = f"The values of {texts.name!r} look like numbers with marks or units; they were read as words."
        notes.append(Note("looks_numeric", text))
    levels = words.nunique()
    if levels == 1:
        notes.append(Note("constant_column", f"The column {texts.name!r} has a single value."))
    if levels > _MANY:
        notes.append(Note("high_cardinality", f"The column {texts.name!r} has {levels:,} different values."))
    return words, notes


def _numbers(texts: pd.Series[Any]) -> pd.Series[Any]:
    numbers = pd.to_numeric(texts, errors="coerce")
    # Whole numbers beyond 64 bits arrive as objects or unsigned; all columns of numbers are int64 or float64.
    return numbers if numbers.dtype == np.int64 else numbers.astype(float)


def _told_holes(texts: pd.Series[Any], holes: pd.Series[Any]) -> list[Note]:
    marks = Counter(texts[holes & (texts != "")])
    if not marks:
        return []
    counts = ", ".join(f"{count} x {mark!r}" for mark, count in marks.most_common(5))
    return [Note("na_tokens", f"These count as missing in {texts.name!r}: {counts}.")]


def _told_numbers(numbers: pd.Series[Any], texts: pd.Series[Any]) -> list[Note]:
    name = numbers.name
    values = numbers.dropna().to_numpy(float)
    notes = []
    infinite = int(np.isinf(values).sum())
    if infinite:
        notes.append(
            Note("non_finite", f"{infinite} values of {name!r} are infinite; they are left out of the pictures.")
        )
    if numbers.dtype != np.int64 and (texts.str.fullmatch(r"[+-]?\d{16,}")).any():
        notes.append(Note("precision", f"Whole numbers in {name!r} are too long to be kept to the last digit."))
    if len(values) > 1 and (values == values[0]).all():
        notes.append(Note("constant_column", f"The column {name!r} has a single value."))
    if len(values) == len(numbers) > 9 and numbers.dtype == np.int64 and (np.diff(values) == 1).all():
        notes.append(Note("id_column", f"The column {name!r} counts the rows; it says nothing about them."))
    return notes


def _some(texts: list[str], most: int = 3) -> str:
    shown = [text if len(text) <= 60 else text[:60] + "..." for text in texts[:most]]
    return ", ".join(shown) + (f" and {len(texts) - most} more" if len(texts) > most else "")
