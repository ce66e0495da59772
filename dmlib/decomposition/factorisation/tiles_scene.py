"""Small pictures beside and below each other, their frames, and their colours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.pictures.marks import Mark, Raster, Rects
from dmlib.pictures.scene import Axis, Panel
from dmlib.problem import ImageProblem

LEVELS = 20  # of red, green and blue
N_ACROSS = 4  # parts beside each other


class TileSheet:
    """A panel of parts as small square pictures, grey where there are none.

    Parameters
    ----------
    n, side, n_channels : int
        The number of pictures, and their shape.
    name, title : str
        Those of the panel.
    of : str
        The name under which tables refer to a picture.
    """

    def __init__(self, n: int, side: int, n_channels: int, name: str, title: str, of: str) -> None:
        self.shape = n, side, side, n_channels
        self.height, self.width = sheet(np.empty(self.shape), N_ACROSS).shape[:2]
        x, y = Axis("", 0.0, self.width), Axis("", 0.0, self.height)
        self.panel = Panel(name, x, y, title, side=True, equal=True)
        self.frames = tile_frames(n, N_ACROSS, (side, side), panel=name, of=of)

    def marks(self, shades: Floats) -> tuple[Mark, ...]:
        """Return the pictures of the first parts, a row of shades from 0 to 1 for each."""
        tiles = np.full(self.shape, 0.5)
        tiles[: len(shades)] = shades.reshape(-1, *self.shape[1:])
        raster = Raster(
            panel=self.panel.name,
            pixels=colour_codes(sheet(tiles, N_ACROSS, 0.5)),
            palette=palette(self.shape[3]),
            width=self.width,
            height=self.height,
            extent=(0.0, float(self.width), 0.0, float(self.height)),
            opacity=1.0,
            crisp=True,
        )
        return raster, self.frames


def unit_parts(parts: Floats) -> Floats:
    """Return parts, one a row, divided by their largest weights.

    Examples
    --------
    >>> unit_parts(np.array([[1.0, -2.0], [0.0, 0.0]])).tolist()
    [[0.5, -1.0], [0.0, 0.0]]
    """
    largest = np.abs(parts).max(axis=1, keepdims=True, initial=0.0)
    scaled: Floats = parts / np.where(largest > 0, largest, 1.0)
    return scaled


def sheet(tiles: NDArray[Any], n_across: int, fill: float = 0.0) -> NDArray[Any]:
    """Return pictures beside each other and, from so many on, below each other, a pixel apart.

    Parameters
    ----------
    tiles : ndarray of shape (n, height, width) or (n, height, width, channels)
        The pictures.
    n_across : int
        So many are beside each other.
    fill : float
        What is between them.

    Examples
    --------
    >>> sheet(np.array([[[1]], [[2]], [[3]]]), 2).tolist()
    [[1, 0, 2], [0, 0, 0], [3, 0, 0]]
    """
    n, height, width = tiles.shape[:3]
    n_down = max(1, -(-n // n_across))
    size = (n_down * (height + 1) - 1, n_across * (width + 1) - 1)
    pixels = np.full((*size, *tiles.shape[3:]), fill, tiles.dtype)
    for i, tile in enumerate(tiles):
        x, y = i % n_across * (width + 1), i // n_across * (height + 1)
        pixels[y : y + height, x : x + width] = tile
    return pixels


def tile_frames(
    n: int,
    n_across: int,
    tile: tuple[int, int],
    gap: int = 1,
    corner: float = 0.0,
    **attributes: Any,
) -> Rects:
    """Return the frames of the pictures of a sheet: only the outline of one that is lit is seen.

    Examples
    --------
    >>> frames = tile_frames(3, 2, (4, 5))
    >>> frames.x0.tolist(), frames.y0.tolist()
    ([0.0, 6.0, 0.0], [5.0, 5.0, 0.0])
    """
    i, (height, width) = np.arange(n), tile
    row, column = i // n_across, i % n_across
    x = column * (width + gap) + corner
    y = (-(-n // n_across) - 1 - row) * (height + gap) + corner
    right, top = x + width, y + height
    return Rects(x0=x, x1=right, y0=y, y1=top, opacity=[0.0], numbers=i + 1, **attributes)


def colour_notes(problem: ImageProblem) -> list[str]:
    """Return that colours are drawn coarsely, if there are colours."""
    if not problem.colour:
        return []
    return [f"Colours are drawn in {LEVELS} shades each; all is computed exactly."]


def colour_codes(image: Floats) -> NDArray[np.int64]:
    """Return the number of each pixel's colour among all shades, or its brightness in bytes."""
    clipped = np.clip(image, 0.0, 1.0)
    if image.shape[2] == 1:
        return np.rint(255 * clipped[:, :, 0]).astype(np.int64).ravel()
    levels = np.rint((LEVELS - 1) * clipped) @ np.array([LEVELS**2, LEVELS, 1])
    return np.asarray(levels, np.int64).ravel()


def palette(n_channels: int) -> NDArray[np.uint8]:
    """Return red, green and blue of all shades, or of all brightnesses."""
    if n_channels == 1:
        return np.repeat(np.arange(256), 3).astype(np.uint8)
    shade = np.rint(np.linspace(0, 255, LEVELS))
    shades = np.stack(np.meshgrid(shade, shade, shade, indexing="ij"), axis=-1)
    return shades.reshape(-1).astype(np.uint8)
