"""The code book as a picture: shares of a palette, tiles of patches, units of a map."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.clustering.vector_quantisation.coded_scene import CodedImage, Coding
from dmlib.pictures.marks import Raster, Rects
from dmlib.pictures.scene import Axis, Panel
from dmlib.pictures.story import Moment


class PaletteBars:
    """A bar for each code in its colour: the share of pixels or patches that have it.

    Parameters
    ----------
    end : Coding
        The image at the end of the run.

    Attributes
    ----------
    panel : Panel
        The panel of the bars.
    """

    def __init__(self, end: Coding) -> None:
        is_pixel = end.image.patch == 1
        highest = float(_shares(end).max())
        self.panel = Panel(
            "palette",
            Axis("share of pixels" if is_pixel else "share of patches", 0.0, 1.06 * highest),
            Axis("code", end.image.n_codes + 0.6, 0.4, integer=True),
            title="Palette" if is_pixel else "Mean colours of the codes",
            side=True,
        )

    def marks(self, coding: Coding, moment: Moment) -> list[Rects]:
        """Return the bars."""
        numbers = np.arange(coding.image.n_codes) + 1
        bars = Rects(
            panel="palette",
            x0=np.zeros(len(numbers)),
            y0=numbers + 0.45,
            x1=np.minimum(_shares(coding), self.panel.x.high),
            y1=numbers - 0.45,
            color=numbers - 1,
            palette=coding.inks,
            numbers=numbers,
            of="code",
        )
        return [bars]


def _shares(coding: Coding) -> Floats:
    """Return the share of pixels or patches of each code."""
    counts = np.bincount(coding.labels, minlength=coding.image.n_codes)
    shares: Floats = counts / len(coding.image.rows)
    return shares


class CodeTiles:
    """The patches of the code book as tiles, in the order of their numbers.

    Parameters
    ----------
    image : CodedImage
        The image.

    Attributes
    ----------
    panel : Panel
        The panel of the tiles.
    """

    def __init__(self, image: CodedImage) -> None:
        k = image.n_codes
        n_columns = int(np.ceil(np.sqrt(k)))
        n_rows = -(-k // n_columns)
        self.panel = Panel(
            "tiles",
            Axis(f"code: column of {n_columns}", 0.5, n_columns + 0.5, integer=True),
            Axis("row", n_rows + 0.5, 0.5, integer=True),
            title=f"Code book: {k} patches",
            side=True,
        )
        self._pixels, self._shade = _tiles(k, n_rows, n_columns, image.patch)

    def marks(self, coding: Coding, moment: Moment) -> list[Raster]:
        """Return the tiles; none before there are codes."""
        has_codes = np.isfinite(coding.step.codebook[:, 0]).any()
        height, width = self._pixels.shape
        tiles = Raster(
            panel="tiles",
            pixels=self._pixels.ravel(),
            shade=self._shade.ravel() * has_codes,
            palette=coding.palette,
            width=width,
            height=height,
            extent=self.panel.extent,
            opacity=1.0,
        )
        return [tiles]


def _tiles(
    k: int, n_rows: int, n_columns: int, patch: int
) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """Return the color numbers of the pixels of tiles with gaps, and which pixels are no gap."""
    side = patch + 1
    pixels = np.zeros((n_rows * side + 1, n_columns * side + 1), np.intp)
    shade = np.zeros(pixels.shape, np.uint8)
    numbers = np.arange(patch**2).reshape(patch, patch)
    for j in range(k):
        row, column = divmod(j, n_columns)
        down = slice(row * side + 1, (row + 1) * side)
        across = slice(column * side + 1, (column + 1) * side)
        pixels[down, across], shade[down, across] = j * patch**2 + numbers, 255
    return pixels, shade


class UnitMap:
    """The units of a self-organising map on their grid, in their colours.

    Parameters
    ----------
    n_rows, n_columns : int
        The size of the grid.

    Attributes
    ----------
    panel : Panel
        The panel of the map.
    """

    def __init__(self, n_rows: int, n_columns: int) -> None:
        self.panel = Panel(
            "map",
            Axis("column", 0.5, n_columns + 0.5, integer=True),
            Axis("row", 0.5, n_rows + 0.5, integer=True),
            title="Map: units on their grid",
            side=True,
            equal=True,
        )
        # Row 1 is at the bottom, as the axis counts.
        units = np.arange(n_rows * n_columns).reshape(n_rows, n_columns)[::-1]
        self._units = Raster(
            panel="map",
            pixels=units.ravel(),
            width=n_columns,
            height=n_rows,
            extent=self.panel.extent,
            opacity=1.0,
        )

    def marks(self, coding: Coding, moment: Moment) -> list[Raster]:
        """Return the units."""
        return [replace(self._units, palette=coding.palette)]
