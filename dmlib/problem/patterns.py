"""Patterns made ready for an algorithm: each is a row of cells that are on or off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.cached import cached_property
from dmlib.problem.undivided import Undivided

MAX_CELLS = 400
MAX_PATTERNS = 1000


@dataclass(frozen=True, eq=False)
class PatternsProblem(Undivided):
    """Patterns made ready for an algorithm.

    Attributes
    ----------
    patterns : ndarray of bool of shape (n_patterns, height, width)
        The patterns.
    names : tuple of str
        What each is called.
    notes : tuple of str
        What is to be known of the data, one sentence each.
    drawn : bool
        Whether they are drawn by hand, so that their cells can be switched on the picture.
    """

    patterns: NDArray[np.bool_]
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()
    drawn: bool = False

    @cached_property
    def data(self) -> NDArray[np.float64]:
        """The patterns as rows of a table, 0 or 1 in each cell, row by row from the top left."""
        return self.patterns.reshape(len(self.patterns), -1).astype(float)

    @property
    def arguments(self) -> tuple[NDArray[np.float64]]:
        """Arguments of ``fit`` and ``steps``."""
        return (self.data,)

    @property
    def height(self) -> int:
        """Number of rows of cells."""
        return int(self.patterns.shape[1])

    @property
    def width(self) -> int:
        """Number of columns of cells."""
        return int(self.patterns.shape[2])

    @property
    def rows(self) -> NDArray[np.intp]:
        """Number of each pattern, from 0."""
        return np.arange(len(self.patterns))

    @property
    def labels(self) -> list[str]:
        """The tooltip of each pattern."""
        return list(self.names)

    def cell(self, number: int) -> str:
        """Return where a cell is, by its number from 0."""
        return f"row {number // self.width + 1}, column {number % self.width + 1}"


def prepare_patterns(
    patterns: ArrayLike, names: Sequence[str] = (), *, by_hand: bool = False
) -> PatternsProblem:
    """Check patterns, and see what is odd about them.

    Parameters
    ----------
    patterns : array-like of bool of shape (n_patterns, height, width)
        The patterns.
    names : sequence of str
        What each is called; by default 1, 2, ...
    by_hand : bool
        Whether they are drawn by hand.

    Returns
    -------
    PatternsProblem
        What the algorithm gets.

    Raises
    ------
    ValueError
        If there is no pattern, or they are too many or too large.

    Examples
    --------
    >>> prepare_patterns([[[1, 0], [0, 1]], [[0, 0], [0, 0]]], ["A", "B"]).notes
    ('Pattern B is empty.',)
    """
    P = np.asarray(patterns, bool)
    if P.ndim != 3 or not P.size:
        raise ValueError(
            "Patterns are grids of cells that are on or off. Choose at least one of at least one"
            " cell."
        )
    height, width = P.shape[1:]
    if height * width > MAX_CELLS or len(P) > MAX_PATTERNS:
        raise ValueError(
            f"There are {len(P)} patterns of {height} x {width} = {height * width} cells; the"
            f" limits are {MAX_PATTERNS} patterns and {MAX_CELLS} cells. Choose fewer or smaller"
            " ones."
        )
    called = tuple(map(str, names)) or tuple(str(i + 1) for i in range(len(P)))
    return PatternsProblem(P, called, _notes(P, called), by_hand)


def _notes(P: NDArray[Any], names: Sequence[str]) -> tuple[str, ...]:
    flat = P.reshape(len(P), -1)
    empty, full = (np.flatnonzero(flat.sum(axis=1) == n) for n in (0, flat.shape[1]))
    notes = [
        f"Pattern {names[same[0]]} is {what}."
        for same, what in ((empty, "empty"), (full, "full"))
        if len(same)
    ]
    different = len(np.unique(flat, axis=0))
    if len(P) > 1 and different == 1:
        notes.append("All patterns are equal: they count as one.")
    elif different < len(P):
        notes.append(f"Of {len(P)} patterns {different} are different.")
    return tuple(notes)
