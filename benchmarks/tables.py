"""Summaries of measurements, and tables of them as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Row = Mapping[str, Any]


def median(values: Sequence[float]) -> float:
    """Return the median; NaN of nothing."""
    return float(np.median(values)) if len(values) else float("nan")


def p95(values: Sequence[float]) -> float:
    """Return the value that 95 of 100 do not exceed; NaN of nothing."""
    return float(np.percentile(values, 95)) if len(values) else float("nan")


def short(value: Any) -> str:
    """Return a cell: three significant digits are more than these measurements have."""
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return "-"
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return str(value)


def table(rows: Sequence[Row]) -> str:
    """Return rows as a Markdown table with the columns of all rows.

    Examples
    --------
    >>> print(table([{"page": "a", "ms": 12.345}, {"page": "b", "note": "no slider"}]))
    | page | ms   | note      |
    |------|------|-----------|
    | a    | 12.3 |           |
    | b    |      | no slider |
    """
    head = list(dict.fromkeys(name for row in rows for name in row))
    cells = [head, *([short(row[name]) if name in row else "" for name in head] for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(head))]
    lines = [
        "| "
        + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        + " |"
        for line in cells
    ]
    return "\n".join(
        [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]
    )
