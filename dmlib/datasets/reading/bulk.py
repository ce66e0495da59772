"""Plain delimited text of many rows, read by Arrow: numbers at once, other columns as texts."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from itertools import takewhile
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
from numpy.typing import NDArray

from dmlib.datasets.reading.breaks import MAX_COPIES, comments_among
from dmlib.datasets.reading.cells import Cells, Column, encoded, gather
from dmlib.datasets.reading.dates import are_months
from dmlib.datasets.reading.decimals import decimal_mark, has_point
from dmlib.datasets.reading.delimited import rows_of
from dmlib.datasets.reading.dialect import Dialect, detect
from dmlib.datasets.reading.header import named
from dmlib.datasets.reading.layout import check_size, find_table
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.reading.repairs import Repairs
from dmlib.datasets.reading.survey import survey
from dmlib.datasets.reading.tail import without_remarks, without_sums
from dmlib.datasets.table import Note, TableError

LEAST = 2_000_000
"""Bytes from which on it is worth while."""

_SAMPLE = 200_000
_BLOCK = 2**20
_LONG_CODE = 1e10  # a whole number that a spreadsheet shortens
_END = 20_000
_WORDS = pa.dictionary(pa.int32(), pa.string())  # each different text once
_SIMPLE_NOTES = {"delimiter", "comments", "preamble", "header_guessed", "names_changed"}


def read_bulk(
    data: bytes, options: ReadOptions, repairs: Repairs
) -> tuple[Cells, bool, list[Note]] | None:
    """Read delimited text as `read_delimited` does, if it is so plain that Arrow's reader gives the same.

    Returns
    -------
    cells, comma, notes
        As from `read_delimited`; None where quotes, uneven rows or options need more care.

    Notes
    -----
    Names, separators and everything above the table are found in the first 200 kB. Time and memory
    are linear.
    """
    if len(data) < LEAST or not _plain(data, options):
        return None
    text, dialect, notes = detect(
        data[: data.rfind(b"\n", 0, _SAMPLE) + 1].decode("utf-8-sig"), options
    )
    odd = (
        dialect.delimiter == " "
        or len(dialect.delimiter) > 1
        or dialect.quote == "'"
        or dialect.escape
    )
    if odd or not _simple_quotes(data, dialect.delimiter) or _has_footer(data, dialect, options):
        return None
    try:
        layout = find_table(survey(rows_of(text, dialect), options.limits), options)
    except TableError as error:
        if error.reason in {"too_many_columns"}:
            raise
        return None
    top = gather(
        (
            (line, row)
            for line, row in rows_of(text, dialect)
            if line >= layout.first_line and len(row) == layout.width
        ),
        layout.width,
    )
    left_out = Repairs()
    named_top, more = named(top, options, left_out)
    notes = [*notes, *layout.notes, *more]
    has_head = (
        top.lines[0] == layout.first_line
    )  # not where the line of names is shorter than the rows
    is_plain = has_head and len(named_top.columns) == layout.width and len(named_top.lines) > 0
    if not is_plain or {note.kind for note in notes} - _SIMPLE_NOTES:
        return None
    skipped = int(named_top.lines[0]) - 1
    n_rows = data.count(b"\n") + (not data.endswith(b"\n")) - skipped
    check_size(layout.width, n_rows, options.limits)
    parsed = _parsed(data, dialect.delimiter, skipped, named_top)
    columns, numbers, has_points = parsed or ((Column.blank(0),), {}, False)
    cells = Cells(
        columns, np.arange(skipped + 1, skipped + 1 + n_rows), named_top.names, numbers, has_points
    )
    if len(columns[0].codes) != n_rows or comments_among(cells).any() or _repeats_names(cells, top):
        return None
    for line, row in takewhile(lambda each: each[0] < layout.first_line, rows_of(text, dialect)):
        if any(map(str.strip, row)):
            repairs.row(line, " | ".join(row), "left out: above the table")
    repairs.take(left_out)
    return cells, dialect.delimiter == ",", notes


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


def _plain(data: bytes, options: ReadOptions) -> bool:
    """Return whether the text is UTF-8 without quotes and odd line ends, and nothing is decided about its values."""
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
        opened, closed = quotes[::2], quotes[1::2]
        if len(opened) != len(closed) or not np.isin(block[opened - 1], around).all():
            return False
        if not np.isin(block[closed + 1], around).all():
            return False
        if (np.searchsorted(ends, opened) != np.searchsorted(ends, closed)).any():
            return False
        start = stop
    return True


def _parsed(
    data: bytes, delimiter: str, skipped: int, sample: Cells
) -> tuple[tuple[Column, ...], dict[int, NDArray[Any]], bool] | None:
    """Return the columns, numbers apart, and whether points can only mark decimals.

    None if the rows are uneven or some are empty.
    """
    names = [str(i) for i in range(len(sample.columns))]
    parse = arrow_csv.ParseOptions(delimiter=delimiter, quote_char='"' if b'"' in data else False)

    def read(content: Any, types: dict[str, Any], chosen: list[str]) -> pa.Table:
        # The system's own memory is given back at once; Arrow's is kept for later.
        return arrow_csv.read_csv(
            content,
            arrow_csv.ReadOptions(skip_rows=skipped, column_names=names),
            parse,
            arrow_csv.ConvertOptions(
                null_values=[""],
                strings_can_be_null=False,
                column_types=types,
                include_columns=chosen,
            ),
            memory_pool=pa.system_memory_pool(),
        )

    whole = pa.py_buffer(data)
    try:
        start = read(pa.py_buffer(data[: data.rfind(b"\n", 0, _SAMPLE) + 1]), {}, names).schema
        coded = pa.int64() in start.types and _has_codes(data, delimiter)
        numeric = (pa.float64(),) if coded else (pa.float64(), pa.int64())
        # A column of holes may be of anything further down.
        types = {
            name: kind if kind in numeric else _WORDS
            for name, kind in zip(names, start.types, strict=True)
            if kind != pa.null()
        }
        try:
            columns, numbers = _taken([read(whole, types, names)], coded)
        except pa.ArrowInvalid:
            columns, numbers = _taken([read(whole, {}, names)], coded)
        doubtful, has_points = _doubtful(data, columns, numbers, sample)
        for i in doubtful:
            del numbers[i]
        texts = [name for i, name in enumerate(names) if i not in numbers and not columns[i]]
        if texts:
            table = read(whole, dict.fromkeys(texts, _WORDS), texts)
            for name in texts:
                columns[int(name)] = encoded(table.column(name))
    except pa.ArrowInvalid:
        return None
    n_rows = next(
        (len(column.codes) for column in columns if column), len(next(iter(numbers.values()), ()))
    )
    kept = tuple(column or Column.blank(n_rows) for column in columns)
    return (None if _some_empty(kept, numbers) else (kept, numbers, has_points)) if n_rows else None


def _taken(
    tables: list[pa.Table], coded: bool
) -> tuple[list[Column | None], dict[int, NDArray[Any]]]:
    """Return the columns of words, and those of plain numbers; None for those that have to be read as words.

    The only table is taken out of the list, and its columns out of the table, so that their memory
    can be given back.
    """
    words: list[Column | None] = []
    numbers: dict[int, NDArray[Any]] = {}
    left = tables.pop()
    for i in range(left.num_columns):
        values, left = left.column(0), left.remove_column(0)
        words.append(encoded(values) if values.type == _WORDS else None)
        found = None if coded and values.type == pa.int64() else _numbers(values)
        if found is not None:
            numbers[i] = found
    return words, numbers


def _doubtful(
    data: bytes, columns: list[Column | None], numbers: dict[int, NDArray[Any]], sample: Cells
) -> tuple[list[int], bool]:
    """Return the columns of numbers whose texts have to be seen, and whether points can only mark decimals.

    The points of some may stand between thousands, since other columns have decimal commas. Others
    may be months, or codes of which a spreadsheet has shortened some.
    """
    floats = {i: values for i, values in numbers.items() if values.dtype.kind == "f"}
    tops = {i: sample.columns[i] for i in floats}
    has_points = any(has_point(values) for values in floats.values()) or any(
        decimal_mark(top.texts, top.counts) == "." for top in tops.values()
    )
    marks = {decimal_mark(column.texts, column.counts) for column in columns if column}
    if "," in marks and "." not in marks and not has_points:
        return list(floats), has_points
    months = {
        i for i, top in tops.items() if are_months(top.texts[(top.counts > 0) & (top.texts != "")])
    }
    shortened = b"E+1" in data or b"e+1" in data
    codes = {i for i, values in floats.items() if shortened and np.nanmax(values) >= _LONG_CODE}
    return sorted(months | codes), has_points


def _numbers(values: pa.ChunkedArray) -> NDArray[Any] | None:
    """Return the values of a column of plain numbers; None for others, and for those whose texts have to be seen."""
    if values.type == pa.int64() and values.null_count == 0:
        return np.asarray(values)
    if values.type not in (pa.int64(), pa.float64()):
        return None
    numbers = np.asarray(values.cast(pa.float64()))
    spelled = int(np.isnan(numbers).sum()) > values.null_count or np.isinf(numbers).any()
    return (
        None
        if spelled or (np.abs(numbers) >= 2**53).any() or values.null_count == len(values)
        else numbers
    )


def _has_codes(data: bytes, delimiter: str) -> bool:
    """Return whether a field starts with a zero before another digit or an x, which Arrow reads as a number."""
    separates, digit = np.zeros(256, bool), np.zeros(256, bool)
    separates[list(f'{delimiter}\n "'.encode())] = True
    digit[list(b"0123456789xX")] = True
    whole = np.frombuffer(data, np.uint8)
    for start in range(0, len(whole), _BLOCK):
        block = whole[max(0, start - 2) : start + _BLOCK + 1]
        zeros = np.flatnonzero(block[:-1] == ord("0"))
        zeros = zeros[zeros > 1]
        zeros = zeros[digit[block[zeros + 1]]]
        before = block[zeros - 1]
        signed = (before == ord("+")) | (before == ord("-"))
        if separates[block[zeros - 1 - signed]].any():
            return True
    return False


def _some_empty(columns: Sequence[Column], numbers: dict[int, NDArray[Any]]) -> bool:
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
