"""Where the table is in delimited text: below a preamble, above a footer or a second table."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import takewhile, zip_longest

from dmlib.datasets.reading.options import Limits, ReadOptions
from dmlib.datasets.reading.survey import TOP, Row
from dmlib.datasets.reading.tail import without_footer, without_remarks, without_sums
from dmlib.datasets.table import Note, TableError

# Share of rows with too many fields that are left out; with more, the file is refused
_TOLERATED = 0.1
_FEW_GAPS = 3
_NEARLY = 0.9  # share of the rows below a preamble that have as many fields as is usual
COMMENTS = ("#", "%", "//")
_NUMBER = re.compile(r"[+-]?\.?\d")
_DECIMAL = re.compile(r"[+-]?\d*[.,]\d+")
_KEY = re.compile(
    r"(?:.*[\W_])?(?:id|nr|no|number|key|code|index|date|datum|year|jahr|time|zeit)\.?",
    re.IGNORECASE,
)
_FEW_ROWS = 2
_MIN_TOP = 3


@dataclass(frozen=True)
class Layout:
    """Where the table is.

    Attributes
    ----------
    width : int
        The number of fields of a row.
    first_line, last_line : int
        The lines in which its first and its last row start.
    notes : tuple of Note
        What is left out, and why.
    row_names : bool
        Whether the first field of each row names it, and the line of names has none above it.
    """

    width: int
    first_line: int
    last_line: int
    notes: tuple[Note, ...]
    row_names: bool = False


def find_table(rows: list[Row], options: ReadOptions) -> Layout:
    """Return where the table is.

    Parameters
    ----------
    rows : list of Row
        The rows of the file.
    options : ReadOptions
        How large the table may be, and how many lines stand above and below it, if that is known.

    Raises
    ------
    TableError
        If there is no table, it is too large, or its rows are uneven.
    """
    notes: list[Note] = []
    if options.skip is not None:
        rows = [row for row in rows if row.line > options.skip]
    if options.skip_footer:
        rows = rows[: -options.skip_footer]
    if not rows:
        raise TableError(
            "empty_file",
            "The file holds nothing but white space. Choose a file with a table in it.",
        )
    if options.skip is None:
        rows, notes = _without_preamble(rows)
    if options.skip_footer is None:
        rows, notes_on_end = _without_end(rows)
        notes += notes_on_end
    width = _width(rows)
    check_size(width, len(rows) - 1, options.limits)
    _check_even(rows, width)
    row_names = options.header is None and has_row_names(rows, width)
    if row_names:
        text = "The line of names is one name short, so the first column names the rows."
        notes.append(Note("header_guessed", text))
    return Layout(width, rows[0].line, rows[-1].line, tuple(notes), row_names)


def has_row_names(rows: list[Row], width: int) -> bool:
    """Return whether the first field of each row is its name, with no name above, as R writes."""
    head, below = rows[0], [row for row in rows[1:] if not _is_remark(row, width)]
    if not head.fields == head.filled == width - 1 or len(below) < _FEW_ROWS:
        return False
    even = sum(row.fields == width for row in below)
    ends = sum(row.filled == width for row in below)
    names = [row.first for row in below]
    if even < _NEARLY * len(below) or ends < len(below) / 2 or len(set(names)) < len(names):
        return False
    if all(name == str(i) for i, name in enumerate(names, int(names[0] != "0"))):
        return True
    # Decimals name no row, and a name such as "id" stands above the names of rows.
    return width > 2 and not _KEY.fullmatch(head.first) and not any(map(_DECIMAL.fullmatch, names))


def _without_end(rows: list[Row]) -> tuple[list[Row], list[Note]]:
    """Leave out remarks, a second table and sums below the table."""
    rows, notes = without_remarks(rows)
    rows, notes_below = _without_second_table(rows)
    if not notes_below:
        rows, notes_below = without_footer(rows, _usual_width(rows))
    rows, sums = without_sums(rows, _usual_width(rows))
    return rows, [*notes, *notes_below, *sums]


def _usual_width(rows: list[Row]) -> int:
    widths = Counter(row.fields for row in rows)
    return max(widths, key=lambda w: (widths[w], w))


def _width(rows: list[Row]) -> int:
    """Return the number of fields of the table.

    Of tables side by side the first may end later, and no delimiters stand behind it.
    """
    width, top_width = _usual_width(rows), rows[0].fields
    top = next((i for i, row in enumerate(rows) if row.fields != top_width), len(rows))
    if top >= _MIN_TOP and top_width > width >= max(row.fields for row in rows[top:]):
        return top_width
    return width


def _without_preamble(rows: list[Row]) -> tuple[list[Row], list[Note]]:
    """Leave out comments, titles of a single field, and a block of other rows, above the table."""
    width = _usual_width(rows)
    top = rows[:TOP]
    comments = [is_comment(row, below, width) for row, below in zip_longest(top, top[1:])]
    is_title = [row.filled == 1 and width > 1 for row in top]
    starts = (i for i in range(len(top)) if not comments[i] and not is_title[i])
    start = max(next(starts, 0), _below_block(rows))
    if not start or (start == 1 and not comments[0] and has_row_names(rows, width)):
        return rows, []
    n_lines = rows[start].line - 1
    text = f"The first {n_lines} lines stand" if n_lines > 1 else "The first line stands"
    kind = "comments" if all(comments[:start]) else "preamble"
    are = "are" if n_lines > 1 else "is"
    return rows[start:], [Note(kind, f"{text} above the table and {are} left out.")]


def is_comment(row: Row, below: Row | None, width: int) -> bool:
    """Return whether a row is a comment: it starts with a mark, and holds no names of numbers."""
    if not row.first.startswith(COMMENTS) or row.first in COMMENTS:
        return False
    return row.fields != width or below is None or not re.match(r"[+-]?\.?\d", below.first)


def _is_remark(row: Row, width: int) -> bool:
    return row.fields != width and row.first.startswith(COMMENTS)


def _below_block(rows: list[Row]) -> int:
    """Return where even rows start below a block of narrower ones, such as pairs; or 0."""
    widths = Counter(row.filled for row in rows)
    width = max(widths, key=lambda w: (widths[w], w))
    start = next((i for i, row in enumerate(rows[:TOP]) if row.filled >= max(3, width - 1)), 0)
    has_gap = any(row.after_gap for row in rows[1 : start + 1])
    is_narrow = all(row.fields < width - 1 for row in rows[:start])
    if not start or not (has_gap or is_narrow):
        return 0
    n_even = sum(row.fields == rows[start].fields for row in rows[start:])
    return start if n_even >= _NEARLY * (len(rows) - start) else 0


def _without_second_table(rows: list[Row]) -> tuple[list[Row], list[Note]]:
    """Leave out a second table: even rows after a blank one, with another number of fields."""
    stop = _wider_or_narrower_table(rows)
    if stop is None:
        stop = _equal_table(rows)
    if stop is None:
        return rows, []
    text = (
        f"A second table starts in line {rows[stop].line} and was not read. Save it as a file of"
        " its own."
    )
    return rows[:stop], [Note("multiple_tables", text)]


def _wider_or_narrower_table(rows: list[Row]) -> int | None:
    """Return where a second table starts whose rows are as wide as none before."""
    # In a sheet all rows have as many fields as its widest table.
    n_gaps = sum(row.after_gap for row in rows)
    is_sheet = len({row.fields for row in rows}) == 1 and n_gaps <= _FEW_GAPS
    widths = [row.filled if is_sheet else row.fields for row in rows]
    width = widths[-1]
    stop = _start_of_end(rows, widths)
    if stop is None or (is_sheet and _NUMBER.match(rows[stop].first)):
        return None
    widths_above = set(widths[:stop])
    is_different = len(widths_above) == 1 and not widths_above <= {1, width}
    return stop if width > 1 and is_different else None


def _start_of_end(rows: list[Row], widths: list[int]) -> int | None:
    """Return where the rows as wide as the last one start after a gap, or the title above them."""
    n_equal = sum(1 for _ in takewhile(widths[-1].__eq__, reversed(widths)))
    begin = len(rows) - n_equal
    if begin > 1 and n_equal > 1 and rows[begin - 1].filled == 1 and rows[begin - 1].after_gap:
        return begin - 1
    return next((i for i in range(begin, len(rows) - 1) if rows[i].after_gap), None)


def _equal_table(rows: list[Row]) -> int | None:
    """Return where a second table of as many columns starts: names after the only gap."""
    gaps = [i for i, row in enumerate(rows) if row.after_gap and i > 1]
    if len(gaps) != 1 or gaps[0] + 1 == len(rows) or _NUMBER.match(rows[gaps[0]].first):
        return None
    if rows[gaps[0]].copy_of == rows[0].line:  # the names again, at a page break
        return None
    numbers = rows[1 : gaps[0]] + rows[gaps[0] + 1 :]
    return gaps[0] if all(_NUMBER.match(row.first) for row in numbers) else None


def check_size(width: int, n_rows: int, limits: Limits) -> None:
    """Refuse a table that is too large, before it is built.

    Raises
    ------
    TableError
        If it has too many columns, rows or cells.
    """
    if width > limits.n_columns:
        raise TableError(
            "too_many_columns",
            f"The table has {width:,} columns; the limit is {limits.n_columns:,}. Keep the columns"
            " that you need.",
        )
    if n_rows > limits.n_rows:
        raise TableError(
            "too_many_rows",
            f"The table has {n_rows:,} rows; the limit is {limits.n_rows:,}. Take a sample of the"
            " rows.",
        )
    if width * n_rows > limits.n_cells:
        raise TableError(
            "too_large",
            f"The table has {width * n_rows:,} cells; the limit is {limits.n_cells:,}. Keep fewer"
            " rows or columns.",
        )


def _check_even(rows: list[Row], width: int) -> None:
    longer = [row for row in rows if row.filled > width and not _is_remark(row, width)]
    if longer and width == 1:
        raise TableError(
            "not_a_table",
            "The text has no columns. Save the table as CSV, with one row on each line.",
        )
    if len(longer) > _TOLERATED * len(rows):
        raise TableError(
            "ragged",
            f"Line {longer[0].line} has {longer[0].filled} fields, and most others have {width}. "
            "Put quotes around cells that contain the delimiter.",
        )
