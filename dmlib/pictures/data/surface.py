"""A function of two variables as a map with level lines."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.pictures.ledger import LedgerTable
from dmlib.pictures.marks import Mark, Raster, Segments
from dmlib.pictures.scene import Axis, Frame, Panel, Scene
from dmlib.problem import SurfaceProblem

SIZE = 81  # places along each side of the map
LEVELS = 10


def surface_panel(problem: SurfaceProblem) -> Panel:
    """Return the panel of the map."""
    x0, x1, y0, y1 = problem.domain
    return Panel("data", Axis(problem.axes[0], x0, x1), Axis(problem.axes[1], y0, y1))


def surface_levels(problem: SurfaceProblem) -> Floats:
    """Return the heights of the level lines: between any two of them lies as much of the map."""
    heights = problem.grid(SIZE)[2]
    shares = (np.arange(LEVELS) + 0.5) / LEVELS
    return np.unique(np.quantile(heights[np.isfinite(heights)], shares))


def surface_marks(problem: SurfaceProblem) -> tuple[Mark, ...]:
    """Return the map, stronger where it is higher, and level lines, made once for a surface."""
    if "marks" not in problem.cache:
        problem.cache["marks"] = _marks(problem)
    marks: tuple[Mark, ...] = problem.cache["marks"]
    return marks


def _marks(problem: SurfaceProblem) -> tuple[Mark, ...]:
    x, y, heights = problem.grid(SIZE)
    is_defined = np.isfinite(heights)
    ranks = np.searchsorted(np.sort(heights[is_defined]), heights[is_defined]) / is_defined.sum()
    shades = np.zeros(heights.shape, np.uint8)
    shades[is_defined] = (10 + 245 * ranks).astype(np.uint8)
    extent = (x[0] - _half(x), x[-1] + _half(x), y[0] - _half(y), y[-1] + _half(y))
    map_ = Raster(
        pixels=shades[::-1].ravel(), width=SIZE, height=SIZE, extent=extent, ramp=True, opacity=0.6
    )
    lines = np.vstack([level_lines(x, y, heights, level) for level in surface_levels(problem)])
    (x0, y0), (x1, y1) = lines[:, 0].T, lines[:, 1].T
    return map_, Segments(x0=x0, y0=y0, x1=x1, y1=y1, width=1.0)


def level_lines(x: Floats, y: Floats, heights: Floats, level: float) -> Floats:
    """Return the line on which a grid has a height, as straight segments.

    Parameters
    ----------
    x, y : ndarray of shape (n_columns,), (n_rows,)
        The lines of the grid.
    heights : ndarray of shape (n_rows, n_columns)
        The heights where they cross; no line is drawn beside one that is not finite.
    level : float
        The height of the line.

    Returns
    -------
    ndarray of shape (n_segments, 2, 2)
        Two ends of each segment, their x and y.

    Notes
    -----
    Each cell of the grid is cut into two triangles; a line that enters one leaves it again.

    Examples
    --------
    >>> x = y = np.array([0.0, 1.0])
    >>> level_lines(x, y, np.array([[0.0, 1.0], [0.0, 1.0]]), 0.25)[:, :, 0]
    array([[0.25, 0.25],
           [0.25, 0.25]])
    """
    at = np.arange(heights.size).reshape(heights.shape)
    first = np.stack([at[:-1, :-1], at[:-1, 1:], at[1:, :-1]], axis=-1).reshape(-1, 3)
    second = np.stack([at[1:, 1:], at[1:, :-1], at[:-1, 1:]], axis=-1).reshape(-1, 3)
    corners, flat = np.vstack([first, second]), heights.ravel()
    above = flat[corners] > level
    corners = corners[
        (above.any(axis=1) & ~above.all(axis=1)) & np.isfinite(flat[corners]).all(axis=1)
    ]
    above = flat[corners] > level
    single = np.where(above.sum(axis=1) == 1, above.argmax(axis=1), above.argmin(axis=1))
    places = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    rows, tip = np.arange(len(corners)), corners[np.arange(len(corners)), single]
    ends = []
    for step in (1, 2):
        neighbour = corners[rows, (single + step) % 3]
        share = (level - flat[tip]) / (flat[neighbour] - flat[tip])
        ends.append(places[tip] + share[:, None] * (places[neighbour] - places[tip]))
    return np.stack(ends, axis=1)


def surface_scene(problem: SurfaceProblem) -> Scene:
    """Return the surface alone, in one frame."""
    heights = problem.grid(SIZE)[2]
    caption = f"f = {problem.formula}, from {np.nanmin(heights):.4g} to {np.nanmax(heights):.4g}."
    table = LedgerTable(
        ("level",), [(float(level),) for level in surface_levels(problem)], "Level lines"
    )
    note = (
        "Between two level lines lies a tenth of the map, so they are not equally far apart in"
        " height."
    )
    return Scene(
        (surface_panel(problem),), surface_marks(problem), (Frame(caption, (table,)),), (note,)
    )


def _half(values: Floats) -> float:
    return float(values[1] - values[0]) / 2
