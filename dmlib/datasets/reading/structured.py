"""Formats that name and type their columns themselves: Parquet, JSON records, ARFF -> cells."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from dmlib.datasets.reading.cells import Cells, Column, encoded, gather
from dmlib.datasets.reading.delimited import rows_of
from dmlib.datasets.reading.dialect import Dialect
from dmlib.datasets.reading.encoding import decode
from dmlib.datasets.reading.header import with_names
from dmlib.datasets.reading.layout import check_size
from dmlib.datasets.reading.options import Limits, ReadOptions
from dmlib.datasets.reading.repairs import Repairs
from dmlib.datasets.reading.rows import find_rows
from dmlib.datasets.table import Kind, Note, TableError

_ADVICE = "Save a list of records, such as [{...}, {...}]."
_DIGITS = 4000
_ATTRIBUTE = re.compile(r"""@attribute\s+('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\S+)\s+(.+)""", re.IGNORECASE)


def read_parquet(data: bytes, limits: Limits) -> tuple[Cells, list[Note]]:
    """Read a Parquet file; what is neither a number nor a text becomes a text.

    Raises
    ------
    TableError
        If it is damaged or too large.
    """
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        meta = file.metadata
        check_size(file.schema_arrow.__len__(), meta.num_rows, limits)
        unpacked = sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups))
        if unpacked > limits.n_unpacked:
            raise TableError("bomb", f"The Parquet file unpacks to more than {limits.n_unpacked >> 20} MB.")
        return _from_arrow(file.read())
    except (pa.ArrowException, OSError, UnicodeDecodeError, MemoryError) as error:
        raise TableError("corrupt", f"The Parquet file is damaged ({_short(error)}). Write it again.") from None


def _from_arrow(table: pa.Table) -> tuple[Cells, list[Note]]:
    table = table.drop_columns([name for name in table.column_names if re.fullmatch(r"__index_level_\d+__", name)])
    columns, numbers = [], {}
    for i, values in enumerate(table.columns):
        if pa.types.is_floating(values.type) or pa.types.is_integer(values.type):
            numbers[i] = _as_numbers(values)
            columns.append(Column.blank(len(values)))
        else:
            columns.append(_as_texts(values))
    cells = Cells(tuple(columns), np.arange(1, table.num_rows + 1), (), numbers)
    return with_names(cells, list(map(str, table.column_names)))


def _as_numbers(values: pa.ChunkedArray) -> Any:
    whole = pa.types.is_integer(values.type) and values.null_count == 0 and values.type != pa.uint64()
    return values.cast(pa.int64() if whole else pa.float64(), safe=False).to_numpy()


def _as_texts(values: pa.ChunkedArray) -> Column:
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    try:
        texts = values.cast(pa.large_string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        texts = pa.chunked_array([pa.array([_text(value) for value in values.to_pylist()], pa.large_string())])
    return encoded(texts.fill_null(""))


def read_json(data: bytes, options: ReadOptions) -> tuple[Cells, list[Note]]:
    """Read JSON: a list of records, one record on each line, or an object of columns.

    Raises
    ------
    TableError
        If it is damaged, too large, or holds no records.
    """
    text, notes = decode(data, options.encoding)
    records, told = _records(text)
    notes += told
    names = list(dict.fromkeys(str(name) for record in records for name in record))
    if not records or not names:
        raise TableError("no_rows", "The JSON holds no records. Choose a file with a list of them.")
    check_size(len(names), len(records), options.limits)
    rows = ((i, [_text(record.get(name)) for name in names]) for i, record in enumerate(records, 1))
    cells, more = with_names(gather(rows, len(names)), names)
    return cells, [*notes, *more]


def _records(text: str) -> tuple[list[dict[str, Any]], list[Note]]:
    """Return the records of JSON text, and a note on what surrounds them."""
    value = _loaded(text)
    if isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return value, []
    if isinstance(value, list) and value and all(isinstance(each, list) for each in value):
        return _from_rows(value), []
    if isinstance(value, dict) and value:
        lists = [name for name, each in value.items() if isinstance(each, list) and each and isinstance(each[0], dict)]
        if len(lists) == 1 and all(isinstance(each, dict) for each in value[lists[0]]):
            text = f"The records are those under {lists[0]!r}; what stands beside them is left out."
            return value[lists[0]], [Note("extra_ignored", text)] if len(value) > 1 else []
        columns = _as_columns(value)
        if columns:
            return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)], []
        if not any(isinstance(each, list | dict) for each in value.values()):
            return [value], []
    raise TableError("not_a_table", f"The JSON is no list of records. {_ADVICE}")


def _as_columns(value: dict[str, Any]) -> dict[str, list[Any]]:
    """Return columns of equal length from an object of lists, or from what pandas writes; an empty dict of others."""
    names, rows = value.get("columns"), value.get("data")
    if isinstance(names, list) and isinstance(rows, list) and {*value} <= {"columns", "index", "data"}:
        if all(isinstance(row, list) and len(row) == len(names) for row in rows) and len({*map(str, names)}) == len(
            names
        ):
            return {str(name): [row[i] for row in rows] for i, name in enumerate(names)}
        return {}
    if all(isinstance(each, dict) and each and all(map(str.isdigit, each)) for each in value.values()):
        value = {name: list(each.values()) for name, each in value.items()}
    if all(isinstance(each, list) for each in value.values()) and len(set(map(len, value.values()))) == 1:
        return value
    return {}


def _from_rows(rows: list[list[Any]]) -> list[dict[str, Any]]:
    """Return records from rows: the first holds the names if it is of different texts, and others are not."""
    first = rows[0]
    words = all(isinstance(name, str) for name in first) and len(set(first)) == len(first)
    if words and any(not isinstance(cell, str) for row in rows[1:] for cell in row):
        return [dict(zip(first, row, strict=False)) for row in rows[1:] if len(row) <= len(first)]
    return [{f"column_{i}": cell for i, cell in enumerate(row, 1)} for row in rows]


def _loaded(text: str) -> Any:
    """Return what JSON text says, or a list of what its lines say."""
    try:
        return json.loads(text, parse_int=_whole)
    except RecursionError:
        raise TableError("not_a_table", f"The JSON is nested too deeply for a table. {_ADVICE}") from None
    except json.JSONDecodeError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            if len(lines) > 1:
                return [json.loads(line, parse_int=_whole) for line in lines]
        except (json.JSONDecodeError, RecursionError):
            pass
        raise TableError("corrupt", f"The JSON is damaged in line {error.lineno}. Write it again.") from None


def _whole(text: str) -> float:
    """Return a whole number; one of more digits than Python reads becomes infinite."""
    return int(text) if len(text) <= _DIGITS else float(text)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def read_arff(data: bytes, options: ReadOptions, repairs: Repairs) -> tuple[Cells, dict[str, Kind], list[Note]]:
    """Read Weka's ARFF: names and types in a head, rows of fields below ``@data``.

    Returns
    -------
    cells : Cells
        The cells.
    kinds : dict of str to str
        The kinds that the head declares: nominal, text or date.
    notes : list of Note
        What was repaired.

    Raises
    ------
    TableError
        If the head is damaged, or the rows are sparse.
    """
    text, notes = decode(data, options.encoding)
    found = re.search(r"^\s*@data[^\n]*\n?", text, re.IGNORECASE | re.MULTILINE)
    head, body = (text[: found.start()], text[found.end() :]) if found else (text, "")
    attributes = [_ATTRIBUTE.match(line.strip()) for line in head.splitlines()]
    names = [re.sub(r"\\(.)", r"\1", each[1].strip("'\"")) for each in attributes if each]
    types = [each[2].strip().lower() for each in attributes if each]
    if not found or not names:
        raise TableError("bad_header", "The ARFF file lacks its @attribute lines or @data. Save it again from Weka.")
    lines = [line for line in body.splitlines() if line.strip() and not line.lstrip().startswith("%")]
    if lines and lines[0].lstrip().startswith("{"):
        raise TableError("unsupported", "The ARFF file is sparse, which is not read. Save it as CSV from Weka.")
    if not lines:
        raise TableError("no_rows", "The ARFF file has names but no rows below them.")
    dialect = Dialect(",", "'" if "'" in body else '"')
    try:
        cells, told = find_rows(lambda: rows_of("\n".join(lines), dialect), options, repairs)
    except csv.Error as error:
        raise TableError("bad_quotes", f"The quotes are wrong {error}. Correct them and try again.") from None
    if len(cells.columns) != len(names):
        raise TableError(
            "ragged", f"The head names {len(names)} columns and the rows have {len(cells.columns)}. Correct the file."
        )
    cells, changed = with_names(cells, names)
    return cells, _declared(cells.names, types), [*notes, *told, *changed]


def _declared(names: Iterable[str], types: list[str]) -> dict[str, Kind]:
    known: tuple[tuple[str, Kind], ...] = (("{", "nominal"), ("string", "text"))
    return {name: kind for name, of in zip(names, types, strict=True) for start, kind in known if of.startswith(start)}


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:100].rstrip(".") if str(error) else type(error).__name__
