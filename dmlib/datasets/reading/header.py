"""The names above the columns: whether there are any, and what is left out above and below them."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from dmlib.datasets.reading.breaks import copies_of_first, without_comments, without_repeated_names
from dmlib.datasets.reading.cells import Cells, Column, matching
from dmlib.datasets.reading.columns import some, unique_names
from dmlib.datasets.reading.head import NOTHING, VALUE, Head, find_head, joined, rows_of_texts
from dmlib.datasets.reading.numbers import MOSTLY, PLAIN
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.reading.orange import ORANGE, Declared, of_lines, of_prefixes
from dmlib.datasets.reading.repairs import Repairs
from dmlib.datasets.table import Kind, Note

_DAY = r"[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4}.*"
_MAX_DAYS = 100  # texts that are looked at
_SENTENCE = 4  # words
_MIN_ROWS = 3  # names and two lines on the columns, or rows
_NAME = re.compile(
    r"name|id|nr\.?|no\.?|label|class|klasse|category|kategorie|text|message|group|gruppe|type|typ|date|datum|title|titel"
    r"|sex|gender|geschlecht|age|alter|city|town|country|value|wert|target|variable|nom|classe|nombre|clase",
    re.IGNORECASE,
)


def named(cells: Cells, options: ReadOptions, repairs: Repairs) -> tuple[Cells, list[Note]]:
    """Take the names off the top of the cells, with the rows above them and those that describe the columns.

    Parameters
    ----------
    cells : Cells
        All rows of the table.
    options : ReadOptions
        How many rows hold names or describe the columns, if that is known.
    repairs : Repairs
        Takes the rows that are left out.

    Returns
    -------
    cells : Cells
        The rows below, with different names; columns without name and value are gone.
    notes : list of Note
        What was guessed and repaired.
    """
    used = [i for i, column in enumerate(cells.columns) if (column.texts != "").any()]
    cells = replace(cells, columns=tuple(cells.columns[i] for i in used))
    notes: list[Note] = []
    if options.header is None:
        cells, notes = without_repeated_names(cells, repairs)
    declared, below = _declared(cells, options)
    head = find_head(cells, options) if declared is None else Head(below=below, what=ORANGE)
    if declared is None and options.header is None and head == Head() and not has_header(cells):
        head = Head(0, 0)
        notes.append(
            Note("header_guessed", "The first line holds values, so the columns are numbered.")
        )
    start, stop = head.above + head.names, head.above + head.names + head.below
    top = rows_of_texts(cells, stop)
    first = joined(top[head.above : start]) if head.names else [""] * len(cells.columns)
    notes += _told(head, cells, top, first, repairs)
    if declared is not None:
        first = list(declared.names)
    if declared is not None and not below:
        notes.append(
            Note(
                "format_guessed", "The letters before # in the names are types and roles of Orange."
            )
        )
    if options.header is None and head == Head() and matching(top[0], PLAIN).all():
        notes.append(
            Note(
                "header_guessed",
                "The first line holds numbers such as years, which were taken as names.",
            )
        )
    first[0] = first[0].removeprefix("# ")  # where a program writes the names as a comment
    cells = cells.rows(np.arange(len(cells.lines)) >= stop)
    kept = [
        i
        for i, name in enumerate(first)
        if name or (cells.columns[i].texts != "")[cells.columns[i].codes].any()
    ]
    cells = replace(cells, columns=tuple(cells.columns[i] for i in kept))
    cells, changed = with_names(cells, [first[i] for i in kept])
    if declared is not None:
        names = dict(zip(kept, cells.names, strict=True))
        kinds = {names[i]: kind for i, kind in declared.kinds.items() if i in names}
        cells = replace(
            cells,
            kinds=kinds,
            roles={names[i]: role for i, role in declared.roles.items() if i in names},
        )
    cells, comments = without_comments(cells, repairs)
    return cells, [*notes, *(changed if head.names else []), *comments]


def _declared(cells: Cells, options: ReadOptions) -> tuple[Declared | None, int]:
    """Return what the file declares of its columns in the way of Orange, and in how many rows below the names."""
    if (
        options.header not in (None, True)
        or options.below_header is not None
        or len(cells.lines) < _MIN_ROWS
    ):
        return None, 0
    names, types, flags = rows_of_texts(cells, 3)
    is_blank = cells.lines[2] > cells.lines[1] + 1  # the third line, which is not among the rows
    declared, below = (
        of_lines(names, types, [""] * len(flags) if is_blank else flags),
        1 if is_blank else 2,
    )
    if declared is not None and all(
        _holds_numbers(cells, i, 1 + below) for i in _numeric(declared)
    ):
        return declared, below
    declared = of_prefixes(names)
    if declared is not None:
        misfits = {i for i in _numeric(declared) if not _holds_numbers(cells, i, 1)}
        kinds = {i: kind for i, kind in declared.kinds.items() if i not in misfits}
        declared = replace(declared, kinds=kinds)
    return declared, 0


def _numeric(declared: Declared) -> list[int]:
    return [i for i, kind in declared.kinds.items() if kind == "numeric"]


def _holds_numbers(cells: Cells, column: int, start: int) -> bool:
    """Return whether nearly all values of a column start like numbers, from a row on."""
    texts = cells.columns[column].texts
    counts = np.bincount(cells.columns[column].codes[start:], minlength=len(texts))
    filled = np.array([text.lower() not in NOTHING for text in texts], bool)
    return bool(counts[matching(texts, VALUE)].sum() >= MOSTLY * counts[filled].sum())


def _told(
    head: Head, cells: Cells, top: list[list[str]], names: list[str], repairs: Repairs
) -> list[Note]:
    """Keep the rows of the head that are left out, and return notes on them."""
    start = head.above + head.names
    for i, row in enumerate(top):
        if i < head.above:
            repairs.row(int(cells.lines[i]), " | ".join(row), "left out: above the names")
        elif i >= start:
            repairs.row(
                int(cells.lines[i]), " | ".join(row), f"left out: {head.what} below the names"
            )
    notes = []
    if head.above:
        rows = f"{head.above} rows" if head.above > 1 else "1 row"
        notes.append(
            Note(
                "preamble", f"{rows} above the names {'are' if head.above > 1 else 'is'} left out."
            )
        )
    if head.names > 1:
        shown = next((name for name in names if not any(name in row for row in top)), names[0])
        notes.append(
            Note("names_joined", f"The names in {head.names} rows were joined, as in {shown!r}.")
        )
    if head.below:
        rows = (
            f"{head.below} rows below the names hold"
            if head.below > 1
            else "The row below the names holds"
        )
        shown = some([repr(text) for row in top[start:] for text in row if text])
        are = "are" if head.below > 1 else "is"
        kind = {"questions": "questions", ORANGE: "format_guessed"}.get(head.what, "units")
        notes.append(Note(kind, f"{rows} {head.what} and {are} left out: {shown}."))
    return notes


def with_names(cells: Cells, names: list[str]) -> tuple[Cells, list[Note]]:
    """Name the columns, so that all names differ, and tell which had to be changed."""
    unique = unique_names(names)
    changed = [
        f"{old!r} is now {new!r}" for old, new in zip(names, unique, strict=True) if old != new
    ]
    names_were = "1 column name was" if len(changed) == 1 else f"{len(changed)} column names were"
    text = f"{names_were} blank or repeated: {some(changed)}."
    # Days in front of the rows are more than names.
    are_names = cells.row_names and not matching(cells.columns[0].texts[:_MAX_DAYS], _DAY).any()
    kinds: dict[str, Kind] = {unique[0]: "id"} if are_names else {}
    cells = replace(cells, names=tuple(unique), kinds=kinds)
    return cells, [Note("names_changed", text)] if changed else []


def has_header(cells: Cells) -> bool:
    """Return whether the first row holds names: some cell is neither a number nor a value that comes again below."""
    if len(cells.lines) < 2:
        return True
    first, second = rows_of_texts(cells, 2)
    number = matching(first, PLAIN)
    if (number.all() and (_counts(first) and not _counts(second))) or (
        _are_years(first) and not _are_years(second)
    ):
        return True
    again = np.array([(column.codes[1:] == column.codes[0]).any() for column in cells.columns])
    prose = np.array(
        [_is_prose(text, column) for text, column in zip(first, cells.columns, strict=True)]
    )
    if (number | again | prose).all() and number.any():
        return False
    return _is_head(cells, first) or not _has_label(cells)


def _is_prose(text: str, column: Column) -> bool:
    """Return whether a text is a sentence above sentences that all differ."""
    used = column.texts[np.unique(column.codes[1:])]
    words = np.array([len(each.split()) for each in used])
    return len(text.split()) >= _SENTENCE <= np.median(words) and 2 * len(used) > len(column.codes)


def _is_head(cells: Cells, first: list[str]) -> bool:
    """Return whether a cell of the first row is a usual name, or a word above values that start like numbers."""
    if any(map(_NAME.fullmatch, first)):
        return True
    for i, text in enumerate(first):
        is_word = text.lower() not in NOTHING and not matching([text], VALUE)[0]
        if is_word and _has_values(cells, i) and _holds_numbers(cells, i, 1):
            return True
    return False


def _has_values(cells: Cells, column: int) -> bool:
    used = np.unique(cells.columns[column].codes[1:])
    return any(text.lower() not in NOTHING for text in cells.columns[column].texts[used])


def _has_label(cells: Cells) -> bool:
    """Return whether a word of the first row comes again in its column, in another row, as labels do."""
    copies = copies_of_first(cells) & (len(cells.columns) > 1)
    for column in cells.columns:
        text = column.texts[column.codes[0]]
        used = np.unique(column.codes[1:])
        # In a table of choices a name may be the only value of its column.
        has_others = bool((column.texts[used[used != column.codes[0]]] != "").any())
        recurs = bool(((column.codes == column.codes[0]) & ~copies)[1:].any())
        if text and recurs and has_others and len(used) < len(column.codes) - 1:
            return True
    return False


def _counts(texts: list[str]) -> bool:
    """Return whether texts are whole numbers that count on, three or more, as in 0, 1, 2 or 2021, 2022, 2023."""
    if len(texts) < 3 or not matching(texts, r"[0-9]{1,9}").all():
        return False
    return bool((np.diff([int(text) for text in texts]) == 1).all())


def _are_years(texts: list[str]) -> bool:
    """Return whether texts are years, two or more, that rise or fall."""
    if len(texts) < 2 or not matching(texts, r"(?:1[89]|20)[0-9]{2}").all():
        return False
    steps = np.diff([int(text) for text in texts])
    return bool((steps > 0).all() or (steps < 0).all())
