"""Images: in their own colours, or by the brightness of their pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Bytes
from dmlib.pictures.marks import Raster
from dmlib.pictures.scene import Axis, Frame, Panel, Scene
from dmlib.problem import ImageProblem


def image_panel(problem: ImageProblem, title: str = "") -> Panel:
    """Return the panel of the image: one unit is one pixel, the first row is on top."""
    x, y = (Axis("", 0.0, float(problem.width)), Axis("", 0.0, float(problem.height)))
    return Panel("data", x, y, title=title, equal=True)


def image_raster(grey: NDArray[np.float64], panel: str = "data") -> Raster:
    """Return the mark of brightness from 0 to 1, shape (height, width): the darker the stronger."""
    height, width = grey.shape
    pixels = np.rint(255 * (1 - grey)).astype(np.uint8).ravel()
    extent = (0.0, float(width), 0.0, float(height))
    return Raster(
        panel=panel,
        pixels=pixels,
        width=width,
        height=height,
        extent=extent,
        ramp=True,
        opacity=1.0,
    )


def as_bytes(colors: NDArray[np.float64]) -> Bytes:
    """Return colours of values in [0, 1] as bytes, shape (n, 3), or (n, 1) for grey.

    Examples
    --------
    >>> as_bytes(np.array([[0.0], [1.0]])).tolist()
    [[0, 0, 0], [255, 255, 255]]
    """
    shades = np.rint(255 * np.clip(colors, 0.0, 1.0)).astype(np.uint8)
    return np.repeat(shades, 3, axis=1) if shades.shape[1] == 1 else shades


def color_raster(pixels: NDArray[np.float64], panel: str = "data", **attributes: Any) -> Raster:
    """Return the mark of an image in its own colours, shape (height, width) or (height, width, 3).

    Examples
    --------
    >>> mark = color_raster(np.array([[[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]]))
    >>> mark.pixels.tolist(), mark.palette.tolist()
    ([1, 0], [0, 0, 255, 255, 0, 0])
    """
    height, width = pixels.shape[:2]
    colors, codes = np.unique(
        as_bytes(pixels.reshape(height * width, -1)), axis=0, return_inverse=True
    )
    attributes.setdefault("extent", (0.0, float(width), 0.0, float(height)))
    shape = {"width": width, "height": height, "opacity": 1.0}
    return Raster(panel=panel, pixels=codes.ravel(), palette=colors.ravel(), **(shape | attributes))


def image_scene(problem: ImageProblem) -> Scene:
    """Return the image alone, in one frame."""
    kinds = len(np.unique(problem.samples, axis=0))
    what = "colours" if problem.colour else "grey values"
    caption = f"{problem.width} x {problem.height} pixels in {kinds:,} {what}."
    mark = color_raster(problem.pixels) if problem.colour else image_raster(problem.grey)
    return Scene((image_panel(problem),), (mark,), (Frame(caption),))
