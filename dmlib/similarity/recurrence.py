"""Dynamic programming over two sequences: a table whose cells take the best of a few moves, and the path back."""

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

Cost = Callable[[int, int, int], Any]
"""What a move into cells of one anti-diagonal adds: of its number i + j, its first row, and the row behind its last.

It returns a number, or one for each cell; the array may be one that the next call overwrites.
"""


@dataclass(frozen=True)
class Move:
    """One way into a cell.

    Attributes
    ----------
    name : str
        What the textbook calls it.
    rows, columns : int
        How far back the cell is that it comes from.
    cost : callable
        What it adds; moves that share one are compared before it is added.
    via : tuple of (int, int)
        How far back the cells are that it passes, the earliest first.
    """

    name: str
    rows: int
    columns: int
    cost: Cost
    via: tuple[tuple[int, int], ...] = ()


class Band(NamedTuple):
    """The cells that may be used: of each anti-diagonal those of a run of rows.

    Attributes
    ----------
    first, end : ndarray of shape (n_rows + n_columns - 1,)
        The first row, and the one behind the last.
    """

    first: Indices
    end: Indices

    def mask(self, shape: tuple[int, int]) -> NDArray[np.bool_]:
        """Return which cells of a table they are."""
        i, j = np.ogrid[: shape[0], : shape[1]]
        inside: NDArray[np.bool_] = (self.first[i + j] <= i) & (i < self.end[i + j])
        return inside


@dataclass(frozen=True, eq=False)
class Table:
    """A filled table.

    Attributes
    ----------
    values : ndarray of shape (n_rows, n_columns)
        The best sum of costs from the first cell to each; infinite where no path leads. It cannot
        be written to.
    moves : tuple of Move
        The ways into a cell; of equally good ones the first is taken.
    best : {"min", "max"}
        What is best.
    floor : float or None
        A cell where every way leads lower starts a path of its own with this value.
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
        """Whether all moves add the same, so that only what they come from decides."""
        return self.floor is None and len({move.cost for move in self.moves}) == 1

    def candidates(self, i: int, j: int) -> tuple[float, ...]:
        """Return what each move gives in a cell."""
        return tuple(self._candidate(move, i, j) for move in self.moves)

    def _candidate(self, move: Move, i: int, j: int) -> float:
        if i < move.rows or j < move.columns:
            return self.worst
        before = float(self.values[i - move.rows, j - move.columns])
        return before + self.added(move, i, j) if np.isfinite(before) else self.worst

    def added(self, move: Move, i: int, j: int) -> float:
        """Return what a move into a cell adds."""
        return float(np.ravel(move.cost(i + j, i, i + 1))[0])

    def choice(self, i: int, j: int) -> int:
        """Return the number of the move that a cell took; -1 where a path starts."""
        if self.shares_cost:
            found = [
                float(self.values[i - m.rows, j - m.columns])
                if i >= m.rows and j >= m.columns
                else self.worst
                for m in self.moves
            ]
        else:
            found = list(self.candidates(i, j))
        value = min(found) if self.best == "min" else max(found)
        starts = not np.isfinite(value) or (self.floor is not None and value <= self.floor)
        return -1 if (i, j) == (0, 0) or starts else found.index(value)

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
    """A cell that a run comes to.

    Attributes
    ----------
    phase : {"start", "cell", "trace", "done"}
        The first cell, another one, one that the path is traced back to, or the end of all.
    cell : tuple of (int, int)
        The cell; where a whole row is filled at once, its best one.
    n_filled : int
        How many cells are filled, in the order of the rows.
    path : list of tuple of (int, int)
        What is traced of the path.
    """

    phase: str
    cell: tuple[int, int]
    n_filled: int
    path: list[tuple[int, int]]


def visits(table: Table, end: tuple[int, int], *, by_cell: bool) -> Iterator[Visit]:
    """Yield how a table is filled, cell by cell or row by row, and how the path to a cell is traced back.

    Examples
    --------
    >>> one = lambda diagonal, first, end: 1.0
    >>> table = fill((1, 2), [Move("down", 1, 0, one), Move("right", 0, 1, one)])
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
        The ways into a cell; of equally good ones the first is taken.
    start : float
        The value of the first cell.
    best : {"min", "max"}
        What is best.
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
    >>> one = lambda diagonal, first, end: 1.0
    >>> fill((2, 3), [Move("down", 1, 0, one), Move("right", 0, 1, one)]).values.tolist()
    [[0.0, 1.0, 2.0], [1.0, 2.0, 3.0]]
    """
    rows, columns = shape
    pad = max(move.rows for move in moves)
    kept = _sweep(shape, moves, start, best, floor, band, rows + columns - 1 + _reach(moves))
    step, size = kept.strides
    values = as_strided(kept[_reach(moves) :, pad:], shape, (step + size, step), writeable=False)
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
    """Return the last cell's value alone: as :func:`fill`, with the memory of a few anti-diagonals.

    Examples
    --------
    >>> one = lambda diagonal, first, end: 1.0
    >>> last_value((2, 3), [Move("down", 1, 0, one), Move("right", 0, 1, one)])
    3.0
    """
    reach = _reach(moves)
    kept = _sweep(shape, moves, start, best, floor, band, reach + 1)
    last = shape[0] + shape[1] - 2
    return float(
        kept[(last + reach) % (reach + 1), max(move.rows for move in moves) + shape[0] - 1]
    )


def _reach(moves: Sequence[Move]) -> int:
    """Return how many anti-diagonals back a move comes from at most."""
    return max(move.rows + move.columns for move in moves)


def _sweep(
    shape: tuple[int, int],
    moves: Sequence[Move],
    start: float,
    best: Best,
    floor: float | None,
    band: Band | None,
    n_kept: int,
) -> Floats:
    """Compute all anti-diagonals; number d is row (d + reach) modulo ``n_kept`` of what is returned."""
    rows, columns = shape
    pad, reach = max(move.rows for move in moves), _reach(moves)
    worst, better = (np.inf, np.minimum) if best == "min" else (-np.inf, np.maximum)
    kept = np.full((n_kept, rows + pad), worst)
    lines = list(kept)
    if reach:
        lines[reach % n_kept][pad] = start
    groups: dict[Cost, list[tuple[int, int]]] = {}
    for move in moves:
        groups.setdefault(move.cost, []).append((move.rows, move.rows + move.columns))
    ways = list(groups.items())
    spare = np.empty(rows)
    recycled = n_kept < rows + columns - 1 + reach
    for d, (a, b) in enumerate(_ends(shape, band)):
        look()
        line = lines[(d + reach) % n_kept]
        if recycled and d:
            line.fill(worst)
        if a >= b or not d:
            continue
        out = line[pad + a : pad + b]
        for k, (cost, offsets) in enumerate(ways):
            found = [
                lines[(d + reach - back) % n_kept][pad + a - up : pad + b - up]
                for up, back in offsets
            ]
            target = _best(found, better, spare[: b - a] if k else out)
            target += cost(d, a, b)
            if k:
                better(out, target, out=out)
        if floor is not None:
            better(out, floor, out=out)
    return kept


def _best(found: Sequence[Floats], better: np.ufunc, target: Floats) -> Floats:
    """Write the best of some arrays, cell by cell, into another one."""
    if len(found) == 1:
        np.copyto(target, found[0])
        return target
    better(found[0], found[1], out=target)
    for other in found[2:]:
        better(target, other, out=target)
    return target


def _ends(shape: tuple[int, int], band: Band | None) -> list[tuple[int, int]]:
    """Return the first row of each anti-diagonal, and the one behind its last."""
    d = np.arange(shape[0] + shape[1] - 1)
    first, end = np.maximum(d - shape[1] + 1, 0), np.minimum(d, shape[0] - 1) + 1
    if band is not None:
        first, end = np.maximum(first, band.first), np.minimum(end, band.end)
    return list(zip(first.tolist(), end.tolist(), strict=True))
