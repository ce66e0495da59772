"""Reductions of several numbers to one, for headline numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def first(values: ArrayLike) -> float:
    """Return the first of some numbers.

    Examples
    --------
    >>> first([3.0, 1.0])
    3.0
    """
    return float(np.ravel(values)[0])


def sum_of_two(values: ArrayLike) -> float:
    """Return the sum of the first two numbers.

    Examples
    --------
    >>> sum_of_two([0.5, 0.25, 0.125])
    0.75
    """
    return float(np.ravel(values)[:2].sum())


def total(values: ArrayLike) -> float:
    """Return the sum of numbers, or the number.

    Examples
    --------
    >>> total([3, 4]), total(5)
    (7.0, 5.0)
    """
    return float(np.sum(values))


def smallest(values: ArrayLike) -> float:
    """Return the smallest of some numbers, or the number.

    Examples
    --------
    >>> smallest([3.0, 1.0]), smallest(5.0)
    (1.0, 5.0)
    """
    return float(np.min(values))


def n_nonzero(values: ArrayLike) -> int:
    """Return how many numbers are not 0.

    Examples
    --------
    >>> n_nonzero([0.0, 2.0, -1.0])
    2
    """
    return int(np.count_nonzero(values))
