"""The table of a dynamic program as a picture: cells that are filled, the moves into one of them, and the path back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Bytes, Floats
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import NO_CLASS, Channel, Line, Mark, PerFrame, Points, Raster, Rects, Segments, Texts
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.words import short

Cell = tuple[int, int]

MOST_ROWS, MOST_COLUMNS = 16, 11  # of a table whose values are written in its cells
MOST_PIXELS = 120  # along each side of the image of a table
SHADED = 0.55  # opacity of the largest value: numbers are read on it
CHOSEN = 1  # the class whose colour the move that is taken has
NEAR, FAR = 0.2, 0.25  # how far from the middles of two cells an arrow begins and ends
ON_PATH = 0.4  # opacity of a cell of the path
LIGHTEST = 20  # shade of the smallest value: a filled cell is never white
SQUARE = np.array([[-0.5, 0.5, 0.5, -0.5, -0.5], [-0.5, -0.5, 0.5, 0.5, -0.5]])
PANEL = "table"


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


@dataclass(frozen=True)
class TableFrame:
    """What one frame shows of a table.

    Attributes
    ----------
    cell : tuple of (int, int)
        The cell that it is about.
    n_filled : int
        How many cells are filled, in the order of the rows.
    sources : sequence of tuple of (int, int)
        The cells that moves into it come from.
    chosen : int
        The number of the one that is taken; -1 for none.
    path : sequence of tuple of (int, int)
        The cells of the path so far.
    """

    cell: Cell
    n_filled: int
    sources: Sequence[Cell] = ()
    chosen: int = -1
    path: Sequence[Cell] = ()


class TablePicture:
    """A table with its first row on top.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_columns)
        What the cells hold in the end; infinite where they are not used.
    frames : sequence of TableFrame
        What each frame shows.
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
        frames: Sequence[TableFrame],
        *,
        down: str,
        across: str,
        rows: Sequence[str] = (),
        columns: Sequence[str] = (),
        title: str = "",
    ) -> None:
        self.values, self.frames = values, frames
        self.labels = (down, across)
        n, m = values.shape
        self.rows = rows or [str(i + 1) for i in range(n)]
        self.columns = columns or [str(j + 1) for j in range(m)]
        self.title = title
        self.n_columns = m

    @property
    def panel(self) -> Panel:
        """The panel of the table."""
        n, m = self.values.shape
        across = Axis(self.labels[1], -0.5, m - 0.5, ticks=self.columns)
        down = Axis(self.labels[0], -0.5, n - 0.5, ticks=list(self.rows)[::-1])
        return Panel(PANEL, across, down, title=self.title)

    def marks(self) -> list[Mark]:
        """Return the cells with their values, the moves into the current one, and the path."""
        return [*self._excluded(), self._cells(), *self._path(), *self._moves(), *self._numbers(), *self._current()]

    @property
    def written(self) -> bool:
        """Whether the values are written in the cells."""
        n, m = map(int, self.values.shape)
        return n <= MOST_ROWS and m <= MOST_COLUMNS

    # --- cells --------------------------------------------------------------------------------------------------------

    def _cells(self) -> Raster:
        values = self.values[:: self._stride, :: self._stride]
        finite = values[np.isfinite(values)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        scaled = (values - low) / (high - low) if high > low else np.ones_like(values)
        shade = np.where(
            np.isfinite(values), LIGHTEST + (255 - LIGHTEST) * np.nan_to_num(scaled, posinf=0, neginf=0), 0
        )
        shades = shade.astype(np.uint8)
        numbers = np.arange(1, self.values.size + 1) if self._stride == 1 else None
        pixels = self._each(lambda frame: self._filled(shades, frame).ravel())
        return self._raster(pixels, ramp=True, opacity=SHADED, numbers=numbers, of="cell")

    def _filled(self, shades: Bytes, frame: TableFrame) -> Bytes:
        n, m = self.values.shape
        if frame.n_filled >= n * m:
            return shades
        shown = np.zeros_like(shades)
        if self._stride > 1:
            ready = frame.n_filled // m // self._stride
            shown[:ready] = shades[:ready]
        else:
            shown.ravel()[: frame.n_filled] = shades.ravel()[: frame.n_filled]
        return shown

    def _excluded(self) -> list[Mark]:
        """Return the cells that are not used, in grey."""
        unused = ~np.isfinite(self.values[:: self._stride, :: self._stride])
        if not unused.any():
            return []
        shade = np.where(unused, 255, 0).astype(np.uint8).ravel()
        return [self._raster(np.full(shade.size, NO_CLASS, np.uint8), shade=shade, opacity=0.3)]

    def _raster(self, pixels: Channel, **more: Any) -> Raster:
        n, stride = self.values.shape[0], self._stride
        height, width = (-(-size // stride) for size in self.values.shape)
        extent = (-0.5, width * stride - 0.5, n - 0.5 - height * stride, n - 0.5)  # the last pixels may reach beyond
        return Raster(panel=PANEL, pixels=pixels, width=width, height=height, extent=extent, crisp=True, **more)

    @property
    def _stride(self) -> int:
        """How many cells a pixel stands for, along each side."""
        return -(-max(map(int, self.values.shape)) // MOST_PIXELS)

    def _numbers(self) -> list[Mark]:
        """Return the values of a small table, each from the step on that fills it."""
        n, m = self.values.shape
        if not self.written:
            return []
        texts = [f"{short(v):g}".replace("-", "−") if np.isfinite(v) else "" for v in self.values.ravel()]
        i, j = np.divmod(np.arange(n * m), m)
        there = np.isfinite(self.values.ravel())
        x = np.where(there, j.astype(float), np.nan)

        def filled(frame: TableFrame) -> Floats:
            return np.where(np.arange(n * m) < frame.n_filled, x, np.nan)

        return [Texts(panel=PANEL, x=self._each(filled), y=self._up(i), text=texts)]

    # --- moves and path -----------------------------------------------------------------------------------------------

    def _up(self, rows: NDArray[np.generic] | Sequence[int]) -> Floats:
        up: Floats = self.values.shape[0] - 1.0 - np.asarray(rows, float)
        return up

    def _moves(self) -> list[Mark]:
        """Return arrows into the current cell, from where the moves come; the one that is taken in a colour."""

        def ends(frame: TableFrame) -> tuple[Floats, Floats]:
            """Return where the arrows begin and end: between the values, which stay readable."""
            start, end = np.array(frame.sources, float).reshape(-1, 2), np.array(frame.cell, float)
            return start + NEAR * (end - start), end - FAR * (end - start) / np.abs(end - start).max(initial=1)

        def colors(frame: TableFrame) -> Bytes:
            found = np.full(len(frame.sources), NO_CLASS, np.uint8)
            if frame.chosen >= 0:
                found[frame.chosen] = CHOSEN
            return found

        def place(k: int, axis: int) -> PerFrame:
            def of(frame: TableFrame) -> Floats:
                found = ends(frame)[k][:, axis]
                return found if axis else self._up(found)

            return self._each(of)

        more: dict[str, Any] = {"x0": place(0, 1), "y0": place(0, 0), "x1": place(1, 1), "y1": place(1, 0)}
        more |= self._about(lambda frame: frame.sources)
        return [Segments(panel=PANEL, color=self._each(colors), width=2.0, arrow=True, **more)]

    def _path(self) -> list[Mark]:
        """Return the path: as a line, or as cells where values are read on it."""

        def at(axis: int, by: float = 0.0) -> PerFrame:
            def places(frame: TableFrame) -> Floats:
                cells = np.array(frame.path, float).reshape(-1, 2)[:, axis]
                return (cells if axis else self._up(cells)) + by

            return self._each(places)

        if not self.written:
            return [Line(panel=PANEL, x=at(1), y=at(0), color="ink", width=3.0, of="")]
        more: dict[str, Any] = {"x0": at(1, -0.5), "x1": at(1, 0.5), "y0": at(0, -0.5), "y1": at(0, 0.5)}
        more |= self._about(lambda frame: frame.path)
        return [Rects(panel=PANEL, color=[CHOSEN], opacity=[ON_PATH], **more)]

    def _current(self) -> list[Mark]:
        """Return the outline of the current cell, and the point by which it is dragged to another one."""
        outline = Line(
            panel=PANEL,
            x=self._each(lambda frame: frame.cell[1] + SQUARE[0]),
            y=self._each(lambda frame: self._up([frame.cell[0]]) + SQUARE[1]),
            color="ink",
            width=2.5,
            of="",
        )
        point = Points(
            panel=PANEL,
            x=self._each(lambda frame: np.array([float(frame.cell[1])])),
            y=self._each(lambda frame: self._up([frame.cell[0]])),
            color=[CHOSEN],
            size=[6.0],
            opacity=[0.0 if self.written else 1.0],  # the value of a small table is read there
            leads="xy",
            **self._about(lambda frame: frame.cell),
        )
        return [outline, point]

    def _about(self, cells: Callable[[TableFrame], ArrayLike]) -> dict[str, Any]:
        """Return what the parts of a mark are about: cells of each frame."""
        return {"numbers": self._each(lambda frame: cell_numbers(cells(frame), self.n_columns)), "of": "cell"}

    def _each(self, value: Callable[[TableFrame], Any]) -> PerFrame:
        return PerFrame(Deferred(value, self.frames))
