"""JSON -> records -> cells."""

from __future__ import annotations

import json
import math
from typing import Any

from dmlib.datasets.reading.cells import Cells, gather
from dmlib.datasets.reading.encoding import decode
from dmlib.datasets.reading.header import with_names
from dmlib.datasets.reading.layout import check_size
from dmlib.datasets.reading.options import ReadOptions
from dmlib.datasets.table import Note, TableError

_ADVICE = "Save a list of records, such as [{...}, {...}]."
_DIGITS = 4000
Path = tuple[str, ...]


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
    flat = [_flattened(record) for record in records]
    paths = _paths(flat)
    if not paths:
        raise TableError("no_rows", "The JSON holds no records. Choose a file with a list of them.")
    check_size(len(paths), len(records), options.limits)
    rows = ((i, [as_text(record.get(path)) for path in paths]) for i, record in enumerate(flat, 1))
    cells, more = with_names(gather(rows, len(paths)), [".".join(path) for path in paths])
    deep = next((".".join(path) for path in paths if len(path) > 1), None)
    if deep:
        notes.append(
            Note(
                "flattened",
                f"Records within records became columns with dotted names, such as {deep!r}.",
            )
        )
    return cells, [*notes, *more]


def _flattened(record: dict[str, Any]) -> dict[Path, Any]:
    """Return the values of a record by the names that lead to them; an empty record within is a missing value."""
    flat: dict[Path, Any] = {}
    left: list[tuple[Path, Any]] = [((), record)]
    while left:
        path, value = left.pop()
        if isinstance(value, dict) and value:
            left += [((*path, str(name)), inner) for name, inner in reversed(value.items())]
        elif path:
            flat[path] = None if value == {} else value
    return flat


def _paths(flat: list[dict[Path, Any]]) -> list[Path]:
    """Return the columns of flattened records, without those that only say that a record within is missing."""
    paths = dict.fromkeys(path for record in flat for path in record)
    above = {path[:i] for path in paths for i in range(1, len(path))}
    filled = {
        path for path in above & {*paths} if any(record.get(path) is not None for record in flat)
    }
    return [path for path in paths if path not in above or path in filled]


def _records(text: str) -> tuple[list[dict[str, Any]], list[Note]]:
    """Return the records of JSON text, and a note on what surrounds them."""
    value = _loaded(text)
    if isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return value, []
    if isinstance(value, list) and value and all(isinstance(each, list) for each in value):
        return _from_rows(value), []
    if isinstance(value, dict) and value:
        lists = [
            name
            for name, each in value.items()
            if isinstance(each, list) and each and isinstance(each[0], dict)
        ]
        if len(lists) == 1 and all(isinstance(each, dict) for each in value[lists[0]]):
            text = f"The records are those under {lists[0]!r}; what stands beside them is left out."
            return value[lists[0]], [Note("extra_ignored", text)] if len(value) > 1 else []
        columns = _as_columns(value)
        if columns:
            return [
                dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
            ], []
        if not any(isinstance(each, list | dict) for each in value.values()):
            return [value], []
    raise TableError("not_a_table", f"The JSON is no list of records. {_ADVICE}")


def _as_columns(value: dict[str, Any]) -> dict[str, list[Any]]:
    """Return columns of equal length from an object of lists, or from what pandas writes; an empty dict of others."""
    names, rows = value.get("columns"), value.get("data")
    if (
        isinstance(names, list)
        and isinstance(rows, list)
        and {*value} <= {"columns", "index", "data"}
    ):
        if all(isinstance(row, list) and len(row) == len(names) for row in rows) and len(
            {*map(str, names)}
        ) == len(names):
            return {str(name): [row[i] for row in rows] for i, name in enumerate(names)}
        return {}
    if all(
        isinstance(each, dict) and each and all(map(str.isdigit, each)) for each in value.values()
    ):
        value = {name: list(each.values()) for name, each in value.items()}
    if (
        all(isinstance(each, list) for each in value.values())
        and len(set(map(len, value.values()))) == 1
    ):
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
        raise TableError(
            "not_a_table", f"The JSON is nested too deeply for a table. {_ADVICE}"
        ) from None
    except json.JSONDecodeError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            if len(lines) > 1:
                return [json.loads(line, parse_int=_whole) for line in lines]
        except (json.JSONDecodeError, RecursionError):
            pass
        raise TableError(
            "corrupt", f"The JSON is damaged in line {error.lineno}. Write it again."
        ) from None


def _whole(text: str) -> float:
    """Return a whole number; one of more digits than Python reads becomes infinite."""
    return int(text) if len(text) <= _DIGITS else float(text)


def as_text(value: Any) -> str:
    """Return a value as JSON writes it, a text as it is, and nothing as an empty text."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if type(value) is int or (type(value) is float and math.isfinite(value)):
        return repr(value)  # as json.dumps has it, which takes ten times as long
    return json.dumps(value, ensure_ascii=False, default=str)
