"""Dynamic time warping as functions: the table of two series, its path, and its steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats
from dmlib.params import Choice, Integer, check_params
from dmlib.similarity.recurrence import Band, Move, Phase, Table, fill, last_value, visits
from dmlib.similarity.time_series.patterns import METRICS, PATTERNS, Distances, moves_of
from dmlib.similarity.time_series.windows import itakura, sakoe_chiba

Indices = NDArray[np.intp]

MAX_CELLS = 20_000_000
"""Larger tables are refused: they would take more than 300 MB."""

MAX_VALUE = 1e150  # of a value whose square is a number
RADIUS = Integer(0, 100_000, shown=(0, 60))


@dataclass(frozen=True)
class DTWResult:
    """The cheapest alignment of two series.

    Attributes
    ----------
    path : list of tuple of (int, int)
        The pairs of aligned values, from the first of both to the last of both, by their numbers
        from 0.
    cost : float
        The sum of the distances along the path, each as often as the step pattern counts it: the
        last cell's value.
    matrix : ndarray of shape (n_x, n_y)
        The cost of the cheapest path to each cell; infinite outside of the window.
    metric : str
        The metric.
    """

    path: list[tuple[int, int]]
    cost: float
    matrix: Floats
    metric: str = "absolute"

    @property
    def distance(self) -> float:
        """The cost; of squared distances its root, so that it is in the unit of the series."""
        return float(np.sqrt(self.cost)) if self.metric == "squared" else self.cost


@dataclass(frozen=True)
class DTWStep:
    """One step of dynamic time warping. Values are numbered from 0.

    Attributes
    ----------
    phase : Phase
        The first cell is filled, another cell (of a large table: all of its row), the path is
        traced back to a cell, or all is done.
    cell : tuple of (int, int)
        The cell; of a whole row the cheapest one.
    local : float
        The distance of the two values that meet in it.
    candidates : tuple of float
        The cost of each move of the step pattern; infinite where there is none. Empty in the first
        cell.
    choice : int
        The number of the cheapest one; -1 in the first cell and where none is possible.
    value : float
        The cell's value.
    n_filled : int
        The number of filled cells, in the order of the rows.
    path : ndarray of shape (n_pairs, 2)
        On "trace" and "done": the pairs traced so far.
    matrix : ndarray of shape (n_x, n_y) or None
        On "trace" and "done": the values of all cells.
    cost : float or None
        On "trace" and "done": the last cell's value.
    """

    phase: Phase
    cell: tuple[int, int]
    local: float
    candidates: tuple[float, ...]
    choice: int
    value: float
    n_filled: int
    path: Indices
    matrix: Floats | None = None
    cost: float | None = None


def dtw(
    x: ArrayLike,
    y: ArrayLike,
    window: int | None = None,
    metric: str = "absolute",
    *,
    pattern: str = "symmetric1",
    slope: float | None = None,
) -> DTWResult:
    """Return the cheapest alignment of two series.

    Parameters
    ----------
    x, y : array-like of shape (n_values,)
        The series; they may differ in length.
    window : int, optional
        The radius of a Sakoe-Chiba band: the largest difference of the numbers of two aligned
        values.
    metric : {"absolute", "squared"}
        The distance of two values.
    pattern : {"symmetric1", "symmetric2", "asymmetric", "symmetricP1"}
        The step pattern, as in :class:`DynamicTimeWarping`.
    slope : float, optional
        How many times as steep as the diagonal a path may be, seen from either end (Itakura).

    Returns
    -------
    DTWResult
        Path, cost and matrix.

    Raises
    ------
    ValueError
        If a series is empty or not finite, or no path fits into the window.

    Notes
    -----
    O(n m) time and memory; :func:`dtw_distance` takes O(n) memory. See :class:`DynamicTimeWarping`.

    References
    ----------
    H. Sakoe and S. Chiba (1978), Dynamic programming algorithm optimization for spoken word
    recognition.

    Examples
    --------
    >>> result = dtw([1, 3, 4, 2], [1, 4, 2, 2])
    >>> result.cost, result.path
    (1.0, [(0, 0), (1, 1), (2, 1), (3, 2), (3, 3)])
    >>> dtw([1, 3, 4, 2], [1, 4, 2, 2], window=0).cost
    3.0
    """
    table, cost, _ = _checked_table(x, y, window, slope, metric, pattern)
    n, m = table.values.shape
    return DTWResult(table.path(n - 1, m - 1), cost, table.values, metric)


def dtw_steps(
    x: ArrayLike,
    y: ArrayLike,
    window: int | None = None,
    metric: str = "absolute",
    *,
    pattern: str = "symmetric1",
    slope: float | None = None,
) -> Iterator[DTWStep]:
    """Yield the steps of dynamic time warping: each cell, then each pair of the path from its end.

    Parameters
    ----------
    x, y, window, metric, pattern, slope
        As in :func:`dtw`.

    Yields
    ------
    DTWStep
        The last one has what :func:`dtw` returns.

    Examples
    --------
    >>> [step.phase for step in dtw_steps([1, 3], [1, 4])]
    ['start', 'cell', 'cell', 'cell', 'trace', 'trace', 'done']
    """
    yield from steps_of(*_checked_table(x, y, window, slope, metric, pattern), by_cell=True)


def dtw_distance(
    x: ArrayLike,
    y: ArrayLike,
    window: int | None = None,
    metric: str = "absolute",
    *,
    pattern: str = "symmetric1",
    slope: float | None = None,
) -> float:
    """Return the cost of the cheapest alignment in little memory.

    Of squared distances it is the root of the cost.

    Parameters
    ----------
    x, y, window, metric, pattern, slope
        As in :func:`dtw`.

    Returns
    -------
    float
        ``dtw(...).distance``.

    Notes
    -----
    O(n m) time, O(n) memory.

    Examples
    --------
    >>> dtw_distance([0, 0, 2], [0, 2, 2]), dtw_distance([0, 3], [0, 0], metric="squared")
    (0.0, 3.0)
    """
    shape, moves, band, distances = _parts(*_pair(x, y), window, slope, metric, pattern)
    cost = _reached(last_value(shape, moves, start=distances.first, band=band), shape)
    return float(np.sqrt(cost)) if metric == "squared" else cost


def transformed(series: ArrayLike, transform: str = "none") -> Floats:
    """Return a series as it is aligned.

    Parameters
    ----------
    series : array-like of shape (n_values,)
        Its values.
    transform : {"none", "z-score", "derivative"}
        The values; minus their mean and divided by their standard deviation (a constant series
        becomes 0); or the mean of the slope to the left and that from the left to the right
        neighbour (Keogh and Pazzani), at the ends as next to them.

    Returns
    -------
    ndarray of shape (n_values,)
        As long as the series.

    Raises
    ------
    ValueError
        If it is empty, or not one-dimensional and finite.

    Examples
    --------
    >>> transformed([0.0, 1.0, 4.0, 9.0], "derivative").tolist()
    [1.5, 1.5, 3.5, 3.5]
    """
    x = np.array(series, float)
    if x.ndim != 1 or not len(x):
        raise ValueError("A series must be a list of one or more numbers. Choose another one.")
    if not np.isfinite(x).all() or np.abs(x).max() > MAX_VALUE:
        raise ValueError(
            "A series has values that are missing, infinite or too large."
            " Remove them or fill them in."
        )
    if transform == "z-score":
        # Not the standard deviation: rounding gives equal values one above 0.
        return (x - x.mean()) / x.std() if x.min() < x.max() else np.zeros_like(x)
    if transform == "derivative":
        if len(x) < 3:
            raise ValueError(
                "A slope needs a neighbour on both sides: the series must have at least 3 values."
            )
        inner: Floats = ((x[1:-1] - x[:-2]) + (x[2:] - x[:-2]) / 2) / 2
        return np.concatenate([inner[:1], inner, inner[-1:]])
    return x


def _pair(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    return transformed(x), transformed(y)


def _checked_table(
    x: ArrayLike, y: ArrayLike, window: int | None, slope: float | None, metric: str, pattern: str
) -> tuple[Table, float, Distances]:
    check_params(
        {"metric": Choice(METRICS), "pattern": Choice(PATTERNS)},
        {"metric": metric, "pattern": pattern},
    )
    return table_of(*_pair(x, y), window, slope, metric, pattern)


def _parts(
    x: Floats, y: Floats, window: int | None, slope: float | None, metric: str, pattern: str
) -> tuple[tuple[int, int], tuple[Move, ...], Band | None, Distances]:
    """Return the shape of the table, the moves, the band and the distances."""
    if window is not None and slope is not None:
        raise ValueError("window and slope are two kinds of windows. Choose one of them.")
    shape = len(x), len(y)
    if window is not None:
        check_params({"window": RADIUS}, {"window": window})
        smallest = abs(len(x) - len(y))
        if window < smallest:
            raise ValueError(
                f"Series of {len(x)} and {len(y)} values have no path in a band of radius {window}."
                f" Choose a radius of at least {smallest}."
            )
    band = None
    if window is not None:
        band = sakoe_chiba(shape, window)
    elif slope is not None:
        band = itakura(shape, slope)
    distances = Distances(x, y, metric)
    return shape, moves_of(pattern, distances), band, distances


def table_of(
    x: Floats, y: Floats, window: int | None, slope: float | None, metric: str, pattern: str
) -> tuple[Table, float, Distances]:
    """Return the table of two series, its last value, and the distances of their values.

    Examples
    --------
    >>> table_of(np.zeros(2), np.ones(2), None, None, "absolute", "symmetric1")[1]
    2.0
    """
    if len(x) * len(y) > MAX_CELLS:
        raise ValueError(
            f"A table of {len(x):,} × {len(y):,} cells is too large."
            " Take shorter series, or dtw_distance, which needs little memory."
        )
    shape, moves, band, distances = _parts(x, y, window, slope, metric, pattern)
    table = fill(shape, moves, start=distances.first, band=band)
    return table, _reached(float(table.values[-1, -1]), shape), distances


def _reached(cost: float, shape: tuple[int, int]) -> float:
    if not np.isfinite(cost):
        raise ValueError(
            "Window and step pattern leave no path that joins the ends of series of"
            f" {shape[0]} and {shape[1]} values."
            " Choose a wider window or another step pattern."
        )
    return cost


def steps_of(
    table: Table, cost: float, distances: Distances, *, by_cell: bool
) -> Iterator[DTWStep]:
    """Yield the steps of a filled table.

    Examples
    --------
    >>> parts = table_of(np.zeros(1), np.ones(1), None, None, "absolute", "symmetric1")
    >>> [step.phase for step in steps_of(*parts, by_cell=True)]
    ['start', 'trace', 'done']
    """
    n, m = table.values.shape
    for phase, (i, j), n_filled, cells in visits(table, (n - 1, m - 1), by_cell=by_cell):
        step = DTWStep(
            phase=phase,
            cell=(i, j),
            local=float(distances(i + j, i, i + 1)[0]),
            candidates=() if (i, j) == (0, 0) else table.candidates(i, j),
            choice=table.choice(i, j),
            value=float(table.values[i, j]),
            n_filled=n_filled,
            path=np.array(cells, np.intp).reshape(-1, 2),
        )
        yield replace(step, matrix=table.values, cost=cost) if cells else step
