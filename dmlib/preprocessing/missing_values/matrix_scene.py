"""A table with holes as an image of its cells, and the patterns of its missing values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Bytes, Floats
from dmlib.pictures.marks import NO_CLASS, Mark, Points, Raster, Rects, Texts
from dmlib.pictures.places import NOWHERE, points_at
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.story import Moment, Plot
from dmlib.preprocessing import ImputerStep
from dmlib.problem import Problem

FILLED, OPEN, NEIGHBOR = 0, 1, 2  # colours of filled holes, open holes and neighbours
MAX_COLUMNS = 30
MAX_PATTERNS = 8
MAX_NEIGHBORS = 30


def turns_of(holes: NDArray[np.bool_], *, drops_rows: bool) -> NDArray[np.intp]:
    """Return the turn of each hole, from 1 in the order of the cells; 0 for known values.

    Where rows are left out, all cells of a row have its number; those of complete rows are never
    left out.
    """
    if not drops_rows:
        return np.where(holes, np.cumsum(holes.ravel()).reshape(holes.shape), 0)
    has_holes = holes.any(axis=1)
    turns = np.where(has_holes, np.cumsum(has_holes), len(holes) + 1)
    return np.repeat(turns[:, None], holes.shape[1], axis=1)


def matrix_plot(problem: Problem, *, drops_rows: bool) -> Plot:
    """Return the table as an image: known cells shaded by their ranks, holes coloured."""
    X = problem.X[:, :MAX_COLUMNS]
    n, d = X.shape
    panel = Panel(
        "matrix",
        Axis("column", -0.5, d - 0.5, ticks=problem.features[:d]),
        Axis("rows, the first on top", 0.0, float(n), ticks=("",)),
        "The table: a stronger cell is a larger value",
    )
    image = Raster(
        panel="matrix",
        pixels=_shades(X).ravel(),
        width=d,
        height=n,
        extent=(-0.5, d - 0.5, 0.0, float(n)),
        ramp=True,
        opacity=0.6,
        crisp=True,
    )
    cells = np.argwhere(np.isnan(X))
    turns = turns_of(np.isnan(problem.X), drops_rows=drops_rows)[cells[:, 0], cells[:, 1]]

    def marks(moment: Moment) -> list[Mark]:
        step: ImputerStep = moment.step
        color = np.where(turns <= step.n_done, FILLED, OPEN).astype(np.uint8)
        return [image, _holes(problem, cells, color), _neighbors(step, n, d), _cell(step, n, d)]

    return Plot(panel, marks)


def _shades(X: Floats) -> Bytes:
    """Return the shade of each cell by its rank in its column; 0 for holes."""
    shades = np.zeros(X.shape, np.uint8)
    for j, column in enumerate(X.T):
        is_known = ~np.isnan(column)
        rank = np.argsort(np.argsort(column[is_known], kind="stable"), kind="stable")
        shades[is_known, j] = 40 + (150 * rank / max(is_known.sum() - 1, 1)).astype(int)
    return shades


def _holes(problem: Problem, cells: NDArray[np.intp], color: Bytes) -> Rects:
    rows, columns = cells.T
    top = len(problem.X) - rows.astype(float)
    return Rects(
        panel="matrix",
        x0=columns - 0.47,
        x1=columns + 0.47,
        y0=top - 1,
        y1=top,
        color=color,
        opacity=[0.95],
        numbers=problem.rows[rows] + 1,
    )


def _neighbors(step: ImputerStep, n: int, d: int) -> Rects:
    """Return the cells of a step's column in its neighbours, thick enough to be visible."""
    thickness = max(1.0, n / 90)
    rows = step.neighbors[:MAX_NEIGHBORS] if 0 <= step.column < d else step.neighbors[:0]
    middle = n - rows - 0.5
    return Rects(
        panel="matrix",
        x0=np.full(len(rows), step.column - 0.47),
        x1=np.full(len(rows), step.column + 0.47),
        y0=middle - thickness / 2,
        y1=middle + thickness / 2,
        color=[NEIGHBOR],
        opacity=[0.95],
    )


def _cell(step: ImputerStep, n: int, d: int) -> Points:
    """Return the cell that a step fills, or the first of the row that it leaves out."""
    is_in_view = step.row >= 0 and step.column < d
    place = [(max(step.column, 0), n - step.row - 0.5)] if is_in_view else NOWHERE
    return points_at(place, panel="matrix", color=[FILLED], size=[5.0], emphasis=True, of="")


def patterns_plot(problem: Problem) -> Plot:
    """Return the patterns of columns that are missing together, with their rows."""
    holes = np.isnan(problem.X[:, :MAX_COLUMNS])
    patterns, counts = np.unique(holes, axis=0, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:MAX_PATTERNS]
    d, m = holes.shape[1], len(order)
    few = "" if m == len(counts) else f" ({m} of {len(counts)})"
    panel = Panel(
        "patterns",
        Axis("", -0.5, 1.5 * d + 0.2),
        Axis("", 0.0, float(m), ticks=("",)),
        f"Patterns, columns in order{few}",
        side=True,
    )
    marks = [_pattern_cells(patterns[order]), _pattern_counts(counts[order], d)]
    return Plot(panel, lambda moment: marks)


def _pattern_cells(patterns: NDArray[np.bool_]) -> Rects:
    m, d = patterns.shape
    rows, columns = np.divmod(np.arange(m * d), d)
    is_missing = patterns.ravel()
    return Rects(
        panel="patterns",
        x0=columns - 0.45,
        x1=columns + 0.45,
        y0=m - rows - 0.9,
        y1=m - rows - 0.1,
        color=np.where(is_missing, OPEN, NO_CLASS).astype(np.uint8),
        opacity=np.where(is_missing, 0.95, 0.25),
        of="",
    )


def _pattern_counts(counts: NDArray[np.intp], d: int) -> Texts:
    m = len(counts)
    unit = " rows" if d < 9 else ""
    text = [f"{k}{unit}" for k in counts]
    return Texts(
        panel="patterns",
        x=np.full(m, d - 0.4),
        y=m - np.arange(m) - 0.5,
        text=text,
        anchor="start",
        dy=4.0,
    )
