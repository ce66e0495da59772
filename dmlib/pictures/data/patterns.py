"""Patterns of cells as small pictures on a sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Bytes, Floats
from dmlib.cached import cached_property
from dmlib.pictures.marks import NO_CLASS, Channel, Mark, Points, Raster, Rects, Segments, Texts
from dmlib.pictures.places import NOWHERE, line_through
from dmlib.pictures.scene import Axis, Frame, Panel, Scene
from dmlib.pictures.words import percent
from dmlib.problem import PatternsProblem

BAR = (0.25, 0.75)  # cells below a grid between which a bar is drawn
TRACK = 0.15  # opacity of the room of a bar
ACROSS, ABOVE = 1, 2  # cells between grids side by side; above each, for its name
CHARACTERS = 44  # in a line across a panel of a small screen
SHAPES = (0.85, 2.2)  # width of a panel in heights: on a screen, on a phone
MAX_SHOWN = 60
INK = 255  # the shade of a cell that is on
OFF = 18  # and of one that is off, so that it is told from the paper around


def shades(values: ArrayLike) -> Bytes:
    """Return numbers from 0 to 1 as shades of a raster's ramp: 0 is pale, 1 is ink.

    Examples
    --------
    >>> shades([0.0, 0.5, 1.0]).tolist()
    [18, 136, 255]
    """
    levels: Bytes = np.rint(OFF + (INK - OFF) * np.asarray(values, float)).astype(np.uint8)
    return levels


def cell_bits(cells: ArrayLike) -> str:
    """Return cells as a text of 0 and 1, as the handle of a grid has them.

    Examples
    --------
    >>> cell_bits([[True, False], [True, True]])
    '1011'
    """
    return "".join("1" if cell else "0" for cell in np.ravel(cells))


@dataclass(frozen=True)
class Sheet:
    """Grids of one size beside and below each other; a cell is a square of one unit, y goes up.

    Attributes
    ----------
    n : int
        How many grids there are.
    height, width : int
        Cells of each.
    """

    n: int
    height: int
    width: int

    @cached_property
    def across(self) -> int:
        """Number of grids in a row for which the sheet is large on a screen and on a phone.

        Examples
        --------
        >>> Sheet(5, 8, 8).across, Sheet(12, 8, 8).across
        (3, 4)
        """

        def extent(across: int) -> float:
            width, height = self._size(across)
            return prod(max(width / shape, height) for shape in SHAPES)

        return min(range(1, self.n + 1), key=extent)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the sheet in cells."""
        return self._size(self.across)

    def _size(self, across: int) -> tuple[int, int]:
        down = -(-self.n // across)
        return across * (self.width + ACROSS) + ACROSS, down * (self.height + ABOVE) + ACROSS

    @property
    def corners(self) -> Floats:
        """The top left corner of each grid, shape (n, 2)."""
        down, across = np.divmod(np.arange(self.n), self.across)
        x = ACROSS + across * (self.width + ACROSS)
        y = self.size[1] - ABOVE - down * (self.height + ABOVE)
        return np.column_stack([x, y]).astype(float)

    def panel(self, name: str = "data", title: str = "") -> Panel:
        """Return a panel that holds the sheet."""
        across, down = self.size
        return Panel(
            name, Axis("", 0.0, float(across)), Axis("", 0.0, float(down)), title=title, equal=True
        )

    def pixels(self, grids: Sequence[ArrayLike]) -> Bytes:
        """Return the shades of the sheet for grids of values in [0, 1], (height, width) each."""
        return self.spread([shades(grid) for grid in grids]).astype(np.uint8)

    def spread(self, grids: Sequence[ArrayLike]) -> Floats:
        """Return grids of shape (height, width) as the pixels of the sheet, 0 around them."""
        across, down = self.size
        image = np.zeros((down, across))
        for grid, (x, y) in zip(grids, self.corners.astype(int), strict=True):
            image[down - y : down - y + self.height, x : x + self.width] = grid
        return image.ravel()

    def raster(self, pixels: Channel, panel: str = "data") -> Raster:
        """Return the mark of such shades."""
        across, down = self.size
        extent = (0.0, float(across), 0.0, float(down))
        return Raster(
            panel=panel,
            pixels=pixels,
            width=across,
            height=down,
            extent=extent,
            ramp=True,
            opacity=1.0,
            crisp=True,
        )

    def frames(self, panel: str = "data") -> Segments:
        """Return the thin lines around each grid."""
        x0, y1 = self.corners.T
        x1, y0 = x0 + self.width, y1 - self.height
        starts, ends = (
            np.hstack([[x0, y1], [x1, y1], [x1, y0], [x0, y0]]),
            np.hstack([[x1, y1], [x1, y0], [x0, y0], [x0, y1]]),
        )
        return Segments(
            panel=panel, x0=starts[0], y0=starts[1], x1=ends[0], y1=ends[1], width=1.0, of=""
        )

    def names(self, names: Sequence[str], panel: str = "data") -> Texts:
        """Return the name above each grid."""
        x, y = self.corners.T
        max_length = max(3, CHARACTERS * self.width // self.size[0])
        short = [
            name if len(name) <= max_length else name[: max_length - 1] + "…" for name in names
        ]
        return Texts(panel=panel, x=x + self.width / 2, y=y + 1.0, text=short, dy=3, halo=True)

    def bars(self, values: Floats, panel: str = "data", first: int = 0) -> tuple[Mark, ...]:
        """Return a gauge below each grid: right of its middle for positive values, else left.

        Parameters
        ----------
        values : ndarray of shape (n_grids,)
            From -1 to 1; NaN for no bar.
        panel : str
            The panel of the sheet.
        first : int
            The grid that the first value belongs to.
        """
        x, y = self.corners[first:].T
        middle, bottom = x + self.width / 2, y - self.height
        ticks = Segments(
            panel=panel,
            x0=middle,
            x1=middle,
            y0=bottom - BAR[0],
            y1=bottom - BAR[1],
            width=1.0,
            of="",
        )
        has_bar = ~np.isnan(values)
        values, middle, bottom = values[has_bar], middle[has_bar], bottom[has_bar]
        ends, half, n = middle + values * self.width / 2, self.width / 2, len(values)
        bars = Rects(
            panel=panel,
            x0=np.append(middle - half, np.minimum(middle, ends)),
            x1=np.append(middle + half, np.maximum(middle, ends)),
            y0=np.tile(bottom - BAR[1], 2),
            y1=np.tile(bottom - BAR[0], 2),
            color=np.append(np.full(n, NO_CLASS), values < 0).astype(np.uint8),
            opacity=np.repeat([TRACK, 0.9], n),
            of="",
        )
        return bars, ticks

    def marks(
        self, grids: Sequence[ArrayLike], names: Sequence[str], panel: str = "data"
    ) -> tuple[Mark, ...]:
        """Return grids that stay as they are, with their frames and names."""
        return self.raster(self.pixels(grids), panel), self.frames(panel), self.names(names, panel)


@dataclass(frozen=True)
class StateGrid:
    """One large grid: the state of units, each a cell of one unit, y goes up.

    Attributes
    ----------
    height, width : int
        Cells.
    """

    height: int
    width: int

    @property
    def centres(self) -> Floats:
        """The middle of each cell, row by row from the top left, shape (n_cells, 2)."""
        down, across = np.divmod(np.arange(self.height * self.width), self.width)
        return np.column_stack([across + 0.5, self.height - down - 0.5])

    def panel(self, title: str = "State") -> Panel:
        """Return the panel that holds the grid."""
        across, down = self.width + 0.1, self.height + 0.1
        return Panel("data", Axis("", -0.1, across), Axis("", -0.1, down), title=title, equal=True)

    def marks(self, state: ArrayLike, unit: int | None) -> list[Mark]:
        """Return the cells of a state, each in [0, 1], and an outline of the current unit."""
        cells = Raster(
            pixels=shades(state),
            width=self.width,
            height=self.height,
            extent=(0.0, float(self.width), 0.0, float(self.height)),
            ramp=True,
            opacity=1.0,
            crisp=True,
        )
        corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5)])
        outline = NOWHERE if unit is None else self.centres[unit] + corners
        return [cells, *self._still_marks, line_through(outline, width=3.5, of="")]

    @cached_property
    def _still_marks(self) -> list[Mark]:
        return [self._net(), self._units()]

    def _units(self) -> Points:
        """Return what answers to a click or the pointer on a cell."""
        x, y = self.centres.T
        labels = [
            f"unit {i + 1}: row {i // self.width + 1}, column {i % self.width + 1}"
            for i in range(len(x))
        ]
        numbers = np.arange(1, len(x) + 1)
        return Points(
            x=x,
            y=y,
            size=[2.0],
            opacity=[0.02],
            labels=labels,
            data=True,
            of="unit",
            numbers=numbers,
        )

    def _net(self) -> Segments:
        across, down = np.arange(self.width + 1.0), np.arange(self.height + 1.0)
        x0, x1 = (
            np.append(across, np.zeros_like(down)),
            np.append(across, np.full_like(down, self.width)),
        )
        y0, y1 = (
            np.append(np.zeros_like(across), down),
            np.append(np.full_like(across, self.height), down),
        )
        return Segments(x0=x0, y0=y0, x1=x1, y1=y1, width=0.6, of="")


def patterns_scene(problem: PatternsProblem) -> Scene:
    """Return the patterns alone, in one frame."""
    patterns = problem.patterns[:MAX_SHOWN]
    sheet = Sheet(len(patterns), problem.height, problem.width)
    n = len(problem.patterns)
    what = "One pattern" if n == 1 else f"{n} patterns"
    caption = (
        f"{what} of {problem.height} x {problem.width} cells, {percent(problem.patterns.mean())} of"
        " them on."
    )
    cut = (f"The first {MAX_SHOWN} of {n} patterns are shown.",) if n > MAX_SHOWN else ()
    return Scene(
        (sheet.panel(),),
        sheet.marks(list(patterns), problem.names[:MAX_SHOWN]),
        (Frame(caption),),
        cut,
    )
