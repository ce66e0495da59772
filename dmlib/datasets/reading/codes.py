"""Codes of digits, such as numbers of parcels, of which a spreadsheet has shortened some."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from dmlib.datasets.reading.cells import matching
from dmlib.datasets.reading.identifiers import names_rows
from dmlib.datasets.reading.numbers import MOSTLY, Texts
from dmlib.datasets.table import Note

_SHORTENED = r"[0-9](?:[.,][0-9]{1,15})?[eE]\+?[1-3][0-9]"
_BY_SPREADSHEET = r"[0-9](?:[.,][0-9]{1,5})?E\+[1-3][0-9]"
_DIGITS = r"[0-9]{1,40}"
_LETTERED = r"[A-Z]{1,4}[0-9]{6,40}[A-Z]{0,4}|[0-9]{6,40}[A-Z]{1,4}"
_SHORTEST = 11  # digits of a whole number that a spreadsheet shortens
_NAMED = re.compile(
    "parcel|paket|sendung|colis|tracking|barcode|konto|account|card|karte|iban|ean", re.IGNORECASE
)


def shortened_codes(texts: Texts, counts: NDArray[np.int64], name: str) -> Note | None:
    """Return a note if a column holds codes of digits of which some are shortened, as 8.26839E+17.

    They are codes where a longer number beside is written in full, as no measurements are, or where
    their name says so.

    Examples
    --------
    >>> codes = np.array(["1439403621518935563", "8.26839E+17"], object)
    >>> shortened_codes(codes, np.ones(2, int), "x").kind
    'precision'
    >>> shortened_codes(np.array(["12", "6.02E+23"], object), np.ones(2, int), "x") is None
    True
    """
    if not any("E" in text or "e" in text for text in texts):
        return None
    is_shortened = matching(texts, _SHORTENED)
    if not is_shortened.any():
        return None
    is_whole = matching(texts, _DIGITS)
    is_lettered = matching(texts, _LETTERED)
    if counts[is_shortened | is_whole | is_lettered].sum() < MOSTLY * counts.sum():
        return None
    smallest = min(float(text.replace(",", ".")) for text in texts[is_shortened])
    if smallest < 10 ** (_SHORTEST - 1):
        return None
    longest = max(map(len, texts[is_whole]), default=0)
    is_longer = longest > int(np.log10(smallest)) + 1
    by_spreadsheet = longest >= _SHORTEST and matching(texts[is_shortened], _BY_SPREADSHEET).all()
    is_named = names_rows(name) or _NAMED.search(name) is not None
    if not (is_longer or by_spreadsheet or is_named or is_lettered.any()):
        return None
    n_shortened, example = counts[is_shortened].sum(), texts[np.argmax(is_shortened)]
    have = "has lost its" if n_shortened == 1 else "have lost their"
    return Note(
        "precision",
        f"The numbers in {name!r} were kept as codes, as written; {n_shortened} of {counts.sum()}"
        f" {have} last digits, such as {example!r}. Save the file again with this column as text.",
    )
