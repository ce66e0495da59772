"""Texts that stand for missing values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.datasets.reading.numbers import Texts

_ERRORS = """
#n/a #div/0! #value! #ref! #null! #num! #name? #calc! #spill!
#nv #wert! #bezug! #zahl! #valeur! #nombre! #nom? #\u00a1div/0! #\u00a1valor! #\u00a1ref!
#\u00a1num! #\u00bfnombre? err:502 err:504 err:508 err:509 err:522 err:523
"""
"""Errors of spreadsheets, in English, German, French and Spanish, and LibreOffice's."""

MISSING = ("?", "na", "n/a", "nan", "null", "<na>", "(null)", "\\n", *_ERRORS.split())
"""In any column, in lower case."""

_AMONG_NUMBERS = """
none | - | -- | . | .. | ... | * | \u2013 | \u2014 | missing | unknown | n.a. | nil | nd | n.d.
| n/d | undefined | not available | not applicable | (blank) | k.a. | k. a. | k.a | keine angabe
| keine angaben | keine daten | ohne angabe | o.a. | o. a. | entf. | entf\u00e4llt | n.v. | n. v.
| nicht verf\u00fcgbar | unbekannt | fehlt | fehlend | inconnu | n.c. | no data | no answer
| not reported
"""
MISSING_NUMBER = (*MISSING, *(text.strip() for text in _AMONG_NUMBERS.split("|")))
"""In a column of numbers: among words they may be values ("none" is a kind of lens)."""


def are_missing(
    texts: Texts, marks: tuple[str, ...] | None, usual_marks: tuple[str, ...]
) -> NDArray[np.bool_]:
    """Return which texts stand for a missing value: those that are given, or else the usual ones.

    Examples
    --------
    >>> are_missing(np.array(["NA", "none", "1"], object), None, MISSING).tolist()
    [True, False, False]
    >>> are_missing(np.array(["NA", "none", ""], object), ("none",), MISSING).tolist()
    [False, True, True]
    """
    lower = {"", *map(str.lower, usual_marks if marks is None else marks)}
    return np.array([text.lower() in lower for text in texts], bool)
