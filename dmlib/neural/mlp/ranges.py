"""Ranges of a network that fit the data."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from dmlib.params import Range

MAX_BATCH = 500


def mlp_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the range of the batch size: from one row to all.

    Examples
    --------
    >>> from dmlib.neural import MLPClassifier
    >>> mlp_ranges(MLPClassifier(), [[0.0], [1.0], [2.0]])
    {'batch_size': (1, 3)}
    """
    n = len(X)  # type: ignore[arg-type]
    return {"batch_size": (1, max(2, min(n, MAX_BATCH)))}
