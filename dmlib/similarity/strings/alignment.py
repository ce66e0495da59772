"""Two strings aligned letter by letter: the smallest number of edits, or the largest score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from dmlib.arrays import Floats
from dmlib.params import Choice, Conditions, Integer, Number, Param, Ranges, check_params
from dmlib.similarity.recurrence import Phase, Table, fill, last_value, visits
from dmlib.similarity.strings.columns import aligned, columns
from dmlib.similarity.strings.edits import METHODS, SCORED, Letters, Scheme, scheme_of
from dmlib.similarity.strings.ranges import pair_ranges

Indices = NDArray[np.intp]

MAX_CELLS = 4_000_000
"""Larger tables are not filled: they would take more than 60 MB."""

MAX_COMPARED = 400_000_000
"""The limit where only the distance is computed: it takes some seconds."""

MAX_SINGLE = 400
"""Of tables up to this many cells, there is a step for each; of larger ones, for each row."""


@dataclass(frozen=True)
class AlignmentStep:
    """One step of an alignment; cell (i, j) is about the first i and the first j letters.

    Attributes
    ----------
    phase : Phase
        The first cell is filled, another cell (of a large table: all of its row), the path is
        traced back to a cell, or all is done.
    cell : tuple of (int, int)
        The cell; of a whole row the best one.
    candidates : tuple of float
        The value of each move; infinite where there is none. Empty in the first cell.
    choice : int
        The number of the best one; -1 where a path starts.
    value : float
        The cell's value; on "done" the distance or score.
    n_filled : int
        The number of filled cells, in the order of the rows.
    path : ndarray of shape (n_cells, 2)
        On "trace" and "done": the cells traced so far.
    matrix : ndarray of shape (n_letters + 1, m_letters + 1) or None
        On "trace" and "done": the values of all cells.
    alignment : tuple of str or None
        On "trace" and "done": both strings with gaps, as far as they are traced.
    """

    phase: Phase
    cell: tuple[int, int]
    candidates: tuple[float, ...]
    choice: int
    value: float
    n_filled: int
    path: Indices
    matrix: Floats | None = None
    alignment: tuple[str, str] | None = None


class StringAlignment(BaseEstimator):
    r"""Align two strings letter by letter, at the smallest distance or the largest score.

    The value of cell (i, j) is that of the best alignment of the first i letters with the first j.
    It comes from the diagonal (two letters are aligned), from above (a letter is deleted) or from
    the left (a letter is inserted); for Levenshtein: :math:`D(i, j) = \min\{D(i-1, j-1) + [a_i \ne
    b_j],\ D(i-1, j) + 1,\ D(i, j-1) + 1\}`.

    Parameters
    ----------
    measure : str, default="levenshtein"
        "levenshtein": substitutions, deletions and insertions cost 1. "damerau": two neighbours may
        also be transposed, for 1. "hamming": only substitutions, of strings of equal length. "lcs":
        the length of the longest common subsequence. "needleman-wunsch": the best score of a global
        alignment. "smith-waterman": that of the best pair of substrings.
    match : float, default=1.0
        The score of two equal letters.
    mismatch : float, default=-1.0
        The score of two different letters.
    gap : float, default=-1.0
        The score of a letter that is aligned with a gap.
    first : int, default=1
        The number of the first string, from 1.
    second : int, default=2
        The number of the second string.

    Attributes
    ----------
    value_ : float
        The distance or score.
    alignment_ : tuple of (str, str)
        Both strings with gaps; of Smith-Waterman the aligned substrings.
    n_matches_ : int
        The number of aligned equal letters.
    path_ : ndarray of shape (n_cells, 2)
        The cells of the alignment.
    matrix_ : ndarray of shape (n_letters + 1, m_letters + 1)
        The value of every cell; infinite where there is none.

    Raises
    ------
    ValueError
        If there are fewer strings than ``first`` or ``second``, they are too long, or they differ
        in length (Hamming).

    Notes
    -----
    O(n m) time and memory. "damerau" is the optimal string alignment: no letter takes part in two
    edits, and the triangle inequality can fail. Of equally good moves the diagonal one is taken,
    then the deletion. There is a step for each cell of tables of up to 400 cells, and for each row
    of larger ones.

    References
    ----------
    V. I. Levenshtein (1966), Binary codes capable of correcting deletions, insertions, and
    reversals. F. J. Damerau (1964), A technique for computer detection and correction of spelling
    errors. S. B. Needleman and C. D. Wunsch (1970), A general method applicable to the search for
    similarities. T. F. Smith and M. S. Waterman (1981), Identification of common molecular
    subsequences.

    Examples
    --------
    >>> model = StringAlignment().fit(["kitten", "sitting"])
    >>> model.value_, model.alignment_
    (3.0, ('kitten-', 'sitting'))
    """

    RANGES: ClassVar[Ranges] = staticmethod(pair_ranges)
    APPLIES: ClassVar[Conditions] = dict.fromkeys(("match", "mismatch", "gap"), ("measure", SCORED))
    PARAMS: ClassVar[dict[str, Param]] = {
        "measure": Choice(METHODS),
        "match": Number(0.0, 1000.0, shown=(0.0, 5.0), step=0.5),
        "mismatch": Number(-1000.0, 0.0, shown=(-5.0, 0.0), step=0.5),
        "gap": Number(-1000.0, 0.0, shown=(-5.0, 0.0), step=0.5),
        "first": Integer(1, 100_000, shown=(1, 10)),
        "second": Integer(1, 100_000, shown=(1, 10)),
    }

    def __init__(
        self,
        measure: str = "levenshtein",
        *,
        match: float = 1.0,
        mismatch: float = -1.0,
        gap: float = -1.0,
        first: int = 1,
        second: int = 2,
    ) -> None:
        self.measure = measure
        self.match = match
        self.mismatch = mismatch
        self.gap = gap
        self.first = first
        self.second = second

    def fit(self, X: Sequence[str], y: Any = None) -> Self:
        """Align two of the strings ``X``; ``y`` is ignored."""
        *_, last = self._steps(X, by_cell=False)
        assert last.alignment is not None
        self.value_, self.alignment_ = last.value, last.alignment
        self.path_, self.matrix_ = last.path, last.matrix
        a, b = pair_of(X, self.first, self.second)
        self.n_matches_ = columns(a, b, last.path.tolist()).count("equal")
        return self

    def steps(self, X: Sequence[str], y: Any = None) -> Iterator[AlignmentStep]:
        """Yield the cells, or the rows of a large table, and the path traced back from its end."""
        return self._steps(X, by_cell=True)

    def _steps(self, X: Sequence[str], *, by_cell: bool) -> Iterator[AlignmentStep]:
        check_params(self.PARAMS, self.get_params())
        a, b = pair_of(X, self.first, self.second)
        table = _table(a, b, self._scheme(a, b))
        end = (len(a), len(b))
        if self.measure == "smith-waterman":
            end = divmod(int(table.values.argmax()), len(b) + 1)
        by_cell = by_cell and table.values.size <= MAX_SINGLE
        for phase, (i, j), n_filled, cells in visits(table, end, by_cell=by_cell):
            step = AlignmentStep(
                phase=phase,
                cell=(i, j),
                candidates=() if (i, j) == (0, 0) else table.candidates(i, j),
                choice=table.choice(i, j),
                value=float(table.values[i, j]),
                n_filled=n_filled,
                path=np.array(cells, np.intp).reshape(-1, 2),
            )
            if cells:
                step = replace(step, matrix=table.values, alignment=aligned(a, b, cells))
            yield step

    def _scheme(self, a: str, b: str) -> Scheme:
        if self.measure == "hamming":
            _check_lengths(a, b)
        return scheme_of(self.measure, Letters(a, b), self.match, self.mismatch, self.gap)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array, tags.input_tags.string = False, True
        return tags


def edit_distance(a: str, b: str, measure: str = "levenshtein") -> int:
    """Return the distance of two strings, or the length of their longest common subsequence.

    Parameters
    ----------
    a, b : str
        The strings.
    measure : {"levenshtein", "damerau", "hamming", "lcs"}
        The measure, as in :class:`StringAlignment`.

    Returns
    -------
    int
        The number of edits, or of common letters.

    Raises
    ------
    ValueError
        If the strings are too long, or differ in length (Hamming).

    Notes
    -----
    O(n m) time, O(n) memory.

    References
    ----------
    V. I. Levenshtein (1966), Binary codes capable of correcting deletions, insertions, and
    reversals.

    Examples
    --------
    >>> edit_distance("kitten", "sitting"), edit_distance("form", "from", "damerau")
    (3, 1)
    >>> edit_distance("abc", "xbz", "lcs")
    1
    """
    check_params({"measure": Choice(METHODS[:4])}, {"measure": measure})
    if measure == "hamming":
        _check_lengths(a, b)
        return sum(x != y for x, y in zip(a, b, strict=True))
    _check_size(a, b, MAX_COMPARED)
    scheme = scheme_of(measure, Letters(a, b))
    return int(last_value((len(a) + 1, len(b) + 1), scheme.moves, best=scheme.best))


def align(
    a: str,
    b: str,
    measure: str = "needleman-wunsch",
    *,
    match: float = 1.0,
    mismatch: float = -1.0,
    gap: float = -1.0,
) -> tuple[str, str, float]:
    """Return the best alignment of two strings, and its distance or score.

    Parameters
    ----------
    a, b : str
        The strings.
    measure, match, mismatch, gap
        As in :class:`StringAlignment`.

    Returns
    -------
    tuple of (str, str, float)
        Both strings with gaps, and the value.

    Raises
    ------
    ValueError
        As :class:`StringAlignment`.

    Examples
    --------
    >>> align("GATTACA", "GCATGCT")
    ('G-ATTACA', 'GCA-TGCT', 0.0)
    """
    model = StringAlignment(measure, match=match, mismatch=mismatch, gap=gap).fit([a, b])
    return (*model.alignment_, model.value_)


def alignment_steps(
    a: str,
    b: str,
    measure: str = "levenshtein",
    *,
    match: float = 1.0,
    mismatch: float = -1.0,
    gap: float = -1.0,
) -> Iterator[AlignmentStep]:
    """Yield the steps of an alignment of two strings.

    Parameters
    ----------
    a, b : str
        The strings.
    measure, match, mismatch, gap
        As in :class:`StringAlignment`.

    Yields
    ------
    AlignmentStep
        The last one has what :func:`align` returns.

    Examples
    --------
    >>> [step.phase for step in alignment_steps("a", "b")]
    ['start', 'cell', 'cell', 'cell', 'trace', 'trace', 'done']
    """
    yield from StringAlignment(measure, match=match, mismatch=mismatch, gap=gap).steps([a, b])


def pair_of(X: Sequence[str], first: int, second: int) -> tuple[str, str]:
    """Return two strings by their numbers from 1.

    Examples
    --------
    >>> pair_of(["tea", "milk", "bread"], 1, 3)
    ('tea', 'bread')
    """
    texts = texts_of(X)
    if max(first, second) > len(texts):
        strings = "There is 1 string" if len(texts) == 1 else f"There are {len(texts)} strings"
        raise ValueError(f"{strings}. Choose numbers up to {len(texts)}, or add strings.")
    return texts[first - 1], texts[second - 1]


def texts_of(X: Sequence[str]) -> list[str]:
    """Return strings as a list.

    Raises
    ------
    ValueError
        If there are none, or some are no strings.

    Examples
    --------
    >>> texts_of(("tea", "milk"))
    ['tea', 'milk']
    """
    is_list = hasattr(X, "__len__") and not isinstance(X, str) and len(X) > 0
    if not is_list or not all(isinstance(text, str) for text in X):
        raise ValueError("X must be a list of one or more strings. Write one string on each line.")
    return list(X)


def _table(a: str, b: str, scheme: Scheme) -> Table:
    _check_size(a, b, MAX_CELLS)
    return fill((len(a) + 1, len(b) + 1), scheme.moves, best=scheme.best, floor=scheme.floor)


def _check_size(a: str, b: str, max_cells: int) -> None:
    if (len(a) + 1) * (len(b) + 1) > max_cells:
        raise ValueError(
            f"Strings of {len(a):,} and {len(b):,} letters make a table that is too large."
            " Take shorter ones, or count their common substrings by spectrum_kernel."
        )


def _check_lengths(a: str, b: str) -> None:
    if len(a) != len(b):
        raise ValueError(
            f"The Hamming distance compares letter i with letter i, and the strings have {len(a):,}"
            f" and {len(b):,} letters. Choose strings of equal length, or Levenshtein."
        )
