"""Parts of the questions of several regressions: rows, extremes with their ties, and sums."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from dmlib.pictures.words import num4, signed
from dmlib.problem import Problem


def extremes(values: ArrayLike) -> list[int]:
    """Return the places of the largest value: several where they are equal but for rounding.

    Examples
    --------
    >>> extremes([1.0, 0.3, 0.1 + 0.9]), extremes([-1.0, -2.0])
    ([0, 2], [0])
    """
    array = np.asarray(values, float)
    top = float(array.max())
    return np.flatnonzero(np.isclose(array, top, rtol=1e-9, atol=0.0)).tolist()


def row_sets(problem: Problem, places: Sequence[int]) -> list[list[int]]:
    """Return, for each training row, the set with its number alone, as answers that are right."""
    rows = problem.rows[problem.trained]
    return [[int(rows[place]) + 1] for place in places]


def tie_of(places: Sequence[int], what: str) -> str:
    """Return the sentence on several answers that are right.

    Examples
    --------
    >>> tie_of([3], "residual"), tie_of([3, 4], "residual")
    ('', '2 rows have the same residual: each of them is right.')
    """
    if len(places) < 2:
        return ""
    return f"{len(places)} rows have the same {what}: each of them is right."


def mean_of(values: ArrayLike) -> str:
    """Return a mean with its terms.

    Examples
    --------
    >>> mean_of([1.0, 2.0, -6.0])
    '(1 + 2 + (−6)) / 3 = −1'
    """
    array = np.asarray(values, float)
    terms = " + ".join(signed(value, 4) for value in array)
    return f"({terms}) / {len(array)} = {num4(array.mean())}"
