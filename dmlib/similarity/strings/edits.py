"""Edit distances and alignment scores: the moves of an alignment and their costs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dmlib.similarity.recurrence import Best, Cost, Move

METHODS = ("levenshtein", "damerau", "hamming", "lcs", "needleman-wunsch", "smith-waterman")
SCORED = ("needleman-wunsch", "smith-waterman")
PAD = 2  # letters before the first: a move there comes from outside of the table and is never taken


class Scheme(NamedTuple):
    """The moves of an alignment and its objective.

    Attributes
    ----------
    moves : tuple of Move
        The moves into a cell, the diagonal first.
    best : {"min", "max"}
        Whether a distance is minimised or a score maximised.
    floor : float or None
        0 where an alignment may start anywhere.
    """

    moves: tuple[Move, ...]
    best: Best
    floor: float | None = None


class Letters:
    """Two strings as numbers, compared along the anti-diagonals of a table.

    The table has a row and a column for the empty prefixes.

    Parameters
    ----------
    a, b : str
        The strings.

    Examples
    --------
    >>> Letters("ab", "b").differ(3, 2, 3).tolist()
    [False]
    """

    def __init__(self, a: str, b: str) -> None:
        self.a = np.pad(codes(a), PAD, constant_values=-1)
        self.b = np.pad(codes(b)[::-1], PAD, constant_values=-2)
        self.shift = len(b) + PAD

    def differ(
        self, diagonal: int, first: int, end: int, up: int = 1, back: int = 1
    ) -> NDArray[np.bool_]:
        """Return whether the letters ``up`` rows and ``back`` columns before each cell differ."""
        shift = self.shift - diagonal + back - 1
        compared: NDArray[np.bool_] = (
            self.a[first + PAD - up : end + PAD - up] != self.b[first + shift : end + shift]
        )
        return compared


def codes(text: str) -> NDArray[np.int64]:
    """Return the code points of a string.

    Examples
    --------
    >>> codes("aß").tolist()
    [97, 223]
    """
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int64)


def scheme_of(
    method: str, letters: Letters, match: float = 1.0, mismatch: float = -1.0, gap: float = -1.0
) -> Scheme:
    """Return the moves of a method.

    Parameters
    ----------
    method : str
        One of ``METHODS``.
    letters : Letters
        The strings.
    match, mismatch, gap : float
        Scores of the two methods that have them.

    Returns
    -------
    Scheme
        Moves and objective.

    Examples
    --------
    >>> [move.name for move in scheme_of("levenshtein", Letters("a", "b")).moves]
    ['substitute', 'delete', 'insert']
    """
    differ, unit = letters.differ, _always(1.0)
    if method in SCORED:
        score = _either(letters, match, mismatch)
        moves = (Move("align", 1, 1, score), *_gaps(_always(gap)))
        return Scheme(moves, "max", 0.0 if method == "smith-waterman" else None)
    if method == "lcs":
        match_only = Move("match", 1, 1, _either(letters, 1.0, -np.inf))
        return Scheme((match_only, *_gaps(_always(0.0))), "max")
    substitute = Move("substitute", 1, 1, differ)
    if method == "hamming":
        return Scheme((substitute,), "min")
    if method == "levenshtein":
        return Scheme((substitute, *_gaps(unit)), "min")

    def swap(diagonal: int, first: int, end: int) -> Any:
        crossed = differ(diagonal, first, end, 1, 2) | differ(diagonal, first, end, 2, 1)
        return np.where(crossed, np.inf, 1.0)

    return Scheme((substitute, *_gaps(unit), Move("transpose", 2, 2, swap)), "min")


def _gaps(cost: Cost) -> tuple[Move, Move]:
    return Move("delete", 1, 0, cost), Move("insert", 0, 1, cost)


def _always(value: float) -> Cost:
    def cost(diagonal: int, first: int, end: int) -> float:
        return value

    return cost


def _either(letters: Letters, equal: float, different: float) -> Cost:
    def cost(diagonal: int, first: int, end: int) -> Any:
        return np.where(letters.differ(diagonal, first, end), different, equal)

    return cost
