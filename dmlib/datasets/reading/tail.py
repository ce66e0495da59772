"""Rows below a table: remarks and sums."""

from __future__ import annotations

import re

from dmlib.datasets.reading.survey import Row
from dmlib.datasets.table import Note

_MAX_REMARKS = 10  # rows of remarks
_MAX_SUMS = 3
_SUM_WORD = (
    r"(?:(?:grand |overall |sub ?)?totals?|sums?|(?:overall |class |course )?(?:averages?|mean)"
    r"|summe|gesamt(?:summe|ergebnis|durchschnitt)?|insgesamt|zusammen|durchschnitt|mittelwert|somme"
    r"|moyenne(?: g[eé]n[eé]rale)?|totaux|total g[eé]n[eé]ral)"
)
_SUM = re.compile(_SUM_WORD + r"\b", re.IGNORECASE)
_SUM_ALONE = re.compile(_SUM_WORD + r" ?(?:[:=]|\(.*\))?", re.IGNORECASE)
_SOURCE = re.compile(
    r"(?:data |own )?(?:sources?|notes?|remarks?|quellen?|anmerkung(?:en)?|hinweise?"
    r"|bemerkung(?:en)?|fu(?:ss|ß)noten?)(?: \d+)? ?[:.]",
    re.IGNORECASE,
)
_REMARK = re.compile(r"[^\W\d][\w .-]{0,30}: ?\S|[*†‡©]|(?:\S+ ){5}|\S+ \S.*\.$")


def without_remarks(rows: list[Row]) -> tuple[list[Row], list[Note]]:
    """Leave out what a remark introduces: one that names a source, or any after a blank row."""
    for i in range(max(2, len(rows) - _MAX_REMARKS), len(rows)):
        for remark in (_SOURCE, _REMARK) if rows[i].after_gap else (_SOURCE,):
            is_first = not any(remark.match(row.first) for row in rows[1:i])
            if is_first and remark.match(rows[i].first):
                return rows[:i], [_note(rows[i:])]
    return rows, []


def without_footer(rows: list[Row], width: int) -> tuple[list[Row], list[Note]]:
    """Leave out remarks below the table: short rows after a blank one, or of a single field."""
    stop = first = len(rows)
    while stop > max(1, len(rows) - _MAX_REMARKS) and _is_short(rows[stop - 1], width):
        stop -= 1
        is_remark = rows[stop].fields == 1 or bool(_SUM.match(rows[stop].first))
        if rows[stop].after_gap or (is_remark and first == stop + 1 and width > 2):
            first = stop
    return (rows[:first], [_note(rows[first:])]) if first < len(rows) else (rows, [])


def without_sums(rows: list[Row], width: int) -> tuple[list[Row], list[Note]]:
    """Leave out the last rows if they are named as sums, and no row above them is."""
    stop = len(rows)
    first = max(2, len(rows) - _MAX_SUMS) if width > 1 else stop
    while stop > first and _SUM_ALONE.fullmatch(rows[stop - 1].first):
        stop -= 1
    below = rows[stop:]
    named = {row.first.lower() for row in below}
    if not below or any(row.first.lower() in named for row in rows[:stop]):
        return rows, []
    if len(below) == 1:
        rows_are = f"The last row, {below[0].first!r}, sums up the others and is"
    else:
        rows_are = f"The last {len(below)} rows sum up the others and are"
    text = f"{rows_are} left out, from line {below[0].line} on."
    return rows[:stop], [Note("footer", text)]


def _note(below: list[Row]) -> Note:
    lines_are = f"{len(below)} lines below the table are"
    if len(below) == 1:
        lines_are = "A line below the table is"
    return Note("footer", f"{lines_are} left out as a remark, from line {below[0].line} on.")


def _is_short(row: Row, width: int) -> bool:
    """Return whether a row has words, and too few fields, a single filled one, or a sum."""
    is_sum = row.filled < width and _SUM.match(row.first) is not None
    is_short = row.fields < width or row.filled == 1 < width or is_sum
    return is_short and re.search(r"[^\W\d]", row.first) is not None
