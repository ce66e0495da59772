"""The picture that goes through a filter or a network, the options, and values as colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.neural.cnn.algorithm import ConvNet
from dmlib.neural.cnn.filters import FILTERS
from dmlib.params import Choice, Flag, Integer
from dmlib.pictures.data.image import as_bytes
from dmlib.pictures.marks import Raster
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.run import AnyRun, Run
from dmlib.pictures.scene import Grids
from dmlib.problem.digits import SIDE, DigitsProblem

VIEWS = ("filter", "network")
LEARNED = "learned by the network"
KERNELS = (*FILTERS, LEARNED)
POOLS = ("none", "max", "average")
OPTIONS = {
    "view": Option(Choice(VIEWS), "filter"),
    "drawn": Option(Flag(), False),
    "kernel": Option(Choice(KERNELS), "Sobel, vertical edges"),
    "number": Option(Integer(1, 16, shown=(1, 6)), 1),
    "stride": Option(Integer(1, 4), 1),
    "padding": Option(Integer(0, 4), 0),
    "dilation": Option(Integer(1, 4), 1),
    "pool": Option(Choice(POOLS), "max"),
    "window": Option(Integer(1, 4), 2),
    "square": Option(Integer(1, 4), 2),
}
FILTER_ONLY = ("kernel", "number", "stride", "padding", "dilation", "pool", "window")
CELLS = "cells"
START_CELLS = "0038440418044438"
"""The grid at the start, in hexadecimal digits: a three."""
LEVELS = 127  # shades on either side of 0
BLUE, ORANGE = np.array([8, 72, 150]), np.array([214, 90, 0])


def shows_network(run: AnyRun) -> bool:
    """Return whether the picture is the network, and not a filter that slides over a picture."""
    return bool(chosen(run, OPTIONS)["view"] == "network")


@dataclass(frozen=True)
class PictureView:
    """A run with its options and its picture.

    Attributes
    ----------
    run : Run
        The run.
    """

    run: Run[DigitsProblem, ConvNet]

    @property
    def problem(self) -> DigitsProblem:
        """The picture and the digits."""
        problem: DigitsProblem = self.run.problem
        return problem

    @cached_property
    def options(self) -> dict[str, Any]:
        """The options of the picture."""
        return chosen(self.run, OPTIONS)

    @cached_property
    def cells(self) -> str:
        """The drawn cells, one character each."""
        return str(self.run.options.get(CELLS, f"{int(START_CELLS, 16):064b}"))

    @cached_property
    def ink(self) -> Floats:
        """The darkness of each pixel, of the drawing or of the picture."""
        if self.options["drawn"]:
            return np.array(list(self.cells), float).reshape(SIDE, SIDE)
        return self.problem.ink

    @cached_property
    def small(self) -> Floats:
        """The same in the size of a digit."""
        return self.ink if self.options["drawn"] else self.problem.small

    def grids(self, panel: str, top: float) -> tuple[Grids, ...]:
        """Return the grid to draw on, whose first cell is at the left of a panel."""
        if not self.options["drawn"]:
            return ()
        size: dict[str, Any] = {"places": ((0.0, top),), "height": SIDE, "width": SIDE}
        return (Grids(CELLS, panel, "digit", cells=self.cells, live=True, **size),)


def gray_raster(
    ink: Floats, extent: tuple[float, float, float, float], **attributes: Any
) -> Raster:
    """Return a picture in grey, from its ink."""
    height, width = ink.shape
    gray = np.rint(255 * (1 - np.clip(ink, 0, 1))).astype(np.intp)
    palette = as_bytes(np.arange(256)[:, None] / 255).ravel()
    size = {"width": width, "height": height, "extent": extent}
    return Raster(pixels=gray.ravel(), palette=palette, **(size | attributes))


def signed_palette() -> NDArray[np.uint8]:
    """Return colours of values from -1 to 1: orange, white at 0, blue; as a flat palette."""
    shares = np.arange(-LEVELS, LEVELS + 1)[:, None] / LEVELS
    ends = np.where(shares < 0, ORANGE, BLUE)
    colors: NDArray[np.uint8] = np.rint(255 + np.abs(shares) * (ends - 255)).astype(np.uint8)
    return colors.ravel()


def signed_codes(values: ArrayLike, scale: float | None = None) -> NDArray[np.intp]:
    """Return the indices of values in :func:`signed_palette`; the largest has the full colour.

    Examples
    --------
    >>> signed_codes([-2.0, 0.0, 1.0]).tolist()
    [0, 127, 190]
    """
    array = np.asarray(values, float)
    largest = float(np.abs(array).max(initial=0.0)) if scale is None else scale
    shares = np.clip(array / largest, -1, 1) if largest > 0 else np.zeros_like(array)
    codes: NDArray[np.intp] = np.rint(LEVELS + LEVELS * shares).astype(np.intp)
    return codes


def stacked(maps: Floats) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """Return maps, shape (height, width, n), below each other with gaps, as colours and shades."""
    height, width, n = maps.shape
    codes = np.full((n, height + 1, width), LEVELS)
    codes[:, :height] = signed_codes(maps).transpose(2, 0, 1)
    shade = np.zeros((n, height + 1, width), np.uint8)
    shade[:, :height] = 255
    return codes.ravel(), shade.ravel()
