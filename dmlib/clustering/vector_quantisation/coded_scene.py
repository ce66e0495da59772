"""A run of vector quantisation as its scene looks at it: coded pixels, palettes, the space of the colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dmlib.arrays import Bytes, Floats
from dmlib.cached import cached_property
from dmlib.clustering.codes import decode, nearest, patches, psnr
from dmlib.clustering.vector_quantisation.algorithm import CodeBookStep
from dmlib.clustering.vector_quantisation.dithering import dither
from dmlib.clustering.vector_quantisation.lvq import LVQ
from dmlib.params import Choice, Flag
from dmlib.pictures.data.image import as_bytes
from dmlib.pictures.deferred import Deferred
from dmlib.pictures.motion import thin
from dmlib.pictures.options import Option, chosen
from dmlib.pictures.run import Run
from dmlib.problem import ImageProblem
from dmlib.problem.view import Plane, plane

VIEWS = ("compressed", "original", "error")
DITHERS = ("none", "floyd-steinberg", "ordered")
OPTIONS = {
    "view": Option(Choice(VIEWS), "compressed"),
    "classes": Option(Flag(), False),
    "dithering": Option(Choice(DITHERS), "none"),
}
SQUARE = 4  # pixels along the side of what an eye sees as one from afar
MOST_FRAMES = 80  # each has a picture
COLOR_NAMES = ("red", "green", "blue")


@dataclass(frozen=True)
class Picture:
    """What all parts of the scene share.

    Attributes
    ----------
    run : Run
        The run.
    steps : sequence of CodeBookStep
        Those that are shown.
    shown : ndarray of shape (n_frames,)
        Their numbers.
    """

    run: Run
    steps: Sequence[Any]
    shown: NDArray[np.intp]

    @classmethod
    def of(cls, run: Run) -> Picture:
        """Choose the steps that are shown."""
        shown = thin(len(run.trace.steps), MOST_FRAMES)
        return cls(run, [run.trace.steps[i] for i in shown], shown)

    @property
    def problem(self) -> ImageProblem:
        """The image."""
        problem: ImageProblem = self.run.problem
        return problem

    @cached_property
    def image(self) -> Floats:
        """The pixels, shape (height, width, channels)."""
        return self.problem.arguments[0]

    @property
    def patch(self) -> int:
        """The side of a patch."""
        return int(getattr(self.run.model, "patch", 1))

    @property
    def view(self) -> str:
        """What the large picture shows."""
        return str(chosen(self.run, OPTIONS)["view"])

    @property
    def classified(self) -> bool:
        """Whether the large picture shows the classes that LVQ predicts."""
        return isinstance(self.run.model, LVQ) and bool(chosen(self.run, OPTIONS)["classes"])

    @property
    def dithering(self) -> str:
        """How the finished picture is dithered; patches are not."""
        return str(chosen(self.run, OPTIONS)["dithering"]) if self.patch == 1 else "none"

    @cached_property
    def rows(self) -> Floats:
        """What is coded: pixels or patches."""
        return patches(self.image, self.patch)

    @cached_property
    def labels(self) -> Deferred[NDArray[Any]]:
        """The code of each row in each frame; while codes are still chosen, that of the nearest so far."""
        return Deferred(self._labels, self.steps)

    def _labels(self, step: CodeBookStep) -> NDArray[Any]:
        return nearest(self.rows, known(step.codebook)) if step.labels is None else step.labels

    @cached_property
    def palettes(self) -> Deferred[Bytes]:
        """The colour of each pixel of each code in each frame, one after the other, as bytes."""
        channels = self.image.shape[2]
        return Deferred(lambda step: as_bytes(np.nan_to_num(step.codebook).reshape(-1, channels)).ravel(), self.steps)

    @cached_property
    def inks(self) -> Deferred[Bytes]:
        """The mean colour of each code in each frame, as bytes."""
        return Deferred(
            lambda step: as_bytes(np.nan_to_num(means(step.codebook, self.image.shape[2]))).ravel(), self.steps
        )

    def codes(self, i: int) -> NDArray[np.intp]:
        """Return for each pixel the number of its colour in the palette of a frame, shape (height * width,)."""
        if i == len(self.steps) - 1 and self.dithering != "none":
            return dither(self.image, self.steps[i].codebook, self.dithering).ravel().astype(np.intp)
        size = self.patch**2
        numbers = np.arange(len(self.steps[i].codebook) * size, dtype=float)[:, None]
        pixels = decode(self.labels[i], numbers.reshape(-1, size), (*self.image.shape[:2], 1), self.patch)
        return pixels.ravel().astype(np.intp)

    def rebuilt(self, i: int) -> Floats:
        """Return the picture of a frame, values from 0 to 1."""
        colors = np.nan_to_num(self.steps[i].codebook).reshape(-1, self.image.shape[2])
        rebuilt: Floats = colors[self.codes(i)].reshape(self.image.shape)
        return rebuilt

    @property
    def last(self) -> Floats:
        """The finished picture, dithered where that is asked for."""
        return np.clip(self.rebuilt(len(self.steps) - 1), 0.0, 1.0)

    def blurred_psnr(self, rebuilt: Floats) -> float:
        """Return the peak signal-to-noise ratio of the means of squares: what an eye sees from afar."""
        return psnr(_blurred(self.image), _blurred(rebuilt))

    @cached_property
    def plane(self) -> Plane:
        """The plane of the two principal components of the colours."""

        def make() -> Plane:
            colors = self.image.reshape(-1, self.image.shape[2])
            return plane(colors, COLOR_NAMES[: colors.shape[1]], "pca")

        found: Plane = self.run.once("plane of the colours", make)
        return found

    def places(self, codebook: Floats) -> Floats:
        """Return where codes, by their mean colours, lie in the space of the colours, shape (n_codes, 2)."""
        colors = means(codebook, self.image.shape[2])
        if self.image.shape[2] == 1:
            return np.column_stack([colors[:, 0], np.zeros(len(colors))])
        return self.plane.project(colors)


def known(codebook: Floats) -> Floats:
    """Return the codes that are chosen."""
    return codebook[np.isfinite(codebook[:, 0])]


def means(codebook: Floats, channels: int) -> Floats:
    """Return the mean colour of each code, shape (n_codes, channels)."""
    mean: Floats = codebook.reshape(len(codebook), -1, channels).mean(axis=1)
    return mean


def _blurred(image: Floats) -> Floats:
    """Return the means of squares, which begin at the top left."""
    height, width = (size // SQUARE * SQUARE or size for size in image.shape[:2])
    rows, columns = (np.arange(0, size, SQUARE) for size in (height, width))
    sums: Floats = np.add.reduceat(np.add.reduceat(image[:height, :width], rows), columns, axis=1)
    means: Floats = sums / (min(SQUARE, height) * min(SQUARE, width))
    return means
