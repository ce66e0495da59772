"""Ranges of a Hopfield network that fit the data, and how many patterns are too many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.params import Range
from dmlib.problem import PatternsProblem

MAX_WEIGHTS = 8_000_000  # after all patterns together, since each step has its own


def hopfield_ranges(model: Any, X: ArrayLike, y: Any = None) -> dict[str, Range]:
    """Return the range of the cue: one of the patterns, or none.

    Examples
    --------
    >>> hopfield_ranges(None, [[1, 0], [0, 1], [1, 1]])
    {'cue': (0, 3)}
    """
    return {"cue": (0, len(np.asarray(X)))}


def too_many_weights(problem: PatternsProblem, params: Mapping[str, Any]) -> str:
    """Return a sentence that refuses more patterns than can be stored one by one, or nothing."""
    n_patterns, n_units = problem.data.shape
    max_patterns = MAX_WEIGHTS // n_units**2
    if n_patterns <= max_patterns:
        return ""
    return (
        f"{n_patterns} patterns of {n_units} cells would keep {n_patterns * n_units**2:,} weights;"
        f" the limit is {MAX_WEIGHTS:,}. Choose at most {max_patterns} patterns, or smaller ones."
    )
