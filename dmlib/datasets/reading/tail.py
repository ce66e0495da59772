"""What stands below a table: remarks, and rows of sums."""

from __future__ import annotations

import re

from dmlib.datasets.reading.survey import Row
from dmlib.datasets.table import Note

_LONGEST = 10  # rows of remarks
_MOST_SUMS = 3
_SUM_WORD = (
    r"(?:(?:grand |overall |sub ?)?totals?|sums?|(?:overall |class |course"
    r" )?(?:averages?|mean)|summe"
    r"|gesamt(?:summe|ergebnis|durchschnitt)?|insgesamt|zusammen|durchschnitt|mittelwert|somme"
    r"|moyenne(?: g[eé]n[eé]rale)?|totaux|total g[eé]n[eé]ral)"
)
_SUM = re.compile(_SUM_WORD + r"\b", re.IGNORECASE)
_SUM_ALONE = re.compile(_SUM_WORD + r" ?(?:[:=]|\(.*\))?", re.IGNORECASE)
_SOURCE = re.compile(
    r"(?:data |own"
    r" )?(?:sources?|notes?|remarks?|quellen?|anmerkung(?:en)?|hinweise?|bemerkung(?:en)?|fu(?:ss|ß)noten?)"
    r"(?: \d+)? ?[:.]",
    re.IGNORECASE,
)
_REMARK = re.compile(r"[^\W\d][\w .-]{0,30}: ?\S|[*†‡©]|(?:\S+ ){5}|\S+ \S.*\.$")


def without_remarks(rows: list[Row]) -> tuple[list[Row], list[Note]]:
    """Leave out what a remark introduces: one that names a source, or any after a blank row."""
    for i in range(max(2, len(rows) - _LONGEST), len(rows)):
        for remark in (_SOURCE, _REMARK) if rows[i].apart else (_SOURCE,):
            if remark.match(rows[i].first) and not any(
                remark.match(row.first) for row in rows[1:i]
            ):
                return rows[:i], [_told(rows[i:])]
    return rows, []


def without_footer(rows: list[Row], width: int) -> tuple[list[Row], list[Note]]:
    """Leave out remarks below the table: short rows of words after a blank row, or rows of a single field."""
    stop = first = len(rows)
    while stop > max(1, len(rows) - _LONGEST) and _is_short(rows[stop - 1], width):
        stop -= 1
        lone = (
            first == stop + 1
            and (rows[stop].fields == 1 or bool(_SUM.match(rows[stop].first)))
            and width > 2
        )
        first = stop if rows[stop].apart or lone else first
    return (rows[:first], [_told(rows[first:])]) if first < len(rows) else (rows, [])


def without_sums(rows: list[Row], width: int) -> tuple[list[Row], list[Note]]:
    """Leave out the last rows if they are named as sums, and no row above them is."""
    stop = len(rows)
    while (
        stop > max(2, len(rows) - _MOST_SUMS)
        and width > 1
        and _SUM_ALONE.fullmatch(rows[stop - 1].first)
    ):
        stop -= 1
    below = rows[stop:]
    named = {row.first.lower() for row in below}
    if not below or any(row.first.lower() in named for row in rows[:stop]):
        return rows, []
    one = f"The last row, {below[0].first!r}, sums up the others and is"
    rows_are = one if len(below) == 1 else f"The last {len(below)} rows sum up the others and are"
    text = f"{rows_are} left out, from line {below[0].line} on."
    return rows[:stop], [Note("footer", text)]


def _told(below: list[Row]) -> Note:
    text = (
        f"{len(below)} lines below the table are" if len(below) > 1 else "A line below the table is"
    )
    return Note("footer", f"{text} left out as a remark, from line {below[0].line} on.")


def _is_short(row: Row, width: int) -> bool:
    """Return whether a row has too few fields, or a single one that is filled, or a sum, and starts with words."""
    few = (
        row.fields < width
        or row.filled == 1 < width
        or (row.filled < width and _SUM.match(row.first) is not None)
    )
    return few and re.search(r"[^\W\d]", row.first) is not None
