"""Ranges of the numbers of two strings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dmlib.params import Range


def pair_ranges(model: Any, X: Sequence[str], y: Any = None) -> dict[str, Range]:
    """Return the range of the numbers of strings.

    Examples
    --------
    >>> pair_ranges(None, ["a", "b", "c"])
    {'first': (1, 3), 'second': (1, 3)}
    """
    if len(X) < 2:
        return dict.fromkeys(("first", "second"), "There is only one string.")
    return dict.fromkeys(("first", "second"), (1, len(X)))
