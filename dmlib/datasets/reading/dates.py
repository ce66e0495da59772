"""Texts that are dates."""

from __future__ import annotations

import contextlib
import datetime
import re
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dmlib.datasets.reading.cells import matching
from dmlib.datasets.reading.months import NAME, month_number
from dmlib.datasets.reading.numbers import MOSTLY, Texts
from dmlib.datasets.table import Note

_ISO = r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?(?:Z|[+-]\d{2}:?\d{2})?"
_ZONE = re.compile(r"(?:(Z)|([+-]\d{2}):?(\d{2}))$")
_THIN = "\xa0\u202f"  # blanks, as letters, since Arrow's expressions write them differently
_HALF = rf"[AaPp]\.?[ {_THIN}]?[Mm]\.?|vorm\.|nachm\."
_ABBREVIATED = {
    "GMT": 0,
    "UTC": 0,
    "Z": 0,
    "WET": 0,
    "WEZ": 0,
    "BST": 1,
    "WEST": 1,
    "WESZ": 1,
    "CET": 1,
    "MEZ": 1,
    "CEST": 2,
    "MESZ": 2,
    "EET": 2,
    "OEZ": 2,
    "EEST": 3,
    "OESZ": 3,
    "MSK": 3,
    "IST": 5.5,
    "JST": 9,
    "KST": 9,
    "EST": -5,
    "EDT": -4,
    "CST": -6,
    "CDT": -5,
    "MST": -7,
    "MDT": -6,
    "PST": -8,
    "PDT": -7,
}
_ZONE_NAMES = "|".join(sorted(_ABBREVIATED, key=len, reverse=True))
_NAMED_ZONE = rf"(?:(?:{_ZONE_NAMES})(?:[+-]\d{{1,2}}(?::?\d{{2}})?)?)"
_TIME = (
    rf"(?:,?[ T{_THIN}](\d{{1,2}}:\d{{2}})(:\d{{2}})?(?:\.\d{{1,9}})?(?:[ {_THIN}]?({_HALF}))?"
    rf"(?: ?({_NAMED_ZONE}|[+-]\d{{2}}:?\d{{2}})(?: \([^()]{{1,40}}\))?)?)?"
)
_WEEKDAY = r"(?:[A-Za-zäéáçß]{2,10}\.?,? )?"
_YEAR_FIRST = r"(\d{4})(?:[/.-]|年)(\d{1,2})(?:[/.-]|月)(\d{1,2})日?" + _TIME
_YEAR_LAST = r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})" + _TIME
_DAY_NAME = (
    rf"{_WEEKDAY}(\d{{1,2}})(?:st|nd|rd|th|er|º|\.)?[ -](?:de )?({NAME})[ -](?:de"
    r" )?(\d{4}|\d{2})" + _TIME
)
_NAME_DAY = rf"{_WEEKDAY}({NAME})[ -](\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})" + _TIME
_YEAR_MONTH = r"(\d{4})(?:[/.-]|M|年)(0?[1-9]|1[0-2])月?"
_MONTH_YEAR = r"(0?[1-9]|1[0-2])[/.-](\d{4})"
_NAME_YEAR = rf"({NAME})(?: de |[ ,/-]{{1,2}})(\d{{4}})"
_NAME_SHORT_YEAR = rf"({NAME})[-'](\d{{2}})"
_YEAR_NAME = rf"(\d{{4}})[ /-]({NAME})"
_YEAR_QUARTER = r"(\d{4})[ /-]?[QT]([1-4])"
_QUARTER_YEAR = r"[QT]([1-4])[ /-](\d{4})"
_YEAR_WEEK = r"(\d{4})-?W(0[1-9]|[1-4]\d|5[0-3])"
_FORMS = {
    _ISO: "",
    _YEAR_FIRST: "ymd",
    _YEAR_LAST: "",
    _DAY_NAME: "dmy",
    _NAME_DAY: "mdy",
    _YEAR_MONTH: "ym",
    _MONTH_YEAR: "my",
    _NAME_YEAR: "my",
    _NAME_SHORT_YEAR: "my",
    _YEAR_NAME: "ym",
    _YEAR_QUARTER: "yq",
    _QUARTER_YEAR: "qy",
    _YEAR_WEEK: "yw",
}
_PERIODS = {"ym": "months", "my": "months", "yq": "quarters", "qy": "quarters", "yw": "weeks"}
_MONTHS_OF_NUMBERS = r"(?:0[1-9]|1[0-2])\.(?:19|20)[0-9]{2}"

_CENTURY = 69  # two digits from here on are years of the last century, as in POSIX
_SUMMER = 60  # minutes by which the clocks of one place differ


def dates(
    texts: Texts, counts: NDArray[np.int64], name: str, day_first: bool | None = None
) -> tuple[NDArray[Any], NDArray[np.bool_], Note] | None:
    """Read texts as dates, if nearly all are dates, written in one way or in several.

    Parameters
    ----------
    texts : ndarray of str objects, shape (n_texts,)
        The different texts.
    counts : ndarray of shape (n_texts,)
        How many rows have each.
    name : str
        The column, for the note.
    day_first : bool, optional
        Whether 1/2/2024 is in February, if that is known.

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
    Months are known by their names in English, German and the languages around. Clock times are
    kept as written; where the zones of a column differ by more than summer time, they are turned
    into UTC.
    """
    forms, is_open = {}, np.ones(len(texts), bool)
    for pattern in _FORMS:
        match = np.zeros(len(texts), bool)
        match[is_open] = matching(texts[is_open], pattern)
        if match.any():
            forms[pattern] = match
            is_open &= ~match
    if counts[~is_open].sum() < MOSTLY * counts.sum() or _are_seasons(texts[~is_open]):
        return None
    iso_texts = np.full(len(texts), "", object)
    orders = []
    for pattern, match in forms.items():
        iso_texts[match], order = (
            (texts[match], "as written")
            if pattern == _ISO
            else _as_iso(texts[match], pattern, day_first)
        )
        orders.append(order)
    clocks, zone = _clocks(iso_texts)
    parsed = pd.to_datetime(pd.Series(clocks), format="ISO8601", errors="coerce", utc=True)
    values = parsed.dt.tz_localize(None).to_numpy()
    are = ~np.isnat(values)
    if counts[are].sum() < MOSTLY * counts.sum():
        return None
    examples = ", ".join(repr(texts[np.argmax(match)]) for match in forms.values())
    how = f"written in {len(forms)} ways ({examples}), " if len(forms) > 1 else ""
    order = next((each for each in orders if each.startswith(("the day", "the month"))), orders[0])
    periods = sorted({_PERIODS[form] for pattern in forms if (form := _FORMS[pattern]) in _PERIODS})
    start = f", {' and '.join(periods)} as their first day" if periods else ""
    return (
        values,
        are,
        Note("dates", f"The values of {name!r} were read as dates, {how}{order}{zone}{start}."),
    )


def are_months(texts: Texts) -> bool:
    """Return whether all texts are months such as 03.2024, which would also be numbers."""
    return bool(
        matching(texts[:1], _MONTHS_OF_NUMBERS).all() and matching(texts, _MONTHS_OF_NUMBERS).all()
    )


def _are_seasons(texts: Texts) -> bool:
    """Return whether texts are two years, one after the other, as in 2009-10, and not months."""
    pairs = [
        match.groups() for text in texts if (match := re.fullmatch(r"\d\d(\d\d)[/-](\d\d)", text))
    ]
    return len(pairs) == len(texts) and all(
        (int(year) + 1) % 100 == int(following) for year, following in pairs
    )


def _clocks(texts: NDArray[np.object_]) -> tuple[NDArray[np.object_], str]:
    """Take off the zones of dates if all are of one place; return what a note says of zones."""
    if not matching(texts, r".{10,}[+-]\d{2}:?\d{2}").any():
        return texts, ""
    zones = [match.groups() if (match := _ZONE.search(text[10:])) else None for text in texts]
    minutes = {
        0 if utc else int(hours) * 60 + int(hours[0] + minutes_after)
        for utc, hours, minutes_after in filter(None, zones)
    }
    if max(minutes) - min(minutes) > _SUMMER:
        return texts, ", their times in UTC"
    stripped = np.array([text[:10] + _ZONE.sub("", text[10:]) for text in texts], object)
    return stripped, ", in the clock time of their zone"


def _as_iso(texts: Texts, pattern: str, day_first: bool | None) -> tuple[list[str], str]:
    """Return dates as ISO writes them, and in which order their parts were taken."""
    parts = [match.groups(default="") for text in texts if (match := re.fullmatch(pattern, text))]
    if _FORMS[pattern]:
        forms, order = (
            [_FORMS[pattern]] * len(parts),
            "the year first" if pattern == _YEAR_FIRST else "as written",
        )
    else:
        forms, order = _day_or_month(texts, parts, day_first)
    if _FORMS[pattern] in _PERIODS:
        return [_first_day(dict(zip(_FORMS[pattern], part, strict=True))) for part in parts], order
    return [
        f"{_year(p[form.index('y')])}-{month_number(p[form.index('m')]):02d}-{p[form.index('d')]:0>2}{_clock(*p[3:])}"
        for p, form in zip(parts, forms, strict=True)
    ], order


def _first_day(parts: dict[str, str]) -> str:
    """Return the first day of a month, a quarter or a week."""
    year = int(_year(parts["y"]))
    if "w" in parts:
        with contextlib.suppress(ValueError):  # few years have a week 53
            return datetime.date.fromisocalendar(year, int(parts["w"]), 1).isoformat()
        return ""
    month = 3 * int(parts["q"]) - 2 if "q" in parts else month_number(parts["m"])
    return f"{year:04d}-{month:02d}-01"


def _day_or_month(
    texts: Texts, parts: list[tuple[str, ...]], day_first: bool | None
) -> tuple[list[str], str]:
    """Return the order of each date that ends in the year, by numbers above 12 in any of them."""
    days = np.array([int(part[0]) > 12 for part in parts])
    months = np.array([int(part[1]) > 12 for part in parts]) & ~days
    dots = np.array(["." in text for text in texts])
    first = np.full(len(parts), day_first)
    if day_first is None:  # dates with points say nothing of those with strokes
        for alike in (dots, ~dots):
            first[alike] = days[alike].sum() >= months[alike].sum()
    order = "the day first" if first.mean() >= 0.5 else "the month first"
    if (days & ~first.astype(bool)).any() or (months & first.astype(bool)).any():
        order += ", but for those where that cannot be"
    elif day_first is None and not (days | months | dots).any():
        order += ", though it could be the month"
    return [
        "dmy" if day or (by_day and not month) else "mdy"
        for day, by_day, month in zip(days, first, months, strict=True)
    ], order


def _year(text: str) -> str:
    return text if len(text) == 4 else ("19" if int(text) >= _CENTURY else "20") + text


def _clock(time: str, seconds: str, half: str, zone: str) -> str:
    if not time:
        return ""
    hour, minute = time.split(":")
    if half:
        hour = str(int(hour) % 12 + 12 * (half[0] in "Ppn"))
    return f"T{hour:0>2}:{minute}{seconds}{_offset(zone)}"


def _offset(zone: str) -> str:
    """Return a zone such as GMT+1, MEZ or -05:00 as ISO writes it."""
    if not zone or zone[0] in "+-":
        return zone
    match = re.fullmatch(r"([A-Z]{1,5})(?:([+-])(\d{1,2}):?(\d{2})?)?", zone)
    name, sign, hours, minutes_more = match.groups(default="0") if match else ("UTC", "+", "0", "0")
    further = int(hours) * 60 + int(minutes_more)
    minutes = int(_ABBREVIATED[name] * 60) + (-further if sign == "-" else further)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
