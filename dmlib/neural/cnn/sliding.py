"""A filter that slides over a picture: its places, its feature map, and the pooled map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.neural.cnn.convolution import average_pool2d, convolve2d, max_pool2d, output_size

Phase = Literal["multiply", "pool", "done"]
POOLINGS = {"max": max_pool2d, "average": average_pool2d}


@dataclass(frozen=True)
class FilterStep:
    """A step of a filter.

    Attributes
    ----------
    phase : {"multiply", "pool", "done"}
        The weighted sum of a place; the map is pooled; the end.
    place : int
        On "multiply" the place of the map; later the number of all places.
    """

    phase: Phase
    place: int


@dataclass(frozen=True)
class Sliding:
    """A filter on a picture.

    Attributes
    ----------
    ink : ndarray of shape (height, width)
        The picture.
    kernel : ndarray of shape (k, k)
        The weights.
    name : str
        The name of the filter.
    options : mapping
        Stride, padding, dilation, the pooling (``pool``) and its ``window``.
    """

    ink: Floats
    kernel: Floats
    name: str
    options: Mapping[str, Any]

    @property
    def padding(self) -> int:
        """The pixels of zeros around the picture."""
        return int(self.options["padding"])

    @cached_property
    def padded(self) -> Floats:
        """The picture with its border of zeros."""
        return np.pad(self.ink, self.padding)

    @cached_property
    def sums(self) -> Floats:
        """The feature map; empty where the filter does not fit."""
        steps = {name: self.options[name] for name in ("stride", "padding", "dilation")}
        sizes = zip(self.ink.shape, self.kernel.shape, strict=True)
        if not all(output_size(side, kernel, **steps) for side, kernel in sizes):
            return np.empty((0, 0))
        return convolve2d(self.ink, self.kernel, **steps)

    @cached_property
    def pooled(self) -> Floats:
        """The pooled map; empty where nothing is pooled or a window does not fit."""
        pooling, size = self.options["pool"], self.options["window"]
        if pooling == "none" or min(self.sums.shape) < size:
            return np.empty((0, 0))
        return POOLINGS[pooling](self.sums, size)

    @property
    def steps(self) -> list[FilterStep]:
        """Each place, the pooling where there is one, and the end."""
        n = self.sums.size
        pool = [FilterStep("pool", n)] if self.pooled.size else []
        return [*(FilterStep("multiply", i) for i in range(n)), *pool, FilterStep("done", n)]

    def taps(self, place: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return row and column of each weight at a place, in the padded picture."""
        row, column = divmod(place, self.sums.shape[1])
        stride, dilation = self.options["stride"], self.options["dilation"]
        i, j = np.indices(self.kernel.shape)
        return row * stride + i * dilation, column * stride + j * dilation
