"""Ranges of the numbers of rows."""

from __future__ import annotations

from typing import Any

from dmlib.params import Range


def row_range(model: Any, X: Any, y: Any = None) -> dict[str, Range]:
    """Return the ranges of the numbers of rows.

    Examples
    --------
    >>> row_range(None, [[0.0], [1.0], [2.0]])
    {'first': (1, 3), 'second': (1, 3), 'n_neighbors': (1, 3)}
    """
    if len(X) < 2:
        return dict.fromkeys(("first", "second"), "There is only one row.")
    return {"first": (1, len(X)), "second": (1, len(X)), "n_neighbors": (1, min(len(X), 15))}
