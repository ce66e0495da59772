"""An image as the codes of a step have it: coded pixels, palettes, the space of the colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Bytes, Floats
from dmlib.cached import cached_property
from dmlib.clustering.codes import decode, nearest, patches, psnr
from dmlib.clustering.vector_quantisation.algorithm import CodeBookStep, VectorQuantizer
from dmlib.clustering.vector_quantisation.dithering import dither
from dmlib.clustering.vector_quantisation.lvq import LVQ
from dmlib.params import Choice, Flag
from dmlib.pictures.data.image import as_bytes
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.run import AnyRun
from dmlib.problem.view import Plane, plane

VIEWS = ("compressed", "original", "error")
DITHERS = ("none", "floyd-steinberg", "ordered")
OPTIONS = {
    "view": Option(Choice(VIEWS), "compressed"),
    "classes": Option(Flag(), False),
    "dithering": Option(Choice(DITHERS), "none"),
}
SQUARE = 4  # pixels along the side of what an eye sees as one from afar
COLOR_NAMES = ("red", "green", "blue")


@dataclass(frozen=True)
class CodedImage:
    """The image of a run, and the settings of its picture."""

    run: AnyRun

    @cached_property
    def pixels(self) -> Floats:
        """The pixels, shape (height, width, channels)."""
        pixels: Floats = self.run.problem.arguments[0]
        return pixels

    @property
    def n_channels(self) -> int:
        """The numbers of a pixel: 1 for grey values, 3 for colours."""
        return int(self.pixels.shape[2])

    @cached_property
    def patch(self) -> int:
        """The side of a patch."""
        return int(self.run.model.patch) if isinstance(self.run.model, VectorQuantizer) else 1

    @property
    def n_codes(self) -> int:
        """The number of codes."""
        return len(self.run.trace.steps[0].codebook)

    @cached_property
    def view(self) -> str:
        """The option of the large picture."""
        return str(chosen(self.run, OPTIONS)["view"])

    @cached_property
    def is_classified(self) -> bool:
        """Whether the large picture shows the classes that LVQ predicts."""
        return isinstance(self.run.model, LVQ) and bool(chosen(self.run, OPTIONS)["classes"])

    @cached_property
    def dithering(self) -> str:
        """How the finished picture is dithered; patches are not."""
        return str(chosen(self.run, OPTIONS)["dithering"]) if self.patch == 1 else "none"

    @cached_property
    def rows(self) -> Floats:
        """The rows that are coded: pixels or patches."""
        return patches(self.pixels, self.patch)

    @property
    def sample(self) -> int:
        """The number of the selected pixel."""
        return int(self.run.current_query.sample or 0)

    def blurred_psnr(self, rebuilt: Floats) -> float:
        """Return the PSNR of the means of squares of pixels: what an eye sees from afar."""
        return psnr(_blurred(self.pixels), _blurred(rebuilt))

    @cached_property
    def plane(self) -> Plane:
        """The plane of the two principal components of the colours."""
        colors = self.pixels.reshape(-1, self.n_channels)
        names = COLOR_NAMES[: self.n_channels]
        components: Plane = self.run.once(
            "plane of the colours", lambda: plane(colors, names, "pca")
        )
        return components

    def places(self, codebook: Floats) -> Floats:
        """Return the places of codes by their mean colours, shape (n_codes, 2)."""
        colors = mean_colors(codebook, self.n_channels)
        if self.n_channels == 1:
            return np.column_stack([colors[:, 0], np.zeros(len(colors))])
        return self.plane.project(colors)


@dataclass(frozen=True)
class Coding:
    """An image as the codes of a step have it."""

    image: CodedImage
    step: CodeBookStep
    is_last: bool  # whether this is the finished picture, which is dithered if the reader chose so

    @cached_property
    def labels(self) -> NDArray[Any]:
        """The code of each row; while codes are still chosen, that of the nearest so far."""
        if self.step.labels is None:
            return nearest(self.image.rows, finite_codes(self.step.codebook))
        labels: NDArray[Any] = self.step.labels
        return labels

    @cached_property
    def palette(self) -> Bytes:
        """The colour of each pixel of each code, one after the other, as bytes."""
        return as_bytes(self._colors).ravel()

    @cached_property
    def inks(self) -> Bytes:
        """The mean colour of each code, as bytes."""
        colors = mean_colors(self.step.codebook, self.image.n_channels)
        return as_bytes(np.nan_to_num(colors)).ravel()

    @cached_property
    def pixels(self) -> NDArray[np.intp]:
        """For each pixel the number of its colour in the palette, shape (height * width,)."""
        image, codebook = self.image, self.step.codebook
        if self.is_last and image.dithering != "none":
            return dither(image.pixels, codebook, image.dithering).ravel().astype(np.intp)
        size = image.patch**2
        numbers = np.arange(len(codebook) * size, dtype=float).reshape(-1, size)
        shape = (*image.pixels.shape[:2], 1)
        return decode(self.labels, numbers, shape, image.patch).ravel().astype(np.intp)

    @cached_property
    def rebuilt(self) -> Floats:
        """The picture in the colours of the codes, values from 0 to 1."""
        rebuilt: Floats = self._colors[self.pixels].reshape(self.image.pixels.shape)
        return rebuilt

    @property
    def _colors(self) -> Floats:
        colors: Floats = np.nan_to_num(self.step.codebook).reshape(-1, self.image.n_channels)
        return colors


def finite_codes(codebook: Floats) -> Floats:
    """Return the codes that are chosen."""
    return codebook[np.isfinite(codebook[:, 0])]


def mean_colors(codebook: Floats, n_channels: int) -> Floats:
    """Return the mean colour of each code, shape (n_codes, n_channels)."""
    colors: Floats = codebook.reshape(len(codebook), -1, n_channels).mean(axis=1)
    return colors


def _blurred(pixels: Floats) -> Floats:
    """Return the means of squares, which begin at the top left."""
    height, width = (size // SQUARE * SQUARE or size for size in pixels.shape[:2])
    rows, columns = (np.arange(0, size, SQUARE) for size in (height, width))
    sums: Floats = np.add.reduceat(np.add.reduceat(pixels[:height, :width], rows), columns, axis=1)
    means: Floats = sums / (min(SQUARE, height) * min(SQUARE, width))
    return means
