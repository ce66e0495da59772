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
    records, notes_on_records = _records(text)
    notes += notes_on_records
    flat = [_flattened(record) for record in records]
    paths = _paths(flat)
    if not paths:
        raise TableError("no_rows", "The JSON holds no records. Choose a file with a list of them.")
    check_size(len(paths), len(records), options.limits)
    rows = ((i, [as_text(record.get(path)) for path in paths]) for i, record in enumerate(flat, 1))
    names = [".".join(path) for path in paths]
    cells, changes = with_names(gather(rows, len(paths)), names)
    nested = next((name for path, name in zip(paths, names, strict=True) if len(path) > 1), None)
    if nested:
        text = f"Records within records became columns with dotted names, such as {nested!r}."
        notes.append(Note("flattened", text))
    return cells, [*notes, *changes]


def _flattened(record: dict[str, Any]) -> dict[Path, Any]:
    """Return the values of a record by the names that lead to them.

    An empty record within is a missing value.
    """
    flat: dict[Path, Any] = {}
    stack: list[tuple[Path, Any]] = [((), record)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, dict) and value:
            stack += [((*path, str(name)), inner) for name, inner in reversed(value.items())]
        elif path:
            flat[path] = None if value == {} else value
    return flat


def _paths(flat: list[dict[Path, Any]]) -> list[Path]:
    """Return the columns of flattened records, without those of missing records within."""
    paths = dict.fromkeys(path for record in flat for path in record)
    above = {path[:i] for path in paths for i in range(1, len(path))}
    filled = {
        path for path in above & {*paths} if any(record.get(path) is not None for record in flat)
    }
    return [path for path in paths if path not in above or path in filled]


def _records(text: str) -> tuple[list[dict[str, Any]], list[Note]]:
    """Return the records of JSON text, and a note on what surrounds them."""
    value = _loaded(text)
    if _are_all(dict, value):
        return value, []
    if value and _are_all(list, value):
        return _from_rows(value), []
    if isinstance(value, dict) and value:
        lists = [name for name, each in value.items() if each and _has_record_first(each)]
        if len(lists) == 1 and _are_all(dict, value[lists[0]]):
            text = f"The records are those under {lists[0]!r}; what stands beside them is left out."
            return value[lists[0]], [Note("extra_ignored", text)] if len(value) > 1 else []
        columns = _as_columns(value)
        if columns:
            rows = zip(*columns.values(), strict=True)
            return [dict(zip(columns, row, strict=True)) for row in rows], []
        if _is_flat(value):
            return [value], []
    raise TableError("not_a_table", f"The JSON is no list of records. {_ADVICE}")


def _are_all(kind: type, value: Any) -> bool:
    """Return whether a value is a list of nothing but values of one kind."""
    return isinstance(value, list) and all(isinstance(each, kind) for each in value)


def _is_flat(value: dict[str, Any]) -> bool:
    """Return whether an object holds no list and no other object."""
    return not any(isinstance(each, list | dict) for each in value.values())


def _has_record_first(value: Any) -> bool:
    return isinstance(value, list) and isinstance(value[0], dict)


def _as_columns(value: dict[str, Any]) -> dict[str, list[Any]]:
    """Return columns of equal length from an object of lists, or from what pandas writes.

    Of another object there are none.
    """
    names, rows = value.get("columns"), value.get("data")
    is_split = {*value} <= {"columns", "index", "data"}
    if is_split and isinstance(names, list) and isinstance(rows, list):
        return _split_columns(names, rows)
    if all(map(_is_indexed, value.values())):
        value = {name: list(each.values()) for name, each in value.items()}
    are_lists = all(isinstance(each, list) for each in value.values())
    return value if are_lists and len(set(map(len, value.values()))) == 1 else {}


def _split_columns(names: list[Any], rows: list[Any]) -> dict[str, list[Any]]:
    """Return the columns of rows beside their names, as in pandas' orient "split"."""
    are_even = all(isinstance(row, list) and len(row) == len(names) for row in rows)
    if not are_even or len({*map(str, names)}) < len(names):
        return {}
    return {str(name): [row[i] for row in rows] for i, name in enumerate(names)}


def _is_indexed(value: Any) -> bool:
    """Return whether a value is a column by row numbers, as pandas writes it."""
    return isinstance(value, dict) and bool(value) and all(map(str.isdigit, value))


def _from_rows(rows: list[list[Any]]) -> list[dict[str, Any]]:
    """Return records from rows: the first holds names if it alone has nothing but texts."""
    first = rows[0]
    words = all(isinstance(name, str) for name in first) and len(set(first)) == len(first)
    if words and any(not isinstance(cell, str) for row in rows[1:] for cell in row):
        return [dict(zip(first, row, strict=False)) for row in rows[1:] if len(row) <= len(first)]
    return [{f"column_{i}": cell for i, cell in enumerate(row, 1)} for row in rows]


def _loaded(text: str) -> Any:
    """Return what JSON text says, or a list of what its lines say."""
    try:
        return json.loads(text, parse_int=_integer)
    except RecursionError:
        raise TableError(
            "not_a_table", f"The JSON is nested too deeply for a table. {_ADVICE}"
        ) from None
    except json.JSONDecodeError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            if len(lines) > 1:
                return [json.loads(line, parse_int=_integer) for line in lines]
        except (json.JSONDecodeError, RecursionError):
            pass
        raise TableError(
            "corrupt", f"The JSON is damaged in line {error.lineno}. Write it again."
        ) from None


def _integer(text: str) -> float:
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
