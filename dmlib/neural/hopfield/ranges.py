"""Ranges of a Hopfield network that fit the data, and how many patterns are too many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.params import Range

MOST_WEIGHTS = 8_000_000
"""The weights after each pattern are kept: so many numbers in all."""


def hopfield_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the range of the cue: one of the patterns, or none.

    Examples
    --------
    >>> hopfield_ranges(None, [[1, 0], [0, 1], [1, 1]])
    {'cue': (0, 3)}
    """
    return {"cue": (0, len(np.asarray(X)))}


def too_many_weights(problem: Any, params: Mapping[str, Any]) -> str:
    """Return a sentence that refuses more patterns than can be stored one by one, or nothing."""
    n_patterns, n_units = problem.data.shape
    most = MOST_WEIGHTS // n_units**2
    if n_patterns <= most:
        return ""
    return (
        f"{n_patterns} patterns of {n_units} cells would keep {n_patterns * n_units**2:,} weights;"
        f" the limit is {MOST_WEIGHTS:,}. Choose at most {most} patterns, or smaller ones."
    )
