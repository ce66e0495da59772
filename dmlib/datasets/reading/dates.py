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
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAME = (
    r"(?:[Jj]an(?:uary)?|[Ff]eb(?:ruary)?|[Mm]ar(?:ch)?|[Aa]pr(?:il)?|[Mm]ay|[Jj]une?|[Jj]uly?|[Aa]ug(?:ust)?"
    r"|[Ss]ept?(?:ember)?|[Oo]ct(?:ober)?|[Nn]ov(?:ember)?|[Dd]ec(?:ember)?|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT"
    r"|NOV|DEC)\.?"
)
_TIME = r"(?:,?[ T](\d{1,2}:\d{2})(:\d{2})?(?:\.\d+)?(?: ?([AaPp])\.?[Mm]\.?)?)?"
_YEAR_FIRST = r"(\d{4})(?:[/.-]|\u5e74)(\d{1,2})(?:[/.-]|\u6708)(\d{1,2})\u65e5?" + _TIME
_YEAR_LAST = r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})" + _TIME
_DAY_NAME = rf"(\d{{1,2}})(?:st|nd|rd|th)?[ -]({_NAME})[ -](\d{{4}}|\d{{2}})" + _TIME
_NAME_DAY = rf"({_NAME})[ -](\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})" + _TIME
_FORMS = {
    _YEAR_FIRST: ("ymd", "the year first"),
    _YEAR_LAST: ("", ""),
    _DAY_NAME: ("dmy", "as written"),
    _NAME_DAY: ("mdy", "as written"),
}
_CENTURY = 69  # two digits from here on are years of the last century, as in POSIX


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

    Notes
    -----
    Months are known by their English names. Clock times are kept; zones are turned into UTC.
    """
    for pattern in (_ISO, *_FORMS):
        match = matching(texts, pattern)
        if match.any() and counts[match].sum() >= MOSTLY * counts.sum():
            written, order = (texts[match], "as written") if pattern == _ISO else _as_iso(texts[match], pattern)
            found = pd.to_datetime(pd.Series(written), format="ISO8601", errors="coerce", utc=True)
            read = found.dt.tz_localize(None).to_numpy()
            values = np.full(len(texts), np.datetime64("NaT"), read.dtype)
            values[match] = read
            are = ~np.isnat(values)
            if counts[are].sum() >= MOSTLY * counts.sum():
                return values, are, Note("dates", f"The values of {name!r} were read as dates, {order}.")
    return None


def _as_iso(texts: Texts, pattern: str) -> tuple[list[str], str]:
    """Return dates as ISO writes them, and in which order their parts were taken."""
    parts = [found.groups(default="") for text in texts if (found := re.fullmatch(pattern, text))]
    form, order = _FORMS[pattern]
    if not form:
        form, order = _day_or_month(texts, parts)
    year, month, day = (form.index(part) for part in "ymd")
    return [f"{_year(p[year])}-{_month(p[month])}-{p[day]:0>2}{_clock(*p[3:])}" for p in parts], order


def _day_or_month(texts: Texts, parts: list[tuple[str, ...]]) -> tuple[str, str]:
    """Return the order of dates that end in the year: points stand behind days; otherwise a number above 12 tells."""
    if any(int(part[0]) > 12 for part in parts) or all("." in text for text in texts):
        return "dmy", "the day first"
    if any(int(part[1]) > 12 for part in parts):
        return "mdy", "the month first"
    return "dmy", "the day first, though it could be the month"


def _year(text: str) -> str:
    return text if len(text) == 4 else ("19" if int(text) >= _CENTURY else "20") + text


def _month(text: str) -> str:
    return f"{text:0>2}" if text.isdigit() else f"{_MONTHS.index(text[:3].lower()) + 1:02d}"


def _clock(time: str, seconds: str, half: str) -> str:
    if not time:
        return ""
    hour, minute = time.split(":")
    if half:
        hour = str(int(hour) % 12 + 12 * (half in "Pp"))
    return f"T{hour:0>2}:{minute}{seconds}"
