"""Texts that are numbers: plain, or with marks of decimals or thousands, a currency or a unit."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dmlib.datasets.reading.cells import matching
from dmlib.datasets.table import Note

Texts = NDArray[np.object_]

MOSTLY = 0.9
"""Share of the values that have to be numbers for a column of numbers."""

PLAIN = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_INFINITY = r"(?i)[+-]?inf(?:inity)?"
_CURRENCY = (
    r"(?:US|CA|AU|A|C|R|S|HK|NZ)?\$|[€£¥₹₩₽₺₪₫₴₦₱₿]|S?[Ff]r\.?|kr\.?|zł|Kč|Ft|USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|NZD|SEK|NOK"
    r"|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|KRW|TRY"
)
_UNIT = r"[%‰]|°?[A-Za-zµμΩ°][A-Za-z0-9²³µμ/^·%.]{0,11}(?: [A-Za-z²³]{1,6})?"
_MARKED = (
    rf"(?P<open>\()?(?P<sign>[+\-\u2212])?(?P<before>{_CURRENCY})?["
    r" \u00a0]?(?P<minus>[+\-\u2212\u2013])?"
    rf"(?P<body>[0-9][0-9.,'\u2019 \u00a0\u202f]*|[.,][0-9]+)(?P<power>[eE][+-]?[0-9]+)?"
    r"(?P<dashes>:?[-\u2013\u2014]{1,2})?"
    rf"[ \u00a0]?(?P<after>{_CURRENCY}|{_UNIT})?(?P<behind>-)?\)?"
)
_MARKED_PARTS = re.compile(_MARKED)
_NO_CENTS = (".", ",")  # what stands before the dashes of a round amount, as in 12.- and 12,\u2013
_POINT = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]*)"
_COMMA = r"(?:[0-9]+(?:,[0-9]*)?|,[0-9]*)"
_GROUPS = {
    # The second in India
    ",": r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3})(?:\.[0-9]*)?",
    ".": r"[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]*)?",
    " ": r"[0-9]{1,3}(?:[ \u00a0\u202f][0-9]{3})+(?:[.,][0-9]*)?",
    "'": r"[0-9]{1,3}(?:['\u2019][0-9]{3})+(?:[.,][0-9]*)?",
}
_SAMPLE = 1000
_LONG = 200  # digits of a whole number that need no expression to be seen
_MARKS = {",": "commas", ".": "points", " ": "blanks", "'": "apostrophes"}


@dataclass(frozen=True, eq=False)
class Numbers:
    """Texts read as numbers.

    Attributes
    ----------
    values : ndarray of shape (n_texts,)
        The numbers; NaN where a text is none.
    are : ndarray of bool, shape (n_texts,)
        Which texts are numbers.
    notes : tuple of Note
        How they were read.
    """

    values: NDArray[np.float64]
    are: NDArray[np.bool_]
    notes: tuple[Note, ...] = ()


def plain_numbers(texts: Texts) -> Numbers:
    """Read texts such as -1.5e3 and inf.

    Examples
    --------
    >>> plain_numbers(np.array(["1.5", "-inf", "x"], object)).values.tolist()
    [1.5, -inf, nan]
    """
    are = matching(texts, PLAIN) | matching(texts, _INFINITY)
    for i in np.flatnonzero([len(text) > _LONG for text in texts]):  # which no expression meets
        are[i] = texts[i].isascii() and texts[i].isdigit()
    values = np.full(len(texts), np.nan)
    values[are] = [float(text) for text in texts[are]]
    return Numbers(values, are)


def marked_numbers(
    texts: Texts, counts: NDArray[np.int64], name: str, decimal: str | None
) -> Numbers | None:
    """Read texts such as 1'234.50, 3,25, $5, (12), 7 % and 13.5 kg, if nearly all are alike.

    Parameters
    ----------
    texts : ndarray of str objects, shape (n_texts,)
        The different texts.
    counts : ndarray of shape (n_texts,)
        How many rows have each.
    name : str
        The column, for the notes.
    decimal : {".", ","} or None
        The decimal mark, if it is known.

    Returns
    -------
    Numbers or None
        None if too many are written in another way, or a point or comma could mean either thing.
    """
    if matching(texts[:: -(-len(texts) // _SAMPLE)], _MARKED).mean() < 0.5:
        return None
    parts = [_part(text) for text in texts]
    common = _most_common_around(parts, counts)
    are = np.array([part is not None and part.around == common for part in parts], bool)
    usual = [part for part in parts if part and part.around == common]
    marks = _marks([part.body for part in usual], decimal)
    if marks is None or counts[are].sum() < MOSTLY * counts.sum():
        return None
    usual = _without_leading_dashes(usual)
    values = np.full(len(texts), np.nan)
    values[are] = [_value(part, *marks) for part in usual]
    return Numbers(values, are, _notes(name, usual, *marks))


class _Part(NamedTuple):
    """A number in a text: digits with their marks, sign, and what stands before and after it.

    A round amount ends in dashes that stand for no cents, as in 12.-.
    """

    body: str
    power: str
    negative: bool
    before: str
    after: str
    is_round: bool = False

    @property
    def around(self) -> tuple[str, str]:
        """The texts before and after the number, such as a currency and a unit."""
        return self.before, self.after

    @property
    def has_digit_first(self) -> bool:
        """Whether the number does not begin with a mark of decimals."""
        return self.body[0] not in _NO_CENTS


def _part(text: str) -> _Part | None:
    match = _MARKED_PARTS.fullmatch(text)
    if match is None or (match["open"] is not None) != text.endswith(")"):
        return None
    body, dashes = match["body"].strip(), match["dashes"] or ""
    is_round = dashes.startswith(":") or (bool(dashes) and body.endswith(_NO_CENTS))
    if is_round:
        body, dashes = body.rstrip(".,"), ""
    if len(dashes) > 1:
        return None
    signs = {match["sign"], match["minus"], match["behind"], dashes}
    negative = match["open"] is not None or not signs.isdisjoint("-\u2212\u2013\u2014")
    power, before, after = (match[name] or "" for name in ("power", "before", "after"))
    return _Part(body, power, negative, before, after, is_round)


def _without_leading_dashes(parts: list[_Part]) -> list[_Part]:
    """Return numbers without signs that are dashes: beside 12.- that of -.50 is no minus."""
    if not any(part.is_round for part in parts):
        return parts
    return [part._replace(negative=part.negative and part.has_digit_first) for part in parts]


def _most_common_around(parts: list[_Part | None], counts: NDArray[np.int64]) -> tuple[str, str]:
    """Return the texts that stand before and after most numbers."""
    around = Counter[tuple[str, str]]()
    for part, count in zip(parts, counts.tolist(), strict=True):
        if part:
            around[part.around] += count
    return around.most_common(1)[0][0]


def _marks(bodies: list[str], decimal: str | None) -> tuple[str, str] | None:
    """Return the decimal and the thousands mark of a column, or None if they cannot be known.

    Three digits behind a lone comma are thousands, as in 1,234, unless the comma is known to mark
    decimals; behind a lone point they are decimals, as in 1.234.
    """
    if decimal != "," and matching(bodies, _POINT).all():
        return ".", ""
    commas = any("," in body for body in bodies)
    for mark, pattern in _GROUPS.items():
        point = "," if mark == "." or (mark in " '" and commas) else "."
        grouped = matching(bodies, pattern)
        is_plain = matching(bodies, _COMMA if point == "," else _POINT)
        if grouped.any() and (grouped | is_plain).all() and decimal in (None, point):
            return point, mark
    if decimal != "." and matching(bodies, _COMMA).all():
        return ",", ""
    return None


def _value(part: _Part, point: str, thousands: str) -> float:
    body = part.body
    if thousands:
        body = re.sub(r"['\u2019 \u00a0\u202f]", "", body).replace(thousands, "")
    number = float(body.replace(point, ".") + part.power)
    return -number if part.negative else number


def _notes(name: str, parts: list[_Part], point: str, thousands: str) -> tuple[Note, ...]:
    """Return notes on how the numbers of a column are written."""
    before, after = parts[0].around
    currency = before or (after if re.fullmatch(_CURRENCY, after) else "")
    notes = []
    if thousands:
        text = f"The {_MARKS[thousands]} in {name!r} were read as thousands marks."
        notes.append(Note("thousands", text))
    if point == "," and any("," in part.body for part in parts):
        notes.append(Note("decimal_comma", f"The commas in {name!r} were read as decimal points."))
    if any(part.is_round for part in parts):
        text = f"The dashes behind values of {name!r}, as in 12.-, stand for no cents."
        notes.append(Note("currency", text))
    if currency:
        text = f"The values of {name!r} are amounts in {currency}; the sign is left out."
        notes.append(Note("currency", text))
    elif after == "%":
        notes.append(Note("percent", f"The values of {name!r} are percentages: 12% is read as 12."))
    elif after:
        text = f"The values of {name!r} have the unit {after!r}, which is left out."
        notes.append(Note("units", text))
    return tuple(notes)
