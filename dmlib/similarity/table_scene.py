"""The table of a dynamic program: filled cells, the moves into one of them, and the path back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Bytes, Floats
from dmlib.pictures.marks import NO_CLASS, Line, Mark, Points, Raster, Rects, Segments, Texts
from dmlib.pictures.places import line_through, points_at, segments_between, visible_where
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.words import short
from dmlib.similarity.recurrence import Move

MAX_ROWS, MAX_COLUMNS = 16, 11  # of a table whose values are written in its cells
MAX_PIXELS = 120  # along each side of the image of a table
SHADED = 0.55  # opacity of the largest value: numbers are read on it
CHOSEN = 1  # the class whose colour the move that is taken has
START_GAP, END_GAP = 0.2, 0.25  # between an arrow and the middles of its cells
ON_PATH = 0.4  # opacity of a cell of the path
LIGHTEST = 20  # shade of the smallest value: a filled cell is never white
SQUARE = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5]])
PANEL = "table"
MAX_FRAMES: Mapping[tuple[str, ...], int] = {("start", "cell"): 120, ("trace",): 80}


def cell_numbers(cells: ArrayLike, n_columns: int) -> list[int]:
    """Return the numbers of cells, row by row from 1, by which rows of ledger tables light them.

    Examples
    --------
    >>> cell_numbers([(0, 0), (1, 2)], 4)
    [1, 7]
    """
    rows, columns = np.asarray(cells, int).reshape(-1, 2).T
    numbers: list[int] = (rows * n_columns + columns + 1).tolist()
    return numbers


class TablePlot:
    """A table that is filled, and traced back, with its first row on top.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_columns)
        The values of all cells; infinite where they are not used.
    moves : sequence of Move
        The moves into a cell, in the order of the candidates of a step.
    down, across : str
        Labels of the axes.
    rows, columns : sequence of str
        Names of the rows and the columns; by default their numbers from 1.
    title : str
        The panel's heading.
    """

    def __init__(
        self,
        values: Floats,
        moves: Sequence[Move],
        *,
        down: str,
        across: str,
        rows: Sequence[str] = (),
        columns: Sequence[str] = (),
        title: str = "",
    ) -> None:
        self.values, self.moves = values, moves
        self.n_rows, self.n_columns = map(int, values.shape)
        row_names = rows or [str(i + 1) for i in range(self.n_rows)]
        column_names = columns or [str(j + 1) for j in range(self.n_columns)]
        self.panel = Panel(
            PANEL,
            Axis(across, -0.5, self.n_columns - 0.5, ticks=column_names),
            Axis(down, -0.5, self.n_rows - 0.5, ticks=list(row_names)[::-1]),
            title=title,
        )
        self.has_numbers = self.n_rows <= MAX_ROWS and self.n_columns <= MAX_COLUMNS
        # cells of a pixel, along each side
        self._stride = -(-max(self.n_rows, self.n_columns) // MAX_PIXELS)
        self._shades = self._shades_of(values[:: self._stride, :: self._stride])
        self._excluded = self._excluded_cells()
        self._numbers = self._value_texts() if self.has_numbers else None

    def marks(self, step: Any) -> list[Mark]:
        """Return the cells with their values, the moves into the current cell, and the path.

        Parameters
        ----------
        step : object
            A step with ``phase``, ``cell``, ``n_filled``, ``candidates``, ``choice`` and ``path``.
        """
        return [
            *self._excluded,
            self._cells(step.n_filled),
            self._path(step.path),
            self._arrows(step),
            *self._filled_numbers(step.n_filled),
            *self._current(step.cell),
        ]

    # --- cells ------------------------------------------------------------------------------------

    @staticmethod
    def _shades_of(values: Floats) -> Bytes:
        """Return the shade of each pixel: dark where the value is large, white in unused cells."""
        is_used = np.isfinite(values)
        low, high = (values[is_used].min(), values[is_used].max()) if is_used.any() else (0.0, 1.0)
        scaled = np.ones_like(values)
        if high > low:
            scaled = np.where(is_used, values - low, 0.0) / (high - low)
        return np.where(is_used, LIGHTEST + (255 - LIGHTEST) * scaled, 0).astype(np.uint8)

    def _cells(self, n_filled: int) -> Raster:
        numbers = np.arange(1, self.values.size + 1) if self._stride == 1 else None
        pixels = self._filled(n_filled).ravel()
        return self._raster(pixels, ramp=True, opacity=SHADED, numbers=numbers, of="cell")

    def _filled(self, n_filled: int) -> Bytes:
        if n_filled >= self.values.size:
            return self._shades
        filled = np.zeros_like(self._shades)
        if self._stride > 1:
            n_lines = n_filled // self.n_columns // self._stride
            filled[:n_lines] = self._shades[:n_lines]
        else:
            filled.ravel()[:n_filled] = self._shades.ravel()[:n_filled]
        return filled

    def _excluded_cells(self) -> list[Raster]:
        """Return the cells that are not used, in grey."""
        unused = ~np.isfinite(self.values[:: self._stride, :: self._stride])
        if not unused.any():
            return []
        shade = np.where(unused, 255, 0).astype(np.uint8).ravel()
        return [self._raster(np.full(shade.size, NO_CLASS, np.uint8), shade=shade, opacity=0.3)]

    def _raster(self, pixels: Bytes, **attributes: Any) -> Raster:
        height, width = self._shades.shape
        right, low = width * self._stride - 0.5, self.n_rows - 0.5 - height * self._stride
        extent = (-0.5, right, low, self.n_rows - 0.5)  # the last pixels may reach beyond
        shape: dict[str, Any] = {"width": width, "height": height, "extent": extent}
        return Raster(panel=PANEL, pixels=pixels, crisp=True, **shape, **attributes)

    def _value_texts(self) -> Texts:
        """Return the values of all cells that are used."""
        values = self.values.ravel()
        i, j = np.divmod(np.arange(values.size), self.n_columns)
        x = np.where(np.isfinite(values), j, np.nan)
        texts = [_number_text(value) for value in values]
        return Texts(panel=PANEL, x=x, y=self.n_rows - 1.0 - i, text=texts)

    def _filled_numbers(self, n_filled: int) -> list[Texts]:
        """Return the values of a small table, as far as it is filled."""
        if self._numbers is None:
            return []
        return [visible_where(np.arange(self.values.size) < n_filled, self._numbers)]

    # --- moves and path ---------------------------------------------------------------------------

    def _places(self, cells: ArrayLike) -> Floats:
        """Return the middles of cells, shape (n_cells, 2)."""
        rows, columns = np.asarray(cells, float).reshape(-1, 2).T
        return np.column_stack([columns, self.n_rows - 1.0 - rows])

    def _arrows(self, step: Any) -> Segments:
        """Return arrows of the possible moves into the current cell; the chosen one in a colour."""
        candidates = () if step.phase == "done" else step.candidates
        possible = np.flatnonzero(np.isfinite(candidates)).tolist()
        i, j = step.cell
        sources = [(i - self.moves[k].rows, j - self.moves[k].columns) for k in possible]
        start, end = self._places(sources), self._places(step.cell)
        arrow = end - start
        length = np.abs(arrow).max(initial=1)
        return segments_between(
            start + START_GAP * arrow,  # between the values, which stay readable
            end - END_GAP * arrow / length,
            panel=PANEL,
            color=np.where(possible == step.choice, CHOSEN, NO_CLASS).astype(np.uint8),
            width=2.0,
            arrow=True,
            **self._about(sources),
        )

    def _path(self, cells: ArrayLike) -> Line | Rects:
        """Return the path: as a line, or as cells where values are read on it."""
        places = self._places(cells)
        if not self.has_numbers:
            return line_through(places, panel=PANEL, width=3.0, of="")
        (x0, y0), (x1, y1) = (places - 0.5).T, (places + 0.5).T
        corners: dict[str, Any] = {"x0": x0, "y0": y0, "x1": x1, "y1": y1}
        style: dict[str, Any] = {"color": [CHOSEN], "opacity": [ON_PATH]}
        return Rects(panel=PANEL, **corners, **style, **self._about(cells))

    def _current(self, cell: tuple[int, int]) -> tuple[Line, Points]:
        """Return the outline of the current cell, and the point by which it is dragged."""
        place = self._places(cell)
        outline = line_through(place + SQUARE, panel=PANEL, width=2.5, of="")
        point = points_at(
            place,
            panel=PANEL,
            color=[CHOSEN],
            size=[6.0],
            opacity=[0.0 if self.has_numbers else 1.0],  # the value of a small table is read there
            leads="xy",
            **self._about(cell),
        )
        return outline, point

    def _about(self, cells: ArrayLike) -> dict[str, Any]:
        """Return the numbers of the cells that the parts of a mark are about."""
        return {"numbers": cell_numbers(cells, self.n_columns), "of": "cell"}


def _number_text(value: float) -> str:
    return f"{short(value):g}".replace("-", "−") if np.isfinite(value) else ""
