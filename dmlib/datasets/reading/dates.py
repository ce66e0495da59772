"""Texts that are dates."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.datasets.reading.cells import matching
from dmlib.datasets.reading.numbers import MOSTLY, Texts
from dmlib.datasets.table import Note

_ISO = r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(?:Z|[+-]\d{2}:?\d{2})?"
_YEAR_FIRST = r"\d{4}[/.]\d{1,2}[/.]\d{1,2}"
_YEAR_LAST = r"(\d{1,2})([/.-])(\d{1,2})[/.-](\d{4})"
_NAMED = r"\d{1,2}[ -][A-Za-z]{3}[ -]\d{4}"
_FORMS = {
    _ISO: ("ISO8601", "as written"),
    _YEAR_FIRST: ("%Y-%m-%d", "the year first"),
    _NAMED: ("%d-%b-%Y", "as written"),
}


def dates(texts: Texts, counts: NDArray[np.int64], name: str) -> tuple[NDArray[Any], NDArray[np.bool_], Note] | None:
    """Read texts as dates, if nearly all are written in one way.

    Returns
    -------
    values : ndarray of datetime64, shape (n_texts,)
        The dates; NaT where a text is none.
    are : ndarray of bool, shape (n_texts,)
        Which texts are dates.
    note : Note
        How they were read.
    """
    for pattern in (_ISO, _YEAR_FIRST, _YEAR_LAST, _NAMED):
        match = matching(texts, pattern)
        if match.any() and counts[match].sum() >= MOSTLY * counts.sum():
            form, order = _FORMS.get(pattern) or _day_or_month(texts[match])
            found = pd.Series(texts[match])
            if pattern != _ISO:
                found = found.str.replace(r"[ /.-]", "-", regex=True)
            read = pd.to_datetime(found, format=form, errors="coerce", utc=True).dt.tz_localize(None).to_numpy()
            values = np.full(len(texts), np.datetime64("NaT"), read.dtype)
            values[match] = read
            are = ~np.isnat(values)
            if counts[are].sum() >= MOSTLY * counts.sum():
                return values, are, Note("dates", f"The values of {name!r} were read as dates, {order}.")
    return None


def _day_or_month(texts: Texts) -> tuple[str, str]:
    """Return the form of dates that end in the year: points stand behind days; otherwise a number above 12 tells."""
    parts = [re.fullmatch(_YEAR_LAST, text) for text in texts]
    first = max(int(part[1]) for part in parts if part)
    second = max(int(part[3]) for part in parts if part)
    if first > 12 or all(part[2] == "." for part in parts if part):
        return "%d-%m-%Y", "the day first"
    if second > 12:
        return "%m-%d-%Y", "the month first"
    return "%d-%m-%Y", "the day first, though it could be the month"
