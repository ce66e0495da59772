"""Rows that a class collects: what their fields are, and whether a phone has filled them in."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rooms.answers import is_number
from rooms.limits import CELL_CHARACTERS, N_CHOICES, N_FIELDS, TEXT_CHARACTERS
from rooms.messages import Message, line
from rooms.refusals import malformed

Field = Mapping[str, Any]


def _number(field: Field, value: object) -> object:
    low, high = field["low"], field["high"]
    if not is_number(value) or not low <= value <= high:
        raise malformed(f"{field['name']}: type a number from {low:.12g} to {high:.12g}.")
    return value


def _choice(field: Field, value: object) -> object:
    if not isinstance(value, str) or value not in field["options"]:
        raise malformed(f"{field['name']}: choose one of the {len(field['options'])} values.")
    return value


def _items(field: Field, value: object) -> object:
    chosen = value if isinstance(value, list) else []
    if not chosen or not all(isinstance(each, str) for each in chosen):
        raise malformed(f"{field['name']}: tick at least one.")
    if len(set(chosen)) < len(chosen) or not set(chosen) <= set(field["options"]):
        raise malformed(f"{field['name']}: tick each item once.")
    return chosen


def _text(field: Field, value: object) -> object:
    text = line({field["name"]: value}, field["name"], field["max"])
    if not text:
        raise malformed(f"{field['name']}: type something.")
    return text


KINDS: Mapping[str, Callable[[Field, object], object]] = {
    "number": _number,
    "choice": _choice,
    "items": _items,
    "text": _text,
}


def checked_fields(about: Message) -> Message:
    """Return what is collected, if its fields are some.

    Raises
    ------
    RefusedError
        If there is no field or too many, or one is of no kind or lacks its bounds.
    """
    fields = about.get("fields")
    if not isinstance(fields, list) or not 0 < len(fields) <= N_FIELDS:
        raise malformed(f"Name 1 to {N_FIELDS} fields of a row.")
    if not all(map(_is_field, fields)):
        raise malformed("Each field needs a name, a kind, and the values that it takes.")
    return about


def _is_field(field: object) -> bool:
    if not isinstance(field, dict):
        return False
    name, kind, options = (field.get(key) for key in ("name", "kind", "options"))
    if not isinstance(name, str) or not 0 < len(name) <= CELL_CHARACTERS:
        return False
    if kind == "number":
        return all(is_number(field.get(key)) for key in ("low", "high"))
    if kind == "text":
        longest = field.get("max")
        return type(longest) is int and 0 < longest <= TEXT_CHARACTERS
    if kind not in ("choice", "items") or not isinstance(options, list):
        return False
    return 0 < len(options) <= N_CHOICES and all(isinstance(each, str) for each in options)


def checked_row(fields: Sequence[Field], message: Message) -> str:
    """Return the row of a phone as JSON.

    Raises
    ------
    RefusedError
        If it has not a cell for each field, or one is out of bounds; the sentence names the field.

    Examples
    --------
    >>> fields = [{"name": "height", "kind": "number", "low": 0, "high": 3}]
    >>> checked_row(fields, {"row": [1.8]})
    '[1.8]'
    """
    row = message.get("row")
    if not isinstance(row, list) or len(row) != len(fields):
        raise malformed(f"Send a row of {len(fields)} cells.")
    cells = zip(fields, row, strict=True)
    return json.dumps([KINDS[field["kind"]](field, value) for field, value in cells])
