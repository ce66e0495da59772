"""Texts that are elapsed times or times of the day -> seconds."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dmlib.datasets.reading.cells import matching
from dmlib.datasets.reading.numbers import MOSTLY, Numbers, Texts
from dmlib.datasets.table import Note

_NUMBER = r"[0-9]{1,6}(?:[.,][0-9]{1,9})?"
_CLOCK = (
    r"([+-])?(?:([0-9]{1,6}) ?(?:days?,?|d|T(?:age?)?|j(?:ours?)?)[ ,T]{1,2}|([0-9]{1,5})\.)?"
    r"(?:([0-9]{1,5}):)?([0-9]{1,5}):([0-5][0-9](?:[.,][0-9]{1,9})?)(?: ?([AaPp])\.?[Mm]\.?)?(?:"
    r" ?(?:Uhr|h))?"
)
_ISO = (
    r"([+-])?P(?:([0-9]{1,6})W)?(?:([0-9]{1,6})D)?"
    rf"(?:T(?:({_NUMBER})H)?(?:({_NUMBER})M)?(?:({_NUMBER})S)?)?"
)
_WORDS = (
    rf"(?:({_NUMBER}) ?(?:d|days?|T|Tage?|jours?),? ?)?(?:({_NUMBER})"
    r" ?(?:h|hrs?|hours?|Std\.?|heures?),? ?)?"
    rf"(?:({_NUMBER}) ?(?:m|min\.?|mins|minutes?|Min\.?|Minuten?)?,? ?)?"
    rf"(?:({_NUMBER}) ?(?:s|sec\.?|secs|seconds?|Sek\.?|Sekunden?|secondes?))?"
)
_PLAIN = r"[0-9]{1,6}(?:[.,][0-9]{1,9})?"
_TIMED = re.compile(
    r"(?i)time|zeit|dauer|durat|dur[e\u00e9]e|temps|tempo|pace|split|elapsed|uhr|clock|minut|hora|tiempo|mm:ss"
)
_SHORT = re.compile(
    r"(?i)pace|split|mm:ss|min/|/km|(?:^|[^a-z])lap"
)  # names of minutes and seconds
_DAY = 86_400
_HOURS = 24
_SCORES = (10, 23)  # goals that look like minutes
_SAMPLE = 100
_MAX_PLAIN = 0.98  # share of lone numbers beside which times show that all are seconds


def durations(texts: Texts, counts: NDArray[np.int64], name: str) -> Numbers | None:
    """Read texts such as 01:34:56, 1:05.3, 10:30, PT1H5M and 1 h 5 min as seconds.

    Parameters
    ----------
    texts : ndarray of str objects, shape (n_texts,)
        The different texts.
    counts : ndarray of shape (n_texts,)
        How many rows have each.
    name : str
        The column, for the note; a name of times lets 45:10 be minutes and seconds.

    Returns
    -------
    Numbers or None
        None if more than a tenth of the values are no times, or if they may be something else,
        such as scores.

    Notes
    -----
    Two parts are hours and minutes where all could be times of a day, else minutes and seconds.
    Where others have three parts, or fractions of a second, two parts are minutes and seconds, and
    a lone number is seconds.
    """
    sample = texts[:: -(-len(texts) // _SAMPLE)]
    if any(":" in text for text in texts):  # beside few times most may be below a minute
        sample = texts[~matching(texts, _PLAIN)]
    for pattern, seconds_of in (
        (_CLOCK, _clock_seconds),
        (_ISO, _iso_seconds),
        (_WORDS, _word_seconds),
    ):
        if not len(sample) or matching(sample, pattern).mean() < 0.5:
            continue
        values = seconds_of(texts, matching(texts, pattern), name)
        are = ~np.isnan(values)
        if counts[are].sum() >= MOSTLY * counts.sum():
            example = int(np.argmax(are & ~matching(texts, _PLAIN)))
            seconds = f"{values[example]:.10g}"
            text = (
                f"The values of {name!r} are times, read in seconds: {texts[example]!r} is"
                f" {seconds}."
            )
            return Numbers(values, are, (Note("units", text),))
    return None


class _Time(NamedTuple):
    """The parts of a time of two or three parts with colons, as they are written."""

    sign: str | None
    days: str | None
    more_days: str | None
    hours: str | None
    minutes: str
    seconds: str
    half: str | None

    @property
    def is_pair(self) -> bool:
        """Whether it has two parts, without a fraction of a second."""
        return not self.hours and self.seconds.isdigit()

    def total(self, in_minutes: bool) -> float:
        """Return the time in seconds; two parts are hours and minutes if it ends in minutes."""
        size = int(self.hours or 0) * 3600 + int(self.minutes) * 60 + _number(self.seconds)
        if not self.hours and in_minutes:
            size *= 60
        if self.half:
            size = size % (_DAY / 2) + (_DAY / 2) * (self.half in "Pp")
        days = int(self.days or self.more_days or 0) * _DAY
        if self.hours and int(self.minutes) >= 60:
            return np.nan
        if self.sign != "-":
            return days + size
        return (
            size - days if days else -size
        )  # Python writes an hour less than nothing as -1 day, 23:00:00


def _clock_seconds(texts: Texts, is_time: NDArray[np.bool_], name: str) -> NDArray[np.float64]:
    values = np.full(len(texts), np.nan)
    matches = (re.fullmatch(_CLOCK, text) for text in texts[is_time])
    times = [_Time(*match.groups()) for match in matches if match]
    in_minutes = all(time.is_pair for time in times)
    if in_minutes:
        of_day = all(int(time.minutes) < _HOURS for time in times)
        if not _TIMED.search(name) and not (of_day and _are_times_of_day(times)):
            return values
        in_minutes = of_day and not _SHORT.search(name)
    values[is_time] = [time.total(in_minutes) for time in times]
    is_plain = matching(texts, _PLAIN)
    if not in_minutes and is_plain.mean() <= _MAX_PLAIN:
        values[is_plain] = [_number(text) for text in texts[is_plain]]
    return values


def _are_times_of_day(times: list[_Time]) -> bool:
    """Return whether pairs of numbers are hours and minutes, not scores or ratios."""
    is_score = all(_SCORES[0] <= int(time.seconds) <= _SCORES[1] for time in times)
    return any(time.half for time in times) or (
        not is_score and len({time.minutes for time in times}) > 1
    )


def _iso_seconds(texts: Texts, is_time: NDArray[np.bool_], name: str) -> NDArray[np.float64]:
    return _sums(texts, is_time, _ISO, (7 * _DAY, _DAY, 3600, 60, 1), 1)


def _word_seconds(texts: Texts, is_time: NDArray[np.bool_], name: str) -> NDArray[np.float64]:
    return _sums(texts, is_time & ~matching(texts, _PLAIN), _WORDS, (_DAY, 3600, 60, 1), 2)


def _sums(
    texts: Texts, is_time: NDArray[np.bool_], pattern: str, sizes: tuple[int, ...], min_parts: int
) -> NDArray[np.float64]:
    """Return sums of parts; NaN if all texts are single numbers with one unit."""
    values, n_parts = np.full(len(texts), np.nan), 0
    units: set[int] = set()
    for i in np.flatnonzero(is_time):
        match = re.fullmatch(pattern, texts[i])
        parts = match.groups()[-len(sizes) :] if match else ()
        filled = sum(part is not None for part in parts)
        if filled:
            n_parts = max(n_parts, filled)
            units.update(unit for part, unit in zip(parts, sizes, strict=True) if part)
            size = sum(_number(part or "0") * unit for part, unit in zip(parts, sizes, strict=True))
            values[i] = -size if texts[i].startswith("-") else size
    return values if n_parts >= min_parts or len(units) > 1 else np.full(len(texts), np.nan)


def _number(text: str) -> float:
    return float(text.replace(",", "."))
