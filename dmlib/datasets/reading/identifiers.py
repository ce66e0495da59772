"""Columns that name or number the rows, and say nothing else about them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.datasets.reading.cells import matching

Texts = NDArray[np.object_]
MIN_ROWS = 10
"""Rows from which on values that are all different are taken for identifiers."""

_MANY = 50  # different codes that are identifiers, however they are written
_TOKEN = re.compile(
    r"[A-ZÄÖÜÉÍÓÚÑ]?[a-zäöüßéèíóúñçõčęąłžışű]+|[A-ZÄÖÜ]+(?![a-zäöü])|[0-9]+|[#№º°]|[^\W\d_a-zA-Z]+"
)
_KEY_WORDS = """
    id ids nr nro uuid guid rowid objectid oid fid pk key ean gtin isbn issn sku barcode imei
    iban ssn doi vin orcid kundennummer matrikelnummer personalnummer artikelnummer
    auftragsnummer bestellnummer rechnungsnummer kontonummer sendungsnummer paketnummer
    seriennummer versicherungsnummer kennung kennziffer matricule matricula matrícula identifier
    identifiant identificador tracking hash md5 编号 номер"""
_COUNTER_WORDS = """
    n no num numb number numero número numéro núm nummer nos index idx row rows rownum rownames
    rowname line lines seq sequence serial case obs observation record entry item subject
    participant patient person respondent student customer client user sample specimen proband
    probe probandin fall zeile lfd lfdnr laufnummer laufnr pos ligne fila riga linha lp numer
    liczba volgnummer rij löpnummer rad sorszám číslo poradi sıra unnamed 序号 番号 № # º °"""
_MEASURED_WORDS = """
    second minute hour day week month quarter year time trial step epoch generation iteration
    round dose level grade sekunde minute stunde tag woche monat quartal jahr zeit dosis stufe
    jour semaine mois année annee"""
_KEYS = frozenset(_KEY_WORDS.split())
_COUNTERS = frozenset(_COUNTER_WORDS.split())
_MEASURED = frozenset(_MEASURED_WORDS.split())  # names such as week_no are those of measurements
_NO_NAME = re.compile(
    r"column_[0-9]{1,6}|(?i:unnamed: ?[0-9]{0,6}(?:_level_[0-9]{1,3})?)|\.\.\.?[0-9]{1,4}|"
)
_CODE = r"[A-Za-z]*[ _-]?[0-9]+|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4,12}){1,4}|[0-9a-f]{16,128}"
_HASH = r"\{?[0-9A-Fa-f]{8}(?:-?[0-9A-Fa-f]{4}){3}-?[0-9A-Fa-f]{12}\}?|[0-9a-f]{24,128}"
_ADDRESS = r"[^@\s]{1,64}@[^@\s.]{1,64}(?:\.[^@\s.]{1,64})+|https?://\S+|10\.[0-9]{4,9}/\S+"
_NUMBERED = re.compile(r"([^0-9]{0,12})([0-9]{1,18})([^0-9]{0,4})")


def names_rows(name: str) -> bool:
    """Return whether a column's name says that it holds identifiers.

    Examples
    --------
    >>> names = ("id", "customerID", "Kunden-Nr.", "PatientNo", "width", "NO")
    >>> [names_rows(name) for name in names]
    [True, True, True, True, False, False]
    """
    words = _words_of(name)
    if not words or not _MEASURED.isdisjoint(words):
        return False
    is_number = len(words) > 1 and words[-1] in ("no", "nummer", "number", "num")
    return is_number or words[-1] in _KEYS or words[0] in ("id", "uuid", "guid")


def counts_rows(name: str) -> bool:
    """Return whether a column that counts rows has a name that says so, or no name.

    Examples
    --------
    >>> names = ("", "column_1", "index", "Subject", "lfd. Nr.", "x", "year", "week", "dose")
    >>> [counts_rows(name) for name in names]
    [True, True, True, True, True, False, False, False, False]
    """
    words = _words_of(name)
    is_counter = (
        bool(words)
        and _MEASURED.isdisjoint(words)
        and (words[-1] in _COUNTERS or words[0] in ("lfd", "unnamed", "row"))
    )
    return is_counter or names_rows(name) or _NO_NAME.fullmatch(name) is not None


def _words_of(name: str) -> list[str]:
    return [word.lower() for word in _TOKEN.findall(name[:200])]


def numbers_rows(values: NDArray[Any], name: str) -> str:
    """Return why integers are identifiers, as the end of a sentence; empty for measurements.

    Whole numbers that go up by one are measurements, such as doses or years, unless the name says
    otherwise.
    """
    present = values if values.dtype.kind in "iu" else values[~np.isnan(values)]
    if len(present) < MIN_ROWS or not counts_rows(name):
        return ""
    if present.dtype.kind == "f" and not (
        np.isfinite(present).all() and (present == np.floor(present)).all()
    ):
        return ""
    ordered = np.sort(present)
    steps = np.diff(ordered)
    # Without a name 2000, 2001, 2002 are years, and 1, 2, 3 the numbers of rows.
    if not (steps > 0).all() or (_NO_NAME.fullmatch(name) and ordered[0] not in (0, 1)):
        return ""
    if (steps == 1).all():
        return "counts the rows; it says nothing about them"
    is_dense = float(ordered[-1]) - float(ordered[0]) < 2 * len(ordered)
    return (
        "holds numbers that are all different; they only name the rows"
        if names_rows(name) or is_dense
        else ""
    )


def are_codes(words: Texts, n_rows: int, name: str) -> bool:
    """Return whether words are identifiers: all different, and alike in form or named so."""
    n_words = len(words)
    if n_words < MIN_ROWS or n_words < n_rows:
        return False
    if names_rows(name):
        return bool(matching(words, r"\S{1,128}").all())
    if matching(words, _HASH).all() or matching(words, _ADDRESS).all():
        return True
    if n_words > _MANY and matching(words, _CODE).all():
        return True
    return _are_numbered(words, name)


def _are_numbered(words: Texts, name: str) -> bool:
    """Return whether words differ in a number alone, as A001 and A002, with zeros in front."""
    parts = [match.groups() for word in words if (match := _NUMBERED.fullmatch(word))]
    if len(parts) < len(words) or len({(before, after) for before, _, after in parts}) > 1:
        return False
    before = parts[0][0]
    numbers = np.sort([int(number) for _, number, _ in parts])
    is_counting = bool((np.diff(numbers) == 1).all())
    is_padded = len({len(number) for _, number, _ in parts}) == 1 and len(parts[0][1]) > 2
    return is_counting or (is_padded and (bool(before.strip()) or counts_rows(name)))
