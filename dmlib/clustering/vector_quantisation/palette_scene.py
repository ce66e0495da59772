"""The code book as a picture: shares of a palette, tiles of patches, units of a map."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.clustering.vector_quantisation.coded_scene import Picture
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.marks import Mark, PerFrame, Raster, Rects
from dmlib.pictures.scene import Axis, Panel

Part = tuple[Panel, list[Mark]]


def palette_bars(picture: Picture) -> Part:
    """Return a bar for each code in its colour: the share of pixels or patches that have it."""
    k = len(picture.steps[0].codebook)
    last = np.bincount(picture.labels[-1], minlength=k) / len(picture.rows)
    panel = Panel(
        "palette",
        Axis("share of pixels" if picture.patch == 1 else "share of patches", 0.0, 1.06 * float(last.max())),
        Axis("code", k + 0.6, 0.4, integer=True),
        title="Palette" if picture.patch == 1 else "Mean colours of the codes",
        side=True,
    )

    def shares(labels: Any) -> Any:
        return np.minimum(np.bincount(labels, minlength=k) / len(picture.rows), panel.x.high)

    at = np.arange(k) + 1.0
    bars = Rects(
        panel="palette", x0=np.zeros(k), y0=at + 0.45, x1=PerFrame(Deferred(shares, picture.labels)), y1=at - 0.45,
        color=np.arange(k), palette=PerFrame(picture.inks), numbers=np.arange(k) + 1, of="code",
    )  # fmt: skip
    return panel, [bars]


def code_tiles(picture: Picture) -> Part:
    """Return the patches of the code book as tiles, in the order of their numbers."""
    k, patch = len(picture.steps[0].codebook), picture.patch
    across = int(np.ceil(np.sqrt(k)))
    down = -(-k // across)
    side = patch + 1
    pixels = np.zeros((down * side + 1, across * side + 1), np.intp)
    shade = np.zeros(pixels.shape, np.uint8)
    for j in range(k):
        row, column = divmod(j, across)
        tile = np.s_[row * side + 1 : (row + 1) * side, column * side + 1 : (column + 1) * side]
        pixels[tile], shade[tile] = j * patch**2 + np.arange(patch**2).reshape(patch, patch), 255
    height, width = pixels.shape
    panel = Panel(
        "tiles",
        Axis(f"code: column of {across}", 0.5, across + 0.5, integer=True),
        Axis("row", down + 0.5, 0.5, integer=True),
        title=f"Code book: {k} patches",
        side=True,
    )
    there = PerFrame(Deferred(lambda step: shade.ravel() * np.isfinite(step.codebook[:, 0]).any(), picture.steps))
    mark = Raster(
        panel="tiles", pixels=pixels.ravel(), shade=there, palette=PerFrame(picture.palettes), width=width,
        height=height, extent=(0.5, across + 0.5, down + 0.5, 0.5), opacity=1.0,
    )  # fmt: skip
    return panel, [mark]


def unit_map(picture: Picture) -> Part:
    """Return the units of a self-organising map on their grid, in their colours."""
    model = picture.run.model
    down, across = model.n_rows, model.n_columns
    panel = Panel(
        "map",
        Axis("column", 0.5, across + 0.5, integer=True),
        Axis("row", 0.5, down + 0.5, integer=True),
        title="Map: units on their grid",
        side=True,
        equal=True,
    )
    units = np.arange(down * across).reshape(down, across)[::-1]  # row 1 is at the bottom, as the axis counts
    mark = Raster(
        panel="map", pixels=units.ravel(), palette=PerFrame(picture.palettes), width=across, height=down,
        extent=panel.extent, opacity=1.0,
    )  # fmt: skip
    return panel, [mark]
