"""Dynamic programming over two sequences: each cell takes its best move."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.trace import look

Indices = NDArray[np.intp]
Best = Literal["min", "max"]
Phase = Literal["start", "cell", "trace", "done"]

Cost = Callable[[int, int, int], Any]
"""The cost of a move into cells of an anti-diagonal.

It takes the number i + j of the anti-diagonal, the first row, and the row behind the last. It
returns a number, or one for each cell; the array may be one that the next call overwrites.
"""


@dataclass(frozen=True)
class Move:
    """One way into a cell.

    Attributes
    ----------
    name : str
        The textbook's name.
    rows, columns : int
        The offset of the cell that it comes from.
    cost : callable
        Its cost; moves that share one are compared before it is added.
    via : tuple of (int, int)
        The offsets of the cells that it passes, the earliest first.
    """

    name: str
    rows: int
    columns: int
    cost: Cost
    via: tuple[tuple[int, int], ...] = ()


class Band(NamedTuple):
    """The cells that may be used: consecutive rows of each anti-diagonal.

    Attributes
    ----------
    first, end : ndarray of shape (n_rows + n_columns - 1,)
        The first row, and the one behind the last.
    """

    first: Indices
    end: Indices

    def mask(self, shape: tuple[int, int]) -> NDArray[np.bool_]:
        """Return the cells as a mask of a table."""
        i, j = np.ogrid[: shape[0], : shape[1]]
        inside: NDArray[np.bool_] = (self.first[i + j] <= i) & (i < self.end[i + j])
        return inside


@dataclass(frozen=True, eq=False)
class Table:
    """A filled table.

    Attributes
    ----------
    values : ndarray of shape (n_rows, n_columns)
        The best sum of costs from the first cell to each; infinite where no path leads. It is
        read-only.
    moves : tuple of Move
        The moves into a cell; of equally good ones the first is taken.
    best : {"min", "max"}
        Whether costs are minimised or scores maximised.
    floor : float or None
        The value with which a path may start in any cell.
    """

    values: Floats
    moves: tuple[Move, ...]
    best: Best = "min"
    floor: float | None = None

    @property
    def worst(self) -> float:
        """The value of a cell that cannot be reached."""
        return np.inf if self.best == "min" else -np.inf

    @cached_property
    def shares_cost(self) -> bool:
        """Whether all moves have the same cost, so that only their sources are compared."""
        return self.floor is None and len({move.cost for move in self.moves}) == 1

    def candidates(self, i: int, j: int) -> tuple[float, ...]:
        """Return the value of each move in a cell."""
        return tuple(self._candidate(move, i, j) for move in self.moves)

    def _candidate(self, move: Move, i: int, j: int) -> float:
        source = self._source(move, i, j)
        return source + self.added(move, i, j) if np.isfinite(source) else self.worst

    def _source(self, move: Move, i: int, j: int) -> float:
        """Return the value of the cell that a move comes from."""
        if i < move.rows or j < move.columns:
            return self.worst
        return float(self.values[i - move.rows, j - move.columns])

    def added(self, move: Move, i: int, j: int) -> float:
        """Return the cost of a move into a cell."""
        return float(np.ravel(move.cost(i + j, i, i + 1))[0])

    def choice(self, i: int, j: int) -> int:
        """Return the number of the move that a cell took; -1 where a path starts."""
        if (i, j) == (0, 0):
            return -1
        if self.shares_cost:
            values = [self._source(move, i, j) for move in self.moves]
        else:
            values = list(self.candidates(i, j))
        value = min(values) if self.best == "min" else max(values)
        starts = not np.isfinite(value) or (self.floor is not None and value <= self.floor)
        return -1 if starts else values.index(value)

    def path(self, i: int, j: int) -> list[tuple[int, int]]:
        """Return the cells of the path to a cell, from its start."""
        cells = [(i, j)]
        while (k := self.choice(i, j)) >= 0:
            move = self.moves[k]
            cells += [(i - di, j - dj) for di, dj in reversed(move.via)]
            i, j = i - move.rows, j - move.columns
            cells.append((i, j))
        return cells[::-1]


class Visit(NamedTuple):
    """A cell that is filled or traced back to.

    Attributes
    ----------
    phase : Phase
        The first cell; another one; one that the path is traced back to; the end.
    cell : tuple of (int, int)
        The cell; where a whole row is filled at once, its best one.
    n_filled : int
        The number of filled cells, in the order of the rows.
    path : list of tuple of (int, int)
        The path as far as it is traced.
    """

    phase: Phase
    cell: tuple[int, int]
    n_filled: int
    path: list[tuple[int, int]]


def visits(table: Table, end: tuple[int, int], *, by_cell: bool) -> Iterator[Visit]:
    """Yield the cells or rows of a table as they are filled, and the path traced back from a cell.

    Examples
    --------
    >>> unit = lambda diagonal, first, end: 1.0
    >>> table = fill((1, 2), [Move("down", 1, 0, unit), Move("right", 0, 1, unit)])
    >>> [(visit.phase, visit.cell) for visit in visits(table, (0, 1), by_cell=True)]
    [('start', (0, 0)), ('cell', (0, 1)), ('trace', (0, 1)), ('trace', (0, 0)), ('done', (0, 1))]
    """
    n, m = table.values.shape
    used = np.isfinite(table.values)
    if by_cell:
        cells = [(int(i), int(j), int(i * m + j + 1)) for i, j in np.argwhere(used)]
    else:
        best = table.values.argmin(axis=1) if table.best == "min" else table.values.argmax(axis=1)
        cells = [(i, int(j), (i + 1) * m) for i, j in enumerate(best) if used[i].any()]
    for k, (i, j, n_filled) in enumerate(cells):
        look()
        yield Visit("cell" if k else "start", (i, j), n_filled, [])
    path = table.path(*end)
    for k in range(len(path) - 1, -1, -1):
        look()
        yield Visit("trace", path[k], n * m, path[k:])
    yield Visit("done", end, n * m, path)


def fill(
    shape: tuple[int, int],
    moves: Sequence[Move],
    *,
    start: float = 0.0,
    best: Best = "min",
    floor: float | None = None,
    band: Band | None = None,
) -> Table:
    """Fill a table.

    The cells of an anti-diagonal need only earlier ones, so each is computed at once, in arrays
    that lie in one piece.

    Parameters
    ----------
    shape : tuple of (int, int)
        Rows and columns.
    moves : sequence of Move
        The moves into a cell; of equally good ones the first is taken.
    start : float
        The value of the first cell.
    best : {"min", "max"}
        Whether costs are minimised or scores maximised.
    floor : float, optional
        The value with which a path may start in any cell.
    band : Band, optional
        The cells that may be used; by default all.

    Returns
    -------
    Table
        The values.

    Notes
    -----
    O(rows · columns · moves) operations in O(rows + columns) steps of NumPy; (rows + columns) ·
    rows numbers.

    Examples
    --------
    >>> unit = lambda diagonal, first, end: 1.0
    >>> fill((2, 3), [Move("down", 1, 0, unit), Move("right", 0, 1, unit)]).values.tolist()
    [[0.0, 1.0, 2.0], [1.0, 2.0, 3.0]]
    """
    rows, columns = shape
    pad = max(move.rows for move in moves)
    reach = _reach(moves)
    diagonals = _sweep(shape, moves, start, best, floor, band, rows + columns - 1 + reach)
    step, size = diagonals.strides
    values = as_strided(diagonals[reach:, pad:], shape, (step + size, step), writeable=False)
    return Table(values, tuple(moves), best, floor)


def last_value(
    shape: tuple[int, int],
    moves: Sequence[Move],
    *,
    start: float = 0.0,
    best: Best = "min",
    floor: float | None = None,
    band: Band | None = None,
) -> float:
    """Return the value of the last cell, as :func:`fill` does, in the memory of few anti-diagonals.

    Examples
    --------
    >>> unit = lambda diagonal, first, end: 1.0
    >>> last_value((2, 3), [Move("down", 1, 0, unit), Move("right", 0, 1, unit)])
    3.0
    """
    reach = _reach(moves)
    diagonals = _sweep(shape, moves, start, best, floor, band, reach + 1)
    last = shape[0] + shape[1] - 2
    pad = max(move.rows for move in moves)
    return float(diagonals[(last + reach) % (reach + 1), pad + shape[0] - 1])


def _reach(moves: Sequence[Move]) -> int:
    """Return the largest number of anti-diagonals between a cell and its source."""
    return max(move.rows + move.columns for move in moves)


def _sweep(
    shape: tuple[int, int],
    moves: Sequence[Move],
    start: float,
    best: Best,
    floor: float | None,
    band: Band | None,
    n_lines: int,
) -> Floats:
    """Compute all anti-diagonals; number d is row (d + reach) modulo ``n_lines`` of the result."""
    rows, columns = shape
    pad, reach = max(move.rows for move in moves), _reach(moves)
    worst, better = (np.inf, np.minimum) if best == "min" else (-np.inf, np.maximum)
    diagonals = np.full((n_lines, rows + pad), worst)
    lines = list(diagonals)
    if reach:
        lines[reach % n_lines][pad] = start
    groups: dict[Cost, list[tuple[int, int]]] = {}
    for move in moves:
        groups.setdefault(move.cost, []).append((move.rows, move.rows + move.columns))
    spare = np.empty(rows)
    recycled = n_lines < rows + columns - 1 + reach
    for d, (a, b) in enumerate(_ends(shape, band)):
        look()
        line = lines[(d + reach) % n_lines]
        if recycled and d:
            line.fill(worst)
        if a >= b or not d:
            continue
        out = line[pad + a : pad + b]
        for k, (cost, offsets) in enumerate(groups.items()):
            sources = [
                lines[(d + reach - back) % n_lines][pad + a - up : pad + b - up]
                for up, back in offsets
            ]
            target = _best(sources, better, spare[: b - a] if k else out)
            target += cost(d, a, b)
            if k:
                better(out, target, out=out)
        if floor is not None:
            better(out, floor, out=out)
    return diagonals


def _best(sources: Sequence[Floats], better: np.ufunc, target: Floats) -> Floats:
    """Write the best of several arrays, cell by cell, into another one."""
    np.copyto(target, sources[0])
    for source in sources[1:]:
        better(target, source, out=target)
    return target


def _ends(shape: tuple[int, int], band: Band | None) -> list[tuple[int, int]]:
    """Return the first row of each anti-diagonal, and the one behind its last."""
    d = np.arange(shape[0] + shape[1] - 1)
    first, end = np.maximum(d - shape[1] + 1, 0), np.minimum(d, shape[0] - 1) + 1
    if band is not None:
        first, end = np.maximum(first, band.first), np.minimum(end, band.end)
    return list(zip(first.tolist(), end.tolist(), strict=True))
