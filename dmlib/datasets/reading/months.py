"""Names of months in English, German, Romance, Dutch and Nordic languages."""

from __future__ import annotations

_WORDS = """
jan january januar jänner janv janvier ene enero gen gennaio janeiro januari
feb february februar feber févr fevr février fevrier febr febrero febbraio fev fevereiro februari
mar march mär märz maerz mars marzo março marco mrt maart mars
apr april avr avril abr abril aprile
may mai mayo mag maggio maio mei maj
jun june juni juin junio giu giugno junho
jul july juli juil juillet julio lug luglio julho
aug august août aout ago agosto augustus augusti
sep sept september septembre septiembre set settembre setembro
oct october okt oktober octobre octubre ott ottobre out outubro
nov november novembre noviembre novembro
dec december dez dezember déc décembre decembre dic diciembre dicembre dezembro des desember"""
_LINES = _WORDS.strip().splitlines()
MONTHS = {word: number for number, line in enumerate(_LINES, 1) for word in line.split()}
"""The number of each month by its name or abbreviation in small letters."""

_SPELLINGS = {spelling for word in MONTHS for spelling in (word, word.title(), word.upper())}
NAME = rf"(?:{'|'.join(sorted(_SPELLINGS, key=lambda word: (-len(word), word)))})\.?"
"""A regular expression for such a name."""


def month_number(text: str) -> int:
    """Return the number of a month that is given by its number or its name.

    Examples
    --------
    >>> month_number("07"), month_number("Sept."), month_number("MÄRZ"), month_number("enero")
    (7, 9, 3, 1)
    """
    return int(text) if text.isdigit() else MONTHS[text.lower().rstrip(".")]
