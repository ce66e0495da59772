"""Step patterns: the moves of a warping path, and the weights of their distances."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.similarity.recurrence import Cost, Move

PATTERNS = ("symmetric1", "symmetric2", "asymmetric", "symmetricP1")
METRICS = ("absolute", "squared")
PAD = 2  # a step pattern reads cells beyond the edge; no path comes from there


class Distances:
    """The distances of the values of two series, one anti-diagonal at a time.

    Parameters
    ----------
    x, y : ndarray of shape (n_values,)
        The series.
    metric : {"absolute", "squared"}
        |x − y| or (x − y)².

    Examples
    --------
    >>> Distances(np.array([1.0, 5.0]), np.array([2.0, 2.0]), "squared")(1, 0, 2).tolist()
    [1.0, 9.0]
    """

    def __init__(self, x: Floats, y: Floats, metric: str) -> None:
        self.x, self.y = np.pad(x, PAD), np.pad(y[::-1], PAD)
        self.shift = len(y) - 1 + PAD
        self.metric = metric
        self.gaps = np.empty(len(x) + 1)  # a table of edit distances has a row more

    @property
    def first(self) -> float:
        """The distance of the first two values."""
        return float(self(0, 0, 1)[0])

    def __call__(self, diagonal: int, first: int, end: int) -> Floats:
        """Return the distances in the cells of an anti-diagonal; the next call overwrites them."""
        back = self.shift - diagonal
        gaps = np.subtract(
            self.x[first + PAD : end + PAD],
            self.y[first + back : end + back],
            out=self.gaps[: end - first],
        )
        if self.metric == "absolute":
            return np.abs(gaps, out=gaps)
        return np.multiply(gaps, gaps, out=gaps)


def moves_of(pattern: str, distances: Distances) -> tuple[Move, ...]:
    """Return the moves of a step pattern.

    Parameters
    ----------
    pattern : {"symmetric1", "symmetric2", "asymmetric", "symmetricP1"}
        Its name in Giorgino (2009).
    distances : Distances
        The distances of the values.

    Returns
    -------
    tuple of Move
        Of equally good ones the first is taken: the diagonal.

    Examples
    --------
    >>> distances = Distances(np.zeros(2), np.zeros(2), "absolute")
    >>> [move.name for move in moves_of("symmetric1", distances)]
    ['diagonal', 'down', 'right']
    """
    twice = weighted(distances, lambda cell, d, a, b: 2 * cell(d, a, b))
    if pattern == "symmetric1":
        return (
            Move("diagonal", 1, 1, distances),
            Move("down", 1, 0, distances),
            Move("right", 0, 1, distances),
        )
    if pattern == "symmetric2":
        return (
            Move("diagonal", 1, 1, twice),
            Move("down", 1, 0, distances),
            Move("right", 0, 1, distances),
        )
    if pattern == "asymmetric":
        return (
            Move("diagonal", 1, 1, distances),
            Move("down", 1, 0, distances),
            Move("skip", 1, 2, distances),
        )
    after_down = weighted(
        distances, lambda cell, d, a, b: 2 * cell(d - 1, a - 1, b - 1) + cell(d, a, b)
    )
    after_right = weighted(distances, lambda cell, d, a, b: 2 * cell(d - 1, a, b) + cell(d, a, b))
    return (
        Move("diagonal", 1, 1, twice),
        Move("diagonal, down", 2, 1, after_down, ((1, 0),)),
        Move("diagonal, right", 1, 2, after_right, ((0, 1),)),
    )


def weighted(
    distances: Distances, sum_of: Callable[[Callable[..., Any], int, int, int], Any]
) -> Cost:
    """Return the cost of a move that counts several cells, or one of them twice."""

    def cost(diagonal: int, first: int, end: int) -> Any:
        return sum_of(distances, diagonal, first, end)

    return cost
