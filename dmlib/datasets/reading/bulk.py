"""Plain delimited text of many rows, read by Arrow: numbers at once, other columns as texts."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
from numpy.typing import NDArray

from dmlib.datasets.reading.breaks import MAX_COPIES, comments_among
from dmlib.datasets.reading.cells import Cells, Column, encoded, gather
from dmlib.datasets.reading.dates import are_months
from dmlib.datasets.reading.decimals import Mark, decimal_mark, has_point
from dmlib.datasets.reading.delimited import rows_of
from dmlib.datasets.reading.dialect import Dialect, detect
from dmlib.datasets.reading.header import named
from dmlib.datasets.reading.layout import Layout, check_size, find_table
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.reading.repairs import Repairs
from dmlib.datasets.reading.survey import survey
from dmlib.datasets.reading.tail import without_remarks, without_sums
from dmlib.datasets.table import Note, TableError

MIN_BYTES = 2_000_000
"""Bytes from which on it is worth while."""

_SAMPLE = 200_000
_BLOCK = 2**20
_LONG_CODE = 1e10  # a whole number that a spreadsheet shortens
_END = 20_000
_WORDS = pa.dictionary(pa.int32(), pa.string())  # each different text once
_SIMPLE_NOTES = {"delimiter", "comments", "preamble", "header_guessed", "names_changed"}

Numbers = dict[int, NDArray[Any]]
"""Columns of plain numbers, by their places."""


@dataclass(frozen=True)
class _Head:
    """The start of the file: where the table is, and its names.

    Attributes
    ----------
    layout : Layout
        Where the table is.
    top : Cells
        The rows of the sample, names included.
    named : Cells
        The rows below the names.
    notes : list of Note
        What was guessed.
    repairs : Repairs
        The rows that are left out between the names and the rows.
    """

    layout: Layout
    top: Cells
    named: Cells
    notes: list[Note]
    repairs: Repairs

    @property
    def skipped(self) -> int:
        """How many lines stand above the first row."""
        return int(self.named.lines[0]) - 1


def read_bulk(
    data: bytes, options: ReadOptions, repairs: Repairs
) -> tuple[Cells, bool, list[Note]] | None:
    """Read delimited text as `read_delimited` does, if Arrow's reader gives the same.

    Returns
    -------
    cells, comma, notes
        As from `read_delimited`; None where quotes, uneven rows or options need more care.

    Notes
    -----
    Names, separators and everything above the table are found in the first 200 kB. Time and memory
    are linear.
    """
    if len(data) < MIN_BYTES or not _is_plain(data, options):
        return None
    sample = data[: data.rfind(b"\n", 0, _SAMPLE) + 1].decode("utf-8-sig")
    text, dialect, notes = detect(sample, options)
    if not _is_simple(data, dialect) or _has_footer(data, dialect, options):
        return None
    head = _find_head(text, dialect, options, notes)
    if head is None:
        return None
    cells = _cells(data, dialect, head, options)
    if cells is None or comments_among(cells).any() or _repeats_names(cells, head.top):
        return None
    for line, row in rows_of(text, dialect):
        if line >= head.layout.first_line:
            break
        if any(map(str.strip, row)):
            repairs.row(line, " | ".join(row), "left out: above the table")
    repairs.take(head.repairs)
    return cells, dialect.delimiter == ",", head.notes


def _is_simple(data: bytes, dialect: Dialect) -> bool:
    """Return whether single characters separate and quote whole fields."""
    is_single = len(dialect.delimiter) == 1 and dialect.delimiter != " "
    is_usual = dialect.quote != "'" and not dialect.escape
    return is_single and is_usual and _simple_quotes(data, dialect.delimiter)


def _find_head(
    text: str, dialect: Dialect, options: ReadOptions, notes: list[Note]
) -> _Head | None:
    """Find the table and its names in the start of the file; None where it needs more care."""
    try:
        layout = find_table(survey(rows_of(text, dialect), options.limits), options)
    except TableError as error:
        if error.reason == "too_many_columns":
            raise
        return None
    rows = (
        (line, row)
        for line, row in rows_of(text, dialect)
        if line >= layout.first_line and len(row) == layout.width
    )
    top = gather(rows, layout.width)
    repairs = Repairs()
    named_top, naming_notes = named(top, options, repairs)
    notes = [*notes, *layout.notes, *naming_notes]
    # The line of names may be shorter than the rows.
    has_names = top.lines[0] == layout.first_line and len(named_top.columns) == layout.width
    is_known = all(note.kind in _SIMPLE_NOTES for note in notes)
    if not has_names or not len(named_top.lines) or not is_known:
        return None
    return _Head(layout, top, named_top, notes, repairs)


def _cells(data: bytes, dialect: Dialect, head: _Head, options: ReadOptions) -> Cells | None:
    """Let Arrow read all rows; None if it finds others than there are lines."""
    n_rows = data.count(b"\n") + (not data.endswith(b"\n")) - head.skipped
    check_size(head.layout.width, n_rows, options.limits)
    parsed = _parsed(data, dialect.delimiter, head.skipped, head.named)
    if parsed is None or len(parsed[0][0].codes) != n_rows:
        return None
    columns, numbers, has_points = parsed
    lines = np.arange(head.skipped + 1, head.skipped + 1 + n_rows)
    return Cells(columns, lines, head.named.names, numbers, has_points)


def _repeats_names(cells: Cells, top: Cells) -> bool:
    """Return whether some rows are equal to the last row above the cells, which holds the names."""
    above = int(np.searchsorted(top.lines, cells.lines[0])) - 1
    copies: Any = above >= 0
    for i, (column, head) in enumerate(zip(cells.columns, top.columns, strict=True)):
        name = head.texts[head.codes[above]]
        if name and i in cells.numbers:
            return False
        if name:
            copies = copies & (column.texts == name)[column.codes]
    return bool(0 < np.mean(copies) < MAX_COPIES)


def _has_footer(data: bytes, dialect: Dialect, options: ReadOptions) -> bool:
    """Return whether the last rows are remarks or sums, perhaps as wide as the others."""
    if options.skip_footer is not None:
        return options.skip_footer > 0
    end = data[data.find(b"\n", max(0, len(data) - _END)) + 1 :].decode("utf-8", "replace")
    rows = survey(rows_of(end, dialect), options.limits)
    return (
        bool(without_remarks(rows)[1] or without_sums(rows, rows[-1].fields)[1]) if rows else True
    )


def _is_plain(data: bytes, options: ReadOptions) -> bool:
    """Return whether the text is UTF-8 with usual line ends, and its values are for us to read."""
    decided = (
        options.encoding
        or options.decimal
        or options.missing is not None
        or options.quote is not None
        or options.skip_footer
    )
    if decided or data[:5].lower().lstrip(b'"').startswith(b"sep=") or b"\0" in data:
        return False
    if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
        return False
    if data.isascii():
        return True
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _BLOCK):
            decoder.decode(data[start : start + _BLOCK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _simple_quotes(data: bytes, delimiter: str) -> bool:
    """Return whether quotes stand around whole fields, without quotes and line ends in them."""
    start = 0 if b'"' in data else len(data)
    around = np.frombuffer(f"{delimiter}\r\n".encode(), np.uint8)
    while start < len(data):
        stop = data.find(b"\n", start + _BLOCK) + 1 or len(data)
        block = np.frombuffer(b"\n" + data[start:stop] + b"\n", np.uint8)
        quotes, ends = np.flatnonzero(block == ord('"')), np.flatnonzero(block == ord("\n"))
        starts, stops = quotes[::2], quotes[1::2]
        if len(starts) != len(stops) or not np.isin(block[starts - 1], around).all():
            return False
        if not np.isin(block[stops + 1], around).all():
            return False
        if (np.searchsorted(ends, starts) != np.searchsorted(ends, stops)).any():
            return False
        start = stop
    return True


def _parsed(
    data: bytes, delimiter: str, skipped: int, sample: Cells
) -> tuple[tuple[Column, ...], Numbers, bool] | None:
    """Return the columns, numbers apart, and whether points can only mark decimals.

    None if the rows are uneven or some are empty.
    """
    try:
        columns, numbers, has_points = _columns(data, delimiter, skipped, sample)
    except pa.ArrowInvalid:
        return None
    lengths = [len(column.codes) for column in columns if column]
    n_rows = max([*lengths, *map(len, numbers.values())], default=0)
    if not n_rows:
        return None
    filled = tuple(column or Column.blank(n_rows) for column in columns)
    return None if _some_empty(filled, numbers) else (filled, numbers, has_points)


def _columns(
    data: bytes, delimiter: str, skipped: int, sample: Cells
) -> tuple[list[Column | None], Numbers, bool]:
    """Read all columns with types that the start of the file suggests, else as they come.

    Raises
    ------
    pyarrow.ArrowInvalid
        If the rows are uneven.
    """
    names = [str(i) for i in range(len(sample.columns))]
    parsing = arrow_csv.ParseOptions(delimiter=delimiter, quote_char='"' if b'"' in data else False)

    def read(content: Any, types: dict[str, Any], chosen: list[str]) -> pa.Table:
        # The system's own memory is given back at once; Arrow's is kept for later.
        return arrow_csv.read_csv(
            content,
            arrow_csv.ReadOptions(skip_rows=skipped, column_names=names),
            parsing,
            arrow_csv.ConvertOptions(
                null_values=[""],
                strings_can_be_null=False,
                column_types=types,
                include_columns=chosen,
            ),
            memory_pool=pa.system_memory_pool(),
        )

    content = pa.py_buffer(data)
    start = read(pa.py_buffer(data[: data.rfind(b"\n", 0, _SAMPLE) + 1]), {}, names).schema.types
    has_codes = pa.int64() in start and _has_codes(data, delimiter)
    types = _types(dict(zip(names, start, strict=True)), has_codes)
    try:
        columns, numbers = _words_and_numbers([read(content, types, names)], has_codes)
    except pa.ArrowInvalid:
        columns, numbers = _words_and_numbers([read(content, {}, names)], has_codes)
    doubtful, has_points = _doubtful(data, columns, numbers, sample)
    for i in doubtful:
        del numbers[i]
    texts = [name for i, name in enumerate(names) if i not in numbers and not columns[i]]
    if texts:
        table = read(content, dict.fromkeys(texts, _WORDS), texts)
        for name in texts:
            columns[int(name)] = encoded(table.column(name))
    return columns, numbers, has_points


def _types(start: dict[str, Any], has_codes: bool) -> dict[str, Any]:
    """Return the type of each column, words unless it starts with numbers.

    A column of holes may be of anything further down.
    """
    numeric = (pa.float64(),) if has_codes else (pa.float64(), pa.int64())
    return {
        name: kind if kind in numeric else _WORDS
        for name, kind in start.items()
        if kind != pa.null()
    }


def _words_and_numbers(
    tables: list[pa.Table], has_codes: bool
) -> tuple[list[Column | None], Numbers]:
    """Return the columns of words, and those of plain numbers.

    A column is None if it has to be read as words. The only table is taken out of the list, and its
    columns out of the table, so that their memory can be given back.
    """
    words: list[Column | None] = []
    numbers: Numbers = {}
    table = tables.pop()
    for i in range(table.num_columns):
        values, table = table.column(0), table.remove_column(0)
        words.append(encoded(values) if values.type == _WORDS else None)
        plain = None if has_codes and values.type == pa.int64() else _numbers(values)
        if plain is not None:
            numbers[i] = plain
    return words, numbers


def _doubtful(
    data: bytes, columns: list[Column | None], numbers: Numbers, sample: Cells
) -> tuple[list[int], bool]:
    """Return the columns of numbers whose texts have to be looked at, and what points mark.

    The points of some may stand between thousands, since other columns have decimal commas. Others
    may be months, or codes of which a spreadsheet has shortened some. Points mark decimals alone if
    the second value is True.
    """
    floats = {i: values for i, values in numbers.items() if values.dtype.kind == "f"}
    tops = {i: sample.columns[i] for i in floats}
    has_points = any(map(has_point, floats.values())) or "." in map(_mark, tops.values())
    marks = {*map(_mark, filter(None, columns))}
    if "," in marks and "." not in marks and not has_points:
        return list(floats), has_points
    months = {i for i, top in tops.items() if are_months(_used_texts(top))}
    codes = set()
    if b"E+1" in data or b"e+1" in data:
        codes = {i for i, values in floats.items() if np.nanmax(values) >= _LONG_CODE}
    return sorted(months | codes), has_points


def _mark(column: Column) -> Mark | None:
    """Return the decimal mark of a column."""
    return decimal_mark(column.texts, column.counts)


def _used_texts(column: Column) -> NDArray[Any]:
    """Return the texts of a column that some row has, without the empty one."""
    texts: NDArray[Any] = column.texts[(column.counts > 0) & (column.texts != "")]
    return texts


def _numbers(values: pa.ChunkedArray) -> NDArray[Any] | None:
    """Return the values of a column of plain numbers; None where the texts have to be looked at."""
    if values.type == pa.int64() and values.null_count == 0:
        return np.asarray(values)
    if values.type not in (pa.int64(), pa.float64()):
        return None
    numbers = np.asarray(values.cast(pa.float64()))
    is_spelled = int(np.isnan(numbers).sum()) > values.null_count or np.isinf(numbers).any()
    is_exact = not (np.abs(numbers) >= 2**53).any()
    is_blank = values.null_count == len(values)
    return numbers if is_exact and not is_spelled and not is_blank else None


def _has_codes(data: bytes, delimiter: str) -> bool:
    """Return whether a field is a code with a leading zero, which Arrow reads as a number.

    The zero stands before another digit or an x.
    """
    separates, digit = np.zeros(256, bool), np.zeros(256, bool)
    separates[list(f'{delimiter}\n "'.encode())] = True
    digit[list(b"0123456789xX")] = True
    content = np.frombuffer(data, np.uint8)
    for start in range(0, len(content), _BLOCK):
        block = content[max(0, start - 2) : start + _BLOCK + 1]
        zeros = np.flatnonzero(block[:-1] == ord("0"))
        zeros = zeros[zeros > 1]
        zeros = zeros[digit[block[zeros + 1]]]
        before = block[zeros - 1]
        signed = (before == ord("+")) | (before == ord("-"))
        if separates[block[zeros - 1 - signed]].any():
            return True
    return False


def _some_empty(columns: Sequence[Column], numbers: Numbers) -> bool:
    """Return whether some row has no value at all."""
    empty: Any = True
    for i, column in enumerate(columns):
        if i in numbers:
            missing = np.isnan(numbers[i]) if numbers[i].dtype.kind == "f" else np.zeros(1, bool)
        else:
            missing = (column.texts == "")[column.codes]
        if not missing.any():
            return False
        empty = empty & missing
    return bool(np.any(empty))
