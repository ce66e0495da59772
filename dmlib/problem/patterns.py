"""Patterns made ready for an algorithm: each is a row of cells that are on or off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.cached import cached_property
from dmlib.problem.target import MAX_CLASSES, held_out
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
    labelled : bool
        Whether the algorithm learns their names as classes.
    is_held_out : ndarray of bool of shape (n_patterns,) or None
        Those that nobody learns from.
    classes : tuple of str
        Different names, where they are learned.
    """

    patterns: NDArray[np.bool_]
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()
    drawn: bool = False
    labelled: bool = False
    is_held_out: NDArray[np.bool_] | None = None
    classes: tuple[str, ...] = ()

    @cached_property
    def data(self) -> NDArray[np.float64]:
        """The patterns as rows of a table, 0 or 1 in each cell, row by row from the top left."""
        return self.patterns.reshape(len(self.patterns), -1).astype(float)

    @cached_property
    def y(self) -> NDArray[np.intp] | None:
        """The code of each pattern's class; None where none are learned."""
        if not self.labelled:
            return None
        codes = {name: code for code, name in enumerate(self.classes)}
        return np.array([codes[name] for name in self.names])

    @property
    def arguments(self) -> tuple[NDArray[Any], ...]:
        """Arguments of ``fit`` and ``steps``: the patterns and, if labelled, the classes."""
        return (self.data,) if self.y is None else (self.data, self.y)

    @cached_property
    def training(self) -> PatternsProblem:
        """The problem of the patterns that are learned from."""
        return self if self.is_held_out is None else self._part(~self.is_held_out)

    @cached_property
    def testing(self) -> PatternsProblem | None:  # type: ignore[override]
        """The problem of the patterns that nobody learns from."""
        return None if self.is_held_out is None else self._part(self.is_held_out)

    def _part(self, is_part: NDArray[np.bool_]) -> PatternsProblem:
        names = tuple(np.array(self.names)[is_part].tolist())
        return replace(self, patterns=self.patterns[is_part], names=names, is_held_out=None)

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
    patterns: ArrayLike,
    names: Sequence[str] = (),
    *,
    by_hand: bool = False,
    labelled: bool = False,
    test_size: float = 0.0,
    random_state: int = 0,
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
    labelled : bool
        Whether their names are classes to learn; equal names are one class.
    test_size : float
        The fraction of each class that nobody learns from.
    random_state : int
        The seed that draws these.

    Returns
    -------
    PatternsProblem
        What the algorithm gets.

    Raises
    ------
    ValueError
        If there is no pattern, they are too many or too large, or their names are no classes to
        learn: a single one, or more than 30.

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
    problem = PatternsProblem(P, called, _notes(P, called), by_hand)
    return _with_classes(problem, test_size, random_state) if labelled else problem


def _with_classes(problem: PatternsProblem, test_size: float, random_state: int) -> PatternsProblem:
    classes = tuple(dict.fromkeys(problem.names))
    if not 2 <= len(classes) <= MAX_CLASSES:
        raise ValueError(
            f"The patterns have {len(classes)} different names; as classes there may be 2 to"
            f" {MAX_CLASSES}. Choose other patterns, such as the digits."
        )
    labelled = replace(problem, labelled=True, classes=classes)
    assert labelled.y is not None
    return replace(labelled, is_held_out=held_out(labelled.y, test_size, random_state))


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
