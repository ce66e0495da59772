"""The table of dynamic time warping as shortest paths in a graph of cells, by SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import SeriesProblem
from dmlib.similarity.time_series.algorithm import DynamicTimeWarping

MOVES = {
    "symmetric1": ((1, 1, ((0, 0, 1),)), (1, 0, ((0, 0, 1),)), (0, 1, ((0, 0, 1),))),
    "symmetric2": ((1, 1, ((0, 0, 2),)), (1, 0, ((0, 0, 1),)), (0, 1, ((0, 0, 1),))),
    "asymmetric": ((1, 1, ((0, 0, 1),)), (1, 0, ((0, 0, 1),)), (1, 2, ((0, 0, 1),))),
    "symmetricP1": (
        (1, 1, ((0, 0, 2),)),
        (2, 1, ((1, 0, 2), (0, 0, 1))),
        (1, 2, ((0, 1, 2), (0, 0, 1))),
    ),
}
"""Of each move: rows and columns back, and the offsets of the cells whose distance is added, with
their weights."""
MAX_CELLS = 100_000  # about a second


def shortest_paths(X: ArrayLike, y: ArrayLike, model: Any, moves: Any) -> Answers:
    """Find the shortest paths from the first cell to all cells with SciPy."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    from dmlib.comparison import Answers

    x, z = model.transformed(X, y)
    n, m = len(x), len(z)
    distances = np.abs(np.subtract.outer(x, z))
    if model.metric == "squared":
        distances = distances**2
    allowed = window_of(n, m, model.window, model.radius, model.slope)
    cell = np.arange(n * m).reshape(n, m)
    sources, targets, lengths = [], [], []
    for rows, columns, weights in moves:
        i, j = np.nonzero(allowed[rows:, columns:] & allowed[: n - rows, : m - columns])
        i, j = i + rows, j + columns
        sources.append(cell[i - rows, j - columns])
        targets.append(cell[i, j])
        lengths.append(sum(w * distances[i - di, j - dj] for di, dj, w in weights))
    ends = (np.concatenate(sources), np.concatenate(targets))
    # An edge of length 0 is an edge, too.
    graph = csr_array((np.concatenate(lengths), ends), shape=(n * m, n * m))
    matrix = distances[0, 0] + dijkstra(graph, indices=0).reshape(n, m)
    cost = float(matrix[-1, -1])
    values = {"cost_": cost, "normalized_cost_": cost / (n + m), "matrix_": matrix}
    return Answers("scipy.sparse.csgraph.dijkstra", values)


def window_of(n: int, m: int, window: str, radius: int, slope: float) -> NDArray[np.bool_]:
    """Return the cells of a window, cell by cell from its definition."""
    i, j = np.ogrid[:n, :m]
    if window == "sakoe-chiba":
        return np.asarray(np.abs(i - j) <= radius)
    if window == "none" or min(n, m) == 1:
        return np.ones((n, m), bool)
    rounding, end = 1e-9, (n - 1) * (m - 1)
    down, across = i * (m - 1), j * (n - 1)  # both from 0 to the same number
    is_inside = (across <= slope * down + rounding) & (down <= slope * across + rounding)
    down, across = end - down, end - across
    is_inside &= (across <= slope * down + rounding) & (down <= slope * across + rounding)
    return is_inside


def time_series_reference(run: Run[SeriesProblem, DynamicTimeWarping]) -> Reference:
    """Return SciPy's shortest paths over the cells of the window."""
    x, y = run.problem.arguments
    n_cells = len(x) * len(y)
    if n_cells > MAX_CELLS:
        raise Incomparable(f"a graph of {n_cells:,} cells takes too long. Choose shorter series.")
    moves = MOVES[run.model.pattern]
    return Reference(shortest_paths, "X", "y", "model", helpers=(window_of,), moves=moves)
