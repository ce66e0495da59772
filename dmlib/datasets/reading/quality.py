"""Notes on the rows and columns of a table, to be read before using it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from dmlib.datasets.table import Kind, Note

WIDE = 200
"""Columns beyond which a table is called wide."""

_MAX_CELLS = 2_000_000  # cells that are compared to find rows that are equal
_MAX_PAIRED = 50  # columns of which all pairs are compared
_COLLINEAR = 1 - 1e-9


def row_notes(frame: pd.DataFrame, kinds: Mapping[str, Kind]) -> list[Note]:
    """Return notes on equal rows, on collinear columns, and on a large table."""
    notes = []
    if frame.shape[1] > WIDE:
        text = f"The table has {frame.shape[1]:,} columns. Choose the ones that you need."
        notes.append(Note("wide", text))
    if frame.size > _MAX_CELLS:
        text = f"The table has {frame.shape[0]:,} rows; equal rows and columns were not looked for."
        notes.append(Note("long", text))
    if frame.size <= _MAX_CELLS and frame.shape[1] > 1:
        equal = int(frame.duplicated().sum())
        if equal:
            rows = f"{equal} rows are" if equal > 1 else "1 row is"
            notes.append(Note("duplicate_rows", f"{rows} equal to an earlier row; they are kept."))
    numeric = [name for name, kind in kinds.items() if kind == "numeric"][:_MAX_PAIRED]
    pair = _collinear(frame[numeric]) if len(numeric) > 1 and frame.size <= _MAX_CELLS else None
    if pair:
        text = (
            f"The columns {pair[0]!r} and {pair[1]!r} determine each other; one of them says"
            " nothing new."
        )
        notes.append(Note("collinear", text))
    return notes


def _collinear(frame: pd.DataFrame) -> tuple[str, str] | None:
    """Return the first two columns of which one is a straight line of the other."""
    values = frame.to_numpy(float)
    values = values[np.isfinite(values).all(axis=1)]
    if len(values) < 3:
        return None
    # Halved and divided by the largest first, so that no sum or square leaves the range of numbers.
    halves = values / 2
    centred = halves - (halves / len(values)).sum(axis=0)
    largest = np.abs(centred).max(axis=0)
    centred /= np.where(largest > 0, largest, 1)
    norms = np.sqrt((centred**2).sum(axis=0))
    unit = centred / np.where(norms > 0, norms, 1)
    pairs = np.argwhere(np.triu(np.abs(unit.T @ unit), 1) >= _COLLINEAR)
    if not len(pairs):
        return None
    first, second = frame.columns[pairs[0]]
    return str(first), str(second)
