"""An image by the brightness of its pixels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dmlib.pictures.marks import Raster
from dmlib.pictures.scene import Axis, Frame, Panel, Scene
from dmlib.problem import ImageProblem


def image_panel(problem: ImageProblem) -> Panel:
    """Return the panel of the image: one unit is one pixel, the first row is on top."""
    x, y = Axis("pixels across", 0.0, float(problem.width)), Axis("pixels up", 0.0, float(problem.height))
    return Panel("data", x, y, equal=True)


def image_raster(grey: NDArray[np.float64], panel: str = "data") -> Raster:
    """Return the mark of brightness from 0 to 1, shape (height, width): the darker the stronger."""
    height, width = grey.shape
    pixels = np.rint(255 * (1 - grey)).astype(np.uint8).ravel()
    extent = (0.0, float(width), 0.0, float(height))
    return Raster(panel=panel, pixels=pixels, width=width, height=height, extent=extent, ramp=True, opacity=1.0)


def image_scene(problem: ImageProblem) -> Scene:
    """Return the image alone, in one frame."""
    kinds = len(np.unique(problem.samples, axis=0))
    what = "colours" if problem.colour else "grey values"
    caption = f"{problem.width} x {problem.height} pixels in {kinds:,} {what}."
    notes = ("Colours are shown by their brightness.",) if problem.colour else ()
    return Scene((image_panel(problem),), (image_raster(problem.grey),), (Frame(caption),), notes)
