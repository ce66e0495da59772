"""Fields of the form with which a phone gives one row of a class's data set."""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import floor, log10
from typing import Any

import numpy as np
import pandas as pd

from dmlib.datasets import Table

Field = dict[str, Any]
"""``name`` and ``kind``: ``number`` with ``low`` and ``high``, ``choice`` or ``items`` with
``options``, ``text`` with ``max`` characters."""

MAX_FIELDS = 12
MAX_OPTIONS = 24
MAX_OPTION_BYTES = 400  # of all options of a field
MAX_NAME = 40  # letters of the name of a column
MAX_LETTERS = 40  # of a cell
MAX_TEXT = 120
LARGEST = 1e12


def number_field(name: str, low: float, high: float) -> Field:
    """Return a field for a number."""
    return {"name": name, "kind": "number", "low": low, "high": high}


def text_field(name: str, longest: int = MAX_LETTERS) -> Field:
    """Return a field for a text."""
    return {"name": name, "kind": "text", "max": longest}


def choice_field(name: str, options: Iterable[str], *, several: bool = False) -> Field:
    """Return a field for one of some values, or for several of them."""
    return {"name": name, "kind": "items" if several else "choice", "options": list(options)}


def table_fields(table: Table, columns: Iterable[str]) -> list[Field]:
    """Return a field for each of some columns of a table, those that a form has room for.

    Examples
    --------
    >>> frame = pd.DataFrame({"size": [1.0, 3.0], "colour": ["red", "blue"]})
    >>> table = Table(frame, {"size": "numeric", "colour": "nominal"}, name="toy")
    >>> [field["kind"] for field in table_fields(table, ["size", "colour"])]
    ['number', 'choice']
    """
    names = [name for name in columns if len(name) <= MAX_NAME]
    names = [*names[: MAX_FIELDS - 1], *names[MAX_FIELDS - 1 :][-1:]]  # what is predicted is last
    return [_column_field(name, table.frame[name]) for name in names]


def _column_field(name: str, column: pd.Series[Any]) -> Field:
    filled = column.dropna()
    is_number = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    if is_number and len(filled):
        return number_field(name, *_bounds(filled.to_numpy(float)))
    is_ordered = isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered
    levels = column.cat.categories if is_ordered else sorted(map(str, filled.unique()))
    options = list(map(str, levels))
    if not 0 < len(options) <= MAX_OPTIONS or len(json.dumps(options)) > MAX_OPTION_BYTES:
        return text_field(name)
    return choice_field(name, options)


def _bounds(values: Any) -> tuple[float, float]:
    """Return round bounds: the range of a column, and as much again at both ends.

    What has no negative value keeps none.
    """
    low, high = np.clip([values.min(), values.max()], -LARGEST / 4, LARGEST / 4)
    margin = float(high - low or abs(high) or 1.0)
    step = 10.0 ** floor(log10(margin))
    lowest = max(0.0, low - margin) if low >= 0 else low - margin
    bounds = np.floor(lowest / step) * step, np.ceil((high + margin) / step) * step
    return float(f"{bounds[0]:.12g}"), float(f"{bounds[1]:.12g}")
