"""The same table as shortest paths in a graph of cells, by SciPy, and the code that asks for them."""

from __future__ import annotations

from inspect import getsource
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from dmlib.comparison import Answers, Incomparable
from dmlib.pictures.run import Run

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
"""Of each move: rows and columns back, and how far back the cells are whose distance is added, with
their weights."""
MOST_CELLS = 100_000  # about a second


def shortest_paths(
    x: Any, y: Any, moves: Any, allowed: NDArray[np.bool_], *, squared: bool
) -> Answers:
    """Ask SciPy for the lengths of the shortest paths from the first cell to all cells."""
    n, m = len(x), len(y)
    local = np.abs(np.subtract.outer(x, y)) ** (2 if squared else 1)
    cell = np.arange(n * m).reshape(n, m)
    sources, targets, lengths = [], [], []
    for rows, columns, weights in moves:
        i, j = np.nonzero(allowed[rows:, columns:] & allowed[: n - rows, : m - columns])
        sources.append(cell[i, j])
        targets.append(cell[i + rows, j + columns])
        lengths.append(sum(w * local[i + rows - di, j + columns - dj] for di, dj, w in weights))
    ends = (np.concatenate(sources), np.concatenate(targets))
    graph = csr_array(
        (np.concatenate(lengths), ends), shape=(n * m, n * m)
    )  # an edge of length 0 is an edge, too
    matrix = local[0, 0] + dijkstra(graph, indices=0).reshape(n, m)
    cost = float(matrix[-1, -1])
    values = {"cost_": cost, "normalized_cost_": cost / (n + m), "matrix_": matrix}
    return Answers("scipy.sparse.csgraph.dijkstra", values)


def time_series_reference(run: Run) -> Answers:
    """Return SciPy's shortest paths over the cells of the window."""
    model = run.model
    x, y = model.transformed(*run.problem.arguments)
    if len(x) * len(y) > MOST_CELLS:
        raise Incomparable(
            f"a graph of {len(x) * len(y):,} cells takes too long. Choose shorter series."
        )
    allowed = window_of(len(x), len(y), model.window, radius=model.radius, slope=model.slope)
    return shortest_paths(x, y, MOVES[model.pattern], allowed, squared=model.metric == "squared")


def window_of(n: int, m: int, window: str, *, radius: int, slope: float) -> NDArray[np.bool_]:
    """Return which cells a window leaves, cell by cell from its definition."""
    i, j = np.ogrid[:n, :m]
    allowed = np.ones((n, m), bool)
    if window == "sakoe-chiba":
        allowed &= np.abs(i - j) <= radius
    if window == "itakura" and min(n, m) > 1:
        near, room = 1e-9, (n - 1) * (m - 1)
        down, across = i * (m - 1), j * (n - 1)  # both from 0 to the same number
        left, above = room - across, room - down
        steep = (across <= slope * down + near) & (down <= slope * across + near)
        allowed &= steep & (left <= slope * above + near) & (above <= slope * left + near)
    return allowed


def time_series_code(run: Run) -> str:
    """Return code that asks SciPy as ``reference`` for the shortest paths over the cells of ``X`` and ``y``."""
    model = run.model
    window, definition = "np.ones((len(x), len(z)), bool)", ""
    if model.window != "none":
        definition = getsource(window_of).replace(" -> NDArray[np.bool_]", "") + "\n\n"
        window = (
            f"window_of(len(x), len(z), {model.window!r}, radius={model.radius!r},"
            f" slope={model.slope!r})"
        )
    return f"""
# The same with SciPy, as shortest paths
import numpy as np
from dmlib.comparison import Answers
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

{definition}{getsource(shortest_paths).replace("NDArray[np.bool_]", "Any").replace(": Any", "")}

x, z = model.transformed(X, y)
reference = shortest_paths(x, z, {MOVES[model.pattern]!r}, {window}, squared={model.metric == "squared"})
"""
