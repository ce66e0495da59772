"""Parquet -> cells."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dmlib.datasets.reading.cells import Cells, Column, encoded
from dmlib.datasets.reading.header import with_names
from dmlib.datasets.reading.layout import check_size
from dmlib.datasets.reading.options import Limits
from dmlib.datasets.reading.records import as_text
from dmlib.datasets.table import Note, TableError

_PARTS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}  # of a second


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
        # The reader asks for memory by the numbers of each part before it sees a value.
        _check_promise(
            meta.num_rows, sum(meta.row_group(i).num_rows for i in range(meta.num_row_groups))
        )
        unpacked = sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups))
        if unpacked > limits.n_unpacked:
            raise TableError(
                "bomb", f"The Parquet file unpacks to more than {limits.n_unpacked >> 20} MB."
            )
        table = file.read()
        _check_promise(meta.num_rows, table.num_rows)
        return _from_arrow(table)
    except (pa.ArrowException, OSError, UnicodeDecodeError, MemoryError) as error:
        raise TableError(
            "corrupt", f"The Parquet file is damaged ({_short(error)}). Write it again."
        ) from None


def _check_promise(n_rows: int, n_held: int) -> None:
    if n_rows != n_held:
        text = (
            f"The Parquet file promises {n_rows:,} rows, but its parts hold {n_held:,}. Write it"
            " again."
        )
        raise TableError("corrupt", text)


def _from_arrow(table: pa.Table) -> tuple[Cells, list[Note]]:
    table = table.drop_columns(
        [name for name in table.column_names if re.fullmatch(r"__index_level_\d+__", name)]
    )
    columns, numbers, notes = [], {}, []
    for i, (name, column) in enumerate(zip(table.column_names, table.columns, strict=True)):
        values, unit_notes = _without_zone(column, str(name))
        notes += unit_notes
        if pa.types.is_floating(values.type) or pa.types.is_integer(values.type):
            numbers[i] = _as_numbers(values)
            columns.append(Column.blank(len(values)))
        else:
            columns.append(_as_texts(values))
    cells = Cells(tuple(columns), np.arange(1, table.num_rows + 1), (), numbers)
    cells, changed = with_names(cells, list(map(str, table.column_names)))
    return cells, [*notes, *changed]


def _without_zone(values: pa.ChunkedArray, name: str) -> tuple[pa.ChunkedArray, list[Note]]:
    """Return times as local clock times, durations in seconds, and other values as they are."""
    if pa.types.is_duration(values.type):
        seconds = pc.divide(
            values.cast(pa.int64()).cast(pa.float64()), float(_PARTS[values.type.unit])
        )
        return seconds, [Note("units", f"The durations of {name!r} are in seconds.")]
    if pa.types.is_timestamp(values.type) and values.type.tz not in (None, "UTC"):
        local = Note(
            "dates",
            f"The times of {name!r} are those that clocks show in the zone {values.type.tz}.",
        )
        return pc.local_timestamp(values), [local]
    return values, []


def _as_numbers(values: pa.ChunkedArray) -> Any:
    are_integers = (
        pa.types.is_integer(values.type) and values.null_count == 0 and values.type != pa.uint64()
    )
    return values.cast(pa.int64() if are_integers else pa.float64(), safe=False).to_numpy()


def _as_texts(values: pa.ChunkedArray) -> Column:
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    try:
        texts = values.cast(pa.large_string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        texts = pa.chunked_array(
            [pa.array([as_text(value) for value in values.to_pylist()], pa.large_string())]
        )
    return encoded(texts.fill_null(""))


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:100].rstrip(".") if str(error) else type(error).__name__
