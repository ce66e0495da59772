"""The names above the columns: whether there are any, and what is left out above and below them."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from dmlib.datasets.reading.breaks import copies_of_first, without_comments, without_repeated_names
from dmlib.datasets.reading.cells import Cells, Column, matching
from dmlib.datasets.reading.columns import listed, unique_names
from dmlib.datasets.reading.head import NO_VALUE, VALUE, Head, find_head, joined, rows_of_texts
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
    """Take the names off the top of the cells, with what stands above and below them.

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
    used = tuple(column for column in cells.columns if (column.texts != "").any())
    notes: list[Note] = []
    cells = replace(cells, columns=used)
    if options.header is None:
        cells, notes = without_repeated_names(cells, repairs)
    declared, below = _declared(cells, options)
    head = Head(below=below, what=ORANGE) if declared else _guessed_head(cells, options)
    stop = head.above + head.names + head.below
    top = rows_of_texts(cells, stop)
    names = list(declared.names) if declared else _names(head, top, len(cells.columns))
    notes += _notes_on_head(head, top, names, declared, options)
    _leave_out(head, cells, top, repairs)
    names[0] = names[0].removeprefix("# ")  # where a program writes the names as a comment
    cells = cells.rows(np.arange(len(cells.lines)) >= stop)
    places = [i for i, name in enumerate(names) if name or _has_text(cells.columns[i])]
    cells = replace(cells, columns=tuple(cells.columns[i] for i in places))
    cells, changes = with_names(cells, [names[i] for i in places])
    if declared:
        cells = _with_declared(cells, declared, dict(zip(places, cells.names, strict=True)))
    cells, comments = without_comments(cells, repairs)
    return cells, [*notes, *(changes if head.names else []), *comments]


def _guessed_head(cells: Cells, options: ReadOptions) -> Head:
    """Return the head of a table, which may have no names."""
    head = find_head(cells, options)
    is_usual = options.header is None and head == Head()
    return Head(0, 0) if is_usual and not has_header(cells) else head


def _names(head: Head, top: list[list[str]], n_columns: int) -> list[str]:
    """Return the name of each column, empty where there are none."""
    rows = top[head.above : head.above + head.names]
    return joined(rows) if rows else [""] * n_columns


def _has_text(column: Column) -> bool:
    """Return whether some row of a column has a text."""
    return bool((column.texts != "")[column.codes].any())


def _with_declared(cells: Cells, declared: Declared, names: dict[int, str]) -> Cells:
    """Return the cells with the kinds and roles that the file declares for its columns."""
    kinds = {names[i]: kind for i, kind in declared.kinds.items() if i in names}
    roles = {names[i]: role for i, role in declared.roles.items() if i in names}
    return replace(cells, kinds=kinds, roles=roles)


def _declared(cells: Cells, options: ReadOptions) -> tuple[Declared | None, int]:
    """Return what the file declares of its columns as Orange does, and in how many rows."""
    is_decided = options.header not in (None, True) or options.below_header is not None
    if is_decided or len(cells.lines) < _MIN_ROWS:
        return None, 0
    names, types, flags = rows_of_texts(cells, 3)
    is_blank = cells.lines[2] > cells.lines[1] + 1  # the third line, which is not among the rows
    declared = of_lines(names, types, [""] * len(flags) if is_blank else flags)
    below = 1 if is_blank else 2
    if declared and all(_holds_numbers(cells, i, 1 + below) for i in _numeric(declared)):
        return declared, below
    declared = of_prefixes(names)
    if declared:
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
    filled = np.array([text.lower() not in NO_VALUE for text in texts], bool)
    return bool(counts[matching(texts, VALUE)].sum() >= MOSTLY * counts[filled].sum())


def _leave_out(head: Head, cells: Cells, top: list[list[str]], repairs: Repairs) -> None:
    """List the rows of the head that hold no names as left out."""
    for i, (line, row) in enumerate(zip(cells.lines.tolist(), top, strict=False)):
        if i < head.above:
            repairs.row(line, " | ".join(row), "left out: above the names")
        elif i >= head.above + head.names:
            repairs.row(line, " | ".join(row), f"left out: {head.what} below the names")


def _notes_on_head(
    head: Head,
    top: list[list[str]],
    names: list[str],
    declared: Declared | None,
    options: ReadOptions,
) -> list[Note]:
    """Return notes on what was guessed of the names, and what is left out around them."""
    if declared and not head.below:
        text = "The letters before # in the names are types and roles of Orange."
        return [Note("format_guessed", text)]
    if options.header is None and not head.names:
        text = "The first line holds values, so the columns are numbered."
        return [Note("header_guessed", text)]
    if options.header is None and head == Head() and matching(top[0], PLAIN).all():
        text = "The first line holds numbers such as years, which were taken as names."
        return [Note("header_guessed", text)]
    return _notes_around(head, top, names)


def _notes_around(head: Head, top: list[list[str]], names: list[str]) -> list[Note]:
    """Return notes on rows around the names, and on names in several rows."""
    notes = []
    if head.above:
        rows = f"{head.above} rows" if head.above > 1 else "1 row"
        are = "are" if head.above > 1 else "is"
        notes.append(Note("preamble", f"{rows} above the names {are} left out."))
    if head.names > 1:
        example = next((name for name in names if not any(name in row for row in top)), names[0])
        text = f"The names in {head.names} rows were joined, as in {example!r}."
        notes.append(Note("names_joined", text))
    if head.below:
        notes.append(_note_below(head, top[head.above + head.names :]))
    return notes


def _note_below(head: Head, rows: list[list[str]]) -> Note:
    """Return a note on rows below the names that are left out."""
    kind = {"questions": "questions", ORANGE: "format_guessed"}.get(head.what, "units")
    examples = listed([repr(text) for row in rows for text in row if text])
    if head.below == 1:
        text = f"The row below the names holds {head.what} and is left out: {examples}."
    else:
        text = f"{head.below} rows below the names hold {head.what} and are left out: {examples}."
    return Note(kind, text)


def with_names(cells: Cells, names: list[str]) -> tuple[Cells, list[Note]]:
    """Name the columns, so that all names differ, and tell which had to be changed."""
    unique = unique_names(names)
    changed = [
        f"{old!r} is now {new!r}" for old, new in zip(names, unique, strict=True) if old != new
    ]
    names_were = "1 column name was" if len(changed) == 1 else f"{len(changed)} column names were"
    text = f"{names_were} blank or repeated: {listed(changed)}."
    # Days in front of the rows are more than names.
    are_names = cells.row_names and not matching(cells.columns[0].texts[:_MAX_DAYS], _DAY).any()
    kinds: dict[str, Kind] = {unique[0]: "id"} if are_names else {}
    cells = replace(cells, names=tuple(unique), kinds=kinds)
    return cells, [Note("names_changed", text)] if changed else []


def has_header(cells: Cells) -> bool:
    """Return whether the first row holds names.

    Some cell of it is neither a number nor a value that recurs below.
    """
    if len(cells.lines) < 2:
        return True
    first, second = rows_of_texts(cells, 2)
    is_number = matching(first, PLAIN)
    if is_number.all() and _are_counted(first) and not _are_counted(second):
        return True
    if _are_years(first) and not _are_years(second):
        return True
    recurs = np.array([(column.codes[1:] == column.codes[0]).any() for column in cells.columns])
    is_prose = np.array([*map(_is_prose, first, cells.columns)])
    if (is_number | recurs | is_prose).all() and is_number.any():
        return False
    return _is_head(cells, first) or not _has_label(cells)


def _is_prose(text: str, column: Column) -> bool:
    """Return whether a text is a sentence above sentences that all differ."""
    used = column.texts[np.unique(column.codes[1:])]
    words = np.array([len(each.split()) for each in used])
    return len(text.split()) >= _SENTENCE <= np.median(words) and 2 * len(used) > len(column.codes)


def _is_head(cells: Cells, first: list[str]) -> bool:
    """Return whether the first row has a usual name, or a word above values like numbers."""
    if any(map(_NAME.fullmatch, first)):
        return True
    for i, text in enumerate(first):
        is_word = text.lower() not in NO_VALUE and not matching([text], VALUE)[0]
        if is_word and _has_values(cells, i) and _holds_numbers(cells, i, 1):
            return True
    return False


def _has_values(cells: Cells, column: int) -> bool:
    used = np.unique(cells.columns[column].codes[1:])
    return any(text.lower() not in NO_VALUE for text in cells.columns[column].texts[used])


def _has_label(cells: Cells) -> bool:
    """Return whether a word of the first row recurs in its column, as labels do."""
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


def _are_counted(texts: list[str]) -> bool:
    """Return whether three texts or more are whole numbers that count on, as 2021, 2022, 2023."""
    if len(texts) < 3 or not matching(texts, r"[0-9]{1,9}").all():
        return False
    return bool((np.diff([int(text) for text in texts]) == 1).all())


def _are_years(texts: list[str]) -> bool:
    """Return whether texts are years, two or more, that rise or fall."""
    if len(texts) < 2 or not matching(texts, r"(?:1[89]|20)[0-9]{2}").all():
        return False
    steps = np.diff([int(text) for text in texts])
    return bool((steps > 0).all() or (steps < 0).all())
