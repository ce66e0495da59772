"""A table as shades or small pictures: its rows as they are and rebuilt, and its parts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.decomposition.factorisation.algorithm import FactorStep
from dmlib.decomposition.factorisation.tiles_scene import sheet, tile_frames, unit_parts
from dmlib.decomposition.pixels import pixel_grid
from dmlib.evenly import evenly
from dmlib.pictures.marks import Mark, Raster
from dmlib.pictures.places import visible_if
from dmlib.pictures.scene import Axis, Panel
from dmlib.problem import BagsProblem, Problem

Pixels = NDArray[np.integer[Any]]
MAX_PICTURES, MAX_ROWS, MAX_COLUMNS = 20, 50, 40  # rows and columns that are drawn
MAX_PARTS = 16
N_ACROSS, N_PARTS_ACROSS = 10, 8  # pictures beside each other
GAP, GAP_SHARE = 3.0, 0.08  # between the tables: pixels, or a share of the width
MAX_NAMED = 12  # columns up to which they are named


class TableView:
    """The rows and columns of a table that are drawn: pictures where its columns are pixels.

    Parameters
    ----------
    problem : Problem
        The table.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem, self.grid = problem, pixel_grid(problem.features)
        self.n, self.p = problem.X.shape
        self.rows = evenly(self.n, MAX_PICTURES if self.grid else MAX_ROWS)
        self.columns = self._columns()
        self.size = len(self.rows) * len(self.columns)
        axis = None if self.grid else 0
        low, high = problem.X.min(axis=axis), problem.X.max(axis=axis)
        self.low, self.unit = np.broadcast_to(low, self.p), np.where(high > low, high - low, 1.0)

    def _columns(self) -> NDArray[np.intp]:
        if self.grid:
            return np.arange(self.p)
        if not isinstance(self.problem, BagsProblem):
            return np.arange(min(self.p, MAX_COLUMNS))
        heaviest = np.argsort(-np.abs(self.problem.X).sum(axis=0), kind="stable")
        columns: NDArray[np.intp] = np.sort(heaviest[:MAX_COLUMNS])
        return columns

    def notes(self, n_parts: int) -> tuple[str, ...]:
        """Return what is not drawn."""
        notes = []
        if self.n > len(self.rows):
            notes.append(f"{len(self.rows)} of {self.n} rows are drawn.")
        if self.p > len(self.columns):
            rank = "heaviest" if isinstance(self.problem, BagsProblem) else "first"
            notes.append(f"The {rank} {len(self.columns)} of {self.p} columns are drawn.")
        if not self.grid:
            notes.append("Each column is shaded from its smallest value to its largest.")
        if n_parts > MAX_PARTS:
            notes.append(f"The first {MAX_PARTS} of {n_parts} parts are drawn.")
        return tuple(notes)

    def arranged(self, values: Pixels, n_across: int) -> Pixels:
        """Return rows as pictures beside each other, or as they are."""
        if self.grid is None:
            return values
        tiles = values.reshape(len(values), *self.grid)
        pixels: Pixels = sheet(tiles, max(1, min(n_across, len(values))))
        return pixels

    def shades(self, X: Floats) -> Pixels:
        """Return the shades of rows, from 0 to 255."""
        shades = (np.clip((X - self.low) / self.unit, 0, 1) * 255).astype(np.uint8)
        return self.arranged(shades[:, self.columns], N_ACROSS)

    def numbers(self, first: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the numbers of the cells of rows or parts with these numbers."""
        numbers: NDArray[np.intp] = first[:, None] * self.p + self.columns + 1
        return numbers


class TablePlot:
    """The rows of a table as they are, and as codes and parts make them.

    Parameters
    ----------
    view : TableView
        The rows and columns that are drawn.
    """

    def __init__(self, view: TableView) -> None:
        self.view = view
        shades = view.shades(view.problem.X[view.rows])
        self.height, self.width = shades.shape
        self.cells = view.arranged(view.numbers(view.rows), N_ACROSS).ravel()
        if view.grid:
            shift, x, y = (0.0, self.height + GAP), self.width, 2 * self.height + GAP
            self.places = (shift, (0.0, 0.0))
            title = "Rows above, reconstructions below"
        else:
            gap = max(1.0, GAP_SHARE * self.width)
            shift, x, y = (self.width + gap, 0.0), 2 * self.width + gap, self.height
            self.places = ((0.0, 0.0), shift)
            title = "Table and reconstruction"
        axes = Axis("", 0.0, x), Axis("", 0.0, y)
        self.panel = Panel("data", *axes, title, equal=view.grid is not None)
        self.original = self._raster(shades, self.places[0])

    def marks(self, step: FactorStep) -> tuple[Mark, ...]:
        """Return the table, and its reconstruction."""
        rebuilt = step.codes[self.view.rows] @ step.parts + step.offset
        return self.original, self._raster(self.view.shades(rebuilt), self.places[1])

    def _raster(self, shades: Pixels, place: tuple[float, float]) -> Raster:
        x, y = place
        return Raster(
            panel="data",
            pixels=shades.ravel(),
            width=self.width,
            height=self.height,
            extent=(x, x + self.width, y, y + self.height),
            ramp=True,
            opacity=1.0,
            crisp=True,
            numbers=self.cells,
            of="cell",
        )


class PartsPlot:
    """The parts: positive and negative weights in the colours of the first two classes.

    Parameters
    ----------
    view : TableView
        The rows and columns of the table that are drawn.
    n_parts : int
        The number of parts at the end.
    """

    def __init__(self, view: TableView, n_parts: int) -> None:
        self.view, self.n = view, min(n_parts, MAX_PARTS)
        weights = view.arranged(view.numbers(np.arange(self.n)), N_PARTS_ACROSS)
        self.weights = weights.ravel()
        self.height, self.width = (max(size, 1) for size in weights.shape)
        self.panel = self._panel()
        tile, n_across, gap = (1, len(view.columns)), 1, 0
        if view.grid:
            tile, n_across, gap = view.grid, N_PARTS_ACROSS, 1
        self.frames = tile_frames(self.n, n_across, tile, gap, -0.5, panel="parts", of="part")

    def _panel(self) -> Panel:
        view = self.view
        x, y = (-0.5, self.width - 0.5), (-0.5, self.height - 0.5)
        if view.grid:
            return Panel("parts", Axis("", *x, integer=True), Axis("", *y), "Parts", equal=True)
        names = view.problem.features if len(view.columns) <= MAX_NAMED else ()
        numbers = tuple(str(j) for j in range(self.height, 0, -1))  # the first part stands on top
        across = Axis("column", *x, ticks=names, integer=not names)
        return Panel("parts", across, Axis("part", *y, ticks=numbers), "Parts")

    def marks(self, step: FactorStep) -> tuple[Mark, ...]:
        """Return the parts of a step.

        Frames lie over the weights, so they are there only while the ledger is about parts.
        """
        if not self.n:
            return ()
        parts = np.zeros((self.n, len(self.view.columns)))
        visible = step.parts[: self.n, self.view.columns]
        parts[: len(visible)] = visible
        is_bags = isinstance(self.view.problem, BagsProblem)
        has_frames = is_bags or step.phase not in ("component", "done")
        return self._raster(unit_parts(parts)), visible_if(has_frames, self.frames)

    def _raster(self, parts: Floats) -> Raster:
        signs = (parts < 0).astype(np.uint8)
        sizes = np.round(255 * np.abs(parts)).astype(np.uint8)
        return Raster(
            panel="parts",
            pixels=self.view.arranged(signs, N_PARTS_ACROSS).ravel(),
            shade=self.view.arranged(sizes, N_PARTS_ACROSS).ravel(),
            width=self.width,
            height=self.height,
            extent=(-0.5, self.width - 0.5, -0.5, self.height - 0.5),
            opacity=1.0,
            crisp=True,
            numbers=self.weights,
            of="weight",
        )
